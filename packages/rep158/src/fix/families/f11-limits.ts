import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { authoredNumber, isJoint, readText } from '../../asset/read-values.ts';
import { isUnlimited } from '../../rules/joint-physics.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { schemaSite, setAttribute } from '../engine/sites.ts';

const RULE = 'R1.3.3';

/** F11: limits of joints without any, as they are given; joints that turn without end say so by infinite ones (C9). */
export const LIMITS: Fixer = {
	family: 'F11',
	title: 'limits of joints',
	rules: [RULE],
	safety: 'safe',
	changes: ['limits'],
	apply(session) {
		const isAxisJoint = (prim: Prim): boolean => prim.isA('PhysicsRevoluteJoint') || prim.isA('PhysicsPrismaticJoint');
		eachPrim(session, isAxisJoint, (prim) => fixLimits(session, prim));
		eachPrim(
			session,
			(prim) => isJoint(prim) && !isAxisJoint(prim),
			(prim) => refuseFree(session, prim),
		);
	},
};

/** Limits of single ways of moving have nobody to say them. */
function refuseFree(session: FixSession, prim: Prim): void {
	if (isUnlimited(prim)) session.refuse(RULE, 'the joint limits nothing, and what it holds is not told', { prim });
	for (const schema of prim.authoredSchemas ?? []) {
		const way = /^PhysicsLimitAPI:(.+)$/.exec(schema)?.[1];
		if (way === undefined) continue;
		const isSaid = ['low', 'high'].every((end) => prim.attribute(`limit:${way}:physics:${end}`).hasAuthoredValue);
		if (!isSaid) session.refuse(RULE, `the limit of ${way} lacks a number that is not told`, { prim });
	}
}

function fixLimits(session: FixSession, prim: Prim): void {
	const lower = authoredNumber(prim, 'physics:lowerLimit');
	const upper = authoredNumber(prim, 'physics:upperLimit');
	const names = [prim.path.toString(), prim.name, readText(prim, 'ros:joint:name') ?? ''];
	if (lower !== undefined && upper !== undefined) {
		const isEndless = !Number.isFinite(lower) || !Number.isFinite(upper);
		const isContinuous = prim.isA('PhysicsRevoluteJoint') && lower === -Infinity && upper === Infinity;
		if (lower > upper) {
			session.refuse(RULE, `limits go from ${lower} to ${upper}; which of them is meant is not told`, { prim });
		} else if (isEndless && !isContinuous) {
			session.refuse(RULE, `limits go from ${lower} to ${upper}; where the joint ends is not told`, { prim });
		}
		return;
	}
	const { limits = {}, continuous = [] } = session.parameters;
	const given = names.map((name) => limits[name]).find((range) => range !== undefined);
	const isContinuous = prim.isA('PhysicsRevoluteJoint') && names.some((name) => continuous.includes(name));
	const range = given ?? (isContinuous ? ([-Infinity, Infinity] as const) : undefined);
	if (range === undefined) {
		const missing = lower === undefined ? (upper === undefined ? 'no limits' : 'no lower limit') : 'no upper limit';
		const option = `limits ${prim.name}=LOWER:UPPER`;
		const turning = prim.isA('PhysicsRevoluteJoint') ? ` or --continuous ${prim.name}` : '';
		session.ask(RULE, `${option}${turning}`, `the joint has ${missing}`, { prim });
		return;
	}
	const site = schemaSite(session, prim, 'Physics');
	const set = (name: string, value: number): void => {
		const number = makeValue(T.float, Math.fround(value)) as Value;
		setAttribute(session, RULE, session.stage.prim(prim.path)!, name, number, { typeName: 'float', site });
	};
	if (lower === undefined) set('physics:lowerLimit', range[0]);
	if (upper === undefined) set('physics:upperLimit', range[1]);
}
