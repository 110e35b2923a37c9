import { type ExtensionContext, FileType, Uri, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { clientOptions } from './client-options.ts';
import { registerEditor } from './editor-commands.ts';

let client: LanguageClient | undefined;

/** Files that are listed of one folder. */
const MOST_FILES = 5000;

/** Called by VS Code for the Web when a robot is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
	const worker = new Worker(Uri.joinPath(context.extensionUri, 'dist/server-web.js').toString(true));
	client = new LanguageClient('manyworlds', 'Manyworlds', worker, clientOptions());
	context.subscriptions.push(...registerEditor(() => client!));
	// a worker has no files: it asks for them
	client.onRequest('manyworlds/readFile', async ({ uri }: { readonly uri: string }): Promise<{ base64?: string }> => {
		try {
			return { base64: toBase64(await workspace.fs.readFile(Uri.parse(uri))) };
		} catch {
			return {};
		}
	});
	client.onRequest('manyworlds/listFiles', async ({ uri }: { readonly uri: string }) => ({
		uris: await listFiles(Uri.parse(uri)),
	}));
	await client.start();
}

/** Called by VS Code at the end. */
export function deactivate(): Promise<void> | undefined {
	return client?.stop();
}

async function listFiles(folder: Uri): Promise<string[]> {
	const found: string[] = [];
	const pending = [folder];
	for (let next = pending.pop(); next !== undefined && found.length < MOST_FILES; next = pending.pop()) {
		for (const [name, type] of await workspace.fs.readDirectory(next)) {
			if (name.startsWith('.') || name === 'node_modules') continue;
			const uri = Uri.joinPath(next, name);
			if (type === FileType.Directory) pending.push(uri);
			else if (type === FileType.File) found.push(uri.toString());
		}
	}
	return found;
}

function toBase64(bytes: Uint8Array): string {
	let text = '';
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
	return btoa(text);
}
