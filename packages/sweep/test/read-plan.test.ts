import { describe, expect, test } from 'vitest';
import { planJsonSchema } from '../src/plan/plan-json-schema.ts';
import { readPlan } from '../src/plan/read-plan.ts';

const FULL = `version: 1
name: friction-study
asset: robot.usda
seed: 42
runs:
  sampler: {kind: sobol, count: 4096, scramble: owen}
  repeats: 2
parameters:
  mu: {path: "material:/World/ground.physics:dynamicFriction", range: [0.2, 1.2]}
  mass_arm: {path: "prim:/Robot/arm.physics:mass", scale: {normal: {mean: 1, sd: 0.1, clip: [0.7, 1.3]}}}
  gripper: {variant: "/Robot{gripper}", choices: [parallel, suction]}
  solver: {option: solver, choices: [sap, mujoco]}
  dt: {option: dt, choices: [0.002, 1e-3]}
constraints: ["mu * mass_arm < 2"]
simulate: {duration: 5, control: control/walk.csv, worlds_per_run: 1, noise: {joint_q: 0.01}}
outputs:
  metrics: {final_height: {last: "position:/Robot/base.z"}, energy_drift: {max_abs: energy}, fell: {any: "position:/Robot/base.z < 0.2"}}
  series: {every: 0.02, quantities: [joint_q, contacts]}
  keep: {series: {when: fell}}
stop: {max_failures: 10%, time_per_run: 60s}
`;

/** Findings as `line:column code message`. */
function findings(text: string): string[] {
	return readPlan(text, { file: 'p.yaml' })
		.report.toArray()
		.map(({ code, message, range }) => `${range?.start.line ?? -1}:${range?.start.column} ${code} ${message}`);
}

const head = 'version: 1\nname: t\nasset: a.usda\n';

describe('plans', () => {
	test('the plan of the specification is read whole', () => {
		const { plan, report } = readPlan(FULL);
		expect(report.toArray()).toEqual([]);
		expect(plan).toMatchObject({
			name: 'friction-study',
			asset: 'robot.usda',
			isScene: false,
			seed: 42,
			sampler: { kind: 'sobol', count: 4096, scramble: 'owen' },
			repeats: 2,
			simulate: {
				duration: 5,
				control: 'control/walk.csv',
				worldsPerRun: 1,
				solver: 'sap',
				noise: { jointQ: 0.01, jointQd: 0 },
			},
			outputs: { keepSeriesWhen: 'fell', series: { every: 0.02, quantities: ['joint_q', 'contacts'] } },
			stop: { maxFailures: 0.1, timePerRun: 60 },
		});
		expect(
			plan!.parameters.map(({ name, target, apply, distribution }) => [name, target.kind, apply, distribution.kind]),
		).toEqual([
			['mu', 'property', 'set', 'uniform'],
			['mass_arm', 'property', 'scale', 'normal'],
			['gripper', 'variant', 'set', 'choice'],
			['solver', 'option', 'set', 'choice'],
			['dt', 'option', 'set', 'choice'],
		]);
		expect(plan!.parameters[4]!.distribution).toEqual({ kind: 'choice', values: [0.002, 0.001] });
	});

	test.each([
		['a: [', /SWP001/],
		['version: 2\nname: t\nasset: a\n', /^1:10 SWP009 version is 2, expected 1/],
		[
			`${head}parameters:\n  x: {option: dt, range: [2, 1]}\n`,
			/^5:6 SWP008 parameters.x range is \[2, 1\], which is empty/,
		],
		[`${head}parameters:\n  x: {option: dt, log_range: [0, 1]}\n`, /^5:6 SWP008 .*log_range begins at 0/],
		[`${head}parameters:\n  x: {option: dt, integer: [3, 1]}\n`, /SWP008 .*which is empty/],
		[`${head}parameters:\n  x: {option: dt}\n`, /SWP010 parameters.x says nothing about its values/],
		[`${head}parameters:\n  x: {range: [0, 1]}\n`, /SWP010 parameters.x changes nothing/],
		[
			`${head}parameters:\n  x: {path: "body.mass", range: [0, 1]}\n`,
			/SWP009 parameters.x path is 'body.mass', expected prim:/,
		],
		[`${head}parameters:\n  x: {variant: "/Robot", choices: [a]}\n`, /SWP009 .*such as \/Robot\{gripper\}/],
		[`${head}parameters:\n  x: {option: dt, choices: []}\n`, /SWP012 .*an empty list/],
		[`${head}parameters:\n  x: {option: dt, choices: [1, 2], weights: [1]}\n`, /SWP012 .*weights/],
		[`${head}parameters:\n  x: {option: dt, normal: {mean: 1, sd: 0}}\n`, /SWP008 .*normal.sd is 0/],
		[
			`${head}parameters:\n  x: {option: dt, range: [0, 1]}\n`,
			/^5:6 SWP030 parameters.x has no values that a grid could count/,
		],
		[
			`${head}parameters:\n  x: {option: dt, choices: [1]}\nruns: {sampler: {kind: sobol, count: 8, parameters: [y]}}\n`,
			/SWP030 the sampler draws 'y'/,
		],
		[`${head}runs: {sampler: {kind: spiral}}\n`, /^4:\d+ SWP009 runs.sampler is the text 'spiral', expected a sampler/],
		[`${head}runs: {sampler: {kind: random}}\n`, /SWP010 runs.sampler.count is missing/],
		[`${head}runs: {sampler: {kind: random, count: 0}}\n`, /SWP008 .*at least 1/],
		[`${head}runs: {sampler: {kind: sobol, count: 100}}\n`, /SWP026 the count is 100/],
		[`${head}runs: {repeats: 3}\n`, /^4:17 SWP027 runs.repeats is 3/],
		[`${head}constraints: ["mu < 2"]\n`, /^4:16 SWP024 constraints\[0\] names 'mu'/],
		[`${head}constraints: ["1 +"]\n`, /^4:19 SWP007 constraints\[0\] is '1 \+': found the end/],
		[`${head}constraints: ["1 + 1"]\n`, /SWP007 .*expected a comparison/],
		[`${head}outputs: {metrics: {a: {last: "energy <"}}}\n`, /SWP007 outputs.metrics.a/],
		[`${head}outputs: {metrics: {a: {any: "energy"}}}\n`, /SWP007 .*expected a comparison/],
		[`${head}outputs: {metrics: {a: {final: "energy"}}}\n`, /SWP009 outputs.metrics.a has 'final'/],
		[`${head}outputs: {keep: {series: {when: fell}}}\n`, /SWP024 .*'fell', which is no metric/],
		[`${head}stop: {max_failures: 200%}\n`, /SWP008 stop.max_failures is 200 %/],
		[`${head}stop: {time_per_run: soon}\n`, /SWP007 stop.time_per_run/],
		[`${head}durration: 3\n`, /^4:1 SWP005 the plan has an unknown key 'durration'/],
		['version: 1\nname: t\n', /SWP010 asset is missing/],
		['version: 1\nname: t\nasset: a\nscene: b\n', /SWP009 the plan has asset and scene/],
		['version: 1\nname: t\ntask: check\n', /SWP010 assets is missing/],
		[
			'version: 1\nname: t\ntask: check\nassets: [x]\nsimulate: {duration: 1}\n',
			/^5:\d+ SWP009 simulate is about simulations/,
		],
		['version: 1\nname: "a b"\nasset: a\n', /^2:7 SWP009 name is the text 'a b'/],
		[
			`${head}parameters:\n  x: {option: dt, choices: [1]}\nruns: {sampler: {kind: product, of: [{kind: grid, parameters: [x]}, {kind: list, rows: [{x: 1}]}]}}\n`,
			/SWP030 parameters.x is drawn by 2 samplers/,
		],
		[`${head}runs: {sampler: {kind: list, rows: [{x: 1}, {y: 1}]}}\n`, /SWP030/],
	])('%j is told where it is wrong', (text, expected) => {
		const found = findings(text);
		expect(
			found.some((line) => expected.test(line)),
			found.join('\n'),
		).toBe(true);
	});

	test('the schema for editors is made of the same parts', () => {
		const schema = planJsonSchema() as { properties: Record<string, unknown>; required: string[] };
		expect(Object.keys(schema.properties)).toEqual(
			expect.arrayContaining([
				'version',
				'name',
				'asset',
				'scene',
				'task',
				'runs',
				'parameters',
				'constraints',
				'simulate',
				'outputs',
				'stop',
			]),
		);
		expect(JSON.stringify(schema)).toContain('log_range');
	});
});
