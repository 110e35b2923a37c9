import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import { BodyFlags, EqualityType, JointType, type Model } from '@manyworlds/model';
import { isFreeJoint } from './free-joint.ts';
import type { MujocoAttributes } from './mujoco-attributes.ts';
import { TransmissionType } from './shape-plan.ts';
import type { TemplateWorld } from './template-world.ts';

/**
 * Bodies without mass between two joints. MuJoCo refuses them, and has no need of them: it holds any number of joints in one
 * body, so that their joints become the first ones of the body that they carry.
 */
export class FoldedBodies {
	/** The joint that moves each folded body, and the one that it carries, in all worlds. */
	readonly #entering: ReadonlyMap<number, number>;
	readonly #leaving: ReadonlyMap<number, number>;
	readonly #model: Model;

	constructor(model: Model, entering: ReadonlyMap<number, number>, leaving: ReadonlyMap<number, number>) {
		this.#model = model;
		this.#entering = entering;
		this.#leaving = leaving;
	}

	has(body: number): boolean {
		return this.#entering.has(body);
	}

	/** The joint whose child is the MuJoCo body that holds a joint. */
	carrierOf(joint: number): number {
		let at = joint;
		for (let next = this.#leaving.get(this.#model.jointChild[at]!); next !== undefined; ) {
			at = next;
			next = this.#leaving.get(this.#model.jointChild[at]!);
		}
		return at;
	}

	/** Joints of folded bodies that the child of a joint holds before it, in their order. */
	before(joint: number): number[] {
		const joints: number[] = [];
		for (let at = this.#entering.get(this.#model.jointParent[joint]!); at !== undefined; ) {
			joints.unshift(at);
			at = this.#entering.get(this.#model.jointParent[at]!);
		}
		return joints;
	}

	/** Frame of a joint on its child, seen from the MuJoCo body that holds it, when all joints are at their reference. */
	frameOf(joint: number): Float64Array {
		const model = this.#model;
		const frame = model.jointXC.slice(7 * joint, 7 * joint + 7);
		for (let next = this.#leaving.get(model.jointChild[joint]!); next !== undefined; ) {
			const inverse = transformInvert(new Float64Array(7), model.jointXP, 0, 7 * next);
			transformMultiply(frame, inverse, frame.slice());
			transformMultiply(frame, model.jointXC, frame.slice(), 0, 7 * next);
			next = this.#leaving.get(model.jointChild[next]!);
		}
		return frame;
	}
}

/** Chooses the bodies that are folded: without mass or shapes, moved by axes, with one joint below, named by nothing. */
export function foldBodies(
	model: Model,
	template: TemplateWorld,
	attributes: MujocoAttributes,
	tree: readonly number[],
	loops: readonly number[],
): FoldedBodies {
	const entering = new Map<number, number>();
	const leaving = new Map<number, number>();
	const mover = new Map<number, number>();
	const carried = new Map<number, number[]>();
	for (const joint of tree) {
		mover.set(model.jointChild[joint]!, joint);
		const parent = model.jointParent[joint]!;
		carried.set(parent, [...(carried.get(parent) ?? []), joint]);
	}
	const named = namedBodies(model, template, attributes, loops);
	const worlds = worldShifts(model, template);
	for (const body of template.bodies) {
		const joint = mover.get(body);
		const [next, ...others] = carried.get(body) ?? [];
		if (joint === undefined || next === undefined || others.length > 0 || named.has(body)) continue;
		if (!isAxes(model, joint) || isFreeJoint(model.jointType[next]!)) continue;
		// MuJoCo takes a moving body without mass when a body that is fixed to it has some
		if (isRigid(model, next) && model.bodyMass[model.jointChild[next]!]! > 0) continue;
		if (!worlds.every(({ bodies }) => isEmpty(model, body + bodies))) continue;
		for (const { bodies, joints } of worlds) {
			entering.set(body + bodies, joint + joints);
			leaving.set(body + bodies, next + joints);
		}
	}
	return new FoldedBodies(model, entering, leaving);
}

function isRigid(model: Model, joint: number): boolean {
	return model.jointQdStart[joint + 1] === model.jointQdStart[joint];
}

/** Whether a joint moves along axes: MuJoCo allows no rotation behind a ball. */
function isAxes(model: Model, joint: number): boolean {
	const type = model.jointType[joint]!;
	const isOfAxes = type === JointType.PRISMATIC || type === JointType.REVOLUTE || type === JointType.D6;
	return isOfAxes && !isRigid(model, joint);
}

function isEmpty(model: Model, body: number): boolean {
	if (model.bodyMass[body] !== 0 || (model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0) return false;
	return model.shapesOf(body).length === 0;
}

/** Bodies that constraints, loops and actuators name. */
function namedBodies(
	model: Model,
	template: TemplateWorld,
	attributes: MujocoAttributes,
	loops: readonly number[],
): ReadonlySet<number> {
	const named = new Set<number>();
	for (const row of template.equalities) {
		if (model.equalityConstraintType[row] === EqualityType.JOINT) continue;
		named.add(model.equalityConstraintBody1[row]!).add(model.equalityConstraintBody2[row]!);
	}
	for (const joint of loops) named.add(model.jointParent[joint]!).add(model.jointChild[joint]!);
	for (let row = 0; row < attributes.count('actuator'); row++) {
		if (attributes.number('actuator_trntype', row) !== TransmissionType.BODY) continue;
		named.add(attributes.row('actuator_trnid', row, 2)?.[0] ?? -1);
	}
	return named;
}

interface WorldShifts {
	readonly bodies: number;
	readonly joints: number;
}

/** From indices of the template world to those of each world. */
function worldShifts(model: Model, template: TemplateWorld): WorldShifts[] {
	if (template.world < 0 || model.worldCount <= 1) return [{ bodies: 0, joints: 0 }];
	return Array.from({ length: model.worldCount }, (_, world) => ({
		bodies: model.bodyWorldStart[world]! - model.bodyWorldStart[template.world]!,
		joints: model.jointWorldStart[world]! - model.jointWorldStart[template.world]!,
	}));
}
