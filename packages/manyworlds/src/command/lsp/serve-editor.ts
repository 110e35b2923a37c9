import { translateSdf } from '@manyworlds/convert';
import type { ImageCodecs } from '@manyworlds/image';
import { createLanguageServer } from '@manyworlds/lsp';
import { nodeLanguageHost } from '@manyworlds/node';
import {
	createConnection,
	ProposedFeatures,
	StreamMessageReader,
	StreamMessageWriter,
} from 'vscode-languageserver/node';
import { VERSION } from '../../version.ts';
import { type CommandContext, ExitCode } from '../command-context.ts';

/**
 * Serves an editor over standard input and output until it says `exit`, or is gone. Nothing else may write to standard output, so
 * what libraries print goes to standard error.
 */
export function serveEditor({ io }: CommandContext): Promise<ExitCode> {
	for (const name of ['log', 'info', 'debug', 'dir'] as const) console[name] = (...values) => console.error(...values);
	return new Promise((resolve) => {
		const exit = (status: number): void => resolve(status === 0 ? ExitCode.clean : ExitCode.findings);
		const connection = createConnection(
			ProposedFeatures.all,
			new StreamMessageReader(process.stdin),
			new StreamMessageWriter(process.stdout),
		);
		process.stdin.on('end', () => exit(1));
		const host = nodeLanguageHost({ env: io.env, exit, translateSdf, codecs: loadCodecs });
		createLanguageServer(connection, host, { version: VERSION });
	});
}

async function loadCodecs(): Promise<ImageCodecs> {
	const { loadWebpCodec } = await import('#platform');
	return { webp: await loadWebpCodec() };
}
