import { triangulatePolygon } from '@manyworlds/mesh/internal';
import { Triangles } from './surface-mesh.ts';

/** Faces smaller than this share of the square of the size of their mesh are left out. */
const SMALLEST_AREA = 1e-14;

/** The faces of a mesh as triangles, without holes and what is too small to be drawn. */
export function faceTriangles(
	points: ArrayLike<number>,
	counts: ArrayLike<number>,
	cornerPoints: ArrayLike<number>,
	holes: ArrayLike<number>,
	isLeftHanded: boolean,
): Triangles {
	const smallest = SMALLEST_AREA * sizeOf(points) ** 2;
	if (holes.length === 0 && !isLeftHanded && isPlain(points, counts, cornerPoints, smallest)) {
		return Triangles.plain(counts.length);
	}
	const isHole = new Uint8Array(counts.length);
	for (let i = 0; i < holes.length; i++) if (holes[i]! >= 0 && holes[i]! < counts.length) isHole[holes[i]!] = 1;
	let most = 0;
	for (let face = 0; face < counts.length; face++) most += Math.max(0, counts[face]! - 2);
	const corners = new Uint32Array(3 * most);
	const faces = new Uint32Array(most);
	// the second and the third corner change places where faces are seen from the other side
	const [second, third] = isLeftHanded ? [2, 1] : [1, 2];
	let made = 0;
	let start = 0;
	for (let face = 0; face < counts.length; face++) {
		const count = counts[face]!;
		if (isHole[face] === 1) {
			// nothing is drawn here
		} else if (count === 3) {
			if (areaOf(points, cornerPoints[start]!, cornerPoints[start + 1]!, cornerPoints[start + 2]!) > smallest) {
				corners[3 * made] = start;
				corners[3 * made + second!] = start + 1;
				corners[3 * made + third!] = start + 2;
				faces[made++] = face;
			}
		} else if (count > 3) {
			const loop = Array.from({ length: count }, (_, i) => cornerPoints[start + i]!);
			const local = polygon(points, loop);
			let area = 0;
			for (let t = 0; t < local.length; t += 3) {
				area += areaOf(points, loop[local[t]!]!, loop[local[t + 1]!]!, loop[local[t + 2]!]!);
			}
			for (let t = 0; area > smallest && t < local.length; t += 3) {
				corners[3 * made] = start + local[t]!;
				corners[3 * made + second!] = start + local[t + 1]!;
				corners[3 * made + third!] = start + local[t + 2]!;
				faces[made++] = face;
			}
		}
		start += count;
	}
	return Triangles.of(corners.slice(0, 3 * made), faces.slice(0, made));
}

/** Whether all faces are triangles that are large enough to be drawn. */
function isPlain(
	points: ArrayLike<number>,
	counts: ArrayLike<number>,
	cornerPoints: ArrayLike<number>,
	smallest: number,
): boolean {
	for (let face = 0; face < counts.length; face++) if (counts[face] !== 3) return false;
	const least = 4 * smallest * smallest;
	for (let at = 0; at < cornerPoints.length; at += 3) {
		if (!(normalSquare(points, cornerPoints[at]!, cornerPoints[at + 1]!, cornerPoints[at + 2]!) > least)) return false;
	}
	return true;
}

/** Triangles of a face; a bent face of four corners is divided along its shorter diagonal. */
function polygon(points: ArrayLike<number>, loop: readonly number[]): readonly number[] {
	const { triangles, state } = triangulatePolygon(points, [loop]);
	if (loop.length !== 4 || state !== 'simple') return triangles;
	const [a, b, c, d] = loop as [number, number, number, number];
	const size = distance(points, a, c) + distance(points, b, d);
	const isBent = Math.abs(volume(points, a, b, c, d)) > 1e-6 * size ** 3;
	if (!isBent) return triangles;
	return distance(points, b, d) < distance(points, a, c) ? [0, 1, 3, 1, 2, 3] : [0, 1, 2, 0, 2, 3];
}

function difference(points: ArrayLike<number>, a: number, b: number): [number, number, number] {
	return [
		points[3 * b]! - points[3 * a]!,
		points[3 * b + 1]! - points[3 * a + 1]!,
		points[3 * b + 2]! - points[3 * a + 2]!,
	];
}

function cross(u: readonly number[], v: readonly number[]): [number, number, number] {
	return [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
}

function distance(points: ArrayLike<number>, a: number, b: number): number {
	return Math.hypot(...difference(points, a, b));
}

function areaOf(points: ArrayLike<number>, a: number, b: number, c: number): number {
	return Math.sqrt(normalSquare(points, a, b, c)) / 2;
}

/** Four times the square of the area of a triangle. */
function normalSquare(points: ArrayLike<number>, a: number, b: number, c: number): number {
	const px = points[3 * a]!;
	const py = points[3 * a + 1]!;
	const pz = points[3 * a + 2]!;
	const ux = points[3 * b]! - px;
	const uy = points[3 * b + 1]! - py;
	const uz = points[3 * b + 2]! - pz;
	const vx = points[3 * c]! - px;
	const vy = points[3 * c + 1]! - py;
	const vz = points[3 * c + 2]! - pz;
	const x = uy * vz - uz * vy;
	const y = uz * vx - ux * vz;
	const z = ux * vy - uy * vx;
	return x * x + y * y + z * z;
}

function volume(points: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
	const n = cross(difference(points, a, b), difference(points, a, c));
	const w = difference(points, a, d);
	return n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
}

function sizeOf(points: ArrayLike<number>): number {
	let size = 0;
	for (let k = 0; k < 3; k++) {
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let i = k; i < points.length; i += 3) {
			const value = points[i]!;
			if (value < low) low = value;
			if (value > high) high = value;
		}
		size = Math.max(size, high - low);
	}
	return size;
}
