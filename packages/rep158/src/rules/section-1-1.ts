import { quote } from '@manyworlds/core';
import { dataOf, Path, T } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import type { Rule } from '../rule.ts';

/** REP 1.1: coordinate systems and units. */
export const SECTION_1_1: readonly Rule[] = [
	{
		id: 'R1.1.1',
		section: '1.1',
		level: 'must',
		check: 'static',
		fix: { family: 'F5', safety: 'unsafe' },
		visit: (context, report) => checkMetric(context, report, 'metersPerUnit'),
	},
	{
		id: 'R1.1.16',
		section: '1.1',
		level: 'should',
		check: 'static',
		fix: { family: 'F2', safety: 'safe' },
		visit: checkJointTransforms,
	},
];

/** The root layer itself has to say it: fallbacks do not count, nor does what sublayers say. */
function checkMetric(context: CheckContext, report: Reporter, field: string): void {
	const { rootLayer } = context;
	const value = rootLayer.data.field(Path.root, field);
	if (value === undefined) {
		report.add(context.atSpec(rootLayer), `${field} is not authored, expected 1`);
		return;
	}
	const number = dataOf(value, T.double);
	if (number === 1) return;
	report.add(context.atSpec(rootLayer, Path.root, field), `${field} is ${number ?? String(value.data)}, expected 1`);
}

function checkJointTransforms(context: CheckContext, report: Reporter): void {
	for (const { prim } of context.graph.joints) {
		const name = prim.authoredPropertyNames().find((at) => at.startsWith('xformOp'));
		if (name === undefined) continue;
		const place = context.at(prim.attribute(name));
		report.add(
			place,
			`the joint has ${quote(name)}, which does nothing: expected physics:localPos0 and physics:localRot0`,
		);
	}
}
