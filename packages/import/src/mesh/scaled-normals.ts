/** Unit normals of a surface that was scaled along the axes: divided by the factors, which keeps those of mirrored surfaces outside. */
export function scaledNormals(normals: Float64Array, scale: ArrayLike<number>): Float64Array {
	const out = normals.map((value, i) => value / scale[i % 3]!);
	for (let i = 0; i < out.length; i += 3) {
		const length = Math.hypot(out[i]!, out[i + 1]!, out[i + 2]!);
		for (let k = 0; k < 3; k++) out[i + k] = length > 0 ? out[i + k]! / length : 0;
	}
	return out;
}
