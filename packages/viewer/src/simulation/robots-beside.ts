/** Poses of two robots, the second one beside the first. */
export function beside(a: ArrayLike<number>, b: ArrayLike<number>): Float32Array<ArrayBuffer> {
	const out = new Float32Array(a.length + b.length);
	out.set(a);
	out.set(b, a.length);
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let at = 1; at < a.length; at += 7) [low, high] = [Math.min(low, a[at]!), Math.max(high, a[at]!)];
	const apart = Math.ceil(2 * (high - low + 0.5)) / 2;
	for (let at = a.length + 1; at < out.length; at += 7) out[at] = out[at]! + apart;
	return out;
}

/** The largest distance between positions of poses [m]. */
export function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
	let most = 0;
	for (let at = 0; at < a.length; at += 7) {
		most = Math.max(most, Math.hypot(a[at]! - b[at]!, a[at + 1]! - b[at + 1]!, a[at + 2]! - b[at + 2]!));
	}
	return most;
}
