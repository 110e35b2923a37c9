import { add, all, int, mul, nmad, none } from '../lanes';
import { integers, num, pair, putInt, putNum, putPair, reserve, sum, twice } from './arena';
import { islandStart, nodeAt, nodeCount, nodeOf, nodeStart, pattern, patternStart, positionOf, sizeOf } from './graph';
import * as problem from './problem';

/**
 * The matrix A, the Hessian and its Cholesky factor in blocks of nodes, by their positions in the elimination. A block has the
 * columns of the node that goes first, one after the other, each with the rows of the other node, and one more row of zeros
 * where their number is odd. Vectors have the same: position after position, each with an even number of entries.
 */

/** Degrees of freedom of each position, their number made even, and the first entry of each in vectors, then the total. */
let columns: usize = 0;
let rows: usize = 0;
export let vectorStart: usize = 0;
export let vectorLength: i32 = 0;
/** Entry in vectors of each degree of freedom. */
export let placeOf: usize = 0;
/** Addresses of the diagonal block of each position, and of the block of each entry of the pattern. */
let diagonals: usize = 0;
let entries: usize = 0;
/** All blocks of the Hessian, and those of A alike. */
let hessian: usize = 0;
let mass: usize = 0;
let bytes: i32 = 0;
/** Blocks of A with entries: row position, column position, address; three integers each, position after position. */
let massBlocks: usize = 0;
let massBlockCount: i32 = 0;
/** First of them at each position, then the total. */
let massBlockStart: usize = 0;

/** Positions and entries of vectors of the island at hand: from the first to before the end. */
export let firstPosition: i32 = 0;
export let endPosition: i32 = 0;
export let firstEntry: i32 = 0;
export let endEntry: i32 = 0;

/** Makes the functions here work on one island. */
export function selectPositions(island: i32): void {
	firstPosition = int(islandStart, island);
	endPosition = int(islandStart, island + 1);
	firstEntry = int(vectorStart, firstPosition);
	endEntry = int(vectorStart, endPosition);
}

/** Lays out blocks and vectors for the graph, and fills those of A. */
export function buildBlocks(): void {
	const count = nodeCount;
	columns = integers(count);
	rows = integers(count);
	vectorStart = integers(count + 1);
	placeOf = integers(problem.dofCount);
	vectorLength = 0;
	for (let position = 0; position < count; position++) {
		const node = int(nodeAt, position);
		const size = sizeOf(node);
		putInt(columns, position, size);
		putInt(rows, position, (size + 1) & ~1);
		putInt(vectorStart, position, vectorLength);
		for (let i = 0; i < size; i++) putInt(placeOf, int(nodeStart, node) + i, vectorLength + i);
		vectorLength += (size + 1) & ~1;
	}
	putInt(vectorStart, count, vectorLength);
	diagonals = integers(count);
	entries = integers(int(patternStart, count));
	bytes = 0;
	for (let c = 0; c < count; c++) {
		bytes += place(diagonals, c, c, c);
		for (let e = int(patternStart, c); e < int(patternStart, c + 1); e++)
			bytes += place(entries, e, int(pattern, e), c);
	}
	hessian = reserve(bytes);
	mass = reserve(bytes);
	for (let c = 0; c < count; c++) putInt(diagonals, c, int(diagonals, c) + <i32>hessian);
	for (let e = 0; e < int(patternStart, count); e++) putInt(entries, e, int(entries, e) + <i32>hessian);
	fillMass();
}

/** Notes where a block begins. Gives its size. */
function place(list: usize, at: i32, r: i32, c: i32): i32 {
	putInt(list, at, bytes);
	return (int(rows, r) * int(columns, c)) << 3;
}

/** The block of two positions, of which the second goes first; it must be part of the pattern. */
export function blockAt(r: i32, c: i32): usize {
	if (r == c) return int(diagonals, c);
	let low = int(patternStart, c);
	let high = int(patternStart, c + 1) - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (int(pattern, middle) < r) low = middle + 1;
		else high = middle;
	}
	return int(entries, low);
}

/** Rows of a position in blocks and vectors. */
export function rowsOf(position: i32): i32 {
	return int(rows, position);
}

export function columnsOf(position: i32): i32 {
	return int(columns, position);
}

function fillMass(): void {
	memory.fill(mass, 0, bytes);
	massBlocks = integers(3 * (nodeCount + int(patternStart, nodeCount)));
	massBlockStart = integers(nodeCount + 1);
	massBlockCount = 0;
	for (let position = 0; position < nodeCount; position++) {
		const node = int(nodeAt, position);
		const first = int(problem.massFirst, int(nodeStart, node));
		putInt(massBlockStart, position, massBlockCount);
		for (let other = int(nodeOf, first); other <= node; other++) noteMassBlock(node, other);
	}
	putInt(massBlockStart, nodeCount, massBlockCount);
	let value = problem.massValues;
	const offset = mass - hessian;
	for (let i = 0; i < problem.dofCount; i++) {
		const a = int(positionOf, int(nodeOf, i));
		for (let j = int(problem.massFirst, i); j <= i; j++) {
			const entry = load<f64>(value);
			value += 8;
			const b = int(positionOf, int(nodeOf, j));
			const r = max(a, b);
			const c = min(a, b);
			const row = (a == r ? i : j) - int(nodeStart, int(nodeAt, r));
			const column = (a == r ? j : i) - int(nodeStart, int(nodeAt, c));
			const block = blockAt(r, c) + offset;
			putNum(block, column * rowsOf(r) + row, entry);
			if (r == c) putNum(block, row * rowsOf(r) + column, entry);
		}
	}
}

function noteMassBlock(node: i32, other: i32): void {
	const a = int(positionOf, node);
	const b = int(positionOf, other);
	const at = 3 * massBlockCount++;
	putInt(massBlocks, at, max(a, b));
	putInt(massBlocks, at + 1, min(a, b));
	putInt(massBlocks, at + 2, <i32>(blockAt(max(a, b), min(a, b)) + mass - hessian));
}

/** `out = A x`. */
export function multiplyMass(x: usize, out: usize): void {
	memory.fill(out + (firstEntry << 3), 0, (endEntry - firstEntry) << 3);
	const end = int(massBlockStart, endPosition);
	for (let m = int(massBlockStart, firstPosition); m < end; m++) {
		const r = int(massBlocks, 3 * m);
		const c = int(massBlocks, 3 * m + 1);
		const block: usize = int(massBlocks, 3 * m + 2);
		addProduct(block, r, c, x, out);
		if (r != c) addTransposed(block, r, c, x, out);
	}
}

/** `out_r += B x_c`. */
function addProduct(block: usize, r: i32, c: i32, x: usize, out: usize): void {
	const height = rowsOf(r);
	const width = columnsOf(c);
	const to = out + (int(vectorStart, r) << 3);
	const from = x + (int(vectorStart, c) << 3);
	for (let j = 0; j < width; j++) {
		const value = twice(from, j);
		const column = block + ((j * height) << 3);
		for (let i = 0; i < height; i += 2) putPair(to, i, add(pair(to, i), mul(pair(column, i), value)));
	}
}

/** `out_c += Bᵀ x_r`. */
function addTransposed(block: usize, r: i32, c: i32, x: usize, out: usize): void {
	const height = rowsOf(r);
	const width = columnsOf(c);
	const to = out + (int(vectorStart, c) << 3);
	const from = x + (int(vectorStart, r) << 3);
	for (let j = 0; j < width; j++) {
		const column = block + ((j * height) << 3);
		let total = none();
		for (let i = 0; i < height; i += 2) total = add(total, mul(pair(column, i), pair(from, i)));
		putNum(to, j, num(to, j) + sum(total));
	}
}

/** Diagonal entry of A of a degree of freedom. */
export function massDiagonal(dof: i32): f64 {
	const position = int(positionOf, int(nodeOf, dof));
	const i = int(placeOf, dof) - int(vectorStart, position);
	return num(blockAt(position, position) + mass - hessian, i * rowsOf(position) + i);
}

/** Makes the Hessian a copy of A, with something added to the diagonal. */
export function startHessian(diagonal: f64): void {
	const start: usize = int(diagonals, firstPosition);
	const end: usize = endPosition < nodeCount ? int(diagonals, endPosition) : hessian + bytes;
	memory.copy(start, start + mass - hessian, end - start);
	if (diagonal == 0) return;
	for (let position = firstPosition; position < endPosition; position++) {
		const block = blockAt(position, position);
		const height = rowsOf(position);
		for (let i = 0; i < columnsOf(position); i++) {
			const at = i * height + i;
			putNum(block, at, num(block, at) + diagonal);
		}
	}
}

/** Factors the Hessian in place; diagonals then hold their inverse. False where it is not positive definite. */
export function factorBlocks(): bool {
	for (let c = firstPosition; c < endPosition; c++) {
		const diagonal: usize = int(diagonals, c);
		const width = columnsOf(c);
		const height = rowsOf(c);
		if (!(width == 6 ? factorSix(diagonal) : factorDiagonal(diagonal, width, height))) return false;
		const start = int(patternStart, c);
		const end = int(patternStart, c + 1);
		for (let e = start; e < end; e++) {
			const rowCount = rowsOf(int(pattern, e));
			if (width == 6 && rowCount == 6) divideSix(int(entries, e), diagonal);
			else divide(int(entries, e), rowCount, diagonal, width, height);
		}
		for (let f = start; f < end; f++) reduceColumn(f, end, width);
	}
	return true;
}

/** Takes the products of the blocks of a column from the column of entry `f` of its pattern; `end` is the end of the pattern. */
function reduceColumn(f: i32, end: i32, width: i32): void {
	const s = int(pattern, f);
	const right: usize = int(entries, f);
	let block: usize = int(diagonals, s);
	let next = int(patternStart, s);
	for (let e = f; e < end; e++) {
		const r = int(pattern, e);
		if (e > f) {
			// both patterns ascend, and that of the later column has all that is left of this one
			while (int(pattern, next) != r) next++;
			block = int(entries, next);
		}
		const left: usize = int(entries, e);
		if (width == 6 && rowsOf(r) == 6 && columnsOf(s) == 6) {
			if (e == f) reduceSixBelow(block, left);
			else reduceSix(block, left, right);
		} else reduce(block, rowsOf(r), columnsOf(s), left, right, rowsOf(s), width);
	}
}

function factorDiagonal(block: usize, width: i32, height: i32): bool {
	for (let k = 0; k < width; k++) {
		const column = block + ((k * height) << 3);
		const pivot = num(column, k);
		if (!(pivot > 0)) return false;
		const inverse = 1 / Math.sqrt(pivot);
		const scale = all(inverse);
		for (let i = k & ~1; i < height; i += 2) putPair(column, i, mul(pair(column, i), scale));
		putNum(column, k, inverse);
		for (let j = k + 1; j < width; j++) {
			const other = block + ((j * height) << 3);
			const value = twice(column, j);
			for (let i = j & ~1; i < height; i += 2) putPair(other, i, nmad(pair(column, i), value, pair(other, i)));
		}
	}
	return true;
}

/** The same for six columns, in place of loops of a few turns each. */
function factorSix(block: usize): bool {
	const a00 = num(block, 0);
	const s0 = 1 / Math.sqrt(a00);
	const l10 = num(block, 1) * s0;
	const l20 = num(block, 2) * s0;
	const l30 = num(block, 3) * s0;
	const l40 = num(block, 4) * s0;
	const l50 = num(block, 5) * s0;
	const a11 = num(block, 7) - l10 * l10;
	const s1 = 1 / Math.sqrt(a11);
	const l21 = (num(block, 8) - l20 * l10) * s1;
	const l31 = (num(block, 9) - l30 * l10) * s1;
	const l41 = (num(block, 10) - l40 * l10) * s1;
	const l51 = (num(block, 11) - l50 * l10) * s1;
	const a22 = num(block, 14) - l20 * l20 - l21 * l21;
	const s2 = 1 / Math.sqrt(a22);
	const l32 = (num(block, 15) - l30 * l20 - l31 * l21) * s2;
	const l42 = (num(block, 16) - l40 * l20 - l41 * l21) * s2;
	const l52 = (num(block, 17) - l50 * l20 - l51 * l21) * s2;
	const a33 = num(block, 21) - l30 * l30 - l31 * l31 - l32 * l32;
	const s3 = 1 / Math.sqrt(a33);
	const l43 = (num(block, 22) - l40 * l30 - l41 * l31 - l42 * l32) * s3;
	const l53 = (num(block, 23) - l50 * l30 - l51 * l31 - l52 * l32) * s3;
	const a44 = num(block, 28) - l40 * l40 - l41 * l41 - l42 * l42 - l43 * l43;
	const s4 = 1 / Math.sqrt(a44);
	const l54 = (num(block, 29) - l50 * l40 - l51 * l41 - l52 * l42 - l53 * l43) * s4;
	const a55 = num(block, 35) - l50 * l50 - l51 * l51 - l52 * l52 - l53 * l53 - l54 * l54;
	const s5 = 1 / Math.sqrt(a55);
	putNum(block, 0, s0);
	putNum(block, 1, l10);
	putNum(block, 2, l20);
	putNum(block, 3, l30);
	putNum(block, 4, l40);
	putNum(block, 5, l50);
	putNum(block, 7, s1);
	putNum(block, 8, l21);
	putNum(block, 9, l31);
	putNum(block, 10, l41);
	putNum(block, 11, l51);
	putNum(block, 14, s2);
	putNum(block, 15, l32);
	putNum(block, 16, l42);
	putNum(block, 17, l52);
	putNum(block, 21, s3);
	putNum(block, 22, l43);
	putNum(block, 23, l53);
	putNum(block, 28, s4);
	putNum(block, 29, l54);
	putNum(block, 35, s5);
	return a00 > 0 && a11 > 0 && a22 > 0 && a33 > 0 && a44 > 0 && a55 > 0;
}

/** `X = X L⁻ᵀ` for a block below a factored diagonal. */
function divide(block: usize, rowCount: i32, diagonal: usize, width: i32, height: i32): void {
	for (let k = 0; k < width; k++) {
		const column = block + ((k * rowCount) << 3);
		const scale = twice(diagonal, k * height + k);
		for (let i = 0; i < rowCount; i += 2) {
			let value = pair(column, i);
			for (let j = 0; j < k; j++) value = nmad(pair(block, j * rowCount + i), twice(diagonal, j * height + k), value);
			putPair(column, i, mul(value, scale));
		}
	}
}

/** The same for blocks of six by six. */
function divideSix(block: usize, diagonal: usize): void {
	for (let k = 0; k < 36; k += 6) {
		let a = pair(block, k);
		let b = pair(block, k + 2);
		let c = pair(block, k + 4);
		let at = k / 6;
		for (let j = 0; j < k; j += 6) {
			const value = twice(diagonal, at);
			a = nmad(pair(block, j), value, a);
			b = nmad(pair(block, j + 2), value, b);
			c = nmad(pair(block, j + 4), value, c);
			at += 6;
		}
		const scale = twice(diagonal, at);
		putPair(block, k, mul(a, scale));
		putPair(block, k + 2, mul(b, scale));
		putPair(block, k + 4, mul(c, scale));
	}
}

/** `C −= X Yᵀ` for blocks of six by six: two columns at a time, as what they are multiplied with is the same. */
function reduceSix(block: usize, left: usize, right: usize): void {
	for (let j = 0; j < 6; j += 2) {
		const column = block + ((6 * j) << 3);
		let a = pair(column, 0);
		let b = pair(column, 2);
		let c = pair(column, 4);
		let d = pair(column, 6);
		let e = pair(column, 8);
		let f = pair(column, 10);
		for (let k = 0; k < 36; k += 6) {
			const x = pair(left, k);
			const y = pair(left, k + 2);
			const z = pair(left, k + 4);
			const even = twice(right, k + j);
			const odd = twice(right, k + j + 1);
			a = nmad(x, even, a);
			b = nmad(y, even, b);
			c = nmad(z, even, c);
			d = nmad(x, odd, d);
			e = nmad(y, odd, e);
			f = nmad(z, odd, f);
		}
		putPair(column, 0, a);
		putPair(column, 2, b);
		putPair(column, 4, c);
		putPair(column, 6, d);
		putPair(column, 8, e);
		putPair(column, 10, f);
	}
}

/** `C −= X Xᵀ` for blocks of six by six, at and below the diagonal. */
function reduceSixBelow(block: usize, left: usize): void {
	let a = pair(block, 0);
	let b = pair(block, 2);
	let c = pair(block, 4);
	let d = pair(block, 6);
	let e = pair(block, 8);
	let f = pair(block, 10);
	let g = pair(block, 14);
	let h = pair(block, 16);
	let i = pair(block, 20);
	let j = pair(block, 22);
	let l = pair(block, 28);
	let m = pair(block, 34);
	for (let k = 0; k < 36; k += 6) {
		const x = pair(left, k);
		const y = pair(left, k + 2);
		const z = pair(left, k + 4);
		let value = twice(left, k);
		a = nmad(x, value, a);
		b = nmad(y, value, b);
		c = nmad(z, value, c);
		value = twice(left, k + 1);
		d = nmad(x, value, d);
		e = nmad(y, value, e);
		f = nmad(z, value, f);
		value = twice(left, k + 2);
		g = nmad(y, value, g);
		h = nmad(z, value, h);
		value = twice(left, k + 3);
		i = nmad(y, value, i);
		j = nmad(z, value, j);
		l = nmad(z, twice(left, k + 4), l);
		m = nmad(z, twice(left, k + 5), m);
	}
	putPair(block, 0, a);
	putPair(block, 2, b);
	putPair(block, 4, c);
	putPair(block, 6, d);
	putPair(block, 8, e);
	putPair(block, 10, f);
	putPair(block, 14, g);
	putPair(block, 16, h);
	putPair(block, 20, i);
	putPair(block, 22, j);
	putPair(block, 28, l);
	putPair(block, 34, m);
}

/** `C −= X Yᵀ`. */
function reduce(
	block: usize,
	rowCount: i32,
	columnCount: i32,
	left: usize,
	right: usize,
	rightRows: i32,
	width: i32,
): void {
	for (let j = 0; j < columnCount; j++) {
		const column = block + ((j * rowCount) << 3);
		for (let i = 0; i < rowCount; i += 2) {
			let value = pair(column, i);
			for (let k = 0; k < width; k++)
				value = nmad(pair(left, k * rowCount + i), twice(right, k * rightRows + j), value);
			putPair(column, i, value);
		}
	}
}

/** Solves with the factor, in place. */
export function solveBlocks(x: usize): void {
	for (let c = firstPosition; c < endPosition; c++) {
		const own = x + (int(vectorStart, c) << 3);
		const diagonal: usize = int(diagonals, c);
		const width = columnsOf(c);
		solveDiagonal(diagonal, width, rowsOf(c), own);
		for (let e = int(patternStart, c); e < int(patternStart, c + 1); e++) {
			const r = int(pattern, e);
			subtractProduct(int(entries, e), rowsOf(r), width, own, x + (int(vectorStart, r) << 3));
		}
	}
	for (let c = endPosition - 1; c >= firstPosition; c--) {
		const own = x + (int(vectorStart, c) << 3);
		const diagonal: usize = int(diagonals, c);
		const width = columnsOf(c);
		for (let e = int(patternStart, c); e < int(patternStart, c + 1); e++) {
			const r = int(pattern, e);
			subtractTransposed(int(entries, e), rowsOf(r), width, x + (int(vectorStart, r) << 3), own);
		}
		solveTransposed(diagonal, width, rowsOf(c), own);
	}
}

/** `x = L⁻¹ x` for a factored diagonal. */
function solveDiagonal(diagonal: usize, width: i32, height: i32, x: usize): void {
	if (width == 6) {
		const x0 = num(x, 0) * num(diagonal, 0);
		const x1 = (num(x, 1) - num(diagonal, 1) * x0) * num(diagonal, 7);
		const x2 = (num(x, 2) - num(diagonal, 2) * x0 - num(diagonal, 8) * x1) * num(diagonal, 14);
		const y3 = num(x, 3) - num(diagonal, 3) * x0 - num(diagonal, 9) * x1;
		const y4 = num(x, 4) - num(diagonal, 4) * x0 - num(diagonal, 10) * x1;
		const y5 = num(x, 5) - num(diagonal, 5) * x0 - num(diagonal, 11) * x1;
		const x3 = (y3 - num(diagonal, 15) * x2) * num(diagonal, 21);
		const x4 = (y4 - num(diagonal, 16) * x2 - num(diagonal, 22) * x3) * num(diagonal, 28);
		const x5 = (y5 - num(diagonal, 17) * x2 - num(diagonal, 23) * x3 - num(diagonal, 29) * x4) * num(diagonal, 35);
		putNum(x, 0, x0);
		putNum(x, 1, x1);
		putNum(x, 2, x2);
		putNum(x, 3, x3);
		putNum(x, 4, x4);
		putNum(x, 5, x5);
		return;
	}
	for (let k = 0; k < width; k++) {
		const value = num(x, k) * num(diagonal, k * height + k);
		putNum(x, k, value);
		for (let i = k + 1; i < width; i++) putNum(x, i, num(x, i) - num(diagonal, k * height + i) * value);
	}
}

/** `x = L⁻ᵀ x` for a factored diagonal. */
function solveTransposed(diagonal: usize, width: i32, height: i32, x: usize): void {
	if (width == 6) {
		const x5 = num(x, 5) * num(diagonal, 35);
		const x4 = (num(x, 4) - num(diagonal, 29) * x5) * num(diagonal, 28);
		const x3 = (num(x, 3) - num(diagonal, 22) * x4 - num(diagonal, 23) * x5) * num(diagonal, 21);
		const y2 = num(x, 2) - num(diagonal, 16) * x4 - num(diagonal, 17) * x5;
		const y1 = num(x, 1) - num(diagonal, 10) * x4 - num(diagonal, 11) * x5;
		const y0 = num(x, 0) - num(diagonal, 4) * x4 - num(diagonal, 5) * x5;
		const x2 = (y2 - num(diagonal, 15) * x3) * num(diagonal, 14);
		const x1 = (y1 - num(diagonal, 9) * x3 - num(diagonal, 8) * x2) * num(diagonal, 7);
		const x0 = (y0 - num(diagonal, 3) * x3 - num(diagonal, 2) * x2 - num(diagonal, 1) * x1) * num(diagonal, 0);
		putNum(x, 0, x0);
		putNum(x, 1, x1);
		putNum(x, 2, x2);
		putNum(x, 3, x3);
		putNum(x, 4, x4);
		putNum(x, 5, x5);
		return;
	}
	for (let k = width - 1; k >= 0; k--) {
		let value = num(x, k);
		for (let i = k + 1; i < width; i++) value -= num(diagonal, k * height + i) * num(x, i);
		putNum(x, k, value * num(diagonal, k * height + k));
	}
}

/** `y −= B x`. */
function subtractProduct(block: usize, rowCount: i32, width: i32, from: usize, to: usize): void {
	if (rowCount == 6) {
		let a = pair(to, 0);
		let b = pair(to, 2);
		let c = pair(to, 4);
		for (let j = 0; j < width; j++) {
			const value = twice(from, j);
			a = nmad(pair(block, 6 * j), value, a);
			b = nmad(pair(block, 6 * j + 2), value, b);
			c = nmad(pair(block, 6 * j + 4), value, c);
		}
		putPair(to, 0, a);
		putPair(to, 2, b);
		putPair(to, 4, c);
		return;
	}
	for (let i = 0; i < rowCount; i += 2) {
		let value = pair(to, i);
		for (let j = 0; j < width; j++) value = nmad(pair(block, j * rowCount + i), twice(from, j), value);
		putPair(to, i, value);
	}
}

/** `y −= Bᵀ x`. */
function subtractTransposed(block: usize, rowCount: i32, width: i32, from: usize, to: usize): void {
	if (rowCount == 6) {
		const a = pair(from, 0);
		const b = pair(from, 2);
		const c = pair(from, 4);
		for (let j = 0; j < width; j++) {
			const column = block + ((6 * j) << 3);
			const total = add(add(mul(pair(column, 0), a), mul(pair(column, 2), b)), mul(pair(column, 4), c));
			putNum(to, j, num(to, j) - sum(total));
		}
		return;
	}
	for (let j = 0; j < width; j++) {
		const column = block + ((j * rowCount) << 3);
		let total = none();
		for (let i = 0; i < rowCount; i += 2) total = add(total, mul(pair(column, i), pair(from, i)));
		putNum(to, j, num(to, j) - sum(total));
	}
}
