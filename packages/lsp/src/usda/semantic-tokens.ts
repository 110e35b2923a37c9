import { SchemaRegistry } from '@manyworlds/usd';
import {
	type TextRequest,
	TOKEN_MODIFIERS,
	TOKEN_TYPES,
	type TokenModifierName,
	type TokenTypeName,
} from '../language-features.ts';
import type { OutlineNode, UsdaOutline } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import type { TokenSink } from '../text/token-numbers.ts';

const TYPE = Object.fromEntries(TOKEN_TYPES.map((name, i) => [name, i])) as Readonly<Record<TokenTypeName, number>>;
const MODIFIER = Object.fromEntries(TOKEN_MODIFIERS.map((name, i) => [name, 1 << i])) as Readonly<
	Record<TokenModifierName, number>
>;

const KEYWORDS: ReadonlySet<string> = new Set(
	'def over class variantSet custom uniform varying config rel prepend append delete add reorder timeSamples connect spline None true false inf nan'.split(
		' ',
	),
);

/** What tokens mean by themselves: their type plus one, 0 for marks; those of words depend on the word. */
const KIND_TYPES: readonly number[] = (
	['comment', 'string', 'macro', 'variable', 'number', undefined, undefined] as const
).map((name) => (name === undefined ? 0 : TYPE[name] + 1));

/** Tokens of a layer with their meaning. Only the text is needed: colours do not wait for a stage. */
export function semanticTokens({ workspace, text }: TextRequest, add: TokenSink): void {
	const outline = workspace.outline(text);
	const { tokens } = outline;
	const meanings = meaningsOf(outline);
	for (let token = 0; token < tokens.count; token++) {
		const meaning = meanings[token]!;
		const kind = tokens.kind(token);
		const start = tokens.start(token);
		const end = tokens.end(token);
		if (meaning !== 0) {
			const type = (meaning & 0xff) - 1;
			if (type === TYPE.property && kind === TokenKind.word) namespaced(tokens.bytes, start, end, meaning >> 8, add);
			else add(start, end, type, meaning >> 8);
		} else if (kind === TokenKind.word) {
			add(start, end, KEYWORDS.has(tokens.text(token)) ? TYPE.keyword : TYPE.type, 0);
		} else if (KIND_TYPES[kind] !== 0) add(start, end, KIND_TYPES[kind]! - 1, 0);
	}
}

/** A name with its namespaces apart. */
function namespaced(bytes: Uint8Array, start: number, end: number, modifiers: number, add: TokenSink): void {
	let last = end;
	while (last > start && bytes[last - 1] !== 0x3a) last--;
	if (last > start) add(start, last - 1, TYPE.namespace, modifiers);
	add(last, end, TYPE.property, modifiers);
}

/** Type plus one in the low byte and modifiers above, for tokens that their statement gives a meaning. */
function meaningsOf(outline: UsdaOutline): Uint16Array {
	const { tokens } = outline;
	const meanings = new Uint16Array(tokens.count);
	const set = (token: number, type: TokenTypeName, modifiers = 0): void => {
		if (token >= 0) meanings[token] = (TYPE[type] + 1) | (modifiers << 8);
	};
	const inactive = new Set<OutlineNode>();
	for (const node of outline.nodes()) {
		const isInactive = node.kind === 'prim' && (inactive.has(node.parent!) || saysInactive(node, outline));
		if (isInactive) inactive.add(node);
		const faded = isInactive || inactive.has(node.parent!) ? MODIFIER.inactive : 0;
		switch (node.kind) {
			case 'prim':
				set(node.typeToken, 'type', isDeprecated(node.typeName) ? MODIFIER.deprecated : 0);
				set(node.nameToken, 'class', MODIFIER.declaration | faded);
				break;
			case 'variantSet':
			case 'variant':
				set(node.nameToken, 'enumMember', MODIFIER.declaration);
				break;
			case 'property': {
				const first = tokens.text(node.first);
				if (node.typeName !== 'rel') set(node.typeToken, 'type');
				set(
					node.nameToken,
					'property',
					faded | (first === 'custom' ? MODIFIER.custom : 0) | (first === 'uniform' ? MODIFIER.readonly : 0),
				);
				break;
			}
			case 'metadata':
				set(node.nameToken, 'property');
				break;
			default:
				break;
		}
	}
	return meanings;
}

function saysInactive(node: OutlineNode, { tokens }: UsdaOutline): boolean {
	const entry = node.children.find((child) => child.kind === 'metadata' && child.name === 'active');
	return entry !== undefined && entry.valueFirst >= 0 && tokens.text(entry.valueFirst) === 'false';
}

/** Whether a newer version of a type is known. */
function isDeprecated(type: string): boolean {
	const known = SchemaRegistry.standard.find(type);
	return (
		known !== undefined &&
		SchemaRegistry.standard.familyVersions(known.family).some(({ version }) => version > known.version)
	);
}
