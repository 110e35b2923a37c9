/** Tangent, tangent, normal in rows, right-handed; the first tangent is across the least component of the normal. */
export function writeContactFrame(out: Float64Array, at: number, normal: Float64Array, from: number): void {
	const nx = normal[from]!;
	const ny = normal[from + 1]!;
	const nz = normal[from + 2]!;
	const ax = Math.abs(nx);
	const ay = Math.abs(ny);
	const az = Math.abs(nz);
	const i = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2;
	const ni = i === 0 ? nx : i === 1 ? ny : nz;
	const mag = Math.sqrt(1 - ni * ni);
	const r = 1 / mag;
	const s = -r * ni;
	out[at] = i === 0 ? 0 : i === 1 ? r * nz : -r * ny;
	out[at + 1] = i === 0 ? -r * nz : i === 1 ? 0 : r * nx;
	out[at + 2] = i === 0 ? r * ny : i === 1 ? -r * nx : 0;
	out[at + 3] = i === 0 ? mag : s * nx;
	out[at + 4] = i === 1 ? mag : s * ny;
	out[at + 5] = i === 2 ? mag : s * nz;
	out[at + 6] = nx;
	out[at + 7] = ny;
	out[at + 8] = nz;
}
