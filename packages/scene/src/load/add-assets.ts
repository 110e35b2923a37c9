import { type Diagnostic, Report } from '@manyworlds/core';
import {
	type AssetFormat,
	type ImportAssetOptions,
	importAsset,
	importMjcf,
	importUrdf,
	type Ledger,
} from '@manyworlds/import';
import { ModelError, ShapeFlags } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim';
import type { AssetResolver } from '@manyworlds/usd';
import { nameOf, pythonText } from '../python-text.ts';
import type { ScenePath } from '../scene-document.ts';
import type { SceneAsset, SceneAssetOptions } from '../schema/asset.ts';
import { isMapping } from '../schema/leaf.ts';
import { defined, type SceneMaterial } from '../schema/shape.ts';
import { type AssetPlace, findAssetSource, type GitCheckout } from './asset-source.ts';
import { withExternalAssets } from './external-assets.ts';
import type { LoadContext } from './load-context.ts';
import { withShapeConfig } from './shape-defaults.ts';

/** An imported asset of a loaded scene. @public */
export interface LoadedAsset {
	readonly id: string | number;
	readonly format: AssetFormat;
	/** The file that was imported; undefined for URDF text in the scene. */
	readonly file: string | undefined;
	/** What became of every attribute of the asset. */
	readonly ledger: Ledger;
	/** First body, shape and joint of the asset, and the ones behind its last, before replication. */
	readonly bodies: readonly [start: number, end: number];
	readonly shapes: readonly [start: number, end: number];
	readonly joints: readonly [start: number, end: number];
}

/** Imports the assets of a scene. */
export function addAssets(
	context: LoadContext,
	assets: readonly SceneAsset[],
	checkout: GitCheckout | undefined,
): LoadedAsset[] {
	const loaded: LoadedAsset[] = [];
	const ids = new Set<string | number>();
	assets.forEach((asset, i) => {
		const path: ScenePath = ['assets', i];
		const id = asset.id ?? i;
		if (ids.has(id)) {
			context.add('SCN023', [...path, 'id'], `is '${id}', which another asset has too`);
			return;
		}
		ids.add(id);
		const added = addAsset(context, asset, id, path, checkout);
		if (added === undefined) context.isIncomplete = true;
		else loaded.push(added);
	});
	return loaded;
}

function addAsset(
	context: LoadContext,
	asset: SceneAsset,
	id: string | number,
	path: ScenePath,
	checkout: GitCheckout | undefined,
): LoadedAsset | undefined {
	const { builder } = context;
	const { type } = asset;
	if (type !== 'usd' && type !== 'urdf' && type !== 'mjcf') {
		const at = type === '' ? path : [...path, 'type'];
		context.addUnsupported(
			`asset[${pythonText(id)}] type=${type || '<missing>'}`,
			at,
			'SCN030',
			'; usd, urdf and mjcf are supported',
		);
		return undefined;
	}
	const name = `asset[${pythonText(id)}] ${type}`;
	const gaps = gapsOf(asset);
	for (const { feature, key } of gaps) context.addUnsupported(`${name} ${feature}`, [...path, key]);
	if (gaps.length > 0) return undefined;
	const options = { name, checkout, allowsText: type !== 'usd' };
	const place = findAssetSource(context, asset.source, [...path, 'source'], options);
	if (place === undefined) return undefined;
	let { resolver } = context;
	if (asset.options.external_assets !== undefined && 'identifier' in place && resolver !== undefined) {
		resolver = withExternalAssets(context, resolver, place.identifier, asset.options.external_assets, path, options);
		if (resolver === undefined) return undefined;
	}
	const starts = [builder.bodyCount, builder.shapeCount, builder.jointCount] as const;
	const gravity = builder.gravity;
	const ledger = importInto(context, asset, type, place, resolver, path);
	if (ledger === undefined) return undefined;
	const scene = context.document.value;
	const isGiven = isMapping(scene) && isMapping(scene['builder']) && 'gravity' in scene['builder'];
	if (isGiven && builder.gravity.some((value, axis) => value !== gravity[axis])) {
		const message = `gives the gravity [${Array.from(builder.gravity).join(', ')}] m/s², which replaces builder.gravity`;
		context.add('SCN061', path, message);
	}
	settleShapes(context, asset, ledger, starts[1]);
	addBodyArmature(context, starts[0]);
	if (type === 'urdf') settleUrdfDrives(context, ledger, starts[2]);
	return {
		id,
		format: type,
		file: 'identifier' in place ? place.identifier : undefined,
		ledger,
		bodies: [starts[0], builder.bodyCount],
		shapes: [starts[1], builder.shapeCount],
		joints: [starts[2], builder.jointCount],
	};
}

/** Runs the importer with the settings of the asset as defaults of the builder. Undefined after an error, which is reported. */
function importInto(
	context: LoadContext,
	asset: SceneAsset,
	format: AssetFormat,
	place: AssetPlace,
	resolver: AssetResolver | undefined,
	path: ScenePath,
): Ledger | undefined {
	const { builder } = context;
	const report = new Report();
	const before = builder.defaultShapeConfig;
	const layers = [asset.material, asset.cfg ?? {}];
	builder.defaultShapeConfig = layers.reduce(withShapeConfig, context.shapeDefaults).config;
	try {
		const { shared, urdf, usd, mjcf } = importOptions(asset);
		if ('text' in place) {
			const more = { ...shared, report, baseFile: context.file, ...(resolver === undefined ? {} : { resolver }) };
			const { ledger } =
				format === 'mjcf'
					? importMjcf(place.text, builder, { ...more, ...mjcf })
					: importUrdf(place.text, builder, { ...more, ...urdf });
			return failedImport(context, report, path) ? undefined : ledger;
		}
		if (resolver === undefined) return undefined;
		const { identifier } = place;
		const { ledger } = importAsset(identifier, builder, { ...shared, urdf, usd, mjcf, resolver, report, format });
		return failedImport(context, report, path) ? undefined : ledger;
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		return context.add('SCN025', path, `cannot be imported: ${error.message} (${error.code})`);
	} finally {
		for (const diagnostic of report.toArray()) {
			// a file that cannot be opened is said at the place that names it
			if (diagnostic.code === 'IMP100') continue;
			context.report.add('text' in place ? atSource(context, diagnostic, path) : diagnostic);
		}
		builder.defaultShapeConfig = before;
	}
}

/** A finding about text that stands in the scene, at the place of the text. */
function atSource({ document }: LoadContext, diagnostic: Diagnostic, path: ScenePath): Diagnostic {
	const { range, message } = diagnostic;
	const where = range === undefined ? '' : ` (line ${range.start.line}, column ${range.start.column} of the text)`;
	return { ...diagnostic, ...document.locate([...path, 'source']), message: message + where };
}

function failedImport(context: LoadContext, report: Report, path: ScenePath): boolean {
	if (!report.hasErrors) return false;
	const first = report.toArray().find(({ severity }) => severity === 'error');
	context.add('SCN031', [...path, 'source'], `cannot be imported: ${first?.message ?? 'it has errors'}`);
	return true;
}

/** Options of the importers by their names. */
function importOptions(asset: SceneAsset): {
	readonly shared: Pick<ImportAssetOptions, 'xform' | 'enableSelfCollisions' | 'floating' | 'collapseFixedJoints'>;
	readonly urdf: NonNullable<ImportAssetOptions['urdf']>;
	readonly usd: NonNullable<ImportAssetOptions['usd']>;
	readonly mjcf: NonNullable<ImportAssetOptions['mjcf']>;
} {
	const { options: given, xform } = asset;
	const pick = <T>(names: Readonly<Record<string, keyof SceneAssetOptions>>): T =>
		defined(Object.fromEntries(Object.entries(names).map(([name, key]) => [name, given[key]]))) as T;
	const ordering = given.joint_ordering;
	return {
		shared: {
			...(xform === undefined ? {} : { xform }),
			...pick({
				enableSelfCollisions: 'enable_self_collisions',
				floating: 'floating',
				collapseFixedJoints: 'collapse_fixed_joints',
			}),
		},
		urdf: {
			...pick({
				scale: 'scale',
				meshScale: 'mesh_scale',
				meshMaxhullvert: 'mesh_maxhullvert',
				parseVisuals: 'load_visual_shapes',
				parseVisualsAsColliders: 'parse_visuals_as_colliders',
				forceShowColliders: 'force_show_colliders',
				ignoreInertialDefinitions: 'ignore_inertial_definitions',
				bodiesFollowJointOrdering: 'bodies_follow_joint_ordering',
			}),
			...(ordering === undefined ? {} : { jointOrdering: ordering === null ? 'file' : (ordering as 'dfs' | 'bfs') }),
		},
		usd: {
			...pick({
				meshMaxhullvert: 'mesh_maxhullvert',
				loadVisualShapes: 'load_visual_shapes',
				hideCollisionShapes: 'hide_collision_shapes',
				forceShowColliders: 'force_show_colliders',
				onlyLoadEnabledRigidBodies: 'only_load_enabled_rigid_bodies',
				onlyLoadEnabledJoints: 'only_load_enabled_joints',
				ignorePaths: 'ignore_paths',
				applyUpAxisFromStage: 'apply_up_axis_from_stage',
				rootPath: 'root_path',
				skipMeshApproximation: 'skip_mesh_approximation',
				loadSites: 'load_sites',
				forcePositionVelocityActuation: 'force_position_velocity_actuation',
				jointDriveGainsScaling: 'joint_drive_gains_scaling',
				bodiesFollowJointOrdering: 'bodies_follow_joint_ordering',
			}),
			...(ordering === undefined ? {} : { jointOrdering: ordering === null ? 'stage' : (ordering as 'dfs' | 'bfs') }),
		},
		mjcf: {
			...pick({
				scale: 'scale',
				armatureScale: 'armature_scale',
				meshMaxhullvert: 'mesh_maxhullvert',
				parseVisualsAsColliders: 'parse_visuals_as_colliders',
				forceShowColliders: 'force_show_colliders',
				ignoreInertialDefinitions: 'ignore_inertial_definitions',
				parseMeshes: 'parse_meshes',
				parseSites: 'parse_sites',
				noClassAsColliders: 'no_class_as_colliders',
				visualClasses: 'visual_classes',
				colliderClasses: 'collider_classes',
				ignoreNames: 'ignore_names',
				ignoreClasses: 'ignore_classes',
			}),
			...pick({ parseVisuals: given.parse_visuals === undefined ? 'load_visual_shapes' : 'parse_visuals' }),
		},
	};
}

/** Options that are recognised and refused, in the order in which they are listed. */
function gapsOf({ type, gaps, options }: SceneAsset): { readonly feature: string; readonly key: string }[] {
	const found: { feature: string; key: string }[] = [];
	const add = (key: string, isGap: boolean, feature: string = key): void => {
		if (isGap) found.push({ feature, key });
	};
	add('base_joint', gaps['base_joint'] !== undefined && gaps['base_joint'] !== null);
	add('parent_body', gaps['parent_body'] !== undefined && gaps['parent_body'] !== -1);
	add('collapse_fixed_joints', type === 'urdf' && options.collapse_fixed_joints === true);
	add('split_bimanual_root_articulation', Boolean(gaps['split_bimanual_root_articulation']));
	add('override_root_xform', Boolean(gaps['override_root_xform']));
	const up = gaps['up_axis'];
	add('up_axis', up !== undefined && !['z', 'axis.z', '2'].includes(nameOf(up)), `up_axis=${pythonText(up)}`);
	const { joint_ordering: ordering } = options;
	if (type !== 'mjcf' && ordering !== undefined && ordering !== null && ordering !== 'dfs' && ordering !== 'bfs') {
		add('joint_ordering', true, `joint_ordering=${pythonText(ordering)}`);
	}
	return found;
}

/**
 * Gives imported shapes what importers do not know: the dissipation time, and the material of the asset, which wins over
 * what its files say.
 */
function settleShapes(context: LoadContext, asset: SceneAsset, ledger: Ledger, start: number): void {
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
function settleUrdfDrives({ builder }: LoadContext, ledger: Ledger, start: number): void {
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
function addBodyArmature({ builder, bodyArmature }: LoadContext, start: number): void {
	if (bodyArmature === 0) return;
	const inertias = builder.column('bodyInertia');
	for (let body = start; body < builder.bodyCount; body++) {
		for (let k = 0; k < 3; k++) inertias[9 * body + 4 * k] = inertias[9 * body + 4 * k]! + bodyArmature;
	}
}
