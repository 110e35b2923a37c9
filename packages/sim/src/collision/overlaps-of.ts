import { quatRotate } from '@manyworlds/core/internal';
import { type Contacts, type Model, WORLD } from '@manyworlds/model';
import type { FindOverlaps, Overlap } from '@manyworlds/worlds';
import { CollisionPipeline } from './collision-pipeline.ts';

/** Contacts of a world that are looked at: a robot that starts inside of itself has many; with many worlds there is less room. */
const MOST_PER_WORLD = 4096;
const LEAST_PER_WORLD = 512;
/** Room that is enough for most robots. */
const FIRST_PER_WORLD = 128;
const MOST_CONTACTS = 65536;

/**
 * What touches in a state of a model, by the collision geometry that `SolverSap` uses, for `startOf` of `worlds`.
 *
 * ```ts
 * const { state } = startOf(model, report, { findOverlaps: overlapsOf(model) });
 * ```
 * @public
 */
export function overlapsOf(model: Model): FindOverlaps {
	const pipeline = new CollisionPipeline(model);
	const share = Math.floor(MOST_CONTACTS / Math.max(1, model.worldCount));
	const perWorld = Math.min(MOST_PER_WORLD, Math.max(LEAST_PER_WORLD, share));
	let contacts = pipeline.createContacts({ perWorld: FIRST_PER_WORLD, withForce: false });
	return (state) => {
		const found: Overlap[] = [];
		const worlds = Math.max(1, model.worldCount);
		// shapes may have been moved since
		pipeline.notifyModelChanged();
		pipeline.collide(state, contacts);
		if (contacts.hasOverflow && contacts.perWorld < perWorld) {
			contacts = pipeline.createContacts({ perWorld, withForce: false });
			pipeline.collide(state, contacts);
		}
		for (let world = 0; world < worlds; world++) {
			const pairs = new Map<string, Overlap>();
			for (let row = contacts.worldStart[world]!; row < contacts.worldStart[world + 1]!; row++) {
				const [shape0, shape1] = [contacts.rigidShape0[row]!, contacts.rigidShape1[row]!];
				const depth = -contactDistance(model, state.bodyQ, contacts, row);
				const key = `${shape0} ${shape1}`;
				const known = pairs.get(key);
				if (known !== undefined && known.depth >= depth) continue;
				const { rigidNormal: n } = contacts;
				pairs.set(key, {
					world,
					shape0,
					shape1,
					depth,
					normal: [n[3 * row]!, n[3 * row + 1]!, n[3 * row + 2]!],
				});
			}
			found.push(...pairs.values());
		}
		return found;
	};
}

const points = [new Float64Array(3), new Float64Array(3)] as const;

/** Distance of the surfaces of a contact, margins included [m]; negative where they overlap. */
export function contactDistance(model: Model, bodyQ: Float64Array, contacts: Contacts, row: number): number {
	for (const [side, out] of points.entries()) {
		const shape = (side === 0 ? contacts.rigidShape0 : contacts.rigidShape1)[row]!;
		const point = side === 0 ? contacts.rigidPoint0 : contacts.rigidPoint1;
		const offset = side === 0 ? contacts.rigidOffset0 : contacts.rigidOffset1;
		for (let k = 0; k < 3; k++) out[k] = point[3 * row + k]! + offset[3 * row + k]!;
		const body = shape < 0 ? WORLD : model.shapeBody[shape]!;
		if (body < 0) continue;
		quatRotate(out, bodyQ, out, 0, 7 * body + 3);
		for (let k = 0; k < 3; k++) out[k] = out[k]! + bodyQ[7 * body + k]!;
	}
	const [p0, p1] = points;
	const n = contacts.rigidNormal;
	let distance = 0;
	for (let k = 0; k < 3; k++) distance += (p1[k]! - p0[k]!) * n[3 * row + k]!;
	return distance;
}
