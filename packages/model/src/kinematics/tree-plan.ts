import { quatConjugate, quatMultiply, quatRotate } from '@manyworlds/core/internal';
import { JointType, WORLD } from '../enums.ts';
import type { Model } from '../model/model.ts';

/** How a joint is placed: one axis, none and six have forms of their own, all others one in common. */
export const PlacingKind = { HINGE: 0, SLIDE: 1, RIGID: 2, FLOATING: 3, GENERAL: 4 } as const;

/**
 * What is fixed about a joint, in this order: two quaternions of which the turn of the child in the parent is made,
 * anchor in the parent, anchor in the child, centre of mass of the child from there, axis in the parent.
 */
export const CONSTANTS = 20;

/** Parent of joints that hang on a body of another tree. */
export const OUTSIDE = -1;

/**
 * What the joints of a tree are, parents first, with all that does not move worked out. Bodies, joints, coordinates and degrees of
 * freedom count from those of the first joint, so that equal trees share a plan.
 */
export class TreePlan {
	readonly kind: Uint8Array;
	readonly joint: Int32Array;
	readonly child: Int32Array;
	/** Place of the parent among the placed bodies: 0 is the world, i + 1 the child of joint i, {@link OUTSIDE} elsewhere. */
	readonly parent: Int32Array;
	/** 1 for joints whose child is read back: it carries a joint that is not the next, or one of several axes. */
	readonly isBranching: Uint8Array;
	readonly coordinate: Int32Array;
	readonly dof: Int32Array;
	/** {@link CONSTANTS} of each joint. */
	readonly constants: Float64Array;

	constructor(model: Model, joints: ArrayLike<number>) {
		const own = Int32Array.from(joints);
		const base = new TreeBase(model, own);
		const places = new Map<number, number>([[WORLD, 0]]);
		for (const [i, joint] of own.entries()) places.set(model.jointChild[joint]!, i + 1);
		this.kind = Uint8Array.from(own, (joint) => kindOf(model, joint));
		this.joint = own.map((joint) => joint - base.joint);
		this.child = own.map((joint) => model.jointChild[joint]! - base.body);
		this.parent = own.map((joint) => places.get(model.jointParent[joint]!) ?? OUTSIDE);
		this.isBranching = new Uint8Array(own.length);
		for (const [i, parent] of this.parent.entries()) {
			if (parent > 0 && (parent !== i || this.kind[i]! >= PlacingKind.FLOATING)) this.isBranching[parent - 1] = 1;
		}
		this.coordinate = own.map((joint) => model.jointQStart[joint]! - base.coordinate);
		this.dof = own.map((joint) => model.jointQdStart[joint]! - base.dof);
		this.constants = new Float64Array(CONSTANTS * own.length);
		for (const [i, joint] of own.entries()) writeConstants(model, joint, this.kind[i]!, this.constants, CONSTANTS * i);
	}

	/** Whether another plan says the same. */
	equals(other: TreePlan): boolean {
		return ARRAYS.every((name) => {
			const [a, b] = [this[name], other[name]];
			return a.length === b.length && a.every((value, i) => value === b[i]);
		});
	}
}

const ARRAYS = ['kind', 'joint', 'child', 'parent', 'coordinate', 'dof', 'constants'] as const;

/** Where the entities of a tree start: those of its first joint. */
export class TreeBase {
	readonly joint: number;
	readonly body: number;
	readonly coordinate: number;
	readonly dof: number;

	constructor(model: Model, joints: ArrayLike<number>) {
		const first = joints[0] ?? 0;
		this.joint = first;
		this.body = model.jointChild[first] ?? 0;
		this.coordinate = model.jointQStart[first] ?? 0;
		this.dof = model.jointQdStart[first] ?? 0;
	}
}

function kindOf(model: Model, joint: number): number {
	const type = model.jointType[joint]!;
	if (isFloating(type)) return PlacingKind.FLOATING;
	if (type === JointType.BALL) return PlacingKind.GENERAL;
	const linear = model.jointDofDim[2 * joint]!;
	const angular = model.jointDofDim[2 * joint + 1]!;
	if (linear + angular > 1) return PlacingKind.GENERAL;
	return angular === 1 ? PlacingKind.HINGE : linear === 1 ? PlacingKind.SLIDE : PlacingKind.RIGID;
}

/** Whether a joint leaves all six motions free. */
export function isFloating(type: number): boolean {
	return type === JointType.FREE || type === JointType.DISTANCE;
}

function writeConstants(model: Model, joint: number, kind: number, out: Float64Array, k: number): void {
	const frame = 7 * joint;
	const inverse = new Float64Array(4);
	quatConjugate(inverse, model.jointXC, 0, frame + 3);
	if (kind >= PlacingKind.FLOATING) {
		for (let c = 0; c < 4; c++) out[k + c] = model.jointXP[frame + 3 + c]!;
		out.set(inverse, k + 4);
	} else quatMultiply(out, model.jointXP, inverse, k, frame + 3);
	if (kind === PlacingKind.HINGE || kind === PlacingKind.SLIDE) {
		const axis = new Float64Array(4);
		const dof = 3 * model.jointQdStart[joint]!;
		for (let c = 0; c < 3; c++) axis[c] = model.jointAxis[dof + c]!;
		quatRotate(out, model.jointXP, axis, k + 17, frame + 3);
		// turn = X_p · (axis sin, cos) · X_c⁻¹ = cos · first quaternion + sin · second
		quatMultiply(axis, model.jointXP, axis, 0, frame + 3);
		quatMultiply(out, axis, inverse, k + 4);
	}
	const com = 3 * model.jointChild[joint]!;
	for (let c = 0; c < 3; c++) {
		out[k + 8 + c] = model.jointXP[frame + c]!;
		out[k + 11 + c] = model.jointXC[frame + c]!;
		out[k + 14 + c] = model.bodyCom[com + c]! - model.jointXC[frame + c]!;
	}
}
