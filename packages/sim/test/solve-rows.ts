export type Pair = readonly [number, number];

/** A row of a problem of two velocities: its impulse is `(target − J v) / R` within bounds. */
export interface Row {
	readonly moments: Pair;
	readonly R: number;
	readonly target: number;
	readonly bounds: Pair;
}

/** Velocities that minimise a problem of two: tries which rows are at a bound until all agree. `b` is the momentum of free motion. */
export function solveRows(mass: readonly Pair[], momentum: Pair, rows: readonly Row[]): Pair {
	for (let choice = 0; choice < 3 ** rows.length; choice++) {
		const states = rows.map((_, i) => Math.floor(choice / 3 ** i) % 3);
		const a = [mass[0]![0], mass[0]![1], mass[1]![1]];
		const b = [...momentum];
		for (const [i, { moments, R, target, bounds }] of rows.entries()) {
			const impulse = states[i] === 0 ? target / R : bounds[states[i]! - 1]!;
			for (let k = 0; k < 2; k++) b[k] = b[k]! + moments[k]! * impulse;
			if (states[i] !== 0) continue;
			a[0] = a[0]! + (moments[0] * moments[0]) / R;
			a[1] = a[1]! + (moments[0] * moments[1]) / R;
			a[2] = a[2]! + (moments[1] * moments[1]) / R;
		}
		const det = a[0]! * a[2]! - a[1]! * a[1]!;
		const v: Pair = [(a[2]! * b[0]! - a[1]! * b[1]!) / det, (a[0]! * b[1]! - a[1]! * b[0]!) / det];
		const isRight = rows.every(({ moments, R, target, bounds }, i) => {
			const impulse = (target - moments[0] * v[0] - moments[1] * v[1]) / R;
			if (states[i] === 0) return impulse >= bounds[0] && impulse <= bounds[1];
			return states[i] === 1 ? impulse < bounds[0] : impulse > bounds[1];
		});
		if (isRight && v.every(Number.isFinite)) return v;
	}
	throw new Error('no solution');
}

/** Least regularisation of joints for the inverse of the mass that a row feels [1/kg]: that of a spring of period 0.1 dt. */
export function nearRigid(weight: number): number {
	return (0.1 * 0.1 * weight) / (4 * Math.PI * Math.PI);
}
