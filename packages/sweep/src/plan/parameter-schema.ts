import { type Fail, found, isMapping, leaf, type Mapping, orList, toNumber, toWhole } from '@manyworlds/scene/internal';
import type * as z from 'zod';
import type { Distribution, ParameterTarget, ParameterValue } from '../sample/parameter.ts';

/** A parameter as the plan has it, without its name. */
export interface RawParameter {
	readonly target: ParameterTarget;
	readonly apply: 'set' | 'scale' | 'add';
	readonly distribution: Distribution;
}

/** Two numbers, the first below the second. */
function range(value: unknown, fail: Fail, what: string): [number, number] | undefined {
	if (!Array.isArray(value) || value.length !== 2)
		return fail('SCN012', `${what} is ${found(value)}, expected two numbers [low, high]`);
	const low = toNumber(value[0], fail);
	const high = toNumber(value[1], fail);
	if (low === undefined || high === undefined) return undefined;
	return low < high
		? [low, high]
		: fail('SCN008', `${what} is [${low}, ${high}], which is empty: the first number must be below the second`);
}

const SHAPES = ['range', 'log_range', 'normal', 'integer', 'choices', 'value'] as const;

/** Reads how values are spread from the keys of a mapping. */
function distribution(value: Mapping, fail: Fail): Distribution | undefined {
	const given = SHAPES.filter((shape) => value[shape] !== undefined);
	if (given.length !== 1) {
		const what = given.length === 0 ? 'says nothing about its values' : `has ${given.join(' and ')}`;
		return fail('SCN010', `${what}, expected one of ${orList(SHAPES)}`);
	}
	const shape = given[0]!;
	switch (shape) {
		case 'range':
		case 'log_range': {
			const ends = range(value[shape], fail, shape);
			if (ends === undefined) return undefined;
			if (shape === 'log_range' && ends[0] <= 0)
				return fail('SCN008', `log_range begins at ${ends[0]}, expected a number above 0`);
			const steps = value['steps'] === undefined ? undefined : toWhole(value['steps'], fail);
			if (steps !== undefined && steps < 1) return fail('SCN008', `steps is ${steps}, expected 1 or more`);
			const kind = shape === 'range' ? 'uniform' : 'log';
			return { kind, low: ends[0], high: ends[1], ...(steps !== undefined && { steps }) };
		}
		case 'normal':
			return normal(value['normal'], fail);
		case 'integer': {
			const list = value['integer'];
			if (!Array.isArray(list) || list.length !== 2)
				return fail('SCN012', `integer is ${found(list)}, expected two whole numbers`);
			const [low, high] = [toWhole(list[0], fail), toWhole(list[1], fail)];
			if (low === undefined || high === undefined) return undefined;
			return low <= high
				? { kind: 'integer', low, high }
				: fail('SCN008', `integer is [${low}, ${high}], which is empty`);
		}
		case 'value':
			return chosen([value['value']], undefined, fail);
		case 'choices':
			return chosen(value['choices'], value['weights'], fail);
	}
}

function normal(value: unknown, fail: Fail): Distribution | undefined {
	if (!isMapping(value)) return fail('SCN006', `normal is ${found(value)}, expected {mean, sd} and perhaps clip`);
	const odd = Object.keys(value).find((key) => !['mean', 'sd', 'clip'].includes(key));
	if (odd !== undefined) return fail('SCN009', `normal has the key '${odd}', expected mean, sd and perhaps clip`);
	const mean = toNumber(value['mean'], fail, 'a mean');
	const sd = toNumber(value['sd'], fail, 'a standard deviation');
	if (mean === undefined || sd === undefined) return undefined;
	if (sd <= 0) return fail('SCN008', `normal.sd is ${sd}, expected a number above 0`);
	if (value['clip'] === undefined) return { kind: 'normal', mean, sd };
	const clip = range(value['clip'], fail, 'normal.clip');
	return clip && { kind: 'normal', mean, sd, clip };
}

function chosen(list: unknown, weights: unknown, fail: Fail): Distribution | undefined {
	if (!Array.isArray(list) || list.length === 0)
		return fail('SCN012', `choices is ${found(list)}, expected a list with values`);
	for (const one of list)
		if (!['number', 'string', 'boolean'].includes(typeof one) || (typeof one === 'number' && !Number.isFinite(one)))
			return fail('SCN006', `choices has ${found(one)}, expected numbers, texts, or true and false`);
	const values = list as ParameterValue[];
	if (weights === undefined) return { kind: 'choice', values };
	if (!Array.isArray(weights) || weights.length !== values.length)
		return fail('SCN012', `weights is ${found(weights)}, expected ${values.length} numbers`);
	const numbers = weights.map((weight) => toNumber(weight, fail));
	if (numbers.some((weight) => weight === undefined)) return undefined;
	const settled = numbers as number[];
	if (settled.some((weight) => weight < 0) || settled.every((weight) => weight === 0))
		return fail('SCN008', 'weights has a negative number, or zeros only');
	return { kind: 'choice', values, weights: settled };
}

const TARGETS = ['path', 'variant', 'option'] as const;
const PARAMETER_KEYS = [
	'path',
	'variant',
	'option',
	'scale',
	'add',
	'steps',
	'weights',
	'description',
	...SHAPES,
] as const;

/** A parameter: what it changes, and by which values. */
export const parameterSchema: z.ZodType<RawParameter> = leaf<RawParameter>(
	(value, fail) => {
		if (!isMapping(value)) return fail('SCN006', `is ${found(value)}, expected a mapping`);
		const odd = Object.keys(value).find((key) => !(PARAMETER_KEYS as readonly string[]).includes(key));
		if (odd !== undefined) return fail('SCN009', `has the key '${odd}', expected ${orList(PARAMETER_KEYS)}`);
		const target = targetOf(value, fail);
		if (target === undefined) return undefined;
		const applied = (['scale', 'add'] as const).filter((key) => value[key] !== undefined);
		if (applied.length > 1) return fail('SCN009', 'has scale and add, expected one of them');
		const apply = applied[0] ?? 'set';
		if (apply !== 'set' && (target.kind === 'variant' || target.kind === 'option'))
			return fail('SCN009', `has ${apply}, which a ${target.kind} cannot do: give its values`);
		const spread = apply === 'set' ? value : value[apply];
		if (!isMapping(spread))
			return fail('SCN006', `${apply} is ${found(spread)}, expected a mapping such as {range: [0.9, 1.1]}`);
		const settled = distribution(spread, fail);
		if (settled === undefined) return undefined;
		if (target.kind === 'variant' && settled.kind !== 'choice') return fail('SCN009', 'is a variant, expected choices');
		return { target, apply, distribution: settled };
	},
	{
		type: 'object',
		description: 'What is changed (path, variant or option), and by which values.',
		properties: {
			path: {
				type: 'string',
				description: 'prim:/Path.property, material:/Path.property, model:array[label] or scene:field[0].name',
			},
			variant: { type: 'string', description: 'Variant set of a prim: /Robot{gripper}' },
			option: { type: 'string', description: 'solver, dt, duration, or an option of SAP' },
			range: { type: 'array', minItems: 2, maxItems: 2 },
			log_range: { type: 'array', minItems: 2, maxItems: 2 },
			integer: { type: 'array', minItems: 2, maxItems: 2 },
			steps: { type: 'integer', description: 'Values of a range on a grid.' },
			normal: { type: 'object', description: '{mean, sd, clip: [low, high]}' },
			choices: { type: 'array', minItems: 1 },
			weights: { type: 'array' },
			value: {},
			scale: {
				type: 'object',
				description: 'Multiplies the value of the asset by range, log_range, normal, integer or choices.',
			},
			add: { type: 'object', description: 'Adds to the value of the asset.' },
			description: { type: 'string' },
		},
		additionalProperties: false,
	},
);

function targetOf(value: Mapping, fail: Fail): ParameterTarget | undefined {
	const given = TARGETS.filter((key) => value[key] !== undefined);
	if (given.length !== 1) {
		const what = given.length === 0 ? 'changes nothing' : `has ${given.join(' and ')}`;
		return fail('SCN010', `${what}, expected one of ${orList(TARGETS)}`);
	}
	const key = given[0]!;
	const written = value[key];
	if (typeof written !== 'string' || written === '')
		return fail('SCN006', `${key} is ${found(written)}, expected text`);
	if (key === 'option') return { kind: 'option', name: written };
	if (key === 'variant') {
		const match = /^(\/[^{}]*)\{([^{}=]+)\}$/.exec(written);
		return match === null
			? fail('SCN009', `variant is '${written}', expected a prim and a variant set such as /Robot{gripper}`)
			: { kind: 'variant', prim: match[1]!, set: match[2]! };
	}
	return pathTarget(written, fail);
}

function pathTarget(written: string, fail: Fail): ParameterTarget | undefined {
	const property = /^(prim|material):(\/[^.]*)\.(.+)$/.exec(written);
	if (property !== null)
		return { kind: 'property', of: property[1] as 'prim' | 'material', prim: property[2]!, property: property[3]! };
	const row = /^model:(\w+)\[(.+)\]$/.exec(written);
	if (row !== null) return { kind: 'model', array: row[1]!, row: row[2]! };
	if (written.startsWith('scene:')) {
		const steps = [...written.slice(6).matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map((step) =>
			step[2] === undefined ? step[1]! : Number(step[2]),
		);
		if (steps.length > 0) return { kind: 'scene', path: steps };
	}
	const expected = 'prim:/Path.property, material:/Path.property, model:array[label] or scene:field[0].name';
	return fail('SCN009', `path is '${written}', expected ${expected}`);
}
