import { sha256Hex } from '@manyworlds/core/internal';
import { ENGINE_BINARY } from './engine-binary.ts';
import type { EngineExports } from './engine-memory.ts';

declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};
declare function atob(text: string): string;

let compiled: object | undefined;
let isRefused = false;

/** A new instance of the engine with memory of its own; undefined where WebAssembly has no SIMD. */
export function instantiateEngine(): EngineExports | undefined {
	if (isRefused) return undefined;
	try {
		compiled ??= new WebAssembly.Module(decode(ENGINE_BINARY));
	} catch {
		isRefused = true;
		return undefined;
	}
	return new WebAssembly.Instance(compiled, {}).exports as EngineExports;
}

/** Tells builds of the engine apart: the beginning of the SHA-256 of its binary. */
export function engineBuild(): string {
	return sha256Hex(decode(ENGINE_BINARY)).slice(0, 12);
}

function decode(text: string): Uint8Array {
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
