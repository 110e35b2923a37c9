import { formatValue } from '@manyworlds/usd';
import type { CodeLens, ColorInformation, DocumentLink, InlayHint } from 'vscode-languageserver';
import { InlayHintKind } from 'vscode-languageserver';
import type { TextRequest } from '../language-features.ts';
import type { OutlineNode } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import type { ByteRange } from '../text/document-text.ts';
import { pathUses } from './references.ts';
import { layerInStage, usesOf } from './usda-request.ts';

/** Specs up to which uses of prims are counted. */
const MOST_COUNTED = 20_000;

/** Over a layer, the stage that it is checked with; over its prims, how many paths lead to them; over variant sets, what is selected. */
export async function codeLenses(request: TextRequest): Promise<CodeLens[]> {
	const { workspace, document, text } = request;
	const outline = workspace.outline(text);
	const roots = await workspace.rootsOf(document.identifier);
	const [root = document.identifier] = roots;
	const top = text.range(0, 0);
	const others = roots.length > 1 ? `, ${roots.length} stages` : '';
	const title =
		root === document.identifier
			? `checked by itself${others}`
			: `checked as part of ${workspace.store.name(root)}${others}`;
	const choices = [...new Set([...roots, document.identifier])].map((one) => workspace.uris.uri(one));
	const lenses: CodeLens[] = [
		{ range: top, command: { title, command: 'manyworlds.pickStage', arguments: [document.uri, choices] } },
		{
			range: top,
			command: { title: 'open in viewer', command: 'manyworlds.openViewer', arguments: [workspace.uris.uri(root)] },
		},
		{
			range: top,
			command: { title: 'simulate', command: 'manyworlds.simulate', arguments: [workspace.uris.uri(root)] },
		},
	];
	const context = await layerInStage(request);
	if (context === undefined || context.layer.data.specCount > MOST_COUNTED) return lenses;
	const counts = new Map<string, number>();
	for (const use of pathUses(context.composed, workspace)) {
		if (use === undefined) await request.pause();
		else for (const path of use.stagePaths) counts.set(path.toString(), (counts.get(path.toString()) ?? 0) + 1);
	}
	for (const node of outline.nodes()) {
		if (node.nameToken < 0) continue;
		const range = text.range(outline.tokens.start(node.first), outline.tokens.end(node.nameToken));
		if (node.kind === 'prim') {
			const paths = usesOf(context, node).uses.map((use) => use.path.toString());
			const count = Math.max(0, ...paths.map((path) => counts.get(path) ?? 0));
			if (count === 0) continue;
			const { start } = range;
			lenses.push({
				range,
				command: {
					title: `${count} ${count === 1 ? 'path leads' : 'paths lead'} here`,
					command: 'manyworlds.showReferences',
					arguments: [
						document.uri,
						{ line: start.line, character: text.position(outline.tokens.start(node.nameToken) + 1).character },
					],
				},
			});
		} else if (node.kind === 'variantSet') {
			const prim = usesOf(context, node).uses[0]?.prim;
			const selected = prim?.variantSelection(node.name) || 'none';
			lenses.push({ range, command: { title: `selected: ${selected}`, command: '' } });
		}
	}
	return lenses;
}

/** Asset paths that lead to a file. */
export async function links({ workspace, document, text }: TextRequest): Promise<DocumentLink[]> {
	const { tokens } = workspace.outline(text);
	const found: DocumentLink[] = [];
	for (let token = 0; token < tokens.count; token++) {
		if (tokens.kind(token) !== TokenKind.asset) continue;
		const assetPath = tokens.content(token);
		if (assetPath === '') continue;
		const { identifier, refusal } = workspace.store.identify(assetPath, document.identifier);
		if (refusal !== undefined || workspace.store.exists(identifier) === false) continue;
		const { start, end } = tokens.contentRange(token);
		found.push({ range: text.range(start, end), target: workspace.uris.uri(identifier) });
	}
	return found;
}

/** Behind values that another layer overrides: what the stage has instead. */
export async function inlayHints(request: TextRequest, range: ByteRange): Promise<InlayHint[]> {
	const context = await layerInStage(request);
	if (context === undefined) return [];
	const { outline, layer, workspace } = context;
	const { tokens } = outline;
	const hints: InlayHint[] = [];
	for (const node of outline.nodes()) {
		if (!isPlainAttribute(node) || tokens.end(node.last) < range.start || tokens.start(node.first) > range.end)
			continue;
		const { uses } = usesOf(context, node);
		for (const { prim } of uses.slice(0, 1)) {
			const info = prim.attribute(node.name).resolveInfo('default');
			const { site } = info;
			if (site === undefined || (site.layer === layer && site.path === node.path)) continue;
			const value = prim.attribute(node.name).get();
			const shown = value === undefined ? 'no value' : shorten(formatValue(value));
			hints.push({
				position: request.text.position(tokens.end(node.valueLast)),
				label: `${shown} in ${workspace.store.name(site.layer.identifier)} wins`,
				kind: InlayHintKind.Type,
				paddingLeft: true,
			});
		}
	}
	return hints;
}

function isPlainAttribute(node: OutlineNode): boolean {
	return (
		node.kind === 'property' &&
		node.typeName !== 'rel' &&
		node.suffix === '' &&
		node.valueFirst >= 0 &&
		node.path?.isProperty === true
	);
}

function shorten(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Values of colours: `color3f` with three numbers. */
export function colors({ workspace, text }: TextRequest): ColorInformation[] {
	const outline = workspace.outline(text);
	const { tokens } = outline;
	const found: ColorInformation[] = [];
	for (const node of outline.nodes()) {
		if (node.kind !== 'property' || !/^color3[fdh]$/.test(node.typeName) || node.valueFirst < 0) continue;
		const numbers: number[] = [];
		for (let token = node.valueFirst; token <= node.valueLast; token++) {
			if (tokens.kind(token) === TokenKind.number) numbers.push(Number(tokens.text(token)));
		}
		const [red, green, blue] = numbers;
		if (numbers.length !== 3 || !numbers.every((one) => one >= 0 && one <= 1)) continue;
		const range = text.range(tokens.start(node.valueFirst), tokens.end(node.valueLast));
		found.push({ range, color: { red: red!, green: green!, blue: blue!, alpha: 1 } });
	}
	return found;
}
