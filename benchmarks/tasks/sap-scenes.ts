import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importMjcf, importUrdf } from '@manyworlds/import';
import { CONTACT_DEFAULTS, JointTargetMode, type Model, ModelBuilder } from '@manyworlds/model';
import { FileStore } from '@manyworlds/node';
import { registerSapAttributes } from '@manyworlds/sim';

const G1 = new URL('../../../shared/assets/unitree_g1/g1_29dof_with_hand_rev_1_0.xml', import.meta.url);
const SHADOW = new URL('../../../shared/assets/menagerie/shadow_hand/right_hand.xml', import.meta.url);
const ANYMAL = new URL('../../../shared/assets/anymal_c/urdf/anymal.urdf', import.meta.url);

/** Whether the files of the robots are there. */
export const hasG1: boolean = existsSync(G1);
export const hasAnymal: boolean = existsSync(ANYMAL);
export const hasShadow: boolean = existsSync(SHADOW);

/** What is simulated: a model for any number of worlds, and the stretch of time that is looked at. */
export interface SceneRecipe {
	readonly model: (worlds: number) => Model;
	/** Time step [s]. */
	readonly dt: number;
	/** Room for contacts of each world. */
	readonly perWorld: number;
	/** Steps of the trajectory. */
	readonly steps: number;
	/** Least and greatest height [m] of the first body at the end. */
	readonly endHeight: readonly [number, number];
	/** Bytes that a world-step may allocate, for scenes whose rare cases run too seldom to be compiled; left out, none. */
	readonly mostBytes?: number;
}

/** How a robot is driven: it stands, is pushed over, or collapses. */
export type Drive = 'stand' | 'push' | 'ragdoll';

/** The Unitree G1 with hands: 49 degrees of freedom, feet of spheres, on a plane. */
export function g1Recipe(drive: Drive): SceneRecipe {
	const model = (worlds: number): Model => {
		const robot = newBuilder();
		importMjcf(readFileSync(G1, 'utf8'), robot, {
			file: 'g1.xml',
			parseMeshes: false,
			enableSelfCollisions: false,
			ignoreNames: ['floor'],
		});
		const model = onPlane(robot, worlds);
		driveJoints(model, drive === 'ragdoll' ? 20 : 500, drive === 'ragdoll' ? 1 : 10);
		const dofs = model.jointDofCount / worlds;
		const coords = model.jointCoordCount / worlds;
		for (let world = 0; world < worlds; world++) {
			// the soles touch the ground
			model.jointQ[world * coords + 2] = drive === 'stand' ? 0.793 : 0.9;
			if (drive !== 'stand') model.jointQd[world * dofs] = 2;
		}
		return model;
	};
	const endHeight: readonly [number, number] = drive === 'stand' ? [0.75, 0.8] : [-0.2, 0.9];
	return { model, dt: 0.003, perWorld: 48, steps: 2048, endHeight };
}

/** The G1 with its meshes as colliders, with itself too: it collapses on a plane. */
export function g1MeshRecipe(): SceneRecipe {
	const model = (worlds: number): Model => {
		const robot = newBuilder();
		importWithMeshes(robot, G1);
		const model = onPlane(robot, worlds);
		const coords = model.jointCoordCount / worlds;
		for (let world = 0; world < worlds; world++) model.jointQ[world * coords + 2] = 0.8;
		return model;
	};
	return { model, dt: 0.002, perWorld: 256, steps: 1024, endHeight: [0, 0.9], mostBytes: 2048 };
}

/** The Shadow hand: 24 degrees of freedom, driven by its actuators, colliders of hulls and primitives. */
export function shadowRecipe(): SceneRecipe {
	const model = (worlds: number): Model => replicated(withShadowHand(firmBuilder()), worlds);
	return { model, dt: 0.002, perWorld: 256, steps: 1024, endHeight: [-1, 1], mostBytes: 4096 };
}

/** The Shadow hand closes on a bar that lies in its palm, which is the first body. */
export function graspRecipe(): SceneRecipe {
	const model = (worlds: number): Model => {
		const robot = firmBuilder();
		const across = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
		const bar = robot.addBody({ xform: { p: [0.35, 0, 0.042], q: across } });
		robot.addShapeCapsule(bar, { radius: 0.02, halfHeight: 0.03, config: { density: 300 } });
		const model = replicated(withShadowHand(robot), worlds);
		closeFingers(model);
		return model;
	};
	return { model, dt: 0.002, perWorld: 256, steps: 1024, endHeight: [0.02, 0.08], mostBytes: 4096 };
}

function withShadowHand(builder: ModelBuilder): ModelBuilder {
	importWithMeshes(builder, SHADOW);
	return builder;
}

/** Targets of a fist: fingers at four fifths of their range, by joints and by tendons, the rest where it is. */
function closeFingers(model: Model): void {
	for (let dof = 0; dof < model.jointDofCount; dof++) {
		const joint = model.jointQdStart.findIndex((start, i) => start <= dof && dof < model.jointQdStart[i + 1]!);
		if (!/[FMRL]FJ3$|THJ[124]$/.test(model.jointLabels[joint]!)) continue;
		model.jointTargetQ[model.jointQStart[joint]!] = 0.8 * model.jointLimitUpper[dof]!;
	}
	const direct = model.attributesOf('control').get('mujoco:ctrl') as Float64Array;
	const labels = model.attributes.get('mujoco:actuator_label') as readonly string[];
	for (const [row, label] of labels.entries()) if (/FJ0$/.test(label)) direct[row] = 2.5;
}

function importWithMeshes(builder: ModelBuilder, url: URL): void {
	const file = fileURLToPath(url);
	const store = new FileStore({ roots: [dirname(file)] });
	importMjcf(readFileSync(url), builder, { file, store, parseVisuals: false, ignoreNames: ['floor'] });
}

/** ANYmal C on its feet: 18 degrees of freedom, colliders of spheres, boxes and cylinders. */
export function anymalRecipe(): SceneRecipe {
	const model = (worlds: number): Model => {
		const robot = newBuilder();
		importUrdf(readFileSync(ANYMAL, 'utf8'), robot, {
			file: 'anymal.urdf',
			floating: true,
			parseVisuals: false,
			collapseFixedJoints: true,
			enableSelfCollisions: false,
		});
		const model = onPlane(robot, worlds);
		driveJoints(model, 300, 10);
		const coords = model.jointCoordCount / worlds;
		for (let joint = 0; joint < model.jointCount; joint++) {
			const name = model.jointLabels[joint]!;
			const sign = /[LR]F_/.test(name) ? 1 : -1;
			const angle = name.endsWith('HFE') ? 0.4 * sign : name.endsWith('KFE') ? -0.8 * sign : 0;
			if (angle === 0) continue;
			model.jointQ[model.jointQStart[joint]!] = angle;
			model.jointTargetQ[model.jointQStart[joint]!] = angle;
		}
		for (let world = 0; world < worlds; world++) model.jointQ[world * coords + 2] = 0.57;
		return model;
	};
	return { model, dt: 0.003, perWorld: 64, steps: 2048, endHeight: [0.4, 0.6] };
}

/** Boxes that fall into a pen. */
export function clutterRecipe(boxes: number): SceneRecipe {
	const model = (worlds: number): Model => {
		const builder = newBuilder();
		let seed = 7;
		const random = (): number => {
			seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
			return seed / 2 ** 32;
		};
		for (let i = 0; i < boxes; i++) {
			const angle = 6 * random();
			const q = [0.6 * Math.sin(angle / 2), 0.8 * Math.sin(angle / 2), 0, Math.cos(angle / 2)];
			const p = [0.5 * random() - 0.25, 0.5 * random() - 0.25, 0.3 + 0.08 * i];
			const body = builder.addBody({ xform: { p, q } });
			builder.addShapeBox(body, { halfExtents: [0.08, 0.06, 0.05] });
		}
		for (const [x, y] of [
			[1, 0],
			[-1, 0],
			[0, 1],
			[0, -1],
		] as const) {
			const halfExtents = [x === 0 ? 0.5 : 0.05, y === 0 ? 0.5 : 0.05, 3];
			builder.addShapeBox(-1, { halfExtents, xform: { p: [0.45 * x, 0.45 * y, 3] } });
		}
		return onPlane(builder, worlds);
	};
	return { model, dt: 0.005, perWorld: 1024, steps: 256, endHeight: [0, 1], mostBytes: 6144 };
}

/** A chain of hinges that hangs on the world, driven softly. */
export function chainRecipe(links: number): SceneRecipe {
	const model = (): Model => {
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
		return builder.finalize();
	};
	return { model, dt: 0.003, perWorld: 1, steps: 512, endHeight: [-1e-9, 1e-9] };
}

/** A plate on a number of balls, all of one body: six degrees of freedom and a contact for each ball. */
export function feetRecipe(feet: number, steps = 512): SceneRecipe {
	const model = (worlds: number): Model => {
		const builder = newBuilder();
		const body = builder.addBody({ xform: { p: [0, 0, 0.1] } });
		builder.addShapeBox(body, { halfExtents: [0.5, 0.5, 0.02] });
		const side = Math.ceil(Math.sqrt(feet));
		for (let i = 0; i < feet; i++) {
			const x = ((i % side) + 0.5) / side - 0.5;
			const y = (Math.floor(i / side) + 0.5) / side - 0.5;
			builder.addShapeSphere(body, { radius: 0.02, xform: { p: [x, y, -0.08] } });
		}
		return onPlane(builder, worlds);
	};
	return { model, dt: 0.003, perWorld: feet + 4, steps, endHeight: [0.09, 0.101] };
}

/** Worlds of a robot, without a ground. */
function replicated(robot: ModelBuilder, count: number): Model {
	const builder = newBuilder();
	builder.replicate(robot, { count });
	return builder.finalize();
}

/** With the gap that robots have by default, `firm`. */
function firmBuilder(): ModelBuilder {
	const builder = newBuilder();
	builder.rigidGap = CONTACT_DEFAULTS.firm.gap;
	return builder;
}

function newBuilder(): ModelBuilder {
	const builder = new ModelBuilder({ rigidGap: 0.002, defaultShapeConfig: { ke: 1e6, mu: 0.75 } });
	registerSapAttributes(builder);
	return builder;
}

/** Gives every joint behind the floating one a drive. */
function driveJoints(model: Model, ke: number, kd: number): void {
	const dofs = model.jointDofCount / model.worldCount;
	for (let dof = 0; dof < model.jointDofCount; dof++) {
		if (dof % dofs < 6) continue;
		model.jointTargetMode[dof] = JointTargetMode.POSITION;
		model.jointTargetKe[dof] = ke;
		model.jointTargetKd[dof] = kd;
		model.jointArmature[dof] = 0.01;
	}
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
