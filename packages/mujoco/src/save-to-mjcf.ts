import { createDiagnostic, type Report } from '@manyworlds/core';
import { type Model, UNLIMITED } from '@manyworlds/model';
import { hasRawLimit } from './convert/add-bodies.ts';
import type { Conversion } from './convert/conversion.ts';
import { convertModel } from './convert/convert-model.ts';
import { SolrefMode } from './convert/solref.ts';
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

/** Writes the compiled world of a model as MJCF with its meshes as OBJ. Throws `MujocoError` as the conversion does. @public */
export function saveToMjcf(model: Model, options: ConvertOptions = {}): SavedMjcf {
	const conversion = convertModel(model, options);
	const files = new Map<string, Uint8Array>();
	for (const [name, bytes] of conversion.files) {
		if (name.endsWith('.msh')) files.set(name.replace(/\.msh$/, '.obj'), objOfMsh(bytes));
		else files.set(name, bytes);
	}
	for (const asset of conversion.sections.asset.children) {
		const file = asset.attributes.get('file');
		if (file !== undefined) asset.set('file', file.replace(/\.msh$/, '.obj'));
	}
	reportLosses(conversion);
	return { text: conversion.sections.root.toText(), files, report: conversion.report };
}

/** Wavefront text of MuJoCo's binary mesh; nine digits read back to the same single-precision number. */
function objOfMsh(bytes: Uint8Array): Uint8Array {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const vertexCount = view.getInt32(0, true);
	const faceCount = view.getInt32(12, true);
	const lines: string[] = [];
	let offset = 16;
	const triple = (read: (at: number) => string): string => {
		const parts = [read(offset), read(offset + 4), read(offset + 8)];
		offset += 12;
		return parts.join(' ');
	};
	for (let i = 0; i < vertexCount; i++) {
		lines.push(`v ${triple((at) => String(Number(view.getFloat32(at, true).toPrecision(9))))}`);
	}
	for (let i = 0; i < faceCount; i++) lines.push(`f ${triple((at) => String(view.getInt32(at, true) + 1))}`);
	return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Gains of a limit without `solreflimit` when it is imported: those of MuJoCo's default. */
const DEFAULT_GAINS = [2500, 100] as const;

function reportLosses(conversion: Conversion): void {
	const { model, attributes, template, report } = conversion;
	let limits = 0;
	for (const dof of conversion.dofNames.keys()) {
		const mode = attributes.number('solreflimit_mode', dof) ?? SolrefMode.FORCE_SPACE;
		const isLimited = model.jointLimitLower[dof]! > -UNLIMITED || model.jointLimitUpper[dof]! < UNLIMITED;
		const isDefault =
			mode === SolrefMode.MJCF_DEFAULT &&
			model.jointLimitKe[dof] === DEFAULT_GAINS[0] &&
			model.jointLimitKd[dof] === DEFAULT_GAINS[1];
		if (isLimited && !isDefault && !hasRawLimit(conversion, dof)) limits++;
	}
	if (limits > 0) {
		report.add(
			createDiagnostic(
				'MJC021',
				`${limits} joint limits have stiffness and damping in force space, which MJCF cannot say; they are left to MuJoCo's default`,
			),
		);
	}
	if (template.worldCount > 1) {
		report.add(createDiagnostic('MJC021', `only world ${template.world} of ${template.worldCount} is written`));
	}
}
