/** Tangent of the rotation, at most 45°, that makes the symmetric 2 × 2 matrix (p off; off q) diagonal. */
export function jacobiTangent(p: number, q: number, off: number): number {
	if (off === 0) return 0;
	const theta = (q - p) / (2 * off);
	// the square of a large theta would overflow, and the 1 is lost in it anyway
	if (Math.abs(theta) > 1e9) return 0.5 / theta;
	const t = 1 / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
	return theta < 0 ? -t : t;
}

/** Turns two rows of three in their plane: `p' = c p - s q`, `q' = s p + c q`. */
export function rotateRows(m: Float64Array, p: number, q: number, c: number, s: number): void {
	for (let i = 0; i < 3; i++) {
		const a = m[p + i]!;
		const b = m[q + i]!;
		m[p + i] = c * a - s * b;
		m[q + i] = s * a + c * b;
	}
}
