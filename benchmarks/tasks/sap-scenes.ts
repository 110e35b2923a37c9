import { existsSync, readFileSync } from 'node:fs';
import { importMjcf } from '@manyworlds/import';
import { ArticulatedDynamics, JointTargetMode, type Model, ModelBuilder, type State } from '@manyworlds/model';
import { CollisionPipeline, registerSapAttributes, SolverSap, type WorldContacts } from '@manyworlds/sim';

const G1 = new URL('../../../shared/assets/unitree_g1/g1_29dof_with_hand_rev_1_0.xml', import.meta.url);

/** Whether the file of the G1 is there. */
export const hasG1: boolean = existsSync(G1);

/** How a robot is driven: it stands, is pushed over, or collapses. */
export type Drive = 'stand' | 'push' | 'ragdoll';

/** A model being stepped, with counts of what happened. */
export class Scene {
	readonly model: Model;
	readonly dt: number;
	iterations = 0;
	contacts = 0;
	unconverged = 0;
	readonly #pipeline: CollisionPipeline;
	readonly #contacts: WorldContacts;
	readonly #solver: SolverSap;
	#state: State;
	#next: State;
	readonly #start: State;

	constructor(model: Model, dt: number, perWorld: number) {
		this.model = model;
		this.dt = dt;
		this.#pipeline = new CollisionPipeline(model);
		this.#contacts = this.#pipeline.createContacts({ perWorld });
		this.#solver = new SolverSap(model);
		this.#state = model.createState();
		this.#next = model.createState();
		new ArticulatedDynamics(model).forwardKinematics(this.#state);
		this.#start = model.createState();
		this.#start.assign(this.#state);
	}

	get state(): State {
		return this.#state;
	}

	/** Starts over. */
	reset(): void {
		this.#state.assign(this.#start);
		this.iterations = 0;
		this.contacts = 0;
		this.unconverged = 0;
	}

	/** Takes so many steps in every world. */
	run(steps: number): void {
		for (let i = 0; i < steps; i++) {
			this.#pipeline.collide(this.#state, this.#contacts);
			this.#solver.step(this.#state, this.#next, undefined, this.#contacts, this.dt);
			const state = this.#state;
			this.#state = this.#next;
			this.#next = state;
			const { iterations, contactCount, converged } = this.#solver.diagnostics;
			for (let world = 0; world < this.model.worldCount; world++) {
				this.iterations += iterations[world]!;
				this.contacts += contactCount[world]!;
				if (converged[world] === 0) this.unconverged++;
			}
		}
	}
}

/** The Unitree G1 with hands: 49 degrees of freedom, feet of spheres, on a plane. */
export function g1Scene(worlds: number, drive: Drive): Scene {
	const robot = newBuilder();
	importMjcf(readFileSync(G1, 'utf8'), robot, {
		baseFile: 'g1.xml',
		parseMeshes: false,
		enableSelfCollisions: false,
		ignoreNames: ['floor'],
	});
	const model = onPlane(robot, worlds);
	const dofs = model.jointDofCount / worlds;
	const coords = model.jointCoordCount / worlds;
	for (let dof = 0; dof < model.jointDofCount; dof++) {
		if (dof % dofs < 6) continue;
		model.jointTargetMode[dof] = JointTargetMode.POSITION;
		model.jointTargetKe[dof] = drive === 'ragdoll' ? 20 : 500;
		model.jointTargetKd[dof] = drive === 'ragdoll' ? 1 : 10;
		model.jointArmature[dof] = 0.01;
	}
	for (let world = 0; world < worlds; world++) {
		// the soles touch the ground
		model.jointQ[world * coords + 2] = drive === 'stand' ? 0.793 : 0.9;
		if (drive !== 'stand') model.jointQd[world * dofs] = 2;
	}
	return new Scene(model, 0.003, 48);
}

/** Boxes that fall into a pen. */
export function clutterScene(boxes: number): Scene {
	const builder = newBuilder();
	let seed = 7;
	const random = (): number => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed / 2 ** 32;
	};
	for (let i = 0; i < boxes; i++) {
		const angle = 6 * random();
		const q = [0.6 * Math.sin(angle / 2), 0.8 * Math.sin(angle / 2), 0, Math.cos(angle / 2)];
		const p = [0.5 * random() - 0.25, 0.5 * random() - 0.25, 0.3 + 0.16 * i];
		const body = builder.addBody({ xform: { p, q } });
		builder.addShapeBox(body, { halfExtents: [0.08, 0.06, 0.05] });
	}
	for (const [x, y] of [
		[1, 0],
		[-1, 0],
		[0, 1],
		[0, -1],
	] as const) {
		const halfExtents = [x === 0 ? 0.5 : 0.05, y === 0 ? 0.5 : 0.05, 1];
		builder.addShapeBox(-1, { halfExtents, xform: { p: [0.45 * x, 0.45 * y, 1] } });
	}
	return new Scene(onPlane(builder, 1), 0.005, 1024);
}

/** A chain of hinges that hangs on the world, driven softly. */
export function chainScene(links: number): Scene {
	const builder = newBuilder();
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < links; i++) {
		const child = builder.addLink({ mass: 1, com: [0.1, 0, 0], inertia: [1e-3, 0, 0, 0, 4e-3, 0, 0, 0, 4e-3] });
		joints.push(
			builder.addJointRevolute({
				parent,
				child,
				axis: i % 2 === 0 ? 'y' : 'z',
				parentXform: { p: parent < 0 ? [0, 0, 0] : [0.2, 0, 0] },
				targetKe: 5,
				targetKd: 0.5,
			}),
		);
		parent = child;
	}
	builder.addArticulation(joints);
	return new Scene(builder.finalize(), 0.003, 1);
}

function newBuilder(): ModelBuilder {
	const builder = new ModelBuilder({ rigidGap: 0.002, defaultShapeConfig: { ke: 1e6, mu: 0.75 } });
	registerSapAttributes(builder);
	return builder;
}

function onPlane(one: ModelBuilder, worlds: number): Model {
	const all = newBuilder();
	all.replicate(one, { count: worlds, spacing: [0, 0, 0] });
	all.addShapePlane({ width: 0, length: 0 });
	const model = all.finalize();
	model.shapeMaterialKe.fill(1e6);
	model.shapeMaterialMu.fill(0.75);
	model.shapeGap.fill(0.002);
	model.shapeMargin.fill(0);
	(model.attributes.get('sap:tau') as Float64Array).fill(0.01);
	return model;
}
