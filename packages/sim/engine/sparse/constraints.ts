import {
	add,
	all,
	and,
	any,
	choose,
	div,
	int,
	isAtMost,
	isLess,
	keep,
	mad,
	most,
	mul,
	neg,
	nmad,
	none,
	or,
	sqrt,
	sub,
	without,
} from '../lanes';
import { integers, num, numbers, pair, putInt, putNum, putPair, reserve, sum } from './arena';
import { blockAt, columnsOf, placeOf, rowsOf, vectorStart } from './blocks';
import { islandCount, islandOf, nodeOf, positionOf } from './graph';
import * as problem from './problem';

/** Friction below this counts as none. */
const NO_FRICTION: f64 = 1e-12;

/**
 * Constraints stand island by island. Those of island k are the slots `slotStart[k]` to before `slotStart[k + 1]` for contacts,
 * and `rowAt[rowFirst[k]]` to before `rowAt[rowFirst[k + 1]]` for rows.
 */
let slotStart: usize = 0;
/** Contact in each slot, -1 for none. */
let contactAt: usize = 0;
let rowFirst: usize = 0;
let rowAt: usize = 0;

/** Slots and rows of the island at hand: from the first to before the end. */
let firstSlot: i32 = 0;
let endSlot: i32 = 0;
let firstRow: i32 = 0;
let endRow: i32 = 0;

/** Makes the functions here work on one island. */
export function selectConstraints(island: i32): void {
	firstSlot = int(slotStart, island);
	endSlot = int(slotStart, island + 1);
	firstRow = int(rowFirst, island);
	endRow = int(rowFirst, island + 1);
}

/**
 * Contacts go two at a time, one in each lane. Each quantity is an array with a number for each slot; islands with an odd number
 * of contacts have a slot more, of a contact that does nothing.
 */
let mu: usize = 0;
let rt: usize = 0;
let rn: usize = 0;
/** Inverses of both regularisations. */
let stiffT: usize = 0;
let stiffN: usize = 0;
/** `μ Rt / Rn`, and `1 / (1 + μ² Rt / Rn)`. */
let muHat: usize = 0;
let shrink: usize = 0;
/** Three arrays each: along both tangents and the normal. */
let target: usize = 0;
let velocity: usize = 0;
let change: usize = 0;
let impulse: usize = 0;
/** Six arrays: 00 01 11 02 12 22. */
let hessian: usize = 0;
/**
 * Five arrays of how contacts slide: the direction of their slip, by how much a velocity across turns that (0 where they do not slide,
 * negative once friction is foreseen), and the direction of friction, which `foreseeFriction` takes ahead of the slip.
 */
let slip: usize = 0;
/** Lanes with an impulse. */
let isActive: usize = 0;
/** Numbers in one of the arrays. */
let stride: i32 = 0;

/**
 * Columns of contacts by position: those of slot c are the segments `segmentStart[c]` to before `segmentStart[c + 1]`. A
 * segment has a position and an address: three rows of as many numbers as the position has in vectors.
 */
let segmentStart: usize = 0;
let segments: usize = 0;

let rowVelocity: usize = 0;
let rowChange: usize = 0;
let rowIsInside: usize = 0;

function contactArrays(count: i32): usize {
	const array = numbers(count * stride);
	memory.fill(array, 0, (count * stride) << 3);
	return array;
}

/** Island of a constraint, by its first column; those without columns act on nothing and stand in the first. */
function islandOfColumns(column: usize, start: i32, end: i32): i32 {
	return start < end ? int(islandOf, int(nodeOf, int(column, start))) : 0;
}

/** Sorts contacts into slots, and rows, by island; those of an island keep their order. */
function sortByIsland(): void {
	slotStart = integers(islandCount + 1);
	rowFirst = integers(islandCount + 1);
	memory.fill(slotStart, 0, (islandCount + 1) << 2);
	memory.fill(rowFirst, 0, (islandCount + 1) << 2);
	const contacts = problem.contactCount;
	const rows = problem.rowCount;
	for (let c = 0; c < contacts; c++) countAt(slotStart, islandOfContact(c));
	for (let r = 0; r < rows; r++) countAt(rowFirst, islandOfRow(r));
	for (let k = 1; k <= islandCount; k++) {
		putInt(slotStart, k, int(slotStart, k - 1) + ((int(slotStart, k) + 1) & ~1));
		putInt(rowFirst, k, int(rowFirst, k - 1) + int(rowFirst, k));
	}
	stride = int(slotStart, islandCount);
	contactAt = integers(stride);
	rowAt = integers(rows);
	memory.fill(contactAt, 0xff, stride << 2);
	const next = integers(islandCount);
	memory.copy(next, slotStart, islandCount << 2);
	for (let c = 0; c < contacts; c++) putInt(contactAt, takeNext(next, islandOfContact(c)), c);
	memory.copy(next, rowFirst, islandCount << 2);
	for (let r = 0; r < rows; r++) putInt(rowAt, takeNext(next, islandOfRow(r)), r);
}

function islandOfContact(c: i32): i32 {
	return islandOfColumns(problem.contactColumn, int(problem.contactStart, c), int(problem.contactStart, c + 1));
}

function islandOfRow(r: i32): i32 {
	return islandOfColumns(problem.rowColumn, int(problem.rowStart, r), int(problem.rowStart, r + 1));
}

/** Counts one for an island, at the place behind it. */
function countAt(counts: usize, island: i32): void {
	putInt(counts, island + 1, int(counts, island + 1) + 1);
}

function takeNext(next: usize, island: i32): i32 {
	const at = int(next, island);
	putInt(next, island, at + 1);
	return at;
}

/** Lays constraints out for the blocks. */
export function buildConstraints(): void {
	sortByIsland();
	mu = contactArrays(1);
	rt = contactArrays(1);
	rn = contactArrays(1);
	stiffT = contactArrays(1);
	stiffN = contactArrays(1);
	muHat = contactArrays(1);
	shrink = contactArrays(1);
	target = contactArrays(3);
	velocity = contactArrays(3);
	change = contactArrays(3);
	impulse = contactArrays(3);
	hessian = contactArrays(6);
	slip = contactArrays(5);
	isActive = contactArrays(1);
	for (let slot = 0; slot < stride; slot++) {
		const c = int(contactAt, slot);
		const ownRt = c < 0 ? 1 : num(problem.contactRt, c);
		const ownRn = c < 0 ? 1 : num(problem.contactRn, c);
		const ownMu = c < 0 ? 0 : num(problem.contactMu, c);
		const hat = (ownMu * ownRt) / ownRn;
		putNum(mu, slot, ownMu);
		putNum(rt, slot, ownRt);
		putNum(rn, slot, ownRn);
		putNum(stiffT, slot, 1 / ownRt);
		putNum(stiffN, slot, 1 / ownRn);
		putNum(muHat, slot, hat);
		putNum(shrink, slot, 1 / (1 + ownMu * hat));
		for (let k = 0; c >= 0 && k < 3; k++) putNum(target, k * stride + slot, num(problem.contactVHat, 3 * c + k));
	}
	buildSegments();
	const rows = problem.rowCount;
	rowVelocity = numbers(rows);
	rowChange = numbers(rows);
	rowIsInside = integers(rows);
}

function buildSegments(): void {
	segmentStart = integers(stride + 1);
	segments = integers(2 * int(problem.contactStart, problem.contactCount));
	let segment = 0;
	for (let slot = 0; slot < stride; slot++) {
		putInt(segmentStart, slot, segment);
		const c = int(contactAt, slot);
		const end = c < 0 ? 0 : int(problem.contactStart, c + 1);
		let last = -1;
		let block: usize = 0;
		for (let k = c < 0 ? 0 : int(problem.contactStart, c); k < end; k++) {
			const dof = int(problem.contactColumn, k);
			const position = int(positionOf, int(nodeOf, dof));
			const height = rowsOf(position);
			if (position != last) {
				last = position;
				block = reserve((3 * height) << 3);
				memory.fill(block, 0, (3 * height) << 3);
				putInt(segments, 2 * segment, position);
				putInt(segments, 2 * segment + 1, <i32>block);
				segment++;
			}
			const i = int(placeOf, dof) - int(vectorStart, position);
			for (let row = 0; row < 3; row++) putNum(block, row * height + i, num(problem.contactJacobian, 3 * k + row));
		}
	}
	putInt(segmentStart, stride, segment);
}

/** Velocities of constraints for a vector of velocities. */
export function computeVelocities(x: usize): void {
	multiplyContacts(x, velocity);
	multiplyRows(x, rowVelocity);
}

/** Their changes along a direction. */
export function computeChanges(x: usize): void {
	multiplyContacts(x, change);
	multiplyRows(x, rowChange);
}

function multiplyContacts(x: usize, out: usize): void {
	for (let c = firstSlot; c < endSlot; c++) {
		let a = none();
		let b = none();
		let n = none();
		const end = int(segmentStart, c + 1);
		for (let s = int(segmentStart, c); s < end; s++) {
			const position = int(segments, 2 * s);
			const height = rowsOf(position);
			const j: usize = int(segments, 2 * s + 1);
			const from = x + (int(vectorStart, position) << 3);
			for (let i = 0; i < height; i += 2) {
				const value = pair(from, i);
				a = mad(pair(j, i), value, a);
				b = mad(pair(j, height + i), value, b);
				n = mad(pair(j, 2 * height + i), value, n);
			}
		}
		putNum(out, c, sum(a));
		putNum(out, stride + c, sum(b));
		putNum(out, 2 * stride + c, sum(n));
	}
}

function multiplyRows(x: usize, out: usize): void {
	for (let k = firstRow; k < endRow; k++) {
		const r = int(rowAt, k);
		let total: f64 = 0;
		const end = int(problem.rowStart, r + 1);
		for (let e = int(problem.rowStart, r); e < end; e++)
			total += num(problem.rowJacobian, e) * num(x, int(placeOf, int(problem.rowColumn, e)));
		putNum(out, r, total);
	}
}

/** Moves the velocities of constraints by `alpha` times their changes. */
export function advanceVelocities(alpha: f64): void {
	const step = all(alpha);
	for (let k = 0; k < 3; k++) {
		const end = k * stride + endSlot;
		for (let i = k * stride + firstSlot; i < end; i += 2)
			putPair(velocity, i, mad(step, pair(change, i), pair(velocity, i)));
	}
	for (let k = firstRow; k < endRow; k++) {
		const r = int(rowAt, k);
		putNum(rowVelocity, r, num(rowVelocity, r) + alpha * num(rowChange, r));
	}
}

/** Impulses of all constraints, with the Hessians of their costs. Gives the sum of the costs. */
export function evaluate(): f64 {
	return evaluateContacts() + evaluateRows();
}

/** The projection of `y = (target − velocity) / R` on the friction cone in the norm of R. */
function evaluateContacts(): f64 {
	let cost = none();
	const one = all(1);
	const half = all(0.5);
	const s2 = 2 * stride;
	const s3 = 3 * stride;
	const s4 = 4 * stride;
	for (let c = firstSlot; c < endSlot; c += 2) {
		const m = pair(mu, c);
		const kt = pair(stiffT, c);
		const kn = pair(stiffN, c);
		const hat = pair(muHat, c);
		const f = pair(shrink, c);
		const y0 = mul(sub(pair(target, c), pair(velocity, c)), kt);
		const y1 = mul(sub(pair(target, stride + c), pair(velocity, stride + c)), kt);
		const yn = mul(sub(pair(target, s2 + c), pair(velocity, s2 + c)), kn);
		const hasFriction = isLess(all(NO_FRICTION), m);
		const yr = sqrt(add(mad(y0, y0, mul(y1, y1)), all(problem.softSquare)));
		const sticks = and(hasFriction, isAtMost(yr, mul(m, yn)));
		const slides = and(without(hasFriction, sticks), isLess(neg(mul(hat, yr)), yn));
		const presses = without(isLess(none(), yn), hasFriction);
		const t0 = div(y0, yr);
		const t1 = div(y1, yr);
		const slidN = mul(f, mad(hat, yr, yn));
		const g = mul(m, slidN);
		const straight = or(sticks, presses);
		const gn = choose(straight, yn, keep(slides, slidN));
		const g0 = choose(sticks, y0, keep(slides, mul(g, t0)));
		const g1 = choose(sticks, y1, keep(slides, mul(g, t1)));
		const isForeseen = isLess(pair(slip, s2 + c), none());
		const w0 = choose(isForeseen, pair(slip, s3 + c), t0);
		const w1 = choose(isForeseen, pair(slip, s4 + c), t1);
		const pace = div(kt, yr);
		putPair(slip, c, t0);
		putPair(slip, stride + c, t1);
		putPair(slip, s2 + c, keep(slides, pace));
		putPair(slip, s3 + c, w0);
		putPair(slip, s4 + c, w1);
		const across = mul(g, pace);
		const along = mul(mul(mul(m, hat), f), kt);
		const slid00 = mad(along, mul(t0, t0), mul(across, nmad(w0, t0, one)));
		const slid01 = nmad(mul(half, across), mad(w0, t1, mul(w1, t0)), mul(along, mul(t0, t1)));
		const slid11 = mad(along, mul(t1, t1), mul(across, nmad(w1, t1, one)));
		const slidNN = mul(f, kn);
		putPair(hessian, c, choose(sticks, kt, keep(slides, slid00)));
		putPair(hessian, stride + c, keep(slides, slid01));
		putPair(hessian, s2 + c, choose(sticks, kt, keep(slides, slid11)));
		putPair(hessian, s3 + c, keep(slides, mul(mul(m, slidNN), t0)));
		putPair(hessian, s4 + c, keep(slides, mul(mul(m, slidNN), t1)));
		putPair(hessian, 5 * stride + c, choose(straight, kn, keep(slides, slidNN)));
		putPair(impulse, c, g0);
		putPair(impulse, stride + c, g1);
		putPair(impulse, s2 + c, gn);
		putPair(isActive, c, or(straight, slides));
		const squares = mad(pair(rt, c), mad(g0, g0, mul(g1, g1)), mul(mul(pair(rn, c), gn), gn));
		cost = mad(half, squares, cost);
	}
	return sum(cost);
}

/** Takes the directions of friction ahead to where the whole Newton step would have them, as `foreseeFriction` of the reference does. */
export function foreseeFriction(): void {
	const one = all(1);
	const s2 = 2 * stride;
	const s3 = 3 * stride;
	const s4 = 4 * stride;
	for (let c = firstSlot; c < endSlot; c += 2) {
		const pace = pair(slip, s2 + c);
		if (!any(pace)) continue;
		const t0 = pair(slip, c);
		const t1 = pair(slip, stride + c);
		const d0 = pair(change, c);
		const d1 = pair(change, stride + c);
		const along = mad(t0, d0, mul(t1, d1));
		const w0 = nmad(pace, nmad(pair(slip, s3 + c), along, d0), t0);
		const w1 = nmad(pace, nmad(pair(slip, s4 + c), along, d1), t1);
		const size = sqrt(most(mad(w0, w0, mul(w1, w1)), one));
		putPair(slip, s3 + c, div(w0, size));
		putPair(slip, s4 + c, div(w1, size));
		putPair(slip, s2 + c, neg(pace));
	}
}

function evaluateRows(): f64 {
	let cost: f64 = 0;
	for (let k = firstRow; k < endRow; k++) {
		const r = int(rowAt, k);
		const R = num(problem.rowR, r);
		const y = (num(problem.rowVHat, r) - num(rowVelocity, r)) / R;
		const lower = num(problem.rowLower, r);
		const upper = num(problem.rowUpper, r);
		const isInside = y >= lower && y <= upper;
		const g = isInside ? y : y < lower ? lower : upper;
		putNum(problem.rowImpulse, r, g);
		putInt(rowIsInside, r, isInside ? 1 : 0);
		cost += R * g * (y - 0.5 * g);
	}
	return cost;
}

/** `out += Jᵀ γ` of every constraint. */
export function addImpulses(out: usize): void {
	for (let c = firstSlot; c < endSlot; c++) {
		if (load<i64>(isActive + (c << 3)) == 0) continue;
		const g0 = all(num(impulse, c));
		const g1 = all(num(impulse, stride + c));
		const gn = all(num(impulse, 2 * stride + c));
		const end = int(segmentStart, c + 1);
		for (let s = int(segmentStart, c); s < end; s++) {
			const position = int(segments, 2 * s);
			const height = rowsOf(position);
			const j: usize = int(segments, 2 * s + 1);
			const to = out + (int(vectorStart, position) << 3);
			for (let i = 0; i < height; i += 2) {
				const value = mad(pair(j, height + i), g1, mad(pair(j, i), g0, pair(to, i)));
				putPair(to, i, mad(pair(j, 2 * height + i), gn, value));
			}
		}
	}
	for (let k = firstRow; k < endRow; k++) {
		const r = int(rowAt, k);
		const g = num(problem.rowImpulse, r);
		const end = int(problem.rowStart, r + 1);
		for (let e = int(problem.rowStart, r); e < end; e++) {
			const place = int(placeOf, int(problem.rowColumn, e));
			putNum(out, place, num(out, place) + num(problem.rowJacobian, e) * g);
		}
	}
}

/** Adds `Jᵀ G J` of every constraint that acts to the Hessian. */
export function addHessians(): void {
	for (let c = firstSlot; c < endSlot; c++) {
		if (load<i64>(isActive + (c << 3)) == 0) continue;
		const start = int(segmentStart, c);
		const end = int(segmentStart, c + 1);
		for (let a = start; a < end; a++) {
			for (let b = start; b <= a; b++) {
				const isLater = int(segments, 2 * a) >= int(segments, 2 * b);
				addContactBlock(c, isLater ? a : b, isLater ? b : a);
			}
		}
	}
	for (let k = firstRow; k < endRow; k++) {
		const r = int(rowAt, k);
		if (int(rowIsInside, r) == 0) continue;
		const stiffness = 1 / num(problem.rowR, r);
		const start = int(problem.rowStart, r);
		const end = int(problem.rowStart, r + 1);
		for (let a = start; a < end; a++) {
			const g = stiffness * num(problem.rowJacobian, a);
			for (let b = start; b <= a; b++)
				addEntry(int(problem.rowColumn, a), int(problem.rowColumn, b), g * num(problem.rowJacobian, b));
		}
	}
}

/** Adds the part of a contact for two of its segments, of which the second goes first in the elimination. */
function addContactBlock(c: i32, later: i32, earlier: i32): void {
	const r = int(segments, 2 * later);
	const s = int(segments, 2 * earlier);
	const height = rowsOf(r);
	const width = columnsOf(s);
	const otherHeight = rowsOf(s);
	const left: usize = int(segments, 2 * later + 1);
	const right: usize = int(segments, 2 * earlier + 1);
	const h00 = num(hessian, c);
	const h01 = num(hessian, stride + c);
	const h11 = num(hessian, 2 * stride + c);
	const h02 = num(hessian, 3 * stride + c);
	const h12 = num(hessian, 4 * stride + c);
	const h22 = num(hessian, 5 * stride + c);
	let column = blockAt(r, s);
	if (height == 6 && width == 6) {
		if (r == s) addSixBelow(column, left, h00, h01, h11, h02, h12, h22);
		else addSix(column, left, right, h00, h01, h11, h02, h12, h22);
		return;
	}
	for (let k = 0; k < width; k++) {
		const j0 = num(right, k);
		const j1 = num(right, otherHeight + k);
		const j2 = num(right, 2 * otherHeight + k);
		const g0 = all(h00 * j0 + h01 * j1 + h02 * j2);
		const g1 = all(h01 * j0 + h11 * j1 + h12 * j2);
		const g2 = all(h02 * j0 + h12 * j1 + h22 * j2);
		for (let i = 0; i < height; i += 2) {
			const value = mad(pair(left, height + i), g1, mad(pair(left, i), g0, pair(column, i)));
			putPair(column, i, mad(pair(left, 2 * height + i), g2, value));
		}
		column += height << 3;
	}
}

/** `C += Lᵀ H R` for rows of six columns. */
function addSix(
	block: usize,
	left: usize,
	right: usize,
	h00: f64,
	h01: f64,
	h11: f64,
	h02: f64,
	h12: f64,
	h22: f64,
): void {
	const a0 = pair(left, 0);
	const a1 = pair(left, 2);
	const a2 = pair(left, 4);
	const b0 = pair(left, 6);
	const b1 = pair(left, 8);
	const b2 = pair(left, 10);
	const c0 = pair(left, 12);
	const c1 = pair(left, 14);
	const c2 = pair(left, 16);
	for (let k = 0; k < 6; k++) {
		const j0 = num(right, k);
		const j1 = num(right, 6 + k);
		const j2 = num(right, 12 + k);
		const g0 = all(h00 * j0 + h01 * j1 + h02 * j2);
		const g1 = all(h01 * j0 + h11 * j1 + h12 * j2);
		const g2 = all(h02 * j0 + h12 * j1 + h22 * j2);
		const column = block + ((6 * k) << 3);
		putPair(column, 0, mad(c0, g2, mad(b0, g1, mad(a0, g0, pair(column, 0)))));
		putPair(column, 2, mad(c1, g2, mad(b1, g1, mad(a1, g0, pair(column, 2)))));
		putPair(column, 4, mad(c2, g2, mad(b2, g1, mad(a2, g0, pair(column, 4)))));
	}
}

/** `C += Lᵀ H L` for rows of six columns, at and below the diagonal. */
function addSixBelow(block: usize, left: usize, h00: f64, h01: f64, h11: f64, h02: f64, h12: f64, h22: f64): void {
	for (let k = 0; k < 6; k++) {
		const j0 = num(left, k);
		const j1 = num(left, 6 + k);
		const j2 = num(left, 12 + k);
		const g0 = all(h00 * j0 + h01 * j1 + h02 * j2);
		const g1 = all(h01 * j0 + h11 * j1 + h12 * j2);
		const g2 = all(h02 * j0 + h12 * j1 + h22 * j2);
		const column = block + ((6 * k) << 3);
		for (let i = k & ~1; i < 6; i += 2) {
			const value = mad(pair(left, 6 + i), g1, mad(pair(left, i), g0, pair(column, i)));
			putPair(column, i, mad(pair(left, 12 + i), g2, value));
		}
	}
}

/** Adds to the entry of two degrees of freedom below the diagonal. */
function addEntry(a: i32, b: i32, value: f64): void {
	const p = int(positionOf, int(nodeOf, a));
	const q = int(positionOf, int(nodeOf, b));
	const isLater = p > q || (p == q && a >= b);
	const r = isLater ? p : q;
	const c = isLater ? q : p;
	const row = int(placeOf, isLater ? a : b) - int(vectorStart, r);
	const column = int(placeOf, isLater ? b : a) - int(vectorStart, c);
	const block = blockAt(r, c);
	const at = column * rowsOf(r) + row;
	putNum(block, at, num(block, at) + value);
}

export let lineCost: f64 = 0;
export let lineSlope: f64 = 0;
export let lineCurvature: f64 = 0;

/** Cost along `v + α d` of all constraints, with its first two derivatives. */
export function evaluateLine(alpha: f64): void {
	let cost = none();
	let slope = none();
	let curvature = none();
	const step = all(alpha);
	const half = all(0.5);
	const s2 = 2 * stride;
	for (let c = firstSlot; c < endSlot; c += 2) {
		const m = pair(mu, c);
		const kt = pair(stiffT, c);
		const kn = pair(stiffN, c);
		const hat = pair(muHat, c);
		const f = pair(shrink, c);
		const Rt = pair(rt, c);
		const Rn = pair(rn, c);
		const d0 = pair(change, c);
		const d1 = pair(change, stride + c);
		const dn = pair(change, s2 + c);
		const y0 = mul(sub(sub(pair(target, c), pair(velocity, c)), mul(step, d0)), kt);
		const y1 = mul(sub(sub(pair(target, stride + c), pair(velocity, stride + c)), mul(step, d1)), kt);
		const yn = mul(sub(sub(pair(target, s2 + c), pair(velocity, s2 + c)), mul(step, dn)), kn);
		const hasFriction = isLess(all(NO_FRICTION), m);
		const tangents = mad(y0, y0, mul(y1, y1));
		const yr = sqrt(add(tangents, all(problem.softSquare)));
		const sticks = and(hasFriction, isAtMost(yr, mul(m, yn)));
		const slides = and(without(hasFriction, sticks), isLess(neg(mul(hat, yr)), yn));
		const presses = or(sticks, without(isLess(none(), yn), hasFriction));
		if (!any(or(presses, slides))) continue;
		const changes = mad(d0, d0, mul(d1, d1));
		const stuck = keep(sticks, mul(Rt, tangents));
		let ownCost = add(stuck, keep(presses, mul(mul(Rn, yn), yn)));
		let ownSlope = add(keep(sticks, mad(y0, d0, mul(y1, d1))), keep(presses, mul(yn, dn)));
		let ownCurvature = add(keep(sticks, mul(changes, kt)), keep(presses, mul(mul(dn, dn), kn)));
		if (any(slides)) {
			const inverse = div(all(1), yr);
			const t0 = mul(y0, inverse);
			const t1 = mul(y1, inverse);
			const gn = mul(f, mad(hat, yr, yn));
			const g = mul(m, gn);
			const along = mad(t0, d0, mul(t1, d1));
			const upright = mad(t0, t0, mul(t1, t1));
			const thrust = mad(m, along, dn);
			const squares = sub(changes, mul(along, along));
			ownCost = choose(slides, mad(mul(mul(Rt, g), g), upright, mul(mul(Rn, gn), gn)), ownCost);
			ownSlope = choose(slides, mad(g, along, mul(gn, dn)), ownSlope);
			const bent = mad(mul(mul(g, inverse), kt), squares, mul(mul(f, kn), mul(thrust, thrust)));
			ownCurvature = choose(slides, bent, ownCurvature);
		}
		cost = mad(half, ownCost, cost);
		slope = sub(slope, ownSlope);
		curvature = add(curvature, ownCurvature);
	}
	lineCost = sum(cost);
	lineSlope = sum(slope);
	lineCurvature = sum(curvature);
	for (let k = firstRow; k < endRow; k++) {
		const r = int(rowAt, k);
		const R = num(problem.rowR, r);
		const d = num(rowChange, r);
		const y = (num(problem.rowVHat, r) - num(rowVelocity, r) - alpha * d) / R;
		const lower = num(problem.rowLower, r);
		const upper = num(problem.rowUpper, r);
		const isInside = y >= lower && y <= upper;
		const g = isInside ? y : y < lower ? lower : upper;
		lineCost += R * g * (y - 0.5 * g);
		lineSlope -= g * d;
		if (isInside) lineCurvature += (d * d) / R;
	}
}

/** Writes the impulses of all contacts for the host. */
export function writeImpulses(): void {
	for (let slot = 0; slot < stride; slot++) {
		const c = int(contactAt, slot);
		for (let k = 0; c >= 0 && k < 3; k++) putNum(problem.contactImpulse, 3 * c + k, num(impulse, k * stride + slot));
	}
}
