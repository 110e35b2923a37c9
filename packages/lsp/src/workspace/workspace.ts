import { type Diagnostic, Report } from '@manyworlds/core';
import { CheckMemory } from '@manyworlds/rep158';
import { applyPaths, checkAssetSteps, configOptions } from '@manyworlds/rep158/internal';
import { type AssetStore, isAssetFailure, type Layer, whenLoaded } from '@manyworlds/usd';
import { createDiagnostic } from '../diagnostics.ts';
import type { LanguageHost } from '../language-host.ts';
import { UsdaOutline } from '../outline/usda-outline.ts';
import { type ColumnUnit, DocumentText } from '../text/document-text.ts';
import { UriMap } from '../text/uri-map.ts';
import { askingStore } from './asking-store.ts';
import { checkFile, MOST_FINDINGS } from './check-file.ts';
import { CheckRunner, type RunningCheck } from './check-runner.ts';
import { ComposedStage } from './composed-stage.ts';
import { Configurations } from './configurations.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import { OverlayStore } from './overlay-store.ts';
import { isLayerFile, StageGraph } from './stage-graph.ts';

/** A text that the client has open. */
export interface OpenDocument {
	readonly identifier: string;
	readonly uri: string;
	version: number;
	text: DocumentText;
	kind: DocumentKind;
}

/** What a {@link Workspace} tells. */
export interface WorkspaceListener {
	/** Findings of these files may have changed. */
	onFindings(files: ReadonlySet<string>): void;
	log(message: string): void;
}

/** Largest text that is composed and checked while it is edited [bytes]; larger ones are only read. */
export const LARGEST_TEXT = 20_000_000;
/** Files of a workspace that are looked at. */
const MOST_FILES = 5000;
/** Stages that are kept composed. */
const MOST_STAGES = 4;

/** The open texts over the saved files, the stages that they are part of, and what is wrong with them. */
export class Workspace {
	readonly host: LanguageHost;
	readonly uris: UriMap = new UriMap();
	readonly checks: CheckRunner;
	readonly #listener: WorkspaceListener;
	/** What columns count. */
	readonly unit: ColumnUnit;
	readonly #documents = new Map<string, OpenDocument>();
	readonly #folders: string[] = [];
	#files: readonly string[] = [];
	#listing: Promise<void> | undefined;
	#store: OverlayStore;
	readonly #graph: StageGraph;
	readonly #configurations: Configurations;
	readonly #stages = new Map<string, ComposedStage>();
	/** Roots that people chose, by layer. */
	readonly #chosen = new Map<string, string>();
	/** Roots of the open layers, the likeliest first. */
	readonly #roots = new Map<string, readonly string[]>();
	readonly #outlines = new WeakMap<Uint8Array, UsdaOutline>();
	readonly #texts = new WeakMap<Uint8Array, DocumentText>();
	/** Identifiers by the names that findings use. */
	readonly #named = new Map<string, string>();
	/** What checks leave to the next, by root. */
	readonly #memories = new Map<string, CheckMemory>();
	/** Open texts that may lead elsewhere than before. */
	readonly #changed = new Set<string>();
	/** Files with findings when the client was told last. */
	#toldFiles: ReadonlySet<string> = new Set();

	constructor(host: LanguageHost, unit: ColumnUnit, listener: WorkspaceListener) {
		this.host = host;
		this.unit = unit;
		this.#listener = listener;
		this.#store = this.#makeStore();
		this.#configurations = new Configurations((file) => this.saved(file));
		this.#graph = new StageGraph({
			files: () => this.#layerFiles(),
			layer: (file) => (this.#documents.has(file) ? this.layer(file)?.data : undefined),
			read: async (file) => this.#documents.get(file)?.text.bytes ?? (await this.saved(file)),
			identify: (assetPath, anchor) => this.#store.identify(assetPath, anchor).identifier,
			entries: () => this.#configurations.entries,
			breathe: () => host.breathe(),
		});
		this.checks = new CheckRunner({
			prepare: () => this.#settleRoots(),
			begin: (root) => this.#beginCheck(root),
			after: (delay, work) => host.after(delay, work),
			breathe: () => host.breathe(),
			now: () => host.now(),
			onFindings: () => this.#tell(),
			onFailure: (root, error) => this.#fail(root, error),
		});
	}

	get store(): AssetStore {
		return this.#store;
	}

	get folders(): readonly string[] {
		return this.#folders;
	}

	/** Takes the folders of the workspace; those before are forgotten. */
	setFolders(uris: readonly string[]): void {
		if (uris[0] !== undefined) this.uris.adopt(uris[0]);
		this.#folders.splice(0, this.#folders.length, ...uris.map((uri) => this.uris.identifier(uri).replace(/\/$/, '')));
		this.#store = this.#makeStore();
		this.#listing = undefined;
		this.#dropStages();
	}

	documents(): IterableIterator<OpenDocument> {
		return this.#documents.values();
	}

	document(identifier: string): OpenDocument | undefined {
		return this.#documents.get(identifier);
	}

	/** Opens a text. Its findings follow. */
	open(uri: string, version: number, content: string): OpenDocument {
		const identifier = this.uris.note(uri);
		if (this.#folders.length === 0) this.uris.adopt(uri);
		const text = new DocumentText(new TextEncoder().encode(content), this.unit);
		const document = { identifier, uri, version, text, kind: documentKind(identifier, text.bytes) };
		this.#documents.set(identifier, document);
		const folder = identifier.slice(0, identifier.lastIndexOf('/'));
		if (!this.#folders.some((known) => `${folder}/`.startsWith(`${known}/`))) this.#store.allow(folder);
		this.touch(identifier);
		void this.#findRoots(document);
		return document;
	}

	/** Takes the new text of an open document. */
	change(document: OpenDocument, text: DocumentText, version: number): void {
		document.text = text;
		document.version = version;
		if (document.kind.kind === 'other' || document.kind.kind === 'yaml') {
			document.kind = documentKind(document.identifier, text.bytes);
			void this.#findRoots(document);
		}
		this.touch(document.identifier);
	}

	close(identifier: string): void {
		this.#documents.delete(identifier);
		this.#roots.delete(identifier);
		this.touch(identifier);
		this.#setRoots();
		this.#tell();
	}

	/** Says that a file is no longer as it was. */
	touch(identifier: string): void {
		this.#store.refresh(identifier);
		if (this.#documents.has(identifier)) this.#changed.add(identifier);
		else this.#graph.forget(identifier);
		if (this.#configurations.forget(identifier)) for (const root of this.#liveRoots()) this.checks.touch(root);
		for (const [root, composed] of this.#stages) {
			if (!composed.asked.has(identifier) && root !== identifier) continue;
			composed.close();
			this.#stages.delete(root);
		}
		this.checks.touch(identifier);
	}

	/** Says that files came, changed or went on the disk. */
	async filesChanged(identifiers: readonly string[]): Promise<void> {
		this.#listing = undefined;
		for (const identifier of identifiers) if (!this.#documents.has(identifier)) this.touch(identifier);
		for (const document of this.#documents.values()) await this.#findRoots(document);
	}

	/** The text of a file, open or saved; undefined when it is none. */
	text(identifier: string): DocumentText | undefined {
		const open = this.#documents.get(identifier)?.text;
		if (open !== undefined) return open;
		const bytes = this.#store.text(identifier) ?? this.#store.bytes(identifier);
		if (!(bytes instanceof Uint8Array)) return undefined;
		let text = this.#texts.get(bytes);
		if (text === undefined) {
			text = new DocumentText(bytes, this.unit);
			this.#texts.set(bytes, text);
		}
		return text;
	}

	outline(text: DocumentText): UsdaOutline {
		let outline = this.#outlines.get(text.bytes);
		if (outline === undefined) {
			outline = new UsdaOutline(text.bytes);
			this.#outlines.set(text.bytes, outline);
		}
		return outline;
	}

	/** The layer of a file as the open texts have it; undefined when it is none. */
	layer(identifier: string): Layer | undefined {
		const found = this.#store.layer(identifier);
		return found === undefined || isAssetFailure(found) ? undefined : found;
	}

	/** Stages that an open layer is part of, the one that it is checked with first. */
	async rootsOf(identifier: string): Promise<readonly string[]> {
		await this.#settleRoots();
		const known = this.#roots.get(identifier);
		const roots = known ?? (await this.#rootsOf(identifier));
		const chosen = this.#chosen.get(identifier);
		return chosen === undefined ? roots : [chosen, ...roots.filter((root) => root !== chosen)];
	}

	/** Lets a layer be checked as part of another stage. */
	async chooseRoot(identifier: string, root: string): Promise<void> {
		this.#chosen.set(identifier, root);
		const document = this.#documents.get(identifier);
		if (document !== undefined) await this.#findRoots(document);
	}

	/** The stage that a layer is part of, composed from the open texts; undefined when there is none. */
	async stageOf(identifier: string): Promise<ComposedStage | undefined> {
		const [root] = await this.rootsOf(identifier);
		return root === undefined ? undefined : this.stage(root);
	}

	/** The stage with a root layer, composed from the open texts. */
	async stage(root: string): Promise<ComposedStage | undefined> {
		const known = this.#stages.get(root);
		if (known !== undefined) {
			this.#stages.delete(root);
			this.#stages.set(root, known);
			return known;
		}
		const size = this.text(root)?.length ?? 0;
		if (size > LARGEST_TEXT) return undefined;
		const asked = new Set<string>([root]);
		const store = askingStore(this.#store, asked);
		const composed = await whenLoaded(this.#store, () => {
			const layer = store.layer(root);
			return layer === undefined || isAssetFailure(layer) ? undefined : ComposedStage.open(layer, store, asked);
		});
		if (composed === undefined) return undefined;
		// composition has waited for files: an edit may have come in between
		this.#stages.get(root)?.close();
		this.#stages.set(root, composed);
		for (const [oldest, one] of this.#stages) {
			if (this.#stages.size <= MOST_STAGES) break;
			one.close();
			this.#stages.delete(oldest);
		}
		return composed;
	}

	/** A store of its own over the same texts, for work that edits layers; some files may be given. */
	freshStore(given: ReadonlyMap<string, Uint8Array> = new Map()): OverlayStore {
		return this.#makeStore(given);
	}

	/** Options of the checker for an asset, as the configuration has them. */
	configuration(root: string): ReturnType<Configurations['of']> {
		return this.#configurations.of(root, this.#folders);
	}

	/** The file that a finding names. */
	fileOf(name: string): string {
		return this.#named.get(name) ?? name;
	}

	/** What is wrong with a file by itself, at once. */
	ownFindings(document: OpenDocument): readonly Diagnostic[] {
		const { identifier, kind, text } = document;
		if (kind.kind === 'usda') {
			this.#store.layer(identifier);
			const own = this.#store.findings(identifier);
			if (text.length <= LARGEST_TEXT) return own;
			const message = `the text has ${text.length} bytes, more than ${LARGEST_TEXT}: only its syntax is checked here`;
			return [...own, createDiagnostic('LSP001', message, { file: this.#name(identifier) })];
		}
		if (kind.kind === 'xacro') {
			const message = 'the file is a xacro template, which is not expanded here: nothing in it is checked';
			return [createDiagnostic('LSP002', message, { file: this.#name(identifier) })];
		}
		return [];
	}

	/** Findings by file: those of all assets that are checked, each once, and those of open texts by themselves. */
	findings(): Map<string, readonly Diagnostic[]> {
		const byFile = new Map<string, Map<string, Diagnostic>>();
		const add = (finding: Diagnostic, fallback: string): void => {
			const file = finding.file === undefined ? fallback : this.fileOf(finding.file);
			const { code, range, message, severity, byteOffset } = finding;
			const key = JSON.stringify([code, severity, range?.start.offset, range?.end.offset, byteOffset, message]);
			let own = byFile.get(file);
			if (own === undefined) {
				own = new Map();
				byFile.set(file, own);
			}
			if (!own.has(key)) own.set(key, finding);
		};
		for (const document of this.#documents.values()) {
			for (const finding of this.ownFindings(document)) add(finding, document.identifier);
		}
		for (const root of this.#liveRoots()) {
			for (const finding of this.checks.result(root)?.findings ?? []) {
				const file = finding.file === undefined ? root : this.fileOf(finding.file);
				// what a text that changed since then has is known better by now
				if (this.checks.isStale(root) && isSyntax(finding.code) && this.#documents.has(file)) continue;
				add(finding, root);
			}
		}
		return new Map([...byFile].map(([file, findings]) => [file, [...findings.values()]]));
	}

	/** Waits until the asset of an open text is checked as it is now. */
	async whenChecked(identifier: string): Promise<void> {
		const document = this.#documents.get(identifier);
		if (document !== undefined && !this.#roots.has(identifier)) await this.#findRoots(document);
		await this.#settleRoots();
		const root = this.#rootOf(identifier);
		if (root !== undefined) await this.checks.whenChecked(root);
	}

	/** Layers of the workspace, those that are open first. */
	layerFiles(): readonly string[] {
		return this.#layerFiles();
	}

	/** Files of the workspace. */
	async workspaceFiles(): Promise<readonly string[]> {
		await this.#list();
		return [...new Set([...this.#documents.keys(), ...this.#files])];
	}

	dispose(): void {
		this.checks.dispose();
		this.#dropStages();
	}

	#makeStore(given: ReadonlyMap<string, Uint8Array> = new Map()): OverlayStore {
		const roots = [...this.#folders];
		for (const identifier of this.#documents.keys()) roots.push(identifier.slice(0, identifier.lastIndexOf('/')));
		return new OverlayStore({
			open: (identifier) => given.get(identifier) ?? this.#documents.get(identifier)?.text.bytes,
			saved: this.host.source,
			roots,
			displayName: (identifier) => this.#name(identifier),
			...(this.host.packages !== undefined && { packages: this.host.packages }),
		});
	}

	/** How findings name a file: relative to the folder of the workspace that it lies in. */
	#name(identifier: string): string {
		const folder = this.#folders.find((one) => identifier.startsWith(`${one}/`));
		const name = folder === undefined ? identifier : identifier.slice(folder.length + 1);
		this.#named.set(name, identifier);
		return name;
	}

	/** A file as it is saved; undefined when it cannot be read. */
	async saved(file: string): Promise<Uint8Array | undefined> {
		const { source } = this.host;
		try {
			return source.readSync === undefined ? await source.read?.(file) : source.readSync(file);
		} catch {
			return undefined;
		}
	}

	async #list(): Promise<void> {
		this.#listing ??= (async () => {
			const found = new Set<string>();
			for (const folder of this.#folders) {
				for (const file of await this.host.listFiles(folder)) {
					if (found.size >= MOST_FILES) {
						this.#listener.log(`the workspace has more than ${MOST_FILES} files: the others are not looked at`);
						break;
					}
					found.add(file);
				}
			}
			this.#files = [...found].sort();
			await this.#configurations.load(this.#files);
		})();
		await this.#listing;
	}

	#layerFiles(): readonly string[] {
		const open = [...this.#documents.values()].filter(({ kind }) => kind.kind === 'usda').map((one) => one.identifier);
		return [...new Set([...open, ...this.#files.filter(isLayerFile)])];
	}

	async #rootsOf(identifier: string): Promise<readonly string[]> {
		await this.#list();
		return this.#graph.rootsOf(identifier);
	}

	async #findRoots(document: OpenDocument): Promise<void> {
		const { identifier, kind } = document;
		const roots = kind.kind === 'usda' ? await this.#rootsOf(identifier) : hasCheck(kind) ? [identifier] : [];
		if (this.#documents.get(identifier) !== document) return;
		this.#roots.set(identifier, roots);
		this.#setRoots();
		this.#tell();
	}

	/** Finds the stages of the open layers again, when some text leads elsewhere than before. */
	async #settleRoots(): Promise<void> {
		if (this.#changed.size === 0) return;
		const changed = [...this.#changed];
		this.#changed.clear();
		let isNew = false;
		for (const identifier of changed) {
			if (this.#documents.get(identifier)?.kind.kind === 'usda' && (await this.#graph.update(identifier))) isNew = true;
		}
		if (isNew) for (const document of this.#documents.values()) await this.#findRoots(document);
	}

	#rootOf(identifier: string): string | undefined {
		return this.#chosen.get(identifier) ?? this.#roots.get(identifier)?.[0];
	}

	#liveRoots(): Set<string> {
		const roots = new Set<string>();
		for (const identifier of this.#documents.keys()) {
			const root = this.#rootOf(identifier);
			if (root !== undefined) roots.add(root);
		}
		return roots;
	}

	#setRoots(): void {
		const live = this.#liveRoots();
		this.checks.setRoots(live);
		for (const root of this.#memories.keys()) if (!live.has(root)) this.#memories.delete(root);
		for (const [root, composed] of this.#stages) {
			if (live.has(root)) continue;
			composed.close();
			this.#stages.delete(root);
		}
		// layers that no live stage reads leave the memory
		if (live.size === 0) this.#store = this.#makeStore();
	}

	#dropStages(): void {
		for (const composed of this.#stages.values()) composed.close();
		this.#stages.clear();
	}

	#beginCheck(root: string): RunningCheck {
		const asked = new Set<string>([root]);
		return { asked, steps: this.#checkSteps(root, asked) };
	}

	async *#checkSteps(root: string, asked: Set<string>): AsyncGenerator<undefined, readonly Diagnostic[], undefined> {
		const store = askingStore(this.#store, asked);
		const kind = this.#documents.get(root)?.kind ?? { kind: 'usda' };
		for (const tried = new Set<string>(); ; ) {
			const report = new Report({ cap: MOST_FINDINGS });
			if (kind.kind === 'usda') yield* this.#checkStage(root, store, report);
			else checkFile(root, kind, { store, report, host: this.host, name: (file) => this.#name(this.fileOf(file)) });
			yield;
			const missing = this.#store.missing().filter((one) => !tried.has(one));
			if (missing.length === 0) {
				for (const file of asked) for (const finding of this.#store.findings(file)) report.add(finding);
				return report.toArray();
			}
			for (const one of missing) tried.add(one);
			await Promise.all(missing.map((one) => this.#store.load(one)));
		}
	}

	*#checkStage(root: string, store: AssetStore, report: Report): Generator<undefined, void, undefined> {
		const size = this.text(root)?.length ?? 0;
		const layer = size > LARGEST_TEXT ? undefined : store.layer(root);
		if (layer === undefined || isAssetFailure(layer)) return;
		const { config, relativePath } = this.configuration(root);
		const check = yield* checkAssetSteps(layer, store, {
			...configOptions(config),
			excerpts: false,
			memory: this.#memory(root),
		});
		for (const finding of check.report.toArray()) {
			const path = relativePath(this.fileOf(finding.file ?? root));
			const kept = path === undefined || config.paths.length === 0 ? finding : applyPaths(finding, config, path);
			if (kept !== undefined) report.add(kept);
		}
	}

	#memory(root: string): CheckMemory {
		let memory = this.#memories.get(root);
		if (memory === undefined) {
			memory = new CheckMemory();
			this.#memories.set(root, memory);
		}
		return memory;
	}

	#fail(root: string, error: unknown): Diagnostic[] {
		const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
		this.#listener.log(`checking ${root} ended with an internal error: ${detail}`);
		const message = `the check ended with an internal error: ${detail.split('\n')[0]}`;
		return [createDiagnostic('LSP003', message, { file: this.#name(root) })];
	}

	#tell(): void {
		const now = new Set(this.findings().keys());
		const open = [...this.#documents.keys()];
		this.#listener.onFindings(new Set([...now, ...this.#toldFiles, ...open]));
		this.#toldFiles = now;
	}
}

function hasCheck({ kind }: DocumentKind): boolean {
	return kind === 'urdf' || kind === 'mjcf' || kind === 'sdf' || kind === 'yaml';
}

/** Whether a finding is of the reading of a text, which happens at every edit. */
function isSyntax(code: string): boolean {
	return code.startsWith('USDA');
}
