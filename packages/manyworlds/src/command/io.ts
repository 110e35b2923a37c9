/** Where output goes. */
export interface OutputStream {
	write(data: string | Uint8Array): unknown;
	readonly isTTY?: boolean;
}

/** What the command needs from the process it runs in; tests give their own. */
export interface CliIo {
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd: string;
	/** Milliseconds of a clock that only moves forward. */
	readonly now: () => number;
	/** Resolves when a command that waits is to end; without it, when the process is asked to. */
	readonly stopped?: Promise<void>;
}

/** The streams, environment and working directory of this process. */
export function processIo(): CliIo {
	return {
		stdout: process.stdout,
		stderr: process.stderr,
		env: process.env,
		cwd: process.cwd(),
		// not `performance`, which Node loads when it is first used
		now: () => Number(process.hrtime.bigint()) / 1e6,
	};
}

/** Whether to colour what goes to `stream`: only a terminal, and never against the user's wish (no-color.org). */
export function wantsColour(io: CliIo, stream: OutputStream): boolean {
	if (io.env['NO_COLOR'] !== undefined && io.env['NO_COLOR'] !== '') return false;
	return stream.isTTY === true && io.env['TERM'] !== 'dumb';
}
