import { type LayerOffset, Path, type PcpError, SpecType } from '@manyworlds/usd';
import {
	ARC_NAMES,
	type CompositionCache,
	comparePaths,
	composePropertyIndex,
	composeTargets,
	isIdentityOffset,
	type PrimIndex,
	type PropertyIndex,
} from '@manyworlds/usd/internal';
import { errorText, type LayerName } from './error-text.ts';

/** Names of layers in a dump. */
export interface DumpNames {
	/** Relative to the folder of the root layer. */
	readonly label: LayerName;
	/** As errors spell them. */
	readonly identifier: LayerName;
}

const RULE = '-'.repeat(72);

/** Prints the composition of every prim as OpenUSD's testPcpCompositionResults does: results, then errors. */
export function dumpScene(cache: CompositionCache, names: DumpNames, beforePrim: (path: Path) => void): string {
	const out: string[] = [];
	const complaints: string[] = [];
	const complain = (title: string, errors: readonly PcpError[]): void => {
		if (errors.length === 0) return;
		complaints.push(RULE, `${title}\n`, ...errors.map((error) => errorText(error, names.identifier)), '');
	};
	const stack = cache.rootLayerStack;
	out.push(RULE, 'Layer Stack:', ...stack.layers.map((layer) => `     ${names.label(layer)}`), '');
	complain('Errors while computing Layer Stack', stack.errors);
	const open = childPaths(cache.primIndex(Path.root)).reverse();
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		beforePrim(path);
		const index = cache.primIndex(path);
		const errors = [...index.errors];
		open.push(...childPaths(index).reverse());
		out.push(...dumpPrim(cache, index, names.label, errors), '');
		complain(`Errors while composing <${path}>`, errors);
	}
	const text = `${out.join('\n')}\n`;
	if (complaints.length === 0) return text;
	return `${text}\n${complaints.join('\n')}\nERROR: Unexpected error(s) encountered during test!\n`;
}

function childPaths(index: PrimIndex): Path[] {
	return index.childNames().names.map((name) => index.path.appendChild(name));
}

function dumpPrim(cache: CompositionCache, index: PrimIndex, label: LayerName, errors: PcpError[]): string[] {
	const lines = [RULE, `Results for composing <${index.path}>`, '', 'Prim Stack:'];
	for (const { layer, path } of index.primStack()) lines.push(siteLine(label(layer), path));
	const hasOffsets = index.nodes.some(
		(node) => !isIdentityOffset(node.mapToParent.offset) || node.layerStack.hasOffsets,
	);
	if (hasOffsets) lines.push('', 'Time Offsets:', ...offsetLines(index, label));
	const selections = [...index.variantSelections()].sort(([a], [b]) => (a < b ? -1 : 1));
	if (selections.length > 0) {
		lines.push('', 'Variant Selections:', ...selections.map(([set, variant]) => `    {${set} = ${variant}}`));
	}
	const { names, prohibited } = index.childNames();
	if (names.length > 0) lines.push('', 'Child names:', nameLine(names));
	if (prohibited.size > 0) lines.push('', 'Prohibited child names:', nameLine([...prohibited].sort()));
	const propertyNames = index.propertyNames();
	if (propertyNames.length > 0) lines.push('', 'Property names:', nameLine(propertyNames));
	lines.push(...propertyLines(cache, index, propertyNames, label, errors));
	return lines;
}

function offsetLines(index: PrimIndex, label: LayerName): string[] {
	const lines: string[] = [];
	for (const node of index.nodes) {
		const name = label(node.layerStack.layers[0]!);
		const arc = ARC_NAMES[node.arcType]!.padEnd(10);
		lines.push(`    ${name.padEnd(20)} ${`${node.path}`.padEnd(15)} ${arc} ${offsetText(node.mapToRoot.offset)}`);
		for (const [i, offset] of node.layerStack.offsets.entries()) {
			if (isIdentityOffset(offset)) continue;
			const sublayer = label(node.layerStack.layers[i]!).padEnd(32);
			lines.push(`        ${sublayer} ${'sublayer'.padEnd(10)} ${offsetText(offset)}`);
		}
	}
	return lines;
}

function propertyLines(
	cache: CompositionCache,
	index: PrimIndex,
	names: readonly string[],
	label: LayerName,
	errors: PcpError[],
): string[] {
	const stacks: PropertyIndex[] = [];
	const targets: [Path, readonly Path[]][] = [];
	const connections: [Path, readonly Path[]][] = [];
	const deleted: [Path, readonly Path[]][] = [];
	for (const name of names) {
		const property = composePropertyIndex(index, name);
		errors.push(...property.errors);
		if (property.stack.length === 0) continue;
		stacks.push(property);
		const found = composeTargets(property, (path) => cache.primIndex(path));
		// OpenUSD finds the specs a second time for the targets and tells their errors again
		errors.push(...property.errors, ...found.errors);
		if (found.paths.length > 0) {
			(property.type === SpecType.relationship ? targets : connections).push([property.path, found.paths]);
		}
		if (found.deleted.length > 0) deleted.push([property.path, found.deleted]);
	}
	const lines: string[] = [];
	if (stacks.length > 0) {
		lines.push('', 'Property stacks:');
		for (const { path, stack } of stacks.sort((a, b) => comparePaths(a.path, b.path))) {
			lines.push(`${path}:`, ...stack.map((spec) => siteLine(label(spec.layer), spec.path)));
		}
	}
	lines.push(...targetLines('Relationship targets:', targets), ...targetLines('Attribute connections:', connections));
	lines.push(...targetLines('Deleted target paths:', deleted));
	return lines;
}

function targetLines(title: string, lists: [Path, readonly Path[]][]): string[] {
	if (lists.length === 0) return [];
	const lines = ['', title];
	for (const [path, targets] of lists.sort((a, b) => comparePaths(a[0], b[0]))) {
		lines.push(`${path}:`, ...targets.map((target) => `    ${target}`));
	}
	return lines;
}

function siteLine(layer: string, path: Path): string {
	return `    ${layer.padEnd(20)} ${path}`;
}

function nameLine(names: readonly string[]): string {
	return `     [${names.map((name) => `'${name}'`).join(', ')}]`;
}

function offsetText({ offset, scale }: LayerOffset): string {
	return `(offset=${offset.toFixed(2)}, scale=${scale.toFixed(2)})`;
}
