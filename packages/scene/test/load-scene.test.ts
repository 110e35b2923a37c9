import { createDiagnostic, Report } from '@manyworlds/core';
import { GeoType, JointType } from '@manyworlds/model';
import type { SceneLoadStep } from '@manyworlds/scene';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';
import { describe, expect, it } from 'vitest';
import { findings, load, loaded, twoBodies } from './support.ts';

const numbers = (values: ArrayLike<number> | undefined): number[] => Array.from(values ?? []);
const tau = (scene: ReturnType<typeof loaded>): number[] =>
	numbers(scene.model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array);

describe('the order of a load', () => {
	it('is that of the seed', () => {
		const steps: SceneLoadStep[] = [];
		const worlds: number[] = [];
		loaded(
			twoBodies({
				post_build: [{ op: 'scale_sphere_shapes' }, { op: 'scale_sphere_shapes' }],
				simulation: { num_worlds: 3 },
			}),
			{
				observe: (step, builder) => {
					steps.push(step);
					worlds.push(builder.worldCount);
				},
			},
		);
		expect(steps).toEqual([
			'defaults',
			'assets',
			'bodies',
			'joints',
			'articulations',
			'initial_joint_q',
			0,
			1,
			'replicate',
			'ground',
		]);
		expect(worlds).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 3, 3]);
	});

	it('copies edits to every world, and adds one ground for all', () => {
		const scene = loaded(
			twoBodies({
				simulation: { num_worlds: 3 },
				replicate: { spacing: [2, 0, 0] },
				post_build: [{ op: 'set_joint_targets', joint: 'hinge', ke: 5, kd: 1 }],
			}),
		);
		expect(scene.worldCount).toBe(3);
		expect(numbers(scene.model.jointTargetKe).filter((ke) => ke === 5)).toHaveLength(3);
		expect(scene.shapeLabels.filter((label) => label === 'floor')).toHaveLength(1);
		expect(numbers(scene.model.shapeWorld)).toEqual([0, 0, 1, 1, 2, 2, -1]);
		expect(numbers(scene.state.bodyQ).filter((_, i) => i % 14 === 0)).toEqual([-2, 0, 2]);
		expect(numbers(scene.model.jointXP).filter((_, i) => i % 14 === 7)).toEqual([-1, 1, 3]);
	});
});

it('adds to a report of the caller, whose errors refuse nothing', () => {
	const report = new Report();
	report.add(createDiagnostic('SCN050', 'error', 'another scene has no shape'));
	const result = load(twoBodies({ extra: 1 }), { report });
	expect(result.loaded).toBeDefined();
	expect(result.report).toBe(report);
	expect(report.counts).toMatchObject({ error: 1, warning: 1 });
});

describe('worlds', () => {
	it('are one by default, and global then', () => {
		const scene = loaded(twoBodies({ simulation: {} }));
		expect(scene.worldCount).toBe(1);
		expect(numbers(scene.model.bodyWorld)).toEqual([-1, -1]);
		expect(scene.settings).toMatchObject({ dt: 0.003, numWorlds: 1, maxRigidContact: undefined });
	});

	it('come from the caller, then simulation, then replicate', () => {
		const both = twoBodies({ simulation: { num_worlds: 2, max_rigid_contact: 8 }, replicate: { num_worlds: 5 } });
		expect(loaded(both, { numWorlds: 4 }).worldCount).toBe(4);
		expect(loaded(both).settings).toMatchObject({ numWorlds: 2, maxRigidContact: 8, rigidContactMax: 16 });
		expect(loaded(twoBodies({ simulation: {}, replicate: { num_worlds: 5 } })).worldCount).toBe(5);
	});

	it('are warned about when two keys disagree', () => {
		const result = load(twoBodies({ simulation: { num_worlds: 2 }, replicate: { num_worlds: 5 } }));
		expect(findings(result, ['warning'])).toEqual([
			expect.stringMatching(
				/^\d+:\d+ SCN011 replicate\.num_worlds is 5, but simulation\.num_worlds is 2, which is followed$/,
			),
		]);
	});

	it('stand in a centred grid of the given spacing', () => {
		const text = twoBodies({ simulation: { num_worlds: 5 }, replicate: { spacing: [2, 2, 0] } });
		const places = (scene: ReturnType<typeof loaded>): string[] =>
			Array.from({ length: 5 }, (_, world) =>
				numbers(scene.state.bodyQ.subarray(14 * world, 14 * world + 2)).join(' '),
			);
		expect(places(loaded(text))).toEqual(['-2 -1', '0 -1', '2 -1', '-2 1', '0 1']);
		expect(places(loaded(text, { spacing: [1, 0, 0] }))).toEqual(['-2 0', '-1 0', '0 0', '1 0', '2 0']);
	});
});

describe('builder defaults', () => {
	it('reach shapes and joints', () => {
		const { model } = loaded(
			twoBodies({
				builder: {
					gravity: -1.62,
					rigid_gap: 0.01,
					defaults: { joint: { limit_ke: 7, friction: 0.1 }, shape: { density: 500, mu: 0.3 } },
				},
			}),
		);
		expect(numbers(model.gravity)).toEqual([0, 0, -1.62]);
		expect(numbers(model.shapeGap)).toEqual([0.01, 0.01, 0.01]);
		expect(numbers(model.shapeMaterialMu)).toEqual([0.3, 0.3, 0.3]);
		expect(model.bodyMass[0]).toBeCloseTo(4, 12);
		expect(model.jointLimitKe[6]).toBe(7);
		expect(model.jointFriction[6]).toBe(0.1);
		// free joints ignore them
		expect(numbers(model.jointLimitKe).slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
	});

	it('add default_body_armature to the inertia of bodies', () => {
		const without = loaded(twoBodies()).model.bodyInertia;
		const { model } = loaded(
			twoBodies({ builder: { default_body_armature: 0.5, defaults: { shape: { tau: 0.02 } } } }),
		);
		for (let k = 0; k < 3; k++) expect(model.bodyInertia[4 * k]! - without[4 * k]!).toBeCloseTo(0.5, 12);
		expect(numbers(model.jointArmature)).toEqual([0, 0, 0, 0, 0, 0, 0]);
	});

	it('take the bare gap of 10 cm when nothing is given', () => {
		expect(numbers(loaded(twoBodies({ builder: {} })).model.shapeGap)).toEqual([0.1, 0.1, 0.1]);
	});
});

describe('settings of shapes', () => {
	it('come from defaults, physics, shape and aliases of the body, the same of the shape, then cfg', () => {
		const layers = (shape: object, body: object = {}): number =>
			loaded(
				twoBodies({
					builder: { defaults: { shape: { mu: 0.1 } } },
					bodies: [{ id: 'box', shapes: [shape], ...body }, { id: 'arm' }],
				}),
			).model.shapeMaterialMu[0]!;
		expect(layers({})).toBe(0.1);
		expect(layers({}, { physics: { mu: 0.2 } })).toBe(0.2);
		expect(layers({}, { physics: { mu: 0.2 }, shape: { mu: 0.3 } })).toBe(0.3);
		expect(layers({}, { physics: { mu: 0.2 }, shape: { mu: 0.3 }, shape_mu: 0.4 })).toBe(0.4);
		expect(layers({ physics: { mu: 0.5 } }, { mu: 0.4 })).toBe(0.5);
		expect(layers({ physics: { mu: 0.5 }, shape: { mu: 0.6 } }, { mu: 0.4 })).toBe(0.6);
		expect(layers({ mu: 0.7, shape: { mu: 0.6 } }, { mu: 0.4 })).toBe(0.7);
		expect(layers({ mu: 0.7, cfg: { mu: 0.8 } }, { mu: 0.4 })).toBe(0.8);
	});

	it.each([
		['margin', ['contact_margin', 'shape_margin', 'margin'], 'shapeMargin'],
		['gap', ['shape_gap', 'gap'], 'shapeGap'],
		['mu', ['mu', 'shape_mu'], 'shapeMaterialMu'],
		['ke', ['ke', 'shape_ke'], 'shapeMaterialKe'],
	] as const)('%s has the names of the seed', (_, names, column) => {
		for (const name of names) {
			const { model } = loaded(
				twoBodies({ bodies: [{ id: 'box', shapes: [{ cfg: { [name]: 0.25 } }] }, { id: 'arm' }] }),
			);
			expect(model[column][0]).toBe(0.25);
		}
	});

	it('tau has the names of the seed and is not computed from anything', () => {
		for (const name of ['tau', 'shape_tau', 'relaxation_time']) {
			expect(tau(loaded(twoBodies({ ground: { cfg: { [name]: 0.25 } } })))).toEqual([0.02, 0.02, 0.25]);
		}
		expect(tau(loaded(twoBodies({ builder: {} })))).toEqual([0.01, 0.01, 0.01]);
	});

	it('make sites that neither collide nor weigh', () => {
		const { model } = loaded(
			twoBodies({ bodies: [{ id: 'box', mass: 1, shapes: [{ cfg: { is_site: true } }] }, { id: 'arm' }] }),
		);
		expect(model.shapeFlags[0]).toBe(9);
		expect(model.bodyMass[0]).toBe(1);
		expect(model.shapeCollisionGroup[0]).toBe(0);
	});

	it('take bits for flags', () => {
		expect(loaded(twoBodies({ ground: { cfg: { flags: 1 } } })).model.shapeFlags[2]).toBe(1);
	});
});

describe('inline shapes', () => {
	it('have the sizes and defaults of the seed', () => {
		const types = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'ellipsoid'];
		const { model } = loaded(
			twoBodies({ ground: false, bodies: [{ id: 'box', shapes: types.map((type) => ({ type })) }, { id: 'arm' }] }),
		);
		expect(numbers(model.shapeType)).toEqual([
			GeoType.BOX,
			GeoType.SPHERE,
			GeoType.CAPSULE,
			GeoType.CYLINDER,
			GeoType.CONE,
			GeoType.ELLIPSOID,
		]);
		expect(numbers(model.shapeScale)).toEqual([0.5, 0.5, 0.5, 1, 0, 0, 1, 0.5, 0, 1, 0.5, 0, 1, 0.5, 0, 1, 0.75, 0.5]);
	});

	const OBJ = 'v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

	it('read meshes beside the scene, scaled and put into order', () => {
		const shape = { type: 'mesh', path: 'meshes/tetra.obj', mesh_scale: [1, 1, 2], axis_order: [2, 0, 1] };
		const text = twoBodies({ bodies: [{ id: 'box', shapes: [shape] }, { id: 'arm' }] });
		const { model } = loaded(text, { file: 'scenes/a.yaml', files: { 'scenes/meshes/tetra.obj': OBJ } });
		expect(model.shapeType[0]).toBe(GeoType.MESH);
		expect(numbers(model.shapeCollisionAabbUpper).slice(0, 3)).toEqual([6, 1, 2]);
		// a sixth of the product of the edges
		expect(model.bodyMass[0]).toBeCloseTo(2000, 9);
	});

	it('turn triangles by face_order', () => {
		const shape = { type: 'mesh', path: 'tetra.obj', scale: 1, face_order: [0, 2, 1] };
		const { model } = loaded(twoBodies({ bodies: [{ id: 'box', shapes: [shape] }, { id: 'arm' }] }), {
			files: { 'tetra.obj': OBJ },
		});
		const source = model.shapeSources[0];
		expect(
			source !== null && source !== undefined && 'indices' in source ? numbers(source.indices).slice(0, 3) : [],
		).toEqual([0, 1, 2]);
	});

	it('take the first mesh of a URDF file in the frame of its link', () => {
		const urdf = `<robot name="r"><link name="a"><collision><origin xyz="0 0 5"/><geometry><mesh filename="tetra.obj"/></geometry></collision></link></robot>`;
		const shape = { type: 'mesh', path: 'r.urdf' };
		const { model } = loaded(twoBodies({ bodies: [{ id: 'box', shapes: [shape] }, { id: 'arm' }] }), {
			files: { 'tetra.obj': OBJ, 'r.urdf': urdf },
		});
		expect(numbers(model.shapeCollisionAabbLower).slice(0, 3)).toEqual([0, 0, 5]);
	});

	it('say which mesh cannot be used', () => {
		const bodies = (path: string): string =>
			twoBodies({ bodies: [{ id: 'box', shapes: [{ type: 'mesh', path }] }, { id: 'arm' }] });
		expect(findings(load(bodies('absent.obj')))[0]).toContain(
			"SCN034 bodies[0].shapes[0].path is 'absent.obj', which cannot be used: it does not exist",
		);
		expect(findings(load(bodies('../../etc/passwd')))[0]).toContain('SCN034');
		expect(
			findings(load(twoBodies({ bodies: [{ id: 'box', shapes: [{ type: 'mesh' }] }, { id: 'arm' }] })))[0],
		).toContain('SCN010 bodies[0].shapes[0].path is missing');
	});

	it('take colours up to 1 or up to 255', () => {
		const bodies = (color: number[]): string =>
			twoBodies({ bodies: [{ id: 'box', shapes: [{ color }] }, { id: 'arm' }] });
		expect(numbers(loaded(bodies([255, 0, 51])).model.shapeColor).slice(0, 3)).toEqual([1, 0, 0.2]);
		expect(numbers(loaded(bodies([1, 0, 0.2])).model.shapeColor).slice(0, 3)).toEqual([1, 0, 0.2]);
	});
});

describe('transforms', () => {
	const pose = (transform: unknown): number[] =>
		numbers(loaded(twoBodies({ bodies: [{ id: 'box', transform, shapes: [{}] }, { id: 'arm' }] })).state.bodyQ).slice(
			0,
			7,
		);

	it.each([
		['identity', [0, 0, 0, 0, 0, 0, 1]],
		[{ p: [1, 2, 3] }, [1, 2, 3, 0, 0, 0, 1]],
		[{ p: ['1/2', 'pi', '-1'], q: 'identity' }, [0.5, Math.PI, -1, 0, 0, 0, 1]],
		[{ q: [0, 0, 1, 0] }, [0, 0, 0, 0, 0, 1, 0]],
		[{ q: { axis_angle: { axis: [0, 0, 2], angle: 'pi' } } }, [0, 0, 0, 0, 0, 1, 0]],
		[{ q: null }, [0, 0, 0, 0, 0, 0, 1]],
		[null, [0, 0, 0, 0, 0, 0, 1]],
	])('%j', (transform, expected) => {
		pose(transform).forEach((value, i) => {
			expect(value).toBeCloseTo(expected[i]!, 12);
		});
	});

	it('refuses what is no rotation', () => {
		const refusal = (transform: unknown): string =>
			findings(load(twoBodies({ bodies: [{ id: 'box', transform }, { id: 'arm' }] })))[0]!;
		expect(refusal({ q: [0, 0, 0, 2] })).toContain('SCN013 bodies[0].transform.q has the length 2');
		expect(refusal({ q: { axis_angle: { axis: [0, 0, 0], angle: 1 } } })).toContain('SCN013');
		expect(refusal({ q: { axis_angle: { axis: [0, 0, 1] } } })).toContain(
			'SCN010 bodies[0].transform.q.axis_angle.angle is missing',
		);
		expect(refusal('origin')).toContain('SCN006');
	});
});

describe('inline joints', () => {
	it('have the four types', () => {
		const { model } = loaded(
			twoBodies({
				bodies: ['a', 'b', 'c', 'd'].map((id) => ({ id, shapes: [{}] })),
				joints: ['fixed', 'revolute', 'prismatic', 'free'].map((type, i) => ({
					id: type,
					type,
					parent: i === 0 || i === 3 ? 'world' : 'abc'[i - 1],
					child: 'abcd'[i],
				})),
				articulations: [{ joints: ['fixed', 'revolute', 'prismatic'] }, { id: 'd', joints: ['free'] }],
			}),
		);
		expect(numbers(model.jointType)).toEqual([
			JointType.FIXED,
			JointType.REVOLUTE,
			JointType.PRISMATIC,
			JointType.FREE,
		]);
		expect(model.articulationCount).toBe(2);
	});

	it.each(['z', 'Z', 'axis.z', 2, '2', [0, 0, 3]])('take %j for the z axis', (axis) => {
		const joints = [
			{ id: 'box_free', type: 'free', child: 'box' },
			{ id: 'hinge', type: 'revolute', child: 'arm', axis },
		];
		expect(numbers(loaded(twoBodies({ joints })).model.jointAxis).slice(18)).toEqual([0, 0, 1]);
	});

	it('move no world', () => {
		const joints = [
			{ id: 'box_free', type: 'free', child: 'box' },
			{ id: 'hinge', type: 'revolute', parent: 'arm', child: 'world' },
		];
		expect(findings(load(twoBodies({ joints })))[0]).toContain('SCN024 joints[1].child is the world');
	});

	it('say what refers to nothing, with the name that was meant', () => {
		const joints = [
			{ id: 'box_free', type: 'free', child: 'boxx' },
			{ id: 'hinge', type: 'revolute', child: 9 },
		];
		expect(findings(load(twoBodies({ joints }))).map((line) => line.replace(/^\S+ /, ''))).toEqual([
			"SCN020 joints[0].child is 'boxx', which no inline body has as its id; did you mean 'box'?",
			'SCN020 joints[1].child is body 9, expected 0 to 1 or world',
		]);
		expect(findings(load(twoBodies({ articulations: [{ joints: ['hinges'] }] })))[0]).toContain(
			"SCN021 articulations[0].joints[0] is 'hinges', which no inline joint has as its id; did you mean 'hinge'?",
		);
	});

	it('keep limits in order', () => {
		const joints = [
			{ id: 'box_free', type: 'free', child: 'box' },
			{ id: 'hinge', type: 'revolute', child: 'arm', limit_lower: 1, limit_upper: -1 },
		];
		expect(findings(load(twoBodies({ joints })))[0]).toContain(
			'SCN008 joints[1].limit_lower leads to the limits 1 to -1',
		);
	});

	it('filter bodies that they connect, unless told otherwise', () => {
		const text = (filter?: boolean): string =>
			twoBodies({
				joints: [
					{ id: 'box_free', type: 'free', child: 'box' },
					{
						id: 'hinge',
						type: 'revolute',
						parent: 'box',
						child: 'arm',
						...(filter === undefined ? {} : { collision_filter_parent: filter }),
					},
				],
				articulations: [{ joints: ['box_free', 'hinge'] }],
			});
		expect(loaded(text()).model.shapeContactPairs).toHaveLength(4);
		expect(loaded(text(false)).model.shapeContactPairs).toHaveLength(6);
	});

	it('are in the order of their list, whatever the order of articulations', () => {
		const scene = loaded(
			twoBodies({
				articulations: [
					{ id: 'b', joints: ['hinge'] },
					{ id: 'a', joints: ['box_free'] },
				],
			}),
		);
		expect(scene.model.labels('articulation')).toEqual(['a', 'b']);
	});

	it('warn of joints in no articulation, and of scenes that cannot move', () => {
		expect(findings(load(twoBodies({ articulations: [{ joints: ['box_free'] }] })), ['warning'])[0]).toContain(
			"SCN062 joints[1].id is 'hinge'",
		);
		const still = load(twoBodies({ joints: [], articulations: [] }));
		expect(findings(still, ['warning']).join()).toContain('SCN063');
	});
});

describe('initial coordinates', () => {
	it('are set by joint and offset or by index, before the poses of bodies', () => {
		const scene = loaded(
			twoBodies({
				initial_joint_q: [
					{ joint: 'hinge', value: 'pi * 0.5' },
					{ joint_label: 'box_free', offset: 2, value: 1.25 },
					{ index: 0, value: 3 },
					{ index: -8, value: 4 },
				],
			}),
		);
		expect(numbers(scene.state.jointQ)).toEqual([4, 0, 1.25, 0, 0, 0, 1, Math.PI / 2]);
		expect(numbers(scene.state.bodyQ).slice(0, 3)).toEqual([4, 0, 1.25]);
		expect(scene.state.bodyQ[7 + 4]).toBeCloseTo(Math.SQRT1_2, 12);
	});

	it('stay inside of the joint', () => {
		const refusal = (entry: object): string =>
			findings(load(twoBodies({ initial_joint_q: [entry] })))[0]!.replace(/^\S+ /, '');
		expect(refusal({ joint: 'box_free', offset: 7, value: 1 })).toBe(
			"SCN040 initial_joint_q[0].offset is offset 7 of joint 'box_free', expected 0 to 6",
		);
		expect(refusal({ index: 99, value: 1 })).toBe('SCN040 initial_joint_q[0].index is 99, expected -8 to 7');
		expect(refusal({ joint: 'hinge' })).toBe('SCN010 initial_joint_q[0].value is missing');
		expect(refusal({ value: 1 })).toBe('SCN010 initial_joint_q[0] has neither index nor joint, expected one of them');
		expect(refusal({ joint: 'elbow', value: 1 })).toContain("SCN021 initial_joint_q[0].joint is 'elbow'");
	});
});

describe('the ground', () => {
	it('is there unless switched off', () => {
		for (const ground of [undefined, null, true, {}, { enabled: true }])
			expect(loaded(twoBodies({ ground })).shapeLabels[2]).toBe('ground_plane');
		for (const ground of [false, { enabled: false }]) expect(loaded(twoBodies({ ground })).shapeLabels).toHaveLength(2);
	});

	it('has a height, a label and settings', () => {
		const { model } = loaded(
			twoBodies({ ground: { height: -2, label: 'floor', cfg: { mu: 0.9, has_shape_collision: false } } }),
		);
		expect(model.shapeTransform[16]).toBe(-2);
		expect(model.shapeMaterialMu[2]).toBe(0.9);
		expect(model.shapeContactPairs).toHaveLength(2);
	});

	it('is the least that a scene has', () => {
		expect(findings(load('ground: false'))[0]).toContain('SCN050 the scene has no shape');
		expect(loaded('name: empty').model.shapeCount).toBe(1);
	});
});

describe('contact defaults', () => {
	const contact = (builder: object): number[][] => {
		const scene = { builder, bodies: [{ id: 'a', shapes: [{ type: 'sphere', radius: 0.1 }] }] };
		const { shapeMaterialKe, shapeGap } = loaded(JSON.stringify(scene)).model;
		return [numbers(shapeMaterialKe), numbers(shapeGap)];
	};

	it('are those of the seed unless a scene names others', () => {
		expect(contact({})).toEqual([
			[2500, 2500],
			[0.1, 0.1],
		]);
		expect(contact({ contact_defaults: 'firm' })).toEqual([
			[1e5, 1e5],
			[0.001, 0.001],
		]);
	});

	it('come after what the scene says itself', () => {
		const given = { contact_defaults: 'firm', rigid_gap: 0.002, defaults: { shape: { ke: 300 } } };
		expect(contact(given)).toEqual([
			[300, 300],
			[0.002, 0.002],
		]);
		expect(findings(load(JSON.stringify({ builder: { contact_defaults: 'soft' } })))[0]).toContain('SCN009');
	});
});

describe('the solver', () => {
	it('takes every option by the names of the seed', () => {
		const solver = {
			contact_preset_variant: 'approx-64',
			line_search_variant: 'Armijo-Decay',
			contact_tau_d: 0.1,
			max_iterations: 7,
			free_motion_solve_precision: 'f32',
			rho: 0.5,
		};
		expect(loaded(twoBodies({ simulation: { solver } })).settings.solver).toEqual({
			contactPresetVariant: 'approx64',
			lineSearchVariant: 'armijo_decay',
			contactTauD: 0.1,
			maxIterations: 7,
			freeMotionSolvePrecision: 'fp32',
			rho: 0.5,
		});
	});

	it('falls back to the tau of the builder defaults', () => {
		expect(loaded(twoBodies()).settings.solver).toEqual({ contactTauD: 0.02 });
	});

	it('says which options have no effect', () => {
		const result = load(twoBodies({ simulation: { solver: { block_size: 16, graph_conditional: true } } }));
		expect(findings(result, ['info']).map((line) => line.replace(/^\S+ /, ''))).toEqual([
			'SCN060 simulation.solver.block_size has no effect: the factorisation here follows the tree and has no blocks',
			'SCN060 simulation.solver.graph_conditional has no effect: there are no CUDA graphs here',
		]);
	});
});
