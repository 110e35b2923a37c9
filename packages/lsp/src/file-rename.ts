import { relativeAssetPath } from '@manyworlds/usd/internal';
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { UsdaOutline } from './outline/usda-outline.ts';
import { TokenKind } from './outline/usda-tokens.ts';
import { DocumentText } from './text/document-text.ts';
import { documentKind } from './workspace/document-kind.ts';
import type { Workspace } from './workspace/workspace.ts';
import { fileUses } from './xml/xml-files.ts';

/** A file that the client is about to move. */
export interface FileMove {
	readonly oldUri: string;
	readonly newUri: string;
}

/** Edits that let asset paths of layers, and files of robots in XML, follow files that are moved. */
export async function fileRenameEdits(workspace: Workspace, moves: readonly FileMove[]): Promise<WorkspaceEdit | null> {
	const targets = new Map(
		moves.map(({ oldUri, newUri }) => [workspace.uris.identifier(oldUri), workspace.uris.identifier(newUri)]),
	);
	const moved = (identifier: string): string | undefined => {
		for (const [from, to] of targets) {
			if (identifier === from) return to;
			if (identifier.startsWith(`${from}/`)) return to + identifier.slice(from.length);
		}
		return undefined;
	};
	const changes: TextDocumentEdit[] = [];
	for (const file of await workspace.workspaceFiles()) {
		if (!/\.(?:usd|usda|urdf|xml|mjcf|xacro)$/i.test(file)) continue;
		const open = workspace.document(file);
		const text = open?.text ?? (await saved(workspace, file));
		if (text === undefined) continue;
		const edits: TextEdit[] = [];
		for (const { start, end, assetPath, folder = '' } of assetPathsOf(file, text)) {
			if (assetPath === '' || /^[a-z][a-z0-9+.-]+:/i.test(assetPath)) continue;
			const { identifier } = workspace.store.identify(folder === '' ? assetPath : `${folder}/${assetPath}`, file);
			const own = moved(file) ?? file;
			const now = moved(identifier) ?? identifier;
			if (now === identifier && own === file) continue;
			const anchor = folder === '' ? own : `${own.slice(0, own.lastIndexOf('/'))}/${folder.replace(/^\.\//, '')}/x`;
			const found = relativeAssetPath(anchor, now, assetPath);
			// paths that were written without a dot in front stay so
			const newText = assetPath.startsWith('.') ? found : found.replace(/^\.\//, '');
			if (newText !== assetPath) edits.push({ range: text.range(start, end), newText });
		}
		if (edits.length > 0)
			changes.push({ textDocument: { uri: workspace.uris.uri(file), version: open?.version ?? null }, edits });
	}
	return changes.length === 0 ? null : { documentChanges: changes };
}

interface WrittenPath {
	readonly start: number;
	readonly end: number;
	readonly assetPath: string;
	/** Folder that the file is looked for in, relative to that of the document. */
	readonly folder?: string;
}

function* assetPathsOf(file: string, text: DocumentText): Generator<WrittenPath> {
	const { kind } = documentKind(file, text.bytes);
	if (kind === 'urdf' || kind === 'mjcf') yield* fileUses(text, kind);
	if (kind !== 'usda') return;
	const { tokens } = new UsdaOutline(text.bytes);
	for (let token = 0; token < tokens.count; token++) {
		if (tokens.kind(token) === TokenKind.asset)
			yield { ...tokens.contentRange(token), assetPath: tokens.content(token) };
	}
}

async function saved(workspace: Workspace, file: string): Promise<DocumentText | undefined> {
	const bytes = await workspace.saved(file);
	if (bytes === undefined || bytes.subarray(0, 4096).includes(0)) return undefined;
	return new DocumentText(bytes, workspace.unit);
}
