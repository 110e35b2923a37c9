import { Report } from '@manyworlds/core';
import type { UpAxis } from '@manyworlds/model';
import { Path, type PhysicsDescription, type Prim, parsePhysics, type Stage, XformCache } from '@manyworlds/usd';
import { diagnoseComposition, SourcePlaces } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { hasMujocoRows } from './mjc-rows.ts';
import { type ImportUsdOptions, resolveUsdOptions } from './options.ts';
import { deformablePaths, reportUnsupported } from './unsupported.ts';

/** What an import reads of a stage before it makes anything of it. */
export interface StageReading {
	/** Undefined where there is no prim at the root path. */
	readonly root: Prim | undefined;
	readonly units: StageUnits;
	readonly physics: PhysicsDescription;
	/** Paths of geometry that deforms. */
	readonly deformable: readonly string[];
	readonly hasMujocoRows: boolean;
	/** Transforms that reading needed. */
	readonly transforms: XformCache;
	/** What was found on the way. */
	readonly report: Report;
}

/** Type names that the specification's samples use for joints, with the ones that UsdPhysics has. */
const TYPE_ALIASES: ReadonlyMap<string, string> = new Map(
	['RevoluteJoint', 'PrismaticJoint', 'FixedJoint', 'SphericalJoint', 'DistanceJoint'].map((name) => [
		name,
		`Physics${name}`,
	]),
);

/** Reads the physics of a stage. */
export function readStage(stage: Stage, options: ImportUsdOptions = {}): StageReading {
	const settings = resolveUsdOptions(options);
	const report = new Report();
	diagnoseStage(stage, report, options.places);
	const root = settings.rootPath === '/' ? stage.pseudoRoot : stage.prim(settings.rootPath);
	const deformable = root === undefined ? [] : deformablePaths(root);
	const transforms = new XformCache({ report });
	const physics = parsePhysics(stage, {
		include: root === undefined ? [] : [root.path],
		exclude: [...settings.ignorePaths.filter(isPlainPath), ...deformable],
		inheritMaterials: !settings.newtonCompat,
		// a disabled body that is imported has its colliders and joints
		disabledBodies: settings.newtonCompat || !settings.onlyLoadEnabledRigidBodies,
		typeAliases: TYPE_ALIASES,
		transforms,
		report,
	});
	if (root !== undefined) reportUnsupported(root, TYPE_ALIASES, report, settings.places);
	return {
		root,
		units: stageUnits(stage, settings.newtonCompat ? 1 : settings.assumedMetersPerUnit),
		physics,
		deformable,
		hasMujocoRows: root !== undefined && hasMujocoRows(root),
		transforms,
		report,
	};
}

/** Units and up axis of a stage. */
export interface StageUnits {
	readonly length: number;
	/** Whether the stage says nothing about its lengths. */
	readonly isLengthAssumed: boolean;
	readonly mass: number;
	readonly upAxis: UpAxis;
}

function stageUnits(stage: Stage, assumedMetres: number): StageUnits {
	const number = (name: string): number => {
		const value = stage.metadata(name)?.data;
		return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 1;
	};
	const up = stage.metadata('upAxis')?.data;
	const isLengthAssumed = stage.metadata('metersPerUnit') === undefined;
	return {
		length: isLengthAssumed ? assumedMetres : number('metersPerUnit'),
		isLengthAssumed,
		mass: number('kilogramsPerUnit'),
		upAxis: up === 'X' || up === 'Z' ? (up.toLowerCase() as UpAxis) : 'y',
	};
}

/** Composition errors are errors of the import: something of the asset may be missing. */
function diagnoseStage(stage: Stage, report: Report, places: SourcePlaces | undefined): void {
	const errors = stage.errors();
	if (errors.length === 0) return;
	const known = places ?? new SourcePlaces({ name: (identifier) => identifier, text: () => undefined });
	for (const error of errors) report.add(diagnoseComposition(error, known));
	const what = errors.length === 1 ? 'one composition error' : `${errors.length} composition errors`;
	report.add(
		createDiagnostic('IMP001', `the stage has ${what}; what could be composed is imported`, {
			file: stage.rootLayer.identifier,
		}),
	);
}

/** Whether an entry of `ignorePaths` is a path and not a pattern. */
function isPlainPath(path: string | RegExp): path is string {
	return typeof path === 'string' && !path.includes('.*') && (Path.parse(path)?.isPrim ?? false);
}
