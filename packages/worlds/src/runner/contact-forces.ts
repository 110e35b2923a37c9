import { transformPoint } from '@manyworlds/core/internal';
import { type Contacts, type Model, type State, WORLD } from '@manyworlds/model';
import type { ArrayAllocator } from '@manyworlds/model/internal';

/**
 * Where shapes touched in the last step of each world, and how hard. Each world has room for {@link perWorld} contacts: contact
 * `i` of world `w` is row `w * perWorld + i` of every array. Contacts beyond the room are counted in {@link dropped}. @public
 */
export class ContactForces {
	readonly perWorld: number;
	/** Contacts of each world that have a row. */
	readonly count: Int32Array;
	/** Contacts of each world that had no room. */
	readonly dropped: Int32Array;
	/** First and second shape of each contact; shape (worlds, perWorld). */
	readonly shape0: Int32Array;
	readonly shape1: Int32Array;
	/** Where they touch, on the first shape, in world axes [m]; shape (worlds, perWorld, 3). */
	readonly point: Float64Array;
	/** Unit normal from the first shape to the second; shape (worlds, perWorld, 3). */
	readonly normal: Float64Array;
	/** Force on the second shape, friction included, in world axes [N]; shape (worlds, perWorld, 3). */
	readonly force: Float64Array;

	constructor(worlds: number, perWorld: number, keep: ArrayAllocator) {
		const rows = worlds * perWorld;
		this.perWorld = perWorld;
		this.count = keep(new Int32Array(worlds), 'count');
		this.dropped = keep(new Int32Array(worlds), 'dropped');
		this.shape0 = keep(new Int32Array(rows), 'shape0');
		this.shape1 = keep(new Int32Array(rows), 'shape1');
		this.point = keep(new Float64Array(3 * rows), 'point');
		this.normal = keep(new Float64Array(3 * rows), 'normal');
		this.force = keep(new Float64Array(3 * rows), 'force');
	}

	/** Takes over the contacts of a world that bear a force: rows `start` to `end` of `contacts`, at the body poses of `state`. */
	take(model: Model, world: number, state: State, contacts: Contacts, start: number, end: number): void {
		const { rigidForce, rigidNormal, rigidPoint0, rigidShape0, rigidShape1 } = contacts;
		this.clear(world);
		if (rigidForce === undefined) return;
		for (let row = start; row < end; row++) {
			const f = 6 * row;
			// those that were only looked ahead to bear none
			if (rigidForce[f] === 0 && rigidForce[f + 1] === 0 && rigidForce[f + 2] === 0) continue;
			if (this.count[world] === this.perWorld) {
				this.dropped[world]!++;
				continue;
			}
			const to = world * this.perWorld + this.count[world]!++;
			this.shape0[to] = rigidShape0[row]!;
			this.shape1[to] = rigidShape1[row]!;
			// a contact has the force on its first body
			for (let k = 0; k < 3; k++) this.force[3 * to + k] = -rigidForce[f + k]!;
			for (let k = 0; k < 3; k++) this.normal[3 * to + k] = rigidNormal[3 * row + k]!;
			const shape = rigidShape0[row]!;
			const body = shape < 0 ? WORLD : model.shapeBody[shape]!;
			if (body === WORLD) for (let k = 0; k < 3; k++) this.point[3 * to + k] = rigidPoint0[3 * row + k]!;
			else transformPoint(this.point, state.bodyQ, rigidPoint0, 3 * to, 7 * body, 3 * row);
		}
	}

	/** Forgets the contacts of a world. */
	clear(world: number): void {
		this.count[world] = 0;
		this.dropped[world] = 0;
	}
}
