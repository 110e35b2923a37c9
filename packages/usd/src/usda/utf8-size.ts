/** Bytes of the UTF-8 character at `at`; 0 when it is malformed. */
export function utf8Size(bytes: Uint8Array, at: number): number {
	const first = bytes[at]!;
	if (first < 0x80) return 1;
	const second = bytes[at + 1]!;
	if (first < 0xc2 || first > 0xf4 || (second & 0xc0) !== 0x80) return 0;
	if (first < 0xe0) return 2;
	if ((bytes[at + 2]! & 0xc0) !== 0x80) return 0;
	if (first < 0xf0) {
		// no overlong forms, no surrogates
		if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second >= 0xa0)) return 0;
		return 3;
	}
	if ((bytes[at + 3]! & 0xc0) !== 0x80) return 0;
	if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second >= 0x90)) return 0;
	return 4;
}
