import {
	type CustomReadonlyEditorProvider,
	commands,
	type Disposable,
	Location,
	Position,
	Uri,
	type WebviewPanel,
	window,
	workspace,
} from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';

/** Commands that work in every kind of VS Code, and the view of binary layers. */
export function registerEditor(client: () => BaseLanguageClient): Disposable[] {
	return [
		commands.registerCommand('manyworlds.pickStage', (uri: string, choices: readonly string[]) =>
			pickStage(client(), uri, choices),
		),
		commands.registerCommand(
			'manyworlds.showReferences',
			(uri: string, place: { readonly line: number; readonly character: number }) =>
				showReferences(client(), uri, place),
		),
		commands.registerCommand('manyworlds.fixAllHere', () => {
			const uri = window.activeTextEditor?.document.uri.toString();
			if (uri !== undefined)
				return client().sendRequest('workspace/executeCommand', { command: 'manyworlds.fixAll', arguments: [uri] });
			return undefined;
		}),
		commands.registerCommand('manyworlds.restart', async () => {
			await client().stop();
			await client().start();
		}),
		workspace.registerTextDocumentContentProvider('manyworlds-usdc', {
			provideTextDocumentContent: (uri) => contentOf(client(), uri),
		}),
		window.registerCustomEditorProvider('manyworlds.binaryLayer', binaryLayers(client)),
	];
}

async function pickStage(client: BaseLanguageClient, uri: string, choices: readonly string[]): Promise<void> {
	const items = choices.map((choice) => ({ label: workspace.asRelativePath(Uri.parse(choice)), choice }));
	const picked = await window.showQuickPick(items, { title: 'Stage that the layer is checked with' });
	if (picked === undefined) return;
	await client.sendRequest('workspace/executeCommand', {
		command: 'manyworlds.chooseStage',
		arguments: [uri, picked.choice],
	});
}

async function showReferences(
	client: BaseLanguageClient,
	uri: string,
	place: { readonly line: number; readonly character: number },
): Promise<void> {
	const found = await client.sendRequest<{ readonly uri: string; readonly range: { readonly start: typeof place } }[]>(
		'textDocument/references',
		{
			textDocument: { uri },
			position: place,
			context: { includeDeclaration: false },
		},
	);
	const at = (one: typeof place): Position => new Position(one.line, one.character);
	const locations = found.map((one) => new Location(Uri.parse(one.uri), at(one.range.start)));
	await commands.executeCommand('editor.action.showReferences', Uri.parse(uri), at(place), locations);
}

async function contentOf(client: BaseLanguageClient, uri: Uri): Promise<string> {
	const { text } = await client.sendRequest<{ readonly text: string }>('workspace/textDocumentContent', {
		uri: uri.toString(),
	});
	return text;
}

/** Crates and packages as text that cannot be edited. */
function binaryLayers(client: () => BaseLanguageClient): CustomReadonlyEditorProvider {
	return {
		openCustomDocument: (uri) => ({ uri, dispose: () => {} }),
		resolveCustomEditor: async ({ uri }, panel: WebviewPanel) => {
			const text = await contentOf(client(), Uri.parse(`manyworlds-usdc:${uri.path}.usda`));
			panel.webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><pre style="white-space:pre-wrap">${escapeText(text)}</pre>`;
		},
	};
}

function escapeText(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
