import { Report } from '@manyworlds/core';
import {
	combineMasses,
	type MassProperties,
	placeMass,
	primitiveMass,
	solidMass,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { multiplyDensity } from '@manyworlds/mesh/internal';
import type { Heightfield, ShapeMesh } from '@manyworlds/model';
import type { MeshAsset } from './assets.ts';
import type { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';
import { mujocoMeshMass } from './mesh-mass.ts';

/** A geom with everything that its shape needs. Sizes as the builder has them [m]. */
export interface GeomForm {
	readonly type: 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'box' | 'plane' | 'hfield' | 'mesh' | 'sdf';
	readonly size: Float64Array;
	/** In the body. */
	readonly pose: Float64Array;
	readonly meshes?: readonly ShapeMesh[];
	readonly asset?: MeshAsset;
	/** Gives the surface that the mass is computed from. */
	readonly solid?: () => TriangleMesh | undefined;
	readonly heightfield?: Heightfield;
}

/** Mass of a geom in the frame of its body. */
export type GeomMass = MassProperties;

/** What a geom adds to the mass of its body; undefined for geoms without mass. */
export function geomMass(context: MjcfContext, attributes: Attributes, form: GeomForm): GeomMass | undefined {
	const explicit = attributes.has('mass') ? attributes.number('mass', 0) : undefined;
	const density = attributes.number('density', context.builder.defaultShapeConfig.density);
	if (explicit !== undefined) attributes.ignore('density', 'mass is given');
	const unit = unitMass(context, attributes, form);
	if (unit === undefined || unit.mass <= 0) return undefined;
	const factor = explicit === undefined ? density : explicit / unit.mass;
	if (!(factor > 0)) return undefined;
	return placeMass(multiplyDensity(unit, factor), form.pose.subarray(0, 3), form.pose.subarray(3));
}

/** Mass properties at density 1, in the frame of the geom. */
function unitMass(context: MjcfContext, attributes: Attributes, form: GeomForm): MassProperties | undefined {
	const [x, y, z] = [form.size[0]!, form.size[1]!, form.size[2]!];
	const isShell = attributes.word('shellinertia') === 'true';
	if (isShell && form.type !== 'mesh') attributes.ignore('shellinertia', 'primitives are solid here');
	switch (form.type) {
		case 'sphere':
			return primitiveMass({ type: 'sphere', radius: x }, { density: 1 });
		case 'box':
			return primitiveMass({ type: 'box', halfExtents: [x, y, z] }, { density: 1 });
		case 'capsule':
			return primitiveMass({ type: 'capsule', radius: x, halfHeight: y }, { density: 1 });
		case 'cylinder':
			return primitiveMass({ type: 'cylinder', radius: x, halfHeight: y }, { density: 1 });
		case 'ellipsoid':
			return primitiveMass({ type: 'ellipsoid', radii: [x, y, z] }, { density: 1 });
		case 'mesh':
			return meshMass(context, attributes, form, isShell);
		default:
			return undefined;
	}
}

function meshMass(
	context: MjcfContext,
	attributes: Attributes,
	form: GeomForm,
	isShell: boolean,
): MassProperties | undefined {
	const { meshes, asset } = form;
	const solid = form.solid?.();
	if (!context.options.newtonCompat) return solid && mujocoMeshMass(solid, isShell ? 'shell' : asset!.inertia);
	const found = new Report();
	const parts = meshes!.map((mesh) => solidMass(mesh, { report: found }));
	for (const diagnostic of found.toArray()) context.report.add({ ...attributes.element.location, ...diagnostic });
	return parts.length === 1 ? parts[0] : combineMasses(parts);
}
