import {
	mat3FromQuat,
	mat3RotateTensor,
	quatFromRotationVector,
	quatRotate,
	transformInvert,
	transformMultiply,
	transformPoint,
} from '@manyworlds/core/internal';
import { type ImportUsdResult, importUsd } from '@manyworlds/import';
import { solidMass } from '@manyworlds/mesh';
import {
	ArticulatedDynamics,
	GeoType,
	isHeightfield,
	JointType,
	type Model,
	ModelBuilder,
	ShapeFlags,
	UNLIMITED,
	WORLD,
} from '@manyworlds/model';
import type { PhysicsPart, PhysicsSnapshot } from '@manyworlds/rep158/internal';
import { Layer, makeValue, Path, SchemaRegistry, Stage, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { random } from '../../src/random-robots.ts';
import { type AssetFiles, openFiles } from './fixed-asset.ts';

/** What a model is asked about besides what it is made of. */
export interface ImportedModelOptions {
	/** Random poses, the same ones for every model of an asset. */
	readonly poses: number;
	/** Leads from paths of the asset to those that the answer has. */
	readonly moved?: ReadonlyMap<string, string>;
}

/**
 * The physics of an asset as the importer gives it, in metres, kilograms and radians, Z up: masses, centres of mass and inertia tensors in world axes,
 * anchors and axes of joints from both sides, limits, drives, friction, bounds and volumes of shapes where the asset rests, and how far each body is from
 * its rest at random joint coordinates. Nothing depends on how frames of bodies and joints lie in them.
 */
export function importedModel(files: AssetFiles, entry: string, options: ImportedModelOptions): PhysicsSnapshot {
	const { layer, store } = openFiles(files, entry);
	// nobody who says nothing about units means metres: USD falls back to centimetres, which fixes go by
	const hasUnit = layer.field(Path.root, 'metersPerUnit') !== undefined;
	const sessionLayer = Layer.create('units.usda');
	if (!hasUnit) sessionLayer.setField(Path.root, 'metersPerUnit', makeValue(T.double, 0.01) as Value);
	const stage = Stage.open(layer, { store, sessionLayer, schemas: SchemaRegistry.openUsd });
	const turned = dataOf(stage.metadata('upAxis'), T.token) ?? 'Y';
	if (turned === 'Y') sessionLayer.setField(Path.root, 'upAxis', makeValue(T.token, 'Y') as Value);
	const builder = new ModelBuilder();
	// whole hulls: which 64 vertices stand for one depends on the last digits of its points
	const result = importUsd(stage, builder, { meshMaxhullvert: -1 });
	return new ModelReader(builder.finalize({ skipValidation: true }), result, options).read();
}

type Entry = PhysicsSnapshot extends ReadonlyMap<string, infer E> ? E : never;

class ModelReader {
	readonly #model: Model;
	readonly #options: ImportedModelOptions;
	readonly #entries = new Map<string, Entry>();
	readonly #bodies: readonly string[];
	readonly #joints: readonly string[];
	readonly #shapes: readonly (string | undefined)[];
	/** Poses of bodies where the asset rests. */
	readonly #rest: Float64Array;
	readonly #dynamics: ArticulatedDynamics;
	/** What differences of positions are measured against: the farthest point of all [m]. */
	#reach = 0;

	constructor(model: Model, result: ImportUsdResult, options: ImportedModelOptions) {
		this.#model = model;
		this.#options = options;
		this.#bodies = this.#names(result.pathBodyMap, model.bodyCount).map((name, i) => name ?? model.bodyLabels[i]!);
		const joints = this.#names(result.pathJointMap, model.jointCount);
		this.#joints = joints.map((name, i) => name ?? `base of ${this.#bodies[model.jointChild[i]!]}`);
		this.#shapes = this.#names(result.pathShapeMap, model.shapeCount);
		this.#dynamics = new ArticulatedDynamics(model);
		this.#rest = this.#place(model.jointQ);
	}

	read(): PhysicsSnapshot {
		const model = this.#model;
		for (let shape = 0; shape < model.shapeCount; shape++) this.#shape(shape);
		for (let body = 0; body < model.bodyCount; body++) this.#body(body);
		for (let joint = 0; joint < model.jointCount; joint++) this.#joint(joint);
		for (let i = 0; i < model.constraintMimicCount; i++) {
			const [follower, leader] = [model.constraintMimicJoint0[i]!, model.constraintMimicJoint1[i]!];
			const name = this.#joints[follower]!;
			this.#add('joints', name, 'follows', this.#joints[leader]!);
			const coefficients = [
				model.constraintMimicCoef0[i]!,
				model.constraintMimicCoef1[i]!,
				model.constraintMimicEnabled[i]!,
			];
			this.#add('joints', name, 'mimic coefficients', coefficients);
		}
		this.#poses();
		return this.#entries;
	}

	/** Paths by index, as the answer has them. */
	#names(map: ReadonlyMap<string, number>, count: number): (string | undefined)[] {
		const names = new Array<string | undefined>(count).fill(undefined);
		for (const [path, index] of map) if (index >= 0) names[index] ??= this.#renamed(path);
		return names;
	}

	#renamed(path: string): string {
		const { moved } = this.#options;
		if (moved === undefined || moved.size === 0) return path;
		for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
			const to = moved.get(path.slice(0, end));
			if (to !== undefined) return to + path.slice(end);
		}
		return path;
	}

	#add(part: PhysicsPart, name: string, what: string, value: string | ArrayLike<number>, scale = 0): void {
		this.#entries.set(`<${name}> ${what}`, { part, value, scale });
	}

	#bodyName(index: number): string {
		return index === WORLD ? 'world' : this.#bodies[index]!;
	}

	#body(body: number): void {
		const model = this.#model;
		const name = this.#bodies[body]!;
		this.#add('bodies', name, 'flags', [model.bodyFlags[body]!]);
		this.#add('mass', name, 'mass', [model.bodyMass[body]!], model.bodyMass[body]!);
		this.#add('mass', name, 'centre of mass', this.#point(body, model.bodyCom, 3 * body), this.#reach);
		const rotation = mat3FromQuat(new Float64Array(9), this.#rest, 0, 7 * body + 3);
		const tensor = mat3RotateTensor(new Float64Array(9), model.bodyInertia, rotation, 0, 9 * body);
		this.#add('mass', name, 'inertia', tensor, Math.max(...tensor.map(Math.abs)));
	}

	/** A point of a body in the world, at rest. */
	#point(body: number, points: Float64Array, at: number): Float64Array {
		const out = new Float64Array(3);
		if (body === WORLD) out.set(points.subarray(at, at + 3));
		else transformPoint(out, this.#rest, points, 0, 7 * body, at);
		for (const x of out) if (Number.isFinite(x)) this.#reach = Math.max(this.#reach, Math.abs(x));
		return out;
	}

	/** A frame of a body in the world, at rest. */
	#frame(body: number, frames: Float64Array, at: number): Float64Array {
		if (body === WORLD) return frames.slice(at, at + 7);
		return transformMultiply(new Float64Array(7), this.#rest, frames, 0, 7 * body, at);
	}

	#joint(joint: number): void {
		const model = this.#model;
		const name = this.#joints[joint]!;
		const [parent, child] = [model.jointParent[joint]!, model.jointChild[joint]!];
		const type = model.jointType[joint]!;
		// what lets the root of a tree float
		if (type === JointType.FREE) return;
		this.#add('joints', name, 'bodies', `${this.#bodyName(parent)} ${this.#bodyName(child)}`);
		this.#add('joints', name, 'enabled', [model.jointEnabled[joint]!]);
		this.#add('articulations', name, 'in a tree', this.#isInTree(joint) ? 'yes' : 'no');
		this.#add('joints', name, 'anchor0', this.#point(parent, model.jointXP, 7 * joint), this.#reach);
		this.#add('joints', name, 'anchor1', this.#point(child, model.jointXC, 7 * joint), this.#reach);
		if (type === JointType.BALL || type === JointType.FIXED || type === JointType.DISTANCE) return;
		const sides = [this.#frame(parent, model.jointXP, 7 * joint), this.#frame(child, model.jointXC, 7 * joint)];
		this.#dofs(joint).forEach((dof, k) => {
			sides.forEach((frame, side) => {
				const axis = quatRotate(new Float64Array(3), frame, model.jointAxis, 0, 3, 3 * dof);
				this.#add('joints', name, `axis ${k} from body${side}`, axis, 1);
			});
			this.#add('limits', name, `limits ${k}`, [model.jointLimitLower[dof]!, model.jointLimitUpper[dof]!]);
			const drive = [
				model.jointTargetKe[dof]!,
				model.jointTargetKd[dof]!,
				model.jointTargetQd[dof]!,
				Math.min(model.jointEffortLimit[dof]!, UNLIMITED),
				model.jointTargetMode[dof]!,
			];
			this.#add('joints', name, `drive ${k}`, drive);
		});
	}

	#dofs(joint: number): number[] {
		const [start, end] = [this.#model.jointQdStart[joint]!, this.#model.jointQdStart[joint + 1]!];
		return Array.from({ length: end - start }, (_, k) => start + k);
	}

	#isInTree(joint: number): boolean {
		const { articulationStart, articulationEnd, articulationCount } = this.#model;
		for (let i = 0; i < articulationCount; i++)
			if (joint >= articulationStart[i]! && joint < articulationEnd[i]!) return true;
		return false;
	}

	#shape(shape: number): void {
		const model = this.#model;
		const name = this.#shapes[shape];
		// what the importer shows for a collider of another form
		if (name === undefined) return;
		const collides = (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
		const part = collides ? 'colliders' : 'geometry';
		this.#add(part, name, 'body', `${this.#bodyName(model.shapeBody[shape]!)}`);
		const frame = this.#frame(model.shapeBody[shape]!, model.shapeTransform, 7 * shape);
		const bounds = shapeBounds(model, shape, frame);
		if (bounds !== undefined) {
			this.#reach = Math.max(this.#reach, ...bounds.map(Math.abs));
			this.#add(part, name, 'bounds', bounds, Math.max(...bounds.map(Math.abs)));
		}
		if (!collides) return;
		const volume = shapeVolume(model, shape);
		if (volume !== undefined) this.#add('colliders', name, 'volume', [volume], volume);
		const material = [model.shapeMaterialMu[shape]!, model.shapeMaterialRestitution[shape]!];
		this.#add('friction', name, 'friction and restitution', material);
	}

	/** How far bodies are from their rest at random coordinates: a rotation, and where the centre of mass goes. */
	#poses(): void {
		const model = this.#model;
		const order = this.#joints.map((name, joint) => ({ name, joint })).sort((a, b) => (a.name < b.name ? -1 : 1));
		for (let pose = 0; pose < this.#options.poses; pose++) {
			const q = Float64Array.from(model.jointQ);
			for (const { name, joint } of order) this.#move(joint, q, random(hash(`${name} ${pose}`)));
			const placed = this.#place(q);
			for (let body = 0; body < model.bodyCount; body++) {
				const inverse = transformInvert(new Float64Array(7), this.#rest, 0, 7 * body);
				const change = transformMultiply(new Float64Array(7), placed, inverse, 0, 7 * body);
				const com = transformPoint(new Float64Array(3), placed, model.bodyCom, 0, 7 * body, 3 * body);
				const name = this.#bodies[body]!;
				this.#add('articulations', name, `turn in pose ${pose}`, mat3FromQuat(new Float64Array(9), change, 0, 3), 1);
				const scale = Math.max(this.#reach, ...com.map(Math.abs));
				this.#add('articulations', name, `centre of mass in pose ${pose}`, com, scale);
			}
		}
	}

	#place(jointQ: Float64Array): Float64Array {
		const { bodyQ, bodyCount, jointDofCount } = this.#model;
		const state = {
			jointQ,
			jointQd: new Float64Array(jointDofCount),
			bodyQ: Float64Array.from(bodyQ),
			bodyQd: new Float64Array(6 * bodyCount),
		};
		this.#dynamics.forwardKinematics(state);
		return state.bodyQ;
	}

	/** Moves a joint by what `next` gives, whatever frames it is described in. */
	#move(joint: number, q: Float64Array, next: () => number): void {
		const model = this.#model;
		const at = model.jointQStart[joint]!;
		const type = model.jointType[joint]!;
		if (type === JointType.FIXED) return;
		if (type === JointType.BALL || type === JointType.FREE || type === JointType.DISTANCE) {
			// a motion of the world, seen from the anchor at rest
			const change = new Float64Array(7);
			quatFromRotationVector(change, Float64Array.of(next(), next(), next()), 3);
			if (type !== JointType.BALL) for (let i = 0; i < 3; i++) change[i] = next();
			const anchor = this.#frame(model.jointParent[joint]!, model.jointXP, 7 * joint);
			if (type === JointType.BALL) anchor.fill(0, 0, 3);
			const inverse = transformInvert(new Float64Array(7), anchor);
			const motion = type === JointType.BALL ? Float64Array.of(0, 0, 0, 0, 0, 0, 0) : q.slice(at, at + 7);
			if (type === JointType.BALL) motion.set(q.subarray(at, at + 4), 3);
			const out = new Float64Array(7);
			transformMultiply(out, anchor, motion);
			transformMultiply(out, change, out);
			transformMultiply(out, inverse, out);
			if (type === JointType.BALL) q.set(out.subarray(3), at);
			else q.set(out, at);
			return;
		}
		const linear = model.jointDofDim[2 * joint]!;
		this.#dofs(joint).forEach((_, k) => {
			q[at + k] = (k < linear ? 1 : Math.PI) * next();
		});
	}
}

/** Bounds of a shape in a frame, low then high; undefined for planes and heightfields. */
function shapeBounds(model: Model, shape: number, frame: Float64Array): Float64Array | undefined {
	const r = mat3FromQuat(new Float64Array(9), frame, 0, 3);
	const [sx, sy, sz] = model.shapeScale.subarray(3 * shape, 3 * shape + 3) as unknown as [number, number, number];
	const type = model.shapeType[shape]!;
	const source = model.shapeSources[shape];
	const out = new Float64Array(6);
	for (let k = 0; k < 3; k++) {
		const [x, y, z] = [r[k]!, r[3 + k]!, r[6 + k]!];
		let [low, high] = [0, 0];
		const even = (reach: number): void => {
			[low, high] = [-reach, reach];
		};
		const disc = sx * Math.hypot(x, y);
		if (type === GeoType.SPHERE) even(sx);
		else if (type === GeoType.ELLIPSOID) even(Math.hypot(x * sx, y * sy, z * sz));
		else if (type === GeoType.BOX) even(Math.abs(x * sx) + Math.abs(y * sy) + Math.abs(z * sz));
		else if (type === GeoType.CAPSULE) even(sx + Math.abs(z * sy));
		else if (type === GeoType.CYLINDER) even(disc + Math.abs(z * sy));
		else if (type === GeoType.CONE) {
			low = Math.min(z * sy, -z * sy - disc);
			high = Math.max(z * sy, -z * sy + disc);
		} else if (source != null && !isHeightfield(source)) {
			[low, high] = [Infinity, -Infinity];
			const { vertices } = source;
			for (let i = 0; i < vertices.length; i += 3) {
				const along = x * sx * vertices[i]! + y * sy * vertices[i + 1]! + z * sz * vertices[i + 2]!;
				if (along < low) low = along;
				if (along > high) high = along;
			}
		} else return undefined;
		out[k] = frame[k]! + low;
		out[3 + k] = frame[k]! + high;
	}
	return out;
}

/** Volume of a shape [m³]; undefined for planes and heightfields. */
function shapeVolume(model: Model, shape: number): number | undefined {
	const [sx, sy, sz] = model.shapeScale.subarray(3 * shape, 3 * shape + 3) as unknown as [number, number, number];
	const source = model.shapeSources[shape];
	switch (model.shapeType[shape]!) {
		case GeoType.SPHERE:
			return (4 / 3) * Math.PI * sx ** 3;
		case GeoType.ELLIPSOID:
			return (4 / 3) * Math.PI * sx * sy * sz;
		case GeoType.BOX:
			return 8 * sx * sy * sz;
		case GeoType.CAPSULE:
			return Math.PI * sx ** 2 * ((4 / 3) * sx + 2 * sy);
		case GeoType.CYLINDER:
			return Math.PI * sx ** 2 * 2 * sy;
		case GeoType.CONE:
			return (Math.PI * sx ** 2 * 2 * sy) / 3;
		default:
			if (source == null || isHeightfield(source)) return undefined;
			return solidMass(source).volume * Math.abs(sx * sy * sz);
	}
}

/** A number for a text, the same every time (FNV-1a). */
function hash(text: string): number {
	let state = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
	return state;
}
