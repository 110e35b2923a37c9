/**
 * How far worlds are drawn from where they are, along x and y [m] each, so that they stand in rows around the first one with `pitch`
 * between them. `poses` are those of all links at the start.
 */
export function worldShifts(poses: Float32Array, worlds: number, pitch: number): Float32Array {
	const shifts = new Float32Array(2 * worlds);
	const links = poses.length / 7 / worlds;
	const columns = Math.ceil(Math.sqrt(worlds));
	for (let world = 0; world < worlds; world++) {
		const at = 7 * links * world;
		shifts[2 * world] = pitch * (world % columns) - (poses[at]! - poses[0]!);
		shifts[2 * world + 1] = pitch * Math.floor(world / columns) - (poses[at + 1]! - poses[1]!);
	}
	return shifts;
}
