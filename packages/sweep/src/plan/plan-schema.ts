import {
	choice,
	flag,
	found,
	isMapping,
	leaf,
	mapping,
	maybe,
	numberFrom,
	optional,
	orList,
	positive,
	text,
	toNumber,
	toWhole,
	whole,
} from '@manyworlds/scene/internal';
import * as z from 'zod';
import type { SamplerSpec } from '../sample/parameter.ts';
import { parameterSchema, type RawParameter } from './parameter-schema.ts';
import type { MetricKind } from './plan.ts';
import { samplerSchema } from './sampler-schema.ts';

/** A plan as it is written, checked part by part; what is not written is undefined. */
export interface RawPlan {
	readonly name: string;
	readonly task: 'simulate' | 'check' | undefined;
	readonly asset: string | undefined;
	readonly scene: string | undefined;
	readonly assets: readonly string[] | undefined;
	readonly seed: number | undefined;
	readonly runs: { readonly sampler?: SamplerSpec | undefined; readonly repeats: number | undefined } | undefined;
	readonly parameters: Readonly<Record<string, RawParameter>> | undefined;
	readonly constraints: readonly string[] | undefined;
	readonly simulate: RawSimulation | undefined;
	readonly outputs:
		| {
				readonly metrics: Readonly<Record<string, RawMetric>> | undefined;
				readonly series: { readonly every: number; readonly quantities: readonly string[] } | undefined;
				readonly keep: { readonly series: { readonly when: string } | undefined } | undefined;
		  }
		| undefined;
	readonly check:
		| {
				readonly profile: string | undefined;
				readonly select: readonly string[] | undefined;
				readonly ignore: readonly string[] | undefined;
		  }
		| undefined;
	readonly stop: { readonly max_failures: number | undefined; readonly time_per_run: number | undefined } | undefined;
}

/** `simulate` of a plan. */
export interface RawSimulation {
	readonly duration: number | undefined;
	readonly control: string | undefined;
	readonly worlds_per_run: number | undefined;
	readonly solver: 'sap' | 'mujoco' | undefined;
	readonly dt: number | undefined;
	readonly ground: boolean | undefined;
	readonly floating: boolean | undefined;
	readonly keyframe: string | undefined;
	readonly height: number | undefined;
	readonly resolvers: readonly string[] | undefined;
	readonly noise: { readonly joint_q: number | undefined; readonly joint_qd: number | undefined } | undefined;
	readonly sample: number | undefined;
}

/** A metric without its name. */
export interface RawMetric {
	readonly kind: MetricKind;
	readonly expression: string;
}

/** Ways in which a metric makes one number of many. */
export const METRIC_KINDS: readonly MetricKind[] = [
	'last',
	'first',
	'min',
	'max',
	'mean',
	'rms',
	'max_abs',
	'integral',
	'any',
	'all',
	'first_time',
];

/** A time in seconds, or with a unit: `90`, `60s`, `500ms`, `2min`, `1h`. */
const time = (description: string): z.ZodType<number> =>
	leaf(
		(value, fail) => {
			const match = typeof value === 'string' ? /^\s*([\d.]+(?:[eE][+-]?\d+)?)\s*(ms|s|min|h)\s*$/.exec(value) : null;
			const factor = { ms: 0.001, s: 1, min: 60, h: 3600 }[match?.[2] ?? 's']!;
			const seconds = match === null ? toNumber(value, fail, 'a time such as 60s') : factor * Number(match[1]);
			if (seconds === undefined || seconds > 0) return seconds;
			return fail('SCN008', `is ${seconds} s, expected a time above 0`);
		},
		{ type: ['number', 'string'], description },
	);

/** A share such as `10%`, or a number of runs. */
const failures = leaf<number>(
	(value, fail) => {
		const share = typeof value === 'string' ? /^\s*([\d.]+)\s*%\s*$/.exec(value) : null;
		if (share === null) {
			const count = toWhole(value, fail);
			return count === undefined || count >= 1
				? count
				: fail('SCN008', `is ${count}, expected 1 or more, or a share such as 10%`);
		}
		const part = Number(share[1]) / 100;
		return part > 0 && part < 1 ? part : fail('SCN008', `is ${share[1]} %, expected more than 0 % and less than 100 %`);
	},
	{
		type: ['integer', 'string'],
		description: 'Failed runs at which the sweep ends: a number, or a share such as 10%.',
	},
);

/** A metric: one key that says how, with the expression. */
const metric = leaf<RawMetric>(
	(value, fail) => {
		const entries = isMapping(value) ? Object.entries(value) : [];
		if (entries.length !== 1)
			return fail('SCN006', `is ${found(value)}, expected one of ${orList(METRIC_KINDS)} with an expression`);
		const [kind, expression] = entries[0]!;
		if (!(METRIC_KINDS as readonly string[]).includes(kind))
			return fail('SCN009', `has '${kind}', expected ${orList(METRIC_KINDS)}`);
		if (typeof expression !== 'string')
			return fail('SCN006', `${kind} is ${found(expression)}, expected an expression`);
		return { kind: kind as MetricKind, expression };
	},
	{
		type: 'object',
		description: 'How one number is made of a quantity over time.',
		properties: Object.fromEntries(METRIC_KINDS.map((kind) => [kind, { type: 'string' }])),
		minProperties: 1,
		maxProperties: 1,
		additionalProperties: false,
	},
);

const textList = (description: string): z.ZodType<readonly string[]> =>
	leaf(
		(value, fail) =>
			Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
				? (value as string[])
				: fail('SCN006', `is ${found(value)}, expected a list of texts`),
		{ type: 'array', items: { type: 'string' }, minItems: 1, description },
	);

const record = <T>(schema: z.ZodType<T>): z.ZodType<Record<string, T>> =>
	z.record(z.string(), schema) as z.ZodType<Record<string, T>>;

const simulate = mapping({
	duration: maybe(time('Simulated time [s].')),
	control: maybe(text('File with joint targets to play back.', true)),
	worlds_per_run: maybe(whole('Worlds of a run, which differ by their noise.', 1, 4096)),
	solver: maybe(choice(['sap', 'mujoco'] as const, 'Solver.')),
	dt: maybe(positive('Time step [s].')),
	ground: maybe(flag('Whether a robot without a ground of its own stands on a plane.')),
	floating: maybe(flag('Whether the base of a robot floats where its format leaves that open.')),
	keyframe: maybe(text('State of an MJCF file to start from.', true)),
	height: maybe(numberFrom(-1e6, 'Height of floating bases over the origin [m].')),
	resolvers: maybe(textList('Schemas of OpenUSD that count, the first one most: newton, physx, mjc.')),
	noise: maybe(
		mapping({
			joint_q: maybe(numberFrom(0, 'Standard deviation of joint coordinates at the start [m, rad].')),
			joint_qd: maybe(numberFrom(0, 'Standard deviation of joint velocities at the start [m/s, rad/s].')),
		}),
	),
	sample: maybe(positive('Time between two looks of metrics [s]; every step unless given.')),
});

const outputs = mapping({
	metrics: maybe(record(metric)),
	series: maybe(
		mapping({
			every: positive('Time between two rows [s].'),
			quantities: textList(
				'Quantities to record: energy, contacts, position, velocity, body, or joint_q, joint_qd, body_q.',
			),
		}),
	),
	keep: maybe(mapping({ series: maybe(mapping({ when: text('Metric that must not be zero.', true) })) })),
});

/** Plans of sweeps. */
export const planSchema: z.ZodType<RawPlan> = mapping({
	version: leaf<1>((value, fail) => (value === 1 ? 1 : fail('SCN009', `is ${found(value)}, expected 1`)), {
		const: 1,
		description: 'Version of the format.',
	}),
	name: leaf<string>(
		(value, fail) =>
			typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)
				? value
				: fail('SCN009', `is ${found(value)}, expected a name of letters, digits, '.', '_' and '-'`),
		{
			type: 'string',
			pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
			description: 'Names the folder of results and the queue.',
		},
	),
	description: maybe(text('What the sweep is for.')),
	task: maybe(choice(['simulate', 'check'] as const, 'What a run is: a simulation, or the check of a file.')),
	asset: maybe(text('Robot: OpenUSD, URDF, MJCF or SDF.', true)),
	scene: maybe(text('Scene file.', true)),
	assets: maybe(textList('Files, folders and globs of `task: check`.')),
	seed: maybe(whole('Seed of all that is drawn.', 0)),
	runs: maybe(
		mapping({
			sampler: optional(samplerSchema),
			repeats: maybe(whole('Runs of each point with different noise.', 1, 1e6)),
		}),
	),
	parameters: maybe(record(parameterSchema)),
	constraints: maybe(textList('Expressions of parameters that every run satisfies.')),
	simulate: maybe(simulate),
	outputs: maybe(outputs),
	check: maybe(
		mapping({
			profile: maybe(text('Profile of the checker.', true)),
			select: maybe(textList('Rules to check.')),
			ignore: maybe(textList('Rules to leave out.')),
		}),
	),
	stop: maybe(mapping({ max_failures: maybe(failures), time_per_run: maybe(time('Longest time of a run.')) })),
});
