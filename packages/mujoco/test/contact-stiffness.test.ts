import { Contacts, type Model, ModelFlags, type State } from '@manyworlds/model';
import { CollisionPipeline } from '@manyworlds/sim';
import { WorldFault } from '@manyworlds/worlds';
import { describe, expect, test } from 'vitest';
import type { SolverMujoco } from '../src/index.ts';
import { doubleField, SolrefMode } from '../src/internal.ts';
import { compile, mujocoBuilder, run, withSolver } from './support.ts';

/** The same impedance at every depth, so that the force is the stiffness times the depth. */
const FLAT = [0.95, 0.95, 0.001, 0.5, 2];
const RADIUS = 0.1;
const GIVEN = { useMujocoContacts: false, iterations: 200, tolerance: 0 } as const;

interface Material {
	readonly ke?: number;
	readonly kd?: number;
	readonly mu?: number;
	readonly mode?: number;
	readonly solref?: readonly number[];
	readonly solimp?: readonly number[];
}

/** A sphere of a mass on a plane, both of one material. */
function sphereOnPlane(mass: number, material: Material = {}, plane: Material = material): Model {
	const builder = mujocoBuilder();
	const own = ({ ke = 2e4, kd = 200, mu = 1, mode = SolrefMode.FORCE_SPACE, solref, solimp = FLAT }: Material) => ({
		config: { ke, kd, mu, density: 0, gap: 0.01 },
		attributes: {
			'mujoco:solref_mode': mode,
			'mujoco:geom_solimp': solimp,
			...(solref === undefined ? {} : { 'mujoco:solref': solref }),
		},
	});
	const inertia = 0.4 * mass * RADIUS ** 2;
	const body = builder.addBody({
		mass,
		inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia],
		xform: [0, 0, RADIUS, 0, 0, 0, 1],
	});
	builder.addShapeSphere(body, { radius: RADIUS, ...own(material) });
	builder.addGroundPlane(own(plane));
	return builder.finalize();
}

/** Contacts that the pipeline of this project finds; `edit` may change them. */
function pipelineOf(
	model: Model,
	edit?: (contacts: Contacts) => void,
	withMaterial = false,
): (state: State) => Contacts {
	const pipeline = new CollisionPipeline(model);
	const found = pipeline.createContacts();
	const copy = new Contacts(model, { rigidCapacity: 8, withMaterial });
	return (state) => {
		pipeline.collide(state, found);
		if (edit === undefined) return found;
		copyContacts(found, copy);
		edit(copy);
		return copy;
	};
}

function copyContacts(from: Contacts, to: Contacts): void {
	to.clear();
	for (let row = 0; row < from.rigidCount; row++) {
		const at = to.nextRigid();
		for (const name of ['rigidShape0', 'rigidShape1', 'rigidMargin0', 'rigidMargin1'] as const)
			to[name][at] = from[name][row]!;
		for (const name of ['rigidPoint0', 'rigidPoint1', 'rigidOffset0', 'rigidOffset1', 'rigidNormal'] as const) {
			to[name].set(from[name].subarray(3 * row, 3 * row + 3), 3 * at);
		}
	}
}

/** How deep the sphere rests in the plane [m]. */
function restDepth(model: Model, options: object, contacts?: (state: State) => Contacts): number {
	return withSolver(
		model,
		(solver) => RADIUS - run(solver, 4000, 1e-3, contacts === undefined ? {} : { contacts }).bodyQ[2]!,
		options,
	);
}

/** Parameters of the first contact that the engine has. */
function firstContact(solver: SolverMujoco): { solref: number[]; solimp: number[]; friction: number[]; dim: number } {
	const list = solver.compiled.data.contact;
	const contact = list.get(0)!;
	const copy = {
		solref: [...(contact.solref as Float64Array)],
		solimp: [...(contact.solimp as Float64Array)],
		friction: [...(contact.friction as Float64Array)],
		dim: contact.dim,
	};
	contact.delete();
	list.delete();
	return copy;
}

/** The first contact after one step with given contacts. */
function contactAfterStep(
	model: Model,
	contacts = pipelineOf(model),
	options: object = {},
): ReturnType<typeof firstContact> {
	return withSolver(
		model,
		(solver) => {
			const state = model.createState();
			state.jointQ[2] = RADIUS - 1e-3;
			state.bodyQ[2] = RADIUS - 1e-3;
			run(solver, 1, 1e-3, { state, contacts });
			return firstContact(solver);
		},
		{ ...GIVEN, ...options },
	);
}

function expectNumbers(found: readonly number[], expected: readonly number[]): void {
	for (const [i, number] of expected.entries()) expect(found[i]! / number).toBeCloseTo(1, 12);
}

describe('shape stiffness with given contacts', () => {
	test.each([0.05, 1, 20])('a sphere of %d kg sinks by its weight / ke', (mass) => {
		const ke = 2e4;
		const model = sphereOnPlane(mass, { ke, kd: 2 * Math.sqrt((ke * mass) / (1 - 0.95)) });
		const depth = restDepth(model, GIVEN, pipelineOf(model));
		expect((depth * ke) / (mass * 9.81)).toBeCloseTo(1, 6);
	});

	test('the factor is the sum of both inverse weights times 1 - dmax', () => {
		const builder = mujocoBuilder();
		const masses = [0.5, 4];
		for (const [i, mass] of masses.entries()) {
			const inertia = 0.4 * mass * RADIUS ** 2;
			const body = builder.addBody({
				mass,
				inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia],
				xform: [0, 0, i * (2 * RADIUS - 1e-3), 0, 0, 0, 1],
			});
			builder.addShapeSphere(body, {
				radius: RADIUS,
				config: { ke: 5e3, kd: 50, density: 0 },
				attributes: { 'mujoco:solref_mode': SolrefMode.FORCE_SPACE },
			});
		}
		const model = builder.finalize();
		withSolver(
			model,
			(solver) => {
				run(solver, 1, 1e-3, { contacts: pipelineOf(model) });
				const weights = doubleField(solver.compiled.mj, 'body_invweight0');
				expectNumbers(
					[weights[2]!, weights[4]!],
					masses.map((mass) => 1 / mass),
				);
				const factor = (1 / 0.5 + 1 / 4) * (1 - 0.95);
				const [k, b] = [5e3 * factor, 50 * factor];
				expectNumbers(firstContact(solver).solref, [2 / b, (b / 2) * Math.sqrt(1 / k)]);
			},
			GIVEN,
		);
	});

	test('gains of two materials are blended by solmix', () => {
		const model = sphereOnPlane(1, { ke: 1000, kd: 10 }, { ke: 3000, kd: 50 });
		const factor = 1 - 0.95;
		const [k, b] = [2000 * factor, 30 * factor];
		expectNumbers(contactAfterStep(model).solref, [2 / b, (b / 2) * Math.sqrt(1 / k)]);
	});

	test('shapes of different modes are not scaled', () => {
		const model = sphereOnPlane(5, { ke: 1600, kd: 80 }, { ke: 1600, kd: 80, mode: SolrefMode.MJCF_DEFAULT });
		expectNumbers(contactAfterStep(model).solref, [2 / 80, 40 / Math.sqrt(1600)]);
	});

	test('an impedance of 1 leaves the material as it is', () => {
		const model = sphereOnPlane(5, { ke: 1600, kd: 80, solimp: [1, 1, 0.001, 0.5, 2] });
		expectNumbers(contactAfterStep(model).solref, [2 / 80, 40 / Math.sqrt(1600)]);
	});

	test('another mass changes the factor after it is told', () => {
		const model = sphereOnPlane(1, { ke: 5e3, kd: 50 });
		withSolver(
			model,
			(solver) => {
				model.bodyMass[0] = 4;
				solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES);
				const state = model.createState();
				state.jointQ[2] = RADIUS - 1e-3;
				state.bodyQ[2] = RADIUS - 1e-3;
				run(solver, 1, 1e-3, { state, contacts: pipelineOf(model) });
				const factor = (1 - 0.95) / 4;
				expectNumbers(firstContact(solver).solref, [
					2 / (50 * factor),
					((50 * factor) / 2) * Math.sqrt(1 / (5e3 * factor)),
				]);
			},
			GIVEN,
		);
	});

	test('a contact too stiff for the step stays finite', () => {
		const model = sphereOnPlane(0.05, { ke: 1e7, kd: 100 });
		withSolver(
			model,
			(solver) => {
				const end = run(solver, 200, 1 / 60, { contacts: pipelineOf(model) });
				expect(Math.abs(end.jointQd[2]!)).toBeLessThan(1e3);
				expect(solver.outcome.fault).not.toContain(WorldFault.DIVERGED);
			},
			{ useMujocoContacts: false },
		);
	});
});

describe("modes of a shape's solref", () => {
	test('without a mode the gains are taken as they are: 2 / kd and kd / 2 / sqrt(ke)', () => {
		const model = sphereOnPlane(7, { ke: 1600, kd: 80, mode: SolrefMode.MJCF_DEFAULT });
		compile(model, ({ rows, codes }) => {
			expect(rows('geom_solref', 2)[1]).toEqual([2 / 80, 1]);
			expect(codes).not.toContain('MJC016');
		});
		// Newton's defaults are MuJoCo's
		compile(sphereOnPlane(1, { ke: 2500, kd: 100, mode: SolrefMode.MJCF_DEFAULT }), ({ rows }) => {
			expect(rows('geom_solref', 2)[1]).toEqual([0.02, 1]);
		});
	});

	test('raw numbers are forwarded and stay when the gains are edited', () => {
		const model = sphereOnPlane(1, { mode: SolrefMode.RAW, solref: [0.013, 0.8] });
		withSolver(model, (solver) => {
			const solref = (): number[] => [...doubleField(solver.compiled.mj, 'geom_solref')];
			expect(solref()).toEqual([0.013, 0.8, 0.013, 0.8]);
			model.shapeMaterialKe.fill(1e5);
			solver.notifyModelChanged(ModelFlags.SHAPE_PROPERTIES);
			expect(solref()).toEqual([0.013, 0.8, 0.013, 0.8]);
		});
	});

	test("with MuJoCo's contacts force space falls back to the plain gains, which is told", () => {
		const model = sphereOnPlane(7, { ke: 1600, kd: 80 });
		compile(model, ({ rows, codes }) => {
			expect(rows('geom_solref', 2)[1]).toEqual([2 / 80, 1]);
			expect(codes).toContain('MJC016');
		});
		compile(model, ({ codes }) => expect(codes).not.toContain('MJC016'), { useMujocoContacts: false });
	});

	test.each([0.05, 1, 20])("with MuJoCo's contacts the depth is g (1 - d) / ke whatever the mass (%d kg)", (mass) => {
		const model = sphereOnPlane(mass, { ke: 100, kd: 20, mode: SolrefMode.MJCF_DEFAULT });
		const depth = restDepth(model, { iterations: 200, tolerance: 0 });
		expect((depth * 100) / (9.81 * (1 - 0.95))).toBeCloseTo(1, 4);
	});
});

describe('stiffness, damping and friction of single contacts', () => {
	test.each([0.1, 3])('a contact of its own stiffness gives way by weight / stiffness (%d kg)', (mass) => {
		const stiffness = 5e3;
		const model = sphereOnPlane(mass, { ke: 1e5, kd: 1e3, mode: SolrefMode.MJCF_DEFAULT });
		const contacts = pipelineOf(model, (own) => own.rigidStiffness!.fill(stiffness, 0, own.rigidCount), true);
		expect((restDepth(model, GIVEN, contacts) * stiffness) / (mass * 9.81)).toBeCloseTo(1, 6);
	});

	test('its solimp is flat, its solref in force space; without damping it is critically damped', () => {
		const model = sphereOnPlane(2, { ke: 1e5, kd: 1e3, solimp: [0.8, 0.9, 0.01, 0.5, 2] });
		const of = (damping: number, options = {}): ReturnType<typeof firstContact> =>
			contactAfterStep(
				model,
				pipelineOf(
					model,
					(own) => {
						own.rigidStiffness!.fill(4e3, 0, own.rigidCount);
						own.rigidDamping!.fill(damping, 0, own.rigidCount);
					},
					true,
				),
				options,
			);
		const factor = (1 - 0.9) / 2;
		expect(of(0).solimp).toEqual([0.9, 0.9, 0.001, 1, 0.5]);
		expectNumbers(of(0).solref, [1 / Math.sqrt(4e3 * factor), 1]);
		expectNumbers(of(60).solref, [2 / (60 * factor), ((60 * factor) / 2) * Math.sqrt(1 / (4e3 * factor))]);
		// Newton 1.6.1 leaves the masses out
		expectNumbers(of(0, { newtonCompat: true }).solref, [1 / Math.sqrt(4e3 * 0.1), 1]);
		expectNumbers(of(60, { newtonCompat: true }).solref, [2 / 60, 30 / Math.sqrt(4e3 * 0.1)]);
	});

	test('the factor of friction multiplies the sliding coefficients only', () => {
		const model = sphereOnPlane(1, { mu: 0.4 });
		const scaled = contactAfterStep(
			model,
			pipelineOf(model, (own) => own.rigidFriction!.fill(0.5, 0, own.rigidCount), true),
		);
		expectNumbers(scaled.friction, [0.2, 0.2, 0.005, 1e-4, 1e-4]);
		expectNumbers(contactAfterStep(model).friction, [0.4, 0.4, 0.005, 1e-4, 1e-4]);
	});

	test('0 leaves the materials, and clearing sets back to it', () => {
		const model = sphereOnPlane(1);
		const contacts = pipelineOf(model, () => undefined, true);
		expect(contactAfterStep(model, contacts)).toEqual(contactAfterStep(model));
		const own = new Contacts(model, { rigidCapacity: 4, withMaterial: true });
		own.nextRigid();
		own.rigidStiffness![0] = 5;
		own.clear();
		expect([...own.rigidStiffness!]).toEqual([0, 0, 0, 0]);
	});
});
