declare module 'three/addons/libs/mikktspace.module.js' {
	/** Tangents of the corners of triangles that share no vertices, four numbers each. */
	export function generateTangents(position: Float32Array, normal: Float32Array, uv: Float32Array): Float32Array;
}
