import type { FolderFiles } from '../files/folder-files.ts';
import { makeLanguageThread } from '../threads.ts';

/** A mistake in a text, with its line from 1. */
export interface TextFinding {
	readonly line: number;
	readonly code: string;
	readonly message: string;
	readonly severity: 'error' | 'warning' | 'info';
}

/** A place in a text of the folder: lines from 1. */
export interface TextPlace {
	readonly path: string;
	readonly line: number;
}

/** What may be written at a place: how it is shown, and what is inserted in the place of the word before the cursor. */
export interface TextProposal {
	readonly label: string;
	readonly detail: string;
	readonly insert: string;
}

interface Position {
	readonly line: number;
	readonly character: number;
}

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly uri?: string };
	readonly result?: unknown;
	readonly error?: { readonly message: string };
}

/** Where the folder of the page is for the language server. */
const FOLDER = '/folder';

/** Asks the language server about the text that is open; the server runs in a worker that starts when it is asked first. */
export class TextLanguage {
	readonly #files: () => FolderFiles;
	#worker: Worker | undefined;
	#ready: Promise<unknown> | undefined;
	#next = 1;
	readonly #waiting = new Map<
		number,
		{ readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }
	>();
	#open:
		| { readonly path: string; readonly content: string; readonly files: FolderFiles; readonly version: number }
		| undefined;

	/** @param files - the files of the folder, whenever the server needs them */
	constructor(files: () => FolderFiles) {
		this.#files = files;
	}

	/** What is wrong with the text and what it refers to. */
	async findings(path: string, content: string): Promise<readonly TextFinding[]> {
		const report = await this.#ask<{ readonly items?: readonly ServerDiagnostic[] }>(
			path,
			content,
			'textDocument/diagnostic',
			{},
		);
		return (report?.items ?? []).map(({ range, code, message, severity = 1 }) => ({
			line: range.start.line + 1,
			code: String(code),
			message,
			severity: severity === 1 ? 'error' : severity === 2 ? 'warning' : 'info',
		}));
	}

	/** What stands at a place of the text, in plain words; undefined when nothing is known. */
	async about(path: string, content: string, offset: number): Promise<string | undefined> {
		const found = await this.#at<{ readonly contents: { readonly value: string } } | null>(
			path,
			content,
			offset,
			'textDocument/hover',
		);
		return found?.contents.value;
	}

	/** Where what stands at a place is defined, strongest first. */
	async definition(path: string, content: string, offset: number): Promise<readonly TextPlace[]> {
		const found = await this.#at<
			readonly { readonly uri: string; readonly range: { readonly start: Position } }[] | null
		>(path, content, offset, 'textDocument/definition');
		return (found ?? []).map(({ uri, range }) => ({
			path: decodeURIComponent(uri).replace(`file://${FOLDER}/`, ''),
			line: range.start.line + 1,
		}));
	}

	/** What may be written at a place. */
	async proposals(path: string, content: string, offset: number): Promise<readonly TextProposal[]> {
		const found = await this.#at<{ readonly items: readonly ServerItem[] } | null>(
			path,
			content,
			offset,
			'textDocument/completion',
		);
		return (found?.items ?? []).map(({ label, detail = '', insertText }) => ({
			label,
			detail,
			// places to fill in are for editors that know them
			insert: (insertText ?? label).replaceAll(/\$\{\d+:([^}]*)\}/g, '$1').replaceAll(/\$\d/g, ''),
		}));
	}

	/** Ends the worker. */
	close(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.#ready = undefined;
		this.#open = undefined;
	}

	#at<R>(path: string, content: string, offset: number, method: string): Promise<R> {
		const before = content.slice(0, offset).split(/\r\n|\r|\n/);
		const position = { line: before.length - 1, character: before.at(-1)!.length };
		return this.#ask(path, content, method, { position });
	}

	async #ask<R>(path: string, content: string, method: string, params: object): Promise<R> {
		this.#ready ??= this.#start();
		await this.#ready;
		this.#show(path, content);
		return this.#request<R>(method, { textDocument: { uri: uriOf(path) }, ...params });
	}

	/** Tells the server what is open, and which files of the folder are others than before. */
	#show(path: string, content: string): void {
		const files = this.#files();
		const open = this.#open;
		if (open !== undefined && open.files !== files) {
			const names = new Set([...files.keys(), ...open.files.keys()]);
			const changes = [...names].filter((name) => files.get(name) !== open.files.get(name));
			this.#notify('workspace/didChangeWatchedFiles', {
				changes: changes.map((name) => ({ uri: uriOf(name), type: 2 })),
			});
		}
		if (open?.path !== path) {
			if (open !== undefined) this.#notify('textDocument/didClose', { textDocument: { uri: uriOf(open.path) } });
			const textDocument = { uri: uriOf(path), languageId: '', version: 1, text: content };
			this.#notify('textDocument/didOpen', { textDocument });
			this.#open = { path, content, files, version: 1 };
			return;
		}
		const version = open.version + 1;
		if (open.content !== content) {
			this.#notify('textDocument/didChange', {
				textDocument: { uri: uriOf(path), version },
				contentChanges: [{ text: content }],
			});
		}
		this.#open = { path, content, files, version };
	}

	async #start(): Promise<void> {
		const worker = makeLanguageThread();
		this.#worker = worker;
		worker.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#receive(data));
		await this.#request('initialize', {
			processId: null,
			rootUri: null,
			workspaceFolders: [{ uri: `file://${FOLDER}`, name: 'folder' }],
			capabilities: { textDocument: { diagnostic: {} } },
		});
		this.#notify('initialized', {});
	}

	#request<R>(method: string, params: object): Promise<R> {
		const id = this.#next++;
		return new Promise<R>((resolve, reject) => {
			this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
			this.#worker?.postMessage({ jsonrpc: '2.0', id, method, params });
		});
	}

	#notify(method: string, params: object): void {
		this.#worker?.postMessage({ jsonrpc: '2.0', method, params });
	}

	#receive({ id, method, params, result, error }: Message): void {
		if (method === undefined) {
			const waiting = this.#waiting.get(id!);
			this.#waiting.delete(id!);
			if (error === undefined) waiting?.resolve(result);
			else waiting?.reject(new Error(error.message));
			return;
		}
		if (id !== undefined)
			this.#worker?.postMessage({ jsonrpc: '2.0', id, result: this.#answer(method, params?.uri ?? '') });
	}

	#answer(method: string, uri: string): unknown {
		if (method === 'manyworlds/listFiles') return { uris: [...this.#files().keys()].map(uriOf) };
		if (method !== 'manyworlds/readFile') return null;
		const bytes = this.#files().get(decodeURIComponent(uri).replace(`file://${FOLDER}/`, ''));
		return bytes === undefined ? {} : { base64: toBase64(bytes) };
	}
}

interface ServerDiagnostic {
	readonly range: { readonly start: Position };
	readonly code?: string | number;
	readonly message: string;
	readonly severity?: number;
}

interface ServerItem {
	readonly label: string;
	readonly detail?: string;
	readonly insertText?: string;
}

function uriOf(path: string): string {
	return `file://${`${FOLDER}/${path}`.split('/').map(encodeURIComponent).join('/')}`;
}

function toBase64(bytes: Uint8Array): string {
	let text = '';
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
	return btoa(text);
}
