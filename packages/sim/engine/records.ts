import { int, LANES } from './lanes';
import { combineMaterials } from './materials';
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

/** Records of the worlds of a batch, those of a world one after the other. */
export let records: usize = 0;
/** Table by record: its bodies as one number, `(body 0 + 1) · keyBase + body 1 + 1`. */
export let recordKeys: usize = 0;
export let keyBase: i32 = 0;
/** Table by world of the batch: its first record, then the total. */
export let recordStart: usize = 0;
/** The record of lanes without a contact. */
export let noRecord: usize = 0;
/** Table by key: columns of the contacts of two bodies, 0 where the host has not made them yet. */
export let columnsOf: usize = 0;

// contacts of a batch as the buffer of the host has them
export let stagedNormal: usize = 0;
export let stagedPoint0: usize = 0;
export let stagedPoint1: usize = 0;
export let stagedOffset0: usize = 0;
export let stagedOffset1: usize = 0;
export let stagedShape0: usize = 0;
export let stagedShape1: usize = 0;
/** A byte each. */
export let stagedIsAhead: usize = 0;
/** Force and torque on body 0, six numbers. */
export let stagedForce: usize = 0;
/** Table by shape of the model: the joint that moves it, counted within its world from 1; 0 for what does not move. */
export let shapeJoint: usize = 0;
/** 1 where contacts act at one point between the surfaces. */
export let atMidpoint: i32 = 0;

/** More than every pair of bodies. */
const NO_KEY: i32 = 1 << 30;

/** Tables by lane: the next record to place, and the one behind its last. */
const next: usize = memory.data(16, 16);
const ends: usize = memory.data(16, 16);

/** Makes the records of the contacts that the host has copied; the shapes of the worlds of the batch begin at `firstShape`. */
export function makeRecords(count: i32, firstShape: i32): void {
	for (let i = 0; i < count; i++) {
		const record = records + i * RECORD;
		const vector = (3 * i) << 3;
		copy3(record + NORMAL, stagedNormal + vector);
		add3(record + GIVEN_POINT0, stagedPoint0 + vector, stagedOffset0 + vector);
		add3(record + GIVEN_POINT1, stagedPoint1 + vector, stagedOffset1 + vector);
		const shape0 = int(stagedShape0, i);
		const shape1 = int(stagedShape1, i);
		const joint0 = shape0 < 0 ? 0 : int(shapeJoint, shape0);
		const joint1 = shape1 < 0 ? 0 : int(shapeJoint, shape1);
		store<i32>(recordKeys + (i << 2), joint0 * keyBase + joint1);
		combineMaterials(shape0, shape1, firstShape, record + MATERIAL);
		// those that only may touch act on each surface for itself
		if (atMidpoint == 0 || load<u8>(stagedIsAhead + i) != 0) store<f64>(record, NOT_BETWEEN, SHARE);
	}
}

/** Where a contact that acts on each surface for itself acts between them. */
const NOT_BETWEEN: f64 = -1;

function copy3(to: usize, from: usize): void {
	store<f64>(to, load<f64>(from));
	store<f64>(to, load<f64>(from, 8), 8);
	store<f64>(to, load<f64>(from, 16), 16);
}

function add3(to: usize, a: usize, b: usize): void {
	store<f64>(to, load<f64>(a) + load<f64>(b));
	store<f64>(to, load<f64>(a, 8) + load<f64>(b, 8), 8);
	store<f64>(to, load<f64>(a, 16) + load<f64>(b, 16), 16);
}

/** Writes the forces of so many records one after the other for the host. */
export function collectForces(count: i32): void {
	for (let i = 0; i < count; i++) {
		const from = records + i * RECORD + FORCE;
		const to = stagedForce + ((6 * i) << 3);
		v128.store(to, v128.load(from));
		v128.store(to, v128.load(from, 16), 16);
		v128.store(to, v128.load(from, 32), 32);
	}
}

/**
 * Lays the contacts of the first `own` lanes of a group of the batch, which have worlds of their own, side by side. Those of lanes between the same
 * two bodies share a place, in the order that each lane has them. Gives the number of places, or `-1 - key` when the columns of a key are missing.
 */
export function pairContacts(group: i32, own: i32): i32 {
	for (let lane = 0; lane < own; lane++) {
		store<i32>(next + (lane << 2), int(recordStart, LANES * group + lane));
		store<i32>(ends + (lane << 2), int(recordStart, LANES * group + lane + 1));
	}
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
	const record = int(next, lane);
	return record < int(ends, lane) ? int(recordKeys, record) : NO_KEY;
}

/** Address of the next record of a lane, which is then the one behind it. */
function take(lane: i32): usize {
	const record = int(next, lane);
	store<i32>(next + (lane << 2), record + 1);
	return records + record * RECORD;
}
