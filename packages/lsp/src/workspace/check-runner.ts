import type { Diagnostic } from '@manyworlds/core';

/** A check in small steps, with the files that it has asked for so far. */
export interface RunningCheck {
	readonly asked: ReadonlySet<string>;
	/** Ends with the findings. */
	readonly steps:
		| AsyncGenerator<undefined, readonly Diagnostic[], undefined>
		| Generator<undefined, readonly Diagnostic[], undefined>;
}

/** What a {@link CheckRunner} works with. */
export interface CheckRunnerOptions {
	/** Called before assets are checked. */
	readonly prepare: () => Promise<void>;
	/** Begins the check of an asset. */
	readonly begin: (root: string) => RunningCheck;
	readonly after: (delay: number, work: () => void) => () => void;
	readonly breathe: () => Promise<void>;
	readonly now: () => number;
	/** Told when findings are new. */
	readonly onFindings: (root: string) => void;
	/** Told what ended a check that should not have; gives what is found instead. */
	readonly onFailure: (root: string, error: unknown) => readonly Diagnostic[];
}

/** The findings of an asset, and the files that they depend on. */
export interface CheckResult {
	readonly findings: readonly Diagnostic[];
	readonly asked: ReadonlySet<string>;
}

/** Shortest and longest pause [ms] after an edit before an asset is checked: as long as its last check took, between these. */
export const PAUSE_LIMITS = { least: 40, most: 300 } as const;
/** Time [ms] that a check takes at once: messages come in between. */
const SLICE = 10;

interface Entry {
	result: CheckResult | undefined;
	isStale: boolean;
	/** What the last check took [ms]. */
	duration: number;
	waiting: ((result: CheckResult | undefined) => void)[];
}

/** Checks assets one at a time, after a pause since the last edit; an edit of a file that a running check has read stops it. */
export class CheckRunner {
	readonly #options: CheckRunnerOptions;
	readonly #entries = new Map<string, Entry>();
	#running: { readonly root: string; readonly asked: ReadonlySet<string>; isStopped: boolean } | undefined;
	#stopTimer: (() => void) | undefined;
	/** Whether assets are being checked one after the other. */
	#isActive = false;
	/** Checks that were begun, for who wants to know that edits do not pile up. */
	started = 0;

	constructor(options: CheckRunnerOptions) {
		this.#options = options;
	}

	/** Says which assets are to be kept checked. */
	setRoots(roots: ReadonlySet<string>): void {
		for (const [root, entry] of this.#entries) {
			if (roots.has(root)) continue;
			this.#entries.delete(root);
			for (const answer of entry.waiting) answer(undefined);
			if (this.#running?.root === root) this.#running.isStopped = true;
		}
		let isNew = false;
		for (const root of roots) {
			if (this.#entries.has(root)) continue;
			this.#entries.set(root, { result: undefined, isStale: true, duration: 0, waiting: [] });
			isNew = true;
		}
		if (isNew) this.#schedule(0);
	}

	/** Says that a file has changed. */
	touch(file: string): void {
		let pause: number | undefined;
		for (const [root, entry] of this.#entries) {
			if (entry.result !== undefined && !entry.result.asked.has(file) && root !== file) continue;
			entry.isStale = true;
			pause = Math.max(pause ?? PAUSE_LIMITS.least, Math.min(entry.duration, PAUSE_LIMITS.most));
		}
		const running = this.#running;
		if (running !== undefined && (running.asked.has(file) || running.root === file)) running.isStopped = true;
		if (pause !== undefined) this.#schedule(pause);
	}

	/** The last findings of an asset, stale or not. */
	result(root: string): CheckResult | undefined {
		return this.#entries.get(root)?.result;
	}

	isStale(root: string): boolean {
		return this.#entries.get(root)?.isStale ?? false;
	}

	/** The findings of an asset as it is; undefined when nobody checks it, or no longer. */
	whenChecked(root: string): Promise<CheckResult | undefined> {
		const entry = this.#entries.get(root);
		if (entry === undefined || !entry.isStale) return Promise.resolve(entry?.result);
		return new Promise((resolve) => entry.waiting.push(resolve));
	}

	dispose(): void {
		this.#stopTimer?.();
		this.setRoots(new Set());
	}

	#schedule(delay: number): void {
		this.#stopTimer?.();
		this.#stopTimer = this.#options.after(delay, () => {
			this.#stopTimer = undefined;
			if (!this.#isActive) void this.#run();
		});
	}

	async #run(): Promise<void> {
		this.#isActive = true;
		try {
			await this.#checkAll();
		} finally {
			this.#isActive = false;
		}
	}

	async #checkAll(): Promise<void> {
		for (;;) {
			await this.#options.prepare();
			const next = [...this.#entries].find(([, entry]) => entry.isStale);
			if (next === undefined) return;
			const [root, entry] = next;
			const isDone = await this.#check(root, entry);
			// after an edit the pause begins again
			if (!isDone && this.#stopTimer !== undefined) return;
		}
	}

	async #check(root: string, entry: Entry): Promise<boolean> {
		const { begin, breathe, now, onFailure, onFindings } = this.#options;
		this.started++;
		const start = now();
		let findings: readonly Diagnostic[] = [];
		const running = { root, asked: new Set<string>() as ReadonlySet<string>, isStopped: false };
		this.#running = running;
		try {
			const { asked, steps } = begin(root);
			running.asked = asked;
			for (let slice = now(); ; ) {
				const { done, value } = await steps.next();
				if (done === true) {
					findings = value;
					break;
				}
				if (now() - slice < SLICE) continue;
				await breathe();
				if (running.isStopped) return false;
				slice = now();
			}
		} catch (error) {
			findings = onFailure(root, error);
		} finally {
			this.#running = undefined;
		}
		if (running.isStopped) return false;
		entry.isStale = false;
		entry.duration = now() - start;
		entry.result = { findings, asked: running.asked };
		for (const answer of entry.waiting.splice(0)) answer(entry.result);
		onFindings(root);
		return true;
	}
}
