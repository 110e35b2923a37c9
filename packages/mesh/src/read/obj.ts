import { quote } from '@manyworlds/core';
import { triangulatePolygon } from '../geometry/triangulate-polygon.ts';
import { GrowableNumbers } from './growable.ts';
import { type MeshFile, type MeshMaterial, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';
import { readMtl } from './mtl.ts';
import { isNonFiniteWord, parseInteger, parseNumber } from './parse-number.ts';
import { PartBuilder } from './part-builder.ts';

/**
 * Reads a Wavefront OBJ file. Every object and group with faces becomes a mesh, every `usemtl` a run of triangles in it.
 * Polygons of any size are triangulated; indices may be negative. Lines, points and curves are reported.
 */
export function readObj(bytes: Uint8Array, options: ReadMeshOptions = {}): MeshFile {
	return new ObjReader(new MeshReadContext(bytes, options), options.shortDiagonals ?? false).read();
}

const SPACE = 0x20;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const HASH = 0x23;

const NOT_SURFACES: Readonly<Record<string, string>> = {
	p: 'point',
	l: 'line',
	curv: 'curve',
	curv2: 'curve',
	surf: 'free-form surface',
	sp: 'special point',
};
// statements of free-form geometry and of display that say nothing about polygons
const IGNORED = new Set(
	's vp deg bmat step cstype parm trim hole scrv end con mg bevel c_interp d_interp lod shadow_obj trace_obj ctech stech maplib usemap'.split(
		' ',
	),
);
const decoder = new TextDecoder();

class ObjReader {
	readonly #context: MeshReadContext;
	readonly #bytes: Uint8Array;
	readonly #positions = new GrowableNumbers();
	readonly #normals = new GrowableNumbers();
	readonly #uvs = new GrowableNumbers();
	readonly #parts = new Map<string, PartBuilder>();
	readonly #libraries: string[] = [];
	readonly #ignored = new Map<string, { start: number; end: number; count: number }>();
	readonly #badPositions = new Set<number>();
	#object: string | undefined;
	#group: string | undefined;
	#material: string | undefined;
	#part: PartBuilder | undefined;
	/** Start and end of each word of the current statement. */
	#words: number[] = [];
	#hasColors = false;
	readonly #corners: number[] = [];
	readonly #cornerNormals: number[] = [];
	readonly #cornerUvs: number[] = [];

	readonly #hasShortDiagonals: boolean;

	constructor(context: MeshReadContext, hasShortDiagonals: boolean) {
		this.#context = context;
		this.#bytes = context.bytes;
		this.#hasShortDiagonals = hasShortDiagonals;
	}

	read(): MeshFile {
		const bytes = this.#bytes;
		let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
		while (at < bytes.length) {
			at = this.#splitStatement(at);
			if (this.#words.length > 0) this.#statement();
		}
		this.#reportIgnored();
		const meshes = [...this.#parts.values()]
			.filter((part) => part.triangleCount > 0)
			.map((part) =>
				part.build({
					positions: this.#positions,
					normals: this.#normals,
					uvs: this.#uvs,
					uvStride: 2,
					isFileOrder: true,
				}),
			);
		const materials = this.#materials();
		return { format: 'obj', meshes, materialLibraries: this.#libraries, ...(materials.size > 0 ? { materials } : {}) };
	}

	/** Materials of the libraries that can be had; a name that two libraries have is that of the first. */
	#materials(): Map<string, MeshMaterial> {
		const materials = new Map<string, MeshMaterial>();
		for (const library of this.#libraries) {
			const bytes = this.#context.options.external?.(library);
			for (const [name, material] of bytes === undefined ? [] : readMtl(bytes)) {
				if (!materials.has(name)) materials.set(name, material);
			}
		}
		return materials;
	}

	/** Finds the words up to the end of the statement, across continued lines; gives where the next one starts. */
	#splitStatement(start: number): number {
		const bytes = this.#bytes;
		const words = this.#words;
		words.length = 0;
		let i = start;
		let isComment = false;
		while (i < bytes.length) {
			const byte = bytes[i]!;
			if (byte === LF || byte === CR) return i + 1;
			if (byte === BACKSLASH && (bytes[i + 1] === LF || bytes[i + 1] === CR)) {
				i += bytes[i + 1] === CR && bytes[i + 2] === LF ? 3 : 2;
				continue;
			}
			if (byte === HASH) isComment = true;
			if (isComment || byte === SPACE || byte === TAB) {
				i++;
				continue;
			}
			const from = i;
			while (i < bytes.length && bytes[i]! > SPACE && bytes[i] !== HASH) {
				if (bytes[i] === BACKSLASH && (bytes[i + 1] === LF || bytes[i + 1] === CR)) break;
				i++;
			}
			if (i === from) i++;
			else words.push(from, i);
		}
		return i;
	}

	#statement(): void {
		const [start, end] = [this.#words[0]!, this.#words[1]!];
		const bytes = this.#bytes;
		const length = end - start;
		const first = bytes[start]!;
		if (length === 1 && first === 0x76) this.#vertex();
		else if (length === 1 && first === 0x66) this.#face();
		else if (length === 2 && first === 0x76 && bytes[start + 1] === 0x6e) this.#numbers(this.#normals, 3, 3);
		else if (length === 2 && first === 0x76 && bytes[start + 1] === 0x74) this.#numbers(this.#uvs, 1, 2);
		else this.#otherStatement(decoder.decode(bytes.subarray(start, end)));
	}

	#otherStatement(keyword: string): void {
		const [start] = this.#words;
		const end = this.#words.at(-1)!;
		switch (keyword) {
			case 'o':
				this.#object = this.#rest();
				this.#group = undefined;
				this.#part = undefined;
				return;
			case 'g':
				this.#group = this.#rest();
				this.#part = undefined;
				return;
			case 'usemtl':
				this.#material = this.#rest();
				this.#part?.useMaterial(this.#material);
				return;
			case 'mtllib':
				for (let i = 2; i < this.#words.length; i += 2) {
					const name = decoder.decode(this.#bytes.subarray(this.#words[i]!, this.#words[i + 1]!));
					if (!this.#libraries.includes(name)) this.#libraries.push(name);
				}
				return;
			// an old spelling of f
			case 'fo':
				this.#face();
				return;
		}
		const kind = NOT_SURFACES[keyword];
		if (kind === undefined && !IGNORED.has(keyword)) {
			this.#context.addAt(
				'MESH006',
				`found the statement ${quote(keyword)}, which OBJ does not have; it is left out`,
				start!,
				end,
			);
			return;
		}
		// smoothing groups change shading only
		if (keyword === 's') return;
		const known = this.#ignored.get(keyword);
		if (known === undefined) this.#ignored.set(keyword, { start: start!, end, count: 1 });
		else known.count++;
	}

	#reportIgnored(): void {
		for (const [keyword, { start, end, count }] of this.#ignored) {
			const kind = NOT_SURFACES[keyword];
			const times = count === 1 ? 'one statement' : `${count} statements`;
			if (kind !== undefined) {
				this.#context.addAt(
					'MESH005',
					`${times} '${keyword}' (${kind}) left out, expected faces; this is the first`,
					start,
					end,
				);
			} else {
				this.#context.addAt('MESH006', `${times} '${keyword}' not read; this is the first`, start, end);
			}
		}
	}

	#rest(): string | undefined {
		if (this.#words.length < 4) return undefined;
		return decoder.decode(this.#bytes.subarray(this.#words[2]!, this.#words.at(-1)!)).trim();
	}

	#vertex(): void {
		const words = this.#words.length / 2 - 1;
		this.#numbers(this.#positions, 3, 3);
		if ((words === 6 || words === 7) && !this.#hasColors) {
			this.#hasColors = true;
			this.#context.addAt(
				'MESH006',
				'vertex colours are not read; this is the first',
				this.#words[8]!,
				this.#words.at(-1)!,
			);
		}
	}

	/** Reads `count` numbers into a pool, of which `required` must be there. A bad statement keeps its place in the pool. */
	#numbers(pool: GrowableNumbers, required: number, count: number): void {
		const words = this.#words;
		const given = words.length / 2 - 1;
		const first = pool.length / count;
		if (given < required) {
			this.#context.addAt('MESH003', `found ${given} numbers, expected ${required}`, words[0]!, words.at(-1)!);
		}
		for (let k = 0; k < count; k++) {
			let value = 0;
			if (k < given) {
				const start = words[2 + k * 2]!;
				const end = words[3 + k * 2]!;
				value = parseNumber(this.#bytes, start, end);
				if (!Number.isFinite(value)) {
					const text = quote(decoder.decode(this.#bytes.subarray(start, end)));
					const code = isNonFiniteWord(this.#bytes, start, end) || Math.abs(value) === Infinity ? 'MESH007' : 'MESH003';
					this.#context.addAt(code, `found ${text}, expected a finite number`, start, end);
					if (pool === this.#positions) this.#badPositions.add(first);
					value = 0;
				}
			} else if (pool === this.#positions) this.#badPositions.add(first);
			pool.push(value);
		}
	}

	#face(): void {
		const words = this.#words;
		const corners = words.length / 2 - 1;
		const [start, end] = [words[0]!, words.at(-1)!];
		if (corners < 3) {
			this.#context.addAt('MESH003', `found a face with ${corners} corners, expected 3 or more`, start, end);
			return;
		}
		this.#corners.length = 0;
		this.#cornerNormals.length = 0;
		this.#cornerUvs.length = 0;
		for (let i = 2; i < words.length; i += 2) if (!this.#corner(words[i]!, words[i + 1]!)) return;
		if (this.#corners.some((corner) => this.#badPositions.has(corner))) {
			this.#context.addAt('MESH003', 'a face uses a vertex that could not be read; it is left out', start, end);
			return;
		}
		const part = (this.#part ??= this.#openPart());
		const polygon = triangulatePolygon(this.#positions.data, [this.#corners]);
		const { state } = polygon;
		const isQuad = this.#hasShortDiagonals && corners === 4 && state === 'simple';
		const triangles = isQuad ? this.#shortQuad() : polygon.triangles;
		if (state !== 'simple') {
			const what = state === 'crossing' ? 'crosses itself' : 'has no area';
			this.#context.addAt('MESH008', `a face with ${corners} corners ${what}`, start, end);
		}
		for (let i = 0; i < triangles.length; i += 3) {
			const a = this.#vertexOf(part, triangles[i]!);
			const b = this.#vertexOf(part, triangles[i + 1]!);
			part.triangle(a, b, this.#vertexOf(part, triangles[i + 2]!));
		}
	}

	/** Two triangles on both sides of the shorter diagonal of a face with four corners; of equal ones the second. */
	#shortQuad(): number[] {
		const { data } = this.#positions;
		const square = (from: number, to: number): number => {
			let sum = 0;
			for (let k = 0; k < 3; k++) {
				const step = data[3 * this.#corners[to]! + k]! - data[3 * this.#corners[from]! + k]!;
				sum += step * step;
			}
			return sum;
		};
		return square(0, 2) < square(1, 3) ? [0, 1, 2, 0, 2, 3] : [0, 1, 3, 1, 2, 3];
	}

	#vertexOf(part: PartBuilder, corner: number): number {
		return part.vertex(this.#corners[corner]!, this.#cornerNormals[corner]!, this.#cornerUvs[corner]!);
	}

	/** Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`. */
	#corner(start: number, end: number): boolean {
		const bytes = this.#bytes;
		let slash = start;
		while (slash < end && bytes[slash] !== SLASH) slash++;
		let second = slash + 1;
		while (second < end && bytes[second] !== SLASH) second++;
		const position = this.#index(start, slash, this.#positions.length / 3, 'vertex');
		if (position < 0) return false;
		const hasUv = slash + 1 < Math.min(second, end);
		const uv = hasUv ? this.#index(slash + 1, Math.min(second, end), this.#uvs.length / 2, 'texture coordinate') : -1;
		const normal = second + 1 < end ? this.#index(second + 1, end, this.#normals.length / 3, 'normal') : -1;
		this.#corners.push(position);
		this.#cornerUvs.push(uv);
		this.#cornerNormals.push(normal);
		return true;
	}

	#index(start: number, end: number, count: number, what: string): number {
		const value = parseInteger(this.#bytes, start, end);
		if (Number.isNaN(value)) {
			const text = quote(decoder.decode(this.#bytes.subarray(start, end)));
			this.#context.addAt('MESH003', `found ${text}, expected the number of a ${what}`, start, end);
			return -1;
		}
		const index = value < 0 ? count + value : value - 1;
		if (index >= 0 && index < count) return index;
		const expected = count === 0 ? `none, as there is no ${what}` : `1 to ${count} or -1 to -${count}`;
		this.#context.addAt('MESH004', `${what} ${value} does not exist, expected ${expected}`, start, end);
		return -1;
	}

	#openPart(): PartBuilder {
		const name =
			this.#group === undefined
				? this.#object
				: this.#object === undefined
					? this.#group
					: `${this.#object}/${this.#group}`;
		const key = name ?? '';
		let part = this.#parts.get(key);
		if (part === undefined) {
			part = new PartBuilder(name);
			this.#parts.set(key, part);
		}
		part.useMaterial(this.#material);
		return part;
	}
}
