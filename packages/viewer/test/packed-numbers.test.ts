import { describe, expect, test } from 'vitest';
import { packDirections, packIndices, unpackDirections, unpackIndices } from '../src/view/packed-numbers.ts';

describe('packed numbers', () => {
	test('indices are the same when they are unpacked, in less than half the bytes for a grid', () => {
		const side = 60;
		const indices = new Uint32Array(6 * side * side);
		for (let v = 0, at = 0; v < side; v++) {
			for (let u = 0; u < side; u++, at += 6) {
				const corner = v * (side + 1) + u;
				const [right, below] = [corner + 1, corner + side + 1];
				indices.set([corner, below, below + 1, corner, below + 1, right], at);
			}
		}
		const packed = packIndices(indices)!;
		expect(packed.length).toBeLessThan(0.4 * indices.byteLength);
		expect(unpackIndices(packed, new Uint32Array(indices.length))).toEqual(indices);
	});

	test('indices that are far from each other keep every bit, and short ones too', () => {
		const long = Uint32Array.of(0, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 0, 1, ...new Uint32Array(60));
		expect(unpackIndices(packIndices(long)!, new Uint32Array(long.length))).toEqual(long);
		const short = Uint16Array.of(65_535, 0, 7, 0, 65_535, 8, ...new Uint16Array(60));
		expect(unpackIndices(packIndices(short)!, new Uint16Array(short.length))).toEqual(short);
	});

	test('indices that would take more bytes are not packed', () => {
		expect(packIndices(Uint32Array.from({ length: 99 }, (_, i) => (i % 6 < 3 ? 0 : 0x7000_0000)))).toBeUndefined();
	});

	test('directions are within 0.01 degrees, and none stays none', () => {
		const directions: number[] = [];
		for (let i = 0; i < 20_000; i++) {
			const z = 1 - (2 * i) / 19_999;
			const [r, a] = [Math.sqrt(1 - z * z), 2.399963 * i];
			directions.push(r * Math.cos(a), r * Math.sin(a), z);
		}
		directions.push(1, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1);
		const unpacked = unpackDirections(packDirections(Float32Array.from([...directions, 0, 0, 0])));
		let worst = 0;
		for (let at = 0; at < directions.length; at += 3) {
			const off = [0, 1, 2].map((k) => unpacked[at + k]! - directions[at + k]!);
			worst = Math.max(worst, Math.hypot(...off));
		}
		expect(worst).toBeLessThan((0.01 * Math.PI) / 180);
		expect([...unpacked.slice(-3)]).toEqual([0, 0, 0]);
	});
});
