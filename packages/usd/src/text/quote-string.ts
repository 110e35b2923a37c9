import { TextOutput } from './text-output.ts';

/** Writes `text` as a quoted string: triple quotes when it holds a newline, single ones when it holds only double ones. */
export function writeQuoted(out: TextOutput, text: string): void {
	const count = text.length;
	out.reserve(count + 2);
	const bytes = out.bytes;
	let to = out.length;
	bytes[to++] = 0x22;
	for (let i = 0; i < count; i++) {
		const unit = text.charCodeAt(i);
		if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) {
			writeEscaped(out, text);
			return;
		}
		bytes[to++] = unit;
	}
	bytes[to++] = 0x22;
	out.length = to;
}

/** Writes an asset path between `@`, or between `@@@` when it holds one itself. */
export function writeAssetPath(out: TextOutput, path: string): void {
	if (path.includes('@')) {
		out.text('@@@');
		out.text(path.replaceAll('@@@', '\\@@@'));
		out.text('@@@');
	} else {
		out.byte(0x40);
		out.text(path);
		out.byte(0x40);
	}
}

/** `text` as a quoted string, as the usda writer spells it. */
export function quoteString(text: string): string {
	const out = new TextOutput();
	writeQuoted(out, text);
	return new TextDecoder().decode(out.finish());
}

const HEX = '0123456789abcdef';

function writeEscaped(out: TextOutput, text: string): void {
	const quote = text.includes('"') && !text.includes("'") ? 0x27 : 0x22;
	const isTriple = text.includes('\n');
	const scratch = new TextOutput();
	scratch.text(text);
	const bytes = scratch.finish();
	const count = bytes.length;
	out.reserve(count * 4 + 6);
	for (let i = isTriple ? 3 : 1; i > 0; i--) out.byte(quote);
	for (let i = 0; i < count; i++) {
		const byte = bytes[i]!;
		const length = byte < 0x80 ? 0 : multiByteLength(bytes, i, count);
		if (length > 0) {
			for (let end = i + length; i < end; i++) out.byte(bytes[i]!);
			i--;
		} else if (byte === 0x0a) {
			out.text(isTriple ? '\n' : '\\n');
		} else if (byte === 0x0d) {
			out.text('\\r');
		} else if (byte === 0x09) {
			out.text('\\t');
		} else if (byte === 0x5c) {
			out.text('\\\\');
		} else if (byte === quote) {
			out.byte(0x5c);
			out.byte(quote);
		} else if (byte < 0x20 || byte > 0x7e) {
			out.text(`\\x${HEX[byte >> 4]}${HEX[byte & 15]}`);
		} else {
			out.byte(byte);
		}
	}
	for (let i = isTriple ? 3 : 1; i > 0; i--) out.byte(quote);
}

/** Length of the multi-byte sequence at `at`, 0 when its bytes do not have that form. */
function multiByteLength(bytes: Uint8Array, at: number, end: number): number {
	const lead = bytes[at]!;
	const length = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
	if (length === 0 || at + length > end) return 0;
	for (let i = 1; i < length; i++) {
		if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
	}
	return length;
}
