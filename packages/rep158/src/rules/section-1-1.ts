import { quote } from '@manyworlds/core';
import { Path, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { numberOf } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import { checkBase, checkHandedness, checkPivot } from './asset-placement.ts';
import type { Statement } from './statement.ts';
import {
	checkBodyScale,
	checkBodyStacks,
	checkEuler,
	checkGroupScale,
	checkMatrices,
	checkQuarterTurns,
	checkRootRotation,
} from './transform-stacks.ts';
import { checkUnits } from './unit-conversions.ts';

const must = { section: '1.1', level: 'must', check: 'static' } as const;
const should = { section: '1.1', level: 'should', check: 'heuristic' } as const;

/** REP 1.1: coordinate systems and units. */
export const SECTION_1_1: readonly Statement[] = [
	{ id: 'R1.1.1', ...must, visit: (context, report) => checkOne(context, report, 'metersPerUnit') },
	{ id: 'R1.1.2', ...must, visit: (context, report) => checkOne(context, report, 'kilogramsPerUnit') },
	{
		id: 'R1.1.3',
		...must,
		visit: (context, report) => checkOne(context, report, 'timeCodesPerSecond'),
	},
	{ id: 'R1.1.4', ...must, visit: checkUnits },
	{ id: 'R1.1.5', ...must, visit: checkUpAxis },
	{ id: 'R1.1.6', ...must, visit: checkHandedness },
	{ id: 'R1.1.7', ...must, visit: checkBodyStacks },
	{ id: 'R1.1.8', ...must, level: 'must not', visit: checkMatrices },
	{ id: 'R1.1.9', ...must, visit: checkEuler },
	{ id: 'R1.1.10', ...must, visit: checkBodyScale },
	{ id: 'R1.1.11', ...must, visit: checkGroupScale },
	{ id: 'R1.1.12', ...must, level: 'must not', visit: checkRootRotation },
	{ id: 'R1.1.13', ...should, visit: checkQuarterTurns },
	{ id: 'R1.1.14', ...should, visit: checkPivot },
	{ id: 'R1.1.15', ...should, visit: checkBase },
	{ id: 'R1.1.16', ...should, check: 'static', visit: checkJointTransforms },
];

/** The root layer itself has to say 1: fallbacks do not count, nor does what sublayers say. */
function checkOne(context: CheckContext, report: Reporter, field: string): void {
	const { rootLayer } = context;
	const value = rootLayer.data.field(Path.root, field);
	if (value === undefined) {
		report.add(context.atSpec(rootLayer), `${field} is not authored, expected 1`);
		return;
	}
	const number = numberOf(value);
	if (number === 1) return;
	const found = number ?? quote(String(value.data));
	report.add(context.atSpec(rootLayer, Path.root, field), `${field} is ${found}, expected 1`);
}

function checkUpAxis(context: CheckContext, report: Reporter): void {
	const { rootLayer } = context;
	const value = rootLayer.data.field(Path.root, 'upAxis');
	if (value === undefined) {
		report.add(context.atSpec(rootLayer), "upAxis is not authored, which means 'Y', expected 'Z'");
		return;
	}
	const axis = dataOf(value, T.token) ?? String(value.data);
	if (axis === 'Z') return;
	report.add(context.atSpec(rootLayer, Path.root, 'upAxis'), `upAxis is ${quote(axis)}, expected 'Z'`);
}

function checkJointTransforms(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.joints) {
		const name = prim.authoredPropertyNames().find((at) => at.startsWith('xformOp'));
		if (name === undefined) continue;
		const message = `the joint has ${quote(name)}, which does nothing, expected physics:localPos0 and physics:localRot0`;
		report.add(context.at(prim.attribute(name)), message);
	}
}
