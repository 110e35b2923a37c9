import { triangulatePolygon } from '@manyworlds/mesh/internal';
import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { isCollider, readNumbers } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setAttribute } from '../engine/sites.ts';

const RULE = 'R3.4.1';

/** F36: collider meshes made of triangles; polygons are divided where they are, concave ones by their ears. */
export const COLLIDER_MESHES: Fixer = {
	family: 'F36',
	title: 'collider meshes of triangles',
	rules: [RULE],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.isA('Mesh') && isCollider(prim),
			(prim) => triangulate(session, prim),
		);
	},
};

/** A mesh divided: corners of the triangles by their place among the old ones, and the face that each triangle is of. */
interface Division {
	readonly corners: Int32Array;
	readonly faces: Int32Array;
}

function triangulate(session: FixSession, prim: Prim): void {
	const points = readNumbers(prim, 'points');
	const counts = dataOf(prim.attribute('faceVertexCounts').get(), T.int.array);
	const indices = dataOf(prim.attribute('faceVertexIndices').get(), T.int.array);
	if (points === undefined || counts === undefined || indices === undefined) return;
	if (counts.every((count) => count === 3)) return;
	const names = ['points', 'faceVertexCounts', 'faceVertexIndices'];
	if (names.some((name) => prim.attribute(name).timeSamples().length > 0)) {
		session.refuse(RULE, 'its faces or points change over time', { prim });
		return;
	}
	const scheme = dataOf(prim.attribute('subdivisionScheme').get(), T.token);
	const division = divide(points, counts, indices);
	if (division === undefined) {
		session.refuse(RULE, 'a face names points that are not there, or has fewer than three corners', { prim });
		return;
	}
	const { corners, faces } = division;
	const set = (name: string, value: Value, typeName: string): void => {
		setAttribute(session, RULE, session.stage.prim(prim.path)!, name, value, { typeName });
	};
	set('faceVertexCounts', makeValue(T.int.array, new Int32Array(faces.length).fill(3)) as Value, 'int[]');
	set(
		'faceVertexIndices',
		makeValue(
			T.int.array,
			Int32Array.from(corners, (corner) => indices[corner]!),
		) as Value,
		'int[]',
	);
	for (const name of prim.authoredPropertyNames())
		carryOver(session, prim, name, division, counts.length, indices.length);
	carrySubsets(session, prim, faces, counts.length);
	if (scheme !== 'none')
		session.note(RULE, 'its subdivision scheme was made for polygons, it may look otherwise now', { prim });
}

function divide(points: Float64Array, counts: Int32Array, indices: Int32Array): Division | undefined {
	const corners: number[] = [];
	const faces: number[] = [];
	let start = 0;
	for (let face = 0; face < counts.length; face++) {
		const count = counts[face]!;
		const loop = indices.subarray(start, start + count);
		if (count < 3 || loop.length < count || loop.some((point) => point < 0 || point * 3 + 2 >= points.length))
			return undefined;
		// triangles run as their face does, whichever hand that is
		const { triangles, state } = triangulatePolygon(points, [loop]);
		const list = state === 'degenerate' ? fan(count) : triangles;
		for (const corner of list) corners.push(start + corner);
		for (let i = 0; i < list.length; i += 3) faces.push(face);
		start += count;
	}
	return { corners: Int32Array.from(corners), faces: Int32Array.from(faces) };
}

function fan(count: number): number[] {
	const triangles: number[] = [];
	for (let i = 1; i + 1 < count; i++) triangles.push(0, i, i + 1);
	return triangles;
}

/** Values for each face or corner go to the triangles of the face and their corners. */
function carryOver(
	session: FixSession,
	prim: Prim,
	name: string,
	{ corners, faces }: Division,
	faceCount: number,
	cornerCount: number,
): void {
	if (name !== 'normals' && !name.startsWith('primvars:')) return;
	const attribute = prim.attribute(name);
	const interpolation = dataOf(attribute.metadata('interpolation'), T.token);
	const order = interpolation === 'faceVarying' ? corners : interpolation === 'uniform' ? faces : undefined;
	if (order === undefined) return;
	const indexed = prim.attribute(`${name}:indices`);
	const listed = indexed.hasAuthoredValue ? indexed : attribute;
	const value = listed.get();
	const expected = interpolation === 'faceVarying' ? cornerCount : faceCount;
	if (value === undefined || !value.type.isArray) return;
	const { width } = value.type;
	const data = value.data as Float32Array;
	if (data.length !== expected * width || Array.isArray(data)) return;
	const out = new (data.constructor as Float32ArrayConstructor)(order.length * width);
	for (let i = 0; i < order.length; i++) {
		for (let k = 0; k < width; k++) out[i * width + k] = data[order[i]! * width + k]!;
	}
	setAttribute(
		session,
		RULE,
		session.stage.prim(prim.path)!,
		listed.name,
		{ type: value.type, data: out },
		{ typeName: listed.typeName },
	);
}

/** Subsets of faces become subsets of their triangles. */
function carrySubsets(session: FixSession, prim: Prim, faces: Int32Array, faceCount: number): void {
	for (const child of session.stage.prim(prim.path)!.children()) {
		if (child.typeName !== 'GeomSubset') continue;
		const type = dataOf(child.attribute('elementType').get(), T.token) ?? 'face';
		const indices = dataOf(child.attribute('indices').get(), T.int.array);
		if (type !== 'face' || indices === undefined) continue;
		const wanted = new Uint8Array(faceCount);
		for (const index of indices) if (index >= 0 && index < faceCount) wanted[index] = 1;
		const out: number[] = [];
		for (let i = 0; i < faces.length; i++) if (wanted[faces[i]!] === 1) out.push(i);
		setAttribute(session, RULE, child, 'indices', makeValue(T.int.array, Int32Array.from(out)) as Value, {
			typeName: 'int[]',
		});
	}
}
