import { mat3Determinant } from '@manyworlds/core/internal';
import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { readNumber, readNumbers, readText } from '../../asset/read-values.ts';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';
import { applyLinear, cofactors3, stretchKind } from '../engine/linear.ts';
import type { Proposals } from '../engine/proposals.ts';

const RULE = 'R1.1.10';

/**
 * Bakes a stretch into the geometry of a prim whose transform must be rigid: into points of meshes, curves and point sets, into
 * sizes of shapes that stay shapes of their kind. Gives a reason when the shape cannot take it.
 */
export function absorbStretch(
	session: FixSession,
	proposals: Proposals,
	prim: Prim,
	stretch: Float64Array,
	rule: RepCode = RULE,
): string | undefined {
	switch (prim.typeName) {
		case 'Cube':
			return absorbIntoSizes(proposals, prim, stretch, () => ({ size: 2 }));
		case 'Sphere':
			return absorbIntoSizes(proposals, prim, stretch, () => ({ radius: 1 }));
		case 'Cylinder':
		case 'Cone':
		case 'Capsule':
			return absorbIntoRound(proposals, prim, stretch);
		case 'Plane':
			return 'a plane has no size that could take its scale';
		default:
			return absorbIntoPoints(session, proposals, prim, stretch, rule);
	}
}

/** Shapes with one size take a uniform scale; a mirror changes nothing about them. */
function absorbIntoSizes(
	proposals: Proposals,
	prim: Prim,
	stretch: Float64Array,
	sizes: () => Readonly<Record<string, number>>,
): string | undefined {
	const factors = [Math.abs(stretch[0]!), Math.abs(stretch[4]!), Math.abs(stretch[8]!)];
	const isDiagonal = stretchKind(stretch) !== 'general';
	if (
		!isDiagonal ||
		Math.abs(factors[0]! - factors[1]!) > 1e-6 * factors[0]! ||
		Math.abs(factors[0]! - factors[2]!) > 1e-6 * factors[0]!
	) {
		return `a ${prim.typeName} that is a rigid body cannot take a scale of (${factors.map((x) => Number(x.toPrecision(6))).join(', ')}); put it on a child`;
	}
	for (const [name, fallback] of Object.entries(sizes())) {
		const value = (readNumber(prim, name) ?? fallback) * factors[0]!;
		proposals.set(prim, name, { rule: RULE, typeName: 'double', value: makeValue(T.double, value) as Value });
	}
	scaleExtent(proposals, prim, stretch);
	return undefined;
}

function absorbIntoRound(proposals: Proposals, prim: Prim, stretch: Float64Array): string | undefined {
	const axis = 'XYZ'.indexOf(readText(prim, 'axis') ?? 'Z');
	const signed = [stretch[0]!, stretch[4]!, stretch[8]!];
	const along = signed[axis]!;
	const across = signed.filter((_, i) => i !== axis).map(Math.abs) as [number, number];
	const isRound = stretchKind(stretch) !== 'general' && Math.abs(across[0] - across[1]) <= 1e-6 * across[0];
	const isCapsule = prim.typeName === 'Capsule';
	if (!isRound || (isCapsule && Math.abs(Math.abs(along) - across[0]) > 1e-6 * across[0])) {
		return `a ${prim.typeName} that is a rigid body cannot take a scale of (${signed.map((x) => Number(x.toPrecision(6))).join(', ')}); put it on a child`;
	}
	if (prim.typeName === 'Cone' && along < 0) return 'a cone that is a rigid body cannot be mirrored along its axis';
	const set = (name: string, fallback: number, factor: number): void => {
		const value = (readNumber(prim, name) ?? fallback) * factor;
		proposals.set(prim, name, { rule: RULE, typeName: 'double', value: makeValue(T.double, value) as Value });
	};
	set('height', isCapsule ? 1 : 2, Math.abs(along));
	set('radius', isCapsule ? 0.5 : 1, across[0]);
	scaleExtent(proposals, prim, stretch);
	return undefined;
}

/** Points, normals, velocities and extent; a mirror turns faces inside out, so their vertices are reversed. */
function absorbIntoPoints(
	session: FixSession,
	proposals: Proposals,
	prim: Prim,
	stretch: Float64Array,
	rule: RepCode,
): string | undefined {
	for (const name of ['points', 'normals', 'primvars:normals', 'velocities']) {
		if (prim.attribute(name).timeSamples().length > 0) return `its ${name} change over time`;
	}
	const points = readNumbers(prim, 'points');
	if (points === undefined) return `a ${prim.typeName} has no points that could take its scale`;
	const vectors = (name: string, typeName: string, map: (p: Float64Array) => Float64Array): void => {
		const old = prim.attribute(name).hasAuthoredValue ? readNumbers(prim, name) : undefined;
		if (old === undefined) return;
		const out = new Float32Array(old.length);
		for (let i = 0; i + 2 < old.length; i += 3)
			out.set(
				map(old.subarray(i, i + 3)).map((x) => x + 0),
				i,
			);
		proposals.set(prim, name, { rule, typeName, value: makeValue(T.float3.array, out) as Value });
	};
	vectors('points', 'point3f[]', (p) => applyLinear(p, stretch));
	vectors('velocities', 'vector3f[]', (p) => applyLinear(p, stretch));
	const turn = cofactors3(stretch);
	const sign = mat3Determinant(stretch) < 0 ? -1 : 1;
	for (const name of ['normals', 'primvars:normals']) {
		vectors(name, 'normal3f[]', (p) => {
			const moved = applyLinear(p, turn);
			const length = Math.hypot(...moved) * sign;
			return length === 0 ? moved : moved.map((x) => x / length);
		});
	}
	scaleExtent(proposals, prim, stretch, rule);
	if (prim.attribute('widths').hasAuthoredValue && stretchKind(stretch) !== 'uniform') {
		session.note(rule, 'widths were not scaled: the scale is not uniform', { prim });
	} else if (prim.attribute('widths').hasAuthoredValue) {
		const widths = readNumbers(prim, 'widths')!;
		const value = makeValue(
			T.float.array,
			Float32Array.from(widths, (w) => w * Math.abs(stretch[0]!)),
		) as Value;
		proposals.set(prim, 'widths', { rule, typeName: 'float[]', value });
	}
	if (sign < 0 && prim.isA('Mesh')) flipHandedness(proposals, prim, rule);
	return undefined;
}

/** A mirrored mesh keeps its faces outside by the other handedness. */
function flipHandedness(proposals: Proposals, prim: Prim, rule: RepCode): void {
	const isLeft = dataOf(prim.attribute('orientation').get(), T.token) === 'leftHanded';
	const value = makeValue(T.token, isLeft ? 'rightHanded' : 'leftHanded') as Value;
	proposals.set(prim, 'orientation', { rule, typeName: 'token', variability: 'uniform', value });
}

function scaleExtent(proposals: Proposals, prim: Prim, stretch: Float64Array, rule: RepCode = RULE): void {
	const box = prim.attribute('extent').hasAuthoredValue ? readNumbers(prim, 'extent') : undefined;
	if (box?.length !== 6) return;
	const low = [Infinity, Infinity, Infinity];
	const high = [-Infinity, -Infinity, -Infinity];
	for (let corner = 0; corner < 8; corner++) {
		const p = applyLinear(
			[0, 1, 2].map((k) => box[k + ((corner >> k) & 1) * 3]!),
			stretch,
		);
		for (let k = 0; k < 3; k++) {
			low[k] = Math.min(low[k]!, p[k]!);
			high[k] = Math.max(high[k]!, p[k]!);
		}
	}
	const value = makeValue(T.float3.array, Float32Array.of(...low, ...high)) as Value;
	proposals.set(prim, 'extent', { rule, typeName: 'float3[]', value });
}
