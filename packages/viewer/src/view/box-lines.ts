import { type Box3, Matrix4, Vector3 } from 'three';
import type { LineWriter } from './line-cloud.ts';
import { writePose } from './pose-matrix.ts';

const BLUE = [0.15, 0.5, 0.75];

/** Draws boxes that move with their links, given in the frames of the links; -1 for the world. */
export function drawBoxes(lines: LineWriter, boxes: ReadonlyMap<number, Box3>, poses: Float32Array): void {
	const pose = new Matrix4();
	for (const [link, { min, max }] of boxes) {
		if (link < 0) pose.identity();
		else writePose(pose, poses, 7 * link);
		const corner = (bits: number): Vector3 =>
			new Vector3(bits & 1 ? max.x : min.x, bits & 2 ? max.y : min.y, bits & 4 ? max.z : min.z).applyMatrix4(pose);
		for (let bits = 0; bits < 8; bits++) {
			for (const axis of [1, 2, 4]) if ((bits & axis) === 0) lines.line(corner(bits), corner(bits | axis), BLUE);
		}
	}
}
