import type { Report } from '@manyworlds/core';
import { type MjcfElement, writeMjcf } from '@manyworlds/formats';
import { type Model, SHAPE_CONFIG_DEFAULTS, UNLIMITED } from '@manyworlds/model';
import { hasRawLimit, isKinematic } from './convert/add-bodies.ts';
import type { Conversion } from './convert/conversion.ts';
import { convertModel } from './convert/convert-model.ts';
import { SolrefMode } from './convert/solref.ts';
import { listLabels } from './convert/template-world.ts';
import { createDiagnostic } from './diagnostics.ts';
import { dropDefaults } from './save/drop-defaults.ts';
import { addInitialKeyframe } from './save/initial-keyframe.ts';
import { meshFiles } from './save/mesh-files.ts';
import { writePlainBodies } from './save/plain-bodies.ts';
import { shortenNames } from './save/shorten-names.ts';
import { writeTargetElements } from './save/target-elements.ts';
import type { ConvertOptions } from './solver-options.ts';

/** A model as MJCF. @public */
export interface SavedMjcf {
	/** The document, the same for the same model. */
	readonly text: string;
	/** Files that the document refers to, by name relative to it. */
	readonly files: ReadonlyMap<string, Uint8Array>;
	/** What could not be converted, and what MJCF cannot hold. */
	readonly report: Report;
}

/** Values of {@link ConvertOptions} that a saved file has otherwise than a solver: shapes that only show something are kept. @public */
export const SAVE_TO_MJCF_DEFAULTS: { readonly skipVisualOnlyGeoms: boolean } = { skipVisualOnlyGeoms: false };

/**
 * Writes the compiled world of a model as MJCF with its meshes as OBJ. Names are the last parts of labels, values that
 * MuJoCo takes anyway are left out, joint targets are `position` and `velocity` actuators, and a keyframe `initial` has
 * the state that the model starts from. MuJoCo compiles the file to what the solver has, except for what the report
 * names (MJC021). Throws `MujocoError` as the conversion does. @public
 */
export function saveToMjcf(model: Model, options: ConvertOptions = {}): SavedMjcf {
	const conversion = convertModel(model, { ...SAVE_TO_MJCF_DEFAULTS, ...options });
	const { root } = conversion.sections;
	const files = meshFiles(conversion);
	// only a solver writes other inertias later
	for (const element of conversion.bodyElements.values()) element.delete('simple');
	writeTargetElements(conversion);
	if (!conversion.options.newtonCompat) {
		writeColours(conversion, root);
		writePlainBodies(conversion);
		addInitialKeyframe(conversion);
	}
	const name = modelName(conversion);
	if (name !== undefined) root.set('model', name);
	shortenNames(conversion);
	dropDefaults(root);
	reportLosses(conversion);
	return { text: writeMjcf(conversion.sections.document), files, report: conversion.report };
}

/** The name that labels of an imported model begin with. */
function modelName({ model, bodyNames }: Conversion): string | undefined {
	const names = new Set<string | undefined>();
	for (const body of bodyNames.keys())
		if (body >= 0) names.add(/^([^/]+)\/worldbody\//.exec(model.bodyLabels[body]!)?.[1]);
	return names.size === 1 ? [...names][0] : undefined;
}

/** Colours of shapes, for viewers. */
function writeColours(conversion: Conversion, element: MjcfElement): void {
	const { model } = conversion;
	const shape = element.name === 'geom' ? conversion.subjects.get(element)?.index : undefined;
	if (shape !== undefined) {
		element.set('rgba', [...model.shapeColor.subarray(3 * shape, 3 * shape + 3), model.shapeOpacity[shape]!]);
	}
	for (const child of element.children) writeColours(conversion, child);
}

/** Gains of a limit without `solreflimit` when it is imported: those noted then, else those of MuJoCo's default. */
function importedGains({ attributes }: Conversion, dof: number): readonly number[] {
	const noted = attributes.row('solreflimit_gain_baseline', dof, 2);
	return noted?.every(Number.isFinite) ? [...noted] : [2500, 100];
}

/** Tells what the file does not hold, beyond what the conversion told already. */
function reportLosses(conversion: Conversion): void {
	const { model, attributes, template, report } = conversion;
	const lose = (message: string): void => report.add(createDiagnostic('MJC021', message));
	let limits = 0;
	for (const dof of conversion.dofNames.keys()) {
		const mode = attributes.number('solreflimit_mode', dof) ?? SolrefMode.FORCE_SPACE;
		const isLimited = model.jointLimitLower[dof]! > -UNLIMITED || model.jointLimitUpper[dof]! < UNLIMITED;
		const isDefault =
			mode === SolrefMode.MJCF_DEFAULT &&
			importedGains(conversion, dof).every((gain, i) => gain === [model.jointLimitKe, model.jointLimitKd][i]![dof]);
		if (isLimited && !isDefault && !hasRawLimit(conversion, dof)) limits++;
	}
	if (limits > 0) {
		lose(
			`${limits} joint limits have stiffness and damping in force space, which MJCF cannot say; they are left to MuJoCo's default`,
		);
	}
	const kinematic = [...conversion.bodyNames.keys()].filter((body) => body >= 0 && isKinematic(conversion, body));
	if (kinematic.length > 0) {
		lose(
			`${kinematic.length} bodies are kinematic (${listLabels(kinematic, model.bodyLabels)}), which MJCF has only for bodies without joints`,
		);
	}
	const shapes = [...conversion.geomNames.keys()];
	for (const [what, values, usual] of [
		['restitution', model.shapeMaterialRestitution, SHAPE_CONFIG_DEFAULTS.restitution],
		['friction gain', model.shapeMaterialKf, SHAPE_CONFIG_DEFAULTS.kf],
		['adhesion distance', model.shapeMaterialKa, SHAPE_CONFIG_DEFAULTS.ka],
	] as const) {
		const found = shapes.filter((shape) => values[shape] !== usual);
		if (found.length > 0)
			lose(`${what} of ${found.length} shapes (${listLabels(found, model.shapeLabels)}) is not part of MJCF`);
	}
	if (template.worldCount > 1) lose(`only world ${template.world} of ${template.worldCount} is written`);
}
