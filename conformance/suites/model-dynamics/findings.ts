import type { Outcome } from '../../src/suite.ts';

/** Collects differences and says the first few. */
export class Findings {
	readonly #lines: string[] = [];

	add(line: string): void {
		this.#lines.push(line);
	}

	/** Every number within an absolute distance. */
	close(what: string, actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
		if (actual.length !== expected.length) {
			this.add(`${what} has ${actual.length} numbers, expected ${expected.length}`);
			return;
		}
		for (let i = 0; i < expected.length; i++) {
			const difference = Math.abs(actual[i]! - expected[i]!);
			if (!(difference <= tolerance)) {
				this.add(`${what}[${i}] is ${actual[i]}, expected ${expected[i]} within ${tolerance.toExponential(1)}`);
				return;
			}
		}
	}

	/** Every number within a distance relative to the largest expected one. */
	closeRelative(what: string, actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
		let largest = 0;
		for (let i = 0; i < expected.length; i++) largest = Math.max(largest, Math.abs(expected[i]!));
		this.close(what, actual, expected, tolerance * Math.max(largest, 1e-6));
	}

	outcome(): Outcome {
		if (this.#lines.length === 0) return undefined;
		const shown = this.#lines.slice(0, 3).join('; ');
		return this.#lines.length > 3 ? `${shown}; and ${this.#lines.length - 3} more` : shown;
	}
}
