import { type Diagnostic, type DiagnosticDetails, quote, type Report } from '@manyworlds/core';
import { findJsonFault, TextPlaces } from '@manyworlds/core/internal';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { createDiagnostic, type SceneCode } from './diagnostics.ts';

/** Keys and numbers that lead from the root of a scene to a value. */
export type ScenePath = readonly (string | number)[];

/** How much a scene file may hold. @public */
export interface SceneLimits {
	/** Most UTF-16 units of the text. */
	readonly maxLength?: number;
	/** Most values after aliases are followed. */
	readonly maxValues?: number;
	/** Deepest nesting of mappings and lists. */
	readonly maxDepth?: number;
}

/** Values of {@link SceneLimits} that are used when absent. */
const SCENE_LIMITS: Required<SceneLimits> = { maxLength: 1 << 22, maxValues: 500_000, maxDepth: 64 };

/** What kind of file is read: scenes, or others that are written the same way. */
export interface DocumentKind {
	/** For messages: 'scene'. */
	readonly what: string;
	/** Makes the diagnostic of this kind of file for one that scenes have. */
	readonly create: (code: SceneCode, message: string, details: DiagnosticDetails) => Diagnostic;
}

/** Scene files. */
export const SCENE_KIND: DocumentKind = { what: 'scene', create: createDiagnostic };

/** A parsed scene file: its plain value, and where each part of it is written. */
export class SceneDocument {
	/** Mappings, lists, texts, numbers, booleans and nulls. */
	readonly value: unknown;
	readonly #places: TextPlaces;
	readonly #text: string;
	readonly #anchors: ReadonlyMap<string, Node>;
	readonly #root: Node | null;
	readonly #pairs = new WeakMap<readonly unknown[], ReadonlyMap<string, Pair<Node, Node | null>>>();

	private constructor(text: string, places: TextPlaces, value: unknown, root: Node | null, anchors: Map<string, Node>) {
		this.#text = text;
		this.#places = places;
		this.value = value;
		this.#root = root;
		this.#anchors = anchors;
	}

	/** Parses YAML 1.2, or JSON when the name of the file ends with `.json`. Undefined after an error, which is reported. */
	static parse(
		text: string,
		file: string,
		report: Report,
		limits: SceneLimits = {},
		kind: DocumentKind = SCENE_KIND,
	): SceneDocument | undefined {
		const { maxLength, maxValues, maxDepth } = { ...SCENE_LIMITS, ...limits };
		const place = new TextPlaces(text.length > maxLength ? '' : text, file);
		if (text.length > maxLength) {
			const message = `the file has ${text.length} characters, expected at most ${maxLength}`;
			report.add(kind.create('SCN002', message, place.locate(0, 0)));
			return undefined;
		}
		const depth = nestingOf(text, maxDepth);
		if (depth !== undefined) {
			const message = `brackets are nested deeper than ${maxDepth} levels`;
			report.add(kind.create('SCN002', message, place.locate(depth, depth + 1)));
			return undefined;
		}
		if (/\.json$/i.test(file)) {
			const fault = findJsonFault(text);
			if (fault !== undefined) {
				report.add(kind.create('SCN001', fault.message, place.locate(fault.at, fault.at + 1)));
				return undefined;
			}
		}
		const document = parseYaml(text);
		for (const { message, pos } of [...document.errors, ...document.warnings]) {
			const isDeep = /call stack/i.test(message);
			const text = isDeep ? `values are nested deeper than ${maxDepth} levels` : lowerFirst(message);
			report.add(kind.create(isDeep ? 'SCN002' : 'SCN001', text, place.locate(pos[0], pos[1])));
			// what follows is a consequence
			if (isDeep) break;
		}
		if (document.errors.length + document.warnings.length > 0) return undefined;
		const reader = new PlainReader(maxValues, maxDepth, kind.what);
		const value = reader.read(document.contents, 0);
		for (const { code, message, node } of reader.faults) {
			const [start = 0, end = start] = node.range ?? [];
			report.add(kind.create(code, message, place.locate(start, end)));
		}
		if (reader.faults.length > 0) return undefined;
		return new SceneDocument(text, place, value, document.contents, reader.anchors);
	}

	/** File, range and excerpt of the value at a path, or of the key that leads to it; of the nearest mapping where there is none. */
	locate(path: ScenePath, part: 'key' | 'value' = 'value'): DiagnosticDetails {
		let node: Node | null = this.#root;
		let key: Node | null = null;
		for (const step of path) {
			const found = this.#step(node, step);
			if (found === undefined) return this.#at(key ?? node);
			({ key, node } = found);
		}
		return this.#at(part === 'key' ? (key ?? node) : (node ?? key));
	}

	/** Whether something is written at a path. */
	has(path: ScenePath): boolean {
		let node: Node | null = this.#root;
		for (const step of path) {
			const found = this.#step(node, step);
			if (found === undefined) return false;
			({ node } = found);
		}
		return true;
	}

	/** Place of one character of a text value, where it is written without escapes or folding. */
	locateWithin(path: ScenePath, at: number): DiagnosticDetails {
		const node = path.reduce<Node | null>((from, step) => this.#step(from, step)?.node ?? null, this.#root);
		if (!isScalar(node) || typeof node.value !== 'string' || node.range == null) return this.locate(path);
		const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
		const start = node.range[0] + quotes;
		if (this.#text.slice(start, start + node.value.length) !== node.value) return this.locate(path);
		return this.#places.locate(start + at, start + at + 1);
	}

	#at(node: Node | null): DiagnosticDetails {
		const [start = 0, end = start] = node?.range ?? [];
		// a block runs over many lines: its first line tells enough
		const line = this.#text.indexOf('\n', start);
		return this.#places.locate(start, line < 0 ? end : Math.min(end, line));
	}

	#step(from: Node | null, step: string | number): { key: Node | null; node: Node | null } | undefined {
		const node = isAlias(from) ? (this.#anchors.get(from.source) ?? null) : from;
		if (isSeq(node)) {
			const item = typeof step === 'number' ? (node.items[step] as Node | undefined) : undefined;
			return item === undefined ? undefined : { key: null, node: item };
		}
		if (!isMap(node)) return undefined;
		const pairs = this.#pairsOf(node.items as Pair<Node, Node | null>[]);
		const own = pairs.get(String(step));
		if (own !== undefined) return { key: own.key, node: own.value };
		const merge = pairs.get('<<')?.value ?? null;
		let merged: { key: Node | null; node: Node | null } | undefined;
		for (const source of isSeq(merge) ? (merge.items as Node[]) : [merge]) merged ??= this.#step(source, step);
		return merged;
	}

	/** The pairs of a mapping by key, found once. */
	#pairsOf(items: readonly Pair<Node, Node | null>[]): ReadonlyMap<string, Pair<Node, Node | null>> {
		let pairs = this.#pairs.get(items);
		if (pairs === undefined) {
			pairs = new Map(items.map((pair) => [keyName(pair.key) ?? '', pair]));
			this.#pairs.set(items, pairs);
		}
		return pairs;
	}
}

/** A message that fits on one line, cut off the prose of the YAML reader. */
function lowerFirst(message: string): string {
	const line = message.split(/[\n;]/)[0]!.replace(/ at line \d+, column \d+:?$/, '');
	return line.charAt(0).toLowerCase() + line.slice(1);
}

/** Keys given twice are looked for afterwards: the parser compares every key with all before it. */
function parseYaml(text: string): Document.Parsed {
	const options = {
		version: '1.2',
		schema: 'core',
		prettyErrors: false,
		logLevel: 'error',
		uniqueKeys: false,
	} as const;
	return parseDocument(text, options);
}

/** Name of a key; undefined when it is no scalar. */
function keyName(key: unknown): string | undefined {
	return isScalar(key) ? String(key.value) : undefined;
}

/** Offset of the bracket that nests deeper than allowed. Quoted text is skipped; the parser itself would run out of stack. */
function nestingOf(text: string, maxDepth: number): number | undefined {
	let depth = 0;
	const tokens = /"(?:[^"\\]|\\.)*"|(?<=[\s,:[{-])'[^']*'|[[\]{}]/gs;
	for (const { 0: token, index } of text.matchAll(tokens)) {
		if (token === '[' || token === '{') depth++;
		else if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
		// brackets may also stand in plain text, where they nest nothing
		if (depth > 16 * maxDepth) return index;
	}
	return undefined;
}

type Fault = 'SCN001' | 'SCN002' | 'SCN003' | 'SCN006';

/** Makes plain values of nodes, within limits. */
class PlainReader {
	readonly anchors = new Map<string, Node>();
	readonly faults: { readonly code: Fault; readonly message: string; readonly node: Node }[] = [];
	readonly #maxValues: number;
	readonly #maxDepth: number;
	readonly #what: string;
	readonly #open = new Set<Node>();
	#count = 0;
	/** Whether a fault ends the reading. */
	#isOver = false;

	constructor(maxValues: number, maxDepth: number, what: string) {
		this.#what = what;
		this.#maxValues = maxValues;
		this.#maxDepth = maxDepth;
	}

	read(node: Node | null, depth: number): unknown {
		if (node === null || this.#isOver) return null;
		if (++this.#count > this.#maxValues) {
			return this.#fail(
				'SCN002',
				`the ${this.#what} has more than ${this.#maxValues} values when its aliases are followed`,
				node,
			);
		}
		if (isAlias(node)) {
			const target = this.anchors.get(node.source);
			if (target === undefined) return this.#fail('SCN001', `the alias ${quote(node.source)} has no anchor`, node);
			if (this.#open.has(target)) {
				return this.#fail('SCN002', `the alias ${quote(node.source)} stands inside of what it stands for`, node);
			}
			return this.read(target, depth);
		}
		const { anchor } = node as { readonly anchor?: string };
		if (anchor !== undefined) this.anchors.set(anchor, node);
		if (isScalar(node)) return this.#scalar(node.value, node);
		if (depth >= this.#maxDepth) {
			return this.#fail('SCN002', `values are nested deeper than ${this.#maxDepth} levels`, node);
		}
		this.#open.add(node);
		const value = isMap(node)
			? this.#map(node.items as Pair<Node, Node | null>[], depth)
			: isSeq(node)
				? (node.items as Node[]).map((item) => this.read(item, depth + 1))
				: null;
		this.#open.delete(node);
		return value;
	}

	#map(pairs: readonly Pair<Node, Node | null>[], depth: number): Record<string, unknown> {
		const out: Record<string, unknown> = Object.create(null);
		const merged: Record<string, unknown> = Object.create(null);
		for (const { key, value } of pairs) {
			const name = keyName(key);
			if (name === undefined) {
				this.#fail('SCN006', 'found a key that is no text, expected text', key);
				break;
			}
			if (name in out) this.faults.push({ code: 'SCN003', message: `key ${quote(name)} is given twice`, node: key });
			if (name === '<<') this.#merge(merged, value, depth);
			else out[name] = this.read(value, depth + 1);
		}
		// keys of the mapping itself win over merged ones, whatever their order
		for (const [name, value] of Object.entries(merged)) if (!(name in out)) out[name] = value;
		return out;
	}

	#merge(into: Record<string, unknown>, value: Node | null, depth: number): void {
		const sources = isSeq(value) ? (value.items as Node[]) : [value];
		for (const source of sources) {
			const mapping = this.read(source, depth + 1);
			if (mapping === null || typeof mapping !== 'object' || Array.isArray(mapping)) {
				if (source !== null) this.#fail('SCN006', "'<<' merges something that is no mapping", source);
				return;
			}
			for (const [name, part] of Object.entries(mapping)) if (!(name in into)) into[name] = part;
		}
	}

	#scalar(value: unknown, node: Node): unknown {
		const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
		return isPlain
			? value
			: this.#fail('SCN006', `found a value that a ${this.#what} does not have, expected text or a number`, node);
	}

	#fail(code: Fault, message: string, node: Node): null {
		if (!this.#isOver) this.faults.push({ code, message, node });
		this.#isOver = true;
		return null;
	}
}
