import type { Ledger } from '@manyworlds/import';
import { ShapeFlags } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';
import type { SceneAsset } from '../schema/asset.ts';
import { defined, type SceneMaterial } from '../schema/shape.ts';
import type { LoadContext } from './load-context.ts';
import { withShapeConfig } from './shape-defaults.ts';

/**
 * Gives imported shapes what importers do not know: the dissipation time, and the material of the asset, which wins over
 * what its files say.
 */
export function settleShapes(context: LoadContext, asset: SceneAsset, ledger: Ledger, start: number): void {
	const { builder } = context;
	const material: SceneMaterial = { ...asset.material, ...materialOf(asset.cfg ?? {}) };
	const tau = [asset.material, asset.cfg ?? {}].reduce(withShapeConfig, context.shapeDefaults).tau;
	const stiffness = builder.column('shapeMaterialKe');
	const damping = builder.column('shapeMaterialKd');
	for (let shape = start; shape < builder.shapeCount; shape++) {
		// solref of MJCF gives a damping beside the stiffness, which says how fast contact dissipates
		const given = ledger.explain('shape_material_ke', shape).at(-1);
		const isGiven = given?.source === 'authored' && given.name === 'solref';
		const own = isGiven && stiffness[shape]! > 0 ? damping[shape]! / stiffness[shape]! : tau;
		builder.setAttributeValue(SAP_TAU_ATTRIBUTE, shape, material.tau ?? own);
	}
	showColliders(context, asset, start);
	const columns = { margin: 'shapeMargin', gap: 'shapeGap', mu: 'shapeMaterialMu', ke: 'shapeMaterialKe' } as const;
	for (const [key, column] of Object.entries(columns)) {
		const value = material[key as keyof typeof columns];
		if (value !== undefined) builder.column(column).fill(value, start);
	}
}

/** Colliders of URDF files show on links without visuals; `hide_collision_shapes` hides those of URDF and MJCF files. */
function showColliders({ builder }: LoadContext, { type, options }: SceneAsset, start: number): void {
	if (type === 'usd') return;
	const flags = builder.column('shapeFlags');
	const bodies = builder.column('shapeBody');
	const collides = (shape: number): boolean => (flags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
	const withVisuals = new Set<number>();
	for (let shape = start; shape < flags.length; shape++) if (!collides(shape)) withVisuals.add(bodies[shape]!);
	for (let shape = start; shape < flags.length; shape++) {
		if (!collides(shape)) continue;
		if (options.hide_collision_shapes) flags[shape] = flags[shape]! & ~ShapeFlags.VISIBLE;
		else if (type === 'urdf' && !withVisuals.has(bodies[shape]!)) flags[shape] = flags[shape]! | ShapeFlags.VISIBLE;
	}
}

function materialOf({ margin, gap, mu, ke, tau }: SceneMaterial): SceneMaterial {
	return defined({ margin, gap, mu, ke, tau });
}

/**
 * URDF has no drives: joints get the mode of the builder defaults, and a damping of the file is passive instead of the gain
 * of a drive, so that it acts whatever drives are set later.
 */
export function settleUrdfDrives({ builder }: LoadContext, ledger: Ledger, start: number): void {
	const { actuatorMode, targetKd } = builder.defaultJointConfig;
	const gains = builder.column('jointTargetKd');
	const first = builder.column('jointQdStart')[start] ?? gains.length;
	builder.column('jointTargetMode').fill(actuatorMode ?? 0, first);
	for (let dof = first; dof < gains.length; dof++) {
		if (ledger.explain('joint_target_kd', dof).at(-1)?.source !== 'authored') continue;
		builder.column('jointDamping')[dof] = gains[dof]!;
		ledger.give('joint_damping', dof, { source: 'authored', why: 'the damping of a URDF joint is passive in scenes' });
		gains[dof] = targetKd;
	}
}

/** Bodies made by importers get the armature of the builder like any other. */
export function addBodyArmature({ builder, bodyArmature }: LoadContext, start: number): void {
	if (bodyArmature === 0) return;
	const inertias = builder.column('bodyInertia');
	for (let body = start; body < builder.bodyCount; body++) {
		for (let k = 0; k < 3; k++) inertias[9 * body + 4 * k] = inertias[9 * body + 4 * k]! + bodyArmature;
	}
}
