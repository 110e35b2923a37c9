/** Nodes in (-1, 1), ascending, and weights of Gauss-Legendre quadrature, by Newton's method on the Legendre polynomial. */
export function gaussLegendre(count: number): { readonly nodes: Float64Array; readonly weights: Float64Array } {
	const nodes = new Float64Array(count);
	const weights = new Float64Array(count);
	for (let i = 0; i < count; i++) {
		let x = -Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
		let derivative = 1;
		for (let step = 0; step < 100; step++) {
			let previous = 1;
			let value = x;
			for (let n = 2; n <= count; n++) {
				const next = ((2 * n - 1) * x * value - (n - 1) * previous) / n;
				previous = value;
				value = next;
			}
			derivative = (count * (x * value - previous)) / (x * x - 1);
			const change = value / derivative;
			x -= change;
			if (Math.abs(change) < 1e-16) break;
		}
		nodes[i] = x;
		weights[i] = 2 / ((1 - x * x) * derivative * derivative);
	}
	return { nodes, weights };
}
