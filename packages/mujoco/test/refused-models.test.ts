import { type Model, type ModelBuilder, ModelFlags } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertModel } from '../src/convert/convert-model.ts';
import { MujocoError } from '../src/index.ts';
import { compile, hinged, link, mujocoBuilder, run, UNIT_INERTIA, withSolver } from './support.ts';

/** What is thrown, which must be one of ours. */
function refusalOf(model: Model): MujocoError {
	try {
		withSolver(model, () => undefined);
	} catch (error) {
		expect(error).toBeInstanceOf(MujocoError);
		return error as MujocoError;
	}
	throw new Error('the model was not refused');
}

function robot(edit: (model: Model) => void, build: (builder: ModelBuilder) => void = () => undefined): Model {
	const builder = mujocoBuilder();
	hinged(builder, { label: 'hip', limitLower: -1, limitUpper: 1, targetKe: 1 }, { label: 'leg' });
	builder.addShapeSphere(0, { radius: 0.1, label: 'foot', config: { density: 0 } });
	build(builder);
	const model = builder.finalize({ skipValidation: true });
	edit(model);
	return model;
}

const FLAT = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2) };

describe('models that MuJoCo refuses', () => {
	test.each<[string, (model: Model) => void, string, RegExp]>([
		['no mass', (m) => void (m.bodyMass[0] = 0), 'body leg', /its mass is 0 kg/],
		['a negative mass', (m) => void (m.bodyMass[0] = -2), 'body leg', /is -2 kg, expected 0 or more/],
		['a mass that is no number', (m) => void (m.bodyMass[0] = Number.NaN), 'body leg', /is NaN kg/],
		['a bad inertia', (m) => m.bodyInertia.set([1, 0, 0, 0, 1, 0, 0, 0, 9]), 'body leg', /1, 1, 9 kg·m²/],
		['a negative inertia', (m) => m.bodyInertia.set([-1, 0, 0, 0, 1, 0, 0, 0, 1]), 'body leg', /-1, 1, 1/],
		['an inertia that is no number', (m) => void (m.bodyInertia[4] = Number.NaN), 'body leg', /'1 nan 1'/],
		['an infinite centre of mass', (m) => void (m.bodyCom[0] = Number.POSITIVE_INFINITY), 'body leg', /'inf 0 0'/],
		['limits the wrong way round', (m) => void (m.jointLimitLower[0] = 2), 'joint hip', /range/],
		['a negative effort limit', (m) => void (m.jointEffortLimit[0] = -1), 'joint hip', /actfrcrange/],
		['damping that is no number', (m) => void (m.jointDamping[0] = Number.NaN), 'joint hip', /damping.*'nan'/],
		['an axis of length zero', (m) => m.jointAxis.fill(0), 'joint hip', /axis/],
		['a size of zero', (m) => m.shapeScale.fill(0), 'shape foot', /no size/],
		['a negative size', (m) => m.shapeScale.set([-1, 0, 0]), 'shape foot', /size/],
		['friction that is no number', (m) => void (m.shapeMaterialMu[0] = Number.NaN), 'shape foot', /friction/],
		['a joint of an unknown type', (m) => void (m.jointType[0] = 42), 'joint hip', /type 42/],
		[
			'a child that does not exist',
			(m) => void (m.jointChild[0] = 7),
			'joint hip',
			/child.*is 7, expected one of the 1 bodies/,
		],
		['a parent that does not exist', (m) => void (m.jointParent[0] = -9), 'joint hip', /parent.*is -9/],
		['a shape of no body', (m) => void (m.shapeBody[0] = 9), 'shape foot', /body.*is 9/],
	])('%s is told with what it belongs to', (_, edit, subject, message) => {
		const error = refusalOf(robot(edit));
		expect(`${error.subject?.kind} ${error.subject?.label}`).toBe(subject);
		expect(error.message).toMatch(message);
		// nothing of the document that nobody has seen
		expect(error.message).not.toMatch(/\bline \d|Element/);
	});

	test.each<[string, (builder: ModelBuilder) => void, string, RegExp]>([
		['a cone', (b) => void b.addShapeCone(0, { label: 'hat' }), 'shape hat', /CONE/],
		['a flat mesh', (b) => void b.addShapeMesh(0, { mesh: FLAT, label: 'leaf' }), 'shape leaf', /flat/],
		['a plane on a body', (b) => void b.addShapePlane({ body: 0, label: 'wing' }), 'shape wing', /only on the world/],
		[
			'a muscle without a range',
			(b) =>
				void b.addRow('mujoco:actuator', {
					'mujoco:actuator_label': 'biceps',
					'mujoco:actuator_trnid': [0, -1],
					'mujoco:actuator_gaintype': 2,
				}),
			'actuator biceps',
			/range/,
		],
		[
			'a contact pair of five dimensions',
			(b) => {
				const other = b.addShapeSphere(-1, { radius: 0.1 });
				b.addRow('mujoco:pair', { 'mujoco:pair_geom1': 0, 'mujoco:pair_geom2': other, 'mujoco:pair_condim': 5 });
			},
			'pair undefined',
			/condim/,
		],
		[
			'a tendon with a range the wrong way round',
			(b) => {
				b.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': 0, 'mujoco:tendon_coef': 1 });
				b.addRow('mujoco:tendon', {
					'mujoco:tendon_label': 'cord',
					'mujoco:tendon_joint_num': 1,
					'mujoco:tendon_limited': 1,
					'mujoco:tendon_range': [2, 1],
				});
			},
			'tendon cord',
			/range|limit/,
		],
	])('%s is told with what it belongs to (built)', (_, build, subject, message) => {
		const error = refusalOf(robot(() => undefined, build));
		expect(`${error.subject?.kind} ${error.subject?.label}`).toBe(subject);
		expect(error.message).toMatch(message);
	});

	test('a mesh without vertices, as a missing file leaves it, is told by name', () => {
		const model = robot(
			() => undefined,
			(b) => void b.addShapeMesh(0, { mesh: FLAT, label: 'gone' }),
		);
		(model.shapeSources as (null | object)[])[1] = null;
		expect(refusalOf(model)).toMatchObject({ code: 'MJC005', subject: { kind: 'shape', label: 'gone' } });
	});

	test('a model without joints, and bodies without a way to the world, are told', () => {
		const lone = mujocoBuilder();
		lone.addShapeSphere(-1, { radius: 1 });
		expect(refusalOf(lone.finalize()).message).toMatch(/no joint/);
		const lost = robot(
			() => undefined,
			(b) => void b.addLink({ label: 'adrift', mass: 1, inertia: UNIT_INERTIA }),
		);
		expect(refusalOf(lost)).toMatchObject({ code: 'MJC001', subject: { kind: 'body', label: 'adrift' } });
		expect(refusalOf(lost).message).toContain("'adrift'");
	});

	test('the engine can be used after every refusal', () => {
		for (let i = 0; i < 20; i++) refusalOf(robot((m) => void (m.bodyMass[0] = 0)));
		withSolver(
			robot(() => undefined),
			(solver) => expect(Number.isFinite(run(solver, 10, 1e-3).jointQ[0]!)).toBe(true),
		);
	});

	test('an edit that MuJoCo cannot take is told, and the solver stays as it was', () => {
		const model = robot(() => undefined);
		withSolver(model, (solver) => {
			model.bodyInertia.set([1, 0, 0, 0, 1, 0, 0, 0, 9]);
			expect(() => solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES)).toThrow(MujocoError);
			model.bodyInertia.set(UNIT_INERTIA);
			solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES);
			expect(Number.isFinite(run(solver, 10, 1e-3).jointQ[0]!)).toBe(true);
		});
	});

	test('whatever one number of a model becomes, it is taken or refused by us', () => {
		const names = [
			...['bodyMass', 'bodyCom', 'bodyInertia', 'bodyQ', 'bodyFlags', 'jointType', 'jointParent', 'jointChild'],
			...['jointXP', 'jointXC', 'jointAxis', 'jointLimitLower', 'jointLimitUpper', 'jointLimitKe', 'jointTargetKe'],
			...['jointTargetMode', 'jointDamping', 'jointArmature', 'jointFriction', 'jointEffortLimit', 'jointQ', 'jointQd'],
			...['shapeType', 'shapeScale', 'shapeTransform', 'shapeBody', 'shapeFlags', 'shapeMaterialMu', 'shapeMaterialKe'],
			...['shapeMargin', 'shapeGap', 'shapeCollisionGroup', 'gravity'],
		] as const;
		const values = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e300, -1e300, 1e-320, 5, 1e10, 0.3, -7, 2 ** 31 - 1];
		fc.assert(
			fc.property(fc.constantFrom(...names), fc.nat(40), fc.constantFrom(...values), (name, at, value) => {
				const model = robot((own) => {
					const array = Reflect.get(own, name) as Float64Array | Int32Array;
					array[at % array.length] = value;
				});
				try {
					withSolver(model, (solver) => run(solver, 2, 1e-3));
				} catch (error) {
					expect(error).toBeInstanceOf(MujocoError);
					expect((error as MujocoError).message).not.toMatch(/\bline \d|Element/);
				}
			}),
			{ numRuns: 120 },
		);
	});
});

describe('labels of any text', () => {
	test.each(['a"b', "it's", 'x<y>&z', 'über/größe', 'tab\tnew\nline', ' ', '名前', '-', '1'])('%j', (label) => {
		const builder = mujocoBuilder();
		const body = link(builder, { label });
		builder.addArticulation([builder.addJointRevolute({ child: body, axis: 'x', label, targetKe: 1 })]);
		builder.addShapeSphere(body, { radius: 0.1, label });
		builder.addSite(body, { label });
		const model = builder.finalize();
		compile(model, ({ sizes }) =>
			expect([sizes.nbody, sizes.njnt, sizes.ngeom, sizes.nsite, sizes.nu]).toEqual([2, 1, 1, 1, 1]),
		);
		const { maps } = withSolver(model, (solver) => solver.compiled);
		expect([...maps.body, ...maps.geom, ...maps.site, ...maps.joint]).toEqual([-1, 0, 0, 1, 0]);
		expect(convertModel(model).report.toArray()).toEqual([]);
	});
});
