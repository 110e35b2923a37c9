import { readdirSync, readFileSync, statSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { createConnection } from 'vscode-languageserver/node';
import {
	type ClientCapabilities,
	createProtocolConnection,
	type Diagnostic,
	type DocumentDiagnosticReport,
	type InitializeResult,
	type Position,
	type ProtocolConnection,
	type PublishDiagnosticsParams,
	type Range,
	StreamMessageReader,
	StreamMessageWriter,
	type TextDocumentEdit,
	type TextEdit,
	type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { createLanguageServer, type LanguageHost, type LanguageServer } from '../../src/index.ts';
import { type ColumnUnit, DocumentText } from '../../src/text/document-text.ts';

/** Folder of the files of a {@link TestClient}. */
export const FOLDER = '/work';

export interface TestClientOptions {
	readonly unit?: ColumnUnit;
	/** Whether the client asks for diagnostics, or is told. */
	readonly pulls?: boolean;
	readonly capabilities?: ClientCapabilities;
	/** Whether the folder of the files is a folder of the workspace. */
	readonly hasFolder?: boolean;
	/** Whether the server checks nothing by itself. */
	readonly isIdle?: boolean;
	/** A folder on the disk, instead of files in memory. */
	readonly disk?: string;
}

/** A protocol client in the same process, with files in memory. */
export class TestClient {
	readonly connection: ProtocolConnection;
	readonly server: LanguageServer;
	readonly files: Map<string, Uint8Array>;
	readonly unit: ColumnUnit;
	/** Folder that files are named from. */
	readonly folder: string;
	readonly published: PublishDiagnosticsParams[] = [];
	readonly texts = new Map<string, { version: number; text: DocumentText }>();
	result!: InitializeResult;
	refreshes = 0;
	readonly logs: string[] = [];
	#onPublish: (() => void)[] = [];

	private constructor(
		files: Readonly<Record<string, string | Uint8Array>>,
		{ unit = 'utf-16', disk, isIdle = false }: TestClientOptions,
	) {
		this.unit = unit;
		this.folder = disk ?? FOLDER;
		this.files = new Map(
			Object.entries(files).map(([name, content]) => [
				`${FOLDER}/${name}`,
				typeof content === 'string' ? new TextEncoder().encode(content) : content,
			]),
		);
		const [up, down] = [new PassThrough(), new PassThrough()];
		this.server = createLanguageServer(
			createConnection(new StreamMessageReader(up), new StreamMessageWriter(down)),
			this.#host(disk !== undefined, isIdle),
		);
		this.connection = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
		this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
			this.published.push(params);
			for (const wake of this.#onPublish.splice(0)) wake();
		});
		this.connection.onRequest('workspace/diagnostic/refresh', () => void this.refreshes++);
		this.connection.onRequest('client/registerCapability', () => null);
		this.connection.onRequest('workspace/codeLens/refresh', () => null);
		this.connection.onNotification(
			'window/logMessage',
			({ message }: { message: string }) => void this.logs.push(message),
		);
		this.connection.listen();
	}

	static async start(
		files: Readonly<Record<string, string | Uint8Array>> = {},
		options: TestClientOptions = {},
	): Promise<TestClient> {
		const client = new TestClient(files, options);
		const { pulls = true, hasFolder = true, unit = 'utf-16', capabilities = {} } = options;
		client.result = await client.connection.sendRequest('initialize', {
			processId: null,
			rootUri: null,
			workspaceFolders: hasFolder ? [{ uri: `file://${client.folder}`, name: 'work' }] : null,
			capabilities: {
				general: { positionEncodings: unit === 'utf-8' ? ['utf-16', 'utf-8'] : [unit] },
				textDocument: {
					...(pulls && { diagnostic: {} }),
					hover: { contentFormat: ['markdown'] },
					documentSymbol: { hierarchicalDocumentSymbolSupport: true },
					definition: { linkSupport: true },
				},
				...capabilities,
			},
		});
		await client.connection.sendNotification('initialized', {});
		return client;
	}

	#host(isDisk: boolean, isIdle: boolean): LanguageHost {
		return {
			source: {
				exists: (name) =>
					this.files.has(name) || (isDisk && statSync(name, { throwIfNoEntry: false })?.isFile() === true),
				readSync: (name) => this.files.get(name) ?? (isDisk ? readDisk(name) : undefined),
			},
			listFiles: async (folder) =>
				isDisk
					? readdirSync(folder, { recursive: true, encoding: 'utf8' })
							.map((name) => `${folder}/${name}`)
							.sort()
					: [...this.files.keys()].filter((name) => name.startsWith(`${folder}/`)),
			after: (delay, work) => {
				if (isIdle) return () => {};
				const timer = setTimeout(work, delay);
				return () => clearTimeout(timer);
			},
			breathe: () => new Promise((resolve) => setImmediate(resolve)),
			now: () => performance.now(),
		};
	}

	uri(name: string): string {
		return `file://${`${this.folder}/${name}`.split('/').map(encodeURIComponent).join('/')}`;
	}

	/** The saved content of a file. */
	bytes(name: string): Uint8Array | undefined {
		const path = `${this.folder}/${name}`;
		return this.files.get(path) ?? readDisk(path);
	}

	/** Opens a file with its saved content, or another one. */
	async open(name: string, content?: string): Promise<void> {
		const bytes = content === undefined ? this.bytes(name)! : new TextEncoder().encode(content);
		const text = new DocumentText(bytes, this.unit);
		this.texts.set(name, { version: 1, text });
		const languageId = name.split('.').at(-1)!;
		await this.connection.sendNotification('textDocument/didOpen', {
			textDocument: { uri: this.uri(name), languageId, version: 1, text: text.slice(0, text.length) },
		});
	}

	text(name: string): string {
		const { text } = this.texts.get(name)!;
		return text.slice(0, text.length);
	}

	/** Replaces a stretch of an open text, in bytes. */
	async replace(name: string, start: number, end: number, newText: string): Promise<void> {
		const entry = this.texts.get(name)!;
		const range = entry.text.range(start, end);
		entry.text = entry.text.replaced({ start, end }, newText);
		entry.version++;
		await this.connection.sendNotification('textDocument/didChange', {
			textDocument: { uri: this.uri(name), version: entry.version },
			contentChanges: [{ range, text: newText }],
		});
	}

	/** Replaces the first occurrence of a piece of text. */
	async edit(name: string, old: string, newText: string): Promise<void> {
		const start = this.find(name, old);
		await this.replace(name, start, start + new TextEncoder().encode(old).length, newText);
	}

	/** Byte of the first occurrence of a piece of text. */
	find(name: string, piece: string): number {
		const index = this.text(name).indexOf(piece);
		if (index < 0) throw new Error(`'${piece}' is not in ${name}`);
		return new TextEncoder().encode(this.text(name).slice(0, index)).length;
	}

	/** Position of `|` in the first occurrence of a piece of text, such as `</Robot/a|rm>`. */
	position(name: string, piece: string): Position {
		const mark = piece.indexOf('|');
		const start = this.find(name, piece.replace('|', ''));
		const offset = start + new TextEncoder().encode(piece.slice(0, Math.max(mark, 0))).length;
		return this.texts.get(name)!.text.position(offset);
	}

	async close(name: string): Promise<void> {
		this.texts.delete(name);
		await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri: this.uri(name) } });
	}

	pull(name: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
		return this.connection.sendRequest('textDocument/diagnostic', {
			textDocument: { uri: this.uri(name) },
			...(previousResultId !== undefined && { previousResultId }),
		});
	}

	/** Findings of a file as the server answers them. */
	async diagnostics(name: string): Promise<Diagnostic[]> {
		const report = await this.pull(name);
		return report.kind === 'full' ? report.items : [];
	}

	/** Waits until something was published that fits. */
	async whenPublished(fits: (params: PublishDiagnosticsParams) => boolean): Promise<PublishDiagnosticsParams> {
		for (;;) {
			const found = this.published.findLast(fits);
			if (found !== undefined) return found;
			await new Promise<void>((resolve) => this.#onPublish.push(resolve));
		}
	}

	/** A request about a place of an open text, marked by `|` in a piece of it. */
	at<R>(method: string, name: string, piece: string, more: object = {}): Promise<R> {
		return this.connection.sendRequest(method, {
			textDocument: { uri: this.uri(name) },
			position: this.position(name, piece),
			...more,
		});
	}

	in<R>(method: string, name: string, more: object = {}): Promise<R> {
		return this.connection.sendRequest(method, { textDocument: { uri: this.uri(name) }, ...more });
	}

	/** The text of a range of an open text or file. */
	textOf(uri: string, range: Range): string {
		const text = this.textAt(uri);
		const { start, end } = text.byteRange(range);
		return text.slice(start, end);
	}

	textAt(uri: string): DocumentText {
		const name = decodeURIComponent(uri).replace(`file://${this.folder}/`, '');
		return this.texts.get(name)?.text ?? new DocumentText(this.bytes(name) ?? new Uint8Array(), this.unit);
	}

	/** The files after an edit of the server, by name. Versions must be those of the open texts. */
	applied(edit: WorkspaceEdit): Map<string, string> {
		const result = new Map<string, string>();
		for (const change of edit.documentChanges ?? []) {
			if (!('textDocument' in change)) continue;
			const { textDocument, edits } = change as TextDocumentEdit;
			const name = decodeURIComponent(textDocument.uri).replace(`file://${this.folder}/`, '');
			const open = this.texts.get(name);
			if (open !== undefined && textDocument.version !== open.version)
				throw new Error(`edit of version ${textDocument.version} of ${name}`);
			result.set(name, applyEdits(this.textAt(textDocument.uri), edits as TextEdit[]));
		}
		return result;
	}

	async stop(): Promise<void> {
		await this.connection.sendRequest('shutdown');
		// `exit` would end this process
		this.server.dispose();
		this.connection.dispose();
	}
}

function readDisk(path: string): Uint8Array | undefined {
	return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : undefined;
}

/** A text after edits that do not overlap. */
export function applyEdits(text: DocumentText, edits: readonly TextEdit[]): string {
	const ordered = edits
		.map(({ range, newText }, order) => ({ ...text.byteRange(range), newText, order }))
		.sort((a, b) => b.start - a.start || b.order - a.order);
	let result = text;
	let last = Number.POSITIVE_INFINITY;
	for (const { start, end, newText } of ordered) {
		if (end > last) throw new Error('edits overlap');
		last = start;
		result = result.replaced({ start, end }, newText);
	}
	return result.slice(0, result.length);
}
