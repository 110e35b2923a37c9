import type { CaseFormat, Expectation, FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { Random } from '../random.ts';

/** A sound file to be damaged. */
export interface Sample {
	readonly name: string;
	readonly format: CaseFormat;
	readonly bytes: Uint8Array;
	/** Ranges that a checksum protects: every change in them must be told. */
	readonly checked?: readonly (readonly [start: number, end: number])[];
}

/** Distance of the places where files are cut. */
const CUT_STEP = 64;

/** Cuts, bit flips, overwritten and moved pieces of one sample. */
export function damageGroups(sample: Sample, flips: number, options: FuzzOptions): FuzzGroup[] {
	return [sound(sample), cuts(sample, options), bitFlips(sample, flips, options), splices(sample, flips / 10, options)];
}

function sound(sample: Sample): FuzzGroup {
	return {
		name: `${sample.format}/${sample.name}/sound`,
		count: 1,
		make: () => ({ format: sample.format, bytes: sample.bytes, expects: 'clean', how: 'as it is' }),
	};
}

function cuts(sample: Sample, options: FuzzOptions): FuzzGroup {
	const { bytes, format } = sample;
	const step = options.quick ? CUT_STEP * 16 : CUT_STEP;
	const depths = format === 'usda' ? nestingDepths(bytes) : undefined;
	// a robot in XML is whole with the end of its last tag
	const end =
		format === 'urdf' || format === 'mjcf' || format === 'sdf' ? bytes.lastIndexOf(0x3e) + 1 : bytes.byteLength;
	return {
		name: `${format}/${sample.name}/cut`,
		count: Math.ceil(bytes.byteLength / step),
		make: (index) => {
			const size = index * step;
			// a crate has its contents table at the end, a package its directory; a text must close what it opened
			const isOpen = depths === undefined ? size < end : size === 0 || depths[size]! > 0;
			const expects: Expectation = isOpen ? 'error' : 'any';
			return { format, bytes: bytes.slice(0, size), expects, how: `cut after ${size} bytes` };
		},
	};
}

function bitFlips(sample: Sample, flips: number, options: FuzzOptions): FuzzGroup {
	const { format } = sample;
	const name = `${format}/${sample.name}/flip`;
	return {
		name,
		count: flips,
		make: (index) => {
			const random = new Random(options.seed, name, index);
			const bytes = sample.bytes.slice();
			const places: string[] = [];
			let isChecked = false;
			// mostly one bit, sometimes several
			for (let left = random.oneIn(4) ? 1 + random.below(8) : 1; left > 0; left--) {
				const at = random.below(bytes.byteLength);
				const bit = random.below(8);
				isChecked ||= sample.checked?.some(([start, end]) => at >= start && at < end) ?? false;
				bytes[at] = bytes[at]! ^ (1 << bit);
				places.push(`${at}.${bit}`);
			}
			// an even number of flips of one bit changes nothing, so several flips promise nothing
			const expects = isChecked && places.length === 1 ? 'told' : 'any';
			return { format, bytes, expects, how: `flipped bits ${places.join(' ')}` };
		},
	};
}

function splices(sample: Sample, count: number, options: FuzzOptions): FuzzGroup {
	const { format } = sample;
	const name = `${format}/${sample.name}/splice`;
	return {
		name,
		count: Math.max(10, Math.floor(count)),
		make: (index) => {
			const random = new Random(options.seed, name, index);
			const source = sample.bytes;
			const length = 1 + random.below(64);
			const from = random.below(source.byteLength);
			const to = random.below(source.byteLength);
			if (random.oneIn(3)) {
				// extreme numbers where counts and offsets may be
				const bytes = source.slice();
				const fill = random.pick([0x00, 0xff, 0x7f, 0x80]);
				bytes.fill(fill, to, to + random.pick([1, 2, 4, 8]));
				return { format, bytes, expects: 'any', how: `filled with ${fill} at ${to}` };
			}
			const piece = source.subarray(from, from + length);
			if (random.oneIn(2)) {
				const bytes = source.slice();
				bytes.set(piece.subarray(0, Math.min(piece.length, bytes.length - to)), to);
				return { format, bytes, expects: 'any', how: `copied ${length} bytes from ${from} over ${to}` };
			}
			const bytes = new Uint8Array(source.byteLength + piece.byteLength);
			bytes.set(source.subarray(0, to));
			bytes.set(piece, to);
			bytes.set(source.subarray(to), to + piece.byteLength);
			return { format, bytes, expects: 'any', how: `inserted ${length} bytes from ${from} at ${to}` };
		},
	};
}

/** For every prefix of a sound text: how many brackets and strings are open at its end. */
function nestingDepths(bytes: Uint8Array): Int32Array {
	const depths = new Int32Array(bytes.byteLength + 1);
	const text = Buffer.from(bytes).toString('latin1');
	let depth = 0;
	let at = 0;
	const advance = (to: number, open: number): void => {
		for (; at < to; at++) depths[at + 1] = open;
	};
	while (at < text.length) {
		const rest = text.slice(at, at + 3);
		if (rest.startsWith('#')) {
			const end = text.indexOf('\n', at);
			advance(end < 0 ? text.length : end, depth);
		} else if (rest.startsWith('"') || rest.startsWith("'") || rest.startsWith('@')) {
			const quote = rest === rest[0]!.repeat(3) ? rest : rest[0]!;
			let end = at + quote.length;
			while (end < text.length && !text.startsWith(quote, end)) end += text[end] === '\\' && rest[0] !== '@' ? 2 : 1;
			advance(end + quote.length - 1, depth + 1);
			advance(end + quote.length, depth);
		} else {
			if ('([{<'.includes(rest[0]!)) depth++;
			if (')]}>'.includes(rest[0]!)) depth--;
			advance(at + 1, depth);
		}
	}
	return depths;
}
