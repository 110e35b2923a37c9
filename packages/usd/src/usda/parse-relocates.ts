import { comparePaths, Path } from '../sdf/path.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { anchorOf, hasNoVariants } from './parse-arcs.ts';
import { nextItem } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';
import { quotePath } from './quote-path.ts';

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const COLON = 0x3a;

type Relocate = readonly [Path, Path];

/** Reads what follows `relocates =` of a layer. */
export function readLayerRelocates(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	p.setNamedField('layerRelocates', makeValue(T.relocates, readRelocates(p, Path.root)) as Value, start, valueStart);
}

/** Reads what follows `relocates =` of a prim, which OpenUSD no longer reads. Kept sorted by source, each source once. */
export function readPrimRelocates(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	const bySource = new Map<Path, Relocate>();
	for (const pair of readRelocates(p, anchorOf(p.path))) {
		if (!bySource.has(pair[0])) bySource.set(pair[0], pair);
	}
	const sorted = [...bySource.values()].sort((a, b) => comparePaths(a[0], b[0]));
	p.setNamedField('relocates', makeValue(T.relocates, sorted) as Value, start, valueStart);
	p.warn('USDA060', 'relocates on a prim, OpenUSD reads them on layers only', start, valueStart);
}

function readRelocates(p: ParserState, anchor: Path): Relocate[] {
	const pairs: Relocate[] = [];
	if (!p.accept(BRACE_OPEN)) p.failExpected("relocates in '{'");
	p.skipAll();
	if (p.accept(BRACE_CLOSE)) return pairs;
	do {
		const source = readEnd(p, anchor, false);
		p.skipInline();
		p.expect(COLON);
		p.skipInline();
		const target = readEnd(p, anchor, true);
		if (source !== undefined && target !== undefined) pairs.push([source, target]);
	} while (nextItem(p, BRACE_CLOSE));
	return pairs;
}

function readEnd(p: ParserState, anchor: Path, mayBeEmpty: boolean): Path | undefined {
	const start = p.pos;
	if (p.bytes[start] !== 0x3c) p.failExpected("a prim path in '<'");
	const path = p.pathReference();
	if (path.isEmpty && mayBeEmpty) return path;
	if (!hasNoVariants(p, path, start)) return undefined;
	if (path.isPrim) return path.makeAbsolute(anchor);
	p.addError('USDA025', `${quotePath(path)} is not a prim path, expected one to relocate`, start, p.pos);
	return undefined;
}
