import { Matrix4, Vector3 } from 'three';
import type { SensorRow } from '../asset/asset-types.ts';
import type { LineWriter } from './line-cloud.ts';
import { writePose } from './pose-matrix.ts';

const CYAN = [0.05, 0.6, 0.7];
const PINK = [0.85, 0.2, 0.55];
/** Rays of a lidar that are drawn. */
const RAYS = 36;

/** Draws what sensors look at: frusta of cameras, rays of lidars, axes of the others, and the points that lidars see. */
export function drawSensors(
	lines: LineWriter,
	sensors: readonly SensorRow[],
	poses: Float32Array,
	points: Float32Array,
	size: number,
): void {
	const frame = new Matrix4();
	for (const sensor of sensors) {
		const own = writePose(new Matrix4(), sensor.pose, 0);
		frame.copy(sensor.link < 0 ? own : writePose(frame, poses, 7 * sensor.link).multiply(own));
		const at = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z).applyMatrix4(frame);
		if (sensor.kind === 'camera') drawFrustum(lines, at, sensor, 5 * size);
		else if (sensor.kind === 'lidar') drawFans(lines, at, sensor, 5 * size);
		else for (const axis of [at(size, 0, 0), at(0, size, 0), at(0, 0, size)]) lines.line(at(0, 0, 0), axis, CYAN);
	}
	const half = 0.06 * size;
	for (let i = 0; i < points.length; i += 3) {
		const point = new Vector3().fromArray(points, i);
		for (const axis of [new Vector3(half, 0, 0), new Vector3(0, half, 0), new Vector3(0, 0, half)]) {
			lines.line(point.clone().sub(axis), point.clone().add(axis), PINK);
		}
	}
}

type Place = (x: number, y: number, z: number) => Vector3;

/** Optical frames look along z, with y down (REP 103). */
function drawFrustum(
	lines: LineWriter,
	at: Place,
	{ halfWidth = 0.5, halfHeight = 0.5 }: SensorRow,
	depth: number,
): void {
	const corners = [
		[1, 1],
		[-1, 1],
		[-1, -1],
		[1, -1],
	].map(([x, y]) => at(x! * halfWidth * depth, -y! * halfHeight * depth, depth));
	const [eye, top] = [at(0, 0, 0), at(0, -1.3 * halfHeight * depth, depth)];
	for (const [i, corner] of corners.entries()) {
		lines.line(eye, corner, CYAN);
		lines.line(corner, corners[(i + 1) % 4]!, CYAN);
	}
	// the upper side has a roof
	lines.line(corners[0]!, top, CYAN);
	lines.line(corners[1]!, top, CYAN);
}

/** Rays in the plane of a lidar, or in the lowest and highest of its planes. */
function drawFans(lines: LineWriter, at: Place, { fan = WHOLE_TURN, tilt }: SensorRow, radius: number): void {
	const [first, last] = fan;
	for (const up of tilt ?? [0]) {
		let before: Vector3 | undefined;
		for (let i = 0; i <= RAYS; i++) {
			const angle = first + ((last - first) * i) / RAYS;
			const flat = radius * Math.cos(up);
			const end = at(flat * Math.cos(angle), flat * Math.sin(angle), radius * Math.sin(up));
			if (i % 3 === 0) lines.line(at(0, 0, 0), end, CYAN);
			if (before !== undefined) lines.line(before, end, CYAN);
			before = end;
		}
	}
}

const WHOLE_TURN: readonly [number, number] = [0, 2 * Math.PI];
