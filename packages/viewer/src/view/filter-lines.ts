import { Vector3 } from 'three';
import type { RobotParts } from '../asset/asset-types.ts';
import type { LineWriter } from './line-cloud.ts';

const GREY = [0.5, 0.53, 0.57];
const RED = [0.85, 0.2, 0.3];

/**
 * Draws a line between links that never collide with each other: grey for those that a joint joins, red for others. Of a selected link
 * those of that link alone; -1 for none.
 */
export function drawFilters(lines: LineWriter, robot: RobotParts, poses: Float32Array, selected: number): void {
	const joined = new Set(robot.joints.map(({ parent, child }) => pairName(parent, child)));
	const at = (link: number): Vector3 => new Vector3().fromArray(poses, 7 * link);
	for (const [a, b] of robot.filtered) {
		if (selected >= 0 && a !== selected && b !== selected) continue;
		lines.line(at(a), at(b), joined.has(pairName(a, b)) ? GREY : RED);
	}
}

function pairName(a: number, b: number): string {
	return a < b ? `${a} ${b}` : `${b} ${a}`;
}
