import { quote } from '@manyworlds/core';
import { type Prim, T } from '@manyworlds/usd';
import { authoredText, dataOf, type RosInterface, resolveName } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { graphAbove, isRosGraph } from './ros-graphs.ts';
import type { Statement } from './statement.ts';

/** REP 2: interfaces are declared once, and not as execution graphs. */
export const SECTION_2_0: readonly Statement[] = [
	{
		id: 'R2.0.1',
		section: '2',
		level: 'must not',
		check: 'static',
		visit: checkDuplicates,
	},
	{
		id: 'R2.0.2',
		section: '2',
		level: 'must',
		check: 'static',
		visit: checkArtefacts,
	},
];

/** Inputs of bridge nodes that name what they exchange. */
const NAME_INPUTS = ['inputs:topicName', 'inputs:serviceName', 'inputs:actionName'];

function checkDuplicates(context: CheckContext, report: Reporter): void {
	const { interfaces } = RosView.of(context);
	if (interfaces.length === 0) return;
	for (const prim of context.lists.all) {
		if (!isRosNode(prim)) continue;
		for (const input of NAME_INPUTS) {
			const name = authoredText(prim, input);
			if (name === undefined || name === '') continue;
			const found = interfaces.find((candidate) => isSame(candidate, name, authoredText(prim, 'inputs:nodeNamespace')));
			if (found === undefined) continue;
			const message = `the graph node exchanges ${quote(name)}, which ${found.prim.path} declares with ${found.schema.api}: expected one of them`;
			report.add(context.at(prim.attribute(input)), message, {
				related: [{ place: context.at(found.prim), message: 'declared here' }],
			});
		}
	}
}

/** Whether a prim is a node of a graph that speaks to ROS. */
function isRosNode(prim: Prim): boolean {
	if (!prim.typeName.startsWith('OmniGraph')) return false;
	const type = authoredText(prim, 'node:type') ?? dataOf(prim.attribute('node:type').get(), T.token) ?? '';
	return /ros/i.test(type);
}

function isSame({ name, resolvedName }: RosInterface, other: string, nodeNamespace: string | undefined): boolean {
	// an interface without a name is no other one's
	if (resolvedName === other) return true;
	if (nodeNamespace === undefined || nodeNamespace === '') return name === other;
	return resolvedName === resolveName(`/${nodeNamespace}`, other);
}

/** Graphs that do not speak to ROS are found by R1.2.1.12. */
function checkArtefacts(context: CheckContext, report: Reporter): void {
	for (const layer of context.newLayers) {
		if (context.role(layer).role === 'proprietary') continue;
		for (const { path } of context.census(layer).graphs.entries) {
			if (graphAbove(layer, path) !== path || !isRosGraph(layer, path)) continue;
			const message = `${path.stripVariants()} is a saved execution graph that speaks to ROS, in ${quote(context.layerName(layer))}: expected it in a layer of its simulator`;
			report.add(context.atSpec(layer, path), message);
		}
	}
}
