import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from './language-features.ts';
import type { ColumnUnit } from './text/document-text.ts';

/** Commands that clients may ask for. */
const SERVER_COMMANDS: readonly string[] = ['manyworlds.chooseStage', 'manyworlds.fixAll'];

/** Kind of the action that fixes all that can be fixed safely. */
export const FIX_ALL = 'source.fixAll.manyworlds';

/** What columns count: bytes if the client can, as files and findings do, else what it must be able to. */
export function columnUnit(offered: readonly string[] | undefined): ColumnUnit {
	if (offered?.includes('utf-8') === true) return 'utf-8';
	if (offered !== undefined && !offered.includes('utf-16') && offered.includes('utf-32')) return 'utf-32';
	return 'utf-16';
}

/** What the server can do. */
export function serverCapabilities(unit: ColumnUnit): ServerCapabilities {
	return {
		positionEncoding: unit,
		textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
		diagnosticProvider: { identifier: 'manyworlds', interFileDependencies: true, workspaceDiagnostics: true },
		hoverProvider: true,
		definitionProvider: true,
		declarationProvider: true,
		typeDefinitionProvider: true,
		referencesProvider: true,
		documentHighlightProvider: true,
		documentSymbolProvider: true,
		workspaceSymbolProvider: true,
		completionProvider: { triggerCharacters: ['"', '<', '/', '@', ':', '.', '=', '['], resolveProvider: true },
		codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
		codeLensProvider: { resolveProvider: false },
		documentLinkProvider: {},
		foldingRangeProvider: true,
		selectionRangeProvider: true,
		renameProvider: { prepareProvider: true },
		documentFormattingProvider: true,
		documentRangeFormattingProvider: true,
		colorProvider: true,
		inlayHintProvider: true,
		typeHierarchyProvider: true,
		semanticTokensProvider: {
			legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
			full: { delta: true },
			range: true,
		},
		executeCommandProvider: { commands: [...SERVER_COMMANDS] },
		workspace: {
			workspaceFolders: { supported: true, changeNotifications: 'workspace/didChangeWorkspaceFolders' },
			fileOperations: { willRename: { filters: [{ pattern: { glob: '**/*' } }] } },
			textDocumentContent: { schemes: ['manyworlds-usdc'] },
		},
	};
}
