import { UsageRangeError } from '@manyworlds/core';
import { cosine, sine } from '@manyworlds/core/internal';
import { createTriangleMesh, type TriangleMesh } from '../triangle-mesh.ts';
import { revolve } from './revolve.ts';

/** Fineness of round shapes. @public */
export interface RoundOptions {
	/** Corners of a full circle. */
	readonly segments?: number;
	/** Bands from pole to pole, or of each hemisphere of a capsule. */
	readonly rings?: number;
}

/** Values of {@link RoundOptions} that are used when absent. @public */
export const ROUND_DEFAULTS: Required<RoundOptions> = { segments: 32, rings: 16 };

/** A closed box of half extents around the origin. @public */
export function createBox(x: number, y: number = x, z: number = x): TriangleMesh {
	checkSizes({ x, y, z });
	const vertices: number[] = [];
	for (let i = 0; i < 8; i++) vertices.push(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
	const faces = [
		[0, 4, 6, 2],
		[1, 3, 7, 5],
		[0, 1, 5, 4],
		[2, 6, 7, 3],
		[0, 2, 3, 1],
		[4, 5, 7, 6],
	] as const;
	const indices = faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
	return createTriangleMesh({ vertices, indices, name: 'box' });
}

/** A closed sphere of triangles between circles of latitude, with its vertices on the sphere. @public */
export function createSphere(radius: number, options: RoundOptions = {}): TriangleMesh {
	return createEllipsoid(radius, radius, radius, options, 'sphere');
}

/** A closed ellipsoid with its vertices on the surface. @public */
export function createEllipsoid(
	x: number,
	y: number,
	z: number,
	options: RoundOptions = {},
	name: string = 'ellipsoid',
): TriangleMesh {
	checkSizes({ x, y, z });
	const { segments, rings } = checkRound(options);
	const profile: [number, number][] = [];
	for (let i = 0; i <= rings; i++) {
		const angle = (Math.PI * i) / rings - Math.PI / 2;
		profile.push([i === 0 || i === rings ? 0 : cosine(angle), sine(angle)]);
	}
	const mesh = revolve(profile, segments, name);
	const vertices = mesh.vertices.map((value, i) => value * (i % 3 === 0 ? x : i % 3 === 1 ? y : z));
	return { ...mesh, vertices };
}

/** A closed cylinder along Z. @public */
export function createCylinder(radius: number, halfHeight: number, options: RoundOptions = {}): TriangleMesh {
	checkSizes({ radius, halfHeight });
	const profile: [number, number][] = [
		[0, -halfHeight],
		[radius, -halfHeight],
		[radius, halfHeight],
		[0, halfHeight],
	];
	return revolve(profile, checkRound(options).segments, 'cylinder');
}

/** A closed cone along Z, its apex up. @public */
export function createCone(radius: number, halfHeight: number, options: RoundOptions = {}): TriangleMesh {
	checkSizes({ radius, halfHeight });
	const profile: [number, number][] = [
		[0, -halfHeight],
		[radius, -halfHeight],
		[0, halfHeight],
	];
	return revolve(profile, checkRound(options).segments, 'cone');
}

/** A closed capsule along Z; `halfHeight` is that of the cylindrical part. @public */
export function createCapsule(radius: number, halfHeight: number, options: RoundOptions = {}): TriangleMesh {
	checkSizes({ radius });
	if (!(halfHeight >= 0)) throw new UsageRangeError(`halfHeight is ${halfHeight}, expected 0 or more`);
	const { segments, rings } = checkRound(options);
	const profile: [number, number][] = [];
	for (let i = 0; i <= 2 * rings; i++) {
		const angle = (Math.PI * i) / (2 * rings) - Math.PI / 2;
		const shift = i <= rings ? -halfHeight : halfHeight;
		if (i === rings && halfHeight > 0) profile.push([radius, -halfHeight]);
		const r = i === 0 || i === 2 * rings ? 0 : radius * cosine(angle);
		profile.push([r, radius * sine(angle) + (i === rings && halfHeight > 0 ? halfHeight : shift)]);
	}
	return revolve(profile, segments, 'capsule');
}

/** A closed torus around Z: a circle of `minor` radius carried round at `major`. @public */
export function createTorus(major: number, minor: number, options: RoundOptions = {}): TriangleMesh {
	checkSizes({ major, minor });
	if (minor >= major) throw new UsageRangeError(`minor is ${minor}, expected less than major, ${major}`);
	const { segments, rings } = checkRound(options);
	const vertices: number[] = [];
	const indices: number[] = [];
	for (let i = 0; i < segments; i++) {
		const u = (2 * Math.PI * i) / segments;
		for (let j = 0; j < rings; j++) {
			const v = (2 * Math.PI * j) / rings;
			const r = major + minor * cosine(v);
			vertices.push(r * cosine(u), r * sine(u), minor * sine(v));
			const [a, b] = [i * rings + j, i * rings + ((j + 1) % rings)];
			const [c, d] = [((i + 1) % segments) * rings + j, ((i + 1) % segments) * rings + ((j + 1) % rings)];
			indices.push(a, c, d, a, d, b);
		}
	}
	return createTriangleMesh({ vertices, indices, name: 'torus' });
}

/** A rectangle in the plane Z = 0 that faces up; open, as it has no inside. @public */
export function createPlane(halfX: number, halfY: number = halfX): TriangleMesh {
	checkSizes({ halfX, halfY });
	const vertices = [-halfX, -halfY, 0, halfX, -halfY, 0, halfX, halfY, 0, -halfX, halfY, 0];
	return createTriangleMesh({
		vertices,
		indices: [0, 1, 2, 0, 2, 3],
		normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
		uvs: [0, 0, 1, 0, 1, 1, 0, 1],
		name: 'plane',
	});
}

/** Throws when a size is not a positive finite number. */
export function checkSizes(sizes: Readonly<Record<string, number>>): void {
	for (const [name, size] of Object.entries(sizes)) {
		if (!(size > 0 && size < Number.POSITIVE_INFINITY)) {
			throw new UsageRangeError(`${name} is ${size}, expected a positive finite number`);
		}
	}
}

function checkRound(options: RoundOptions): Required<RoundOptions> {
	const { segments = ROUND_DEFAULTS.segments, rings = ROUND_DEFAULTS.rings } = options;
	if (!(Number.isInteger(segments) && segments >= 3)) {
		throw new UsageRangeError(`segments is ${segments}, expected a whole number from 3`);
	}
	if (!(Number.isInteger(rings) && rings >= 2)) {
		throw new UsageRangeError(`rings is ${rings}, expected a whole number from 2`);
	}
	return { segments, rings };
}
