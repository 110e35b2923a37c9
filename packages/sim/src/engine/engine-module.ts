import { sha256Hex } from '@manyworlds/core/internal';
import { ENGINE_BINARY } from './engine-binary.ts';
import { ENGINE_BINARY_32 } from './engine-binary-32.ts';
import type { EngineExports, NumberBytes } from './engine-memory.ts';
import { SPARSE_BINARY } from './sparse-binary.ts';
import type { SparseExports } from './sparse-newton.ts';

declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};
declare function atob(text: string): string;

/** Kernels that are compiled, and null for those that this machine refuses. */
const compiled = new Map<string, object | null>();

/** A new instance of the engine for numbers of so many bytes, with memory of its own; undefined where WebAssembly has no SIMD. */
export function instantiateEngine(bytes: NumberBytes): EngineExports | undefined {
	return instantiate(bytes === 8 ? ENGINE_BINARY : ENGINE_BINARY_32) as EngineExports | undefined;
}

/** The same for the kernels of worlds of many bodies. */
export function instantiateSparse(): SparseExports | undefined {
	return instantiate(SPARSE_BINARY) as SparseExports | undefined;
}

function instantiate(binary: string): unknown {
	let module = compiled.get(binary);
	if (module === undefined) {
		try {
			module = new WebAssembly.Module(decode(binary));
		} catch {
			module = null;
		}
		compiled.set(binary, module);
	}
	return module === null ? undefined : new WebAssembly.Instance(module, {}).exports;
}

/** Tells builds of the engine apart: the beginning of the SHA-256 of its binaries. */
export function engineBuild(): string {
	const binaries = [ENGINE_BINARY, ENGINE_BINARY_32, SPARSE_BINARY].map(decode);
	const all = new Uint8Array(binaries.reduce((length, binary) => length + binary.length, 0));
	let next = 0;
	for (const binary of binaries) {
		all.set(binary, next);
		next += binary.length;
	}
	return sha256Hex(all).slice(0, 12);
}

function decode(text: string): Uint8Array {
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
