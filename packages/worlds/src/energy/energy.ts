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
	const out = new Float64Array(2);
	addEnergy(out, model, state, start, end, model.gravityOf(world));
	return { kinetic: out[0]!, potential: out[1]! };
}

/** Adds the kinetic and the potential energy of a run of bodies to two numbers; nothing is allocated. */
export function addEnergy(
	out: Float64Array,
	model: Model,
	state: State,
	start: number,
	end: number,
	gravity: ArrayLike<number>,
): void {
	const { bodyMass, bodyCom, bodyInertia } = model;
	const { bodyQ, bodyQd } = state;
	let kinetic = 0;
	let potential = 0;
	for (let body = start; body < end; body++) {
		const mass = bodyMass[body]!;
		const v = 6 * body;
		const q = 7 * body;
		const qx = bodyQ[q + 3]!;
		const qy = bodyQ[q + 4]!;
		const qz = bodyQ[q + 5]!;
		const qw = bodyQ[q + 6]!;
		kinetic += 0.5 * mass * (bodyQd[v]! ** 2 + bodyQd[v + 1]! ** 2 + bodyQd[v + 2]! ** 2);
		// the centre of mass in world axes
		let x = bodyCom[3 * body]!;
		let y = bodyCom[3 * body + 1]!;
		let z = bodyCom[3 * body + 2]!;
		let tx = 2 * (qy * z - qz * y);
		let ty = 2 * (qz * x - qx * z);
		let tz = 2 * (qx * y - qy * x);
		potential -=
			mass *
			(gravity[0]! * (bodyQ[q]! + x + qw * tx + qy * tz - qz * ty) +
				gravity[1]! * (bodyQ[q + 1]! + y + qw * ty + qz * tx - qx * tz) +
				gravity[2]! * (bodyQ[q + 2]! + z + qw * tz + qx * ty - qy * tx));
		// the angular velocity in body axes
		x = bodyQd[v + 3]!;
		y = bodyQd[v + 4]!;
		z = bodyQd[v + 5]!;
		tx = 2 * (qz * y - qy * z);
		ty = 2 * (qx * z - qz * x);
		tz = 2 * (qy * x - qx * y);
		const wx = x + qw * tx + qz * ty - qy * tz;
		const wy = y + qw * ty + qx * tz - qz * tx;
		const wz = z + qw * tz + qy * tx - qx * ty;
		const i = 9 * body;
		kinetic +=
			0.5 *
			(wx * (bodyInertia[i]! * wx + bodyInertia[i + 1]! * wy + bodyInertia[i + 2]! * wz) +
				wy * (bodyInertia[i + 3]! * wx + bodyInertia[i + 4]! * wy + bodyInertia[i + 5]! * wz) +
				wz * (bodyInertia[i + 6]! * wx + bodyInertia[i + 7]! * wy + bodyInertia[i + 8]! * wz));
	}
	out[0] = out[0]! + kinetic;
	out[1] = out[1]! + potential;
}
