import { describe, expect, it } from 'vitest';
import { exercise, findFault } from './exercise.ts';
import { allGroups } from './groups/all-groups.ts';
import { Random } from './random.ts';
import { buildRawZip, crc32 } from './raw-zip.ts';

/** Cases of one group that a test run does, more with `MANYWORLDS_LONG=1`; `npm run fuzz` does them all, with limits on time and memory. */
const FEW = process.env['MANYWORLDS_LONG'] === '1' ? 25 : 8;

describe('readers', () => {
	for (const group of allGroups({ seed: 7, quick: true })) {
		it(`survive ${group.name}`, () => {
			const step = Math.max(1, Math.floor(group.count / FEW));
			for (let index = 0; index < group.count; index += step) {
				const input = group.make(index);
				// the slow ones are for the full run
				if (input.bytes.byteLength > 1_000_000) continue;
				expect(findFault(input, exercise(input)), `${group.name} ${index}: ${input.how}`).toBeUndefined();
			}
		});
	}
});

describe('the crate reader', () => {
	it('tells all damage that can be seen in small hostile files', () => {
		const group = allGroups({ seed: 7, quick: false }).find(({ name }) => name === 'attack/crate');
		let seen = 0;
		for (let index = 0; index < (group?.count ?? 0); index++) {
			const input = group!.make(index);
			if (input.expects === 'any' || input.bytes.byteLength > 20_000) continue;
			expect(findFault(input, exercise(input)), `${index}: ${input.how}`).toBeUndefined();
			seen++;
		}
		expect(seen).toBeGreaterThan(300);
	});
});

describe('cases', () => {
	it('are the same for the same seed', () => {
		const bytes = (seed: number) =>
			allGroups({ seed, quick: true })
				.find(({ name }) => name === 'soup/text-grammar')
				?.make(3).bytes;
		expect(bytes(1)).toEqual(bytes(1));
		expect(bytes(1)).not.toEqual(bytes(2));
	});

	it('spread random numbers over their range', () => {
		const random = new Random('spread');
		const counts = new Array<number>(10).fill(0);
		for (let i = 0; i < 10_000; i++) counts[random.below(10)]!++;
		for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
	});

	it('are told when a checksum does not fit', () => {
		expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
		const bytes = buildRawZip([{ name: 'root.usda', bytes: new TextEncoder().encode('#usda 1.0\n'), crc: 1 }]);
		expect(exercise({ format: 'usdz', bytes, expects: 'told', how: '' }).size).toBeGreaterThan(0);
	});
});
