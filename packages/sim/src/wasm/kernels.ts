import { sha256Hex } from '@manyworlds/core/internal';
import { COLLIDE_BINARY } from './collide-binary.ts';
import { ENGINE_BINARY } from './engine-binary.ts';
import { ENGINE_BINARY_32 } from './engine-binary-32.ts';
import { SPARSE_BINARY } from './sparse-binary.ts';

declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};
declare function atob(text: string): string;

/**
 * A set of kernels: steps of worlds side by side in 64 and in 32 bits, Newton's method for worlds of many bodies, and collision.
 */
export type KernelName = 'engine' | 'engine32' | 'sparse' | 'collide';

const BINARIES: Readonly<Record<KernelName, string>> = {
	engine: ENGINE_BINARY,
	engine32: ENGINE_BINARY_32,
	sparse: SPARSE_BINARY,
	collide: COLLIDE_BINARY,
};

/** Kernels that are compiled, and null for those that this machine refuses. */
const compiled = new Map<string, object | null>();

/** A new instance of kernels with memory of its own, whose exports the caller knows; undefined where WebAssembly has no SIMD. */
export function instantiateKernels<T>(name: KernelName): T | undefined {
	let module = compiled.get(name);
	if (module === undefined) {
		try {
			module = new WebAssembly.Module(decode(BINARIES[name]));
		} catch {
			module = null;
		}
		compiled.set(name, module);
	}
	return module === null ? undefined : (new WebAssembly.Instance(module, {}).exports as T);
}

/** Tells builds of the kernels apart: the beginning of the SHA-256 of their binaries. */
export function engineBuild(): string {
	const binaries = Object.values(BINARIES).map(decode);
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
