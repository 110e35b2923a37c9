/** What a checked result amounts to: `megabytes`, `specs`, `values` and so on. Rates are facts per second. */
export type Facts = Readonly<Record<string, number>>;

/** What tasks may use. */
export interface BenchContext {
	/** Folder with the generated files. */
	readonly folder: string;
	/** Python with OpenUSD, when it is installed. */
	readonly openUsdPython: string | undefined;
}

/** A piece of work that is ready to be timed. */
export interface Prepared {
	/** The timed part, to the end of its promise if it gives one. Its result is kept alive until the next run. */
	run(): unknown;
	/** Looks at a result and says what it amounts to; throws when it is wrong, and then no rate is reported. */
	check(result: unknown): Facts;
}

/** Somebody who does the task in JavaScript. Each gets a process of its own, so heaps do not mix. */
export interface Contender {
	readonly name: string;
	/** Everything that is not timed. */
	prepare(context: BenchContext): Prepared | Promise<Prepared>;
}

/** One run by a program outside of Node. */
export interface OutsideRun {
	readonly ms: number;
	/** Processor time of the same run. */
	readonly cpuMs: number;
	readonly peakMegabytes: number;
	readonly facts: Facts;
}

/** Somebody who does the task in another program and measures it there. */
export interface OutsideContender {
	readonly name: string;
	/** Why it cannot take part, or undefined when it can. */
	unavailable(context: BenchContext): string | undefined;
	/** Everything that is not part of a run. */
	prepare?(context: BenchContext): Promise<void>;
	run(context: BenchContext): OutsideRun;
}

/** A fact that is reported, usually per second. */
export interface Rate {
	readonly fact: string;
	readonly unit: string;
}

/** A task that ours and peers do on the same input. The first contender is ours; ratios are against it. */
export interface BenchTask {
	readonly kind: 'task';
	readonly name: string;
	/** One line: what is timed, in the same words for everybody. */
	readonly title: string;
	readonly rates: readonly Rate[];
	/** Facts that are reported as they are, for tasks that measure within a run. */
	readonly figures?: readonly Rate[];
	readonly contenders: readonly Contender[];
	readonly outside: readonly OutsideContender[];
}

/** One input of a sweep. */
export interface SweepItem {
	readonly name: string;
	/** Items are totalled by group. */
	readonly group: string;
	readonly megabytes: number;
}

/** A task that is done on many small inputs, by all contenders in one process in turn. */
export interface SweepTask {
	readonly kind: 'sweep';
	readonly name: string;
	readonly title: string;
	/** Why it cannot run, or undefined when it can. */
	unavailable(): string | undefined;
	items(): readonly SweepItem[];
	readonly contenders: readonly SweepContender[];
}

/** Somebody who takes part in a sweep. */
export interface SweepContender {
	readonly name: string;
	prepare(): SweepRunner | Promise<SweepRunner>;
}

/** Does one item of a sweep. */
export interface SweepRunner {
	run(item: SweepItem): unknown;
	/** Throws when the result is wrong. */
	check(item: SweepItem, result: unknown): void;
}

/** What a file in `benchmarks/tasks` exports as `suite`. */
export interface BenchSuite {
	/** `usd/layers` */
	readonly name: string;
	/** Makes what tasks read; a line about it for the report. */
	prepare(context: BenchContext): Promise<string>;
	readonly tasks: readonly (BenchTask | SweepTask)[];
}
