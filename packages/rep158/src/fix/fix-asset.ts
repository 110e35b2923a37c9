import { quote, type Report } from '@manyworlds/core';
import type { ImageCodecs } from '@manyworlds/image';
import { type AssetStore, type Layer, patchUsda, type Stage, writeUsda, writeUsdc } from '@manyworlds/usd';
import { detectFormat } from '@manyworlds/usd/internal';
import { createDiagnostic, type Rep158Code, type RepCode } from '../diagnostics.ts';
import type { FixFamily } from '../rule.ts';
import { FixSession } from './engine/fix-session.ts';
import { type Fixer, type FixParameters, FixRefusal } from './engine/fixer.ts';
import { transpose3 } from './engine/linear.ts';
import { compareSnapshots, type PhysicsSnapshot, takeSnapshot } from './engine/physics-snapshot.ts';
import type { FixPlan, PlanNote } from './engine/plan.ts';
import {
	chooseTimes,
	findLostSamples,
	type SampledAttributes,
	sampledAttributes,
} from './engine/sampled-attributes.ts';
import { FIXERS } from './fixers.ts';

/** What is fixed, and how. */
export interface FixOptions {
	/** Whether fixes that change geometry, names or chosen values are made too. */
	readonly unsafe?: boolean;
	/** Families to apply; all without this. */
	readonly only?: readonly FixFamily[];
	/** Rules to put right; all without this. */
	readonly select?: ReadonlySet<RepCode>;
	/** Rules that have findings: families that put none of them right are passed over; none is without this. */
	readonly found?: ReadonlySet<RepCode>;
	readonly parameters?: FixParameters;
	/** Decoders of images beyond those that are always there. */
	readonly codecs?: ImageCodecs;
	/** Whether numbers of the asset are compared before and after every family, and edits that change them taken back. */
	readonly verify?: boolean;
	readonly report?: Report;
}

/** Options of {@link fixAsset} that are used when absent. */
export const FIX_DEFAULTS: {
	readonly unsafe: boolean;
	readonly parameters: FixParameters;
	readonly verify: boolean;
} = { unsafe: false, parameters: {}, verify: true };

/** A file that a fix changes or makes. */
export interface FixedFile {
	/** Where it belongs, as its source names it. */
	readonly identifier: string;
	readonly bytes: Uint8Array;
	/** What it held; absent for a new file. */
	readonly before?: Uint8Array;
	readonly isText: boolean;
	/** How much of a text was written anew. */
	readonly extent?: 'statements' | 'prims' | 'layer';
}

/** What came of fixing an asset. */
export interface FixResult {
	readonly plan: FixPlan;
	/** Changed and new files, in the order of identifiers. Nothing has been written. */
	readonly files: readonly FixedFile[];
	/** Families that edited something. */
	readonly families: readonly FixFamily[];
	/** Where prims went, by stage path before; what is below a prim went with it. */
	readonly moved: ReadonlyMap<string, string>;
}

/**
 * Plans and makes the fixes of an asset in memory. `root` and the layers of `store` are edited: use them for nothing else.
 *
 * ```ts
 * const { files, plan } = fixAsset(rootLayer, store, { only: ['F2', 'F9'], parameters: { version: '1.0.0' } });
 * ```
 */
export function fixAsset(root: Layer, store: AssetStore, options: FixOptions = {}): FixResult {
	const { unsafe, parameters, verify } = { ...FIX_DEFAULTS, ...options };
	const session = new FixSession({
		root,
		store,
		parameters,
		...(options.codecs !== undefined && { codecs: options.codecs }),
		...(options.select !== undefined && { select: options.select }),
	});
	const name = (identifier: string): string => store.name(identifier);
	const families: FixFamily[] = [];
	const moves: (readonly [from: string, to: string])[] = [];
	let state = verify ? takeState(session.stage) : undefined;
	for (const fixer of FIXERS) {
		if (options.only !== undefined && !options.only.includes(fixer.family)) continue;
		if (fixer.safety === 'unsafe' && !unsafe) continue;
		if (options.select !== undefined && !fixer.rules.some((rule) => session.wants(rule))) continue;
		if (options.found !== undefined && !fixer.rules.some((rule) => options.found!.has(rule))) continue;
		const applied = applyFixer(session, fixer, state, { ...options, name });
		if (applied === undefined) continue;
		families.push(fixer.family);
		for (const [from, to] of session.moved) moves.push([from.toString(), to.toString()]);
		state = applied.state;
	}
	for (const note of session.notes) reportNote(note, options, name);
	const items = session.items.map((item) => ({ ...item, layer: name(item.layer) }));
	const notes = session.notes.map((note) => (note.layer === undefined ? note : { ...note, layer: name(note.layer) }));
	return {
		plan: { version: 1, asset: name(root.identifier), items, notes },
		files: changedFiles(session, { ...options, name }),
		families,
		moved: composeMoves(moves),
	};
}

/** Options with the way messages name files. */
type NamedOptions = FixOptions & { readonly name: (identifier: string) => string };

/** Moves one after the other as one map from the paths before all of them. */
function composeMoves(moves: readonly (readonly [from: string, to: string])[]): Map<string, string> {
	const moved = new Map<string, string>();
	const done: (readonly [from: string, to: string])[] = [];
	for (const [from, to] of moves) {
		const origin = done.reduceRight((path, [first, then]) => replacePrefix(path, then, first), from);
		for (const [first, path] of moved) moved.set(first, replacePrefix(path, from, to));
		moved.set(origin, to);
		done.push([from, to]);
	}
	return moved;
}

function replacePrefix(path: string, from: string, to: string): string {
	return path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
}

/** What is compared before and after every family. */
interface AssetState {
	readonly physics: PhysicsSnapshot;
	readonly sampled: SampledAttributes;
	/** Times in seconds at which everything is compared; fixes keep seconds. */
	readonly times: readonly number[];
}

/** Takes the state of a stage; after an edit, at the times of the state before it. */
function takeState(stage: Stage, before?: AssetState): AssetState {
	// where nothing varied there is nothing to lose
	const sampled = before?.sampled.size === 0 ? before.sampled : sampledAttributes(stage);
	const times = before?.times ?? chooseTimes(sampled);
	return { physics: takeSnapshot(stage, { times }), sampled, times };
}

/** Applies one family. Undefined when it edited nothing, or when its edits were taken back. */
function applyFixer(
	session: FixSession,
	fixer: Fixer,
	before: AssetState | undefined,
	options: NamedOptions,
): { state: AssetState | undefined } | undefined {
	const start = session.begin(fixer.family);
	try {
		fixer.apply(session);
	} catch (error) {
		session.rollBack(start);
		if (error instanceof FixRefusal) {
			session.refuse(error.rule, `${fixer.title}: ${error.message}`, { layer: session.rootLayer });
			return undefined;
		}
		const detail = error instanceof Error ? error.message : String(error);
		const place = { file: options.name(session.rootLayer.identifier) };
		options.report?.add(
			createDiagnostic('FIX005', `${fixer.family} (${fixer.title}) failed and was taken back: ${detail}`, place),
		);
		return undefined;
	}
	if (session.items.length === start.items) return undefined;
	if (before === undefined) return { state: undefined };
	const stage = session.open();
	const after = takeState(stage, before);
	const { turn, shift } = session;
	const isAsBefore = turn === undefined && shift === undefined;
	const seen = isAsBefore
		? after.physics
		: takeSnapshot(stage, {
				times: before.times,
				...(turn !== undefined && { turn: transpose3(turn) }),
				...(shift !== undefined && { shift }),
			});
	const isUsed = new Set(stage.usedLayers());
	stage.close();
	const rename = renamer(session);
	const expected = session.moved.size > 0 ? renamed(before.physics, rename) : before.physics;
	// a shift says what has changed: the rest is compared
	const except = shift === undefined ? (fixer.changes ?? []) : [];
	const outside = session.editedLayers().filter((layer) => !isUsed.has(layer));
	const difference =
		compareSnapshots(expected, seen, { except })[0] ?? findLostSamples(before.sampled, after.sampled, rename, outside);
	if (difference === undefined) return { state: after };
	session.rollBack(start);
	const message = `${fixer.family} (${fixer.title}) was taken back because ${difference}`;
	const place = { file: options.name(session.rootLayer.identifier) };
	options.report?.add(createDiagnostic('FIX004', message, place));
	return undefined;
}

/** Leads from paths before the moves of a fixer to those after them. */
function renamer(session: FixSession): (path: string) => string {
	const pairs = [...session.moved].map(([from, to]) => [from.toString(), to.toString()] as const);
	pairs.sort((a, b) => b[0].length - a[0].length);
	return (path) => {
		const pair = pairs.find(([from]) => path === from || path.startsWith(`${from}/`) || path.startsWith(`${from}.`));
		return pair === undefined ? path : pair[1] + path.slice(pair[0].length);
	};
}

/** A snapshot with paths as they are after moves. */
function renamed(snapshot: PhysicsSnapshot, rename: (path: string) => string): PhysicsSnapshot {
	const out = new Map<string, typeof snapshot extends ReadonlyMap<string, infer E> ? E : never>();
	for (const [key, entry] of snapshot) {
		const end = key.indexOf('>');
		const value = typeof entry.value === 'string' && entry.value.startsWith('/') ? rename(entry.value) : entry.value;
		out.set(`<${rename(key.slice(1, end))}${key.slice(end)}`, { ...entry, value });
	}
	return out;
}

const NOTE_CODES: Readonly<Record<PlanNote['kind'], Rep158Code>> = {
	refused: 'FIX001',
	asked: 'FIX002',
	noted: 'FIX003',
};

function reportNote(note: PlanNote, options: FixOptions, name: (identifier: string) => string): void {
	const answer = note.parameter === undefined ? '' : `; give it with --${note.parameter}`;
	const message = `${note.rule}: ${note.message}${answer}`;
	options.report?.add(
		createDiagnostic(NOTE_CODES[note.kind], message, {
			...(note.layer !== undefined && { file: name(note.layer) }),
			...(note.path !== undefined && { prim: note.path }),
			data: { rule: note.rule, family: note.family },
		}),
	);
}

/** The files that differ from what was read, as they are to be written. */
function changedFiles(session: FixSession, options: NamedOptions): FixedFile[] {
	const edited = new Set(session.items.map(({ layer }) => layer));
	const files: FixedFile[] = [];
	const seen = new Set<string>();
	const created = new Set(session.createdLayers());
	const layers = [...session.layers(), ...created];
	for (const layer of layers) {
		const { identifier } = layer;
		if (seen.has(identifier) || !edited.has(identifier)) continue;
		seen.add(identifier);
		const before = session.original(identifier);
		if (created.has(layer) || before === undefined) {
			files.push(newFile(layer));
			continue;
		}
		const format = session.formats.get(identifier);
		if (format !== undefined && format !== detectFormat(before)) {
			const isText = format === 'usda';
			const bytes = isText ? writeUsda(layer.data) : writeUsdc(layer.data);
			files.push({ identifier, bytes, before, isText, ...(isText && { extent: 'layer' as const }) });
		} else if (detectFormat(before) === 'usda') {
			const { bytes, extent } = patchUsda(before, layer.data, { moves: session.specMoves(layer) });
			if (!isEqual(bytes, before)) files.push({ identifier, bytes, before, isText: true, extent });
		} else files.push({ identifier, bytes: writeUsdc(layer.data), before, isText: false });
	}
	for (const identifier of edited) {
		if (seen.has(identifier) || session.files.has(identifier) || session.replaced.has(identifier)) continue;
		const message = `${quote(options.name(identifier))} was edited but is no longer part of the asset`;
		options.report?.add(createDiagnostic('FIX006', message));
	}
	for (const [identifier, bytes] of session.files) {
		const before = session.original(identifier);
		files.push({ identifier, bytes, ...(before !== undefined && { before }), isText: false });
	}
	return files.sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}

function newFile(layer: Layer): FixedFile {
	const isText = !layer.identifier.endsWith('.usdc');
	return { identifier: layer.identifier, bytes: isText ? writeUsda(layer.data) : writeUsdc(layer.data), isText };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
	return true;
}
