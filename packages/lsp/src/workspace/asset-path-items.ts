import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Workspace } from './workspace.ts';

/** Files and folders of the workspace that an asset path in a file can go on with. */
export async function assetPathItems(written: string, anchor: string, workspace: Workspace): Promise<CompletionItem[]> {
	const slash = written.lastIndexOf('/');
	const typed = slash < 0 ? './' : written.slice(0, slash + 1);
	const { identifier } = workspace.store.identify(`${typed}x`, anchor);
	const folder = identifier.slice(0, identifier.lastIndexOf('/') + 1);
	const found = new Map<string, CompletionItem>();
	for (const file of await workspace.workspaceFiles()) {
		if (!file.startsWith(folder) || file === anchor) continue;
		const rest = file.slice(folder.length);
		const end = rest.indexOf('/');
		const label = end < 0 ? rest : rest.slice(0, end + 1);
		const insertText = slash < 0 && written === '' ? `./${label}` : label;
		found.set(label, { label, insertText, kind: end < 0 ? CompletionItemKind.File : CompletionItemKind.Folder });
	}
	return [...found.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
}
