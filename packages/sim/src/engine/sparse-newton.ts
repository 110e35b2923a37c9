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
	readonly #exports: SparseExports;
	#numbers: Float64Array;
	#integers: Int32Array;

	/** See {@link canBeSparse} for the options that it takes. */
	constructor(exports: SparseExports, options: SapNewtonOptions) {
		this.#exports = exports;
		this.#numbers = new Float64Array(exports.memory.buffer);
		this.#integers = new Int32Array(exports.memory.buffer);
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
		const exports = this.#exports;
		if (contactCount === 0 && rowCount === 0) {
			for (let i = 0; i < dofCount; i++) v[i] = vStar[i]!;
			this.#finish(0, 0, 0, 0, 0, 0);
			return true;
		}
		this.#write(problem, v);
		const stop = exports.solve() as SapStop;
		this.#refreshViews();
		this.#read(exports.velocity.value, v, dofCount);
		this.#read(exports.contactImpulse.value, problem.contactImpulse, 3 * contactCount);
		this.#read(exports.rowImpulse.value, problem.rowImpulse, rowCount);
		this.#finish(
			stop,
			exports.mostIterations.value,
			exports.allEvaluations.value,
			exports.wholeResidual.value,
			exports.wholeResidualScale.value,
			exports.totalCost.value,
		);
		return this.converged;
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
		const exports = this.#exports;
		const { dofCount: dofs, contactCount: contacts, rowCount: rows } = problem;
		const { first, base, values } = problem.mass;
		let entries = 0;
		for (let i = 0; i < dofs; i++) entries += i - first[i]! + 1;
		const contactEntries = contacts === 0 ? 0 : problem.contactStart[contacts]!;
		const rowEntries = rows === 0 ? 0 : problem.rowStart[rows]!;
		exports.begin(dofs, entries, contacts, contactEntries, rows, rowEntries);
		this.#refreshViews();
		const numbers = this.#numbers;
		let at = exports.massValues.value / 8;
		for (let i = 0; i < dofs; i++) {
			const row = base[i]!;
			for (let j = first[i]!; j <= i; j++) numbers[at++] = values[row + j]!;
		}
		this.#writeIntegers(exports.massFirst.value, first, dofs);
		this.#writeNumbers(exports.vStar.value, problem.vStar, dofs);
		this.#writeNumbers(exports.velocity.value, v, dofs);
		this.#writeIntegers(exports.contactStart.value, problem.contactStart, contacts + 1);
		this.#writeIntegers(exports.contactColumn.value, problem.contactColumn, contactEntries);
		this.#writeNumbers(exports.contactJacobian.value, problem.contactJacobian, 3 * contactEntries);
		this.#writeNumbers(exports.contactMu.value, problem.contactMu, contacts);
		this.#writeNumbers(exports.contactRt.value, problem.contactRt, contacts);
		this.#writeNumbers(exports.contactRn.value, problem.contactRn, contacts);
		this.#writeNumbers(exports.contactVHat.value, problem.contactVHat, 3 * contacts);
		this.#writeIntegers(exports.rowStart.value, problem.rowStart, rows + 1);
		this.#writeIntegers(exports.rowColumn.value, problem.rowColumn, rowEntries);
		this.#writeNumbers(exports.rowJacobian.value, problem.rowJacobian, rowEntries);
		this.#writeNumbers(exports.rowR.value, problem.rowR, rows);
		this.#writeNumbers(exports.rowVHat.value, problem.rowVHat, rows);
		this.#writeNumbers(exports.rowLower.value, problem.rowLower, rows);
		this.#writeNumbers(exports.rowUpper.value, problem.rowUpper, rows);
	}

	#writeNumbers(address: number, from: Float64Array, count: number): void {
		const to = this.#numbers;
		const start = address >> 3;
		for (let i = 0; i < count; i++) to[start + i] = from[i]!;
	}

	#writeIntegers(address: number, from: Int32Array, count: number): void {
		const to = this.#integers;
		const start = address >> 2;
		for (let i = 0; i < count; i++) to[start + i] = from[i]!;
	}

	#read(address: number, to: Float64Array, count: number): void {
		const from = this.#numbers;
		const start = address >> 3;
		for (let i = 0; i < count; i++) to[i] = from[start + i]!;
	}

	/** Memory that grew has a new buffer. */
	#refreshViews(): void {
		const { buffer } = this.#exports.memory;
		if (this.#numbers.buffer === buffer) return;
		this.#numbers = new Float64Array(buffer);
		this.#integers = new Int32Array(buffer);
	}
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
