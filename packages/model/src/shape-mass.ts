import { Report } from '@manyworlds/core';
import {
	type MassProperties,
	type PrimitiveShape,
	primitiveMass,
	scaleMass,
	shellMass,
	solidMass,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { multiplyDensity, scaleMesh } from '@manyworlds/mesh/internal';
import { createDiagnostic } from './diagnostics.ts';
import { enumName, GeoType } from './enums.ts';
import { isHeightfield, type ShapeSource } from './geometry.ts';
import { ModelError } from './model-error.ts';
import type { ShapeConfig } from './shape-config.ts';

/**
 * Mass properties of meshes at density 1 and scale 1, with what there is to say about them, by their triangles: shapes share
 * arrays, also those whose meshes differ in their looks.
 */
const unitMass = new WeakMap<Uint32Array, UnitMass>();

interface UnitMass {
	readonly vertices: Float64Array;
	readonly mass: MassProperties;
	readonly report: Report;
}

/** Mass, centre and inertia of a shape in its own frame; a hollow one has walls as thick as its margin. */
export function shapeMassProperties(
	type: GeoType,
	scale: Float64Array,
	source: ShapeSource | null,
	config: ShapeConfig,
	label: string,
	report: Report,
): MassProperties | undefined {
	try {
		if (!config.isSolid && config.margin === 0) {
			report.add(
				createDiagnostic('MODEL035', `hollow shape '${label}' has margin 0 m, so its wall has no mass`, {
					prim: label,
				}),
			);
			return undefined;
		}
		if (type === GeoType.MESH || type === GeoType.CONVEX_MESH)
			return meshMass(meshOf(source, label), scale, config, report);
		const shape = primitiveOf(type, scale);
		if (shape === undefined) return undefined;
		return primitiveMass(shape, { density: config.density, ...(config.isSolid ? {} : { thickness: config.margin }) });
	} catch (error) {
		if (!(error instanceof RangeError) || error instanceof ModelError) throw error;
		throw new ModelError('MODEL008', `mass of ${enumName(GeoType, type)} shape '${label}': ${error.message}`, {
			kind: 'shape',
			label,
		});
	}
}

function meshMass(mesh: TriangleMesh, scale: Float64Array, config: ShapeConfig, report: Report): MassProperties {
	const [x, y, z] = [scale[0]!, scale[1]!, scale[2]!];
	if (!config.isSolid) {
		// the wall is as thick on every side of a stretched mesh: stretch the surface, not the wall
		return shellMass(scaleMesh(mesh, x, y, z), {
			density: config.density,
			thickness: 2 * config.margin,
			method: 'wedge',
		});
	}
	let unit = unitMass.get(mesh.indices);
	if (unit?.vertices !== mesh.vertices) {
		const found = new Report();
		unit = { vertices: mesh.vertices, mass: solidMass(mesh, { report: found }), report: found };
		unitMass.set(mesh.indices, unit);
	}
	report.addAll(unit.report);
	return multiplyDensity(scaleMass(unit.mass, x, y, z), config.density);
}

function meshOf(source: ShapeSource | null, label: string): TriangleMesh {
	if (source === null || isHeightfield(source)) {
		throw new ModelError('MODEL008', `mesh shape '${label}' has no mesh`, { kind: 'shape', label });
	}
	return source;
}

function primitiveOf(type: GeoType, scale: Float64Array): PrimitiveShape | undefined {
	const [x, y, z] = [scale[0]!, scale[1]!, scale[2]!];
	switch (type) {
		case GeoType.SPHERE:
			return { type: 'sphere', radius: x };
		case GeoType.BOX:
			return { type: 'box', halfExtents: [x, y, z] };
		case GeoType.CAPSULE:
			return { type: 'capsule', radius: x, halfHeight: y };
		case GeoType.CYLINDER:
			return { type: 'cylinder', radius: x, halfHeight: y, barrelRadius: z };
		case GeoType.CONE:
			return { type: 'cone', radius: x, halfHeight: y };
		case GeoType.ELLIPSOID:
			return { type: 'ellipsoid', radii: [x, y, z] };
		default:
			return undefined;
	}
}
