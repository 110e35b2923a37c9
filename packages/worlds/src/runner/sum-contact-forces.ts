import { transformPoint } from '@manyworlds/core/internal';
import type { Contacts, Model, State } from '@manyworlds/model';

/**
 * Writes the force and the torque of all contacts on each body of the active worlds, for a run of bodies that has all of them.
 * `state` is the one that the contacts were found in. Does nothing where there is no room in `out`, or the contacts carry no force.
 */
export function sumContactForces(
	out: Float64Array,
	model: Model,
	state: State,
	contacts: Contacts,
	active: Uint8Array,
	bodies: readonly number[],
): void {
	const force = contacts.rigidForce;
	if (out.length === 0 || force === undefined) return;
	const { bodyWorld, shapeBody } = model;
	for (let body = bodies[0]!; body < bodies[1]!; body++) {
		const world = bodyWorld[body]!;
		if (world < 0 || active[world] !== 0) out.fill(0, 6 * body, 6 * body + 6);
	}
	const [center0, center1] = [new Float64Array(3), new Float64Array(3)];
	for (let row = 0; row < contacts.rigidCount; row++) {
		const [shape0, shape1] = [contacts.rigidShape0[row]!, contacts.rigidShape1[row]!];
		const body0 = shape0 < 0 ? -1 : shapeBody[shape0]!;
		const body1 = shape1 < 0 ? -1 : shapeBody[shape1]!;
		const [fx, fy, fz] = [force[6 * row]!, force[6 * row + 1]!, force[6 * row + 2]!];
		if (body0 >= 0) for (let k = 0; k < 6; k++) out[6 * body0 + k]! += force[6 * row + k]!;
		if (body1 < 0) continue;
		// the opposite force, about the other centre; that of the world is its origin
		centerOf(center0, model, state, body0);
		centerOf(center1, model, state, body1);
		const [rx, ry, rz] = [center0[0]! - center1[0]!, center0[1]! - center1[1]!, center0[2]! - center1[2]!];
		const at = 6 * body1;
		out[at]! -= fx;
		out[at + 1]! -= fy;
		out[at + 2]! -= fz;
		out[at + 3]! -= force[6 * row + 3]! + ry * fz - rz * fy;
		out[at + 4]! -= force[6 * row + 4]! + rz * fx - rx * fz;
		out[at + 5]! -= force[6 * row + 5]! + rx * fy - ry * fx;
	}
}

/** Centre of mass of a body in the world; the origin for the world itself. */
function centerOf(out: Float64Array, model: Model, state: State, body: number): void {
	if (body < 0) {
		out.fill(0);
		return;
	}
	transformPoint(out, state.bodyQ, model.bodyCom, 0, 7 * body, 3 * body);
}
