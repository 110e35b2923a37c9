import type { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { RESERVED_COUNT } from './keywords.ts';
import { anchorOf } from './parse-arcs.ts';
import { readDictionary } from './parse-dictionary.ts';
import type { ParserState } from './parser-state.ts';

const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const AT = 0x40;

/**
 * Reads `[ <target> ] = TypeName { type argument = value ... }` after `.mapper` of an attribute. Mappers have no meaning any
 * more, and OpenUSD no longer reads them: they are kept as specs of their own so that nothing is lost.
 */
export function readMapper(p: ParserState, start: number): void {
	p.skipInline();
	p.expect(BRACKET_OPEN);
	p.skipInline();
	const target = p.pathReference();
	p.skipInline();
	p.expect(BRACKET_CLOSE);
	p.assignment();
	const word = p.scopedIdentifier();
	if (word < RESERVED_COUNT) p.failExpected('the type of a mapper');
	const end = p.pos;
	p.skipInline();
	const entries = p.bytes[p.pos] === BRACE_OPEN ? readDictionary(p) : undefined;
	if (entries === undefined) p.pos = end;

	const absolute = target.isAbsolute ? target : target.makeAbsolute(anchorOf(p.path));
	const path = p.path.appendMapper(absolute);
	const known = (p.spec.get('mapperChildren')?.data ?? []) as readonly Path[];
	if (!known.includes(absolute)) {
		p.setNamedField('mapperChildren', makeValue(T.pathVector, [...known, absolute]) as Value, start, start);
	}
	const mapper = p.data.addSpec(path, SpecType.mapper);
	mapper.set('typeName', p.token(word));
	if (entries !== undefined) {
		mapper.set('mapperArgChildren', makeValue(T.tokenVector, [...entries.keys()]) as Value);
		for (const [name, value] of entries) {
			p.data.addSpec(path.appendMapperArg(name), SpecType.mapperArg).set('mapperArgValue', value);
		}
	}
	p.warn('USDA061', 'mapper of a connection, OpenUSD no longer reads mappers', start, end);
}

/** Reads the `@ name` that may follow a connection path. OpenUSD no longer reads it: it is kept on a connection spec. */
export function readMarker(p: ParserState, target: Path | undefined): void {
	const end = p.pos;
	p.skipInline();
	const start = p.pos;
	if (!p.accept(AT)) {
		p.pos = end;
		return;
	}
	p.skipInline();
	const word = p.scopedIdentifier();
	if (word < 0) p.failExpected('the name of a marker');
	p.addError('USDA062', 'marker of a connection, OpenUSD no longer reads markers', start, p.pos);
	if (target === undefined) return;
	const path = p.path.appendTarget(target);
	p.data.addSpec(path, SpecType.connection).set('marker', makeValue(T.string, p.text(word)) as Value);
}
