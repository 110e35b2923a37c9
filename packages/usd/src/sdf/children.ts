import type { LayerData } from './layer-data.ts';
import { Path, PathKind } from './path.ts';
import { SpecType } from './spec-type.ts';
import { type Value, valueIs } from './value.ts';
import { T } from './value-type.ts';

/** The fields that list the children of a spec, in the order in which files store them. */
export const CHILDREN_FIELDS = [
	'primChildren',
	'properties',
	'variantSetChildren',
	'variantChildren',
	'targetChildren',
	'connectionChildren',
	'mapperChildren',
	'mapperArgChildren',
	'expressionChildren',
] as const;

export type ChildrenField = (typeof CHILDREN_FIELDS)[number];

/** Whether a field lists children rather than saying something about its spec. */
export function isChildrenField(name: string): name is ChildrenField {
	return CHILDREN_FIELD_NAMES.has(name);
}

/** The children of a spec, as its children fields list them. */
export function childPaths(data: LayerData, parent: Path): Path[] {
	const children: Path[] = [];
	for (const name of data.fieldNames(parent)) {
		if (!isChildrenField(name)) continue;
		const list = data.field(parent, name);
		if (list !== undefined) appendChildren(children, parent, name, list);
	}
	return children;
}

/** Every spec from `start` on that the children fields lead to, parents before children. */
export function* subtreePaths(data: LayerData, start: Path): Generator<Path> {
	const stack = [start];
	for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
		if (!data.has(path)) continue;
		yield path;
		const children = childPaths(data, path);
		for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
	}
}

/** The field of the parent that lists a child of this kind, or undefined for the root. */
export function childrenFieldOf(path: Path): ChildrenField | undefined {
	switch (path.kind) {
		case PathKind.prim:
			return 'primChildren';
		case PathKind.property:
		case PathKind.relationalAttribute:
			return 'properties';
		case PathKind.variant:
			return path.variantSelection === '' ? 'variantSetChildren' : 'variantChildren';
		case PathKind.mapperArg:
			return 'mapperArgChildren';
		case PathKind.mapper:
			return 'mapperChildren';
		case PathKind.expression:
			return 'expressionChildren';
		default:
			return undefined;
	}
}

/** The spec that lists `path` among its children: for a variant that is its variant set. */
export function specParent(path: Path): Path | null {
	if (path.kind === PathKind.variant && path.variantSelection !== '') {
		return path.parent!.appendVariant(path.variantSet, '');
	}
	return path.parent;
}

/** What a children field lists for this child. */
export function childName(path: Path): string {
	if (path.kind !== PathKind.variant) return path.name;
	return path.variantSelection === '' ? path.variantSet : path.variantSelection;
}

/** The spec type that a new spec at `path` has, where the kind of path decides it. */
export function specTypeOfPath(path: Path): SpecType {
	if (path === Path.root) return SpecType.pseudoRoot;
	if (path.kind === PathKind.prim) return SpecType.prim;
	if (path.kind === PathKind.variant) return path.variantSelection === '' ? SpecType.variantSet : SpecType.variant;
	return SpecType.unknown;
}

const CHILDREN_FIELD_NAMES: ReadonlySet<string> = new Set(CHILDREN_FIELDS);

function appendChildren(out: Path[], parent: Path, field: ChildrenField, list: Value): void {
	if (valueIs(list, T.pathVector)) {
		for (const target of list.data) {
			out.push(field === 'mapperChildren' ? parent.appendMapper(target) : parent.appendTarget(target));
		}
	} else if (valueIs(list, T.tokenVector)) {
		for (const name of list.data) out.push(childPath(parent, field, name));
	}
}

function childPath(parent: Path, field: ChildrenField, name: string): Path {
	switch (field) {
		case 'primChildren':
			return parent.appendChild(name);
		case 'properties':
			return parent.kind === PathKind.target ? parent.appendRelationalAttribute(name) : parent.appendProperty(name);
		case 'variantSetChildren':
			return parent.appendVariant(name, '');
		case 'variantChildren':
			return parent.parent!.appendVariant(parent.variantSet, name);
		case 'mapperArgChildren':
			return parent.appendMapperArg(name);
		default:
			return parent.appendExpression();
	}
}
