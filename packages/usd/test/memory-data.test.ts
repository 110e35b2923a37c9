import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeValue, Path, SpecType, T, type Value } from '../src/index.ts';
import { MemoryData } from '../src/internal.ts';

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

describe('several layers with the same paths', () => {
	it('each find their own specs, whatever is added and erased in between', () => {
		const paths = Array.from({ length: 12 }, (_, i) => Path.root.appendChild(`shared${i}`));
		const step = fc.record({
			layer: fc.nat({ max: 2 }),
			path: fc.nat({ max: paths.length - 1 }),
			kind: fc.constantFrom('add', 'erase', 'erase all', 'create'),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
				const layers = [new MemoryData(), new MemoryData(), new MemoryData()];
				const models = layers.map(() => new Map<Path, number>());
				steps.forEach(({ layer, path, kind }, number) => {
					const data = layers[layer]!;
					const model = models[layer]!;
					const at = paths[path]!;
					if (kind === 'add') {
						data.addSpec(at, SpecType.prim).set('number', int(number));
						model.set(at, number);
					} else if (kind === 'create') {
						data.createSpec(at, SpecType.prim);
						data.setField(at, 'number', int(number));
						model.set(at, number);
					} else {
						for (const erased of kind === 'erase' ? [at] : paths) {
							data.eraseSpec(erased);
							model.delete(erased);
						}
					}
				});
				layers.forEach((data, i) => {
					expect([...data.paths()]).toEqual([...models[i]!.keys()]);
					expect(data.specCount).toBe(models[i]!.size);
					for (const path of paths) expect(data.field(path, 'number')?.data).toBe(models[i]!.get(path));
				});
			}),
			{ seed: 7, numRuns: 300 },
		);
	});

	it('stay small when specs come and go, and give the paths that are left while they go', () => {
		const data = new MemoryData();
		const paths = Array.from({ length: 1000 }, (_, i) => Path.root.appendChild(`gone${i}`));
		for (const path of paths) data.addSpec(path, SpecType.prim);
		const seen: Path[] = [];
		for (const path of data.paths()) {
			seen.push(path);
			if (seen.length === 10) for (const other of paths.slice(5, 990)) data.eraseSpec(other);
		}
		expect(seen).toEqual([...paths.slice(0, 10), ...paths.slice(990)]);
		expect([...data.paths()]).toEqual([...paths.slice(0, 5), ...paths.slice(990)]);
	});
});

describe('fields of a spec', () => {
	it('keep their order and values when any of them is erased', () => {
		for (let count = 1; count <= 8; count++) {
			for (let gone = 0; gone < count; gone++) {
				const spec = new MemoryData().addSpec(Path.root, SpecType.pseudoRoot);
				const names = Array.from({ length: count }, (_, i) => `f${i}`);
				for (const [i, name] of names.entries()) spec.set(name, int(i));
				spec.erase(`f${gone}`);
				spec.set('last', int(99));
				const left = names.filter((_, i) => i !== gone);
				expect(spec.names).toEqual([...left, 'last']);
				expect(spec.names.map((name) => spec.get(name)?.data)).toEqual([...left.map((n) => Number(n[1])), 99]);
				expect(spec.names.map((_, i) => spec.valueAt(i)?.data)).toEqual([...left.map((n) => Number(n[1])), 99]);
			}
		}
	});
});
