/** Unit vectors along the principal axes of the spread of points, right-handed, the widest first. */
export function principalAxes(points: Float64Array): Float64Array {
	const count = points.length / 3;
	const mean = [0, 0, 0];
	for (let i = 0; i < points.length; i++) mean[i % 3] = mean[i % 3]! + points[i]! / count;
	const spread = new Float64Array(9);
	for (let i = 0; i < points.length; i += 3) {
		for (let r = 0; r < 3; r++) {
			for (let c = 0; c < 3; c++) {
				spread[r * 3 + c] = spread[r * 3 + c]! + (points[i + r]! - mean[r]!) * (points[i + c]! - mean[c]!);
			}
		}
	}
	const { values, vectors } = eigenSymmetric3(spread);
	const order = [0, 1, 2].sort((a, b) => values[b]! - values[a]! || a - b);
	const axes = new Float64Array(9);
	for (let k = 0; k < 2; k++) for (let i = 0; i < 3; i++) axes[k * 3 + i] = vectors[order[k]! * 3 + i]!;
	axes[6] = axes[1]! * axes[5]! - axes[2]! * axes[4]!;
	axes[7] = axes[2]! * axes[3]! - axes[0]! * axes[5]!;
	axes[8] = axes[0]! * axes[4]! - axes[1]! * axes[3]!;
	return axes;
}

/** Eigenvalues and unit eigenvectors (as rows) of a symmetric 3 × 3 matrix, by Jacobi rotations. */
export function eigenSymmetric3(matrix: Float64Array): {
	readonly values: Float64Array;
	readonly vectors: Float64Array;
} {
	const a = Float64Array.from(matrix);
	const vectors = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
	for (let sweep = 0; sweep < 50; sweep++) {
		const off = Math.abs(a[1]!) + Math.abs(a[2]!) + Math.abs(a[5]!);
		if (off <= 1e-300 || off <= 1e-17 * (Math.abs(a[0]!) + Math.abs(a[4]!) + Math.abs(a[8]!))) break;
		for (const [p, q] of [
			[0, 1],
			[0, 2],
			[1, 2],
		] as const) {
			const apq = a[p * 3 + q]!;
			if (apq === 0) continue;
			const theta = (a[q * 3 + q]! - a[p * 3 + p]!) / (2 * apq);
			const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
			const c = 1 / Math.sqrt(t * t + 1);
			const s = t * c;
			for (let k = 0; k < 3; k++) {
				const [kp, kq] = [a[k * 3 + p]!, a[k * 3 + q]!];
				a[k * 3 + p] = c * kp - s * kq;
				a[k * 3 + q] = s * kp + c * kq;
			}
			for (let k = 0; k < 3; k++) {
				const [pk, qk] = [a[p * 3 + k]!, a[q * 3 + k]!];
				a[p * 3 + k] = c * pk - s * qk;
				a[q * 3 + k] = s * pk + c * qk;
				const [vp, vq] = [vectors[p * 3 + k]!, vectors[q * 3 + k]!];
				vectors[p * 3 + k] = c * vp - s * vq;
				vectors[q * 3 + k] = s * vp + c * vq;
			}
		}
	}
	return { values: Float64Array.of(a[0]!, a[4]!, a[8]!), vectors };
}
