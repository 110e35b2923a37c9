/** Unit normals of vertices: the sum of the normals of their triangles by area; zero where triangles are flat. */
export function vertexNormals(vertices: Float64Array, indices: Uint32Array): Float64Array {
	const normals = new Float64Array(vertices.length);
	for (let t = 0; t < indices.length; t += 3) {
		const a = 3 * indices[t]!;
		const b = 3 * indices[t + 1]!;
		const c = 3 * indices[t + 2]!;
		const ux = vertices[b]! - vertices[a]!;
		const uy = vertices[b + 1]! - vertices[a + 1]!;
		const uz = vertices[b + 2]! - vertices[a + 2]!;
		const vx = vertices[c]! - vertices[a]!;
		const vy = vertices[c + 1]! - vertices[a + 1]!;
		const vz = vertices[c + 2]! - vertices[a + 2]!;
		const x = uy * vz - uz * vy;
		const y = uz * vx - ux * vz;
		const z = ux * vy - uy * vx;
		for (let k = 0; k < 3; k++) {
			const at = 3 * indices[t + k]!;
			normals[at] = normals[at]! + x;
			normals[at + 1] = normals[at + 1]! + y;
			normals[at + 2] = normals[at + 2]! + z;
		}
	}
	for (let i = 0; i < normals.length; i += 3) {
		const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
		if (length === 0) continue;
		for (let k = 0; k < 3; k++) normals[i + k] = normals[i + k]! / length;
	}
	return normals;
}
