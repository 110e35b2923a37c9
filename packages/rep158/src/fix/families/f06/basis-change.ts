import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import { makeValue, type Path, type Prim, T, type Value, type ValueType } from '@manyworlds/usd';
import { hasSchema, isBody, isJoint } from '../../../asset/read-values.ts';
import type { RepCode } from '../../../diagnostics.ts';
import type { FixSession } from '../../engine/fix-session.ts';
import {
	affine,
	applyLinear,
	linearPart,
	multiply3,
	quaternionOf,
	rotationOf,
	transpose3,
} from '../../engine/linear.ts';
import { Proposals } from '../../engine/proposals.ts';
import { schemaSite } from '../../engine/sites.ts';
import { type AttributeSpec, mapValues, specOwners } from '../../engine/spec-values.ts';
import { orderOf, xformSite } from '../../frames/xform-stack.ts';

/** A change of axes: row vectors become v · `basis`, a signed permutation of determinant one. */
export interface BasisChangeOptions {
	readonly basis: Float64Array;
	/** The prim below which axes change; its own frame does, that of its parent does not. The whole stage without it. */
	readonly root?: Path;
	readonly rule: RepCode;
}

/** Types that look along fixed local axes: their frames stay, and so does all below them. */
const FIXED_FRAMES: ReadonlySet<string> = new Set([
	'Camera',
	'Cone',
	'Plane',
	'Cylinder_1',
	'Capsule_1',
	'Volume',
	'ParticleField3DGaussianSplat',
]);
const AXIS_SHAPES: ReadonlySet<string> = new Set(['Cylinder', 'Capsule']);
const INNER = 'xformOp:orient:upAxis';

/** Changes the axes of everything: transforms, points, joint frames, inertia, so that shapes and motions stay what they are. */
export function changeBasis(session: FixSession, options: BasisChangeOptions): void {
	new BasisChange(session, options).run();
}

class BasisChange {
	readonly #session: FixSession;
	readonly #basis: Float64Array;
	readonly #inverse: Float64Array;
	readonly #quaternion: Float64Array;
	readonly #root: Path | undefined;
	readonly #rule: RepCode;
	readonly #states = new Map<Path, 'outside' | 'changed' | 'fixed' | 'below'>();

	constructor(session: FixSession, { basis, root, rule }: BasisChangeOptions) {
		this.#session = session;
		this.#basis = basis;
		this.#inverse = transpose3(basis);
		this.#quaternion = quaternionOf(basis);
		this.#root = root;
		this.#rule = rule;
	}

	run(): void {
		const session = this.#session;
		const owners = specOwners(session);
		const proposals = new Proposals(session);
		session.forEachSelection((stage) => {
			this.#states.clear();
			for (const prim of stage.traverse()) {
				proposals.see(prim);
				this.#fillIn(prim, proposals);
			}
			for (const prototype of stage.prototypes()) {
				for (const prim of prototype.children()) this.#fillIn(prim, proposals);
			}
		});
		this.#states.clear();
		for (const layer of session.layers()) {
			mapValues(session, this.#rule, layer, owners, (value, spec) => this.#map(value, spec));
		}
		proposals.commit();
	}

	/** What becomes of a prim's own frame: it changes, it stays, or it lies below one that stays. */
	#state(prim: Prim): 'outside' | 'changed' | 'fixed' | 'below' {
		const known = this.#states.get(prim.path);
		if (known !== undefined) return known;
		const parent = prim.parent;
		const above = parent === undefined || parent.isPseudoRoot ? undefined : this.#state(parent);
		const state =
			this.#root !== undefined && !prim.path.hasPrefix(this.#root) && !/^\/__Prototype_/.test(prim.path.toString())
				? 'outside'
				: above === 'fixed' || above === 'below'
					? 'below'
					: FIXED_FRAMES.has(prim.typeName) || prim.hasSchema('LightAPI')
						? 'fixed'
						: 'changed';
		this.#states.set(prim.path, state);
		return state;
	}

	/** Proposes values that nobody authors and whose fallbacks mean something else in the new axes. */
	#fillIn(prim: Prim, proposals: Proposals): void {
		const state = this.#state(prim);
		const quaternion = (q: Float64Array): Value => makeValue(T.quatf, Float32Array.from(q)) as Value;
		if (state === 'fixed') this.#turnInside(prim, proposals);
		if (isJoint(prim)) {
			for (const index of [0, 1]) {
				const name = `physics:localRot${index}`;
				if (prim.attribute(name).isAuthored || !this.#isSideChanged(prim, index)) continue;
				const site = schemaSite(this.#session, prim, 'Physics');
				proposals.set(prim, name, { rule: this.#rule, typeName: 'quatf', value: quaternion(this.#quaternion) }, site);
			}
		}
		if (state !== 'changed') return;
		if (AXIS_SHAPES.has(prim.typeName) && !prim.attribute('axis').isAuthored) {
			const value = makeValue(T.token, this.#axis('Z')) as Value;
			proposals.set(prim, 'axis', { rule: this.#rule, typeName: 'token', variability: 'uniform', value });
		}
		const hasMoments =
			(isBody(prim) || hasSchema(prim, 'PhysicsMassAPI')) && prim.attribute('physics:diagonalInertia').isAuthored;
		if (hasMoments && !prim.attribute('physics:principalAxes').isAuthored) {
			const value = quaternion(this.#quaternion);
			const site = schemaSite(this.#session, prim, 'PhysicsMass');
			proposals.set(prim, 'physics:principalAxes', { rule: this.#rule, typeName: 'quatf', value }, site);
		}
	}

	/** A prim whose frame stays is turned by the change of axes: by its innermost rotation, or by one more. */
	#turnInside(prim: Prim, proposals: Proposals): void {
		const order = orderOf(prim);
		if (order.at(-1) === 'xformOp:orient') return;
		const site = xformSite(this.#session, prim);
		const name = order.length === 0 ? 'xformOp:orient' : INNER;
		const value = makeValue(T.quatd, this.#quaternion) as Value;
		proposals.set(prim, name, { rule: this.#rule, typeName: 'quatd', value }, site);
		const entries = makeValue(T.token.array, [...order, name]) as Value;
		proposals.set(
			prim,
			'xformOpOrder',
			{ rule: this.#rule, typeName: 'token[]', variability: 'uniform', value: entries },
			site,
		);
	}

	/** Whether the frame that a joint's side is given in changes: that of its target, or the world's. */
	#isSideChanged(joint: Prim, index: number): boolean {
		const [target] = joint.relationship(`physics:body${index}`).targets();
		if (target === undefined) return this.#root === undefined;
		const prim = joint.stage.prim(target);
		return prim === undefined ? this.#root === undefined : this.#state(prim) === 'changed';
	}

	#map(value: Value, spec: AttributeSpec): Value {
		const { name, prim } = spec;
		if (prim !== undefined && isJoint(prim)) return this.#mapJoint(value, spec, prim);
		const state = prim === undefined ? (this.#root === undefined ? 'changed' : 'outside') : this.#state(prim);
		if (state === 'outside' || state === 'below') return value;
		if (name.startsWith('xformOp:')) return this.#mapOperation(value, spec, state);
		return state === 'fixed' ? value : this.#mapContent(value, spec);
	}

	#mapOperation(value: Value, { name, prim }: AttributeSpec, state: 'changed' | 'fixed'): Value {
		if (prim !== undefined && prim.path === this.#root) {
			return /^xformOp:orient/.test(name) ? sameType(value, (q) => this.#turned(q, 'before')) : value;
		}
		const isInner = state === 'fixed' && prim !== undefined && orderOf(prim).at(-1) === 'xformOp:orient';
		if (/^xformOp:translate/.test(name)) return vectors(value, (v) => applyLinear(v, this.#basis));
		if (name === 'xformOp:orient' && isInner) return sameType(value, (q) => this.#turned(q, 'after'));
		if (/^xformOp:orient/.test(name)) return sameType(value, (q) => this.#turned(q, 'both'));
		if (/^xformOp:scale/.test(name)) return vectors(value, (v) => this.#permuted(v));
		if (/^xformOp:transform/.test(name)) return matrices(value, (m) => this.#conjugated(m));
		return value;
	}

	#mapContent(value: Value, { name, typeName, primType }: AttributeSpec): Value {
		if (name === 'extent' || name === 'extentsHint') return this.#mapBoxes(value);
		if (name === 'axis' && AXIS_SHAPES.has(primType)) {
			return { type: value.type, data: this.#axis(String(value.data)) };
		}
		if (name === 'scales') return vectors(value, (v) => this.#permuted(v));
		if (name === 'orientations' || name === 'orientationsf') return sameType(value, (q) => this.#turned(q, 'both'));
		if (name === 'physics:principalAxes') return sameType(value, (q) => this.#turned(q, 'after'));
		if (name === 'newton:inertia') return this.#mapTensor(value);
		const isSpatial = /^(?:point|vector|normal)3[hfd](?:\[\])?$/.test(typeName);
		return isSpatial ? vectors(value, (v) => applyLinear(v, this.#basis)) : value;
	}

	#mapJoint(value: Value, { name }: AttributeSpec, joint: Prim): Value {
		const [, what, side] = /^physics:local(Pos|Rot)([01])$/.exec(name) ?? [];
		if (what === undefined || !this.#isSideChanged(joint, Number(side))) return value;
		if (what === 'Pos') return vectors(value, (v) => applyLinear(v, this.#basis));
		return sameType(value, (q) => this.#turned(q, 'after'));
	}

	#turned(q: Float64Array, side: 'before' | 'after' | 'both'): Float64Array {
		let rotation = rotationOf(q);
		if (side !== 'before') rotation = multiply3(rotation, this.#basis);
		if (side !== 'after') rotation = multiply3(this.#inverse, rotation);
		// what rounding leaves of quarter turns
		return quaternionOf(rotation).map((x) => (Math.abs(x) < 1e-15 ? 0 : x));
	}

	#permuted(v: Float64Array): Float64Array {
		return applyLinear(v, this.#basis.map(Math.abs));
	}

	#conjugated(m: Float64Array): Float64Array {
		const linear = multiply3(multiply3(this.#inverse, linearPart(m)), this.#basis);
		return affine(linear, applyLinear(m.subarray(12, 15), this.#basis));
	}

	#axis(token: string): string {
		const axis = 'XYZ'.indexOf(token);
		if (axis < 0) return token;
		return 'XYZ'[[0, 1, 2].findIndex((k) => Math.abs(this.#basis[axis * 3 + k]!) > 0.5)] ?? token;
	}

	#mapBoxes(value: Value): Value {
		const { data } = value;
		if (!(data instanceof Float32Array) && !(data instanceof Float64Array)) return value;
		const out = data.slice();
		for (let at = 0; at + 5 < data.length; at += 6) {
			const low = applyLinear(data.subarray(at, at + 3), this.#basis);
			const high = applyLinear(data.subarray(at + 3, at + 6), this.#basis);
			const isEmpty = data[at]! > data[at + 3]!;
			for (let k = 0; k < 3; k++) {
				// an empty box stays empty: its low corner is the high one of everything
				out[at + k] = isEmpty ? data[at + k]! : Math.min(low[k]!, high[k]!);
				out[at + 3 + k] = isEmpty ? data[at + 3 + k]! : Math.max(low[k]!, high[k]!);
			}
		}
		return { type: value.type, data: out };
	}

	#mapTensor(value: Value): Value {
		const six = value.data;
		if (!(six instanceof Float64Array) || six.length !== 6) return value;
		const [xx, yy, zz, xy, xz, yz] = six as unknown as [number, number, number, number, number, number];
		const tensor = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
		const t = multiply3(multiply3(this.#inverse, tensor), this.#basis);
		return { type: value.type, data: Float64Array.of(t[0]!, t[4]!, t[8]!, t[1]!, t[2]!, t[5]!) };
	}
}

/** Maps triples of a value: one vector or many. */
function vectors(value: Value, map: (v: Float64Array) => Float64Array): Value {
	return chunks(value, 3, map);
}

function matrices(value: Value, map: (m: Float64Array) => Float64Array): Value {
	return chunks(value, 16, map);
}

/** Maps quaternions of a value, of whatever precision. */
function sameType(value: Value, map: (q: Float64Array) => Float64Array): Value {
	return chunks(value, 4, map);
}

function chunks(value: Value, size: number, map: (v: Float64Array) => Float64Array): Value {
	const type: ValueType = value.type;
	const { data } = value;
	if (type.width !== size) return value;
	const isHalf = data instanceof Uint16Array && type.component === 'half';
	if (!isHalf && !(data instanceof Float32Array) && !(data instanceof Float64Array)) return value;
	const out = data.slice();
	for (let at = 0; at + size <= data.length; at += size) {
		const part = Float64Array.from(data.subarray(at, at + size), isHalf ? halfToNumber : Number);
		const mapped = map(part);
		for (let k = 0; k < size; k++) out[at + k] = isHalf ? numberToHalf(mapped[k]!) : mapped[k]! + 0;
	}
	return { type, data: out };
}

/** The signed permutation that takes one signed axis to X and another to Z; undefined when they are not perpendicular. */
export function basisOf(forward: string, up: string): Float64Array | undefined {
	const vector = (text: string): number[] | undefined => {
		const [, sign, axis] = /^([+-]?)([xyz])$/i.exec(text) ?? [];
		if (axis === undefined) return undefined;
		return ['x', 'y', 'z'].map((name) => (name === axis.toLowerCase() ? (sign === '-' ? -1 : 1) : 0));
	};
	const x = vector(forward);
	const z = vector(up);
	if (x === undefined || z === undefined || x[0]! * z[0]! + x[1]! * z[1]! + x[2]! * z[2]! !== 0) return undefined;
	const y = [z[1]! * x[2]! - z[2]! * x[1]!, z[2]! * x[0]! - z[0]! * x[2]!, z[0]! * x[1]! - z[1]! * x[0]!];
	// columns are the new axes in the old ones: v · basis has the components along them
	return Float64Array.from([0, 1, 2].flatMap((row) => [x[row]! + 0, y[row]! + 0, z[row]! + 0]));
}
