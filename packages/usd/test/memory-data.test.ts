import { describe, expect, it } from 'vitest';
import { MemoryData, makeValue, Path, SpecType, T, type Value } from '../src/index.ts';

const A = Path.root.appendChild('A');
const B = Path.root.appendChild('B');

function int(value: number): Value {
	return makeValue(T.int, value) as Value;
}

describe('memory data', () => {
	it('keeps the order and the values of very many fields', () => {
		const data = new MemoryData();
		data.createSpec(A, SpecType.prim);
		const names = Array.from({ length: 500 }, (_, i) => `field${(i * 7) % 500}`);
		for (const [i, name] of names.entries()) data.setField(A, name, int(i));
		expect(data.fieldNames(A)).toEqual(names);
		for (const [i, name] of names.entries()) expect(data.field(A, name)?.data).toBe(i);
		expect(data.field(A, 'missing')).toBeUndefined();
	});

	it('erases fields of specs with few and with very many', () => {
		for (const count of [3, 47, 48, 49, 50, 200]) {
			const data = new MemoryData();
			data.createSpec(A, SpecType.prim);
			for (let i = 0; i < count; i++) data.setField(A, `f${i}`, int(i));
			data.eraseField(A, 'f1');
			data.setField(A, 'last', int(-1));
			const expected = Array.from({ length: count }, (_, i) => `f${i}`).filter((name) => name !== 'f1');
			expect(data.fieldNames(A)).toEqual([...expected, 'last']);
			expect(data.field(A, `f${count - 1}`)?.data).toBe(count - 1);
			expect(data.field(A, 'f1')).toBeUndefined();
		}
	});

	it('keeps specs with equal long lists of fields apart', () => {
		const data = new MemoryData();
		for (const path of [A, B]) {
			data.createSpec(path, SpecType.prim);
			for (let i = 0; i < 60; i++) data.setField(path, `f${i}`, int(i));
		}
		data.setField(A, 'only', int(1));
		data.eraseField(B, 'f0');
		expect(data.fieldNames(A)).toHaveLength(61);
		expect(data.fieldNames(B)).toHaveLength(59);
		expect(data.field(A, 'f0')?.data).toBe(0);
	});

	it('sees a spec that is created after it was asked for, replaced or erased', () => {
		const data = new MemoryData();
		expect(data.has(A)).toBe(false);
		data.createSpec(A, SpecType.prim);
		expect(data.specType(A)).toBe(SpecType.prim);
		data.addSpec(A, SpecType.attribute);
		expect(data.specType(A)).toBe(SpecType.attribute);
		data.eraseSpec(A);
		expect(data.has(A)).toBe(false);
		expect(data.fieldNames(A)).toEqual([]);
	});
});
