import { quote } from '@manyworlds/core';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { GrowableNumbers } from './growable.ts';
import type { MeshReadContext } from './mesh-file.ts';
import { isNonFiniteWord, parseNumber } from './parse-number.ts';
import { isOpposed, soupToMesh } from './stl-soup.ts';

const decoder = new TextDecoder();

/** Reads the solids of a text STL file; facets that are not triangles are reported and left out. */
export function readStlText(context: MeshReadContext): TriangleMesh[] {
	const { bytes } = context;
	const meshes: TriangleMesh[] = [];
	const corner = new Float64Array(3);
	const normal = new Float64Array(3);
	const facet: number[] = [];
	let soup = new GrowableNumbers();
	let name: string | undefined;
	let facetStart = 0;
	let isBad = false;
	let opposed = 0;
	let firstOpposed: readonly [number, number] | undefined;
	const closeSolid = (): void => {
		if (soup.length > 0) meshes.push(soupToMesh(soup.toArray(), name));
		soup = new GrowableNumbers();
		name = undefined;
	};
	const closeFacet = (end: number): void => {
		if (facet.length !== 9 && !isBad) {
			context.addAt('MESH003', `found a facet with ${facet.length / 3} corners, expected 3`, facetStart, end);
		} else if (!isBad) {
			for (const value of facet) soup.push(value);
			if (isOpposed(soup.data, soup.length - 9, normal[0]!, normal[1]!, normal[2]!)) {
				opposed++;
				firstOpposed ??= [facetStart, end];
			}
		}
		facet.length = 0;
		isBad = false;
	};
	const words: number[] = [];
	let hasFacet = false;
	let at = 0;
	while (at < bytes.length) {
		at = splitLine(bytes, at, words);
		if (words.length === 0) continue;
		const [start, end] = [words[0]!, words.at(-1)!];
		const keyword = decoder.decode(bytes.subarray(start, words[1]!)).toLowerCase();
		switch (keyword) {
			case 'solid':
				closeSolid();
				if (words.length > 2) name = decoder.decode(bytes.subarray(words[2]!, end)).trim();
				break;
			case 'facet':
				if (hasFacet) closeFacet(start);
				hasFacet = true;
				facetStart = start;
				// 'facet normal x y z'
				normal.fill(0);
				if (words.length >= 10)
					for (let k = 0; k < 3; k++) normal[k] = parseNumber(bytes, words[4 + k * 2]!, words[5 + k * 2]!);
				if (!normal.every(Number.isFinite)) normal.fill(0);
				break;
			case 'vertex':
				if (readCorner(context, words, corner)) facet.push(corner[0]!, corner[1]!, corner[2]!);
				else isBad = true;
				break;
			case 'endfacet':
				if (hasFacet) closeFacet(end);
				hasFacet = false;
				break;
			case 'endsolid':
				closeSolid();
				break;
			case 'outer':
			case 'endloop':
				break;
			default:
				context.addAt('MESH003', `found ${quote(keyword)}, expected a statement of text STL`, start, words[1]!);
		}
	}
	if (hasFacet) {
		context.addAt('MESH010', 'the file ends within a facet, expected endfacet', facetStart, bytes.length);
	}
	closeSolid();
	if (firstOpposed !== undefined) {
		context.addAt(
			'MESH011',
			`${opposed} facets have a normal against their winding; this is the first`,
			...firstOpposed,
		);
	}
	return meshes;
}

function readCorner(context: MeshReadContext, words: readonly number[], out: Float64Array): boolean {
	const { bytes } = context;
	const given = words.length / 2 - 1;
	if (given < 3) {
		context.addAt('MESH003', `found ${given} numbers, expected 3`, words[0]!, words.at(-1)!);
		return false;
	}
	for (let k = 0; k < 3; k++) {
		const [start, end] = [words[2 + k * 2]!, words[3 + k * 2]!];
		const value = parseNumber(bytes, start, end);
		if (!Number.isFinite(value)) {
			const code = isNonFiniteWord(bytes, start, end) || Math.abs(value) === Infinity ? 'MESH007' : 'MESH003';
			const text = quote(decoder.decode(bytes.subarray(start, end)));
			context.addAt(code, `found ${text}, expected a finite number; the facet is left out`, start, end);
			return false;
		}
		out[k] = value;
	}
	return true;
}

/** Writes start and end of each word of a line; gives where the next line starts. */
function splitLine(bytes: Uint8Array, start: number, words: number[]): number {
	words.length = 0;
	let i = start;
	while (i < bytes.length && bytes[i] !== 0x0a && bytes[i] !== 0x0d) {
		if (bytes[i]! <= 0x20) {
			i++;
			continue;
		}
		const from = i;
		while (i < bytes.length && bytes[i]! > 0x20) i++;
		words.push(from, i);
	}
	return i + 1;
}
