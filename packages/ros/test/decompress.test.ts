import { MCAP_DECOMPRESSORS } from '@manyworlds/ros/internal';
import { describe, expect, it } from 'vitest';

const bytes = Array.from({ length: 64 }, (_, i) => String.fromCharCode(i)).join('');
const CONTENT = `${'joint states '.repeat(40)}${bytes}${'states joint '.repeat(30)}`;

/** Frames of the Python packages lz4 4.x and zstandard 0.2x, as readers and writers of MCAP use them. */
const FRAMES: readonly [string, string, string, string][] = [
	[
		'lz4',
		'with its size',
		CONTENT,
		'BCJNGGhAzgMAAAAAAABMXgAAAN9qb2ludCBzdGF0ZXMgDQD/6f8xAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0IC/29Qb2ludCAAAAAA',
	],
	[
		'lz4',
		'with checksums',
		CONTENT,
		'BCJNGHRAvV4AAADfam9pbnQgc3RhdGVzIA0A/+n/MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9CAv9vUG9pbnQgkbdcFQAAAADk5kvo',
	],
	[
		'lz4',
		'with a block as it is',
		bytes,
		'BCJNGGhAQAAAAAAAAABcQAAAgAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8AAAAA',
	],
	[
		'zstd',
		'of one block',
		CONTENT,
		'KLUv/WDOAtUCANQEam9pbnQgc3RhdGVzIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8CAMBgEaFG+KDOLw==',
	],
];

describe('compressed chunks of recordings', () => {
	it.each(FRAMES)('%s, %s', (kind, _, content, frame) => {
		const found = MCAP_DECOMPRESSORS[kind]!(Buffer.from(frame, 'base64'), BigInt(content.length));
		expect(Buffer.from(found).toString('latin1')).toBe(content);
	});

	it.each(FRAMES)('%s, %s: what is broken is refused, and nothing hangs', (kind, _, content, frame) => {
		const whole = Buffer.from(frame, 'base64');
		const take = (given: Uint8Array): void => void MCAP_DECOMPRESSORS[kind]!(given, BigInt(content.length));
		expect(() => MCAP_DECOMPRESSORS[kind]!(whole, BigInt(content.length - 1))).toThrow();
		for (let length = 0; length < whole.length - 12; length++) expect(() => take(whole.subarray(0, length))).toThrow();
		for (let at = 0; at < whole.length; at++) {
			const broken = Uint8Array.from(whole);
			broken[at]! ^= 0x55;
			try {
				take(broken);
			} catch (error) {
				expect(error).toBeInstanceOf(Error);
			}
		}
	});
});
