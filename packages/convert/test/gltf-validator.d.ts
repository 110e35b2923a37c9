/** Khronos' validator, as far as tests use it. */
declare module 'gltf-validator' {
	export function validateBytes(bytes: Uint8Array): Promise<{
		readonly issues: { readonly messages: readonly { readonly severity: number; readonly code: string }[] };
	}>;
}
