import { type Diagnostic, Report, SourceText, type TextEdit } from '@manyworlds/core';
import type { ImageCodecs } from '@manyworlds/image';
import type { AssetStore, Layer } from '@manyworlds/usd';
import { checkAsset } from '../check-asset.ts';
import type { CheckOptions } from '../check-options.ts';
import type { RepCode } from '../diagnostics.ts';
import { FIX_CLAIMS } from '../rules/fix-claims.ts';
import type { PlanNote } from './engine/plan.ts';
import { textChanges } from './engine/text-changes.ts';
import { type FixedFile, type FixResult, fixAsset } from './fix-asset.ts';

/** What `manyworlds fix` has to be told so that a finding goes away. @public */
export interface FixOffer {
	/** Whether fixes that change geometry, names or chosen values are needed. */
	readonly safety: 'safe' | 'unsafe';
	/** What else has to be said, as options of the command: `--density NUMBER`. */
	readonly option?: string;
}

/** Options of {@link offerFixes}. @public */
export interface OfferOptions {
	/** How findings were looked for. */
	readonly check?: CheckOptions;
	readonly codecs?: ImageCodecs;
}

/** An asset with layers of its own, some files replaced. */
export type OpenPatched = (
	files: readonly FixedFile[],
) => { readonly root: Layer; readonly store: AssetStore } | undefined;

/**
 * Tells which findings fixes remove, by trying: the asset is fixed in memory, with safe fixes and then with all, and checked again. What a fix asks for
 * is offered with the option that answers it. Findings that stay whatever is done have no offer.
 *
 * @param open - opens the asset anew, with files in the place of those that it has; nothing else may use what it gives
 * @public
 */
export function offerFixes(
	findings: readonly Diagnostic[],
	open: OpenPatched,
	options: OfferOptions = {},
): Map<Diagnostic, FixOffer> {
	const offers = new Map<Diagnostic, FixOffer>();
	for (const safety of ['safe', 'unsafe'] as const) {
		const claimed = new Set<string>(
			FIX_CLAIMS.filter((claim) => safety === 'unsafe' || claim.safety === 'safe').flatMap(({ rules }) => rules),
		);
		const pending = findings.filter((finding) => claimed.has(finding.code) && !offers.has(finding));
		if (pending.length > 0) tryFixes(pending, findings, safety, open, options, offers);
	}
	return offers;
}

function tryFixes(
	pending: readonly Diagnostic[],
	findings: readonly Diagnostic[],
	safety: FixOffer['safety'],
	open: OpenPatched,
	options: OfferOptions,
	offers: Map<Diagnostic, FixOffer>,
): void {
	const before = open([]);
	if (before === undefined) return;
	const report = new Report({ cap: 0 });
	const { codecs } = options;
	const fixed = fixAsset(before.root, before.store, {
		unsafe: safety === 'unsafe',
		found: new Set(findings.map(({ code }) => code as RepCode)),
		report,
		...(codecs !== undefined && { codecs }),
	});
	const after = open(fixed.files);
	if (after === undefined) return;
	const select = new Set(pending.map(({ code }) => code as RepCode));
	const left = checkAsset(after.root, after.store, { ...options.check, select }).report.toArray();
	const rename = renamer(fixed);
	for (const finding of pending) {
		if (!isLeft(finding, pending, left, rename)) {
			offers.set(finding, { safety });
			continue;
		}
		const asked = fixed.plan.notes.find((note) => note.parameter !== undefined && isAbout(note, finding, rename));
		const option = asked?.parameter ?? UNASKED[finding.code];
		if (option !== undefined) offers.set(finding, { safety, option: `--${option}` });
	}
}

/** Options that fixes can do without, so that they do not ask for them, by the rules that they put right. */
const UNASKED: Readonly<Record<string, string>> = { 'R1.2.5.4': 'package-uri URI' };

/** Whether a finding is still there: at the same place, or as often about the same prim. */
function isLeft(
	finding: Diagnostic,
	before: readonly Diagnostic[],
	after: readonly Diagnostic[],
	rename: (path: string) => string,
): boolean {
	const { code, prim, file } = finding;
	if (prim === undefined) return after.some((one) => one.code === code && one.prim === undefined && one.file === file);
	const place = rename(prim);
	const owner = primOf(place);
	const about = after.filter((one) => one.code === code && one.prim !== undefined && primOf(one.prim) === owner);
	if (about.some((one) => one.prim === place)) return true;
	const count = before.filter((one) => {
		return one.code === code && one.prim !== undefined && primOf(rename(one.prim)) === owner;
	}).length;
	return about.length >= count;
}

/** Whether a note speaks of what a finding is about. */
function isAbout(note: PlanNote, { code, prim }: Diagnostic, rename: (path: string) => string): boolean {
	if (note.rule !== code) return false;
	if (note.path === undefined || prim === undefined) return true;
	const owner = primOf(note.path);
	return owner === primOf(prim) || owner === primOf(rename(prim));
}

function primOf(path: string): string {
	const end = path.indexOf('.');
	return end < 0 ? path : path.slice(0, end);
}

function renamer({ moved }: FixResult): (path: string) => string {
	const pairs = [...moved].sort(([a], [b]) => b.length - a.length);
	return (path) => {
		const pair = pairs.find(([from]) => path === from || path.startsWith(`${from}/`) || path.startsWith(`${from}.`));
		return pair === undefined ? path : pair[1] + path.slice(pair[0].length);
	};
}

/**
 * The changes of texts that the fixes of a rule make; none when they change or make other files as well. The layers are edited: use
 * them for nothing else.
 */
export function fixEdits(root: Layer, store: AssetStore, rule: RepCode, safety: FixOffer['safety']): TextEdit[] {
	const { files } = fixAsset(root, store, { select: new Set([rule]), unsafe: safety === 'unsafe' });
	if (files.some(({ isText, before }) => !isText || before === undefined)) return [];
	return files.flatMap(({ identifier, bytes, before }) => {
		const file = store.name(identifier);
		const source = new SourceText(before!);
		return textChanges(before!, bytes).map(({ start, end, text }) => ({ file, range: source.range(start, end), text }));
	});
}

/** The command that takes an offer, without the file: `manyworlds fix --unsafe`. */
export function fixCommand({ safety, option }: FixOffer): string {
	return [
		'manyworlds fix',
		...(safety === 'unsafe' ? ['--unsafe'] : []),
		...(option === undefined ? [] : [option]),
	].join(' ');
}
