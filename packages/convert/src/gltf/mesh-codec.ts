/** Packs the arrays of meshes for `EXT_meshopt_compression`. @public */
export interface MeshCodec {
	/**
	 * The packed bytes of `count` items of `stride` bytes each: values of vertices, which come back to the last bit, or corners of
	 * triangles, which come back in order while each triangle may begin at another of its corners.
	 */
	readonly encode: (bytes: Uint8Array, count: number, stride: number, mode: 'ATTRIBUTES' | 'TRIANGLES') => Uint8Array;
}

/**
 * Loads the codec of meshoptimizer, which is WebAssembly inside of its module.
 *
 * ```ts
 * const robot = convertRobot('robot.usda', { store, to: 'glb', meshCodec: await loadMeshCodec() });
 * ```
 * @public
 */
export async function loadMeshCodec(): Promise<MeshCodec> {
	const { MeshoptEncoder } = await import('meshoptimizer/encoder');
	await MeshoptEncoder.ready;
	// version 0 is what the extension describes
	return { encode: (bytes, count, stride, mode) => MeshoptEncoder.encodeGltfBuffer(bytes, count, stride, mode, 0) };
}
