const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes as base64 text (RFC 4648). */
export function toBase64(bytes: ArrayLike<number>): string {
	let text = '';
	for (let i = 0; i < bytes.length; i += 3) {
		const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		text += LETTERS[word >> 18]! + LETTERS[(word >> 12) & 63]!;
		text += i + 1 < bytes.length ? LETTERS[(word >> 6) & 63]! : '=';
		text += i + 2 < bytes.length ? LETTERS[word & 63]! : '=';
	}
	return text;
}

/** The bytes of base64 text; undefined for what is none. */
export function fromBase64(text: string): Uint8Array | undefined {
	const plain = text.replace(/=+$/, '');
	if (/[^A-Za-z0-9+/]/.test(plain)) return undefined;
	const bytes = new Uint8Array((plain.length * 3) >> 2);
	let word = 0;
	let at = 0;
	for (let i = 0; i < plain.length; i++) {
		word = ((word << 6) | LETTERS.indexOf(plain[i]!)) & 0xffffff;
		if (i % 4 !== 0) bytes[at++] = (word >> (6 - 2 * (i % 4))) & 0xff;
	}
	return bytes;
}
