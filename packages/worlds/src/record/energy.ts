import type { Model, State } from '@manyworlds/model';
import { worldRows } from '../world-rows.ts';

/** Energy of the bodies of one world [J]; heights count from the origin. @public */
export interface Energy {
	readonly kinetic: number;
	readonly potential: number;
}

/** Kinetic and potential energy of the bodies of one world. @public */
export function energyOf(model: Model, state: State, world: number): Energy {
	const { start, end } = worldRows(model, 'body', world);
	const gravity = model.gravityOf(world);
	let kinetic = 0;
	let potential = 0;
	for (let body = start; body < end; body++) {
		const mass = model.bodyMass[body]!;
		const q = state.bodyQ.subarray(7 * body, 7 * body + 7);
		const v = state.bodyQd.subarray(6 * body, 6 * body + 6);
		const com = rotate(q, model.bodyCom.subarray(3 * body, 3 * body + 3));
		const spin = rotateBack(q, v.subarray(3, 6));
		const inertia = model.bodyInertia.subarray(9 * body, 9 * body + 9);
		for (let i = 0; i < 3; i++) {
			kinetic += 0.5 * mass * v[i]! ** 2;
			potential -= mass * gravity[i]! * (q[i]! + com[i]!);
			for (let k = 0; k < 3; k++) kinetic += 0.5 * spin[i]! * inertia[3 * i + k]! * spin[k]!;
		}
	}
	return { kinetic, potential };
}

/** A vector turned by the rotation of a pose. */
function rotate(pose: ArrayLike<number>, v: ArrayLike<number>): number[] {
	return turn(pose[3]!, pose[4]!, pose[5]!, pose[6]!, v);
}

function rotateBack(pose: ArrayLike<number>, v: ArrayLike<number>): number[] {
	return turn(-pose[3]!, -pose[4]!, -pose[5]!, pose[6]!, v);
}

function turn(x: number, y: number, z: number, w: number, v: ArrayLike<number>): number[] {
	const tx = 2 * (y * v[2]! - z * v[1]!);
	const ty = 2 * (z * v[0]! - x * v[2]!);
	const tz = 2 * (x * v[1]! - y * v[0]!);
	return [v[0]! + w * tx + y * tz - z * ty, v[1]! + w * ty + z * tx - x * tz, v[2]! + w * tz + x * ty - y * tx];
}
