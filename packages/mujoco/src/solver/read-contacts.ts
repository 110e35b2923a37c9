import { transformPointInverse } from '@manyworlds/core/internal';
import { type Contacts, type State, WORLD } from '@manyworlds/model';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { inWorld } from '../engine/model-maps.ts';

/** Appends the contacts that the engine holds to `contacts`, with forces where there is room for them. */
export function readContacts(compiled: CompiledModel, world: number, state: State, contacts: Contacts): void {
	const { module, mj, data, maps, conversion } = compiled;
	const { model } = conversion;
	const list = data.contact;
	const force = contacts.rigidForce === undefined ? undefined : new module.DoubleBuffer(6);
	const point = new Float64Array(3);
	const local = new Float64Array(3);
	try {
		for (let i = 0; i < data.ncon; i++) {
			const contact = list.get(i);
			if (contact === undefined) continue;
			const row = contacts.nextRigid();
			const [geom1, geom2] = contact.geom as Int32Array;
			const frame = contact.frame as Float64Array;
			const position = contact.pos as Float64Array;
			const shapes = [maps.geom[geom1!]!, maps.geom[geom2!]!].map((own) => inWorld(conversion, 'shape', own, world));
			if (row >= 0) {
				contacts.rigidShape0[row] = shapes[0]!;
				contacts.rigidShape1[row] = shapes[1]!;
				for (let k = 0; k < 3; k++) contacts.rigidNormal[3 * row + k] = frame[k]!;
				for (const [side, points] of [contacts.rigidPoint0, contacts.rigidPoint1].entries()) {
					const sign = side === 0 ? -0.5 : 0.5;
					for (let k = 0; k < 3; k++) point[k] = position[k]! + sign * contact.dist * frame[k]!;
					const body = model.shapeBody[shapes[side]!] ?? WORLD;
					if (body === WORLD) local.set(point);
					else transformPointInverse(local, state.bodyQ, point, 0, 7 * body);
					points.set(local, 3 * row);
				}
				if (force !== undefined && contacts.rigidForce !== undefined) {
					module.mj_contactForce(mj, data, i, force);
					writeForce(contacts.rigidForce, row, force.GetView() as Float64Array, frame);
				}
			}
			contact.delete();
		}
	} finally {
		force?.delete();
		list.delete();
	}
}

/** MuJoCo gives the force on the second body in the frame of the contact; the model wants that on the first, in world axes. */
function writeForce(out: Float64Array, row: number, force: Float64Array, frame: Float64Array): void {
	for (let part = 0; part < 2; part++) {
		for (let k = 0; k < 3; k++) {
			let sum = 0;
			for (let axis = 0; axis < 3; axis++) sum += frame[3 * axis + k]! * force[3 * part + axis]!;
			out[6 * row + 3 * part + k] = -sum;
		}
	}
}
