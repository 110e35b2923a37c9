/** Collects differences of one case, the first few by name. */
export class Findings {
	readonly #found: string[] = [];

	/** Compares numbers within a share of the largest of both, at least 1. */
	numbers(where: string, actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
		if (actual.length !== expected.length) {
			this.#found.push(`${where}: ${actual.length} numbers, expected ${expected.length}`);
			return;
		}
		let scale = 1;
		for (let i = 0; i < expected.length; i++) scale = Math.max(scale, Math.abs(expected[i]!));
		this.within(where, actual, expected, tolerance * scale);
	}

	/** Compares numbers within an absolute bound. */
	within(where: string, actual: ArrayLike<number>, expected: ArrayLike<number>, bound: number): void {
		if (actual.length !== expected.length) {
			this.#found.push(`${where}: ${actual.length} numbers, expected ${expected.length}`);
			return;
		}
		for (let i = 0; i < expected.length; i++) {
			if (Math.abs(actual[i]! - expected[i]!) <= bound || Object.is(actual[i], expected[i])) continue;
			this.#found.push(`${where}[${i}] is ${actual[i]}, expected ${expected[i]}`);
			return;
		}
	}

	/** Compares two rotations w x y z; a quaternion and its negative are one. */
	rotation(where: string, actual: ArrayLike<number>, expected: ArrayLike<number>, bound: number): void {
		let sum = 0;
		for (let i = 0; i < 4; i++) sum += actual[i]! * expected[i]!;
		const sign = sum < 0 ? -1 : 1;
		this.within(
			where,
			Array.from(actual, (value) => sign * value),
			expected,
			bound,
		);
	}

	equal(where: string, actual: unknown, expected: unknown): void {
		if (actual === expected) return;
		this.#found.push(`${where} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
	}

	fail(message: string): void {
		this.#found.push(message);
	}

	/** Undefined when nothing was found. */
	summary(): string | undefined {
		const found = this.#found;
		if (found.length === 0) return undefined;
		return found.length > 6 ? `${found.slice(0, 6).join('; ')}; ${found.length - 6} more` : found.join('; ');
	}
}
