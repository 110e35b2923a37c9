import { Matrix4, Vector3 } from 'three';
import type { RobotParts } from '../asset/asset-types.ts';
import type { LineWriter } from './line-cloud.ts';
import { writePose } from './pose-matrix.ts';

const GREEN = [0.1, 0.6, 0.25];
const RED = [0.85, 0.15, 0.12];
const GREY = [0.35, 0.38, 0.42];

/**
 * Draws what a robot stands on: the hull of the points where something bears it, the centre of its mass, and where that is above the
 * ground. A ring says that the centre is above the hull, a cross that it is not.
 */
export function drawSupport(
	lines: LineWriter,
	robot: RobotParts,
	poses: Float32Array,
	contacts: Float32Array,
	size: number,
): void {
	const center = centerOfMass(robot, poses);
	if (center === undefined) return;
	const feet: Vector3[] = [];
	for (let at = 0; at + 6 <= contacts.length; at += 6) {
		if (contacts[at + 5]! > 0) feet.push(new Vector3().fromArray(contacts, at));
	}
	const hull = supportPolygon(feet);
	const ground = feet.length === 0 ? 0 : Math.min(...feet.map(({ z }) => z));
	const foot = new Vector3(center.x, center.y, ground);
	const isHeld = isInside(foot, hull);
	const color = isHeld ? GREEN : RED;
	for (const [i, corner] of hull.entries()) lines.line(corner, hull[(i + 1) % hull.length]!, color);
	lines.line(center, foot, GREY);
	const reach = 0.25 * size;
	if (isHeld) drawRing(lines, foot, reach, color);
	else {
		for (const y of [1, -1]) {
			const arm = new Vector3(reach, y * reach, 0);
			lines.line(foot.clone().sub(arm), foot.clone().add(arm), color);
		}
	}
	drawRing(lines, center, reach, GREY);
}

/** Centre of mass of the whole robot [m]; undefined without mass. */
export function centerOfMass({ links }: RobotParts, poses: Float32Array): Vector3 | undefined {
	const [sum, own, pose] = [new Vector3(), new Vector3(), new Matrix4()];
	let whole = 0;
	for (const [link, { mass, center }] of links.entries()) {
		if (!(mass > 0)) continue;
		own.set(...center).applyMatrix4(writePose(pose, poses, 7 * link));
		sum.addScaledVector(own, mass);
		whole += mass;
	}
	return whole === 0 ? undefined : sum.multiplyScalar(1 / whole);
}

/** The convex hull of points seen from above, counter-clockwise (Andrew 1979). */
export function supportPolygon(points: readonly Vector3[]): Vector3[] {
	const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
	const half = (list: readonly Vector3[]): Vector3[] => {
		const out: Vector3[] = [];
		for (const point of list) {
			while (out.length >= 2 && turn(out.at(-2)!, out.at(-1)!, point) <= 0) out.pop();
			out.push(point);
		}
		return out.slice(0, -1);
	};
	return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.toReversed())];
}

function isInside(point: Vector3, hull: readonly Vector3[]): boolean {
	return hull.length >= 3 && hull.every((corner, i) => turn(corner, hull[(i + 1) % hull.length]!, point) >= 0);
}

/** Positive where a way turns left, seen from above. */
function turn(a: Vector3, b: Vector3, c: Vector3): number {
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function drawRing(lines: LineWriter, { x, y, z }: Vector3, radius: number, color: readonly number[]): void {
	const at = (i: number): Vector3 =>
		new Vector3(x + radius * Math.cos((i * Math.PI) / 8), y + radius * Math.sin((i * Math.PI) / 8), z);
	for (let i = 0; i < 16; i++) lines.line(at(i), at(i + 1), color);
}
