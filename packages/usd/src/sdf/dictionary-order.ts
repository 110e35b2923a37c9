/**
 * Order of two names as OpenUSD lists properties and metadata fields: letters without regard to case, `_` before
 * letters, runs of digits by their number; case and leading zeros only break ties. Text beyond ASCII goes by code point.
 * Negative when `a` comes first, 0 only for equal names.
 */
export function compareDictionary(a: string, b: string): number {
	if (a === b) return 0;
	return isLess(a, b) ? -1 : 1;
}

/** Order of two texts by their UTF-8 bytes (by code point), as `std::string` compares. */
export function compareUtf8(a: string, b: string): number {
	const end = Math.min(a.length, b.length);
	for (let i = 0; i < end; i++) {
		const x = a.charCodeAt(i);
		const y = b.charCodeAt(i);
		if (x !== y) return codePointRank(x) - codePointRank(y);
	}
	return a.length - b.length;
}

/** Ranks UTF-16 units so that halves of surrogate pairs come after all other units, as their code points do. */
function codePointRank(unit: number): number {
	if (unit < 0xd800) return unit;
	return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

function isLess(a: string, b: string): boolean {
	const aEnd = a.length;
	const bEnd = b.length;
	let i = 0;
	let j = 0;
	for (;;) {
		while (i < aEnd && j < bEnd && a.charCodeAt(i) === b.charCodeAt(j)) {
			i++;
			j++;
		}
		if (i === aEnd || j === bEnd) break;
		const x = a.charCodeAt(i);
		const y = b.charCodeAt(j);
		if (x >= 0x40 && y >= 0x40 && x < 0x80 && y < 0x80 && (x | 0x20) !== (y | 0x20)) {
			// adding 5 puts `_` before all letters
			return ((x + 5) & 31) < ((y + 5) & 31);
		}
		if (isDigit(x) && isDigit(y)) {
			const aRun = digitRun(a, i);
			const bRun = digitRun(b, j);
			const order = compareDigits(a, aRun, b, bRun);
			if (order !== 0) return order < 0;
			i = aRun.end;
			j = bRun.end;
		} else if (isDigit(x) || isDigit(y)) {
			if (i === 0) return x < y;
			// a digit that continues a number makes it larger, one that starts a number comes first
			return isDigit(a.charCodeAt(i - 1)) ? isDigit(y) : isDigit(x);
		} else if (!isLetter(x) || !isLetter(y)) {
			return codePointRank(x) < codePointRank(y);
		} else {
			i++;
			j++;
		}
	}
	if (i !== aEnd || j !== bEnd) return i === aEnd;
	// equal but for case and leading zeros: the first difference decides
	let k = 0;
	while (k < aEnd && k < bEnd && a.charCodeAt(k) === b.charCodeAt(k)) k++;
	const x = k < aEnd ? a.charCodeAt(k) : 0;
	const y = k < bEnd ? b.charCodeAt(k) : 0;
	return y === 0x30 || (x !== 0x30 && x < y);
}

interface DigitRun {
	/** Index of the first digit that is not a leading zero. */
	readonly start: number;
	readonly end: number;
}

/** The run of digits around `at`. */
function digitRun(text: string, at: number): DigitRun {
	let start = at;
	let end = at;
	while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
	while (end < text.length && isDigit(text.charCodeAt(end))) end++;
	while (start < end && text.charCodeAt(start) === 0x30) start++;
	return { start, end };
}

function compareDigits(a: string, aRun: DigitRun, b: string, bRun: DigitRun): number {
	const count = aRun.end - aRun.start;
	if (count !== bRun.end - bRun.start) return count - (bRun.end - bRun.start);
	for (let i = 0; i < count; i++) {
		const order = a.charCodeAt(aRun.start + i) - b.charCodeAt(bRun.start + i);
		if (order !== 0) return order;
	}
	return 0;
}

function isDigit(unit: number): boolean {
	return unit >= 0x30 && unit <= 0x39;
}

function isLetter(unit: number): boolean {
	const upper = unit & ~0x20;
	return upper >= 0x41 && upper <= 0x5a;
}
