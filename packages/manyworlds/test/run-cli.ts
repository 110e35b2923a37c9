import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from 'manyworlds/internal';
import { onTestFinished } from 'vitest';
import { ComputePool } from '../src/command/sweep/compute-pool.ts';
import { bundledModule } from './bundle-sources.ts';

/** What a run of the command printed and how it ended. */
export interface CliResult {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

export interface RunOptions {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** Whether the streams pretend to be a terminal. */
	readonly isTTY?: boolean;
	/** Milliseconds that the clock moves on at each look. */
	readonly tick?: number;
}

/** The repository root. */
export const ROOT: string = join(import.meta.dirname, '../../..');

/** The entry layer of the example robot, relative to the root. */
export const HERON = 'examples/robots/heron/heron.usda';

/** Runs the command in this process. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
	if (args[0] === 'sweep') ComputePool.module = bundledModule('sweep-thread');
	const stdout = capture(options.isTTY ?? false);
	const stderr = capture(options.isTTY ?? false);
	let time = 0;
	const now = () => (time += options.tick ?? 0);
	const code = await main(args, { stdout, stderr, env: options.env ?? {}, cwd: options.cwd ?? ROOT, now });
	return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

function capture(isTTY: boolean) {
	const chunks: Buffer[] = [];
	return {
		isTTY,
		write: (data: string | Uint8Array) => chunks.push(Buffer.from(data as string)),
		text: () => Buffer.concat(chunks).toString('utf8'),
	};
}
