/**
 * Tokens as the TOKENS section holds them: UTF-8, each followed by a NUL. A lone surrogate from U+DC80 to U+DCFF stands for
 * one byte that is not UTF-8.
 */
export function encodeTokens(tokens: readonly string[]): Uint8Array {
	const text = tokens.length === 0 ? '' : `${tokens.join('\0')}\0`;
	const encoder = new TextEncoder();
	if (!LONE_SURROGATE.test(text)) return encoder.encode(text);
	const bytes = new Uint8Array(text.length * 3);
	let size = 0;
	for (const piece of text.split(RAW_BYTE)) {
		const unit = piece.charCodeAt(0);
		if (piece.length === 1 && unit >= 0xdc80 && unit <= 0xdcff) bytes[size++] = unit & 0xff;
		else size += encoder.encodeInto(piece, bytes.subarray(size)).written;
	}
	return bytes.subarray(0, size);
}

const LONE_SURROGATE = /\p{Surrogate}/u;
/** With the u flag only a surrogate that is not half of a pair matches. */
const RAW_BYTE = /([\udc80-\udcff])/u;
