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
		if (!factorDiagonal(diagonal, width, height)) return false;
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
		if (width == 6 && rowsOf(r) == 6 && columnsOf(s) == 6) reduceSix(block, left, right);
		else reduce(block, rowsOf(r), columnsOf(s), left, right, rowsOf(s), width);
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
		const height = rowsOf(c);
		for (let k = 0; k < width; k++) {
			const value = num(own, k) * num(diagonal, k * height + k);
			putNum(own, k, value);
			for (let i = k + 1; i < width; i++) putNum(own, i, num(own, i) - num(diagonal, k * height + i) * value);
		}
		for (let e = int(patternStart, c); e < int(patternStart, c + 1); e++) {
			const r = int(pattern, e);
			subtractProduct(int(entries, e), rowsOf(r), width, own, x + (int(vectorStart, r) << 3));
		}
	}
	for (let c = endPosition - 1; c >= firstPosition; c--) {
		const own = x + (int(vectorStart, c) << 3);
		const diagonal: usize = int(diagonals, c);
		const width = columnsOf(c);
		const height = rowsOf(c);
		for (let e = int(patternStart, c); e < int(patternStart, c + 1); e++) {
			const r = int(pattern, e);
			subtractTransposed(int(entries, e), rowsOf(r), width, x + (int(vectorStart, r) << 3), own);
		}
		for (let k = width - 1; k >= 0; k--) {
			let value = num(own, k);
			for (let i = k + 1; i < width; i++) value -= num(diagonal, k * height + i) * num(own, i);
			putNum(own, k, value * num(diagonal, k * height + k));
		}
	}
}

function subtractProduct(block: usize, rowCount: i32, width: i32, from: usize, to: usize): void {
	for (let i = 0; i < rowCount; i += 2) {
		let value = pair(to, i);
		for (let j = 0; j < width; j++) value = nmad(pair(block, j * rowCount + i), twice(from, j), value);
		putPair(to, i, value);
	}
}

function subtractTransposed(block: usize, rowCount: i32, width: i32, from: usize, to: usize): void {
	for (let j = 0; j < width; j++) {
		const column = block + ((j * rowCount) << 3);
		let total = none();
		for (let i = 0; i < rowCount; i += 2) total = add(total, mul(pair(column, i), pair(from, i)));
		putNum(to, j, num(to, j) - sum(total));
	}
}
