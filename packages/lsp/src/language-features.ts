import type {
	CodeAction,
	CodeLens,
	ColorInformation,
	CompletionItem,
	CompletionList,
	DocumentHighlight,
	DocumentLink,
	DocumentSymbol,
	FoldingRange,
	InlayHint,
	Location,
	LocationLink,
	SelectionRange,
	TextEdit,
	WorkspaceEdit,
} from 'vscode-languageserver';
import type { ByteRange, DocumentText } from './text/document-text.ts';
import type { TokenSink } from './text/token-numbers.ts';
import type { OpenDocument, Workspace } from './workspace/workspace.ts';

/** What a feature is asked about. */
export interface TextRequest {
	readonly workspace: Workspace;
	readonly document: OpenDocument;
	/** The text as it was when the request came. */
	readonly text: DocumentText;
	/** Throws when the client no longer wants the answer. Lets messages come in. */
	readonly pause: () => Promise<void>;
}

/** The same at a byte of the text. */
export interface PlaceRequest extends TextRequest {
	readonly offset: number;
}

export const TOKEN_TYPES = [
	'keyword',
	'type',
	'class',
	'property',
	'namespace',
	'enumMember',
	'variable',
	'string',
	'number',
	'comment',
	'macro',
] as const;
export type TokenTypeName = (typeof TOKEN_TYPES)[number];

export const TOKEN_MODIFIERS = ['declaration', 'readonly', 'deprecated', 'inactive', 'overridden', 'custom'] as const;
export type TokenModifierName = (typeof TOKEN_MODIFIERS)[number];

/** What may be renamed at a place: where its name stands, and the name; or why nothing may. */
export type RenamePlace = (ByteRange & { readonly name: string }) | { readonly refusal: string };

/** What renaming gives: edits, or why there are none. */
export type RenameResult = { readonly edit: WorkspaceEdit } | { readonly refusal: string };

/** What the server can do with texts of one language; what is absent it does not do. */
export interface LanguageFeatures {
	/** Markdown about what stands at a place, and where that is. */
	hover?(request: PlaceRequest): Promise<({ readonly markdown: string } & ByteRange) | undefined>;
	definition?(request: PlaceRequest): Promise<LocationLink[]>;
	declaration?(request: PlaceRequest): Promise<LocationLink[]>;
	typeDefinition?(request: PlaceRequest): Promise<LocationLink[]>;
	references?(request: PlaceRequest, includesDeclaration: boolean): Promise<Location[]>;
	highlights?(request: PlaceRequest): Promise<DocumentHighlight[]>;
	symbols?(request: TextRequest): DocumentSymbol[];
	completion?(request: PlaceRequest): Promise<CompletionList>;
	resolveCompletion?(item: CompletionItem, workspace: Workspace): Promise<CompletionItem>;
	codeActions?(request: TextRequest, range: ByteRange, codes: ReadonlySet<string>): Promise<CodeAction[]>;
	fixAll?(request: TextRequest): Promise<CodeAction | undefined>;
	codeLenses?(request: TextRequest): Promise<CodeLens[]>;
	links?(request: TextRequest): Promise<DocumentLink[]>;
	folding?(request: TextRequest): FoldingRange[];
	selection?(request: PlaceRequest): SelectionRange;
	prepareRename?(request: PlaceRequest): Promise<RenamePlace>;
	rename?(request: PlaceRequest, name: string): Promise<RenameResult>;
	format?(request: TextRequest, range: ByteRange | undefined): TextEdit[];
	/** Gives the tokens of a text, in its order: types are indices into {@link TOKEN_TYPES}, modifiers bits of {@link TOKEN_MODIFIERS}. */
	tokens?(request: TextRequest, add: TokenSink): void;
	inlayHints?(request: TextRequest, range: ByteRange): Promise<InlayHint[]>;
	colors?(request: TextRequest): ColorInformation[];
}
