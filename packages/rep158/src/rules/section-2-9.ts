import { quote } from '@manyworlds/core';
import type { Path } from '@manyworlds/usd';
import { authoredText, isIdentifier } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { JointInfo } from '../context/joint-graph.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { JOINT_NAME, jointName } from '../ros/joint-name.ts';
import { rosNameOf } from '../ros/ros-names.ts';
import type { Statement } from './statement.ts';

const NAMES_TEST = 'packages/rep158/test/ros/joint-names.test.ts';

/** REP 2.9 and 2.10: interfaces that assets must not have, and names of joints. */
export const SECTION_2_9: readonly Statement[] = [
	{
		id: 'R2.9.1',
		section: '2.9',
		level: 'must not',
		check: 'static',
		visit: checkClock,
	},
	{
		id: 'R2.9.2',
		section: '2.9',
		level: 'must not',
		check: 'static',
		visit: checkProhibited,
	},
	{
		id: 'R2.10.1',
		section: '2.10',
		level: 'may',
		check: 'static',
		visit: checkNeeded,
	},
	{ id: 'R2.10.2', section: '2.10', level: 'tool', check: 'behaviour', heldBy: NAMES_TEST },
	{
		id: 'R2.10.3',
		section: '2.10',
		level: 'should',
		check: 'static',
		visit: checkAligned,
	},
	{ id: 'R2.10.4', section: '2.10', level: 'tool', check: 'behaviour', heldBy: NAMES_TEST },
	{
		id: 'R2.10.5',
		section: '2.10',
		level: 'must',
		check: 'static',
		visit: checkUnique,
	},
];

function checkClock(context: CheckContext, report: Reporter): void {
	for (const { prim, schema, resolvedName } of RosView.of(context).interfaces) {
		if (schema.noun !== 'topic' || resolvedName !== '/clock') continue;
		report.add(context.at(prim.attribute('ros:topic:name')), 'the topic is /clock, which belongs to the simulator');
	}
}

function checkProhibited(context: CheckContext, report: Reporter): void {
	for (const { prim, schema, type } of RosView.of(context).interfaces) {
		if (type === undefined) continue;
		// types of ROS 1 lack the kind
		const isClock = /^rosgraph_msgs\/(?:msg\/)?Clock$/.test(type);
		if (!isClock && !type.startsWith('simulation_interfaces/')) continue;
		const message = `the ${schema.noun} is of type ${quote(type)}, which belongs to the simulator and not to an asset`;
		report.add(context.at(prim.attribute(`${schema.prefix}:type`)), message);
	}
}

/** A prim name that no robot description would have: encoded by an importer, or not ASCII. */
function checkNeeded(context: CheckContext, report: Reporter): void {
	for (const { prim } of context.graph.joints) {
		if (prim.attribute(JOINT_NAME).isAuthored) continue;
		const isEncoded = prim.name.startsWith('tn__');
		if (!isEncoded && rosNameOf(prim.name) === prim.name) continue;
		const what = isEncoded ? 'is an encoded name' : 'is no ROS name';
		report.add(context.at(prim), `${quote(prim.name)} ${what}, ${JOINT_NAME} may say what ROS calls the joint`);
	}
}

function checkAligned(context: CheckContext, report: Reporter): void {
	for (const { prim } of context.graph.joints) {
		const name = authoredText(prim, JOINT_NAME);
		// names that prims cannot have need the attribute, and those that the prim beside them has: URDF lets links and joints share one
		if (name === undefined || name === prim.name || !isIdentifier(name)) continue;
		if (context.stage.prim(prim.path.parent!.appendChild(name)) !== undefined) continue;
		report.add(
			context.at(prim.attribute(JOINT_NAME)),
			`${JOINT_NAME} is ${quote(name)}, expected the prim name ${quote(prim.name)}`,
		);
	}
}

function checkUnique(context: CheckContext, report: Reporter): void {
	const { resolver } = RosView.of(context);
	const first = new Map<string, JointInfo>();
	for (const joint of context.graph.joints) {
		const { prim } = joint;
		const name = jointName(prim);
		const robot = resolver.outermost(prim)?.path ?? componentOf(context, joint);
		const key = `${robot ?? ''}\n${name}`;
		const other = first.get(key);
		if (other === undefined) {
			first.set(key, joint);
			continue;
		}
		const message = `${prim.path} and ${other.prim.path} are both the joint ${quote(name)} of one robot, expected different names`;
		report.add(jointPlace(context, joint), message, {
			key: prim.path.toString(),
			related: [{ place: jointPlace(context, other), message: 'the other joint' }],
		});
	}
}

/** What tells robots apart where there is no context: the bodies that hang together. */
function componentOf(context: CheckContext, { body0, body1 }: JointInfo): Path | undefined {
	const body = body1.body ?? body0.body;
	return body === undefined ? undefined : context.graph.componentOf(body);
}

function jointPlace(context: CheckContext, { prim }: JointInfo): ReturnType<CheckContext['at']> {
	const attribute = prim.attribute(JOINT_NAME);
	return attribute.isAuthored ? context.at(attribute) : context.at(prim);
}
