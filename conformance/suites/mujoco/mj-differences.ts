import {
	activeEqualities,
	BOOLEAN_FIELD_NAMES,
	boolField,
	type CompiledModel,
	doubleField,
	numberField,
} from '@manyworlds/mujoco/internal';
import { isObject, type Json, type JsonObject } from '../../src/json.ts';

/** What a comparison reads of a compiled model. */
export type CompiledFields = Pick<CompiledModel, 'mj'>;

/** Everything that differs between a compiled model and the one of the reference, by field. */
export function mjModelDifferences(
	compiled: CompiledFields,
	expected: JsonObject,
	reloaded: JsonObject,
	defects: readonly string[],
): string[] {
	const differences: string[] = [];
	const { mj } = compiled;
	for (const [name, value] of Object.entries(expected.sizes as JsonObject)) {
		const own = Number(Reflect.get(mj, name));
		if (own !== value) differences.push(`${name} is ${own}, expected ${String(value)}`);
	}
	if (differences.length > 0) return differences;
	for (const [kind, names] of Object.entries(expected.names as JsonObject)) {
		for (const [id, name] of (names as string[]).entries()) {
			const own = nameOf(compiled, kind, id);
			if (own !== name) {
				differences.push(`${kind} ${id} is called '${own}', expected '${name}'`);
				break;
			}
		}
	}
	for (const [name, value] of Object.entries(expected.option as JsonObject)) {
		const own: unknown = Reflect.get(mj.opt, name);
		const numbers = ArrayBuffer.isView(own) ? Array.from(own as unknown as number[]) : Number(own);
		// a vector is rounded as a whole
		const largest = Math.max(...flatten(value).map(Math.abs));
		const allowance = Array.isArray(value) ? { relative: 0, absolute: 1e-6 + 1e-5 * largest } : COPIED;
		const problem = valueDifference(`option.${name}`, numbers, value, allowance);
		if (problem !== undefined) differences.push(problem);
	}
	for (const [name, value] of Object.entries(expected.statistic as JsonObject)) {
		// the other statistics only serve the viewer
		if (name !== 'meaninertia') continue;
		const problem = valueDifference(`statistic.${name}`, Number(Reflect.get(mj.stat, name)), value, DERIVED);
		if (problem !== undefined) differences.push(problem);
	}
	const arrays = withoutFaults(expected.arrays as JsonObject, reloaded, defects);
	differences.push(
		...arrayDifferences(compiled, arrays, reloaded),
		...meshDifferences(compiled, expected.meshes ?? []),
	);
	const odd = Object.keys(expected).find((key) => !MODEL_KEYS.has(key));
	if (odd !== undefined) differences.push(`the field '${odd}' of the compiled model is not known`);
	return differences;
}

const MODEL_KEYS = new Set(['arrays', 'hfield_data', 'meshes', 'names', 'option', 'sizes', 'statistic']);

/** Differences of the meshes: counts, whether they have a hull, and the size of their bounds, whatever frame they are in. */
function meshDifferences(compiled: CompiledFields, expected: Json): string[] {
	const { mj } = compiled;
	const differences: string[] = [];
	for (const [id, json] of (expected as Json[]).entries()) {
		const mesh = json as JsonObject;
		const own = {
			vertices: numberField(mj, 'mesh_vertnum')![id],
			faces: numberField(mj, 'mesh_facenum')![id],
			has_hull: numberField(mj, 'mesh_graphadr')![id]! >= 0,
		};
		for (const [name, value] of Object.entries(own)) {
			if (mesh[name] !== undefined && mesh[name] !== value) {
				differences.push(`${name} of mesh ${id} is ${String(value)}, expected ${String(mesh[name])}`);
			}
		}
		const [lower, upper] = [flatten(mesh.lower ?? []), flatten(mesh.upper ?? [])];
		const diagonal = Math.hypot(...upper.map((high, i) => high - lower[i]!));
		const first = numberField(mj, 'mesh_vertadr')![id]!;
		const points = numberField(mj, 'mesh_vert')!;
		const sides = [0, 1, 2].map((axis) => {
			let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
			for (let i = first; i < first + Number(own.vertices); i++) {
				low = Math.min(low, points[3 * i + axis]!);
				high = Math.max(high, points[3 * i + axis]!);
			}
			return high - low;
		});
		// principal axes of symmetric meshes are arbitrary, and boxes in other frames have other diagonals
		if (!(Math.abs(Math.hypot(...sides) - diagonal) <= 0.3 * diagonal)) {
			differences.push(`bounds of mesh ${id} have a diagonal of ${Math.hypot(...sides)} m, expected ${diagonal} m`);
		}
	}
	return differences;
}

/**
 * The arrays with the right welds where the reference is known to be wrong (`weld-relpose`); the file that it saved,
 * loaded again, has them.
 */
function withoutFaults(arrays: JsonObject, reloaded: JsonObject, defects: readonly string[]): JsonObject {
	return reloaded.eq_data !== undefined && defects.includes('weld-relpose')
		? { ...arrays, eq_data: reloaded.eq_data }
		: arrays;
}

/** Inverse weights are wrong where the reference's offset of centres of mass matters; the reloaded file has them right. */
const WEIGHTS = /invweight0$/;

interface Allowance {
	readonly relative: number;
	readonly absolute: number;
}

const COPIED: Allowance = { relative: 1e-5, absolute: 1e-6 };
/** Bounds of meshes depend on their principal axes, which differ between versions of MuJoCo. */
const HULL: Allowance = { relative: 1e-2, absolute: 1e-6 };
const DERIVED: Allowance = { relative: 1e-4, absolute: 1e-5 };

/** Fields that follow from others by MuJoCo's own computation. */
const DERIVED_FIELDS = /invweight0$|_acc0$|^dof_M0$|subtreemass$|^jnt_solref$|length0$|lengthrange$|rbound$|^eq_data$/;

/** Fields that are compared together with others, or not at all: ranges of joints without limits are free. */
const SPECIAL_FIELDS = new Set([
	'body_inertia',
	'body_iquat',
	'geom_pos',
	'geom_quat',
	'geom_size',
	'mesh_pos',
	'mesh_quat',
	'site_size',
]);

function arrayDifferences(compiled: CompiledFields, expected: JsonObject, reloaded: JsonObject): string[] {
	const { mj } = compiled;
	const differences: string[] = [];
	for (const [name, rows] of Object.entries(expected)) {
		if (SPECIAL_FIELDS.has(name) || /^(key|sensor)_/.test(name)) continue;
		const own = BOOLEAN_FIELD_NAMES.has(name) ? boolField(mj, name) : numberField(mj, name);
		if (own === undefined) {
			differences.push(`${name} is not known`);
			continue;
		}
		const flat = flatten(rows);
		const width = (rows as Json[]).length === 0 ? 1 : flat.length / (rows as Json[]).length;
		const alternative = WEIGHTS.test(name) ? flatten(reloaded[name] ?? []) : [];
		const problem = rowDifference(compiled, name, Array.from(own).slice(0, flat.length), flat, width, alternative);
		if (problem !== undefined) differences.push(problem);
	}
	differences.push(...inertiaDifferences(compiled, expected), ...geomDifferences(compiled, expected));
	return differences;
}

/** Numbers of nested rows; strings stand for what is not finite. */
export function flatten(value: Json): number[] {
	if (Array.isArray(value)) return value.flatMap(flatten);
	if (typeof value === 'string')
		return [value === 'nan' ? Number.NaN : value === 'inf' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY];
	return [Number(value)];
}

const QUATERNIONS = /quat$/;

function rowDifference(
	compiled: CompiledFields,
	name: string,
	own: number[],
	expected: number[],
	width: number,
	alternative: readonly number[],
): string | undefined {
	const limits = /^jnt_(range|actfrcrange|solref)$/.test(name);
	const limited = limits
		? boolField(compiled.mj, name === 'jnt_actfrcrange' ? 'jnt_actfrclimited' : 'jnt_limited')
		: undefined;
	for (let row = 0; row * width < expected.length; row++) {
		if (limited !== undefined && limited[row] === 0) continue;
		let a = own.slice(row * width, row * width + width);
		const b = expected.slice(row * width, row * width + width);
		if (QUATERNIONS.test(name)) a = sameSign(a, b);
		const isHull = name === 'geom_rbound' && numberField(compiled.mj, 'geom_type')![row] === GEOM_MESH;
		const allowance = isHull ? HULL : DERIVED_FIELDS.test(name) ? DERIVED : COPIED;
		const problem = valueDifference(`${name}[${row}]`, a, b, allowance);
		const other = alternative.slice(row * width, row * width + width);
		const isRight = other.length > 0 && valueDifference('', a, other, allowance) === undefined;
		if (problem !== undefined && !isRight) return problem;
	}
	return own.length === expected.length ? undefined : `${name} has ${own.length} numbers, expected ${expected.length}`;
}

function sameSign(a: readonly number[], b: readonly number[]): number[] {
	let dot = 0;
	for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
	return dot < 0 ? a.map((number) => -number) : [...a];
}

export function valueDifference(where: string, own: unknown, expected: Json, allowance: Allowance): string | undefined {
	const a = typeof own === 'number' || typeof own === 'boolean' ? [Number(own)] : (own as number[]);
	const b = isObject(expected) ? [] : flatten(expected);
	if (a.length !== b.length) return `${where} has ${a.length} numbers, expected ${b.length}`;
	const at = b.findIndex((number, i) => {
		const other = a[i]!;
		if (Object.is(other, number) || other === number) return false;
		return !(Math.abs(other - number) <= allowance.absolute + allowance.relative * Math.abs(number));
	});
	if (at < 0) return undefined;
	const from = Math.max(0, at - 3);
	const place = b.length > 12 ? `, from ${from} on` : '';
	return `${where} is ${shown(b.length > 12 ? a.slice(from) : a)}, expected ${shown(b.length > 12 ? b.slice(from) : b)}${place}`;
}

function shown(numbers: readonly number[]): string {
	return numbers.length === 1 ? String(numbers[0]) : `[${numbers.slice(0, 12).join(' ')}]`;
}

/** Tensors of inertia: principal values in any order with the frame that belongs to them. */
function inertiaDifferences(compiled: CompiledFields, expected: JsonObject): string[] {
	const values = flatten(expected.body_inertia ?? []);
	const frames = flatten(expected.body_iquat ?? []);
	const own = doubleField(compiled.mj, 'body_inertia');
	const ownFrames = doubleField(compiled.mj, 'body_iquat');
	for (let body = 0; 3 * body < values.length; body++) {
		const a = tensor(own.subarray(3 * body, 3 * body + 3), ownFrames.subarray(4 * body, 4 * body + 4));
		const b = tensor(values.slice(3 * body, 3 * body + 3), frames.slice(4 * body, 4 * body + 4));
		const largest = Math.max(...b.map(Math.abs));
		if (a.some((number, i) => !(Math.abs(number - b[i]!) <= 1e-4 * largest + 1e-12))) {
			return [`inertia of body ${body} is ${shown(a)}, expected ${shown(b)}`];
		}
	}
	return [];
}

/** R · diag(values) · Rᵀ by rows for a quaternion w x y z. */
export function tensor(values: ArrayLike<number>, quat: ArrayLike<number>): number[] {
	const r = matrixOf(quat);
	const result: number[] = [];
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = 0;
			for (let k = 0; k < 3; k++) sum += r[3 * i + k]! * values[k]! * r[3 * j + k]!;
			result.push(sum);
		}
	}
	return result;
}

function matrixOf(quat: ArrayLike<number>): number[] {
	const norm = Math.hypot(quat[0]!, quat[1]!, quat[2]!, quat[3]!) || 1;
	const [w, x, y, z] = [quat[0]! / norm, quat[1]! / norm, quat[2]! / norm, quat[3]! / norm];
	return [
		1 - 2 * (y * y + z * z),
		2 * (x * y - w * z),
		2 * (x * z + w * y),
		2 * (x * y + w * z),
		1 - 2 * (x * x + z * z),
		2 * (y * z - w * x),
		2 * (x * z - w * y),
		2 * (y * z + w * x),
		1 - 2 * (x * x + y * y),
	];
}

const GEOM_MESH = 7;
/** Sizes that each type of geom uses. */
export const USED_SIZES: Readonly<Record<number, number>> = { 0: 2, 1: 0, 2: 1, 3: 2, 4: 3, 5: 2, 6: 3, 7: 0 };

/** Poses and the sizes that a type uses; of meshes the pose of the mesh itself, whatever frame the compiler chose for it. */
function geomDifferences(compiled: CompiledFields, expected: JsonObject): string[] {
	const differences: string[] = [];
	const { mj } = compiled;
	for (const kind of ['geom', 'site']) {
		const types = flatten(expected[`${kind}_type`] ?? []);
		for (const [id, type] of types.entries()) {
			const used = kind === 'site' ? (USED_SIZES[type] ?? 3) : (USED_SIZES[type] ?? 3);
			const a = Array.from(doubleField(mj, `${kind}_size`).subarray(3 * id, 3 * id + used));
			const b = flatten(expected[`${kind}_size`] ?? []).slice(3 * id, 3 * id + used);
			const problem = valueDifference(`${kind}_size[${id}]`, a, b, COPIED);
			if (problem !== undefined) {
				differences.push(problem);
				break;
			}
		}
	}
	const types = flatten(expected.geom_type ?? []);
	const theirs = {
		pos: flatten(expected.geom_pos ?? []),
		quat: flatten(expected.geom_quat ?? []),
		meshPos: flatten(expected.mesh_pos ?? []),
		meshQuat: flatten(expected.mesh_quat ?? []),
		mesh: flatten(expected.geom_dataid ?? []),
	};
	const ours = {
		pos: Array.from(doubleField(mj, 'geom_pos')),
		quat: Array.from(doubleField(mj, 'geom_quat')),
		meshPos: Array.from(doubleField(mj, 'mesh_pos')),
		meshQuat: Array.from(doubleField(mj, 'mesh_quat')),
		mesh: Array.from(numberField(mj, 'geom_dataid') ?? []),
	};
	for (const [id, type] of types.entries()) {
		const a = geomPose(ours, id, type === GEOM_MESH);
		const b = geomPose(theirs, id, type === GEOM_MESH);
		if (a.some((number, i) => !(Math.abs(number - b[i]!) <= 2e-5 + 1e-5 * Math.abs(b[i]!)))) {
			differences.push(`pose of geom ${id} is ${shown(a)}, expected ${shown(b)}`);
			break;
		}
	}
	return differences;
}

interface GeomPoses {
	readonly pos: number[];
	readonly quat: number[];
	readonly meshPos: number[];
	readonly meshQuat: number[];
	readonly mesh: number[];
}

/** Rotation by rows and position of a geom, for meshes without the compiler's recentring: G · M⁻¹. */
function geomPose(poses: GeomPoses, id: number, isMesh: boolean): number[] {
	const r = matrixOf(poses.quat.slice(4 * id, 4 * id + 4));
	const p = poses.pos.slice(3 * id, 3 * id + 3);
	if (!isMesh) return [...r, ...p];
	const mesh = poses.mesh[id]!;
	const m = matrixOf(poses.meshQuat.slice(4 * mesh, 4 * mesh + 4));
	const t = poses.meshPos.slice(3 * mesh, 3 * mesh + 3);
	const rotation: number[] = [];
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = 0;
			for (let k = 0; k < 3; k++) sum += r[3 * i + k]! * m[3 * j + k]!;
			rotation.push(sum);
		}
	}
	const position = p.map(
		(own, i) => own - (rotation[3 * i]! * t[0]! + rotation[3 * i + 1]! * t[1]! + rotation[3 * i + 2]! * t[2]!),
	);
	return [...rotation, ...position];
}

/** Fields with the addresses of names, by kind. */
const NAME_ADDRESSES: Readonly<Record<string, string>> = {
	actuator: 'name_actuatoradr',
	body: 'name_bodyadr',
	equality: 'name_eqadr',
	exclude: 'name_excludeadr',
	geom: 'name_geomadr',
	hfield: 'name_hfieldadr',
	joint: 'name_jntadr',
	mesh: 'name_meshadr',
	pair: 'name_pairadr',
	site: 'name_siteadr',
	tendon: 'name_tendonadr',
};

/** The name of an object; read from the names themselves, because the binding gives garbage for those without one. */
function nameOf(compiled: CompiledFields, kind: string, id: number): string {
	const field = NAME_ADDRESSES[kind];
	if (field === undefined) return `unknown kind ${kind}`;
	const names = numberField(compiled.mj, 'names')!;
	const start = numberField(compiled.mj, field)![id]!;
	const bytes: number[] = [];
	for (let i = start; names[i] !== 0 && i < names.length; i++) bytes.push(names[i]! & 255);
	return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Differences of the first state: coordinates, rows of constraints, contacts that were found. */
export function initialDifferences(compiled: CompiledModel, expected: JsonObject): string[] {
	const { mj, data } = compiled;
	const differences: string[] = [];
	const add = (problem: string | undefined): void => {
		if (problem !== undefined) differences.push(problem);
	};
	// the reference pushes its state with the first step; until then data holds what mj_setConst left: the spring reference
	add(valueDifference('qpos', Array.from(doubleField(mj, 'qpos_spring')), expected.qpos ?? [], COPIED));
	add(valueDifference('qvel', Array.from(doubleField(data, 'qvel')), expected.qvel ?? [], COPIED));
	for (const name of ['mocap_pos', 'mocap_quat']) {
		if (expected[name] !== undefined)
			add(valueDifference(name, Array.from(doubleField(data, name)), expected[name]!, COPIED));
	}
	if (expected.eq_active !== undefined) {
		add(valueDifference('eq_active', Array.from(activeEqualities(data, mj.neq)), expected.eq_active!, COPIED));
	}
	compiled.sync.setCollision(compiled.conversion.options.useMujocoContacts);
	const found = contactPairs(compiled, 0);
	const own = data.ncon;
	for (const name of ['ne', 'nf', 'nl']) {
		const count = Number(Reflect.get(data, name));
		if (expected[name] !== undefined && count !== expected[name])
			differences.push(`${name} is ${count}, expected ${String(expected[name])}`);
	}
	if (own === expected.ncon && Number(Reflect.get(data, 'nefc')) !== expected.nefc)
		differences.push(`nefc is ${String(Reflect.get(data, 'nefc'))}, expected ${String(expected.nefc)}`);
	add(contactDifference(compiled, found, (expected.contact_geoms ?? []) as number[][]));
	return differences;
}

/** Contacts that single precision may add or lose: this far from touching [m]. */
const TOUCHING = 2e-5;

/**
 * Pairs of geoms with another number of contacts than expected. The reference computes poses in single precision, so a
 * count may be that of geoms a little nearer or farther; and MuJoCo's versions find other points on meshes.
 */
function contactDifference(
	compiled: CompiledModel,
	found: ReadonlyMap<string, number>,
	expected: readonly (readonly number[])[],
): string | undefined {
	const wanted = new Map<string, number>();
	for (const geoms of expected) wanted.set(pairKey(geoms), (wanted.get(pairKey(geoms)) ?? 0) + 1);
	const odd = [...new Set([...found.keys(), ...wanted.keys()])].filter((key) => found.get(key) !== wanted.get(key));
	if (odd.length === 0) return undefined;
	const shifted = [-TOUCHING, TOUCHING].map((shift) => contactPairs(compiled, shift));
	const types = numberField(compiled.mj, 'geom_type')!;
	for (const key of odd) {
		const counts = [found, ...shifted].map((pairs) => pairs.get(key) ?? 0);
		const count = wanted.get(key) ?? 0;
		if (count >= Math.min(...counts) && count <= Math.max(...counts)) continue;
		const hasMesh = key.split(' ').some((geom) => types[Number(geom)] === GEOM_MESH);
		if (hasMesh && count > 0 && Math.max(...counts) > 0) continue;
		return `geoms ${key} have ${counts[0]} contacts, expected ${count}`;
	}
	return undefined;
}

function pairKey(geoms: ArrayLike<number>): string {
	return `${Math.min(geoms[0]!, geoms[1]!)} ${Math.max(geoms[0]!, geoms[1]!)}`;
}

/** Number of contacts of each pair of geoms, with margins widened by `shift`. */
function contactPairs(compiled: CompiledModel, shift: number): ReadonlyMap<string, number> {
	const { module, mj, data } = compiled;
	const margins = [doubleField(mj, 'geom_margin'), doubleField(mj, 'pair_margin'), doubleField(mj, 'body_margin')];
	const kept = margins.map((values) => values.slice());
	for (const values of margins) for (let i = 0; i < values.length; i++) values[i]! += shift / 2;
	module.mj_forward(mj, data);
	for (const [i, values] of margins.entries()) values.set(kept[i]!);
	const pairs = new Map<string, number>();
	const list = data.contact;
	for (let i = 0; i < data.ncon; i++) {
		const contact = list.get(i)!;
		const key = pairKey(contact.geom as Int32Array);
		pairs.set(key, (pairs.get(key) ?? 0) + 1);
		contact.delete();
	}
	list.delete();
	return pairs;
}
