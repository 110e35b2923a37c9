import { Report } from '@manyworlds/core';
import { importAsset } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import { ROBOT_DEFAULTS } from '@manyworlds/worlds';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { BatchRunner } from '../src/simulate/batch-runner.ts';
import { checkPlan } from '../src/simulate/check-plan.ts';
import { ModelMaker } from '../src/simulate/model-maker.ts';
import type { WorldRecipe } from '../src/simulate/world-recipe.ts';
import { assetOf, BOX_USDA, outcomesOf, planOf, runsOf, SOLVERS } from './plans.ts';

const METRICS = 'outputs: {metrics: {x: {last: "position:box.x"}, e: {first: energy}, c: {max: contacts}}}\n';
const values = async (text: string, asset = assetOf('box.usda')): Promise<Record<string, number>[]> =>
	(await outcomesOf(text, asset)).map(({ result }) => {
		expect(result.status, result.reason).toBe('ok');
		return result.metrics as Record<string, number>;
	});

describe('parameters reach the motion', () => {
	test('a property of a prim, set and scaled', async () => {
		const set = await values(
			`asset: a\nsimulate: {duration: 0.02}\nparameters: {m: {path: "prim:/Robot/box.physics:mass", choices: [2, 5]}}\n${METRICS}`,
		);
		expect(set[1]!['first(energy)']! / set[0]!['first(energy)']!).toBeCloseTo(2.5, 6);
		const scaled = await values(
			`asset: a\nsimulate: {duration: 0.02}\nparameters: {m: {path: "prim:/Robot/box.physics:mass", scale: {choices: [1, 2.5]}}}\n${METRICS}`,
		);
		expect(scaled).toEqual(set);
	});

	test('friction of a bound material: less of it, farther', async () => {
		const found = await values(
			`asset: a\nsimulate: {duration: 0.3}\nparameters: {mu: {path: "material:/Robot/box.physics:dynamicFriction", choices: [0.05, 1]}}\n${METRICS}`,
		);
		expect(found[0]!['last(position:box.x)']!).toBeGreaterThan(found[1]!['last(position:box.x)']! + 0.02);
	});

	test('a variant run equals the run of an asset saved with that selection', async () => {
		const plan = `asset: a\nsimulate: {duration: 0.1}\nparameters: {v: {variant: "/Robot{size}", choices: [small, heavy]}}\n${METRICS}`;
		const [small, heavy] = await outcomesOf(plan, assetOf('box.usda'));
		const saved = assetOf('box.usda', BOX_USDA.replace('string size = "small"', 'string size = "heavy"'));
		const [direct] = await outcomesOf(`asset: a\nsimulate: {duration: 0.1}\n${METRICS}`, saved);
		expect(heavy!.result.state).toBe(direct!.result.state);
		expect(heavy!.result.metrics).toEqual(direct!.result.metrics);
		expect(small!.result.metrics).not.toEqual(heavy!.result.metrics);
	});

	test.each([
		['physics:mass', 'prim:/Robot/box.physics:mass', '[2, 5, 2, 0, 7]'],
		['friction', 'material:/Robot/box.physics:dynamicFriction', '[0.05, 1, 0.05, 0.3]'],
		['the size of a collider', 'prim:/Robot/box/shape.size', '[0.2, 0.3, 0.2, 0.1]'],
		['whether a body is moved by hand', 'prim:/Robot/box.physics:kinematicEnabled', '[false, true, false]'],
		['whether a collider is one', 'prim:/Robot/box/shape.physics:collisionEnabled', '[true, false, true]'],
	])('%s: a run among others equals the run of an asset that was opened for it alone', async (_, path, choices) => {
		const text = `asset: a\nsimulate: {duration: 0.02}\nparameters: {p: {path: "${path}", choices: ${choices}}}\noutputs: {metrics: {e: {first: energy}}}\n`;
		const { plan } = planOf(text);
		const open = (): BatchRunner => new BatchRunner(plan, assetOf('box.usda'), { solvers: SOLVERS });
		const shared = open();
		const states = new Set<string>();
		for (const run of runsOf(plan)) {
			const [together] = await shared.run([run]);
			expect(together).toEqual((await open().run([run]))[0]);
			states.add(`${together!.result.status} ${together!.result.state}`);
		}
		expect(states.size).toBeGreaterThan(1);
	});

	test('rows of the model, of robots without properties', async () => {
		const found = await values(
			'asset: a\nsimulate: {duration: 0.2, ground: false}\nparameters: {m: {path: "model:body_mass[rod]", scale: {choices: [1, 3]}}, a: {path: "model:joint_armature[hinge]", choices: [0, 0.5]}, q: {path: "model:joint_q[hinge]", choices: [0.5]}}\noutputs: {metrics: {e: {first: energy}, q: {last: "joint_q:hinge"}}}\n',
			assetOf('pendulum.urdf'),
		);
		expect(found[2]!['first(energy)']! / found[0]!['first(energy)']!).toBeCloseTo(3, 6);
		// armature slows the swing
		expect(found[1]!['last(joint_q:hinge)']!).toBeGreaterThan(found[0]!['last(joint_q:hinge)']!);
	});

	test('fields of a scene, set and added to', async () => {
		const found = await values(
			'scene: ball.yaml\nsimulate: {duration: 0.1}\nparameters: {z: {path: "scene:bodies[0].transform.p[2]", add: {choices: [0, 1]}}, g: {path: "scene:builder.gravity", choices: [-9.81, -1.6]}}\noutputs: {metrics: {z: {last: "position:ball.z"}}}\n',
			assetOf(
				'ball.yaml',
				`builder: {gravity: -9.81}\n${'simulation: {dt: 0.002}\nground: {enabled: true}\nbodies: [{id: ball, transform: {p: [0, 0, 1]}, shapes: [{type: sphere, radius: 0.1}]}]\njoints: [{id: ball_free, type: free, child: ball}]\narticulations: [{joints: [ball_free]}]\n'}`,
			),
		);
		const z = found.map((metrics) => metrics['last(position:ball.z)']!);
		expect(z[0]!).toBeCloseTo(1 - 0.5 * 9.81 * 0.01, 2);
		expect(z[1]!).toBeCloseTo(1 - 0.5 * 1.6 * 0.01, 2);
		expect(z[2]! - z[0]!).toBeCloseTo(1, 9);
	});

	test('options: time step, duration and settings of SAP', async () => {
		const outcomes = await outcomesOf(
			`asset: a\nsimulate: {duration: 0.02}\nparameters: {s: {option: solver, choices: [sap]}, dt: {option: dt, choices: [0.002, 0.001]}}\n${METRICS}`,
			assetOf('box.usda'),
		);
		expect(outcomes.map(({ result }) => result.steps)).toEqual([10, 20]);
		expect(new Set(outcomes.map(({ result }) => result.state)).size).toBe(2);
		const taus = await values(
			`asset: a\nsimulate: {duration: 0.1}\nparameters: {d: {option: duration, choices: [0.1, 0.2]}, t: {option: contact_sigma, choices: [0.0001, 0.1]}}\n${METRICS}`,
		);
		expect(taus[0]).not.toEqual(taus[1]);
		expect(taus[0]).not.toEqual(taus[2]);
	});
});

describe('plans that do not fit their asset are refused before any run', () => {
	const check = async (text: string, asset = assetOf('box.usda')): Promise<string[]> => {
		const { plan, places } = planOf(text);
		const report = new Report();
		await checkPlan(plan, asset, places, report);
		return report.toArray().map(({ code, message, range }) => `${range?.start.line} ${code} ${message}`);
	};
	test.each([
		[
			'prim:/Robot/bx.physics:mass',
			'range: [1, 2], steps: 2',
			/^\d+ SWP020 parameters.x: there is no prim <\/Robot\/bx>/,
		],
		[
			'prim:/Robot/box.physics:mas',
			'range: [1, 2], steps: 2',
			/SWP020 parameters.x: <\/Robot\/box> has no attribute 'physics:mas'/,
		],
		['prim:/Robot/box.physics:velocity', 'range: [1, 2], steps: 2', /SWP022 parameters.x: .*holds float3/],
		['prim:/Robot/box.note', 'range: [1, 2], steps: 2', /SWP022 .*expected choices of texts/],
		['material:/Robot/box/shape.physics:mass', 'choices: [1]', /SWP020/],
		['model:body_mas[box]', 'choices: [1]', /SWP020 .*no array 'body_mas'.*did you mean 'body_mass'/],
		['model:body_mass[bx]', 'choices: [1]', /SWP020 .*no body has the label 'bx'/],
		['scene:bodies[0].mass', 'choices: [1]', /./],
	])('%s', async (path, spread, expected) => {
		if (path.startsWith('scene:')) {
			const found = await check(
				`scene: b\nparameters: {x: {path: "scene:bodies[3].transform", choices: [1]}}\n`,
				assetOf('ball.yaml'),
			);
			expect(found.join()).toMatch(/SWP020 .*the scene has no bodies\[3\]/);
			const unknown = await check(
				`scene: b\nparameters: {x: {path: "scene:simulation.dtt", choices: [1]}}\n`,
				assetOf('ball.yaml'),
			);
			expect(unknown.join()).toMatch(/SWP020/);
			return;
		}
		expect((await check(`asset: a\nparameters:\n  x: {path: "${path}", ${spread}}\n`)).join('\n')).toMatch(expected);
	});

	test('values that single runs are refused for are no fault of a plan, unless all are', async () => {
		const radius = (choices: string): string =>
			`scene: b\nparameters: {r: {path: "scene:bodies[0].shapes[0].radius", choices: [${choices}]}}\n`;
		expect(await check(radius('-1, 0.1'), assetOf('ball.yaml'))).toEqual([]);
		expect((await check(radius('-1, -2'), assetOf('ball.yaml'))).join()).toMatch(
			/^3 SWP025 the asset cannot be simulated/,
		);
	});

	test('variants, options, metrics, series and constraints', async () => {
		expect(await check('asset: a\nparameters: {v: {variant: "/Robot{size}", choices: [small, huge]}}\n')).toEqual([
			"4 SWP021 parameters.v: variant set 'size' of </Robot> has no variant 'huge', expected heavy, small",
		]);
		expect((await check('asset: a\nparameters: {v: {variant: "/Robot{colour}", choices: [red]}}\n')).join()).toMatch(
			/SWP021 .*no variant set 'colour'/,
		);
		expect((await check('asset: a\nparameters: {o: {option: speed, choices: [1]}}\n')).join()).toMatch(
			/SWP023 .*no option 'speed'/,
		);
		expect((await check('asset: a\noutputs: {metrics: {z: {last: "position:bx.z"}}}\n')).join()).toMatch(
			/SWP024 .*no body or joint has the label 'bx'/,
		);
		expect((await check('asset: a\noutputs: {metrics: {z: {last: "energi"}}}\n')).join()).toMatch(
			/SWP024 .*did you mean 'energy'/,
		);
		expect((await check('asset: a\noutputs: {series: {every: 0.1, quantities: [speed]}}\n')).join()).toMatch(
			/SWP024 .*unknown quantity 'speed'/,
		);
		expect(
			await check(
				'asset: a\nparameters: {m: {option: dt, choices: [0.001, 0.002]}}\nconstraints: ["m > 1", "m < 0"]\n',
			),
		).toEqual(['5 SWP031 of 2 runs none satisfies the constraints']);
		expect(
			(await check('asset: a\nparameters: {v: {variant: "/r{s}", choices: [a]}}\n', assetOf('pendulum.urdf'))).join(),
		).toMatch(/about OpenUSD/);
	});
});

describe('batches', () => {
	test('runs come to the same bits alone, together and in any order, with noise', async () => {
		const { plan } = planOf(
			`asset: a\nruns: {sampler: {kind: random, count: 7}, repeats: 2}\nsimulate: {duration: 0.1, noise: {joint_q: 0.1, joint_qd: 0.2}, worlds_per_run: 2}\nparameters: {m: {path: "model:body_mass[rod]", scale: {range: [0.5, 2]}}}\noutputs: {metrics: {q: {mean: "joint_q:hinge"}, e: {integral: kinetic}}, series: {every: 0.01, quantities: [joint_q]}}\n`,
		);
		const asset = assetOf('pendulum.urdf');
		const runs = runsOf(plan);
		const groups: number[] = [];
		const together = await new BatchRunner(plan, asset, {
			solvers: SOLVERS,
			onGroup: (group) => groups.push(group.length),
		}).run(runs);
		expect(groups).toEqual([14]);
		const backwards = await new BatchRunner(plan, asset, { solvers: SOLVERS }).run([...runs].reverse());
		expect([...backwards].reverse()).toEqual(together);
		const alone = await new BatchRunner(plan, asset, { solvers: SOLVERS }).run([runs[9]!]);
		expect(alone[0]).toEqual(together[9]);
		// noise differs between repeats, and the parameters do not
		expect(runs[2]!.values).toEqual(runs[3]!.values);
		expect(together[2]!.result.state).not.toBe(together[3]!.result.state);
		const bytes = together[0]!.series!;
		const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
		const rows = (await parquetReadObjects({ file })) as Record<string, number>[];
		expect(Object.keys(rows[0]!)).toEqual(['time', 'pendulum/hinge']);
		expect(rows.map(({ time }) => time)).toEqual(Array.from({ length: 11 }, (_, i) => expect.closeTo(i / 100, 9)));
		expect(new Set(rows.map((row) => row['pendulum/hinge'])).size).toBe(11);
		const [metadata] = parquetMetadata(file).key_value_metadata!;
		expect([metadata!.key, JSON.parse(metadata!.value!)]).toEqual([
			'manyworlds',
			{ version: 1, units: { time: 's', 'pendulum/hinge': 'rad' } },
		]);
	});

	test('a world that diverges is a result with its first bad step, and the others go on', async () => {
		const outcomes = await outcomesOf(
			'asset: a\nsimulate: {duration: 0.1}\nparameters: {v: {path: "model:joint_qd[hinge]", choices: [0, 2000000]}}\noutputs: {metrics: {e: {last: energy}}}\n',
			assetOf('pendulum.urdf'),
		);
		expect(outcomes.map(({ result }) => result.status)).toEqual(['ok', 'diverged']);
		expect(outcomes[1]!.result.reason).toMatch(/^step 1 \(0.002 s\): /);
		expect(outcomes[1]!.result.metrics).toEqual({});
	});

	test('a value that its asset does not take is refused with codes, and the others run', async () => {
		const outcomes = await outcomesOf(
			'scene: b\nsimulate: {duration: 0.02}\nparameters: {r: {path: "scene:bodies[0].shapes[0].radius", choices: [0.1, -1]}}\n',
			assetOf('ball.yaml'),
		);
		expect(outcomes.map(({ result }) => result.status)).toEqual(['ok', 'refused']);
		expect(outcomes[1]!.result.reason).toMatch(/SCN/);
	});

	test('control tables move joints by name', async () => {
		const asset = assetOf('pendulum.urdf');
		const text = 'time,hinge\n0,0\n0.05,1\n';
		const { MemoryStore } = await import('@manyworlds/usd');
		const { PENDULUM_URDF } = await import('./plans.ts');
		const store = new MemoryStore({ 'pendulum.urdf': PENDULUM_URDF, 'c.csv': text });
		const plan =
			'asset: a\nsimulate: {duration: 0.2}\nparameters: {k: {path: "model:joint_target_ke[hinge]", choices: [50]}, d: {path: "model:joint_target_kd[hinge]", choices: [5]}, m: {path: "model:joint_target_mode[hinge]", choices: [1]}}\noutputs: {metrics: {q: {last: "joint_q:hinge"}}}\n';
		const still = await outcomesOf(plan, asset);
		const moved = await outcomesOf(plan, { ...asset, store, control: store.identify('c.csv', '').identifier });
		expect(still[0]!.result.metrics['last(joint_q:hinge)']!).toBeCloseTo(0, 6);
		expect(moved[0]!.result.metrics['last(joint_q:hinge)']!).toBeGreaterThan(0.2);
	});
});

describe('metrics', () => {
	test('have their closed forms on a ball that falls', async () => {
		const kinds = ['last', 'first', 'min', 'max', 'mean', 'max_abs']
			.map((kind) => `${kind}: {${kind}: "velocity:ball.z"}`)
			.join(', ');
		const [metrics] = await values(
			`scene: b\nsimulate: {duration: 0.2}\noutputs: {metrics: {${kinds}, rms: {rms: time}, i: {integral: "velocity:ball.z"}, z: {last: "position:ball.z"}, any: {any: "velocity:ball.z < -1"}, all: {all: "velocity:ball.z > -1"}, t: {first_time: "velocity:ball.z < -0.981"}}}\n`,
			assetOf('ball.yaml'),
		);
		const at = (name: string): number => metrics![name]!;
		expect(at('last(velocity:ball.z)')).toBeCloseTo(-1.962, 6);
		expect(at('first(velocity:ball.z)')).toBe(0);
		expect(at('min(velocity:ball.z)')).toBe(at('last(velocity:ball.z)'));
		expect(at('max(velocity:ball.z)')).toBe(0);
		expect(at('max_abs(velocity:ball.z)')).toBe(-at('last(velocity:ball.z)'));
		expect(at('mean(velocity:ball.z)')).toBeCloseTo(-0.981, 6);
		expect(at('rms(time)')).toBeCloseTo(0.002 * Math.sqrt((100 * 201) / 6), 12);
		expect(at('integral(velocity:ball.z)')).toBeCloseTo(-0.5 * 9.81 * 0.04, 9);
		expect([at('any(velocity:ball.z < -1)'), at('all(velocity:ball.z > -1)')]).toEqual([1, 0]);
		expect(at('first_time(velocity:ball.z < -0.981)')).toBeCloseTo(0.102, 3);
	});
});

describe('point instancers', () => {
	const BOXES = `#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "World" (
    variants = {
        string crowd = "two"
    }
    prepend variantSets = "crowd"
)
{
    def PointInstancer "boxes"
    {
        rel prototypes = </World/boxes/box>

        def Xform "box" (
            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
        )
        {
            float physics:mass = 2

            def Cube "shape" (
                prepend apiSchemas = ["PhysicsCollisionAPI"]
            )
            {
                double size = 0.2
            }
        }
    }
    variantSet "crowd" = {
        "two" {
            over "boxes"
            {
                int[] protoIndices = [0, 0]
                point3f[] positions = [(0, 0, 0.5), (1, 0, 0.7)]
            }
        }
        "three" {
            over "boxes"
            {
                int[] protoIndices = [0, 0, 0]
                point3f[] positions = [(0, 0, 0.5), (1, 0, 0.7), (2, 0, 0.9)]
            }
        }
    }
}
`;
	const made = async (parameters: string): Promise<WorldRecipe[]> => {
		const { plan } = planOf(
			`asset: a\nsimulate: {duration: 0.02}\nparameters: {${parameters}}\noutputs: {metrics: {e: {first: energy}}}\n`,
		);
		const maker = new ModelMaker(plan, assetOf('box.usda', BOXES));
		const recipes: WorldRecipe[] = [];
		for (const { values } of runsOf(plan)) recipes.push(await maker.make(values));
		return recipes;
	};

	test('place what `run` places, in each variant', async () => {
		const [two, three] = await made('v: {variant: "/World{crowd}", choices: [two, three]}');
		const builder = new ModelBuilder({ contactDefaults: ROBOT_DEFAULTS.contactDefaults });
		const { store, identifier } = assetOf('box.usda', BOXES);
		const imported = importAsset(identifier, builder, { store });
		expect(imported.format).toBe('usd');
		const direct = builder.finalize();
		expect(two!.model.bodyLabels).toEqual(direct.bodyLabels);
		expect(two!.model.bodyMass).toEqual(direct.bodyMass);
		expect(two!.model.bodyQ).toEqual(direct.bodyQ);
		expect(three!.model.bodyLabels).toEqual([0, 1, 2].map((i) => `/World/boxes/instance_${i}`));
	});

	test('take the properties of their prototype, and each its own', async () => {
		const [first] = await made('m: {path: "prim:/World/boxes/box.physics:mass", choices: [5]}');
		expect([...first!.model.bodyMass]).toEqual([5, 5]);
		const [own] = await made('m: {path: "prim:/World/boxes/instance_1.physics:mass", choices: [7]}');
		expect([...own!.model.bodyMass]).toEqual([2, 7]);
	});
});
