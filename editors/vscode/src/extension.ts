import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { clientOptions } from './client-options.ts';
import { registerEditor } from './editor-commands.ts';
import { registerPrograms } from './programs.ts';

let client: LanguageClient | undefined;

/** Called by VS Code when a robot is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
	const server = { module: context.asAbsolutePath(join('dist', 'server.js')), transport: TransportKind.stdio };
	client = new LanguageClient('manyworlds', 'Manyworlds', { run: server, debug: server }, clientOptions());
	context.subscriptions.push(...registerEditor(() => client!), ...registerPrograms());
	await client.start();
}

/** Called by VS Code at the end. */
export function deactivate(): Promise<void> | undefined {
	return client?.stop();
}
