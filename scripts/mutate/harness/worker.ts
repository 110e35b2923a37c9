/** A process that loads test files and runs single tests of them with a mutant switched on. Talks with its parent by messages. */
import { configureGlobal } from 'fast-check';
import { type CollectedTest, collectTests, runTest, setUp } from './test-api.ts';

/** What the parent asks for. */
export type Request =
	| { readonly kind: 'baseline'; readonly files: readonly string[] }
	| {
			readonly kind: 'mutant';
			readonly id: number;
			/** Tests to run, by file and number. */
			readonly tests: readonly (readonly [file: string, index: number])[];
			/** Files to load anew with the mutant, and to run as a whole. */
			readonly files: readonly string[];
			/** Tests that fail without a mutant, `file#index`. */
			readonly unfit: readonly string[];
	  };

export interface TestFacts {
	readonly file: string;
	readonly index: number;
	readonly name: string;
	readonly milliseconds: number;
	readonly hits: readonly number[];
	/** Why it cannot be used: it fails without a mutant. */
	readonly failure?: string;
}

export type Answer =
	| { readonly kind: 'loaded'; readonly hits: readonly number[] }
	| {
			readonly kind: 'file';
			readonly file: string;
			readonly hits: readonly number[];
			readonly tests: readonly TestFacts[];
			readonly failure?: string;
	  }
	| { readonly kind: 'done' }
	| { readonly kind: 'verdict'; readonly id: number; readonly killedBy?: string; readonly isDirty?: boolean };

const scope = globalThis as unknown as { __mwHits: Uint32Array; __mwState: { active: number } };
const hits = new Uint32Array(Number(process.env['MUTANT_COUNT']) + 1);
/** The mutant that is on from the start, for what is reached while modules are loaded; 0 for none. */
const ALWAYS = Number(process.env['MUTANT_ACTIVE'] ?? 0);
const state = { active: ALWAYS };
scope.__mwHits = hits;
scope.__mwState = state;
// the same random cases for every mutant
configureGlobal({ seed: 1 });

const loaded = new Map<string, CollectedTest[]>();
let version = 0;

async function load(file: string): Promise<CollectedTest[]> {
	version++;
	return collectTests(() => import(`${file}?v=${version}`));
}

function takeHits(): number[] {
	const ids: number[] = [];
	for (let id = 1; id < hits.length; id++) if (hits[id] !== 0) ids.push(id);
	hits.fill(0);
	return ids;
}

/** Milliseconds of work, whatever else the machine does. */
function processorTime(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message.slice(0, 300) : String(error);
}

async function measureFile(file: string): Promise<Answer> {
	const facts: TestFacts[] = [];
	const atLoad = new Set<number>();
	try {
		// what belongs to source modules is reached once, so the second time tells what belongs to the test file
		takeHits();
		const tests = await load(file);
		loaded.set(file, tests);
		for (const id of takeHits()) atLoad.add(id);
		for (const [index, test] of tests.entries()) {
			let failure: string | undefined;
			try {
				await setUp(test.hooks);
			} catch (error) {
				failure = textOf(error);
			}
			for (const id of takeHits()) atLoad.add(id);
			const start = processorTime();
			try {
				if (failure === undefined) await runTest(test);
			} catch (error) {
				failure = textOf(error);
			}
			const milliseconds = processorTime() - start;
			facts.push({
				file,
				index,
				name: test.name,
				milliseconds,
				hits: takeHits(),
				...(failure !== undefined && { failure }),
			});
		}
		return { kind: 'file', file, hits: [...atLoad], tests: facts };
	} catch (error) {
		return { kind: 'file', file, hits: [], tests: [], failure: textOf(error) };
	}
}

async function baseline(files: readonly string[]): Promise<void> {
	for (const file of files) {
		try {
			await load(file);
		} catch {
			// told again when the file is measured
		}
	}
	send({ kind: 'loaded', hits: takeHits() });
	for (const file of files) send(await measureFile(file));
	send({ kind: 'done' });
}

/** Name of the first test that fails, if any. */
async function firstFailure(test: CollectedTest, file: string): Promise<string | undefined> {
	try {
		await setUp(test.hooks);
		await runTest(test);
		return undefined;
	} catch {
		return `${file} > ${test.name}`;
	}
}

async function judge(request: Request & { kind: 'mutant' }): Promise<Answer> {
	const { id } = request;
	const unfit = new Set(request.unfit);
	for (const [file, index] of request.tests) {
		state.active = ALWAYS;
		try {
			if (!loaded.has(file)) loaded.set(file, await load(file));
		} catch (error) {
			return { kind: 'verdict', id, killedBy: `${file}: ${textOf(error)}` };
		}
		const test = loaded.get(file)?.[index];
		if (test === undefined) continue;
		if (ALWAYS === 0) await setUp(test.hooks);
		state.active = id;
		const killedBy = await firstFailure(test, file);
		if (killedBy === undefined) continue;
		if (ALWAYS !== 0) return { kind: 'verdict', id, killedBy };
		state.active = 0;
		const isDirty = (await firstFailure(test, file)) !== undefined;
		return { kind: 'verdict', id, killedBy, isDirty };
	}
	for (const file of request.files) {
		state.active = id;
		try {
			const tests = await load(file);
			for (const [index, test] of tests.entries()) {
				if (unfit.has(`${file}#${index}`)) continue;
				const killedBy = await firstFailure(test, file);
				if (killedBy !== undefined) return { kind: 'verdict', id, killedBy };
			}
		} catch (error) {
			return { kind: 'verdict', id, killedBy: `${file}: ${textOf(error)}` };
		}
	}
	state.active = 0;
	return { kind: 'verdict', id };
}

function send(answer: Answer): void {
	process.send?.(answer);
}

// output of the tests themselves is of no interest, and a rejection nobody waits for is no verdict
process.on('unhandledRejection', () => {});
process.on('disconnect', () => process.exit());
process.on('message', (request: Request) => {
	if (request.kind === 'baseline') void baseline(request.files);
	else
		void judge(request).then(send, (error: unknown) =>
			send({ kind: 'verdict', id: request.id, killedBy: textOf(error) }),
		);
});
