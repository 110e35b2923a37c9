import { once } from 'node:events';

/** Standard input and output as a stream of bytes in both directions. What else is printed goes to standard error from now on. */
export interface StdioChannel {
	readonly pieces: AsyncIterable<Uint8Array>;
	write(bytes: Uint8Array): Promise<void>;
}

/** Takes standard input and output for a protocol of bytes; the console then writes to standard error. @public */
export function openStdioChannel(): StdioChannel {
	const { stdin, stdout, stderr } = process;
	const write = stdout.write.bind(stdout);
	// a line that a library prints would break the protocol
	stdout.write = stderr.write.bind(stderr);
	return {
		pieces: stdin,
		async write(bytes) {
			if (!write(bytes)) await once(stdout, 'drain');
		},
	};
}
