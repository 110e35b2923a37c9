import { CONTACT_DEFAULTS, type ContactDefaultsName } from '../contact-defaults.ts';

/** Arrays that {@link carryWeight} reads and edits. */
export interface ContactArrays {
	readonly shapeWorld: Int32Array;
	readonly shapeMaterialKe: Float64Array;
	readonly shapeMaterialKd: Float64Array;
	readonly bodyWorld: Int32Array;
	readonly bodyMass: Float64Array;
	readonly gravity: Float64Array;
}

/**
 * Makes shapes that have the numbers of contact defaults stiff enough that one contact carries all that weighs in their world
 * without sinking deeper than the defaults allow: tenfold as often as it takes. Shapes of no world are as stiff as the
 * stiffest of a world.
 */
export function carryWeight(arrays: ContactArrays, name: ContactDefaultsName): void {
	const { ke, kd, sink } = CONTACT_DEFAULTS[name];
	if (sink === Number.POSITIVE_INFINITY) return;
	const { shapeWorld, shapeMaterialKe, shapeMaterialKd } = arrays;
	const stiffness = worldWeights(arrays).map((weight) => stiffnessFor(ke, weight, sink));
	const most = stiffness.reduce((largest, own) => Math.max(largest, own), ke);
	for (let shape = 0; shape < shapeMaterialKe.length; shape++) {
		if (shapeMaterialKe[shape] !== ke || shapeMaterialKd[shape] !== kd) continue;
		const world = shapeWorld[shape]!;
		const own = world < 0 ? most : stiffness[world]!;
		shapeMaterialKe[shape] = own;
		// critical for a unit mass stays critical
		shapeMaterialKd[shape] = kd * Math.sqrt(own / ke);
	}
}

/** Ten times as stiff as often as two surfaces in series need it to carry a weight [N] within `sink` [m]. */
function stiffnessFor(ke: number, weight: number, sink: number): number {
	let stiffness = ke;
	while (stiffness * sink < 2 * weight && weight < Number.POSITIVE_INFINITY) stiffness *= 10;
	return stiffness;
}

/** Weight of the bodies of each world [N]. */
function worldWeights({ bodyWorld, bodyMass, gravity }: ContactArrays): Float64Array {
	const weights = new Float64Array(gravity.length / 3);
	for (let body = 0; body < bodyMass.length; body++) {
		const world = bodyWorld[body]!;
		if (world >= 0) weights[world] = weights[world]! + bodyMass[body]!;
		else if (weights.length === 1) weights[0] = weights[0]! + bodyMass[body]!;
	}
	return weights.map(
		(mass, world) => mass * Math.hypot(gravity[3 * world]!, gravity[3 * world + 1]!, gravity[3 * world + 2]!),
	);
}
