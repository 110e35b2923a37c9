import type { UsdActuator } from '@manyworlds/import';
import { isObject, type Json, type JsonObject } from '../../src/json.ts';
import { fields } from '../../src/newton/expected-model.ts';
import { camelCase } from '../../src/newton/names.ts';

/** What the reference writes of every actuator, whatever it does. */
const CONSTANTS: JsonObject = {
	class: 'Actuator',
	control_computed_output_attr: null,
	control_feedforward_attr: 'joint_act',
	control_output_attr: 'joint_f',
	control_target_pos_attr: 'joint_target_q',
	control_target_vel_attr: 'joint_target_qd',
	requires_grad: false,
	state_pos_attr: 'joint_q',
	state_vel_attr: 'joint_qd',
};

const FIELDS = [
	'clamping',
	'delay',
	'drive',
	'effort_indices',
	'indices',
	'num_actuators',
	'pos_indices',
	'target_pos_indices',
];
const CLASSES: Readonly<Record<string, string>> = {
	DrivePD: 'pd',
	DrivePID: 'pid',
	ClampingMaxEffort: 'maxEffort',
	ClampingDCMotor: 'dcMotor',
	ClampingPositionBased: 'positionBased',
};

/** The first difference between actuators and the groups of them in a dump; `device` is about the machine it ran on. */
export function actuatorDifference(actual: readonly UsdActuator[], groups: readonly Json[]): string | undefined {
	const expected: JsonObject[] = [];
	for (const json of groups) {
		const group = fields(json, 'actuators', ['device', ...Object.keys(CONSTANTS), ...FIELDS]);
		for (const [name, value] of Object.entries(CONSTANTS)) {
			if (group[name] !== value) return `actuators have ${name} ${String(group[name])}, expected ${String(value)}`;
		}
		const count = group.num_actuators as number;
		for (let i = 0; i < count; i++) expected.push(memberOf(group, i));
	}
	const ours = actual.map(({ dof, coord, control, clamping, delaySteps }) => ({
		dof,
		coord,
		control: { ...control },
		clamping: clamping.map((one) => ({ ...one })),
		delaySteps: delaySteps ?? null,
	}));
	const sorted = (list: readonly { readonly dof?: unknown }[]): string =>
		JSON.stringify(
			[...list].sort((a, b) => Number(a.dof) - Number(b.dof)),
			sortKeys,
		);
	const [left, right] = [sorted(ours as never), sorted(expected)];
	return left === right ? undefined : `actuators are ${left.slice(0, 300)}, expected ${right.slice(0, 300)}`;
}

/** One actuator of a group, in our form. */
function memberOf(group: JsonObject, i: number): JsonObject {
	const at = (name: string): number => numbers(group[name]!)[i]!;
	if (at('effort_indices') !== at('indices') || at('pos_indices') !== at('target_pos_indices')) {
		throw new TypeError('an actuator reads and pushes different degrees of freedom');
	}
	const { delay } = group;
	return {
		dof: at('indices'),
		coord: at('pos_indices'),
		control: partOf(group.drive as JsonObject, i),
		clamping: (group.clamping as readonly JsonObject[]).map((part) => partOf(part, i)),
		delaySteps: isObject(delay ?? null) ? numbers((delay as JsonObject).delay_steps!)[i]! : null,
	};
}

function partOf(part: JsonObject, i: number): JsonObject {
	const entries = Object.entries(part).map(([key, value]): [string, Json] => {
		if (key !== 'class') return [camelCase(key), numbers(value)[i]!];
		const type = CLASSES[value as string];
		if (type === undefined) throw new TypeError(`actuators of class '${String(value)}' are not known`);
		return ['type', type];
	});
	return Object.fromEntries(entries);
}

function numbers(json: Json): readonly number[] {
	return (json as JsonObject).data as readonly number[];
}

/** Keys in order, numbers in the precision of the reference. */
function sortKeys(_key: string, value: unknown): unknown {
	if (typeof value === 'number') return Number.isFinite(value) ? Math.fround(value) : String(value);
	if (value === 'inf') return 'Infinity';
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
