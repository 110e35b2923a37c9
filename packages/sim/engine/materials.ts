/**
 * Contact materials of the shapes of a batch as the host copied them from the model: those of no world that stand before and behind all
 * others, then those of the worlds of the batch.
 */
export let materialStiffness: usize = 0;
export let materialFriction: usize = 0;
/** Relaxation times, negative where a shape has none. */
export let materialTau: usize = 0;
/** Shapes that stand before those of all worlds, the first that stands behind them, and all shapes. */
export let firstWorldShape: i32 = 0;
export let lastWorldShape: i32 = 0;
export let shapeCount: i32 = 0;
/** Shapes of the worlds of a batch that there is room for. */
export let materialRoom: i32 = 0;

// what stands for shapes that leave something out
export let fallbackStiffness: f64 = 0;
export let fallbackFriction: f64 = 0;
export let fallbackTau: f64 = 0;

const TINY_FRICTION: f64 = 1e-12;

/** Writes friction, stiffness, relaxation time and where between the surfaces the contact acts, as `ContactMaterials` of the host does. */
export function combineMaterials(shape0: i32, shape1: i32, firstShape: i32, out: usize): void {
	const place0 = placeOf(shape0, firstShape);
	const place1 = placeOf(shape1, firstShape);
	const k0 = stiffnessAt(place0);
	const k1 = stiffnessAt(place1);
	const mu0 = place0 < 0 ? fallbackFriction : load<f64>(materialFriction + (place0 << 3));
	const mu1 = place1 < 0 ? fallbackFriction : load<f64>(materialFriction + (place1 << 3));
	store<f64>(out, mu0 + mu1 > TINY_FRICTION ? (2 * mu0 * mu1) / (mu0 + mu1) : 0);
	store<f64>(out, (k0 * k1) / (k0 + k1), 8);
	store<f64>(out, tauAt(place1) + tauAt(place0), 16);
	store<f64>(out, k1 / (k0 + k1), 24);
}

/** Where the material of a shape stands; -1 for those that are not there. */
function placeOf(shape: i32, firstShape: i32): i32 {
	if (shape < firstWorldShape) return shape;
	const rest = shapeCount - lastWorldShape;
	if (shape >= lastWorldShape) return firstWorldShape + shape - lastWorldShape;
	const own = shape - firstShape;
	return own >= 0 && own < materialRoom ? firstWorldShape + rest + own : -1;
}

function stiffnessAt(place: i32): f64 {
	if (place < 0) return fallbackStiffness;
	const k = load<f64>(materialStiffness + (place << 3));
	return k > 0 && k < Infinity ? k : fallbackStiffness;
}

function tauAt(place: i32): f64 {
	if (place < 0) return fallbackTau;
	const tau = load<f64>(materialTau + (place << 3));
	return tau >= 0 && tau < Infinity ? tau : fallbackTau;
}
