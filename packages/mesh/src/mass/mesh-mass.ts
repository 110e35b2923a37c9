import { type Report, UsageRangeError } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { fromSecondMoments, type MassProperties, zeroMass } from './mass-properties.ts';

/** Options of {@link solidMass}. @public */
export interface SolidMassOptions {
	/** kg/m³. */
	readonly density?: number;
	/**
	 * Point that triangles are joined to. It does not matter for closed meshes. When absent it is the middle of the bounding
	 * box if the surface is balanced (its area vectors add up to nothing), which keeps far-off meshes exact; else the origin.
	 */
	readonly reference?: ArrayLike<number>;
	/** Receives a warning when the surface is not balanced, so the volume depends on the reference. */
	readonly report?: Report;
}

/** Mass properties of a solid with its volume. @public */
export interface SolidMass extends MassProperties {
	/** Enclosed volume, never negative. */
	readonly volume: number;
	/** Whether the triangles run clockwise seen from outside: their signs were reversed. */
	readonly isInsideOut: boolean;
}

/**
 * Volume, mass, centre and inertia of the solid that a mesh encloses, by signed tetrahedra. A mesh that is inside out
 * gives the same as one that is not.
 * @public
 */
export function solidMass(mesh: TriangleMesh, options: SolidMassOptions = {}): SolidMass {
	const density = checkDensity(options.density ?? 1);
	const { vertices, indices } = mesh;
	const balance = surfaceBalance(mesh);
	const isBalanced = balance <= BALANCE_TOLERANCE;
	if (!isBalanced) {
		const percent = Number((balance * 100).toPrecision(3));
		options.report?.add(
			createDiagnostic(
				'MESH021',
				`area vectors of the mesh leave ${percent} % of its area, expected 0 of a closed surface`,
			),
		);
	}
	const reference = options.reference ?? (isBalanced ? boundsMiddle(vertices) : [0, 0, 0]);
	const [ox, oy, oz] = [reference[0]!, reference[1]!, reference[2]!];
	let volume = 0;
	let [fx, fy, fz] = [0, 0, 0];
	let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
	for (let t = 0; t < indices.length; t += 3) {
		const i = indices[t]! * 3;
		const j = indices[t + 1]! * 3;
		const k = indices[t + 2]! * 3;
		const ax = vertices[i]! - ox;
		const ay = vertices[i + 1]! - oy;
		const az = vertices[i + 2]! - oz;
		const bx = vertices[j]! - ox;
		const by = vertices[j + 1]! - oy;
		const bz = vertices[j + 2]! - oz;
		const cx = vertices[k]! - ox;
		const cy = vertices[k + 1]! - oy;
		const cz = vertices[k + 2]! - oz;
		// six times the volume of the tetrahedron; factors follow at the end
		const v = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
		const sx = ax + bx + cx;
		const sy = ay + by + cy;
		const sz = az + bz + cz;
		volume += v;
		fx += v * sx;
		fy += v * sy;
		fz += v * sz;
		// ∫ xᵢ xⱼ over a tetrahedron with a corner at the origin: V/20 (Σ pᵢ pⱼ + Σ pᵢ Σ pⱼ)
		xx += v * (ax * ax + bx * bx + cx * cx + sx * sx);
		yy += v * (ay * ay + by * by + cy * cy + sy * sy);
		zz += v * (az * az + bz * bz + cz * cz + sz * sz);
		xy += v * (ax * ay + bx * by + cx * cy + sx * sy);
		xz += v * (ax * az + bx * bz + cx * cz + sx * sz);
		yz += v * (ay * az + by * bz + cy * cz + sy * sz);
	}
	if (volume === 0) return { ...zeroMass(), com: Float64Array.of(ox, oy, oz), volume: 0, isInsideOut: false };
	const sign = volume < 0 ? -1 : 1;
	const mass = (density * sign * volume) / 6;
	const mx = fx / (4 * volume);
	const my = fy / (4 * volume);
	const mz = fz / (4 * volume);
	const s = (density * sign) / 120;
	const moments = symmetric(
		s * xx - mass * mx * mx,
		s * yy - mass * my * my,
		s * zz - mass * mz * mz,
		s * xy - mass * mx * my,
		s * xz - mass * mx * mz,
		s * yz - mass * my * mz,
	);
	return {
		mass,
		com: Float64Array.of(mx + ox, my + oy, mz + oz),
		inertia: fromSecondMoments(moments),
		volume: (sign * volume) / 6,
		isInsideOut: volume < 0,
	};
}

/** Options of {@link shellMass}. @public */
export interface ShellMassOptions {
	/** kg/m³. */
	readonly density?: number;
	/** Thickness of the whole wall. */
	readonly thickness: number;
	/**
	 * `surface`: all mass lies on the triangles. `wedge`: each triangle is a prism that reaches half the thickness to both
	 * sides, which adds the inertia of the wall itself. Newton's hollow mesh of margin t is a wedge of thickness 2 t.
	 */
	readonly method?: 'surface' | 'wedge';
	/** Receives the warning about a wall of thickness 0. */
	readonly report?: Report;
}

/** Mass, centre and inertia of a wall along the triangles of a mesh, closed or open. @public */
export function shellMass(mesh: TriangleMesh, options: ShellMassOptions): MassProperties & { readonly area: number } {
	const density = checkDensity(options.density ?? 1);
	const { thickness, report } = options;
	if (!(thickness >= 0 && thickness < Number.POSITIVE_INFINITY)) {
		throw new UsageRangeError(`thickness is ${thickness}, expected a finite number, 0 or more`);
	}
	if (thickness === 0) report?.add(createDiagnostic('MESH023', 'the wall has the thickness 0, so its mass is 0'));
	const { vertices, indices } = mesh;
	const [ox, oy, oz] = boundsMiddle(vertices);
	// second moments of the prism along its normal, for unit area: t²/12
	const depth = options.method === 'wedge' ? (thickness * thickness) / 12 : 0;
	let area = 0;
	let [fx, fy, fz] = [0, 0, 0];
	let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
	for (let t = 0; t < indices.length; t += 3) {
		const i = indices[t]! * 3;
		const j = indices[t + 1]! * 3;
		const k = indices[t + 2]! * 3;
		const ax = vertices[i]! - ox;
		const ay = vertices[i + 1]! - oy;
		const az = vertices[i + 2]! - oz;
		const bx = vertices[j]! - ox;
		const by = vertices[j + 1]! - oy;
		const bz = vertices[j + 2]! - oz;
		const cx = vertices[k]! - ox;
		const cy = vertices[k + 1]! - oy;
		const cz = vertices[k + 2]! - oz;
		const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
		const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
		const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
		const twice = Math.sqrt(nx * nx + ny * ny + nz * nz);
		if (twice === 0) continue;
		const a = twice / 2;
		const sx = ax + bx + cx;
		const sy = ay + by + cy;
		const sz = az + bz + cz;
		area += a;
		fx += (a * sx) / 3;
		fy += (a * sy) / 3;
		fz += (a * sz) / 3;
		// ∫ xᵢ xⱼ over a triangle: A/12 (Σ pᵢ pⱼ + Σ pᵢ Σ pⱼ)
		const w = a / 12;
		const d = (a * depth) / (twice * twice);
		xx += w * (ax * ax + bx * bx + cx * cx + sx * sx) + d * nx * nx;
		yy += w * (ay * ay + by * by + cy * cy + sy * sy) + d * ny * ny;
		zz += w * (az * az + bz * bz + cz * cz + sz * sz) + d * nz * nz;
		xy += w * (ax * ay + bx * by + cx * cy + sx * sy) + d * nx * ny;
		xz += w * (ax * az + bx * bz + cx * cz + sx * sz) + d * nx * nz;
		yz += w * (ay * az + by * bz + cy * cz + sy * sz) + d * ny * nz;
	}
	if (area === 0) return { ...zeroMass(), com: Float64Array.of(ox, oy, oz), area: 0 };
	const scale = density * thickness;
	const [mx, my, mz] = [fx / area, fy / area, fz / area];
	const moments = symmetric(
		scale * (xx - area * mx * mx),
		scale * (yy - area * my * my),
		scale * (zz - area * mz * mz),
		scale * (xy - area * mx * my),
		scale * (xz - area * mx * mz),
		scale * (yz - area * my * mz),
	);
	return {
		mass: scale * area,
		com: Float64Array.of(mx + ox, my + oy, mz + oz),
		inertia: fromSecondMoments(moments),
		area,
	};
}

/**
 * Area of all triangles.
 * @example
 * ```ts
 * const paint = surfaceArea(createBox(0.5, 0.5, 0.5)); // 6 m² for a cube of 1 m
 * ```
 * @public
 */
export function surfaceArea(mesh: TriangleMesh): number {
	return shellMass(mesh, { thickness: 1 }).area;
}

/** Largest share of its area that the area vectors of a closed mesh leave by rounding. */
const BALANCE_TOLERANCE = 1e-9;

/** Length of the sum of area vectors over the area: 0 for closed surfaces. */
function surfaceBalance({ vertices, indices }: TriangleMesh): number {
	let [sx, sy, sz, area] = [0, 0, 0, 0];
	for (let t = 0; t < indices.length; t += 3) {
		const i = indices[t]! * 3;
		const j = indices[t + 1]! * 3;
		const k = indices[t + 2]! * 3;
		const ux = vertices[j]! - vertices[i]!;
		const uy = vertices[j + 1]! - vertices[i + 1]!;
		const uz = vertices[j + 2]! - vertices[i + 2]!;
		const vx = vertices[k]! - vertices[i]!;
		const vy = vertices[k + 1]! - vertices[i + 1]!;
		const vz = vertices[k + 2]! - vertices[i + 2]!;
		const nx = uy * vz - uz * vy;
		const ny = uz * vx - ux * vz;
		const nz = ux * vy - uy * vx;
		sx += nx;
		sy += ny;
		sz += nz;
		area += Math.sqrt(nx * nx + ny * ny + nz * nz);
	}
	return area === 0 ? 0 : Math.hypot(sx, sy, sz) / area;
}

function boundsMiddle(vertices: Float64Array): [number, number, number] {
	const middle: [number, number, number] = [0, 0, 0];
	if (vertices.length === 0) return middle;
	for (let axis = 0; axis < 3; axis++) {
		let least = Number.POSITIVE_INFINITY;
		let most = Number.NEGATIVE_INFINITY;
		for (let i = axis; i < vertices.length; i += 3) {
			const value = vertices[i]!;
			if (value < least) least = value;
			if (value > most) most = value;
		}
		middle[axis] = (least + most) / 2;
	}
	return middle;
}

function symmetric(xx: number, yy: number, zz: number, xy: number, xz: number, yz: number): Float64Array {
	return Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
}

function checkDensity(density: number): number {
	if (density >= 0 && density < Number.POSITIVE_INFINITY) return density;
	throw new UsageRangeError(`density is ${density}, expected a finite number, 0 or more`);
}
