import { expect, it } from 'vitest';
import { KernelMemory } from '../src/wasm/kernel-memory.ts';
import { instantiateKernels } from '../src/wasm/kernels.ts';

it('values that make the memory grow stand where they were put', () => {
	const exports = instantiateKernels<ConstructorParameters<typeof KernelMemory>[0]>('collide')!;
	const memory = new KernelMemory(exports, 8);
	const bytes = exports.memory.buffer.byteLength;
	const written: (readonly [address: number, first: number])[] = [];
	// what grows the memory is an array of numbers now, a table then
	for (let i = 0; exports.memory.buffer.byteLength < 8 * bytes; i++) {
		const values = Float64Array.from({ length: 1 + (i % 7) }, (_, k) => i + k / 8);
		written.push([memory.doublesAt(values), i]);
		const table = memory.table(Int32Array.of(i, -i));
		expect(memory.integers[table / 4 + 1]).toBe(i === 0 ? 0 : -i);
	}
	expect(memory.doubles.buffer).toBe(exports.memory.buffer);
	for (const [address, i] of written)
		for (let k = 0; k < 1 + (i % 7); k++) expect(memory.doubles[address / 8 + k]).toBe(i + k / 8);
});
