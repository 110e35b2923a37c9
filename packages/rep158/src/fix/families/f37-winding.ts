import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { readNumbers } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { propertySite, setAttribute } from '../engine/sites.ts';

/** F37: right-handed faces that look outward; two sides only where a surface needs them. */
export const WINDING: Fixer = {
	family: 'F37',
	title: 'right-handed faces that look outward',
	rules: ['R3.4.3', 'R3.4.4'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.isA('Mesh'),
			(prim) => fixMesh(session, prim),
		);
	},
};

function fixMesh(session: FixSession, prim: Prim): void {
	const counts = dataOf(prim.attribute('faceVertexCounts').get(), T.int.array);
	const indices = dataOf(prim.attribute('faceVertexIndices').get(), T.int.array);
	const points = readNumbers(prim, 'points');
	if (counts === undefined || indices === undefined || points === undefined) return;
	const isLeft = dataOf(prim.attribute('orientation').get(), T.token) === 'leftHanded';
	if (isLeft) {
		if (!reverse(session, 'R3.4.3', prim, counts, indices)) return;
		const value = makeValue(T.token, 'rightHanded') as Value;
		setAttribute(session, 'R3.4.3', session.stage.prim(prim.path)!, 'orientation', value, { typeName: 'token' });
	}
	const again = session.stage.prim(prim.path)!;
	const faces = dataOf(again.attribute('faceVertexIndices').get(), T.int.array)!;
	const { isClosed, volume } = closedVolume(points, counts, faces);
	if (!isClosed) {
		const message = 'its faces do not close, or run in different ways, so which side is outside is not told';
		if (dataOf(again.attribute('doubleSided').get(), T.bool) === true) session.refuse('R3.4.4', message, { prim });
		return;
	}
	if (volume < 0) {
		if (!reverse(session, 'R3.4.4', again, counts, faces)) return;
	}
	if (dataOf(again.attribute('doubleSided').get(), T.bool) === true && volume !== 0) {
		const value = makeValue(T.bool, false) as Value;
		setAttribute(session, 'R3.4.4', session.stage.prim(prim.path)!, 'doubleSided', value, { typeName: 'bool' });
	}
}

/** Reverses the vertices of every face, with what is given for each of them. False when that cannot be. */
function reverse(
	session: FixSession,
	rule: 'R3.4.3' | 'R3.4.4',
	prim: Prim,
	counts: Int32Array,
	indices: Int32Array,
): boolean {
	let total = 0;
	for (const count of counts) total += count;
	if (total !== indices.length || prim.attribute('faceVertexIndices').timeSamples().length > 0) {
		session.refuse(rule, 'its faces change over time, or do not fit their number of vertices', { prim });
		return false;
	}
	const order = reversedOrder(counts, total);
	const site = propertySite(session, prim, 'faceVertexIndices');
	const value = makeValue(
		T.int.array,
		Int32Array.from(order, (at) => indices[at]!),
	) as Value;
	setAttribute(session, rule, prim, 'faceVertexIndices', value, { typeName: 'int[]', site });
	for (const name of prim.authoredPropertyNames()) {
		const attribute = session.stage.prim(prim.path)!.attribute(name);
		const isVarying = dataOf(attribute.metadata('interpolation'), T.token) === 'faceVarying';
		if (!isVarying || !(name === 'normals' || name.startsWith('primvars:'))) continue;
		const indexed = prim.attribute(`${name}:indices`);
		const listed = indexed.hasAuthoredValue ? indexed : attribute;
		const reordered = reorder(listed.get(), order);
		if (reordered === undefined) continue;
		setAttribute(session, rule, session.stage.prim(prim.path)!, listed.name, reordered, { typeName: listed.typeName });
	}
	return true;
}

function reversedOrder(counts: Int32Array, total: number): Int32Array {
	const order = new Int32Array(total);
	let start = 0;
	for (const count of counts) {
		// the first vertex of a face stays the first
		for (let k = 0; k < count; k++) order[start + k] = start + ((count - k) % count);
		start += count;
	}
	return order;
}

/** An array of tuples in another order; undefined when it has another length. */
function reorder(value: Value | undefined, order: Int32Array): Value | undefined {
	if (value === undefined || !value.type.isArray) return undefined;
	const { type } = value;
	const { width } = type;
	const data = value.data as Float32Array | string[];
	if (data.length !== order.length * width) return undefined;
	const out = data.slice() as Float32Array;
	for (let i = 0; i < order.length; i++) {
		for (let k = 0; k < width; k++) out[i * width + k] = (data as Float32Array)[order[i]! * width + k]!;
	}
	return { type, data: out };
}

/** Whether every edge has two faces that run along it in opposite ways, and the volume that they enclose. */
function closedVolume(
	points: Float64Array,
	counts: Int32Array,
	indices: Int32Array,
): { isClosed: boolean; volume: number } {
	const edges = new Map<number, number>();
	const many = points.length / 3;
	let volume = 0;
	let start = 0;
	const at = (i: number, k: number): number => points[indices[i]! * 3 + k] ?? Number.NaN;
	for (const count of counts) {
		for (let k = 0; k < count; k++) {
			const a = indices[start + k]!;
			const b = indices[start + ((k + 1) % count)]!;
			const key = Math.min(a, b) * many + Math.max(a, b);
			edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
			if (k === 0 || k === count - 1) continue;
			const [p, q, r] = [start, start + k, start + k + 1];
			volume +=
				at(p, 0) * (at(q, 1) * at(r, 2) - at(q, 2) * at(r, 1)) +
				at(p, 1) * (at(q, 2) * at(r, 0) - at(q, 0) * at(r, 2)) +
				at(p, 2) * (at(q, 0) * at(r, 1) - at(q, 1) * at(r, 0));
		}
		start += count;
	}
	return { isClosed: counts.length > 0 && [...edges.values()].every((sum) => sum === 0), volume: volume / 6 };
}
