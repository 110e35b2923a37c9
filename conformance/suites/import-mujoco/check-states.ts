import { ArticulatedDynamics } from '@manyworlds/model';
import { Findings } from './findings.ts';
import { type MujocoDump, numbersOf } from './mujoco-dump.ts';
import { type Robot, row, setCoordinates, wxyz } from './robot.ts';

const TOLERANCE = 1e-9;

/** Poses of bodies, of their centres of mass and of sites, in all states of the dump. */
export function checkStates(dump: MujocoDump, robot: Robot): string | undefined {
	const { model, result, bodies } = robot;
	const findings = new Findings();
	if (bodies.length !== dump.sizes.nbody) return `${bodies.length - 1} bodies, expected ${dump.sizes.nbody! - 1}`;
	const dynamics = new ArticulatedDynamics(model);
	for (const [index, entry] of dump.states.entries()) {
		const state = model.createState();
		setCoordinates(robot, numbersOf(entry.qpos), state);
		dynamics.forwardKinematics(state);
		const [xpos, xquat, xipos] = [numbersOf(entry.xpos), numbersOf(entry.xquat), numbersOf(entry.xipos)];
		for (const [id, body] of bodies.entries()) {
			if (body < 0) continue;
			const where = `state ${index} body ${dump.names.body![id]}`;
			const p = Array.from(state.bodyQ.subarray(7 * body, 7 * body + 3));
			findings.numbers(`${where} xpos`, p, row(xpos, id, 3), TOLERANCE);
			findings.rotation(`${where} xquat`, wxyz(state.bodyQ, 7 * body + 3), row(xquat, id, 4), TOLERANCE);
			const com = placed(state.bodyQ, body, model.bodyCom.subarray(3 * body, 3 * body + 3));
			if (model.bodyMass[body]! > 0) findings.numbers(`${where} xipos`, com, row(xipos, id, 3), TOLERANCE);
		}
		const sites = numbersOf(entry.site_xpos);
		for (const [site, shapes] of result.siteOrder.entries()) {
			const body = model.shapeBody[shapes[0]!]!;
			const local = model.shapeTransform.subarray(7 * shapes[0]!, 7 * shapes[0]! + 3);
			const place = body < 0 ? Array.from(local) : placed(state.bodyQ, body, local);
			findings.numbers(`state ${index} site ${dump.names.site![site]}`, place, row(sites, site, 3), TOLERANCE);
		}
	}
	return findings.summary();
}

/** A point of a body in the world. */
function placed(poses: Float64Array, body: number, point: ArrayLike<number>): number[] {
	const [x, y, z, w] = [3, 4, 5, 6].map((i) => poses[7 * body + i]!) as [number, number, number, number];
	const [a, b, c] = [point[0]!, point[1]!, point[2]!];
	const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)] as const;
	return [
		poses[7 * body]! + a + w * t[0] + y * t[2] - z * t[1],
		poses[7 * body + 1]! + b + w * t[1] + z * t[0] - x * t[2],
		poses[7 * body + 2]! + c + w * t[2] + x * t[1] - y * t[0],
	];
}
