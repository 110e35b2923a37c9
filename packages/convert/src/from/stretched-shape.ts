import { createCapsule, createCone, createCylinder, type TriangleMesh } from '@manyworlds/mesh';
import { scaleMesh } from '@manyworlds/mesh/internal';
import { type Prim, XformCache } from '@manyworlds/usd';

/** Pieces around round shapes that become meshes. */
const ROUND = { segments: 48, rings: 24 };

/** Factors that differ by less than this share are one. */
const NEAR = 1e-6;

/**
 * A cylinder, cone or capsule that its transform stretches into something else: a mesh in the frame of the shape, its axis along z, in
 * metres. Undefined for shapes that stay what they are.
 */
export function stretchedShape(prim: Prim | undefined, unit: number): TriangleMesh | undefined {
	const kind = prim === undefined ? undefined : KINDS[prim.typeName];
	if (prim === undefined || kind === undefined) return undefined;
	const matrix = new XformCache().worldTransform(prim);
	const [x, y, z] = [0, 4, 8].map((row) => Math.hypot(...matrix.subarray(row, row + 3))) as [number, number, number];
	const axis = prim.attribute('axis').get()?.data;
	// models turn z to the axis the short way, which moves one of the others too
	const [a, b, along] = axis === 'X' ? [z, y, x] : axis === 'Y' ? [x, z, y] : [x, y, z];
	const most = Math.max(a, b);
	const isRound = Math.abs(a - b) <= NEAR * most && (kind !== 'capsule' || Math.abs(along - most) <= NEAR * most);
	if (isRound || ![a, b, along].every((factor) => factor > 0 && Number.isFinite(factor))) return undefined;
	const number = (name: string): number | undefined => {
		const value = prim.attribute(name).get()?.data;
		return typeof value === 'number' ? value : undefined;
	};
	const radius = number('radius') ?? number('radiusBottom') ?? (kind === 'capsule' ? 0.5 : 1);
	const half = (number('height') ?? (kind === 'capsule' ? 1 : 2)) / 2;
	if (!(radius > 0 && half >= 0)) return undefined;
	return scaleMesh(CREATE[kind](radius, half, ROUND), a * unit, b * unit, along * unit);
}

const KINDS: Readonly<Record<string, 'cylinder' | 'capsule' | 'cone'>> = {
	Cylinder: 'cylinder',
	Cylinder_1: 'cylinder',
	Capsule: 'capsule',
	Capsule_1: 'capsule',
	Cone: 'cone',
};

const CREATE = { cylinder: createCylinder, capsule: createCapsule, cone: createCone } as const;
