import { printable } from '@manyworlds/core/internal';
import type { ArcSummary } from './arc-steps.ts';
import { INSPECTION_TEXT_DEFAULTS, type InspectionTextOptions } from './format-inspection.ts';
import { countText } from './layer-counts.ts';
import type { PrimSummary, PropertySummary, StageInspection, VariantSetSummary } from './stage-summary.ts';
import { counted, TextStyle } from './text-style.ts';

/** Writes what {@link inspectStage} found for people to read, ending with a line end. @public */
export function formatStageInspection(inspection: StageInspection, options: InspectionTextOptions = {}): string {
	const { colour, maxLines, maxValueLength } = { ...INSPECTION_TEXT_DEFAULTS, ...options };
	const style = new TextStyle({ colour, maxValueLength });
	const { counts, layerStack, otherLayers } = inspection;
	const parts = [
		'stage',
		counted(counts.prims, 'prim'),
		counted(layerStack.length + otherLayers.length, 'layer'),
		...(counts.instances > 0 ? [counted(counts.instances, 'instance')] : []),
		...(counts.prototypes > 0 ? [counted(counts.prototypes, 'prototype')] : []),
	];
	const lines = [`${style.heading(printable(inspection.file))}  ${parts.join(', ')}`];
	const metadata = Object.entries(inspection.metadata);
	if (metadata.length > 0) {
		lines.push('', style.heading('Metadata'));
		for (const [name, value] of metadata) lines.push(`  ${printable(name)} = ${style.json(value)}`);
	}
	pushLayers(lines, 'Layer stack, strongest first', layerStack, style);
	pushLayers(lines, 'Layers by arcs', otherLayers, style);
	lines.push('', style.heading('Tree'), ...treeLines(inspection, maxLines, style));
	lines.push('', style.heading('Counts'));
	const rows = [
		['prim types', counts.primTypes],
		['applied schemas', counts.appliedSchemas],
		['arcs', counts.arcs],
	] as const;
	for (const [label, table] of rows) {
		if (Object.keys(table).length > 0) lines.push(`  ${label.padEnd(LABEL_WIDTH)}${countText(table)}`);
	}
	if (lines.at(-1) === style.heading('Counts')) lines.push('  (nothing)');
	return `${lines.join('\n')}\n`;
}

const LABEL_WIDTH = 18;
/** Layers that are listed; assets with one layer for each part have hundreds. */
const MOST_LAYERS = 40;

function pushLayers(lines: string[], title: string, layers: readonly string[], style: TextStyle): void {
	if (layers.length === 0) return;
	lines.push('', style.heading(title));
	for (const layer of layers.slice(0, MOST_LAYERS)) lines.push(`  ${printable(layer)}`);
	if (layers.length > MOST_LAYERS) lines.push(style.quiet(`  … ${layers.length - MOST_LAYERS} more`));
}

function treeLines(inspection: StageInspection, maxLines: number, style: TextStyle): string[] {
	const lines: string[] = [];
	let hidden = inspection.furtherPrims;
	for (const prim of inspection.prims) {
		const own = primLines(prim, style);
		if (lines.length + own.length <= maxLines || lines.length === 0) lines.push(...own);
		else hidden++;
	}
	if (lines.length === 0) lines.push('  (no prims)');
	if (hidden > 0) lines.push(style.quiet(`  … ${counted(hidden, 'more prim')}, not shown`));
	const { omittedPrims } = inspection;
	if (omittedPrims > 0) lines.push(style.quiet(`  … ${counted(omittedPrims, 'prim')} below the depth asked for`));
	return lines;
}

function primLines(prim: PrimSummary, style: TextStyle): string[] {
	const indent = '  '.repeat(prim.depth + 1);
	const head = [
		prim.isPrototype ? style.quiet('prototype') : prim.specifier,
		style.type(printable(prim.typeName ?? '')),
		printable(prim.name),
	].filter((part) => part !== '');
	const lines = [`${indent}${[head.join(' '), ...notes(prim, style)].join('  ')}`];
	for (const set of prim.variantSets ?? []) lines.push(`${indent}    ${variantText(set, style)}`);
	for (const arc of prim.arcs ?? []) {
		if (arc.arc !== 'variant') lines.push(`${indent}    ${arcText(arc, style)}`);
	}
	for (const property of prim.properties ?? []) lines.push(`${indent}    ${propertyText(property, style)}`);
	return lines;
}

function notes(prim: PrimSummary, style: TextStyle): string[] {
	const schemas = [...(prim.appliedSchemas ?? []), ...(prim.unknownSchemas ?? []).map((name) => `${name}?`)];
	return [
		...(prim.kind === undefined ? [] : [`(${printable(prim.kind)})`]),
		...(schemas.length === 0 ? [] : [`[${printable(schemas.join(' '))}]`]),
		...(prim.prototype === undefined ? [] : [`instance of ${printable(prim.prototype)}`]),
		...(prim.active === false ? ['inactive'] : []),
		...(prim.loaded === false ? ['payload not loaded'] : []),
		...(prim.propertyCount === 0 || prim.properties !== undefined
			? []
			: [style.quiet(counted(prim.propertyCount, 'property', 'properties'))]),
	];
}

function variantText({ name, variants, selection }: VariantSetSummary, style: TextStyle): string {
	const chosen = selection === '' ? '(nothing selected)' : printable(selection);
	const others = variants.filter((variant) => variant !== selection).map(printable);
	return `${style.quiet('variantSet')} ${printable(name)} = ${chosen}${others.length === 0 ? '' : style.quiet(`  of ${variants.map(printable).join(', ')}`)}`;
}

function arcText({ arc, assetPath, path, isImplied }: ArcSummary, style: TextStyle): string {
	const target = `${assetPath === undefined ? '' : `@${assetPath}@`}<${path}>`;
	return `${style.quiet(arc)} ${printable(target)}${isImplied ? style.quiet(' (implied)') : ''}`;
}

function propertyText(property: PropertySummary, style: TextStyle): string {
	const { name, typeName, value, targets, connections, sampleCount } = property;
	let line = `${property.custom ? 'custom ' : ''}${style.type(printable(typeName))} ${printable(name)}`;
	if (value !== undefined) line += ` = ${style.json(value, typeName)}`;
	if (targets !== undefined) line += ` = ${pathList(targets)}`;
	if (connections !== undefined) line += ` <- ${pathList(connections)}`;
	return sampleCount === undefined ? line : `${line}  ${counted(sampleCount, 'time sample')}`;
}

function pathList(paths: readonly string[]): string {
	return paths.length === 0 ? '(none)' : printable(paths.join(' '));
}
