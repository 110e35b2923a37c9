import { type SymbolInformation, SymbolKind } from 'vscode-languageserver';
import { UsdaOutline } from '../outline/usda-outline.ts';
import { DocumentText } from '../text/document-text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { primNames } from './symbols.ts';
import { nameRange } from './usda-subject.ts';

/** Symbols that are given at most. */
const MOST_SYMBOLS = 500;
/** Largest layer that is looked through [bytes]. */
const LARGEST_LAYER = 4_000_000;

/** Prims of all text layers of the workspace whose names hold the letters of a query in order. */
export async function workspaceSymbols(
	workspace: Workspace,
	query: string,
	pause: () => Promise<void>,
): Promise<SymbolInformation[]> {
	const wanted = query.toLowerCase();
	const found: SymbolInformation[] = [];
	await workspace.workspaceFiles();
	for (const file of workspace.layerFiles()) {
		await pause();
		const open = workspace.document(file)?.text;
		const text = open ?? (await savedText(workspace, file));
		if (text === undefined || text.length > LARGEST_LAYER) continue;
		// outlines of files that are not open are not kept
		const outline = open === undefined ? new UsdaOutline(text.bytes) : workspace.outline(open);
		for (const node of primNames(outline)) {
			if (!isSubsequence(wanted, node.name.toLowerCase())) continue;
			const { start, end } = nameRange(outline, node.nameToken);
			const location = { uri: workspace.uris.uri(file), range: text.range(start, end) };
			const container = node.parent?.path?.toString() ?? '';
			found.push({ name: node.name, kind: SymbolKind.Class, location, containerName: container });
			if (found.length >= MOST_SYMBOLS) return found;
		}
	}
	return found;
}

async function savedText(workspace: Workspace, file: string): Promise<DocumentText | undefined> {
	const bytes = await workspace.saved(file);
	const isText = bytes !== undefined && new TextDecoder().decode(bytes.subarray(0, 5)) === '#usda';
	return isText ? new DocumentText(bytes!, workspace.unit) : undefined;
}

function isSubsequence(wanted: string, name: string): boolean {
	let at = 0;
	for (const character of name) if (character === wanted[at]) at++;
	return at === wanted.length;
}
