import { type Path, type Prim, type Stage, T, XformCache } from '@manyworlds/usd';
import { boundMaterial, dataOf, isXformable } from '@manyworlds/usd/internal';
import {
	authoredNumber,
	authoredNumbers,
	bodyOf,
	hasSchema,
	isBody,
	isCollider,
	isJoint,
	readBool,
	readNumber,
	readNumbers,
	readText,
} from '../../asset/read-values.ts';
import type { PhysicsPart } from './fixer.ts';
import { applyLinear, applyMatrix, linearPart, multiply3, rotationOf, splitMatrix, transpose3 } from './linear.ts';
import { timeCodesPerSecond } from './sampled-attributes.ts';

/** One number or text of an asset's physics. */
interface Entry {
	readonly part: PhysicsPart;
	readonly value: string | ArrayLike<number>;
	/** What differences are measured against besides the values themselves. */
	readonly scale: number;
	/** Whether the entry may be there on one side only: fixes bring and take prims that nothing hangs on. */
	readonly isOptional?: boolean;
}

/** What an asset weighs, where its shapes are and how it moves, in metres, kilograms, radians and Z up, in world axes. */
export type PhysicsSnapshot = ReadonlyMap<string, Entry>;

/** Takes the numbers that no fix may change unless it is about them. */
export function takeSnapshot(stage: Stage, options: SnapshotOptions = {}): PhysicsSnapshot {
	return new SnapshotMaker(stage, options).make();
}

/** How a snapshot is taken. */
export interface SnapshotOptions {
	/** Leads from paths of the stage to those that the snapshot has. */
	readonly moved?: ReadonlyMap<Path, Path>;
	/** Turns the world, Z up, before it is looked at: 3 × 3, row vectors. */
	readonly turn?: Float64Array;
	/** Times in seconds at which everything is looked at besides the default time. */
	readonly times?: readonly number[];
	/** What was moved, and is looked at as if it had not been. */
	readonly shift?: Shift;
}

/** Everything below a prim moved in its space. */
export interface Shift {
	readonly prim: Path;
	/** In units of the stage. */
	readonly offset: ArrayLike<number>;
}

/** The first few differences of two snapshots, as sentences, leaving some parts out. */
export function compareSnapshots(
	before: PhysicsSnapshot,
	after: PhysicsSnapshot,
	options: { readonly except?: readonly PhysicsPart[]; readonly tolerance?: number; readonly most?: number } = {},
): string[] {
	const { except = [], tolerance = 1e-5, most = 5 } = options;
	const found: string[] = [];
	for (const key of new Set([...before.keys(), ...after.keys()])) {
		const a = before.get(key);
		const b = after.get(key);
		if (except.includes((a ?? b)!.part)) continue;
		if ((a === undefined || b === undefined) && (a ?? b)!.isOptional === true) continue;
		if (a === undefined || b === undefined) found.push(`${key} is there only ${b === undefined ? 'before' : 'after'}`);
		else if (!isSame(a, b, tolerance)) found.push(`${key} is ${shown(b)}, it was ${shown(a)}`);
		if (found.length >= most) break;
	}
	return found;
}

const DEGREES = Math.PI / 180;
const AXES: Readonly<Record<string, readonly number[]>> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };
/** Row vectors of a Y-up stage to Z up: (x, y, z) becomes (x, -z, y). */
const Y_TO_Z = Float64Array.of(1, 0, 0, 0, 0, 1, 0, -1, 0);
const SAME = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

class SnapshotMaker {
	readonly #stage: Stage;
	/** Transforms at the default time, then at each time that is asked for. */
	readonly #transforms: XformCache;
	readonly #moments: readonly XformCache[];
	readonly #shift: Shift | undefined;
	readonly #entries = new Map<string, Entry>();
	readonly #moved: ReadonlyMap<Path, Path>;
	readonly #metres: number;
	readonly #kilograms: number;
	readonly #basis: Float64Array;

	constructor(stage: Stage, { moved = new Map(), turn = SAME, times = [], shift }: SnapshotOptions) {
		this.#stage = stage;
		this.#moved = moved;
		this.#shift = shift;
		this.#transforms = new XformCache();
		const rate = timeCodesPerSecond(stage);
		this.#moments = times.map((seconds) => new XformCache({ time: seconds * rate }));
		this.#metres = dataOf(stage.metadata('metersPerUnit'), T.double) ?? 0.01;
		this.#kilograms = dataOf(stage.metadata('kilogramsPerUnit'), T.double) ?? 1;
		this.#basis = multiply3(dataOf(stage.metadata('upAxis'), T.token) === 'Z' ? SAME : Y_TO_Z, turn);
	}

	make(): PhysicsSnapshot {
		for (const prim of this.#stage.traverse({ instanceProxies: true })) {
			if (prim.isA('Gprim')) this.#shape(prim);
			if (isBody(prim)) this.#body(prim);
			if (isJoint(prim)) this.#joint(prim);
			else if (this.#moments.length > 0 && isXformable(prim)) this.#motion(prim);
			if (hasSchema(prim, 'PhysicsArticulationRootAPI')) this.#add('articulations', prim, 'root', 'yes');
		}
		return this.#entries;
	}

	/** The transform of a prim to the world, as it was before everything moved. */
	#world(prim: Prim, transforms = this.#transforms): Float64Array {
		const world = transforms.worldTransform(prim);
		const root = this.#shift && prim.path.hasPrefix(this.#shift.prim) && this.#stage.prim(this.#shift.prim);
		if (!root || prim.path === this.#shift!.prim) return world;
		const offset = applyLinear(this.#shift!.offset, linearPart(transforms.worldTransform(root)));
		return world.map((x, i) => (i >= 12 && i <= 14 ? x - offset[i - 12]! : x));
	}

	/** Where a prim is over time: bounds of a shape, the origin of another prim. */
	#motion(prim: Prim): void {
		const isShape = prim.isA('Gprim');
		const values: number[] = [];
		for (const transforms of this.#moments) {
			const world = this.#world(prim, transforms);
			const seen = isShape ? shapeBounds(prim, world, this.#basis, transforms.time) : undefined;
			values.push(...(seen ?? applyLinear(world.subarray(12, 15), this.#basis)));
		}
		const metres = values.map((x) => x * this.#metres);
		const part = isShape ? (isCollider(prim) ? 'colliders' : 'geometry') : isBody(prim) ? 'bodies' : 'geometry';
		const size = Math.max(...metres.map(Math.abs));
		const key = `<${this.#pathOf(prim.path)}> ${isShape ? 'bounds' : 'origin'} over time`;
		const isOptional = !isShape && !isBody(prim);
		this.#entries.set(key, { part, value: metres, scale: isShape ? size : 0, isOptional });
	}

	#add(part: PhysicsPart, prim: Prim, name: string, value: Entry['value'] | undefined, scale = 0): void {
		if (value !== undefined) this.#entries.set(`<${this.#pathOf(prim.path)}> ${name}`, { part, value, scale });
	}

	#pathOf(path: Path): Path {
		for (let at: Path | null = path; at !== null; at = at.parent) {
			const to = this.#moved.get(at);
			if (to !== undefined) return path.replacePrefix(at, to);
		}
		return path;
	}

	#point(p: ArrayLike<number>): Float64Array {
		return applyLinear(p, this.#basis).map((x) => x * this.#metres);
	}

	#direction(d: ArrayLike<number>): Float64Array {
		const turned = applyLinear(d, this.#basis);
		const length = Math.hypot(...turned);
		return length > 0 ? turned.map((x) => x / length) : turned;
	}

	#shape(prim: Prim): void {
		const world = this.#world(prim);
		const bounds = shapeBounds(prim, world, this.#basis);
		const part = isCollider(prim) ? 'colliders' : 'geometry';
		if (bounds !== undefined) {
			const size = Math.max(...bounds.map((x) => Math.abs(x))) * this.#metres;
			this.#add(
				part,
				prim,
				'bounds',
				bounds.map((x) => x * this.#metres),
				size,
			);
		}
		if (!isCollider(prim)) return;
		const body = bodyOf(prim);
		this.#add('colliders', prim, 'body', body === undefined ? 'world' : this.#pathOf(body.path).toString());
		const density = authoredNumber(prim, 'physics:density');
		if (density !== undefined) {
			this.#add('mass', prim, 'density', [(density * this.#kilograms) / this.#metres ** 3]);
		}
		const material = boundMaterial(prim, 'physics');
		if (material === undefined || !hasSchema(material.material, 'PhysicsMaterialAPI')) return;
		const values = ['staticFriction', 'dynamicFriction', 'restitution'].map(
			(name) => readNumber(material.material, `physics:${name}`) ?? 0,
		);
		this.#add('friction', prim, 'friction and restitution', values);
	}

	#body(prim: Prim): void {
		const world = this.#world(prim);
		const mass = authoredNumber(prim, 'physics:mass') ?? 0;
		this.#add('mass', prim, 'mass', [mass * this.#kilograms]);
		this.#add('bodies', prim, 'kinematic', readBool(prim, 'physics:kinematicEnabled') === true ? 'yes' : 'no');
		const centre = authoredNumbers(prim, 'physics:centerOfMass');
		if (centre?.every(Number.isFinite))
			this.#add('mass', prim, 'centre of mass', this.#point(applyMatrix(centre, world)));
		const tensor = inertiaOf(prim, world);
		if (tensor === undefined) return;
		const turned = multiply3(multiply3(transpose3(this.#basis), tensor), this.#basis);
		const unit = this.#kilograms * this.#metres ** 2;
		this.#add(
			'mass',
			prim,
			'inertia',
			turned.map((x) => x * unit),
			Math.max(...turned.map(Math.abs)) * unit,
		);
	}

	#joint(prim: Prim): void {
		const sides = [0, 1].map((index) => this.#side(prim, index));
		sides.forEach((side, index) => {
			this.#add('joints', prim, `body${index}`, side.body);
			this.#add('joints', prim, `anchor${index}`, this.#point(side.anchor));
		});
		this.#add('joints', prim, 'excluded', readBool(prim, 'physics:excludeFromArticulation') === true ? 'yes' : 'no');
		const axis = AXES[readText(prim, 'physics:axis') ?? 'X'] ?? AXES.X!;
		const isTurning = prim.typeName === 'PhysicsRevoluteJoint';
		if (isTurning || prim.typeName === 'PhysicsPrismaticJoint' || prim.typeName === 'PhysicsSphericalJoint') {
			sides.forEach(({ rotation }, index) => {
				this.#add('joints', prim, `axis${index}`, this.#direction(applyLinear(axis, rotation)));
			});
		}
		if (isTurning || prim.typeName === 'PhysicsPrismaticJoint') {
			const rotation = rotationOf(readNumbers(prim, 'physics:localRot0') ?? [0, 0, 0, 1]);
			const along = applyLinear(applyLinear(axis, rotation), linearPart(sides[0]!.matrix));
			const unit = isTurning ? DEGREES : this.#metres * Math.hypot(...along);
			for (const name of ['lowerLimit', 'upperLimit']) {
				const limit = authoredNumber(prim, `physics:${name}`);
				if (limit !== undefined) this.#add('limits', prim, name, [limit * unit]);
			}
		}
		for (const schema of prim.authoredSchemas ?? []) {
			if (schema.startsWith('PhysicsDriveAPI:')) this.#drive(prim, schema.slice('PhysicsDriveAPI:'.length));
		}
	}

	#side(
		joint: Prim,
		index: number,
	): { body: string; anchor: Float64Array; rotation: Float64Array; matrix: Float64Array } {
		const [target] = joint.relationship(`physics:body${index}`).targets();
		const prim = target === undefined ? undefined : this.#stage.prim(target);
		const matrix =
			prim === undefined ? Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) : this.#world(prim);
		const position = readNumbers(joint, `physics:localPos${index}`) ?? [0, 0, 0];
		const local = rotationOf(readNumbers(joint, `physics:localRot${index}`) ?? [0, 0, 0, 1]);
		const body = bodyOf(prim);
		return {
			body: body === undefined ? 'world' : this.#pathOf(body.path).toString(),
			anchor: applyMatrix(position, matrix),
			rotation: multiply3(local, splitMatrix(matrix)?.rotation ?? linearPart(matrix)),
			matrix,
		};
	}

	#drive(prim: Prim, name: string): void {
		const get = (key: string): number => readNumber(prim, `drive:${name}:physics:${key}`) ?? 0;
		const isTurning = /^(?:angular|rot[XYZ])$/.test(name);
		const isAcceleration = readText(prim, `drive:${name}:physics:type`) === 'acceleration';
		const mass = this.#kilograms * (isTurning ? this.#metres ** 2 : 1);
		const gain = isAcceleration ? 1 : mass / (isTurning ? DEGREES : 1);
		const unit = isTurning ? DEGREES : this.#metres;
		const force = this.#kilograms * (isTurning ? this.#metres ** 2 : this.#metres);
		this.#add('joints', prim, `drive ${name}`, [
			get('stiffness') * gain,
			get('damping') * gain,
			get('targetPosition') * unit,
			get('targetVelocity') * unit,
			Math.min(get('maxForce') * force, 1e38),
		]);
	}
}

/** Inertia tensor about the centre of mass in world axes and stage units; undefined when nobody gives one. */
function inertiaOf(prim: Prim, world: Float64Array): Float64Array | undefined {
	const rotation = splitMatrix(world)?.rotation;
	if (rotation === undefined) return undefined;
	const six = hasSchema(prim, 'NewtonMassAPI') ? authoredNumbers(prim, 'newton:inertia') : undefined;
	let tensor: Float64Array;
	let turn = rotation;
	if (six?.length === 6) {
		const [xx, yy, zz, xy, xz, yz] = six as unknown as [number, number, number, number, number, number];
		tensor = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
	} else {
		const diagonal = authoredNumbers(prim, 'physics:diagonalInertia');
		if (diagonal === undefined || diagonal.every((x) => x === 0)) return undefined;
		tensor = Float64Array.of(diagonal[0]!, 0, 0, 0, diagonal[1]!, 0, 0, 0, diagonal[2]!);
		const axes = authoredNumbers(prim, 'physics:principalAxes');
		if (axes !== undefined) turn = multiply3(rotationOf(axes), rotation);
	}
	return multiply3(multiply3(transpose3(turn), tensor), turn);
}

/** Bounds of a shape under a matrix, low then high, in the axes of `basis`; undefined without any extent. */
function shapeBounds(prim: Prim, world: Float64Array, basis: Float64Array, time?: number): Float64Array | undefined {
	const a = multiply3(linearPart(world), basis);
	const t = applyLinear(world.subarray(12, 15), basis);
	const boxed = (half: ArrayLike<number>): Float64Array => {
		const reach = [0, 1, 2].map(
			(k) => Math.abs(half[0]! * a[k]!) + Math.abs(half[1]! * a[3 + k]!) + Math.abs(half[2]! * a[6 + k]!),
		);
		return Float64Array.of(...[0, 1, 2].map((k) => t[k]! - reach[k]!), ...[0, 1, 2].map((k) => t[k]! + reach[k]!));
	};
	const disc = (radius: number, axis: number): Float64Array =>
		Float64Array.from([0, 1, 2], (k) => {
			let sum = 0;
			for (let row = 0; row < 3; row++) if (row !== axis) sum += a[row * 3 + k]! ** 2;
			return radius * Math.sqrt(sum);
		});
	const ball = (radius: number): Float64Array =>
		Float64Array.from([0, 1, 2], (k) => radius * Math.hypot(a[k]!, a[3 + k]!, a[6 + k]!));
	switch (prim.typeName) {
		case 'Cube': {
			const half = (readNumber(prim, 'size', time) ?? 2) / 2;
			return boxed([half, half, half]);
		}
		case 'Sphere': {
			const reach = ball(readNumber(prim, 'radius', time) ?? 1);
			return Float64Array.of(...[0, 1, 2].map((k) => t[k]! - reach[k]!), ...[0, 1, 2].map((k) => t[k]! + reach[k]!));
		}
		case 'Cylinder':
		case 'Capsule':
		case 'Cone': {
			const axis = 'XYZ'.indexOf(readText(prim, 'axis') ?? 'Z');
			const half = (readNumber(prim, 'height', time) ?? (prim.typeName === 'Capsule' ? 1 : 2)) / 2;
			const radius = readNumber(prim, 'radius', time) ?? (prim.typeName === 'Capsule' ? 0.5 : 1);
			const round = prim.typeName === 'Capsule' ? ball(radius) : disc(radius, axis);
			const low = [0, 0, 0];
			const high = [0, 0, 0];
			for (let k = 0; k < 3; k++) {
				const along = half * a[axis * 3 + k]!;
				// a cone has its disc at the low end and its tip at the high one
				const tip = prim.typeName === 'Cone' ? 0 : round[k]!;
				low[k] = t[k]! + Math.min(-along - round[k]!, along - tip);
				high[k] = t[k]! + Math.max(-along + round[k]!, along + tip);
			}
			return Float64Array.of(...low, ...high);
		}
		default: {
			const points = readNumbers(prim, 'points', time);
			if (points === undefined || points.length < 3) return undefined;
			const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
			for (let i = 0; i < points.length; i += 3) {
				for (let k = 0; k < 3; k++) {
					const x = points[i]! * a[k]! + points[i + 1]! * a[3 + k]! + points[i + 2]! * a[6 + k]! + t[k]!;
					if (x < bounds[k]!) bounds[k] = x;
					if (x > bounds[3 + k]!) bounds[3 + k] = x;
				}
			}
			return bounds;
		}
	}
}

function isSame(a: Entry, b: Entry, tolerance: number): boolean {
	if (typeof a.value === 'string' || typeof b.value === 'string') return a.value === b.value;
	if (a.value.length !== b.value.length) return false;
	for (let i = 0; i < a.value.length; i++) {
		const x = a.value[i]!;
		const y = b.value[i]!;
		if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
		const size = Math.max(Math.abs(x), Math.abs(y), a.scale, b.scale);
		// quantities without a scale of their own are compared with one as well: a centre of mass near the origin is not exact
		if (!(Math.abs(x - y) <= tolerance * (a.scale > 0 ? size : 1 + size))) return false;
	}
	return true;
}

function shown({ value }: Entry): string {
	return typeof value === 'string' ? value : `(${Array.from(value, (x) => Number(x.toPrecision(8))).join(', ')})`;
}
