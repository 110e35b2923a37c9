import { eigenSymmetric3, mat3ToQuat } from '@manyworlds/core/internal';
import { axisAlignedBox, mergeMeshes, solidMass, type TriangleMesh } from '@manyworlds/mesh';
import type { ShapeMesh } from '@manyworlds/model';
import type { MeshAsset } from './assets.ts';
import type { Attributes } from './attributes.ts';
import { composed, type MjcfContext } from './context.ts';
import type { GeomForm } from './geom-mass.ts';
import type { Fitted } from './geoms.ts';
import { mujocoMeshMass } from './mesh-mass.ts';

/** A primitive that stands for a mesh: fitted to its bounding box, or to the box of the same inertia. */
export function fitToMesh(
	context: MjcfContext,
	attributes: Attributes,
	type: Fitted,
	pose: Float64Array,
	meshes: readonly ShapeMesh[],
	asset: MeshAsset,
	solid: TriangleMesh | undefined,
): GeomForm | undefined {
	const factor = attributes.number('fitscale', 1);
	if (factor < 0) {
		attributes.fault('MJCF006', 'fitscale', 'expected no negative number');
		return undefined;
	}
	const whole = solid ?? (meshes.length === 1 ? meshes[0]! : mergeMeshes(meshes));
	if (context.document.compiler.fitAabb) {
		const { least, most } = axisAlignedBox(whole.vertices);
		const half = Float64Array.from(least, (value, i) => (most[i]! - value) / 2);
		const center = Float64Array.of(...Array.from(least, (value, i) => (value + most[i]!) / 2), 0, 0, 0, 1);
		return { type, size: boundsSize(type, half).map((x) => x * factor), pose: composed(pose, center) };
	}
	const mass = context.options.newtonCompat ? solidMass(whole) : mujocoMeshMass(whole, asset.inertia);
	if (!(mass.mass > 0)) {
		attributes.fault('MJCF010', 'mesh', 'which has no volume that a primitive could be fitted to');
		return undefined;
	}
	const { half, rotation } = inertiaBox(mass.inertia, mass.mass);
	const center = Float64Array.of(...mass.com, ...rotation);
	return { type, size: inertiaSize(type, half).map((x) => x * factor), pose: composed(pose, center) };
}

function boundsSize(type: Fitted, half: Float64Array): Float64Array {
	const [x, y, z] = [half[0]!, half[1]!, half[2]!];
	const radius = Math.max(x, y);
	if (type === 'sphere') return Float64Array.of(Math.max(x, y, z));
	if (type === 'capsule') return Float64Array.of(radius, Math.max(z - radius, 0));
	return type === 'cylinder' ? Float64Array.of(radius, z) : Float64Array.of(x, y, z);
}

function inertiaSize(type: Fitted, half: Float64Array): Float64Array {
	const [x, y, z] = [half[0]!, half[1]!, half[2]!];
	const radius = (x + y) / 2;
	if (type === 'sphere') return Float64Array.of((x + y + z) / 3);
	// half the radius, not all of it, as MuJoCo has it
	if (type === 'capsule') return Float64Array.of(radius, Math.max(z - radius / 2, 0));
	return type === 'cylinder' ? Float64Array.of(radius, z) : Float64Array.of(x, y, z);
}

/** Half extents of the box with an inertia, ascending, and the frame whose axes they lie along. */
function inertiaBox(
	inertia: Float64Array,
	mass: number,
): { readonly half: Float64Array; readonly rotation: Float64Array } {
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	eigenSymmetric3(values, vectors, inertia);
	const trace = values[0]! + values[1]! + values[2]!;
	const order = [0, 1, 2]
		.map((i) => ({ i, half: 0.5 * Math.sqrt(Math.max(0, (6 * (trace - 2 * values[i]!)) / mass)) }))
		.sort((a, b) => a.half - b.half);
	// rows are the images of the axes
	const rows = order.flatMap(({ i }) => [vectors[3 * i]!, vectors[3 * i + 1]!, vectors[3 * i + 2]!]);
	const [a, b, c] = [rows.slice(0, 3), rows.slice(3, 6), rows.slice(6, 9)] as [number[], number[], number[]];
	const determinant =
		a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
		a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!) +
		a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
	const first = determinant < 0 ? a.map((x) => -x) : a;
	const rotation = mat3ToQuat(new Float64Array(4), Float64Array.of(...first, ...b, ...c));
	return { half: Float64Array.from(order, ({ half }) => half), rotation };
}
