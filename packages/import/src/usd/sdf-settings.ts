import type { Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { asNumber, showValue } from './plain-value.ts';

/** Hydroelastic settings of a shape. */
export interface HydroelasticSettings {
	readonly isHydroelastic: boolean;
	/** Undefined takes the builder's. */
	readonly kh: number | undefined;
}

const FORMATS = ['float32', 'uint16', 'uint8'];

/**
 * Reads and checks settings of signed distance fields. The fields themselves are not made here: models have no place for
 * them, so beyond the checks only hydroelastic contact comes of it.
 */
export function readSdfSettings(ctx: ImportContext, prim: Prim, isMesh: boolean): HydroelasticSettings {
	const hasApi = prim.hasSchema('NewtonSDFCollisionAPI');
	if (hasApi && prim.hasSchema('NewtonMeshCollisionAPI')) {
		ctx.tell(
			'IMP033',
			prim,
			'NewtonSDFCollisionAPI and NewtonMeshCollisionAPI are both applied; the distance field counts',
		);
	}
	const refuse = (name: string, value: number | string, wanted: string): undefined => {
		ctx.tell(
			'IMP033',
			prim,
			`newton:${name} is ${showValue(value)}, expected ${wanted}; it counts as not given`,
			`newton:${name}`,
		);
		return undefined;
	};
	let voxel = resolvedNumber(ctx, prim, 'sdf_target_voxel_size');
	if (voxel !== undefined && voxel <= 0) voxel = refuse('sdfTargetVoxelSize', voxel, 'a length above 0');
	let resolution = resolvedNumber(ctx, prim, 'sdf_max_resolution');
	if (resolution !== undefined && resolution <= 0)
		resolution = refuse('sdfMaxResolution', resolution, 'a number above 0');
	if (resolution !== undefined && resolution % 8 !== 0)
		resolution = refuse('sdfMaxResolution', resolution, 'a multiple of 8');
	if (voxel !== undefined && resolution !== undefined) {
		ctx.tell(
			'IMP033',
			prim,
			'newton:sdfTargetVoxelSize and newton:sdfMaxResolution are both given; the voxel size counts',
			'newton:sdfMaxResolution',
		);
	}
	const format = ctx.resolvers.resolve(prim, 'shape', 'sdf_texture_format').value;
	if (typeof format === 'string' && !FORMATS.includes(format))
		refuse('sdfTextureFormat', format, `one of ${FORMATS.join(', ')}`);
	const padding = resolvedNumber(ctx, prim, 'sdf_padding');
	if (padding !== undefined && padding < 0) refuse('sdfPadding', padding, 'a length, 0 or more');
	let kh = resolvedNumber(ctx, prim, 'kh');
	if (kh !== undefined && kh <= 0) kh = refuse('hydroelasticStiffness', kh, 'a stiffness above 0');
	const enabled = ctx.resolvers.resolve(prim, 'shape', 'hydroelastic_enabled').value;
	// where the schema is applied its default, false, counts before the builder's
	let isHydroelastic =
		typeof enabled === 'boolean' ? enabled : hasApi ? false : ctx.builder.defaultShapeConfig.isHydroelastic;
	const hasSdf = hasApi || voxel !== undefined || resolution !== undefined;
	if (isHydroelastic && isMesh && !hasSdf) {
		ctx.tell(
			'IMP035',
			prim,
			'a hydroelastic mesh needs newton:sdfMaxResolution or newton:sdfTargetVoxelSize; it is imported without hydroelastic contact',
			'newton:hydroelasticEnabled',
		);
		isHydroelastic = false;
	}
	return { isHydroelastic, kh };
}

/** A number of a shape; undefined where it is not given. */
function resolvedNumber(ctx: ImportContext, prim: Prim, key: string): number | undefined {
	const value = asNumber(ctx.resolvers.resolve(prim, 'shape', key).value);
	return value === Number.NEGATIVE_INFINITY ? undefined : value;
}
