import type { InputFinder } from './input-finder.ts';

/** What a case gets to know about the run it is part of. */
export interface SuiteContext {
	/** Absolute path of the folder that holds the cases. */
	readonly dir: string;
	/** Absolute path of the folder given by `--assets`. */
	readonly assetsDir: string;
	/** Looks up input files that a case names. */
	readonly inputs: InputFinder;
	/** What steps the worlds of suites of SolverSap; left out, what it chooses itself. */
	readonly engine?: 'wasm' | 'reference' | undefined;
	/** Prints a line of progress; never reaches stdout. */
	readonly log: (line: string) => void;
}

/** Options of SolverSap for the engine that a run asks for. */
export function engineOptions({ engine }: SuiteContext): { readonly engine?: 'wasm' | 'reference' } {
	return engine === undefined ? {} : { engine };
}

/** One thing to check. A case that throws fails with the message of the error. */
export interface Case {
	/** Unique within its group, stable between runs, usually the file relative to the folder of the suite. */
	readonly name: string;
	run(): Outcome | Promise<Outcome>;
}

/** Undefined when the case passed, a sentence when it failed, or why it was not decided. */
export type Outcome = undefined | string | Skipped | Excluded;

/** A case that cannot be decided here, with the reason. It counts as skipped. */
export interface Skipped {
	readonly skipped: string;
}

/** Something that turned out to be no case of its group, with the reason. It does not count. */
export interface Excluded {
	readonly excluded: string;
}

/** Cases of one kind. */
export interface Group {
	readonly name: string;
	readonly description: string;
	/** How exact its comparisons are, in one sentence. */
	readonly tolerance: string;
	/** Seconds that one case may take; a slower one fails. */
	readonly timeLimit: number;
	/** The cases below `context.dir`, in a deterministic order; `run` does the work. */
	cases(context: SuiteContext): Iterable<Case>;
}

/** A folder format with the checks that run over it. */
export interface Suite {
	readonly name: string;
	readonly description: string;
	/** Folder of the cases, relative to the folder `shared` beside the repository. */
	readonly defaultDir: string;
	readonly groups: readonly Group[];
}
