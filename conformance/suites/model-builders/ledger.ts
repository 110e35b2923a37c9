import type { Json, JsonObject } from '../../src/json.ts';
import type { ExpectedResult, Golden, Program, ProgramBuilder, ProgramOp } from './golden.ts';
import {
	correctMass,
	invert3,
	mergeOfReference,
	meshPiece,
	meshPieceOfReference,
	type Piece,
	pieceOfInertia,
	placePiece,
	rotate,
	solidPiece,
	sumPieces,
} from './ledger-mass.ts';

/** What a program must give, found by a plain interpreter: for the arrays that the reference gets wrong. */
export interface Ledger {
	/** By Newton's name. */
	readonly arrays: { readonly [name: string]: readonly number[] };
	/** Sorted pairs, the smaller index first. */
	readonly filterPairs: readonly (readonly [number, number])[];
	/** Values of attributes of bodies, joints, degrees of freedom, coordinates and shapes, by key; a list of numbers each. */
	readonly attributes: ReadonlyMap<string, readonly number[]>;
	/** Bodies whose mass or inertia is not physical. */
	readonly correctedBodies: number;
}

type Values = ReadonlyMap<string, Json>;

interface Body {
	readonly pieces: Piece[];
	readonly isLocked: boolean;
	readonly world: number;
	readonly values: Values;
}

interface Shape {
	body: Body | undefined;
	readonly world: number;
	readonly collides: boolean;
	readonly filtersParent: boolean;
	readonly group: number;
	readonly values: Values;
}

interface Joint {
	readonly type: string;
	readonly world: number;
	parent: Body | undefined;
	child: Body;
	readonly turn: readonly number[];
	readonly filtersParent: boolean;
	readonly qd: number[];
	readonly values: Values;
	readonly dofValues: Values[];
	readonly coordValues: Values[];
}

interface Attribute {
	readonly frequency: string;
	readonly type: string;
	readonly default: Json | undefined;
}

const SIZES: Readonly<Record<string, readonly [dofs: number, coords: number]>> = {
	addJointRevolute: [1, 1],
	addJointPrismatic: [1, 1],
	addJointBall: [3, 4],
	addJointFixed: [0, 0],
	addJointFree: [6, 7],
	addJointDistance: [6, 7],
};

/**
 * Interprets a program; refused calls and the maps of collapses are taken from the expected outcomes. With `likeReference`
 * the known faults of the reference are made as well, so that each of its numbers can be compared.
 */
export function interpret(golden: Golden, likeReference: boolean): Ledger {
	const builders = new Map<string, Interpreter>();
	let main: Interpreter | undefined;
	golden.program.builders.forEach((builder, i) => {
		main = new Interpreter(golden.program, builder, builders, likeReference);
		builder.ops.forEach((op, k) => {
			const expected = golden.outcomes[i]!.results[k]!;
			if (expected.error === undefined) main!.run(op, expected);
		});
		builders.set(builder.name, main);
	});
	return main!.finish();
}

class Interpreter {
	readonly #program: Program;
	readonly #settings: JsonObject;
	readonly #others: ReadonlyMap<string, Interpreter>;
	readonly #likeReference: boolean;
	bodies: Body[] = [];
	shapes: Shape[] = [];
	joints: Joint[] = [];
	readonly pairs = new Map<Shape, Set<Shape>>();
	readonly attributes = new Map<string, Attribute>();
	/** Values by key and index, which the reference does not renumber when entities vanish (collapse-attributes). */
	readonly indexed = new Map<string, Map<number, Json>>();
	readonly worldGravity: (readonly number[] | undefined)[] = [];
	gravity: readonly number[];
	#world = -1;

	constructor(
		program: Program,
		builder: ProgramBuilder,
		others: ReadonlyMap<string, Interpreter>,
		likeReference: boolean,
	) {
		this.#likeReference = likeReference;
		this.#program = program;
		this.#settings = builder.settings;
		this.#others = others;
		const up = 'XYZ'.indexOf((builder.settings.upAxis as string | undefined) ?? 'Z');
		this.gravity = (builder.settings.gravity as number[] | undefined) ?? [0, 1, 2].map((k) => (k === up ? -9.81 : 0));
	}

	run({ op, args }: ProgramOp, expected: ExpectedResult): void {
		const a = args as Readonly<Record<string, number>>;
		if (op === 'addLink' || op === 'addBody') this.#addBody(op, args);
		else if (op.startsWith('addJoint')) this.#addJoint(op, args);
		else if (op.startsWith('addShape') || op === 'addGroundPlane' || op === 'addSite') this.#addShape(op, args);
		else if (op === 'addCollisionFilterPair') this.#filter(this.shapes[a.shapeA!]!, this.shapes[a.shapeB!]!);
		else if (op === 'beginWorld') this.#beginWorld(args.gravity as number[] | undefined);
		else if (op === 'endWorld') this.#world = -1;
		else if (op === 'declareAttribute') this.#declare(args);
		else if (op === 'setJointQd') this.#setVelocities(a.start!, args.values as number[]);
		else if (op === 'collapseFixedJoints') this.#collapse(expected.result as JsonObject);
		else if (op === 'addBuilder' || op === 'addWorld' || op === 'replicate') this.#merge(op, args);
		else if (!UNINTERESTING.has(op)) throw new TypeError(`unknown call '${op}'`);
	}

	finish(): Ledger {
		const arrays: Record<string, number[]> = {
			body_inertia: [],
			body_inv_inertia: [],
			body_mass: [],
			body_com: [],
			body_inv_mass: [],
		};
		let correctedBodies = 0;
		for (const body of this.bodies) {
			const sum = sumPieces(body.pieces);
			const { mass, inertia, corrected } = correctMass(sum.mass, sum.inertia, this.#settings as object);
			if (corrected) correctedBodies++;
			arrays.body_mass!.push(mass);
			arrays.body_inv_mass!.push(mass > 0 ? 1 / mass : 0);
			arrays.body_com!.push(...sum.com);
			arrays.body_inertia!.push(...inertia);
			arrays.body_inv_inertia!.push(...(mass > 0 ? invert3(inertia) : new Array<number>(9).fill(0)));
		}
		arrays.joint_qd = this.joints.flatMap((joint) => joint.qd);
		const rows = this.worldGravity.map((gravity) => gravity ?? this.gravity);
		// rows of worlds, then of global entities; one row when no world was begun
		arrays.gravity = [...rows, this.gravity].flat();
		arrays.body_world = this.bodies.map((body) => body.world);
		arrays.joint_world = this.joints.map((joint) => joint.world);
		arrays.shape_world = this.shapes.map((shape) => shape.world);
		const index = new Map(this.shapes.map((shape, i) => [shape, i] as const));
		const filtered = new Set<string>();
		for (const [first, others] of this.pairs) {
			for (const second of others) {
				const [i, j] = [index.get(first)!, index.get(second)!];
				filtered.add(`${Math.min(i, j)},${Math.max(i, j)}`);
			}
		}
		const toPair = (text: string): [number, number] => text.split(',').map(Number) as [number, number];
		arrays.shape_contact_pairs = this.#contactPairs(filtered).flat();
		return {
			arrays,
			filterPairs: [...filtered].map(toPair).sort((x, y) => x[0] - y[0] || x[1] - y[1]),
			attributes: this.#attributeValues(),
			correctedBodies,
		};
	}

	#beginWorld(gravity: readonly number[] | undefined): void {
		this.#world = this.worldGravity.push(this.#likeReference ? (gravity ?? this.gravity) : gravity) - 1;
	}

	#addBody(op: string, args: JsonObject): void {
		const mass = (args.mass as number | undefined) ?? 0;
		const com = (args.com as number[] | undefined) ?? [0, 0, 0];
		const inertia = (args.inertia as number[] | undefined) ?? new Array<number>(9).fill(0);
		const body: Body = {
			pieces: [pieceOfInertia(mass, com, inertia)],
			isLocked: args.lockInertia === true,
			world: this.#world,
			values: valuesOf(args),
		};
		this.#index('body', this.bodies.length, body.values);
		this.bodies.push(body);
		if (op === 'addBody') this.#addJoint('addJointFree', { child: this.bodies.length - 1 });
	}

	#addJoint(op: string, args: JsonObject): void {
		const parent = this.bodies[(args.parent as number | undefined) ?? -1];
		const axes = ['linearAxes', 'angularAxes'].map((key) => (args[key] as Json[] | undefined)?.length ?? 0);
		const [dofs, coords] = SIZES[op] ?? [axes[0]! + axes[1]!, axes[0]! + axes[1]!];
		const filtersParent =
			(args.collisionFilterParent as boolean | undefined) ?? (parent !== undefined || op === 'addJointFixed');
		const joint: Joint = {
			type: op,
			world: this.#world,
			parent,
			child: this.bodies[args.child as number]!,
			turn: ((args.parentXform as number[] | undefined) ?? [0, 0, 0, 0, 0, 0, 1]).slice(3),
			filtersParent,
			qd: new Array<number>(dofs).fill(0),
			values: valuesOf(args),
			dofValues: this.#spread(args, 'joint_dof', dofs),
			coordValues: this.#spread(args, 'joint_coord', coords),
		};
		this.#index('joint', this.joints.length, joint.values);
		const [dof, coord] = this.#sizes();
		joint.dofValues.forEach((values, i) => void this.#index('joint_dof', dof + i, values));
		joint.coordValues.forEach((values, i) => void this.#index('joint_coord', coord + i, values));
		this.joints.push(joint);
		this.#filterAlong(joint);
	}

	#addShape(op: string, args: JsonObject): void {
		const cfg = {
			...(this.#settings.defaultShapeCfg as JsonObject | undefined),
			...(args.cfg as JsonObject | undefined),
		};
		const isSite = op === 'addSite';
		const body = this.bodies[(args.body as number | undefined) ?? -1];
		const shape: Shape = {
			body,
			world: this.#world,
			collides: !isSite && cfg.hasShapeCollision !== false,
			filtersParent: cfg.collisionFilterParent !== false,
			group: isSite ? 0 : ((cfg.collisionGroup as number | undefined) ?? 1),
			values: valuesOf(args),
		};
		this.#index('shape', this.shapes.length, shape.values);
		this.shapes.push(shape);
		for (const joint of this.joints) this.#filterAlong(joint, shape);
		const isMassless = isSite || op === 'addShapePlane' || op === 'addGroundPlane';
		const density = (cfg.density as number | undefined) ?? 1000;
		if (isMassless || density === 0 || body === undefined || body.isLocked) return;
		const wall = cfg.isSolid === false ? ((cfg.margin as number | undefined) ?? 0) : undefined;
		const pose = (args.xform as number[] | undefined) ?? [0, 0, 0, 0, 0, 0, 1];
		for (const piece of this.#pieces(op, args, density, wall)) body.pieces.push(placePiece(piece, pose));
	}

	#pieces(op: string, args: JsonObject, density: number, wall: number | undefined): Piece[] {
		if (op === 'addShapeMesh' || op === 'addShapeConvexHull') {
			const { vertices, indices } = this.#program.meshes[args.mesh as string]!;
			const scale = (args.scale as number[] | undefined) ?? [1, 1, 1];
			if (this.#likeReference && wall === undefined) return [meshPieceOfReference(vertices, indices, scale, density)];
			return [meshPiece(vertices, indices, scale, density, wall)];
		}
		const sizes = SHAPE_SIZES[op]!.map(([key, value]) => Math.abs((args[key] as number | undefined) ?? value));
		const outer = solidPiece(op, sizes, density);
		if (wall === undefined) return [outer];
		const inner = solidPiece(
			op,
			sizes.map((size) => size - wall),
			density,
		);
		return [outer, { mass: -inner.mass, com: inner.com, moments: inner.moments.map((value) => -value) }];
	}

	/**
	 * Filters the shapes of two bodies; with `only`, the pairs that it is part of. The reference asks only the shape that
	 * is being added whether it wants that (filter-order).
	 */
	#filterAlong(joint: Joint, only?: Shape): void {
		if (!joint.filtersParent || only?.filtersParent === false) return;
		const of = (body: Body | undefined): Shape[] =>
			this.shapes.filter((s) => s.body === body && s.collides && (s.filtersParent || this.#likeReference));
		for (const a of of(joint.parent)) {
			for (const b of of(joint.child)) if (only === undefined || a === only || b === only) this.#filter(a, b);
		}
	}

	#filter(a: Shape, b: Shape): void {
		const [first, second] = this.pairs.get(b)?.has(a) ? [b, a] : [a, b];
		const set = this.pairs.get(first) ?? new Set();
		this.pairs.set(first, set.add(second));
	}

	#declare(args: JsonObject): void {
		const key = args.namespace ? `${args.namespace as string}:${args.name as string}` : (args.name as string);
		this.attributes.set(key, { frequency: args.frequency as string, type: args.type as string, default: args.default });
	}

	/** One map of values for each degree of freedom or coordinate. */
	#spread(args: JsonObject, frequency: string, count: number): Values[] {
		const maps = Array.from({ length: count }, () => new Map<string, Json>());
		for (const [key, value] of Object.entries((args.customAttributes as JsonObject | undefined) ?? {})) {
			const attribute = this.attributes.get(key);
			if (attribute?.frequency !== frequency) continue;
			const isScalar = widthOf(attribute.type) === 1;
			const isList = Array.isArray(value) && (isScalar || Array.isArray(value[0]));
			maps.forEach((map, i) => {
				const item = isList ? (value as Json[])[i] : isIndexed(value) ? value[`${i}`] : value;
				if (item !== undefined) map.set(key, item);
			});
		}
		return maps;
	}

	#setVelocities(start: number, values: readonly number[]): void {
		let at = 0;
		for (const joint of this.joints) {
			for (let i = 0; i < joint.qd.length; i++, at++)
				if (at >= start && at < start + values.length) joint.qd[i] = values[at - start]!;
		}
	}

	#collapse(result: JsonObject): void {
		const parents = result.body_merged_parent as Record<string, number>;
		const transforms = result.body_merged_transform as Record<string, number[]>;
		const target = new Map<Body, Body | undefined>();
		const old = this.bodies;
		const merged = new Map<Body, { pieces: readonly Piece[]; pose: readonly number[] }[]>();
		for (const [index, parent] of Object.entries(parents)) {
			const body = old[Number(index)]!;
			const into = old[parent];
			target.set(body, into);
			if (into !== undefined)
				merged.set(into, [...(merged.get(into) ?? []), { pieces: body.pieces, pose: transforms[index]! }]);
		}
		for (const [body, parts] of merged) {
			if (this.#likeReference) body.pieces.splice(0, Infinity, mergeOfReference(body.pieces, parts));
			else for (const { pieces, pose } of parts) body.pieces.push(...pieces.map((piece) => placePiece(piece, pose)));
		}
		this.bodies = old.filter((_, i) => Object.hasOwn(result.body_remap as JsonObject, `${i}`));
		this.joints = this.joints.filter((_, i) => Object.hasOwn(result.joint_remap as JsonObject, `${i}`));
		for (const shape of this.shapes)
			if (shape.body !== undefined && target.has(shape.body)) shape.body = target.get(shape.body);
		for (const joint of this.joints) {
			if (joint.parent !== undefined && target.has(joint.parent)) joint.parent = target.get(joint.parent);
			joint.child = target.get(joint.child) ?? joint.child;
			// bodies have no velocity in these programs, and free joints take that of a body that gained mass
			const isFree = joint.type === 'addJointFree' || joint.type === 'addJointDistance';
			const isHeavier = [...target.values()].includes(joint.child) && sumPieces(joint.child.pieces).mass > 0;
			if (isFree && isHeavier) joint.qd.fill(0);
		}
	}

	#merge(op: string, args: JsonObject): void {
		const source = this.#others.get(args.builder as string)!;
		for (const [key, attribute] of source.attributes) this.attributes.set(key, attribute);
		if (op === 'addBuilder') {
			this.#append(source, this.#world, args.xform as number[] | undefined);
			if (this.#world < 0) this.gravity = source.gravity;
			else if (this.#likeReference) this.worldGravity[this.#world] = source.gravity;
			else this.worldGravity[this.#world] ??= source.gravity;
			return;
		}
		const count = op === 'addWorld' ? 1 : (args.worldCount as number);
		for (let i = 0; i < count; i++) {
			const xform =
				op === 'addWorld' ? (args.xform as number[] | undefined) : (args.xforms as number[][] | undefined)?.[i];
			this.#append(source, this.worldGravity.push(source.gravity) - 1, xform);
		}
	}

	#append(source: Interpreter, world: number, xform: readonly number[] | undefined): void {
		const offsets: Readonly<Record<string, number>> = this.#offsets();
		for (const [key, values] of source.indexed) {
			const offset = offsets[source.attributes.get(key)!.frequency]!;
			for (const [i, value] of values) this.#setIndexed(key, offset + i, value);
		}
		const bodies = new Map<Body, Body>(
			source.bodies.map((body) => [body, { ...body, world, pieces: [...body.pieces] }] as const),
		);
		const shapes = new Map<Shape, Shape>(
			source.shapes.map((shape) => [shape, { ...shape, world, body: shape.body && bodies.get(shape.body)! }] as const),
		);
		this.bodies.push(...bodies.values());
		this.shapes.push(...shapes.values());
		for (const joint of source.joints) {
			const isFreeRoot = joint.type === 'addJointFree' && joint.parent === undefined;
			// in the frame P of the joint a turn R of the world is P⁻¹ R P
			const inverse = [...joint.turn.slice(0, 3).map((value) => -value), joint.turn[3]!];
			const turned = (v: readonly number[]): number[] =>
				xform === undefined || this.#likeReference
					? [...v]
					: rotate(inverse, rotate(xform.slice(3), rotate(joint.turn, v)));
			const qd = isFreeRoot ? [...turned(joint.qd.slice(0, 3)), ...turned(joint.qd.slice(3))] : [...joint.qd];
			this.joints.push({
				...joint,
				world,
				qd,
				parent: joint.parent && bodies.get(joint.parent)!,
				child: bodies.get(joint.child)!,
			});
		}
		for (const [first, others] of source.pairs)
			for (const second of others) this.#filter(shapes.get(first)!, shapes.get(second)!);
	}

	#sizes(): [dofs: number, coords: number] {
		return [
			this.joints.reduce((sum, joint) => sum + joint.dofValues.length, 0),
			this.joints.reduce((sum, joint) => sum + joint.coordValues.length, 0),
		];
	}

	/** Rows so far of each kind of entity whose attributes are interpreted. */
	#offsets(): Record<string, number> {
		const [dofs, coords] = this.#sizes();
		return {
			body: this.bodies.length,
			shape: this.shapes.length,
			joint: this.joints.length,
			joint_dof: dofs,
			joint_coord: coords,
		};
	}

	#index(frequency: string, row: number, values: Values): void {
		for (const [key, value] of values)
			if (this.attributes.get(key)?.frequency === frequency) this.#setIndexed(key, row, value);
	}

	#setIndexed(key: string, row: number, value: Json): void {
		const rows = this.indexed.get(key) ?? new Map<number, Json>();
		this.indexed.set(key, rows.set(row, value));
	}

	#contactPairs(filtered: ReadonlySet<string>): [number, number][] {
		const pairs: [number, number][] = [];
		this.shapes.forEach((a, i) => {
			for (let j = i + 1; j < this.shapes.length; j++) {
				const b = this.shapes[j]!;
				const meet = a.world === b.world || a.world === -1 || b.world === -1;
				if (
					a.collides &&
					b.collides &&
					a.body !== b.body &&
					meet &&
					groupsMeet(a.group, b.group) &&
					!filtered.has(`${i},${j}`)
				)
					pairs.push([i, j]);
			}
		});
		return pairs;
	}

	#attributeValues(): Map<string, number[]> {
		const rows: Readonly<Record<string, readonly Values[]>> = {
			body: this.bodies.map((body) => body.values),
			shape: this.shapes.map((shape) => shape.values),
			joint: this.joints.map((joint) => joint.values),
			joint_dof: this.joints.flatMap((joint) => joint.dofValues),
			joint_coord: this.joints.flatMap((joint) => joint.coordValues),
		};
		const out = new Map<string, number[]>();
		for (const [key, attribute] of this.attributes) {
			const maps = rows[attribute.frequency];
			if (maps === undefined || attribute.type === 'str') continue;
			out.set(
				key,
				maps.flatMap((map, i) => {
					const value = this.#likeReference ? this.indexed.get(key)?.get(i) : map.get(key);
					return numbers(value ?? attribute.default ?? zero(attribute.type));
				}),
			);
		}
		return out;
	}
}

/** Calls without a part in what is interpreted here. */
const UNINTERESTING: ReadonlySet<string> = new Set([
	'addArticulation',
	'addConstraintMimic',
	'addEqualityConstraint',
	'addRow',
	'declareFrequency',
	'setJointQ',
]);

const SHAPE_SIZES: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
	addShapeSphere: [['radius', 1]],
	addShapeBox: [
		['hx', 0.5],
		['hy', 0.5],
		['hz', 0.5],
	],
	addShapeCapsule: [
		['radius', 1],
		['halfHeight', 0.5],
	],
	addShapeCylinder: [
		['radius', 1],
		['halfHeight', 0.5],
	],
	addShapeCone: [
		['radius', 1],
		['halfHeight', 0.5],
	],
	addShapeEllipsoid: [
		['rx', 1],
		['ry', 0.75],
		['rz', 0.5],
	],
};

function groupsMeet(a: number, b: number): boolean {
	if (a * b === 0) return false;
	if (a > 0 && b > 0) return a === b;
	return !(a < 0 && a === b);
}

function valuesOf(args: JsonObject): Values {
	return new Map(Object.entries((args.customAttributes as JsonObject | undefined) ?? {}));
}

function isIndexed(value: Json): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numbers(value: Json): number[] {
	return Array.isArray(value) ? value.map(Number) : [Number(value)];
}

function widthOf(type: string): number {
	return type === 'quat' ? 4 : /^vec(\d)/.test(type) ? Number(type.slice(3)) : 1;
}

function zero(type: string): number[] {
	return type === 'quat' ? [0, 0, 0, 1] : new Array<number>(widthOf(type)).fill(0);
}
