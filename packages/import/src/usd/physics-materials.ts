import type { ImportContext } from './context.ts';
import { asNumber } from './plain-value.ts';
import type { Resolved } from './resolvers/resolver-set.ts';

/** Contact and mass properties of a physics material, in units of the stage. */
export interface ContactMaterial {
	readonly mu: number;
	readonly restitution: number;
	readonly muTorsional: number;
	readonly muRolling: number;
	readonly density: number;
	/** Contact gains; undefined where nothing says them. */
	readonly gains: Readonly<Record<ContactGain, number | undefined>>;
	/** Path of the material; undefined for the builder's defaults. */
	readonly path: string | undefined;
	/** Values that resolvers gave, with the array of shapes they go to. */
	readonly credits: readonly (readonly [Resolved, string])[];
}

/** Names of contact gains. */
export const CONTACT_GAINS = ['ke', 'kd', 'kf', 'ka'] as const;
/** Name of a contact gain. */
export type ContactGain = (typeof CONTACT_GAINS)[number];

/** Reads every physics material of the stage; `''` is what shapes without one have. */
export function readContactMaterials(ctx: ImportContext): ReadonlyMap<string, ContactMaterial> {
	const { physics, resolvers, stage } = ctx;
	const defaults = ctx.units.shapeConfig(ctx.builder.defaultShapeConfig);
	const nothing = { ke: undefined, kd: undefined, kf: undefined, ka: undefined };
	const { mu, restitution, muTorsional, muRolling, density } = defaults;
	const out = new Map<string, ContactMaterial>([
		['', { mu, restitution, muTorsional, muRolling, density, gains: nothing, path: undefined, credits: [] }],
	]);
	for (const material of physics.materials) {
		const prim = stage.prim(material.primPath)!;
		const path = material.primPath.toString();
		const credits: (readonly [Resolved, string])[] = [];
		const read = (key: string, array: string, fallback?: number): number | undefined => {
			const resolved = resolvers.resolve(prim, 'material', key, fallback);
			if (resolved.source !== 'none') credits.push([resolved, array]);
			return asNumber(resolved.value);
		};
		if (!Number.isFinite(material.density)) {
			ctx.tell(
				'IMP040',
				prim,
				`physics:density is ${material.density}, expected a finite number; it counts as not given`,
				'physics:density',
			);
		}
		const gains = Object.fromEntries(
			CONTACT_GAINS.map((gain) => [gain, read(gain, `shape_material_${gain}`)]),
		) as ContactMaterial['gains'];
		ctx.mark(path, 'material');
		out.set(path, {
			mu: material.dynamicFriction,
			restitution: material.restitution,
			muTorsional: read('mu_torsional', 'shape_material_mu_torsional', muTorsional) ?? muTorsional,
			muRolling: read('mu_rolling', 'shape_material_mu_rolling', muRolling) ?? muRolling,
			density: Number.isFinite(material.density) && material.density > 0 ? material.density : density,
			gains,
			path,
			credits,
		});
	}
	return out;
}
