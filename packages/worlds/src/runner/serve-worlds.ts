import { type Model, readModelSnapshot } from '@manyworlds/model';
import type { WorldSolverFactory, WorldSolvers } from '../solver-factory.ts';
import { RunnerError } from './runner-error.ts';
import { type CommandKind, CommandWord, findArrays, SharedWorlds, shareBytes } from './shared-worlds.ts';
import type { AnswerMessage, LoadMessage, RequestMessage, StartMessage, WorkerParent } from './worker-host.ts';
import { WorldStepper } from './world-stepper.ts';

/**
 * The program of a worker: steps the worlds that it is given for a `WorldRunner` of the thread that started it. It waits
 * for commands in shared memory and never returns to its event loop, so the thread can do nothing else; it is ended from
 * outside.
 *
 * ```ts
 * serveWorlds(parent, { sap: async () => SAP_WORLDS });
 * ```
 * @public
 */
export function serveWorlds(parent: WorkerParent, solvers: WorldSolvers): void {
	const answer = (message: AnswerMessage): void => parent.postMessage(message);
	let loaded: Loaded | undefined;
	parent.onMessage((message) => {
		const request = message as RequestMessage;
		const work = async (): Promise<void> => {
			if (request.kind === 'load') {
				loaded = await load(request, solvers);
				answer({ kind: 'loaded', ...(await prepare(loaded, request)) });
			} else if (loaded !== undefined) await serve(loaded, request, answer);
		};
		work().catch((error: unknown) => {
			const { message: text, code } = error as { readonly message?: string; readonly code?: unknown };
			answer({ kind: 'failed', message: text ?? String(error), ...(typeof code === 'string' ? { code } : {}) });
		});
	});
}

interface Loaded {
	readonly model: Model;
	readonly factory: WorldSolverFactory;
	readonly options: unknown;
}

async function load({ model: bytes, solver, options }: LoadMessage, solvers: WorldSolvers): Promise<Loaded> {
	const factory = await loadFactory(solvers, solver);
	return { model: readModel(bytes), factory, options };
}

/** The model in shared memory, with its arrays there. Throws {@link RunnerError} when there is none. */
export function readModel(bytes: SharedArrayBuffer): Model {
	const { model, report } = readModelSnapshot(new Uint8Array(bytes), { inPlace: true });
	if (model !== undefined) return model;
	throw new RunnerError('WLD021', `the model cannot be shared: ${report.toArray()[0]?.message}`);
}

/** The factory of a solver. Throws {@link RunnerError} for a name that is not known. */
export async function loadFactory(solvers: WorldSolvers, name: string): Promise<WorldSolverFactory> {
	const loader = Object.hasOwn(solvers, name) ? solvers[name] : undefined;
	if (loader !== undefined) return loader();
	throw new RunnerError('WLD021', `unknown solver '${name}', expected one of ${Object.keys(solvers).join(', ')}`);
}

async function prepare(
	{ model, factory, options }: Loaded,
	{ prepares }: LoadMessage,
): Promise<{ prepared?: SharedArrayBuffer }> {
	if (!prepares || factory.prepare === undefined) return {};
	return { prepared: shareBytes(await factory.prepare(model, options)) };
}

async function serve(
	{ model, factory, options }: Loaded,
	{ range, stepper: laneOptions, buffers, prepared }: StartMessage,
	answer: (message: AnswerMessage) => void,
): Promise<void> {
	const shared = new SharedWorlds(model, findArrays(buffers), laneOptions);
	const own = await factory.create({
		model,
		options,
		range,
		prepared: prepared === undefined ? undefined : new Uint8Array(prepared),
	});
	const stepper = new WorldStepper(model, shared, own, range, laneOptions);
	const { words } = shared;
	let sequence = Atomics.load(words, CommandWord.SEQUENCE);
	const { report, engine } = own.solver;
	answer({ kind: 'ready', diagnostics: report.toArray(), ...(engine === undefined ? {} : { engine }) });
	for (;;) {
		Atomics.wait(words, CommandWord.SEQUENCE, sequence);
		const current = Atomics.load(words, CommandWord.SEQUENCE);
		if (current === sequence) continue;
		sequence = current;
		const kind = words[CommandWord.KIND] as CommandKind;
		stepper.run(kind, words[CommandWord.ARGUMENT]!);
		if (Atomics.sub(words, CommandWord.PENDING, 1) > 1) continue;
		stepper.publishGlobals(kind);
		answer({ kind: 'done' });
	}
}
