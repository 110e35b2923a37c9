import { Report } from '@manyworlds/core';
import { checkAsset, type FixOptions, type FixResult, fixAsset, type RepCode } from '@manyworlds/rep158';
import { AVAILABLE_FIXES, FIXERS } from '@manyworlds/rep158/internal';
import { isAssetFailure, whenLoaded } from '@manyworlds/usd';
import { type CodeAction, CodeActionKind, type CreateFile, type TextDocumentEdit } from 'vscode-languageserver';
import type { TextRequest } from '../language-features.ts';
import type { ByteRange } from '../text/document-text.ts';
import { lineEdits } from '../text/line-edits.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Prims up to which fixes are tried to see what they do. */
const MOST_PRIMS = 20_000;

/** What fixes of the command do about findings of some rules: one action for each rule that changes something. */
export async function codeActions(
	request: TextRequest,
	_range: ByteRange,
	codes: ReadonlySet<string>,
): Promise<CodeAction[]> {
	const actions: CodeAction[] = [];
	for (const code of codes) {
		if (!AVAILABLE_FIXES.has(code)) continue;
		await request.pause();
		for (const unsafe of [false, true]) {
			const fixed = await fix(request, { select: new Set([code as RepCode]), unsafe });
			if (fixed === undefined || fixed.plan.items.length === 0) continue;
			const titles = [...new Set(fixed.plan.items.map(({ family }) => family))].map((family) => titleOf(family));
			actions.push({
				title: `${titles.join('; ')} (${code}${unsafe ? ', unsafe: changes geometry, names or chosen values' : ''})`,
				kind: CodeActionKind.QuickFix,
				isPreferred: !unsafe,
				data: code,
				...outcome(fixed, request.workspace),
			});
			break;
		}
	}
	return actions;
}

/** Every safe fix of the asset, as `manyworlds fix` makes them. */
export async function fixAll(request: TextRequest): Promise<CodeAction | undefined> {
	const fixed = await fix(request, {});
	if (fixed === undefined || fixed.files.length === 0) return undefined;
	return { title: 'Fix all that can be fixed safely', ...outcome(fixed, request.workspace) };
}

function titleOf(family: string): string {
	return FIXERS.find((one) => one.family === family)?.title ?? family;
}

/** Fixes the asset of a request in memory. */
async function fix({ workspace, document }: TextRequest, options: FixOptions): Promise<FixResult | undefined> {
	const [root = document.identifier] = await workspace.rootsOf(document.identifier);
	const store = workspace.freshStore();
	const layer = await whenLoaded(store, () => {
		const found = store.layer(root);
		// an asynchronous source learns here what else is needed
		if (found !== undefined && !isAssetFailure(found) && workspace.host.source.readSync === undefined) {
			checkAsset(found, store, { select: new Set() });
		}
		return found;
	});
	if (layer === undefined || isAssetFailure(layer) || layer.data.specCount > MOST_PRIMS * 10) return undefined;
	const codecs = await workspace.host.codecs?.();
	return fixAsset(layer, store, {
		...options,
		report: new Report({ cap: 0 }),
		...(codecs !== undefined && { codecs }),
	});
}

/** The edits of a fix, or why a client cannot make them. */
function outcome({ files }: FixResult, workspace: Workspace): Pick<CodeAction, 'edit' | 'disabled'> {
	const binary = files.find(({ isText }) => !isText);
	if (binary !== undefined) {
		const name = workspace.store.name(binary.identifier);
		return { disabled: { reason: `it changes ${name}, which is no text: run manyworlds fix` } };
	}
	const changes: (TextDocumentEdit | CreateFile)[] = [];
	for (const { identifier, bytes, before } of files) {
		const uri = workspace.uris.uri(identifier);
		const text = before === undefined ? undefined : workspace.text(identifier);
		if (text === undefined) {
			const start = { line: 0, character: 0 };
			const newText = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
			changes.push({ kind: 'create', uri, options: { ignoreIfExists: false } });
			changes.push({ textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText }] });
		} else {
			const version = workspace.document(identifier)?.version ?? null;
			changes.push({ textDocument: { uri, version }, edits: lineEdits(text, bytes) });
		}
	}
	return { edit: { documentChanges: changes } };
}
