import { eigenSymmetric3 } from '@manyworlds/core/internal';
import type { MjcfContext } from './context.ts';

/** Applies the compiler settings about masses to the imported bodies, in MuJoCo's order. */
export function applyMassSettings(context: MjcfContext): void {
	const { builder, firstBody } = context;
	const { boundMass, boundInertia, balanceInertia, setTotalMass } = context.document.compiler;
	const masses = builder.column('bodyMass');
	const inertias = builder.column('bodyInertia');
	for (let body = firstBody; body < builder.bodyCount; body++) {
		// what stands between the joints of one body is no body of the file
		if (context.insertedBodies.has(body)) continue;
		if (balanceInertia) balance(inertias, 9 * body);
		if (masses[body]! < boundMass) masses[body] = boundMass;
		if (boundInertia > 0) raise(inertias, 9 * body, boundInertia);
	}
	if (!(setTotalMass > 0)) return;
	let total = 0;
	for (let body = firstBody; body < builder.bodyCount; body++) total += masses[body]!;
	if (!(total > 0)) return;
	const factor = setTotalMass / total;
	for (let body = firstBody; body < builder.bodyCount; body++) {
		masses[body] = masses[body]! * factor;
		for (let i = 9 * body; i < 9 * body + 9; i++) inertias[i] = inertias[i]! * factor;
	}
}

/** An inertia that breaks the triangle inequality becomes that of a ball with the same trace. */
function balance(inertias: Float64Array, at: number): void {
	const { values } = principal(inertias, at);
	const [a, b, c] = [values[0]!, values[1]!, values[2]!];
	if (a + b >= c) return;
	const mean = (a + b + c) / 3;
	for (let i = 0; i < 9; i++) inertias[at + i] = i % 4 === 0 ? mean : 0;
}

/** Raises principal moments to a bound. */
function raise(inertias: Float64Array, at: number, bound: number): void {
	const { values, vectors } = principal(inertias, at);
	if (values.every((value) => value >= bound)) return;
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = 0;
			for (let k = 0; k < 3; k++) sum += Math.max(bound, values[k]!) * vectors[3 * k + i]! * vectors[3 * k + j]!;
			inertias[at + 3 * i + j] = sum;
		}
	}
}

function principal(
	inertias: Float64Array,
	at: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	eigenSymmetric3(values, vectors, inertias, 0, 0, at);
	return { values, vectors };
}
