import type { SubdivisionCage } from '@manyworlds/mesh/internal';
import type { Prim } from '@manyworlds/usd';
import { arrayAt, textAt } from './stage-values.ts';

/** What says how a mesh is subdivided, beside its faces. */
export const SUBDIVISION_PROPERTIES: readonly string[] = [
	'interpolateBoundary',
	'faceVaryingLinearInterpolation',
	'triangleSubdivisionRule',
	'creaseIndices',
	'creaseLengths',
	'creaseSharpnesses',
	'cornerIndices',
	'cornerSharpnesses',
];

/** Whether the faces of a mesh are the cage of a surface. */
export function isSubdivided(prim: Prim): boolean {
	return (textAt(prim, 'subdivisionScheme') ?? 'catmullClark') !== 'none';
}

/** The cage that a mesh is; words that USD does not know mean what is meant without them. */
export function cageOf(
	prim: Prim,
	pointCount: number,
	counts: ArrayLike<number>,
	cornerPoints: ArrayLike<number>,
): SubdivisionCage {
	const word = <T extends string>(name: string, known: readonly [T, ...T[]]): T => {
		const text = textAt(prim, name);
		return known.find((one) => one === text) ?? known[0];
	};
	const list = (name: string): ArrayLike<number> => arrayAt(prim, name) ?? [];
	return {
		pointCount,
		counts,
		cornerPoints,
		scheme: word('subdivisionScheme', ['catmullClark', 'loop', 'bilinear']),
		boundary: word('interpolateBoundary', ['edgeAndCorner', 'edgeOnly', 'none']),
		cornerRule: word('faceVaryingLinearInterpolation', [
			'cornersPlus1',
			'none',
			'cornersOnly',
			'cornersPlus2',
			'boundaries',
			'all',
		]),
		triangleRule: word('triangleSubdivisionRule', ['catmullClark', 'smooth']),
		creases: {
			points: list('creaseIndices'),
			lengths: list('creaseLengths'),
			sharpness: list('creaseSharpnesses'),
		},
		corners: { points: list('cornerIndices'), sharpness: list('cornerSharpnesses') },
	};
}
