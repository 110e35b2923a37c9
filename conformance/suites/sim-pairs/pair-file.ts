import { caseName } from '../../src/files.ts';
import { isObject } from '../../src/json.ts';
import { checkKeys, filesOfFormat, list } from '../sim-sap-problems/problem-file.ts';

/** A shape as the file has it. */
export type GoldenShape =
	| { readonly type: 'sphere'; readonly radius: number }
	| { readonly type: 'box'; readonly sides: readonly [number, number, number] }
	| { readonly type: 'capsule' | 'cylinder'; readonly radius: number; readonly length: number }
	| { readonly type: 'ellipsoid'; readonly radii: readonly [number, number, number] }
	| { readonly type: 'convex'; readonly vertices: readonly (readonly number[])[] }
	| { readonly type: 'half_space' };

/** A shape at a pose. */
export interface PlacedShape {
	readonly shape: GoldenShape;
	readonly pose: { readonly position: readonly number[]; readonly quaternion_xyzw: readonly number[] };
}

/** A pair of format drake-contact-pairs/1. */
export interface GoldenPair {
	readonly name: string;
	readonly case: string;
	readonly a: PlacedShape;
	readonly b: PlacedShape;
	readonly reference: {
		readonly distance: number;
		readonly normal_ab: readonly number[];
		readonly unique_normal: boolean;
	};
}

/** Pairs of every file of the format below a folder. */
export function* goldenPairs(dir: string): Generator<{ readonly name: string; readonly pair: GoldenPair }> {
	for (const { path, json } of filesOfFormat(dir, 'drake-contact-pairs/1')) {
		const file = checkKeys(json, 'the file', 'engine format pairs seed');
		for (const entry of list(file['pairs'], 'pairs')) {
			const pair = checkPair(entry);
			yield { name: `${caseName(dir, path)}#${pair.name}`, pair };
		}
	}
}

const SHAPE_KEYS: Readonly<Record<string, string>> = {
	sphere: 'radius type',
	box: 'sides type',
	capsule: 'length radius type',
	cylinder: 'length radius type',
	ellipsoid: 'radii type',
	convex: 'type vertices',
	half_space: 'type',
};

function checkPair(value: unknown): GoldenPair {
	const pair = checkKeys(value, 'a pair', 'a b case drake drake_documented_error name reference');
	for (const side of ['a', 'b']) {
		const placed = checkKeys(pair[side], `shape ${side}`, 'pose shape');
		checkKeys(placed['pose'], 'a pose', 'position quaternion_xyzw');
		const { shape } = placed;
		const type = isObject(shape) ? String(shape['type']) : '';
		const keys = SHAPE_KEYS[type];
		if (keys === undefined) throw new TypeError(`a shape has the type '${type}'`);
		checkKeys(shape, `a shape of type ${type}`, keys);
	}
	checkKeys(pair['reference'], 'reference', 'distance normal_ab unique_normal');
	// Drake is a witness with errors of its own: the reference decides
	checkKeys(pair['drake'], 'drake', 'penetration signed_distance');
	return pair as unknown as GoldenPair;
}
