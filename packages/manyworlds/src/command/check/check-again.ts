import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { CommandContext, ExitCode } from '../command-context.ts';
import { isFolder } from '../files.ts';
import type { CliIo } from '../io.ts';

/** Time [ms] without a change after which files are taken as saved. */
const PAUSE = 100;

/** Checks, and checks again whenever a file below the folders of the inputs changes, until the command is stopped. */
export async function checkAgain(
	context: CommandContext,
	inputs: readonly string[],
	check: (context: CommandContext) => Promise<void>,
): Promise<void> {
	const changes = new FolderChanges(
		inputs.map((input) =>
			context.absolute(isFolder(context, input) ? input : dirname(input.replace(/[*?[{].*$/, 'x'))),
		),
	);
	const stopped = stopOf(context.io);
	let isStopped = false;
	void stopped.then(() => {
		isStopped = true;
	});
	while (!isStopped) {
		// each time has findings of its own
		const again = new CommandContext(context.io);
		await check(again);
		if (again.outcome === undefined) await again.printReport('text');
		context.outcome = again.exitCode();
		context.note('waiting for changes; interrupt to end');
		await Promise.race([changes.next(), stopped]);
	}
	changes.close();
	context.outcome ??= ExitCode.clean;
}

function stopOf({ stopped }: CliIo): Promise<void> {
	if (stopped !== undefined) return stopped;
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
	});
}

/** Changes of files below some folders. */
class FolderChanges {
	readonly #watchers: FSWatcher[];
	#timer: NodeJS.Timeout | undefined;
	#wake: (() => void) | undefined;
	#isPending = false;

	constructor(folders: readonly string[]) {
		this.#watchers = [...new Set(folders)].map((folder) => watch(folder, { recursive: true }, () => this.#note()));
	}

	/** Resolves after the next change, or at once when there was one since the last time. */
	next(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
			if (this.#isPending) this.#tell();
		});
	}

	close(): void {
		clearTimeout(this.#timer);
		for (const watcher of this.#watchers) watcher.close();
	}

	#note(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.#isPending = true;
			this.#tell();
		}, PAUSE);
	}

	#tell(): void {
		const wake = this.#wake;
		if (wake === undefined) return;
		this.#wake = undefined;
		this.#isPending = false;
		wake();
	}
}
