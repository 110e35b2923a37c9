import { mat4Invert } from '@manyworlds/core/internal';
import { makeValue, type Path, type Prim, type Stage, T, type Value, type XformCache } from '@manyworlds/usd';
import { authoredNumbers, isBody, isJoint, readNumber, readNumbers, readText } from '../../asset/read-values.ts';
import type { FixSession } from '../engine/fix-session.ts';
import {
	applyLinear,
	applyMatrix,
	linearPart,
	multiply3,
	quaternionOf,
	rotationOf,
	splitMatrix,
	transpose3,
} from '../engine/linear.ts';
import type { Proposals } from '../engine/proposals.ts';
import { schemaSite } from '../engine/sites.ts';

const AXES: Readonly<Record<string, readonly number[]>> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

/** Keeps joint frames, centres of mass and principal axes where they are in the world while transforms of prims change. */
export class JointFrames {
	readonly #session: FixSession;
	readonly #proposals: Proposals;

	constructor(session: FixSession, proposals: Proposals) {
		this.#session = session;
		this.#proposals = proposals;
	}

	/** Proposes what follows from prims whose transforms to the world become those of `after`. */
	propose(stage: Stage, before: XformCache, after: ReadonlyMap<Path, Float64Array>): void {
		if (after.size === 0) return;
		for (const prim of stage.traverse()) {
			if (isJoint(prim)) for (const index of [0, 1]) this.#joint(stage, prim, index, before, after);
			else if (isBody(prim)) this.#body(prim, before, after);
		}
	}

	/** Boxes (low, high after one another) whose corners move; empty ones stay. */
	proposeExtents(prim: Prim, name: string, boxes: Float64Array, move: (p: Float64Array) => Float64Array): void {
		const out = new Float32Array(boxes.length);
		for (let at = 0; at < boxes.length; at += 6) {
			const box = boxes.subarray(at, at + 6);
			if (box[0]! > box[3]!) {
				out.set(box, at);
				continue;
			}
			out.set(movedBox(box, move), at);
		}
		this.#proposals.set(prim, name, {
			rule: 'R1.1.10',
			typeName: 'float3[]',
			value: makeValue(T.float3.array, out) as Value,
		});
	}

	#joint(stage: Stage, joint: Prim, index: number, before: XformCache, after: ReadonlyMap<Path, Float64Array>): void {
		const [target] = joint.relationship(`physics:body${index}`).targets();
		const prim = target === undefined ? undefined : stage.prim(target);
		const now = prim && worldAfter(prim, after);
		if (prim === undefined || now === undefined) return;
		const old = before.worldTransform(prim);
		const change = relative(old, now);
		if (change === undefined) return;
		const position = readNumbers(joint, `physics:localPos${index}`) ?? Float64Array.of(0, 0, 0);
		const moved = applyMatrix(position, change.matrix);
		if (!isNear(position, moved)) {
			this.#set(joint, `physics:localPos${index}`, 'point3f', makeValue(T.float3, Float32Array.from(moved)) as Value);
		}
		const orient = readNumbers(joint, `physics:localRot${index}`) ?? Float64Array.of(0, 0, 0, 1);
		if (!isNear(change.rotation, IDENTITY)) {
			const turned = quaternionOf(multiply3(rotationOf(orient), change.rotation));
			this.#set(joint, `physics:localRot${index}`, 'quatf', makeValue(T.quatf, Float32Array.from(turned)) as Value);
		}
		if (index === 0 && joint.typeName === 'PhysicsPrismaticJoint') this.#travel(joint, rotationOf(orient), old, now);
	}

	/** Distances along the axis of a prismatic joint are in the scale of its first body. */
	#travel(joint: Prim, local: Float64Array, old: Float64Array, now: Float64Array): void {
		const axis = applyLinear(AXES[readText(joint, 'physics:axis') ?? 'X'] ?? AXES.X!, local);
		const factor =
			Math.hypot(...applyLinear(axis, linearPart(old))) / Math.hypot(...applyLinear(axis, linearPart(now)));
		if (Math.abs(factor - 1) < 1e-7) return;
		for (const name of ['physics:lowerLimit', 'physics:upperLimit']) {
			const limit = joint.attribute(name).hasAuthoredValue ? readNumber(joint, name) : undefined;
			if (limit === undefined || !Number.isFinite(limit) || limit === 0) continue;
			this.#set(joint, name, 'float', makeValue(T.float, Math.fround(limit * factor)) as Value);
		}
		this.#session.note('R1.1.10', `limits along the axis were multiplied by ${Number(factor.toPrecision(6))}`, {
			prim: joint,
		});
	}

	#body(prim: Prim, before: XformCache, after: ReadonlyMap<Path, Float64Array>): void {
		const now = worldAfter(prim, after);
		if (now === undefined) return;
		const change = relative(before.worldTransform(prim), now);
		if (change === undefined) return;
		const centre = authoredNumbers(prim, 'physics:centerOfMass');
		if (centre?.every(Number.isFinite)) {
			const moved = applyMatrix(centre, change.matrix);
			if (!isNear(centre, moved)) {
				this.#set(prim, 'physics:centerOfMass', 'point3f', makeValue(T.float3, Float32Array.from(moved)) as Value);
			}
		}
		if (isNear(change.rotation, IDENTITY)) return;
		if (authoredNumbers(prim, 'physics:diagonalInertia') !== undefined) {
			const axes = authoredNumbers(prim, 'physics:principalAxes') ?? Float64Array.of(0, 0, 0, 1);
			const turned = quaternionOf(multiply3(rotationOf(axes), change.rotation));
			this.#set(prim, 'physics:principalAxes', 'quatf', makeValue(T.quatf, Float32Array.from(turned)) as Value);
		}
		const six = authoredNumbers(prim, 'newton:inertia');
		if (six?.length !== 6) return;
		const [xx, yy, zz, xy, xz, yz] = six as unknown as [number, number, number, number, number, number];
		const tensor = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
		const turned = multiply3(multiply3(transpose3(change.rotation), tensor), change.rotation);
		const values = Float64Array.of(turned[0]!, turned[4]!, turned[8]!, turned[1]!, turned[2]!, turned[5]!);
		this.#set(prim, 'newton:inertia', 'double[]', makeValue(T.double.array, values) as Value);
	}

	#set(prim: Prim, name: string, typeName: string, value: Value): void {
		const site = schemaSite(this.#session, prim, 'Physics');
		this.#proposals.set(prim, name, { rule: 'R1.1.10', typeName, value }, site);
	}
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** The new transform of a prim to the world, if it or something above it changed. */
function worldAfter(prim: Prim, after: ReadonlyMap<Path, Float64Array>): Float64Array | undefined {
	return after.get(prim.path);
}

/** How local coordinates change so that the world sees the same: points by the matrix, frames by the rotation. */
function relative(old: Float64Array, now: Float64Array): { matrix: Float64Array; rotation: Float64Array } | undefined {
	const inverse = new Float64Array(16);
	mat4Invert(inverse, now);
	const a = splitMatrix(old);
	const b = splitMatrix(now);
	if (a === undefined || b === undefined) return undefined;
	const linear = multiply3(linearPart(old), linearPart(inverse));
	const moved = applyMatrix(old.subarray(12, 15), inverse);
	const matrix = Float64Array.of(
		...linear.subarray(0, 3),
		0,
		...linear.subarray(3, 6),
		0,
		...linear.subarray(6, 9),
		0,
		...moved,
		1,
	);
	return { matrix, rotation: multiply3(a.rotation, transpose3(b.rotation)) };
}

/** Whether numbers differ by no more than single precision can tell. */
function isNear(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
	let size = 0;
	for (let i = 0; i < a.length; i++) size = Math.max(size, Math.abs(a[i]!), Math.abs(b[i]!));
	for (let i = 0; i < a.length; i++) if (Math.abs(a[i]! - b[i]!) > 1e-9 * Math.max(size, 1e-3)) return false;
	return true;
}

function movedBox(box: Float64Array, move: (p: Float64Array) => Float64Array): Float32Array {
	const low = [Infinity, Infinity, Infinity];
	const high = [-Infinity, -Infinity, -Infinity];
	for (let corner = 0; corner < 8; corner++) {
		const p = move(Float64Array.from([0, 1, 2], (k) => box[k + ((corner >> k) & 1) * 3]!));
		for (let k = 0; k < 3; k++) {
			low[k] = Math.min(low[k]!, p[k]!);
			high[k] = Math.max(high[k]!, p[k]!);
		}
	}
	return Float32Array.of(...low, ...high);
}
