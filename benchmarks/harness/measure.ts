import { BenchProcess } from './child-process.ts';
import type { Memory, Reply, SweepResult } from './messages.ts';
import type { BenchContext, BenchTask, Facts, OutsideContender } from './task.ts';

/** How often and how long to measure. */
export interface MeasureOptions {
	/** Timed runs of each contender, after the warm-up. */
	readonly repeats: number;
	/** Seconds that one run may take. */
	readonly limit: number;
}

/** A contender in JavaScript runs untimed this often, or for this much processor time, whichever comes first. */
const WARM_UP_RUNS = 40;
const WARM_UP_MS = 6000;

/** Result of one contender in one task. `trouble` says why there are no times. */
export interface Measurement {
	readonly contender: string;
	readonly times: readonly number[];
	/** Processor times of the same runs, all threads of the process together. */
	readonly cpuTimes: readonly number[];
	readonly facts: Facts;
	readonly memory: Memory | undefined;
	readonly trouble: string | undefined;
}

/**
 * Times all contenders of a task in turn: one run of each, then the next run of each, so that a slow moment of the
 * machine does not fall on one of them alone. Results are checked before a measurement is given.
 */
export async function measureTask(
	suite: string,
	task: BenchTask,
	context: BenchContext,
	options: MeasureOptions,
): Promise<Measurement[]> {
	const isAlone = task.contenders.length + task.outside.length === 1;
	const runs: Run[] = [
		...task.contenders.map(({ name }) => new InsideRun(suite, task.name, name, context, options.limit, isAlone)),
		...task.outside.map((contender) => new OutsideRuns(contender, context)),
	];
	for (const run of runs) await run.start();
	for (let turn = 0; turn < options.repeats; turn++) {
		for (const run of runs) await run.turn();
	}
	const measurements: Measurement[] = [];
	for (const run of runs) measurements.push(await run.finish());
	return measurements;
}

/** Runs a sweep in a process of its own. */
export async function measureSweep(
	suite: string,
	task: string,
	seconds: number,
	limit: number,
): Promise<SweepResult | string> {
	const child = new BenchProcess();
	const reply = await child.ask({ kind: 'sweep', suite, task, seconds }, limit);
	child.close();
	return reply.kind === 'swept' ? reply.result : reply.kind === 'failed' ? reply.message : 'unexpected reply';
}

interface Run {
	start(): Promise<void>;
	turn(): Promise<void>;
	finish(): Promise<Measurement>;
}

class InsideRun implements Run {
	readonly #child = new BenchProcess();
	readonly #request: { suite: string; task: string; contender: string; context: BenchContext };
	readonly #limit: number;
	readonly #isAlone: boolean;
	readonly #times: number[] = [];
	readonly #cpuTimes: number[] = [];
	#trouble: string | undefined;

	constructor(suite: string, task: string, contender: string, context: BenchContext, limit: number, isAlone: boolean) {
		this.#request = { suite, task, contender, context };
		this.#limit = limit;
		this.#isAlone = isAlone;
	}

	async start(): Promise<void> {
		this.#note(await this.#child.ask({ kind: 'prepare', ...this.#request }, this.#limit));
		// short tasks run until their code is compiled: peers in C++ have nothing to warm up
		let spent = 0;
		for (let run = 0; run < WARM_UP_RUNS && spent < WARM_UP_MS && this.#trouble === undefined; run++) {
			await this.#run();
			spent += this.#cpuTimes.at(-1) ?? 0;
		}
		this.#times.length = 0;
		this.#cpuTimes.length = 0;
	}

	async turn(): Promise<void> {
		// others ran since: as with peers outside, the run that finds caches cold is not the one that is timed
		if (!this.#isAlone) {
			await this.#run();
			this.#times.pop();
			this.#cpuTimes.pop();
		}
		await this.#run();
	}

	async #run(): Promise<void> {
		if (this.#trouble === undefined) this.#note(await this.#child.ask({ kind: 'run' }, this.#limit));
	}

	async finish(): Promise<Measurement> {
		let facts: Facts = {};
		let memory: Memory | undefined;
		if (this.#trouble === undefined) {
			const reply = await this.#child.ask({ kind: 'check' }, this.#limit);
			this.#note(reply);
			if (reply.kind === 'checked') ({ facts, memory } = reply);
		}
		this.#child.close();
		const times = this.#trouble === undefined ? this.#times : [];
		const cpuTimes = this.#cpuTimes;
		return { contender: this.#request.contender, times, cpuTimes, facts, memory, trouble: this.#trouble };
	}

	#note(reply: Reply): void {
		if (reply.kind === 'failed') this.#trouble = reply.message;
		if (reply.kind === 'ran') {
			this.#times.push(reply.ms);
			this.#cpuTimes.push(reply.cpuMs);
		}
	}
}

class OutsideRuns implements Run {
	readonly #contender: OutsideContender;
	readonly #context: BenchContext;
	readonly #times: number[] = [];
	readonly #cpuTimes: number[] = [];
	#facts: Facts = {};
	#peak = 0;
	#trouble: string | undefined;

	constructor(contender: OutsideContender, context: BenchContext) {
		this.#contender = contender;
		this.#context = context;
	}

	async start(): Promise<void> {
		this.#trouble = this.#contender.unavailable(this.#context);
		if (this.#trouble === undefined) await this.#contender.prepare?.(this.#context);
	}

	async turn(): Promise<void> {
		if (this.#trouble !== undefined) return;
		try {
			const run = this.#contender.run(this.#context);
			this.#times.push(run.ms);
			this.#cpuTimes.push(run.cpuMs);
			this.#facts = run.facts;
			this.#peak = Math.max(this.#peak, run.peakMegabytes);
		} catch (error) {
			this.#trouble = error instanceof Error ? error.message : String(error);
		}
	}

	async finish(): Promise<Measurement> {
		const times = this.#trouble === undefined ? this.#times : [];
		const cpuTimes = this.#cpuTimes;
		const memory = this.#peak > 0 ? { peak: this.#peak, held: Number.NaN } : undefined;
		return { contender: this.#contender.name, times, cpuTimes, facts: this.#facts, memory, trouble: this.#trouble };
	}
}
