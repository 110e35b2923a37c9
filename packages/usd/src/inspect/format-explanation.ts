import { printable } from '@manyworlds/core/internal';
import type { ArcSummary, PlaceSummary } from './arc-steps.ts';
import type { Explanation, FallbackOpinion, Opinion, OpinionRole } from './explain.ts';
import { counted, listOpText, TextStyle, type TextStyleOptions } from './text-style.ts';
import type { Json } from './value-json.ts';

/** Values of the options of {@link formatExplanation} that are used when absent. @public */
export const EXPLANATION_TEXT_DEFAULTS: Required<TextStyleOptions> = Object.freeze({
	colour: false,
	maxValueLength: 96,
});

/** Writes an explanation for people to read, ending with a line end. @public */
export function formatExplanation(explanation: Explanation, options: TextStyleOptions = {}): string {
	const style = new TextStyle({ ...EXPLANATION_TEXT_DEFAULTS, ...options });
	const { opinions, fallback, connections } = explanation;
	const lines = [...headLines(explanation, style)];
	const shown = [...opinions, ...(fallback === undefined ? [] : [fallback])];
	if (explanation.subject === 'prim' && explanation.metadata === undefined) {
		lines.push('', style.heading('Specs, strongest first'));
	} else if (shown.length > 0) {
		lines.push('', style.heading(`Opinions, strongest first${legend(shown.map(({ role }) => role))}`));
	} else {
		lines.push('', 'No layer and no schema says anything about it.');
	}
	pushOpinions(lines, opinions, explanation, style);
	if (fallback !== undefined) lines.push(fallbackLine(fallback, style, valueType(explanation)));
	for (const { set, selection, isFallback, opinions: selections } of explanation.variants ?? []) {
		const chosen = selection === '' ? 'nothing selected' : printable(selection);
		const how = isFallback ? ', preferred when the stage was opened' : '';
		const marks = legend(selections.map(({ role }) => role));
		lines.push('', style.heading(`Variant set ${printable(set)}: ${chosen}${how}${marks}`));
		pushOpinions(lines, selections, explanation, style);
	}
	if (connections !== undefined) {
		lines.push('', `connected to ${pathList(connections.value)}`);
		lines.push(
			'',
			style.heading(`Connections, strongest first${legend(connections.opinions.map(({ role }) => role))}`),
		);
		pushOpinions(lines, connections.opinions, explanation, style);
	}
	return `${lines.join('\n')}\n`;
}

const MARKS: Readonly<Record<OpinionRole, string>> = { winner: '>', used: '+', block: 'x', hidden: ' ' };
const MEANINGS: readonly (readonly [OpinionRole, string])[] = [
	['winner', '> decides'],
	['used', '+ contributes'],
	['block', 'x blocks'],
];

/** Says what the marks mean that occur. */
function legend(roles: readonly OpinionRole[]): string {
	const meanings = MEANINGS.filter(([role]) => roles.includes(role)).map(([, text]) => text);
	return meanings.length === 0 ? '' : ` (${meanings.join(', ')})`;
}

function headLines(explanation: Explanation, style: TextStyle): string[] {
	const { path, metadata, typeName, subject, value, source, isBlocked, time } = explanation;
	const kind = subject === 'relationship' ? 'rel' : (typeName ?? '');
	const what = metadata === undefined ? '' : `  metadata ${printable(metadata)}`;
	const lines = [`${style.heading(printable(path))}${kind === '' ? '' : `  ${style.type(printable(kind))}`}${what}`];
	const at = time === undefined ? '' : ` at time ${time}`;
	if (subject === 'prim' && metadata === undefined) {
		for (const [name, item] of Object.entries(value as Record<string, Json>)) {
			if (name !== 'typeName') lines.push(`${name} = ${style.json(item)}`);
		}
		return lines;
	}
	if (value === undefined) lines.push(`no value${at}${isBlocked ? ', because it is blocked' : ''}`);
	else if (subject === 'relationship' && metadata === undefined) lines.push(`targets = ${pathList(value as string[])}`);
	else {
		const origin =
			source === 'fallback' ? `, the fallback of its schema${isBlocked ? ', because the value is blocked' : ''}` : '';
		lines.push(`value${at} = ${style.json(value, valueType(explanation))}${origin}`);
	}
	return lines;
}

function pushOpinions(lines: string[], opinions: readonly Opinion[], explanation: Explanation, style: TextStyle): void {
	const { path } = explanation;
	let before = '';
	for (const opinion of opinions) {
		const { role, field, value, at, timeOffset } = opinion;
		const mark = role === 'hidden' || field === 'prim' ? ' ' : style.good(MARKS[role]);
		const notes = at === undefined ? '' : style.quiet(`  at ${at === 'default time' ? 'the default time' : at}`);
		lines.push(`  ${mark} ${placeText(opinion)}  ${valueText(field, value, style, valueType(explanation))}${notes}`);
		const arcs = (opinion.arcs ?? []).map(arcText);
		const isSame = arcs.length > 0 && arcs.join('\n') === before;
		before = arcs.join('\n');
		// where it says the same as the headline, there is nothing to add
		const site = opinion.path === path ? '' : `at <${printable(opinion.path)}>`;
		const details = isSame ? [[site, 'by the same arcs'].filter((part) => part !== '').join(', ')] : [site, ...arcs];
		if (timeOffset !== undefined) {
			details.push(`time on the stage = time in the layer * ${timeOffset.scale} + ${timeOffset.offset}`);
		}
		for (const detail of details) if (detail !== '') lines.push(style.quiet(`      ${detail}`));
	}
}

function arcText({ arc, path, assetPath, layer, authored, isImplied }: ArcSummary): string {
	if (arc === 'variant') return `by variant ${printable(path.slice(path.lastIndexOf('{')))}`;
	const target = assetPath === undefined ? `<${path}>` : `@${assetPath}@<${path}>`;
	const implied = isImplied ? ' (implied)' : '';
	return printable(
		`by ${arc} ${target}${implied}${authored === undefined ? ` in ${layer}` : `, authored in ${placeText(authored)}`}`,
	);
}

function fallbackLine(
	{ role, schema, value }: FallbackOpinion,
	style: TextStyle,
	typeName: string | undefined,
): string {
	const mark = role === 'hidden' ? ' ' : style.good(MARKS[role]);
	return `  ${mark} schema ${printable(schema)}  fallback = ${style.json(value, typeName)}`;
}

/** The type of the values that are listed, when they are those of an attribute. */
function valueType({ subject, metadata, typeName }: Explanation): string | undefined {
	return subject === 'attribute' && metadata === undefined ? typeName : undefined;
}

function placeText({ file, line, column }: PlaceSummary): string {
	return line === undefined ? printable(file) : `${printable(file)}:${line}:${column}`;
}

function valueText(field: string, value: Json, style: TextStyle, typeName: string | undefined): string {
	if (field === 'prim') return specText(value as Readonly<Record<string, Json>>, style);
	if (field === 'timeSamples' && Array.isArray(value)) return samplesText(value as [number, Json][], style);
	if (field === 'clips') return String(value);
	if (field === 'variantSelection' && typeof value === 'string') return `selects ${style.json(value)}`;
	if (field === 'default' && value === null) return 'default = None (blocked)';
	const isListOp = typeof value === 'object' && value !== null && Object.keys(value).every((name) => LISTS.has(name));
	if (isListOp && !Array.isArray(value) && Object.keys(value).length > 0) {
		return Object.entries(value)
			.map(
				([list, items]) =>
					`${list === 'explicit' ? '' : `${LIST_WORDS[list]} `}${field} = ${listOpText({ explicit: items })}`,
			)
			.join('; ');
	}
	return `${printable(field)} = ${style.json(value, typeName)}`;
}

const LIST_WORDS: Readonly<Record<string, string>> = {
	prepended: 'prepend',
	appended: 'append',
	deleted: 'delete',
	added: 'add',
	ordered: 'reorder',
};
const LISTS: ReadonlySet<string> = new Set(['explicit', ...Object.keys(LIST_WORDS)]);

function specText({ specifier, typeName, metadata }: Readonly<Record<string, Json>>, style: TextStyle): string {
	const head = [String(specifier ?? 'over'), style.type(printable(String(typeName ?? '')))].filter(
		(part) => part !== '',
	);
	const names = ((metadata ?? []) as string[]).map((name) => `+${printable(name)}`).join(' ');
	return [head.join(' '), style.quiet(names)].filter((part) => part !== '').join('  ');
}

function samplesText(samples: readonly [number, Json][], style: TextStyle): string {
	const count = counted(samples.length, 'sample');
	const [first] = samples;
	const last = samples[samples.length - 1];
	if (first === undefined || last === undefined) return `timeSamples = ${count}`;
	const range = samples.length === 1 ? `at ${first[0]}` : `from ${first[0]} to ${last[0]}`;
	return `timeSamples = ${count} ${range}, first ${style.json(first[1])}`;
}

function pathList(paths: readonly string[]): string {
	return paths.length === 0 ? '(none)' : paths.map((path) => `<${printable(path)}>`).join(' ');
}
