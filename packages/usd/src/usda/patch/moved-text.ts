import type { LayerData } from '../../sdf/layer-data.ts';
import type { Path } from '../../sdf/path.ts';
import { dataOf, makeValue, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';
import type { TextLayerData } from '../read-usda.ts';
import { type Indentation, reindented, withFields } from './render-specs.ts';
import type { TextEdits } from './text-edits.ts';

/** A prim spec that has another path now. @public */
export interface SpecMove {
	readonly from: Path;
	readonly to: Path;
}

/** The text of a prim that moves, with the comments that stand right above it. */
export interface MovedText {
	/** Its first byte in the text that it comes from. */
	readonly start: number;
	/** The text below an indentation, under the name that it has now. */
	at(indent: string, style: Indentation): string;
}

/**
 * Texts of prims that move, by where they go. A chain of moves is one move; prims that are gone, or that the text does not
 * have, have no text.
 */
export function movedTexts(
	edits: TextEdits,
	before: TextLayerData,
	after: LayerData,
	moves: readonly SpecMove[],
): Map<Path, { from: Path; text: MovedText }> {
	const found = new Map<Path, { from: Path; text: MovedText }>();
	for (const { from, to } of wholeMoves(moves)) {
		const source = before.specSource(from);
		if (source === undefined || from === to || !after.has(to) || before.has(to)) continue;
		const start = edits.commentStart(source.start);
		const nameEnd = edits.stringEnd(source.nameStart);
		const indent = edits.indentAt(source.start);
		const read = (a: number, b: number): string => new TextDecoder().decode(edits.bytes.subarray(a, b));
		const text = `${read(edits.lineStart(start), source.nameStart)}"${to.name}"${read(nameEnd, source.end)}`;
		found.set(to, { from, text: { start, at: (now, style) => reindented(text, indent, now, style) } });
	}
	return found;
}

/** Where specs come from and where they are in the end. */
function wholeMoves(moves: readonly SpecMove[]): SpecMove[] {
	const whole: SpecMove[] = [];
	for (const { from, to } of moves) {
		const known = whole.findIndex((move) => move.to === from);
		for (let i = 0; i < whole.length; i++) {
			const move = whole[i]!;
			if (move.to.hasPrefix(from)) whole[i] = { from: move.from, to: move.to.replacePrefix(from, to) };
		}
		if (known < 0) whole.push({ from: originOf(whole, from), to });
	}
	return whole;
}

/** The path that a spec had before earlier moves took it along. */
function originOf(whole: readonly SpecMove[], path: Path): Path {
	for (const { from, to } of whole) if (path.hasPrefix(to)) return path.replacePrefix(to, from);
	return path;
}

/** Layer data without some prims. */
export function withoutPrims(data: LayerData, paths: Iterable<Path>): LayerData {
	const children = new Map<Path, Set<string>>();
	for (const path of paths) {
		const names = children.get(path.parent!) ?? new Set();
		children.set(path.parent!, names.add(path.name));
	}
	let left = data;
	for (const [parent, gone] of children) {
		const names = (dataOf(data.field(parent, 'primChildren'), T.tokenVector) ?? []).filter((name) => !gone.has(name));
		const value = names.length === 0 ? undefined : (makeValue(T.tokenVector, names) as Value);
		left = withFields(left, parent, new Map([['primChildren', value]]));
	}
	return left;
}
