import { printable } from '@manyworlds/core/internal';
import type { Inspection } from './inspect-file.ts';
import { type CountTable, countText } from './layer-counts.ts';
import type { SpecSummary } from './layer-summary.ts';
import { listOpText, TextStyle, type TextStyleOptions } from './text-style.ts';

/** Options of {@link formatInspection}. @public */
export interface InspectionTextOptions extends TextStyleOptions {
	/** Most lines of the tree; the rest is counted. */
	readonly maxLines?: number;
}

/** Values of {@link InspectionTextOptions} that are used when absent. @public */
export const INSPECTION_TEXT_DEFAULTS: Required<InspectionTextOptions> = Object.freeze({
	colour: false,
	maxLines: 400,
	maxValueLength: 96,
});

/** Writes what {@link inspectFile} found for people to read, ending with a line end. @public */
export function formatInspection(inspection: Inspection, options: InspectionTextOptions = {}): string {
	const { maxLines, ...looks } = { ...INSPECTION_TEXT_DEFAULTS, ...options };
	const style = new TextStyle(looks);
	const { layer } = inspection;
	const lines = [headline(inspection, style)];
	if (inspection.package !== undefined) {
		lines.push('', style.heading('Package'));
		for (const { name, size } of inspection.package.members) lines.push(`  ${printable(name)}  ${formatBytes(size)}`);
	}
	if (layer === undefined) return `${lines.join('\n')}\n`;

	const metadata = Object.entries(layer.metadata);
	if (metadata.length > 0) {
		lines.push('', style.heading('Metadata'));
		for (const [name, value] of metadata) lines.push(`  ${printable(name)} = ${style.json(value)}`);
	}
	if (layer.subLayers.length > 0) {
		lines.push('', style.heading('Sublayers, strongest first'));
		for (const { assetPath, offset, scale } of layer.subLayers) {
			const time = [offset === undefined ? '' : ` offset ${offset}`, scale === undefined ? '' : ` scale ${scale}`].join(
				'',
			);
			lines.push(`  @${printable(assetPath)}@${time}`);
		}
	}
	lines.push('', style.heading('Tree'), ...treeLines(inspection, maxLines, style));
	lines.push('', style.heading('Counts'));
	for (const [label, table] of countRows(layer.counts)) lines.push(`  ${label.padEnd(COUNT_LABEL_WIDTH)}${table}`);
	return `${lines.join('\n')}\n`;
}

/** A number of bytes in the unit that suits it: `512 bytes`, `3.2 kB`, `62 MB`. @public */
export function formatBytes(count: number): string {
	if (count < 1000) return `${count} bytes`;
	const units = ['kB', 'MB', 'GB'];
	let value = count / 1000;
	let unit = 0;
	for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
	return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

const COUNT_LABEL_WIDTH = 18;

function headline({ file, format, crateVersion, size, layer, layerName }: Inspection, style: TextStyle): string {
	const kind = crateVersion === undefined ? format : `${format} ${crateVersion}`;
	const parts = [kind, formatBytes(size)];
	if (layerName !== undefined) parts.push(`layer ${printable(layerName)}`);
	if (layer !== undefined) parts.push(`${layer.counts.specs} specs`);
	return `${style.heading(printable(file))}  ${parts.join(', ')}`;
}

function treeLines(inspection: Inspection, maxLines: number, style: TextStyle): string[] {
	const { specs, omittedPrims, omittedLines } = inspection.layer!;
	const isShown = (spec: SpecSummary) =>
		inspection.hasValues || (spec.spec !== 'attribute' && spec.spec !== 'relationship');
	const lines: string[] = [];
	let hidden = omittedLines;
	for (let i = 0; i < specs.length; i++) {
		const spec = specs[i]!;
		if (!isShown(spec)) continue;
		if (lines.length >= maxLines) {
			hidden++;
			continue;
		}
		let properties = 0;
		while (isProperty(specs[i + 1 + properties])) properties++;
		lines.push(`  ${'  '.repeat(spec.depth)}${specLine(spec, inspection.hasValues ? 0 : properties, style)}`);
	}
	if (lines.length === 0) lines.push('  (no prims)');
	if (hidden > 0) lines.push(style.quiet(`  … ${hidden} more lines, not shown`));
	if (omittedPrims > 0) lines.push(style.quiet(`  … ${omittedPrims} prims below the depth asked for`));
	return lines;
}

function isProperty(spec: SpecSummary | undefined): boolean {
	return spec !== undefined && (spec.spec === 'attribute' || spec.spec === 'relationship');
}

function specLine(spec: SpecSummary, properties: number, style: TextStyle): string {
	const name = printable(spec.name);
	if (spec.spec === 'variantSet') {
		const selection = spec.selection === undefined ? '' : ` = ${printable(spec.selection)}`;
		return `${style.quiet('variantSet')} ${name}${selection}`;
	}
	if (spec.spec === 'variant') return [`{${name}}`, ...notes(spec, properties, style)].join('  ');
	if (isProperty(spec)) return propertyLine(spec, name, style);
	const head = [spec.specifier, style.type(printable(spec.typeName ?? '')), name]
		.filter((part) => part !== '')
		.join(' ');
	return [head, ...notes(spec, properties, style)].join('  ');
}

/** Metadata that has its own place on the line of a prim; the names of all other metadata follow. */
const ARCS: readonly (readonly [string, string])[] = [
	['references', 'ref'],
	['payload', 'payload'],
	['inheritPaths', 'inherits'],
	['specializes', 'specializes'],
];

function notes(spec: SpecSummary, properties: number, style: TextStyle): string[] {
	const { kind, apiSchemas, variantSelection: _, variantSetNames: __, ...rest } = spec.metadata ?? {};
	const parts: string[] = [];
	if (typeof kind === 'string') parts.push(`(${printable(kind)})`);
	if (apiSchemas !== undefined) parts.push(`[${listOpText(apiSchemas)}]`);
	for (const [field, label] of ARCS) {
		const value = rest[field];
		if (value !== undefined) parts.push(`${label} ${listOpText(value)}`);
	}
	if (rest['active'] === false) parts.push('inactive');
	const others = Object.keys(rest).filter((name) => name !== 'active' && !ARCS.some(([field]) => field === name));
	if (others.length > 0) parts.push(style.quiet(`+${others.map(printable).join(' +')}`));
	if (properties > 0) parts.push(style.quiet(`${properties} ${properties === 1 ? 'property' : 'properties'}`));
	return parts;
}

function propertyLine(spec: SpecSummary, name: string, style: TextStyle): string {
	const { connectionPaths, targetPaths, ...rest } = spec.metadata ?? {};
	const isAttribute = spec.spec === 'attribute';
	const head = [
		spec.custom === true ? 'custom' : '',
		isAttribute && spec.variability === 'uniform' ? 'uniform' : '',
		style.type(isAttribute ? printable(spec.typeName ?? '') : 'rel'),
		name,
	];
	let line = head.filter((part) => part !== '').join(' ');
	if (spec.value !== undefined) line += ` = ${style.json(spec.value, spec.typeName)}`;
	if (targetPaths !== undefined) line += ` = ${listOpText(targetPaths)}`;
	if (connectionPaths !== undefined) line += ` <- ${listOpText(connectionPaths)}`;
	if (spec.sampleCount !== undefined) line += `  ${spec.sampleCount} time samples`;
	const others = Object.keys(rest);
	return others.length === 0 ? line : `${line}  ${style.quiet(`+${others.map(printable).join(' +')}`)}`;
}

function countRows(counts: NonNullable<Inspection['layer']>['counts']): [string, string][] {
	const rows: [string, CountTable][] = [
		['specs', counts.specTypes],
		['specifiers', counts.specifiers],
		['prim types', counts.primTypes],
		['applied schemas', counts.apiSchemas],
		['attribute types', counts.attributeTypes],
	];
	return rows.filter(([, table]) => Object.keys(table).length > 0).map(([label, table]) => [label, countText(table)]);
}
