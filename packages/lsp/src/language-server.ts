import type { Diagnostic } from '@manyworlds/core';
import {
	type CancellationToken,
	type CodeAction,
	CodeActionKind,
	type Connection,
	DidChangeWatchedFilesNotification,
	type DocumentDiagnosticReport,
	DocumentDiagnosticReportKind,
	type DocumentUri,
	type InitializeParams,
	type InitializeResult,
	LSPErrorCodes,
	type Position,
	ResponseError,
	type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { toClientDiagnostic } from './client-diagnostics.ts';
import { featuresOf } from './features-of.ts';
import { fileRenameEdits } from './file-rename.ts';
import type { LanguageFeatures, PlaceRequest, TextRequest } from './language-features.ts';
import type { LanguageHost } from './language-host.ts';
import { columnUnit, FIX_ALL, serverCapabilities } from './server-capabilities.ts';
import { DocumentText } from './text/document-text.ts';
import { plainText } from './text/plain-text.ts';
import { TokenNumbers } from './text/token-numbers.ts';
import { schemaTree } from './usda/schema-hierarchy.ts';
import { virtualText } from './usda/virtual-texts.ts';
import { workspaceSymbols } from './usda/workspace-symbols.ts';
import { type OpenDocument, Workspace } from './workspace/workspace.ts';

/** Name and version that the server tells. @public */
export interface LanguageServerOptions {
	readonly version?: string;
}

/** A server that runs. @public */
export interface LanguageServer {
	/** Checks of assets that were begun. */
	readonly checksStarted: number;
	dispose(): void;
}

/**
 * Serves a client over a connection: OpenUSD text layers, URDF, MJCF and scene files. The connection must not listen yet.
 *
 * ```ts
 * import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
 * createLanguageServer(createConnection(ProposedFeatures.all), host);
 * ```
 * @public
 */
export function createLanguageServer(
	connection: Connection,
	host: LanguageHost,
	options: LanguageServerOptions = {},
): LanguageServer {
	const server = new Server(connection, host, options);
	connection.listen();
	return server;
}

/** What the client can do, as far as the server cares. */
interface ClientAbilities {
	readonly hasPull: boolean;
	readonly canRefreshDiagnostics: boolean;
	readonly hasRelated: boolean;
	readonly hasMarkdown: boolean;
	readonly hasSymbolTree: boolean;
	readonly hasLinks: boolean;
	readonly canWatch: boolean;
	readonly canRefreshLenses: boolean;
}

/** Time [ms] between looks whether the client still runs. */
const CLIENT_CHECK = 5000;

class Server implements LanguageServer {
	readonly #connection: Connection;
	readonly #host: LanguageHost;
	readonly #options: LanguageServerOptions;
	#workspace: Workspace | undefined;
	#abilities: ClientAbilities | undefined;
	#isShutDown = false;
	#stopWatching: (() => void) | undefined;
	/** What was published or answered last, by file: its number, and the text of it. */
	readonly #told = new Map<string, { readonly id: string; readonly text: string }>();
	#toldCount = 0;
	/** Tokens that clients were told last, of which they may want the difference. */
	readonly #coloured = new Map<string, TokenNumbers>();
	#colourings = 0;

	constructor(connection: Connection, host: LanguageHost, options: LanguageServerOptions) {
		this.#connection = connection;
		this.#host = host;
		this.#options = options;
		this.#listenToLife();
		this.#listenToTexts();
		this.#serveDiagnostics();
		this.#serveLanguage();
		this.#serveEdits();
		this.#serveViews();
	}

	get checksStarted(): number {
		return this.#workspace?.checks.started ?? 0;
	}

	dispose(): void {
		this.#stopWatching?.();
		this.#workspace?.dispose();
	}

	get #space(): Workspace {
		if (this.#workspace === undefined) {
			throw new ResponseError(LSPErrorCodes.RequestFailed, 'the server was not initialized');
		}
		return this.#workspace;
	}

	#listenToLife(): void {
		const connection = this.#connection;
		connection.onInitialize((params) => this.#initialize(params));
		connection.onInitialized(() => void this.#initialized());
		connection.onShutdown(() => {
			this.#isShutDown = true;
			this.dispose();
		});
		connection.onExit(() => this.#host.exit?.(this.#isShutDown ? 0 : 1));
	}

	#initialize(params: InitializeParams): InitializeResult {
		const { capabilities, workspaceFolders, rootUri, processId } = params;
		const unit = columnUnit(capabilities.general?.positionEncodings);
		const { textDocument, workspace } = capabilities;
		this.#abilities = {
			hasPull: textDocument?.diagnostic !== undefined,
			canRefreshDiagnostics: workspace?.diagnostics?.refreshSupport === true,
			hasRelated: textDocument?.publishDiagnostics?.relatedInformation !== false,
			hasMarkdown: textDocument?.hover?.contentFormat?.includes('markdown') ?? false,
			hasSymbolTree: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
			hasLinks: textDocument?.definition?.linkSupport === true,
			canWatch: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
			canRefreshLenses: workspace?.codeLens?.refreshSupport === true,
		};
		this.#workspace = new Workspace(this.#host, unit, {
			onFindings: (files) => this.#onFindings(files),
			log: (message) => this.#connection.console.log(message),
		});
		const folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
		this.#workspace.setFolders(folders);
		if (processId !== null) this.#watchClient(processId);
		return {
			capabilities: serverCapabilities(unit),
			serverInfo: {
				name: 'manyworlds',
				...(this.#options.version !== undefined && { version: this.#options.version }),
			},
		};
	}

	/** Ends when the client is gone without a word. */
	#watchClient(processId: number): void {
		const { isRunning, exit } = this.#host;
		if (isRunning === undefined) return;
		const look = (): void => {
			if (isRunning(processId)) this.#stopWatching = this.#host.after(CLIENT_CHECK, look);
			else exit?.(1);
		};
		this.#stopWatching = this.#host.after(CLIENT_CHECK, look);
	}

	async #initialized(): Promise<void> {
		if (this.#abilities?.canWatch !== true) return;
		const globPattern = '**/*.{usd,usda,usdc,usdz,urdf,xml,yaml,yml,json}';
		try {
			await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern }] });
		} catch (error) {
			this.#connection.console.warn(`the client does not watch files: ${String(error)}`);
		}
	}

	#listenToTexts(): void {
		const connection = this.#connection;
		connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
			this.#space.open(uri, version, text);
		});
		connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
			const document = this.#space.document(this.#space.uris.identifier(uri));
			if (document === undefined) return;
			let { text } = document;
			for (const change of contentChanges) {
				text =
					'range' in change
						? text.replaced(text.byteRange(change.range), change.text)
						: new DocumentText(new TextEncoder().encode(change.text), text.unit);
			}
			this.#space.change(document, text, version);
			if (this.#abilities?.hasPull === false) this.#publish(document.identifier);
		});
		connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
			const identifier = this.#space.uris.identifier(uri);
			this.#coloured.delete(uri);
			this.#space.close(identifier);
		});
		connection.onDidChangeWatchedFiles(({ changes }) => {
			void this.#space.filesChanged(changes.map(({ uri }) => this.#space.uris.identifier(uri)));
		});
		connection.onNotification('workspace/didChangeWorkspaceFolders', () => void this.#foldersChanged());
	}

	async #foldersChanged(): Promise<void> {
		const folders = await this.#connection.workspace.getWorkspaceFolders();
		this.#space.setFolders(folders?.map(({ uri }) => uri) ?? []);
		await this.#space.filesChanged([]);
	}

	#serveDiagnostics(): void {
		const { diagnostics } = this.#connection.languages;
		diagnostics.on(async ({ textDocument, previousResultId }, token) => {
			const identifier = this.#space.uris.identifier(textDocument.uri);
			await this.#until(token, this.#space.whenChecked(identifier));
			return this.#report(identifier, previousResultId);
		});
		diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
			const known = new Map(previousResultIds.map(({ uri, value }) => [this.#space.uris.identifier(uri), value]));
			const waits = [...this.#space.documents()].map(({ identifier }) => this.#space.whenChecked(identifier));
			await this.#until(token, Promise.all(waits));
			const files = new Set([...this.#space.findings().keys(), ...known.keys()]);
			const items = [...files].map((file): WorkspaceDocumentDiagnosticReport => {
				const uri = this.#space.uris.uri(file);
				const version = this.#space.document(file)?.version ?? null;
				return { uri, version, ...this.#report(file, known.get(file)) };
			});
			return { items };
		});
	}

	/** Findings of a file, or that they are as they were. */
	#report(identifier: string, previous: string | undefined): DocumentDiagnosticReport {
		const items = this.#clientFindings(identifier, this.#space.findings().get(identifier) ?? []);
		const id = this.#note(identifier, JSON.stringify(items));
		if (id === previous) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id };
		return { kind: DocumentDiagnosticReportKind.Full, resultId: id, items };
	}

	/** The number of what is told about a file: another one each time that it differs. */
	#note(identifier: string, text: string): string {
		const known = this.#told.get(identifier);
		if (known?.text === text) return known.id;
		const id = `${++this.#toldCount}`;
		this.#told.set(identifier, { id, text });
		return id;
	}

	#clientFindings(identifier: string, findings: readonly Diagnostic[]): ReturnType<typeof toClientDiagnostic>[] {
		const hasRelated = this.#abilities?.hasRelated ?? false;
		return findings.map((finding) => toClientDiagnostic(finding, identifier, this.#space, hasRelated));
	}

	#onFindings(files: ReadonlySet<string>): void {
		const abilities = this.#abilities;
		if (abilities === undefined || this.#isShutDown) return;
		if (!abilities.hasPull) for (const file of files) this.#publish(file);
		else if (abilities.canRefreshDiagnostics) this.#refresh(files);
		if (abilities.canRefreshLenses)
			void this.#connection.languages.connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
	}

	/** Asks the client to ask again, when there is something new to hear. */
	#refresh(files: ReadonlySet<string>): void {
		const findings = this.#space.findings();
		let isNew = false;
		for (const file of files) {
			const text = JSON.stringify(this.#clientFindings(file, findings.get(file) ?? []));
			if ((this.#told.get(file)?.text ?? '[]') !== text) isNew = true;
		}
		if (isNew) this.#connection.languages.diagnostics.refresh();
	}

	#publish(identifier: string): void {
		const diagnostics = this.#clientFindings(identifier, this.#space.findings().get(identifier) ?? []);
		const document = this.#space.document(identifier);
		const text = JSON.stringify(diagnostics);
		const version = document === undefined ? '' : `${document.version}`;
		const before = this.#told.get(identifier)?.text;
		if (before === version + text || (before === undefined && diagnostics.length === 0 && document === undefined))
			return;
		this.#note(identifier, version + text);
		void this.#connection.sendDiagnostics({
			uri: this.#space.uris.uri(identifier),
			diagnostics,
			...(document !== undefined && { version: document.version }),
		});
	}

	#serveLanguage(): void {
		const connection = this.#connection;
		const at = this.#atPlace.bind(this);
		connection.onHover((params, token) =>
			at(params, token, async (features, request) => {
				const found = await features.hover?.(request);
				if (found === undefined) return null;
				const { markdown, start, end } = found;
				const value = this.#abilities?.hasMarkdown === true ? markdown : plainText(markdown);
				const kind = this.#abilities?.hasMarkdown === true ? 'markdown' : 'plaintext';
				return { contents: { kind, value }, range: request.text.range(start, end) };
			}),
		);
		for (const [register, name] of [
			['onDefinition', 'definition'],
			['onDeclaration', 'declaration'],
			['onTypeDefinition', 'typeDefinition'],
		] as const) {
			connection[register]((params, token) =>
				at(params, token, async (features, request) => {
					const links = (await features[name]?.(request)) ?? [];
					if (this.#abilities?.hasLinks === true) return links;
					return links.map(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
				}),
			);
		}
		connection.onReferences((params, token) =>
			at(
				params,
				token,
				(features, request) => features.references?.(request, params.context.includeDeclaration) ?? null,
			),
		);
		connection.onDocumentHighlight((params, token) =>
			at(params, token, (features, request) => features.highlights?.(request) ?? null),
		);
		connection.onCompletion((params, token) =>
			at(params, token, (features, request) => features.completion?.(request) ?? null),
		);
		connection.onCompletionResolve(async (item) => {
			const kind = (item.data as { readonly kind?: string } | undefined)?.kind;
			const features = kind === undefined ? undefined : featuresOf({ kind } as OpenDocument['kind']);
			return (await features?.resolveCompletion?.(item, this.#space)) ?? item;
		});
		connection.onSelectionRanges(({ textDocument, positions }, token) =>
			this.#inText(textDocument.uri, token, (features, request) =>
				features.selection === undefined
					? null
					: positions.map((place) => features.selection!({ ...request, offset: request.text.offset(place) })),
			),
		);
	}

	#serveEdits(): void {
		const connection = this.#connection;
		connection.onCodeAction((params, token) =>
			this.#inText(params.textDocument.uri, token, async (features, request) => {
				const wanted = params.context.only;
				const wants = (kind: string): boolean =>
					wanted === undefined || wanted.some((one) => kind === one || kind.startsWith(`${one}.`));
				const actions: CodeAction[] = [];
				const range = request.text.byteRange(params.range);
				if (wants(CodeActionKind.QuickFix)) {
					const codes = new Set(
						params.context.diagnostics.flatMap(({ code }) => (code === undefined ? [] : [`${code}`])),
					);
					for (const action of (await features.codeActions?.(request, range, codes)) ?? []) {
						const diagnostics = params.context.diagnostics.filter(({ code }) => `${code}` === action.data);
						actions.push({ ...action, diagnostics });
					}
				}
				if (wanted !== undefined && wants(FIX_ALL)) {
					const action = await features.fixAll?.(request);
					if (action !== undefined) actions.push({ ...action, kind: FIX_ALL });
				}
				return actions;
			}),
		);
		connection.onPrepareRename((params, token) =>
			this.#atPlace(params, token, async (features, request) => {
				const place = await features.prepareRename?.(request);
				if (place === undefined) return null;
				if ('refusal' in place) throw new ResponseError(LSPErrorCodes.RequestFailed, place.refusal);
				return { range: request.text.range(place.start, place.end), placeholder: place.name };
			}),
		);
		connection.onRenameRequest((params, token) =>
			this.#atPlace(params, token, async (features, request) => {
				const result = await features.rename?.(request, params.newName);
				if (result === undefined) return null;
				if ('refusal' in result) throw new ResponseError(LSPErrorCodes.RequestFailed, result.refusal);
				return result.edit;
			}),
		);
		connection.onDocumentFormatting(({ textDocument }, token) =>
			this.#inText(textDocument.uri, token, (features, request) => features.format?.(request, undefined) ?? null),
		);
		connection.onDocumentRangeFormatting(({ textDocument, range }, token) =>
			this.#inText(
				textDocument.uri,
				token,
				(features, request) => features.format?.(request, request.text.byteRange(range)) ?? null,
			),
		);
		connection.workspace.onWillRenameFiles(({ files }) => fileRenameEdits(this.#space, files));
		connection.onExecuteCommand(async ({ command, arguments: values = [] }) => {
			if (command === 'manyworlds.chooseStage') {
				const [uri, root] = values as readonly unknown[];
				if (typeof uri !== 'string' || typeof root !== 'string') return null;
				await this.#space.chooseRoot(this.#space.uris.identifier(uri), this.#space.uris.identifier(root));
			} else if (command === 'manyworlds.fixAll' && typeof values[0] === 'string') await this.#fixAll(values[0]);
			return null;
		});
	}

	async #fixAll(uri: string): Promise<void> {
		const document = this.#space.document(this.#space.uris.identifier(uri));
		if (document === undefined) return;
		const features = featuresOf(document.kind);
		const request = this.#textRequest(document);
		const edit = (await features?.fixAll?.(request))?.edit;
		if (edit !== undefined) await this.#connection.workspace.applyEdit({ label: 'Fix all', edit });
	}

	#serveViews(): void {
		const connection = this.#connection;
		const text = this.#inText.bind(this);
		connection.onDocumentSymbol(({ textDocument }, token) =>
			text(textDocument.uri, token, (features, request) => {
				const symbols = features.symbols?.(request) ?? [];
				if (this.#abilities?.hasSymbolTree === true) return symbols;
				const { uri } = textDocument;
				const flat = symbols.flatMap(function all(symbol): typeof symbols {
					return [symbol, ...(symbol.children ?? []).flatMap(all)];
				});
				return flat.map(({ name, kind, range }) => ({ name, kind, location: { uri, range } }));
			}),
		);
		connection.onWorkspaceSymbol(({ query }, token) => workspaceSymbols(this.#space, query, () => this.#pause(token)));
		connection.onCodeLens(({ textDocument }, token) =>
			text(textDocument.uri, token, (features, request) => features.codeLenses?.(request) ?? null),
		);
		connection.onDocumentLinks(({ textDocument }, token) =>
			text(textDocument.uri, token, (features, request) => features.links?.(request) ?? null),
		);
		connection.onFoldingRanges(({ textDocument }, token) =>
			text(textDocument.uri, token, (features, request) => features.folding?.(request) ?? null),
		);
		connection.onDocumentColor(({ textDocument }, token) =>
			text(textDocument.uri, token, (features, request) => features.colors?.(request) ?? []).then(
				(found) => found ?? [],
			),
		);
		connection.onColorPresentation(({ color: { red, green, blue } }) => [
			{ label: `(${[red, green, blue].map((one) => Number(one.toFixed(4))).join(', ')})` },
		]);
		connection.languages.inlayHint.on(({ textDocument, range }, token) =>
			text(
				textDocument.uri,
				token,
				(features, request) => features.inlayHints?.(request, request.text.byteRange(range)) ?? null,
			),
		);
		const { semanticTokens } = connection.languages;
		semanticTokens.on(async ({ textDocument: { uri } }, token) => {
			const found = await this.#tokens(uri, token);
			this.#coloured.set(uri, found);
			return found.whole();
		});
		semanticTokens.onDelta(async ({ textDocument: { uri }, previousResultId }, token) => {
			const old = this.#coloured.get(uri);
			const found = await this.#tokens(uri, token);
			this.#coloured.set(uri, found);
			return old?.id === previousResultId ? found.since(old) : found.whole();
		});
		semanticTokens.onRange(async ({ textDocument: { uri }, range }, token) =>
			(await this.#tokens(uri, token, range)).whole(),
		);
		connection.languages.typeHierarchy.onPrepare((params, token) =>
			this.#atPlace(params, token, (_, request) => schemaTree.prepare(request)),
		);
		connection.languages.typeHierarchy.onSupertypes(({ item }) => schemaTree.above(item));
		connection.languages.typeHierarchy.onSubtypes(({ item }) => schemaTree.below(item));
		connection.onRequest('workspace/textDocumentContent', ({ uri }: { readonly uri: DocumentUri }) => {
			return { text: virtualText(uri, this.#space)?.text ?? '' };
		});
	}

	async #tokens(
		uri: string,
		token: CancellationToken,
		range?: { readonly start: Position; readonly end: Position },
	): Promise<TokenNumbers> {
		const numbers = new TokenNumbers(String(++this.#colourings));
		await this.#inText(uri, token, (features, request) => {
			const { text } = request;
			features.tokens?.(request, numbers.sinkOf(text, range && text.byteRange(range)));
		});
		return numbers;
	}

	/** Answers a request about an open text; null when the text is not open. */
	async #inText<R>(
		uri: DocumentUri,
		token: CancellationToken,
		work: (features: LanguageFeatures, request: TextRequest) => Promise<R> | R,
	): Promise<R | null> {
		const document = this.#space.document(this.#space.uris.identifier(uri));
		const features = document && featuresOf(document.kind);
		if (document === undefined || features === undefined) return null;
		const result = await work(features, this.#textRequest(document, token));
		if (token.isCancellationRequested) throw cancelled();
		return result;
	}

	#atPlace<R>(
		params: { readonly textDocument: { readonly uri: DocumentUri }; readonly position: Position },
		token: CancellationToken,
		work: (features: LanguageFeatures, request: PlaceRequest) => Promise<R> | R,
	): Promise<R | null> {
		return this.#inText(params.textDocument.uri, token, (features, request) =>
			work(features, { ...request, offset: request.text.offset(params.position) }),
		);
	}

	#textRequest(document: OpenDocument, token?: CancellationToken): TextRequest {
		return { workspace: this.#space, document, text: document.text, pause: () => this.#pause(token) };
	}

	async #pause(token: CancellationToken | undefined): Promise<void> {
		await this.#host.breathe();
		if (token?.isCancellationRequested === true) throw cancelled();
	}

	/** Waits for something, unless the client no longer wants it. */
	#until<R>(token: CancellationToken, work: Promise<R>): Promise<R> {
		if (token.isCancellationRequested) return Promise.reject(cancelled());
		return new Promise((resolve, reject) => {
			const stop = token.onCancellationRequested(() => reject(cancelled()));
			work.then(resolve, reject).finally(() => stop.dispose());
		});
	}
}

function cancelled(): ResponseError<void> {
	return new ResponseError(LSPErrorCodes.RequestCancelled, 'the client no longer wants the answer');
}
