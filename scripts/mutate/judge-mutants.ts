import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, BundledTest } from './bundle-tests.ts';
import type { Answer, Request, TestFacts } from './harness/worker.ts';
import type { NumberedMutant } from './instrument.ts';
import { describeMutant } from './mutant.ts';

/** What became of a mutant. */
export interface Verdict {
	readonly mutant: NumberedMutant;
	readonly state: 'killed' | 'hung' | 'survived' | 'unreached';
	/** The test that noticed. */
	readonly killedBy?: string;
}

export interface JudgeOptions {
	readonly root: string;
	readonly bundle: Bundle;
	readonly tests: readonly BundledTest[];
	readonly mutants: readonly NumberedMutant[];
	readonly jobs: number;
	/** Milliseconds of tests that a mutant gets, the quickest tests first; what would be noticed later counts as survived. */
	readonly budget: number;
	readonly log: (line: string) => void;
}

/** Milliseconds that a mutant has beyond ten times what its tests take without it. */
const GRACE = 10_000;

interface Measured {
	/** Mutants that are reached while modules are loaded. */
	readonly atLoad: ReadonlySet<number>;
	/** Mutants that a test file reaches outside its tests, by file. */
	readonly byFile: ReadonlyMap<string, ReadonlySet<number>>;
	readonly tests: readonly TestFacts[];
	readonly unfit: Set<string>;
}

/** Runs for each mutant the tests that reach it, until one fails. */
export async function judgeMutants(options: JudgeOptions): Promise<Verdict[]> {
	const { mutants, jobs, log } = options;
	const measured = await measure(options);
	log(
		`${measured.tests.length} tests of ${options.tests.length} files reach the sources, ${measured.unfit.size} cannot run here`,
	);
	const verdicts: Verdict[] = [];
	const queue = [...mutants];
	const runLane = async (): Promise<void> => {
		const lane = new Lane(options);
		for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
			const verdict = await judgeOne(mutant, lane, options, measured);
			verdicts.push(verdict);
			// a long run shows at once what there is to write tests for
			if (verdict.state === 'survived' || verdict.state === 'unreached') {
				log(`${verdict.state} ${describeMutant(mutant)}`);
			}
			if (verdicts.length % 50 === 0) log(`${verdicts.length} of ${mutants.length} mutants`);
		}
		lane.stop();
	};
	await Promise.all(Array.from({ length: jobs }, runLane));
	return verdicts.sort((a, b) => a.mutant.id - b.mutant.id);
}

async function judgeOne(
	mutant: NumberedMutant,
	lane: Lane,
	options: JudgeOptions,
	measured: Measured,
): Promise<Verdict> {
	const { id } = mutant;
	for (let attempt = 0; ; attempt++) {
		const unfit = [...measured.unfit];
		const fit = measured.tests.filter(({ file, index }) => !measured.unfit.has(`${file}#${index}`));
		const tests = withinBudget(quickestFirst(fit.filter(({ hits }) => hits.includes(id))), options.budget);
		const files = [...measured.byFile].filter(([, hits]) => hits.has(id)).map(([file]) => file);
		const isAtLoad = measured.atLoad.has(id);
		if (tests.length === 0 && files.length === 0 && !isAtLoad) return { mutant, state: 'unreached' };
		const time = sum(tests) + sum(fit.filter(({ file }) => files.includes(file)));
		const places = tests.map(({ file, index }) => [file, index] as const);
		let answer = await lane.ask({ kind: 'mutant', id, tests: places, files, unfit }, time);
		if (answer?.isDirty === true && attempt < 6) {
			// a test that fails without the mutant too: first suspect what ran before it, then the test
			lane.stop();
			const [file, name] = splitName(answer.killedBy ?? '');
			const test = measured.tests.find((facts) => facts.file === file && facts.name === name);
			if (attempt > 0 && test !== undefined) measured.unfit.add(`${test.file}#${test.index}`);
			continue;
		}
		if (answer !== undefined && answer.killedBy === undefined && isAtLoad) {
			const related = relatedTests(mutant, options, fit);
			const fresh = new Lane(options, id);
			const places = related.map(({ file, index }) => [file, index] as const);
			answer = await fresh.ask({ kind: 'mutant', id, tests: places, files: [], unfit }, sum(related));
			fresh.stop();
		}
		if (answer === undefined) return { mutant, state: 'hung' };
		if (answer.killedBy === undefined) return { mutant, state: 'survived' };
		return { mutant, state: 'killed', killedBy: answer.killedBy };
	}
}

/** Tests of files that import the file of a mutant, the quickest first. */
function relatedTests(mutant: NumberedMutant, { tests, budget }: JudgeOptions, fit: readonly TestFacts[]): TestFacts[] {
	const files = new Set(tests.filter(({ inputs }) => inputs.has(mutant.file)).map(({ url }) => url));
	return withinBudget(quickestFirst(fit.filter(({ file }) => files.has(file))), budget);
}

function quickestFirst(tests: readonly TestFacts[]): TestFacts[] {
	return [...tests].sort((a, b) => a.milliseconds - b.milliseconds);
}

function withinBudget<T extends { readonly milliseconds: number }>(sorted: readonly T[], budget: number): T[] {
	let total = 0;
	return sorted.filter(({ milliseconds }, i) => (total += milliseconds) <= budget || i === 0);
}

function sum(tests: readonly TestFacts[]): number {
	return tests.reduce((total, { milliseconds }) => total + milliseconds, 0);
}

function splitName(text: string): [string, string] {
	const at = text.indexOf(' > ');
	return [text.slice(0, at), text.slice(at + 3)];
}

async function measure(options: JudgeOptions): Promise<Measured> {
	const { tests, jobs, log } = options;
	const atLoad = new Set<number>();
	const byFile = new Map<string, ReadonlySet<number>>();
	const facts: TestFacts[] = [];
	const unfit = new Set<string>();
	const part = async (files: readonly string[]): Promise<void> => {
		const lane = new Lane(options);
		await lane.measure(files, (answer) => {
			if (answer.kind === 'loaded') for (const id of answer.hits) atLoad.add(id);
			if (answer.kind !== 'file') return;
			byFile.set(answer.file, new Set(answer.hits));
			if (answer.failure !== undefined) log(`cannot load ${answer.file}: ${answer.failure}`);
			for (const test of answer.tests) {
				facts.push(test);
				if (test.failure === undefined) continue;
				unfit.add(`${test.file}#${test.index}`);
				log(
					`left out: ${test.file.slice(test.file.indexOf('.mutate/') + 8)} > ${test.name}: ${test.failure.split('\n')[0]}`,
				);
			}
		});
		lane.stop();
	};
	const urls = tests.map(({ url }) => url);
	await Promise.all(Array.from({ length: jobs }, (_, lane) => part(urls.filter((_, i) => i % jobs === lane))));
	facts.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.index - b.index));
	return { atLoad, byFile, tests: facts, unfit };
}

type VerdictAnswer = Answer & { kind: 'verdict' };

/** A process that runs tests, started when it is needed and after it was stopped. */
class Lane {
	readonly #options: JudgeOptions;
	readonly #active: number;
	readonly #stop = (): void => this.stop();
	#child: ChildProcess | undefined;

	constructor(options: JudgeOptions, active: number = 0) {
		this.#options = options;
		this.#active = active;
	}

	stop(): void {
		this.#child?.removeAllListeners();
		this.#child?.kill('SIGKILL');
		this.#child = undefined;
		process.off('exit', this.#stop);
	}

	async measure(files: readonly string[], take: (answer: Answer) => void): Promise<void> {
		const child = this.#start();
		await new Promise<void>((resolve, reject) => {
			child.on('exit', (code) => reject(new Error(`the harness ended with ${code} while it measured`)));
			child.on('message', (answer: Answer) => {
				take(answer);
				if (answer.kind === 'done') resolve();
			});
			child.send({ kind: 'baseline', files } satisfies Request);
		});
	}

	/** The verdict, or nothing if the process hung, ran out of memory or ended. */
	async ask(request: Request, milliseconds: number): Promise<VerdictAnswer | undefined> {
		const child = this.#start();
		const answer = await new Promise<VerdictAnswer | undefined>((resolve) => {
			const timer = setTimeout(() => resolve(undefined), GRACE + 10 * milliseconds);
			const end = (value: VerdictAnswer | undefined): void => {
				clearTimeout(timer);
				resolve(value);
			};
			child.once('exit', () => end(undefined));
			child.once('message', (message: Answer) => end(message.kind === 'verdict' ? message : undefined));
			child.send(request);
		});
		child.removeAllListeners('exit').removeAllListeners('message');
		if (answer === undefined) this.stop();
		return answer;
	}

	#start(): ChildProcess {
		if (this.#child !== undefined) return this.#child;
		const { root, bundle, mutants } = this.#options;
		const temporary = join(root, '../tmp');
		mkdirSync(temporary, { recursive: true });
		const count = mutants.reduce((most, { id }) => Math.max(most, id), 0);
		const env = {
			...process.env,
			MUTANT_COUNT: String(count),
			MUTANT_ACTIVE: String(this.#active),
			TMPDIR: temporary,
			NODE_OPTIONS: '',
		};
		const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
		this.#child = fork(bundle.worker, {
			cwd: root,
			env,
			execArgv: ['--max-old-space-size=2048', '--conditions=@manyworlds/source'],
			stdio: [...stdio],
		});
		// a mutant that runs in circles does not see that its parent is gone
		process.on('exit', this.#stop);
		return this.#child;
	}
}
