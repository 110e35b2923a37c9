import type { SapNewtonOptions, SapStop } from '../sap/sap-newton.ts';
import type { SapProblem } from '../sap/sap-problem.ts';
import type { InstanceMemory } from '../wasm/kernel-memory.ts';

/** A variable of the kernels. */
interface Variable {
	value: number;
}

/** Exports of an instance of the sparse kernels: functions, settings, addresses and results. */
export type SparseExports = Readonly<Record<SparseVariable, Variable>> & {
	readonly memory: InstanceMemory;
	readonly begin: (
		dofs: number,
		massEntries: number,
		contacts: number,
		contactEntries: number,
		rows: number,
		rowEntries: number,
	) => void;
	readonly solve: () => number;
};

type SparseVariable = (typeof INTEGER_ARRAYS)[number] | (typeof NUMBER_ARRAYS)[number] | Setting | Result;
type Setting =
	| 'maxIterations'
	| 'optimalityAbsTol'
	| 'optimalityRelTol'
	| 'costAbsTol'
	| 'costRelTol'
	| 'diagShift'
	| 'softSquare'
	| 'lineSearchMaxIterations'
	| 'foreseesFriction';
type Result = 'mostIterations' | 'allEvaluations' | 'wholeResidual' | 'wholeResidualScale' | 'totalCost';

const INTEGER_ARRAYS = ['massFirst', 'contactStart', 'contactColumn', 'rowStart', 'rowColumn'] as const;
const NUMBER_ARRAYS = [
	'massValues',
	'vStar',
	'velocity',
	'contactJacobian',
	'contactMu',
	'contactRt',
	'contactRn',
	'contactVHat',
	'contactImpulse',
	'rowJacobian',
	'rowR',
	'rowVHat',
	'rowLower',
	'rowUpper',
	'rowImpulse',
] as const;

/** Degrees of freedom of a world beyond which the search for an order, which goes with their square, costs more than it saves. */
const MOST_DOFS = 12288;

/** Whether the kernels can do what the options ask for, for worlds of so many degrees of freedom at most. */
export function canBeSparse({ lineSearchVariant, singleFactor }: SapNewtonOptions, dofs: number): boolean {
	return lineSearchVariant === 'exact_root' && !singleFactor && dofs <= MOST_DOFS;
}

/**
 * Newton's method for problems of many bodies, in WebAssembly. What hangs together by constraints is an island, and each is solved by
 * itself to the tolerance, as `SapNewton` does with the whole: one that has come to rest takes no steps for one that has not. The
 * Hessian is in blocks of bodies that are eliminated by least degree. One object serves any number of problems.
 */
export class SparseNewton {
	/** Steps of the island that took most. */
	iterations = 0;
	/** Evaluations of the line searches of all islands. */
	lineSearchEvaluations = 0;
	residual = 0;
	residualScale = 0;
	cost = 0;
	stop: SapStop = 0;
	/** Memory of the kernels; new after `begin` and `run`. */
	numbers: Float64Array;
	integers: Int32Array;
	/** Where the parts of the problem that was begun are, among `numbers` or `integers`. */
	readonly at = {} as Record<(typeof INTEGER_ARRAYS)[number] | (typeof NUMBER_ARRAYS)[number], number>;
	readonly #exports: SparseExports;

	/** See {@link canBeSparse} for the options that it takes. */
	constructor(exports: SparseExports, options: SapNewtonOptions) {
		this.#exports = exports;
		this.numbers = new Float64Array(exports.memory.buffer);
		this.integers = new Int32Array(exports.memory.buffer);
		const { softNorm, frictionDirection } = options;
		const settings: Readonly<Record<Setting, number>> = {
			...options,
			softSquare: softNorm * softNorm,
			foreseesFriction: frictionDirection === 'foreseen' ? 1 : 0,
		};
		for (const name of Object.keys(SETTINGS) as Setting[]) exports[name].value = settings[name];
	}

	/** Whether the last solve reached its tolerance. */
	get converged(): boolean {
		return this.stop <= 1;
	}

	/** Residual as a share of what it is compared with. */
	get relativeResidual(): number {
		return this.residualScale > 0 ? this.residual / this.residualScale : this.residual;
	}

	/** Improves `v` until it minimises the problem, whose impulses are written. Gives whether the tolerance was reached. */
	solve(problem: SapProblem, v: Float64Array): boolean {
		const { dofCount, contactCount, rowCount, vStar } = problem;
		if (contactCount === 0 && rowCount === 0) {
			for (let i = 0; i < dofCount; i++) v[i] = vStar[i]!;
			this.#finish(0, 0, 0, 0, 0, 0);
			return true;
		}
		this.#write(problem, v);
		this.run();
		const { numbers, at } = this;
		copy(numbers, at.velocity, v, dofCount);
		copy(numbers, at.contactImpulse, problem.contactImpulse, 3 * contactCount);
		copy(numbers, at.rowImpulse, problem.rowImpulse, rowCount);
		return this.converged;
	}

	/**
	 * Makes room for a problem of these sizes, which the caller then writes to `numbers` and `integers` where `at` says, in the order that
	 * `SapProblem` has; rows of the mass matrix stand one behind the other. `run` solves it.
	 */
	begin(
		dofs: number,
		massEntries: number,
		contacts: number,
		contactEntries: number,
		rows: number,
		rowEntries: number,
	): void {
		const exports = this.#exports;
		exports.begin(dofs, massEntries, contacts, contactEntries, rows, rowEntries);
		this.#refreshViews();
		const at = this.at;
		for (const name of INTEGER_ARRAYS) at[name] = exports[name].value / 4;
		for (const name of NUMBER_ARRAYS) at[name] = exports[name].value / 8;
	}

	/** Solves the problem that was written. Velocities and impulses are then where `at` says. */
	run(): void {
		const exports = this.#exports;
		const stop = exports.solve() as SapStop;
		this.#refreshViews();
		this.#finish(
			stop,
			exports.mostIterations.value,
			exports.allEvaluations.value,
			exports.wholeResidual.value,
			exports.wholeResidualScale.value,
			exports.totalCost.value,
		);
	}

	#finish(
		stop: SapStop,
		iterations: number,
		evaluations: number,
		residual: number,
		residualScale: number,
		cost: number,
	): void {
		this.stop = stop;
		this.iterations = iterations;
		this.lineSearchEvaluations = evaluations;
		this.residual = residual;
		this.residualScale = residualScale;
		this.cost = cost;
	}

	#write(problem: SapProblem, v: Float64Array): void {
		const { dofCount: dofs, contactCount: contacts, rowCount: rows } = problem;
		const { first, base, values } = problem.mass;
		let entries = 0;
		for (let i = 0; i < dofs; i++) entries += i - first[i]! + 1;
		const contactEntries = contacts === 0 ? 0 : problem.contactStart[contacts]!;
		const rowEntries = rows === 0 ? 0 : problem.rowStart[rows]!;
		this.begin(dofs, entries, contacts, contactEntries, rows, rowEntries);
		const { numbers, integers, at } = this;
		let entry = at.massValues;
		for (let i = 0; i < dofs; i++) {
			const row = base[i]!;
			for (let j = first[i]!; j <= i; j++) numbers[entry++] = values[row + j]!;
		}
		write(integers, at.massFirst, first, dofs);
		write(numbers, at.vStar, problem.vStar, dofs);
		write(numbers, at.velocity, v, dofs);
		write(integers, at.contactStart, problem.contactStart, contacts + 1);
		write(integers, at.contactColumn, problem.contactColumn, contactEntries);
		write(numbers, at.contactJacobian, problem.contactJacobian, 3 * contactEntries);
		write(numbers, at.contactMu, problem.contactMu, contacts);
		write(numbers, at.contactRt, problem.contactRt, contacts);
		write(numbers, at.contactRn, problem.contactRn, contacts);
		write(numbers, at.contactVHat, problem.contactVHat, 3 * contacts);
		write(integers, at.rowStart, problem.rowStart, rows + 1);
		write(integers, at.rowColumn, problem.rowColumn, rowEntries);
		write(numbers, at.rowJacobian, problem.rowJacobian, rowEntries);
		write(numbers, at.rowR, problem.rowR, rows);
		write(numbers, at.rowVHat, problem.rowVHat, rows);
		write(numbers, at.rowLower, problem.rowLower, rows);
		write(numbers, at.rowUpper, problem.rowUpper, rows);
	}

	/** Memory that grew has a new buffer. */
	#refreshViews(): void {
		const { buffer } = this.#exports.memory;
		if (this.numbers.buffer === buffer) return;
		this.numbers = new Float64Array(buffer);
		this.integers = new Int32Array(buffer);
	}
}

/** Writes the first entries of an array to a place of another. */
function write(to: Float64Array | Int32Array, at: number, from: Float64Array | Int32Array, count: number): void {
	for (let i = 0; i < count; i++) to[at + i] = from[i]!;
}

/** The other way. */
function copy(from: Float64Array, at: number, to: Float64Array, count: number): void {
	for (let i = 0; i < count; i++) to[i] = from[at + i]!;
}

const SETTINGS: Readonly<Record<Setting, true>> = {
	maxIterations: true,
	optimalityAbsTol: true,
	optimalityRelTol: true,
	costAbsTol: true,
	costRelTol: true,
	diagShift: true,
	softSquare: true,
	lineSearchMaxIterations: true,
	foreseesFriction: true,
};
