import { GeoType } from '@manyworlds/model';
import { ConvexShape, hullOfPoints } from '@manyworlds/sim/internal';
import type { PlacedShape } from './pair-file.ts';

/** A shape of the file as the narrow phase takes it. */
export function placeShape(placed: PlacedShape): ConvexShape {
	const out = new ConvexShape();
	const { shape } = placed;
	switch (shape.type) {
		case 'sphere':
			out.setGeometry(GeoType.SPHERE, shape.radius, 0, 0, undefined);
			break;
		case 'box':
			out.setGeometry(GeoType.BOX, shape.sides[0] / 2, shape.sides[1] / 2, shape.sides[2] / 2, undefined);
			break;
		case 'capsule':
			out.setGeometry(GeoType.CAPSULE, shape.radius, shape.length / 2, 0, undefined);
			break;
		case 'cylinder':
			out.setGeometry(GeoType.CYLINDER, shape.radius, shape.length / 2, 0, undefined);
			break;
		case 'ellipsoid':
			out.setGeometry(GeoType.ELLIPSOID, ...shape.radii, undefined);
			break;
		case 'convex':
			out.setGeometry(GeoType.CONVEX_MESH, 1, 1, 1, hullOfPoints(Float64Array.from(shape.vertices.flat())));
			break;
		case 'half_space':
			out.setGeometry(GeoType.PLANE, 0, 0, 0, undefined);
	}
	out.setPose(Float64Array.of(...placed.pose.position, ...placed.pose.quaternion_xyzw), 0);
	return out;
}

/** Farthest reach of a shape from its frame along the axes [m]; 0 for a half-space. */
export function sizeOf({ shape }: PlacedShape): number {
	switch (shape.type) {
		case 'sphere':
			return shape.radius;
		case 'box':
			return Math.max(...shape.sides) / 2;
		case 'capsule':
			return shape.radius + shape.length / 2;
		case 'cylinder':
			return Math.max(shape.radius, shape.length / 2);
		case 'ellipsoid':
			return Math.max(...shape.radii);
		case 'convex':
			return Math.max(...shape.vertices.flat().map(Math.abs));
		case 'half_space':
			return 0;
	}
}

/** Support function: how far a shape reaches along a world direction, from the definitions of the shapes. */
export function reachOf(placed: PlacedShape, direction: readonly number[]): number {
	const { shape, pose } = placed;
	const shifted = Float64Array.from(direction, (x, k) => x + pose.position[k]!);
	const [x, y, z] = toLocal(placed, shifted);
	const offset = direction.reduce((sum, d, k) => sum + d * pose.position[k]!, 0);
	switch (shape.type) {
		case 'sphere':
			return offset + shape.radius;
		case 'box':
			return offset + (Math.abs(x) * shape.sides[0] + Math.abs(y) * shape.sides[1] + Math.abs(z) * shape.sides[2]) / 2;
		case 'capsule':
			return offset + shape.radius + (Math.abs(z) * shape.length) / 2;
		case 'cylinder':
			return offset + shape.radius * Math.hypot(x, y) + (Math.abs(z) * shape.length) / 2;
		case 'ellipsoid':
			return offset + Math.hypot(x * shape.radii[0], y * shape.radii[1], z * shape.radii[2]);
		case 'convex':
			return offset + Math.max(...shape.vertices.map((v) => v[0]! * x + v[1]! * y + v[2]! * z));
		case 'half_space':
			return Number.POSITIVE_INFINITY;
	}
}

/** How far a world point is outside of a shape, at most 0 on it and inside; written from the definitions of the shapes. */
export function outsideBy(placed: PlacedShape, point: Float64Array): number {
	const [x, y, z] = toLocal(placed, point);
	const { shape } = placed;
	switch (shape.type) {
		case 'sphere':
			return Math.hypot(x, y, z) - shape.radius;
		case 'box':
			return Math.max(
				Math.abs(x) - shape.sides[0] / 2,
				Math.abs(y) - shape.sides[1] / 2,
				Math.abs(z) - shape.sides[2] / 2,
			);
		case 'capsule': {
			const half = shape.length / 2;
			return Math.hypot(x, y, z - Math.min(half, Math.max(-half, z))) - shape.radius;
		}
		case 'cylinder':
			return Math.max(Math.hypot(x, y) - shape.radius, Math.abs(z) - shape.length / 2);
		case 'ellipsoid': {
			const [a, b, c] = shape.radii;
			return (Math.hypot(x / a, y / b, z / c) - 1) * Math.min(a, b, c);
		}
		case 'convex':
			return outsideHull(shape.vertices, [x, y, z]);
		case 'half_space':
			return z;
	}
}

/** Largest height above a plane through three corners that has all corners on one side. */
function outsideHull(vertices: readonly (readonly number[])[], point: readonly number[]): number {
	let most = Number.NEGATIVE_INFINITY;
	const count = vertices.length;
	for (let i = 0; i < count; i++) {
		for (let j = i + 1; j < count; j++) {
			for (let k = j + 1; k < count; k++) {
				const [p, q, r] = [vertices[i]!, vertices[j]!, vertices[k]!];
				const u = [0, 1, 2].map((m) => q[m]! - p[m]!) as [number, number, number];
				const v = [0, 1, 2].map((m) => r[m]! - p[m]!) as [number, number, number];
				const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
				const length = Math.hypot(...n);
				if (length < 1e-12) continue;
				const height = (x: readonly number[]): number =>
					n.reduce((sum, value, m) => sum + (value / length) * (x[m]! - p[m]!), 0);
				const heights = vertices.map(height);
				const span = Math.max(...heights.map(Math.abs));
				const isTop = heights.every((h) => h <= 1e-9 * span);
				const isBottom = heights.every((h) => h >= -1e-9 * span);
				if (isTop) most = Math.max(most, height(point));
				if (isBottom) most = Math.max(most, -height(point));
			}
		}
	}
	return most;
}

function toLocal(placed: PlacedShape, point: Float64Array): [number, number, number] {
	const [qx, qy, qz, qw] = placed.pose.quaternion_xyzw as readonly [number, number, number, number];
	const d = [0, 1, 2].map((k) => point[k]! - placed.pose.position[k]!) as [number, number, number];
	// rotate by the conjugate: d + 2 w (d × q) … with q reversed
	const [ux, uy, uz] = [-qx, -qy, -qz];
	const c = [uy * d[2] - uz * d[1], uz * d[0] - ux * d[2], ux * d[1] - uy * d[0]] as const;
	return [
		d[0] + 2 * (qw * c[0] + uy * c[2] - uz * c[1]),
		d[1] + 2 * (qw * c[1] + uz * c[0] - ux * c[2]),
		d[2] + 2 * (qw * c[2] + ux * c[1] - uy * c[0]),
	];
}
