import { eigenSymmetric3 } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';

/** Rounding of single precision: plates may miss the triangle inequality by this part of their largest moment. */
const ROUNDING = 2 ** -23;
/** What is added beyond need, as a part of the largest moment: MuJoCo finds principal moments to rounding. */
const BEYOND = 1e-12;

/**
 * The inertia of a body as MuJoCo takes it. That of a thin plate has A + B = C, which rounding may turn into A + B < C, and
 * MuJoCo refuses. Such a tensor is raised by what is missing; undefined when nothing has to be done.
 */
export function raisedPlate(model: Model, body: number): Float64Array | undefined {
	const tensor = model.bodyInertia.slice(9 * body, 9 * body + 9);
	const isDiagonal = tensor[1] === 0 && tensor[2] === 0 && tensor[5] === 0;
	const values = new Float64Array(3);
	if (isDiagonal) values.set([tensor[0]!, tensor[4]!, tensor[8]!].sort((a, b) => a - b));
	else eigenSymmetric3(values, new Float64Array(9), tensor);
	const [a, b, c] = [values[0]!, values[1]!, values[2]!];
	// numbers of a diagonal are compared as they are, others after MuJoCo has turned them
	const margin = isDiagonal ? 0 : BEYOND * c;
	const missing = c - a - b;
	if (!Number.isFinite(missing)) return undefined;
	if (missing <= -margin || missing > ROUNDING * c || (isDiagonal && a + b >= c)) return undefined;
	const raise = Math.max(0, missing) + BEYOND * c;
	for (let i = 0; i < 9; i += 4) tensor[i] = tensor[i]! + raise;
	return tensor;
}
