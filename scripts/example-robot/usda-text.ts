import type { Vector } from './mesh-shapes.ts';

/** Text of a number with at most nine decimals. */
export function number(value: number): string {
	if (value === Infinity) return 'inf';
	if (value === -Infinity) return '-inf';
	const rounded = Math.round(value * 1e9) / 1e9;
	if (Math.abs(rounded) >= 1e-6 || rounded === 0) return String(rounded === 0 ? 0 : rounded);
	return rounded.toFixed(9).replace(/0+$/, '');
}

/** Text of a tuple, shorter where the digits do not matter. */
export function tuple(values: readonly number[], decimals = 9): string {
	const scale = 10 ** decimals;
	return `(${values.map((value) => number(Math.round(value * scale) / scale)).join(', ')})`;
}

/** Text of an array of tuples. */
export function tuples(values: readonly (Vector | readonly [number, number])[], decimals: number): string {
	return `[${values.map((value) => tuple(value, decimals)).join(', ')}]`;
}

/** Moves lines one level to the right; empty ones stay empty. */
export function indent(lines: readonly string[]): string[] {
	return lines.map((line) => (line === '' ? '' : `    ${line}`));
}

/** A prim with metadata and content; blocks of content are separated by an empty line. */
export function prim(head: string, metadata: readonly string[], ...blocks: readonly (readonly string[])[]): string[] {
	const content = blocks.filter((block) => block.length > 0);
	const lines = metadata.length === 0 ? [head] : [`${head} (`, ...indent(metadata), ')'];
	lines.push('{');
	content.forEach((block, i) => {
		if (i > 0) lines.push('');
		lines.push(...indent(block));
	});
	lines.push('}');
	return lines;
}

/** A whole layer: header, what it is for, metadata, prims. */
export function layer(doc: string, metadata: readonly string[], ...prims: readonly (readonly string[])[]): string {
	const lines = ['#usda 1.0', '(', ...indent([`doc = "${doc}"`, ...metadata]), ')', ''];
	for (const block of prims) lines.push(...block, '');
	return lines.join('\n');
}

/** What every layer of an asset says about its units and axes. */
export function metrics(defaultPrim: string): string[] {
	return [
		`defaultPrim = "${defaultPrim}"`,
		'kilogramsPerUnit = 1',
		'metersPerUnit = 1',
		'timeCodesPerSecond = 1',
		'upAxis = "Z"',
	];
}

/** Attributes that place a prim on its parent, in the order that rigid bodies need. */
export function placement(at: Vector, rotation: readonly number[] = [1, 0, 0, 0]): string[] {
	return [
		`quatf xformOp:orient = ${tuple(rotation)}`,
		`double3 xformOp:translate = ${tuple(at)}`,
		'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
	];
}
