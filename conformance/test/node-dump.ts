import { relative } from 'node:path';
import { type Node, Path, SpecType } from '@manyworlds/usd';
import {
	ARC_NAMES,
	ArcType,
	type CompositionCache,
	composePropertyIndex,
	composeTargets,
	isIdentityOffset,
	type PrimIndex,
} from '@manyworlds/usd/internal';

/** Prints the prim indexes of a stage as `oracle/pcp_nodes.py` does. */
export function dumpNodes(
	cache: CompositionCache,
	folder: string,
	options: { readonly withTargets?: boolean } = {},
): string {
	const lines: string[] = [];
	const told = new Set([cache.rootLayerStack]);
	/** Kinds of errors of layer stacks that no index before has used: OpenUSD tells them with the first. */
	const newErrors = (): string[] => {
		const kinds: string[] = [];
		for (const stack of cache.layerStacks()) {
			if (told.has(stack)) continue;
			told.add(stack);
			kinds.push(...stack.errors.map(({ kind }) => kind));
		}
		return kinds;
	};
	const visit = (path: Path): void => {
		const index = cache.primIndex(path);
		const title = titleOf(index, newErrors());
		if (path !== Path.root) lines.push(title, ...nodeLines(index, folder));
		if (path !== Path.root && options.withTargets === true) lines.push(...targetLines(index));
		if (!index.isInstance) for (const name of index.childNames().names) visit(path.appendChild(name));
	};
	visit(Path.root);
	return `${lines.join('\n')}\n`;
}

function targetLines(index: PrimIndex): string[] {
	const lines: string[] = [];
	for (const name of [...index.propertyNames()].sort(byCodePoint)) {
		const property = composePropertyIndex(index, name);
		if (property.stack.length === 0 || property.type !== SpecType.relationship) continue;
		const { paths } = composeTargets(property);
		lines.push(`  .${name} ${paths.join(' ')}`);
	}
	return lines;
}

function titleOf({ path, isInstance, errors }: PrimIndex, ofStacks: readonly string[]): string {
	return [
		`${path}`,
		...(isInstance ? ['instance'] : []),
		...[...errors.map(({ kind }) => kind), ...ofStacks].filter((kind) => !kind.includes('Relocation')).sort(),
	].join(' ');
}

function nodeLines(index: PrimIndex, folder: string): string[] {
	const nodes = index.nodes.filter((node) => !node.isCulled && !isPlaceholder(node));
	return nodes.map((node) => describeNode(nodes, node, folder));
}

/** Whether a node stands where a specialize was, which moved to the root. */
function isPlaceholder(node: Node): boolean {
	for (let at: Node | null = node; at !== null; at = at.parent) {
		if (at.arcType === ArcType.specialize && at.isInert) return true;
	}
	return false;
}

function describeNode(nodes: readonly Node[], node: Node, folder: string): string {
	const place = (other: Node | null): string =>
		other !== null && nodes.includes(other) ? `${nodes.indexOf(other)}` : '-';
	const { mapToRoot, layerStack } = node;
	const flags = [
		...(node.hasSpecs ? ['specs'] : []),
		...(node.isInert ? ['inert'] : []),
		...(node.isDueToAncestor ? ['ancestor'] : []),
		...(node.isDirect ? ['direct'] : []),
	];
	const pairs = [...mapToRoot.pairs, ...(mapToRoot.hasRootIdentity ? [[Path.root, Path.root]] : [])]
		.map(([source, target]) => `${source}:${target}`)
		.sort(byCodePoint);
	const { offset, scale } = mapToRoot.offset;
	const time = isIdentityOffset(mapToRoot.offset) ? '' : ` ${offset} ${scale}`;
	const numbers = `${node.namespaceDepth} ${node.siblingNumber} ${place(node.parent)} ${place(node.origin)}`;
	const layer = relative(folder, layerStack.rootLayer.identifier);
	return `  ${ARC_NAMES[node.arcType]} ${layer} ${node.path} [${flags.join(' ')}] ${numbers} ${pairs.join(',')}${time}`;
}

function byCodePoint(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
