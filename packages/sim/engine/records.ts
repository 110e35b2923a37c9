import { int, LANES } from './lanes';
import * as problem from './newton-memory';

/**
 * Records of contacts, by which host and kernels tell each other of them, numbers of 64 bits one behind the other: normal, point on the
 * surface of each body in its frame, friction, stiffness, relaxation time, where between the surfaces the contact acts, negative for a point on
 * each of them; then, from the kernels, force and torque on body 0.
 */
export const NORMAL: usize = 0;
export const GIVEN_POINT0: usize = 24;
export const GIVEN_POINT1: usize = 48;
export const MATERIAL: usize = 72;
export const SHARE: usize = 96;
export const FORCE: usize = 104;
const RECORD: i32 = 152;

/** Records of the group, those of a lane one after the other. */
export let records: usize = 0;
/** Table by record: its bodies as one number, `(body 0 + 1) · keyBase + body 1 + 1`; behind those of a lane, one beyond all. */
export let recordKeys: usize = 0;
export let keyBase: i32 = 0;
/** Table by lane: its first record. */
export let laneRecords: usize = 0;
/** The record of lanes without a contact. */
export let noRecord: usize = 0;
/** Table by key: columns of the contacts of two bodies, 0 where the host has not made them yet. */
export let columnsOf: usize = 0;

const NO_KEY: i32 = 1 << 30;

/** Table by lane: the next record to place. */
const next: usize = memory.data(16, 16);

/**
 * Lays the contacts of the first `own` lanes, which have worlds of their own, side by side. Those of lanes between the same two bodies share a place,
 * in the order that each lane has them. Gives the number of places, or `-1 - key` when the columns of a key are missing.
 */
export function pairContacts(own: i32): i32 {
	for (let lane = 0; lane < own; lane++) store<i32>(next + (lane << 2), int(laneRecords, lane));
	let contact = 0;
	let column = 0;
	for (let key = leastKey(own); key != NO_KEY; key = leastKey(own)) {
		const columns = int(columnsOf, key);
		if (columns == 0) return -1 - key;
		store<i32>(problem.contactColumns + (contact << 2), columns);
		store<i32>(problem.contactStart + (contact << 2), column);
		store<i32>(problem.contactBody0 + (contact << 2), key / keyBase - 1);
		store<i32>(problem.contactBody1 + (contact << 2), (key % keyBase) - 1);
		column += int(columns, 0);
		const to = problem.contactRecords + ((LANES * contact) << 2);
		let record = noRecord;
		for (let lane = 0; lane < LANES; lane++) {
			// lanes that repeat the last world have its record
			if (lane < own) record = keyOf(lane) == key ? take(lane) : noRecord;
			store<usize>(to + (lane << 2), record);
		}
		contact++;
	}
	return contact;
}

/** Least key of the next records of the lanes. */
function leastKey(own: i32): i32 {
	let key = NO_KEY;
	for (let lane = 0; lane < own; lane++) key = min<i32>(key, keyOf(lane));
	return key;
}

function keyOf(lane: i32): i32 {
	return int(recordKeys, int(next, lane));
}

/** Address of the next record of a lane, which is then the one behind it. */
function take(lane: i32): usize {
	const record = int(next, lane);
	store<i32>(next + (lane << 2), record + 1);
	return records + record * RECORD;
}
