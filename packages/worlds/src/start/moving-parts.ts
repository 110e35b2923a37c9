import { BodyFlags, JointType, type Model, WORLD } from '@manyworlds/model';
import type { Overlap } from './overlap.ts';

/** Which bodies of a model can move, and which of them float: bodies below one free joint are a part that can be lifted. */
export class MovingParts {
	/** Free joint that carries a body, -1 for bodies that nothing carries freely. */
	readonly base: Int32Array;
	readonly #model: Model;
	readonly #canMove: Uint8Array;
	/** First body of those that fixed joints hold together, -1 for those that they hold to the world. */
	readonly #rigid: Int32Array;

	constructor(model: Model) {
		this.#model = model;
		this.base = new Int32Array(model.bodyCount).fill(-1);
		this.#canMove = new Uint8Array(model.bodyCount);
		this.#rigid = Int32Array.from({ length: model.bodyCount }, (_, body) => body);
		const mover = new Int32Array(model.bodyCount).fill(-1);
		for (let joint = model.jointCount - 1; joint >= 0; joint--) {
			// joints that close loops come last and move nothing by themselves
			if (model.jointArticulation[joint]! >= 0) mover[model.jointChild[joint]!] = joint;
		}
		const isKnown = new Uint8Array(model.bodyCount);
		for (let body = 0; body < model.bodyCount; body++) this.#find(body, mover, isKnown);
	}

	/** Whether a body can move by its joints. */
	canMove(body: number): boolean {
		return body >= 0 && this.#canMove[body] === 1;
	}

	/** Whether the bodies of an overlap can move apart. */
	canPart({ shape0, shape1 }: Pick<Overlap, 'shape0' | 'shape1'>): boolean {
		const [body0, body1] = [this.bodyOf(shape0), this.bodyOf(shape1)];
		if (!this.canMove(body0) && !this.canMove(body1)) return false;
		return this.rigidOf(body0) !== this.rigidOf(body1);
	}

	/** First body of those that fixed joints hold together with a body, -1 when it is the world that they hold it to. */
	rigidOf(body: number): number {
		return body < 0 ? WORLD : this.#rigid[body]!;
	}

	bodyOf(shape: number): number {
		return shape < 0 ? WORLD : this.#model.shapeBody[shape]!;
	}

	/** The free joint that carries a shape, -1 for none. */
	baseOf(shape: number): number {
		const body = this.bodyOf(shape);
		return body < 0 ? -1 : this.base[body]!;
	}

	#find(body: number, mover: Int32Array, isKnown: Uint8Array): void {
		if (isKnown[body] === 1) return;
		isKnown[body] = 1;
		const model = this.#model;
		const joint = mover[body]!;
		if (joint < 0) return;
		const parent = model.jointParent[joint]!;
		if (parent >= 0) this.#find(parent, mover, isKnown);
		const isKinematic = (model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0;
		const hasFreedom = model.jointQdStart[joint + 1]! > model.jointQdStart[joint]!;
		if (parent === WORLD && model.jointType[joint] === JointType.FREE && !isKinematic) this.base[body] = joint;
		else if (parent >= 0) this.base[body] = this.base[parent]!;
		if (!hasFreedom) this.#rigid[body] = this.rigidOf(parent);
		this.#canMove[body] = !isKinematic && (hasFreedom || this.canMove(parent)) ? 1 : 0;
	}
}
