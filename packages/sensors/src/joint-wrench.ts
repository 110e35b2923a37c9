import { quatRotate, quatRotateInverse, transformPoint } from '@manyworlds/core/internal';
import type { Model, State } from '@manyworlds/model';

/** What a sensor of forces reads, in its own frame. @public */
export interface WrenchReading {
	/** [N] */
	readonly force: Float64Array;
	/** About the origin of the frame [N·m]. */
	readonly torque: Float64Array;
}

/**
 * What a joint feels: the force and the torque by which all that hangs on its child pulls at its parent. It follows from the change
 * of momentum over the last step, gravity, applied forces and contacts. @public
 */
export class JointWrench {
	readonly #model: Model;
	readonly #joint: number;
	readonly #offset: Float64Array;
	/** The child, and all bodies behind it. */
	readonly #bodies: readonly number[];
	/** Momentum and angular momentum about the centre of each body, before and now. */
	readonly #before: Float64Array;
	readonly #change: Float64Array;
	#hasBefore = false;

	/** `offset` is the pose of the frame in the child of the joint [m, quaternion x y z w]. */
	constructor(model: Model, joint: number, offset: Float64Array) {
		this.#model = model;
		this.#joint = joint;
		this.#offset = offset;
		this.#bodies = behind(model, joint);
		this.#before = new Float64Array(6 * this.#bodies.length);
		this.#change = new Float64Array(6 * this.#bodies.length);
	}

	/** Looks at the state after each step of `dt` [s]. */
	update(state: State, dt: number): void {
		for (const [i, body] of this.#bodies.entries()) {
			const momentum = momentumOf(this.#model, state, body);
			for (let k = 0; k < 6; k++) {
				this.#change[6 * i + k] = this.#hasBefore ? (momentum[k]! - this.#before[6 * i + k]!) / dt : 0;
				this.#before[6 * i + k] = momentum[k]!;
			}
		}
		this.#hasBefore = true;
	}

	/** Forgets the last momentum: the state has jumped. */
	reset(): void {
		this.#hasBefore = false;
		this.#change.fill(0);
	}

	/** `contacts` are forces and torques of contacts on bodies at their centres; shape (bodies, 6). */
	read(state: State, contacts: Float64Array): WrenchReading {
		const model = this.#model;
		const child = model.jointChild[this.#joint]!;
		const place = transformPoint(new Float64Array(3), state.bodyQ, this.#offset, 0, 7 * child, 0);
		const force = new Float64Array(3);
		const torque = new Float64Array(3);
		const center = new Float64Array(3);
		for (const [i, body] of this.#bodies.entries()) {
			const gravity = model.gravityOf(Math.max(0, model.bodyWorld[body]!));
			const mass = model.bodyMass[body]!;
			const own = new Float64Array(6);
			// what others do to the body, less what it took to move it
			for (let k = 0; k < 6; k++)
				own[k] =
					(contacts[6 * body + k] ?? 0) +
					state.bodyF[6 * body + k]! +
					(k < 3 ? mass * gravity[k]! : 0) -
					this.#change[6 * i + k]!;
			transformPoint(center, state.bodyQ, model.bodyCom, 0, 7 * body, 3 * body);
			const [rx, ry, rz] = [center[0]! - place[0]!, center[1]! - place[1]!, center[2]! - place[2]!];
			for (let k = 0; k < 3; k++) force[k]! += own[k]!;
			torque[0]! += own[3]! + ry * own[2]! - rz * own[1]!;
			torque[1]! += own[4]! + rz * own[0]! - rx * own[2]!;
			torque[2]! += own[5]! + rx * own[1]! - ry * own[0]!;
		}
		const inFrame = (vector: Float64Array): Float64Array => {
			const inChild = quatRotateInverse(new Float64Array(3), state.bodyQ, vector, 0, 7 * child + 3);
			return quatRotateInverse(new Float64Array(3), this.#offset, inChild, 0, 3);
		};
		return { force: inFrame(force), torque: inFrame(torque) };
	}
}

/** The child of a joint and the bodies that hang on it. */
function behind(model: Model, joint: number): number[] {
	const bodies = [model.jointChild[joint]!];
	const found = new Set(bodies);
	for (const body of bodies) {
		for (let other = 0; other < model.jointChild.length; other++) {
			const child = model.jointChild[other]!;
			if (model.jointParent[other] !== body || found.has(child)) continue;
			found.add(child);
			bodies.push(child);
		}
	}
	return bodies;
}

/** Momentum [kg m/s] and angular momentum about the centre of mass [kg m²/s], in world axes. */
function momentumOf(model: Model, { bodyQ, bodyQd }: State, body: number): Float64Array {
	const out = new Float64Array(6);
	const mass = model.bodyMass[body]!;
	for (let k = 0; k < 3; k++) out[k] = mass * bodyQd[6 * body + k]!;
	const spin = bodyQd.subarray(6 * body + 3, 6 * body + 6);
	const local = quatRotateInverse(new Float64Array(3), bodyQ, spin, 0, 7 * body + 3);
	const inertia = model.bodyInertia;
	const turned = new Float64Array(3);
	for (let row = 0; row < 3; row++)
		for (let column = 0; column < 3; column++) turned[row]! += inertia[9 * body + 3 * row + column]! * local[column]!;
	out.set(quatRotate(new Float64Array(3), bodyQ, turned, 0, 7 * body + 3), 3);
	return out;
}
