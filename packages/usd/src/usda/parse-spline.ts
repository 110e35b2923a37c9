import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import type {
	Extrapolation,
	ExtrapolationMode,
	Spline,
	SplineInterpolation,
	SplineKnot,
	SplineLoop,
	SplineTangent,
	TangentAlgorithm,
} from '../sdf/spline.ts';
import { type Dictionary, EMPTY_DICTIONARY, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { W } from './keywords.ts';
import { readDictionary } from './parse-dictionary.ts';
import { nextItem } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const PAREN_OPEN = 0x28;
const PAREN_CLOSE = 0x29;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const COMMA = 0x2c;
const AMPERSAND = 0x26;

const HELD: Extrapolation = { mode: 'held' };
const NO_TANGENT: SplineTangent = { width: 0, slope: 0, algorithm: 'none' };

/** Reads the braces after `.spline =` of an attribute with values of `type`. */
export function readSpline(p: ParserState, type: ValueType | undefined | null, typeName: string): Value {
	const valueType = type?.name;
	if (!isSplineType(valueType)) {
		return p.fail(
			'USDA047',
			`attribute of type ${typeName} has a spline, expected half, float, double, timecode or duration`,
			p.pos,
		);
	}
	if (!p.accept(BRACE_OPEN)) p.failExpected("a spline in '{'");
	const draft = new SplineDraft(valueType);
	p.skipAll();
	if (!p.accept(BRACE_CLOSE)) {
		do readItem(p, draft);
		while (nextItem(p, BRACE_CLOSE));
	}
	return makeValue(T.spline, draft.finish());
}

/** A spline that is being read. */
class SplineDraft {
	readonly #valueType: Spline['valueType'];
	curve: Spline['curve'] = 'bezier';
	pre: Extrapolation = HELD;
	post: Extrapolation = HELD;
	loop: SplineLoop | undefined;
	readonly #knots = new Map<number, SplineKnot>();

	constructor(valueType: Spline['valueType']) {
		this.#valueType = valueType;
	}

	/** A number as the type of the values holds it. */
	round(value: number): number {
		if (this.#valueType === 'float') return Math.fround(value);
		if (this.#valueType === 'half') return halfToNumber(numberToHalf(value));
		return value;
	}

	/** Of two knots at one time the first counts. */
	add(knot: SplineKnot): void {
		if (!this.#knots.has(knot.time)) this.#knots.set(knot.time, knot);
	}

	finish(): Spline {
		return {
			valueType: this.#valueType,
			curve: this.curve,
			timeValued: this.#valueType === 'timecode' || this.#valueType === 'duration',
			pre: this.pre,
			post: this.post,
			...(this.loop !== undefined && { loop: this.loop }),
			knots: [...this.#knots.values()].sort((a, b) => a.time - b.time),
		};
	}
}

function isSplineType(name: string | undefined): name is Spline['valueType'] {
	return name === 'double' || name === 'float' || name === 'half' || name === 'timecode' || name === 'duration';
}

function readItem(p: ParserState, draft: SplineDraft): void {
	if (p.isAtNumber()) {
		readKnot(p, draft);
		return;
	}
	const word = p.identifier();
	switch (word) {
		case W.bezier:
			draft.curve = 'bezier';
			return;
		case W.hermite:
			draft.curve = 'hermite';
			return;
		case W.pre:
			colon(p);
			draft.pre = readExtrapolation(p);
			return;
		case W.post:
			colon(p);
			draft.post = readExtrapolation(p);
			return;
		case W.loop:
			colon(p);
			draft.loop = readLoop(p);
			return;
		default:
			p.failExpected('a knot, bezier, hermite, pre, post or loop');
	}
}

/** Between two words a comment alone is no blank, but does no harm either. */
function blank(p: ParserState): void {
	const start = p.pos;
	p.skipInline();
	const { bytes } = p;
	if (p.pos === start) p.failExpected('a space');
	const hasBlank =
		bytes[p.pos - 1] === 0x20 || bytes[p.pos - 1] === 0x09 || bytes[start] === 0x20 || bytes[start] === 0x09;
	if (!hasBlank) p.addError('USDA001', 'found a comment without a space, expected a space', start, p.pos);
}

function colon(p: ParserState): void {
	p.skipInline();
	p.expect(COLON);
	p.skipInline();
}

function readExtrapolation(p: ParserState): Extrapolation {
	const start = p.pos;
	const word = p.identifier();
	if (word === W.none) return { mode: 'none' };
	if (word === W.held) return HELD;
	if (word === W.linear) return { mode: 'linear' };
	if (word === W.sloped) return { mode: 'sloped', slope: readNumbers(p, 1)[0]! };
	if (word === W.loop) {
		p.separator();
		const mode = LOOP_MODES.get(p.identifier());
		if (mode === undefined) p.failExpected('repeat, reset or oscillate');
		const end = p.pos;
		p.skipInline();
		if (p.bytes[p.pos] === PAREN_OPEN) return { mode, loopBoundary: readNumbers(p, 1)[0]! };
		p.pos = end;
		return { mode };
	}
	p.pos = start;
	return p.failExpected('none, held, linear, sloped or loop');
}

const LOOP_MODES: ReadonlyMap<number, ExtrapolationMode> = new Map([
	[W.repeat, 'loop repeat'],
	[W.reset, 'loop reset'],
	[W.oscillate, 'loop oscillate'],
]);

/** Reads `(a, b, ...)` with exactly `count` numbers. */
function readNumbers(p: ParserState, count: number): number[] {
	const numbers: number[] = [];
	p.skipInline();
	p.expect(PAREN_OPEN);
	for (let i = 0; i < count; i++) {
		if (i > 0) p.expect(COMMA);
		p.skipInline();
		p.number();
		numbers.push(p.value);
		p.skipInline();
	}
	p.expect(PAREN_CLOSE);
	return numbers;
}

function readLoop(p: ParserState): SplineLoop {
	const start = p.pos;
	const [protoStart, protoEnd, preLoops, postLoops, valueOffset] = readNumbers(p, 5) as [
		number,
		number,
		number,
		number,
		number,
	];
	if (!Number.isInteger(preLoops) || !Number.isInteger(postLoops)) {
		p.fail('USDA048', 'loop counts are not whole numbers', start, p.pos);
	}
	return { protoStart, protoEnd, preLoopCount: preLoops, postLoopCount: postLoops, valueOffset };
}

function readKnot(p: ParserState, draft: SplineDraft): void {
	const time = readFinite(p, 'time');
	colon(p);
	const first = draft.round(readFinite(p, 'value'));
	let second: number | undefined;
	let end = p.pos;
	p.skipInline();
	if (p.accept(AMPERSAND)) {
		p.skipInline();
		second = draft.round(readFinite(p, 'value'));
		end = p.pos;
		p.skipInline();
	}
	let interpolation: SplineInterpolation = 'held';
	let pre = NO_TANGENT;
	let post = NO_TANGENT;
	let customData: Dictionary = EMPTY_DICTIONARY;
	const isParameter = p.bytes[p.pos] === SEMICOLON || isLineEnd(p.bytes[p.pos]!);
	if (!isParameter) p.pos = end;
	else {
		p.pos++;
		p.skipInline();
		do {
			const word = p.isAtIdentifier() ? p.identifier() : -1;
			if (word === W.pre) {
				blank(p);
				pre = readTangent(p, draft);
			} else if (word === W.post) {
				blank(p);
				const mode = INTERPOLATIONS.get(p.identifier());
				if (mode === undefined) p.failExpected('none, held, linear or curve');
				interpolation = mode;
				const afterMode = p.pos;
				p.skipInline();
				if (p.bytes[p.pos] === PAREN_OPEN && p.pos > afterMode) post = readTangent(p, draft);
				else p.pos = afterMode;
			} else if (p.bytes[p.pos] === BRACE_OPEN) customData = readDictionary(p);
			else p.failExpected("pre, post or a dictionary in '{'");
		} while (nextParameter(p));
	}
	const values = second === undefined ? { value: first } : { preValue: first, value: second };
	draft.add({ time, ...values, interpolation, pre, post, customData });
}

/** After a parameter of a knot: whether another follows the separator. */
function nextParameter(p: ParserState): boolean {
	const end = p.pos;
	p.skipToLineEnd();
	const byte = p.bytes[p.pos]!;
	if (byte !== SEMICOLON && !isLineEnd(byte)) {
		p.pos = end;
		return false;
	}
	p.pos++;
	p.skipAll();
	return p.bytes[p.pos] === BRACE_OPEN || (p.isAtIdentifier() && !p.isAtNumber());
}

function isLineEnd(byte: number): boolean {
	return byte === 0x0a || byte === 0x0d;
}

const INTERPOLATIONS: ReadonlyMap<number, SplineInterpolation> = new Map([
	[W.none, 'none'],
	[W.held, 'held'],
	[W.linear, 'linear'],
	[W.curve, 'curve'],
]);

/** Reads `(width, slope)` or `(slope)`, each with an optional algorithm. */
function readTangent(p: ParserState, draft: SplineDraft): SplineTangent {
	p.skipInline();
	p.expect(PAREN_OPEN);
	p.skipInline();
	const start = p.pos;
	const numbers: number[] = [];
	let algorithm: TangentAlgorithm = 'none';
	for (;;) {
		p.number();
		numbers.push(p.value);
		p.skipInline();
		if (!p.accept(COMMA)) break;
		p.skipInline();
		if (!p.isAtNumber()) {
			algorithm = readAlgorithm(p);
			p.skipInline();
			break;
		}
		if (numbers.length === 2) p.failExpected('custom or autoEase');
	}
	p.expect(PAREN_CLOSE);
	const width = numbers.length === 2 ? numbers[0]! : 0;
	const slope = draft.round(numbers[numbers.length - 1]!);
	if (!Number.isFinite(width) || width < 0 || !Number.isFinite(slope)) {
		p.addError(
			'USDA048',
			'tangent is not usable, expected a finite width of 0 or more and a finite slope',
			start,
			p.pos,
		);
	}
	return { width, slope, algorithm };
}

function readAlgorithm(p: ParserState): TangentAlgorithm {
	const word = p.identifier();
	if (word === W.custom) return 'custom';
	if (word === W.autoEase) return 'autoEase';
	return p.failExpected('custom or autoEase');
}

function readFinite(p: ParserState, what: string): number {
	const start = p.pos;
	p.number();
	if (!Number.isFinite(p.value))
		p.addError('USDA048', `${what} of a knot is ${p.value}, expected a finite number`, start, p.pos);
	return p.value;
}
