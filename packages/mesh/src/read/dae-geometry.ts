import { quote } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { hasArea, triangulatePolygon } from '../geometry/triangulate-polygon.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import type { DaeDocument, DaeSource } from './dae-document.ts';
import { PartBuilder } from './part-builder.ts';

/** Reads one geometry; undefined when it is not a mesh or has no positions. */
export function readDaeGeometry(document: DaeDocument, geometry: XmlElement): TriangleMesh | undefined {
	const mesh = geometry.child('mesh');
	if (mesh === undefined) {
		const found = geometry.children.find((child) => child.name !== 'asset' && child.name !== 'extra');
		const what = found === undefined ? 'nothing' : quote(found.name);
		document.add('MESH005', `the geometry holds ${what}, expected a mesh`, found ?? geometry);
		return undefined;
	}
	return new GeometryReader(document, geometry, mesh).read();
}

const SURFACES = new Set(['triangles', 'polylist', 'polygons', 'tristrips', 'trifans']);
const CURVES = new Set(['lines', 'linestrips']);
const QUIET = new Set(['source', 'vertices', 'extra']);

/** Where the corners of a primitive element find their data. */
interface CornerInputs {
	readonly stride: number;
	readonly position: number;
	/** Offsets, -1 when absent. */
	readonly normal: number;
	readonly uv: number;
	readonly pools: Pools;
}

interface Pools {
	readonly positions: DaeSource;
	readonly normals: DaeSource | undefined;
	readonly uvs: DaeSource | undefined;
}

class GeometryReader {
	readonly #document: DaeDocument;
	readonly #mesh: XmlElement;
	readonly #part: PartBuilder;
	#pools: Pools | undefined;
	#positionBase = 0;
	#normalBase = 0;
	#uvBase = 0;
	#badCorners = 0;
	readonly #loop: number[] = [];

	constructor(document: DaeDocument, geometry: XmlElement, mesh: XmlElement) {
		this.#document = document;
		this.#mesh = mesh;
		this.#part = new PartBuilder(geometry.get('name') ?? geometry.get('id'));
	}

	read(): TriangleMesh | undefined {
		for (const element of this.#mesh.children) {
			if (SURFACES.has(element.name)) this.#primitives(element);
			else if (CURVES.has(element.name)) {
				this.#document.add('MESH005', `${element.name} are left out, expected a surface`, element);
			} else if (!QUIET.has(element.name)) {
				this.#document.add('MESH006', `${quote(element.name)} of a mesh is not read`, element);
			}
		}
		const pools = this.#pools;
		if (pools === undefined) return undefined;
		return this.#part.build({ ...pools, uvStride: pools.uvs?.stride ?? 2 });
	}

	#primitives(element: XmlElement): void {
		const inputs = this.#inputs(element);
		if (inputs === undefined) return;
		this.#part.useMaterial(element.get('material'));
		this.#badCorners = 0;
		switch (element.name) {
			case 'triangles':
				this.#triangles(element, inputs);
				break;
			case 'polylist':
				this.#polylist(element, inputs);
				break;
			case 'polygons':
				this.#polygons(element, inputs);
				break;
			default:
				for (const p of element.childrenNamed('p')) this.#strip(p, inputs, element.name === 'trifans');
		}
		if (this.#badCorners > 0) {
			this.#document.add(
				'MESH004',
				`${this.#badCorners} polygons refer to entries that do not exist; they are left out`,
				element,
			);
		}
	}

	#inputs(element: XmlElement): CornerInputs | undefined {
		const document = this.#document;
		let stride = 0;
		let position = -1;
		let normal = -1;
		let uv = -1;
		let positions: DaeSource | undefined;
		let normals: DaeSource | undefined;
		let uvs: DaeSource | undefined;
		for (const input of element.childrenNamed('input')) {
			const offset = Number(input.get('offset') ?? 0);
			if (!Number.isInteger(offset) || offset < 0 || offset > 1000) {
				document.add('MESH003', `offset is ${quote(String(input.get('offset')))}, expected a whole number`, input);
				return undefined;
			}
			stride = Math.max(stride, offset + 1);
			const semantic = input.get('semantic') ?? '';
			if (semantic === 'VERTEX') {
				const vertices = document.find(input, 'source', 'vertices');
				position = offset;
				for (const inner of vertices === undefined ? [] : vertices.childrenNamed('input')) {
					const source = document.find(inner, 'source', 'source');
					const data = source === undefined ? undefined : document.source(source);
					const kind = inner.get('semantic');
					if (kind === 'POSITION') positions = data;
					else if (kind === 'NORMAL') [normals, normal] = [data, offset];
					else if (kind === 'TEXCOORD') [uvs, uv] = [data, offset];
				}
			} else if (semantic === 'NORMAL' || (semantic === 'TEXCOORD' && uvs === undefined)) {
				const source = document.find(input, 'source', 'source');
				const data = source === undefined ? undefined : document.source(source);
				if (semantic === 'NORMAL') [normals, normal] = [data, offset];
				else [uvs, uv] = [data, offset];
			} else document.add('MESH006', `the input ${quote(semantic)} is not read`, input);
		}
		if (positions === undefined || positions.stride !== 3) {
			document.add('MESH014', `${element.name} has no positions of 3 numbers, expected an input VERTEX`, element);
			return undefined;
		}
		if (normals !== undefined && normals.stride !== 3) {
			document.add('MESH003', `normals have ${normals.stride} numbers, expected 3; they are left out`, element);
			normals = undefined;
		}
		const pools = { positions, normals, uvs };
		this.#joinPools(pools);
		return { stride, position, normal: normals ? normal : -1, uv: uvs ? uv : -1, pools };
	}

	/** Primitives of one mesh mostly share their sources; other sources are added behind. */
	#joinPools(next: Pools): void {
		const known = this.#pools;
		this.#pools = {
			positions: appendSource(known?.positions, next.positions) ?? next.positions,
			normals: appendSource(known?.normals, next.normals),
			uvs: appendSource(known?.uvs, next.uvs),
		};
		this.#positionBase = this.#pools.positions.count - next.positions.count;
		this.#normalBase = baseOf(this.#pools.normals, next.normals);
		this.#uvBase = baseOf(this.#pools.uvs, next.uvs);
	}

	#triangles(element: XmlElement, inputs: CornerInputs): void {
		for (const p of element.childrenNamed('p')) {
			const values = this.#document.wholeNumbers(p);
			if (values === undefined) continue;
			const corners = Math.floor(values.length / inputs.stride);
			if (corners % 3 !== 0 || corners * inputs.stride !== values.length) {
				this.#document.add('MESH010', `p has ${values.length} numbers, expected a multiple of ${3 * inputs.stride}`, p);
			}
			this.#checkCount(element, Math.floor(corners / 3));
			this.#part.reserve(Math.floor(corners / 3));
			for (let i = 0; i + 2 < corners; i += 3) this.#triangle(p, inputs, values, i, i + 1, i + 2);
		}
	}

	#polylist(element: XmlElement, inputs: CornerInputs): void {
		const p = element.child('p');
		const vcount = element.child('vcount');
		if (p === undefined || vcount === undefined) {
			if (element.get('count') !== '0') {
				this.#document.add('MESH003', `polylist has no ${p === undefined ? 'p' : 'vcount'}, expected one`, element);
			}
			return;
		}
		const values = this.#document.wholeNumbers(p);
		const sizes = this.#document.wholeNumbers(vcount);
		if (values === undefined || sizes === undefined) return;
		this.#checkCount(element, sizes.length);
		const corners = Math.floor(values.length / inputs.stride);
		let at = 0;
		for (let k = 0; k < sizes.length; k++) {
			const size = sizes[k]!;
			if (size < 0 || at + size > corners) {
				this.#document.add('MESH010', `p ends within polygon ${k} of ${sizes.length}; the rest is left out`, p);
				return;
			}
			const first = at;
			if (size < 3) this.#document.add('MESH008', `polygon ${k} has ${size} corners, expected 3 or more`, vcount);
			else if (size === 3) this.#triangle(p, inputs, values, at, at + 1, at + 2);
			else this.#polygon(p, inputs, values, [Array.from({ length: size }, (_, i) => first + i)]);
			at += size;
		}
		if (at !== corners) this.#document.add('MESH010', `p has ${corners} corners, vcount adds up to ${at}`, p);
	}

	#polygons(element: XmlElement, inputs: CornerInputs): void {
		const found = element.children.filter((child) => child.name === 'p' || child.name === 'ph');
		this.#checkCount(element, found.length);
		for (const child of found) {
			const outer = child.name === 'p' ? child : child.child('p');
			if (outer === undefined) continue;
			const loops: number[][] = [];
			const all: number[] = [];
			for (const loop of [outer, ...(child.name === 'ph' ? child.childrenNamed('h') : [])]) {
				const values = this.#document.wholeNumbers(loop);
				if (values === undefined) continue;
				const first = all.length / inputs.stride;
				const corners = Math.floor(values.length / inputs.stride);
				for (let i = 0; i < corners * inputs.stride; i++) all.push(values[i]!);
				loops.push(Array.from({ length: corners }, (_, i) => first + i));
			}
			if ((loops[0]?.length ?? 0) < 3) this.#document.add('MESH008', 'a polygon has fewer than 3 corners', outer);
			else this.#polygon(outer, inputs, Int32Array.from(all), loops);
		}
	}

	#strip(p: XmlElement, inputs: CornerInputs, isFan: boolean): void {
		const values = this.#document.wholeNumbers(p);
		if (values === undefined) return;
		const corners = Math.floor(values.length / inputs.stride);
		for (let i = 0; i + 2 < corners; i++) {
			const [a, b] = isFan ? [0, i + 1] : i % 2 === 0 ? [i, i + 1] : [i + 1, i];
			this.#triangle(p, inputs, values, a, b, i + 2);
		}
	}

	/** Adds a triangle of corner numbers of `values`; what is wrong with one is for {@link #polygon} to tell. */
	#triangle(p: XmlElement, inputs: CornerInputs, values: Int32Array, a: number, b: number, c: number): void {
		const { stride, position, pools } = inputs;
		const { data, count } = pools.positions;
		const [i, j, k] = [values[a * stride + position]!, values[b * stride + position]!, values[c * stride + position]!];
		const isThere = isFinitePoint(data, count, i) && isFinitePoint(data, count, j) && isFinitePoint(data, count, k);
		if (!isThere || !hasArea(data, i, j, k)) {
			this.#polygon(p, inputs, values, [[a, b, c]]);
			return;
		}
		const first = this.#vertex(inputs, values, a);
		const second = this.#vertex(inputs, values, b);
		this.#part.triangle(first, second, this.#vertex(inputs, values, c));
	}

	/** Adds a polygon whose loops are corner numbers of `values`. */
	#polygon(p: XmlElement, inputs: CornerInputs, values: Int32Array, loops: readonly (readonly number[])[]): void {
		const { stride, pools } = inputs;
		const positions = this.#loop;
		const corners: number[] = [];
		positions.length = 0;
		for (const loop of loops) {
			for (const corner of loop) {
				const index = values[corner * stride + inputs.position]!;
				if (!isFinitePoint(pools.positions.data, pools.positions.count, index)) {
					this.#badCorners++;
					return;
				}
				positions.push(index);
				corners.push(corner);
			}
		}
		let at = 0;
		const places = loops.map((loop) => positions.slice(at, (at += loop.length)));
		const { triangles, state } = triangulatePolygon(pools.positions.data, places);
		if (state !== 'simple') {
			const what = state === 'crossing' ? 'crosses itself' : 'has no area';
			this.#document.add('MESH008', `a polygon of vertices ${positions.slice(0, 6).join(' ')} ${what}`, p);
		}
		for (let i = 0; i < triangles.length; i += 3) {
			const a = this.#vertex(inputs, values, corners[triangles[i]!]!);
			const b = this.#vertex(inputs, values, corners[triangles[i + 1]!]!);
			this.#part.triangle(a, b, this.#vertex(inputs, values, corners[triangles[i + 2]!]!));
		}
	}

	#vertex(inputs: CornerInputs, values: Int32Array, corner: number): number {
		const at = corner * inputs.stride;
		const { normals, uvs } = inputs.pools;
		const n = inputs.normal < 0 ? -1 : values[at + inputs.normal]!;
		const t = inputs.uv < 0 ? -1 : values[at + inputs.uv]!;
		return this.#part.vertex(
			values[at + inputs.position]! + this.#positionBase,
			normals !== undefined && n >= 0 && n < normals.count ? n + this.#normalBase : -1,
			uvs !== undefined && t >= 0 && t < uvs.count ? t + this.#uvBase : -1,
		);
	}

	#checkCount(element: XmlElement, found: number): void {
		const text = element.get('count');
		if (text !== undefined && Number(text) !== found) {
			this.#document.add('MESH010', `${element.name} states ${quote(text)} polygons and has ${found}`, element);
		}
	}
}

function isFinitePoint(data: Float64Array, count: number, index: number): boolean {
	const at = index * 3;
	return index >= 0 && index < count && Number.isFinite(data[at]! + data[at + 1]! + data[at + 2]!);
}

/** Both sources one after the other; the same source once. */
function appendSource(known: DaeSource | undefined, next: DaeSource | undefined): DaeSource | undefined {
	if (known === undefined || next === undefined || known === next) return next ?? known;
	const data = new Float64Array((known.count + next.count) * known.stride);
	data.set(known.data);
	for (let i = 0; i < next.count; i++) {
		for (let k = 0; k < Math.min(known.stride, next.stride); k++) {
			data[(known.count + i) * known.stride + k] = next.data[i * next.stride + k]!;
		}
	}
	return { data, stride: known.stride, count: known.count + next.count };
}

function baseOf(pool: DaeSource | undefined, own: DaeSource | undefined): number {
	return pool === undefined || own === undefined ? 0 : pool.count - own.count;
}
