import { ArticulatedDynamics, type Control, type Model, ModelBuilder, type State } from '@manyworlds/model';
import { afterAll, beforeAll, describe } from 'vitest';
import {
	CollisionPipeline,
	registerSapAttributes,
	SolverSap,
	type SolverSapOptions,
	WorldContacts,
} from '../src/index.ts';

/** What can step worlds. */
export const ENGINES = ['wasm', 'reference'] as const;

/** What steps the worlds of a {@link Runner} that is not told. */
let chosen: (typeof ENGINES)[number] = 'wasm';

/** Tests that hold for the engine and for the reference: each {@link Runner} in them is stepped by one, then by the other. */
export function describeEngines(name: string, tests: () => void): void {
	describe.each(ENGINES)(`${name}, stepped by %s:`, (engine) => {
		beforeAll(() => {
			chosen = engine;
		});
		afterAll(() => {
			chosen = 'wasm';
		});
		tests();
	});
}

/** A builder whose shapes take `sap:tau`, without gap. */
export function makeBuilder(gravity: readonly number[] = [0, 0, -9.81]): ModelBuilder {
	const builder = new ModelBuilder({ gravity, rigidGap: 0, defaultShapeConfig: { density: 0, gap: 0 } });
	registerSapAttributes(builder);
	return builder;
}

/** A model being stepped. */
export class Runner {
	readonly model: Model;
	#pipeline: CollisionPipeline | undefined;
	readonly contacts: WorldContacts;
	readonly solver: SolverSap;
	readonly control: Control;
	state: State;
	next: State;
	steps = 0;
	/** Called after every step. */
	onStep: ((runner: Runner) => void) | undefined;

	constructor(builder: ModelBuilder, options: SolverSapOptions = {}, perWorld = 64) {
		this.model = builder.finalize({ keepInertia: true });
		this.contacts = new WorldContacts(this.model, { perWorld });
		this.solver = new SolverSap(this.model, { engine: chosen, ...options });
		this.control = this.model.createControl();
		this.state = this.model.createState();
		this.next = this.model.createState();
		this.place();
	}

	/** Made when it is first asked for: it takes margins and gaps as they are then. */
	get pipeline(): CollisionPipeline {
		return (this.#pipeline ??= new CollisionPipeline(this.model));
	}

	/** Body poses from joint coordinates. */
	place(): void {
		new ArticulatedDynamics(this.model).forwardKinematics(this.state);
	}

	step(dt: number | Float64Array, count = 1): void {
		for (let i = 0; i < count; i++) {
			this.pipeline.collide(this.state, this.contacts, this.solver.lookAhead(dt));
			this.solver.step(this.state, this.next, this.control, this.contacts, dt);
			[this.state, this.next] = [this.next, this.state];
			this.steps++;
			this.onStep?.(this);
		}
	}

	/** Sum of the forces of all contacts on the shapes that come second [N]. */
	contactForce(): [number, number, number] {
		const sum: [number, number, number] = [0, 0, 0];
		for (let row = 0; row < this.contacts.rigidCount; row++) {
			for (let k = 0; k < 3; k++) sum[k] = sum[k]! - this.contacts.rigidForce![6 * row + k]!;
		}
		return sum;
	}
}

/** Contact material of a shape. */
export interface Material {
	readonly ke: number;
	readonly tau: number;
	readonly mu: number;
}

/** Options of a shape of this material. */
export function ofMaterial({ ke, tau, mu }: Material): {
	config: { ke: number; mu: number; density: number };
	attributes: { 'sap:tau': number };
} {
	return { config: { ke, mu, density: 0 }, attributes: { 'sap:tau': tau } };
}

/** Inertia of a box of full lengths, row by row. */
export function boxInertia(mass: number, a: number, b: number, c: number): number[] {
	const k = mass / 12;
	return [k * (b * b + c * c), 0, 0, 0, k * (a * a + c * c), 0, 0, 0, k * (a * a + b * b)];
}

/** A free box with its centre at a height; a quaternion may be given. */
export function addBox(
	builder: ModelBuilder,
	half: readonly [number, number, number],
	mass: number,
	p: readonly number[],
	material: Material,
	q: readonly number[] = [0, 0, 0, 1],
): number {
	const inertia = boxInertia(mass, 2 * half[0], 2 * half[1], 2 * half[2]);
	const body = builder.addBody({ mass, inertia, xform: { p, q }, lockInertia: true });
	builder.addShapeBox(body, { halfExtents: half, ...ofMaterial(material) });
	return body;
}

/** A free ball. */
export function addBall(
	builder: ModelBuilder,
	radius: number,
	mass: number,
	p: readonly number[],
	material: Material,
): number {
	const i = 0.4 * mass * radius * radius;
	const body = builder.addBody({ mass, inertia: [i, 0, 0, 0, i, 0, 0, 0, i], xform: { p }, lockInertia: true });
	builder.addShapeSphere(body, { radius, ...ofMaterial(material) });
	return body;
}

/** Everything that moves in a world: coordinates and velocities of its joints and bodies. */
export function worldState(
	{ model, state }: { readonly model: Model; readonly state: State },
	world: number,
): number[] {
	const q = model.worlds.range('jointCoord', world);
	const d = model.worlds.range('jointDof', world);
	const b = model.worlds.range('body', world);
	return [
		...state.jointQ.subarray(q.start, q.end),
		...state.jointQd.subarray(d.start, d.end),
		...state.bodyQ.subarray(7 * b.start, 7 * b.end),
		...state.bodyQd.subarray(6 * b.start, 6 * b.end),
	];
}
