import type { RunStatus } from '@manyworlds/sweep/internal';

/** Runs over which the rate is told. */
const WINDOW = 200;

/** How far a sweep is, by a clock that is given. */
export class SweepProgress {
	/** Runs that there are to do, those done before included; may shrink while constraints are found out. */
	total: number;
	/** Runs that were committed before this command began. */
	before = 0;
	done = 0;
	readonly byStatus: Record<RunStatus, number> = { ok: 0, diverged: 0, refused: 0, timeout: 0, crashed: 0 };
	readonly #now: () => number;
	readonly #times: number[] = [];
	#steps = 0;

	constructor(total: number, now: () => number) {
		this.total = total;
		this.#now = now;
	}

	add(status: RunStatus, steps: number): void {
		this.done++;
		this.byStatus[status]++;
		this.#steps += steps;
		this.#times.push(this.#now());
		if (this.#times.length > WINDOW) this.#times.shift();
	}

	get failed(): number {
		const { diverged, refused, timeout, crashed } = this.byStatus;
		return diverged + refused + timeout + crashed;
	}

	get steps(): number {
		return this.#steps;
	}

	/** Runs per second lately; 0 while nobody knows. */
	get rate(): number {
		const [first, last] = [this.#times[0], this.#times.at(-1)];
		return first === undefined || last === undefined || last <= first
			? 0
			: ((this.#times.length - 1) / (last - first)) * 1000;
	}

	/** Seconds that are left, and by how much that may be off: two deviations of a rate that comes from so many runs. */
	get left(): { readonly seconds: number; readonly margin: number } | undefined {
		const { rate } = this;
		const runs = this.total - this.before - this.done;
		if (rate === 0 || runs <= 0) return undefined;
		return { seconds: runs / rate, margin: ((2 * runs) / rate) * Math.sqrt(1 / this.#times.length) };
	}

	/** One line for people. */
	get line(): string {
		const { left, rate } = this;
		const parts = [`${this.before + this.done} of ${this.total} runs`];
		if (rate > 0) parts.push(`${rate < 10 ? rate.toPrecision(2) : Math.round(rate)}/s`);
		if (left !== undefined) parts.push(`${duration(left.seconds)} ± ${duration(left.margin)} left`);
		const failures = Object.entries(this.byStatus).filter(([status, count]) => status !== 'ok' && count > 0);
		if (failures.length > 0) parts.push(failures.map(([status, count]) => `${count} ${status}`).join(', '));
		return parts.join(', ');
	}

	/** The same for programs. */
	get json(): Record<string, unknown> {
		const { left } = this;
		return {
			event: 'progress',
			done: this.before + this.done,
			total: this.total,
			failed: this.failed,
			rate: Number(this.rate.toPrecision(4)),
			...(left !== undefined && {
				left_s: Number(left.seconds.toPrecision(4)),
				margin_s: Number(left.margin.toPrecision(4)),
			}),
			status: this.byStatus,
		};
	}
}

/** A time in words. */
export function duration(seconds: number): string {
	if (seconds < 1) return '< 1 s';
	if (seconds < 120) return `${Math.round(seconds)} s`;
	if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
	return `${(seconds / 3600).toFixed(1)} h`;
}
