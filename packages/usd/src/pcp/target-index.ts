import { ListOp } from '../sdf/list-op.ts';
import { Path, PathKind } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { ArcType } from './arc-type.ts';
import type { MapFunction } from './map-function.ts';
import type { PcpError } from './pcp-error.ts';
import type { PrimIndex, SpecSite } from './prim-index.ts';
import type { PropertyIndex } from './property-index.ts';

/** Targets of a relationship or connections of an attribute, in the namespace of the stage. */
export interface TargetIndex {
	readonly paths: readonly Path[];
	/** Paths that some layer deletes. */
	readonly deleted: readonly Path[];
	readonly errors: readonly PcpError[];
	/** Whether any layer has an opinion, be it an empty list. */
	readonly isAuthored: boolean;
}

/** Finds the index of a prim, to tell whether a target is an instance of the class that targets it. */
export type FindIndex = (path: Path) => PrimIndex;

type TargetError = Extract<PcpError, { kind: 'InvalidExternalTargetPath' | 'InvalidInstanceTargetPath' }>;

/** Composes the targets of a property from weak to strong. Without `findIndex` targets of instances are not looked for. */
export function composeTargets(property: PropertyIndex, findIndex?: FindIndex): TargetIndex {
	const field = property.type === SpecType.attribute ? 'connectionPaths' : 'targetPaths';
	let paths: readonly Path[] = [];
	let isAuthored = false;
	const state = { deleted: [] as Path[], errors: [] as TargetError[] };
	for (let i = property.stack.length - 1; i >= 0; i--) {
		const spec = property.stack[i]!;
		const op = dataOf(spec.layer.data.field(spec.path, field), T.pathListOp);
		if (op === undefined || op.isInert) continue;
		isAuthored = true;
		if (op.isExplicit) {
			state.deleted = [];
			state.errors = [];
		}
		paths = translatedOp(op, property, spec, state, findIndex).apply(paths);
	}
	return { paths, deleted: state.deleted, errors: state.errors, isAuthored };
}

/** A path of a node's namespace as the stage names it; undefined when it has no name there. */
export function translateToRoot(map: MapFunction, path: Path): Path | undefined {
	const plain = path.stripVariants();
	if (plain.isEmpty || map.isIdentity) return plain;
	return translateWith(plain, (part) => map.mapSourceToTarget(part));
}

/** A path of the stage as a node's namespace names it; undefined when it has no name there. */
export function translateToNode(map: MapFunction, path: Path): Path | undefined {
	if (path.isEmpty || map.isIdentity) return path;
	return translateWith(path, (part) => map.mapTargetToSource(part));
}

/** Maps a path and the target paths inside its brackets. */
function translateWith(path: Path, map: (path: Path) => Path): Path | undefined {
	let translated = map(path);
	if (translated.isEmpty) return undefined;
	for (let node: Path | null = path; node !== null; node = node.parent) {
		if (node.target === null) continue;
		const target = map(node.target);
		if (target.isEmpty) return undefined;
		translated = replaceTarget(translated, node.target, target);
	}
	return translated;
}

function replaceTarget(path: Path, from: Path, to: Path): Path {
	if (path.parent === null) return path;
	const parent = replaceTarget(path.parent, from, to);
	if (path.target !== from) return parent.appendElement(path);
	return path.kind === PathKind.mapper ? parent.appendMapper(to) : parent.appendTarget(to);
}

function translatedOp(
	op: ListOp<Path>,
	property: PropertyIndex,
	spec: SpecSite,
	state: { deleted: Path[]; errors: TargetError[] },
	findIndex: FindIndex | undefined,
): ListOp<Path> {
	const { node } = spec;
	const anchor = spec.path.parent!.stripVariants();
	const translate = (authored: Path): Path | undefined => {
		const target = authored.makeAbsolute(anchor);
		// the dumps of AOUSD, which need `findIndex`, also name prims that a relocate took away
		const map = findIndex === undefined ? node.mapToRoot : node.mapToRoot.collapsed();
		const translated = translateToRoot(map, target);
		const error = {
			root: { layer: property.stack[0]!.node.layerStack.rootLayer, path: property.path },
			targetPath: target,
			owner: { layer: spec.layer, path: spec.path },
			ownerType: property.type,
		};
		if (translated === undefined) {
			state.errors.push({
				kind: 'InvalidExternalTargetPath',
				...error,
				arcType: node.arcType,
				introPath: node.introPath ?? Path.root,
			});
			return undefined;
		}
		if (translated.isEmpty) return undefined;
		if (findIndex !== undefined && isInstanceOfOwnClass(target, translated, spec, findIndex)) {
			state.errors.push({ kind: 'InvalidInstanceTargetPath', ...error, composedPath: translated });
			return undefined;
		}
		return translated;
	};
	const all = (items: readonly Path[]): Path[] => items.map(translate).filter((path) => path !== undefined);
	if (op.isExplicit) return ListOp.explicit(all(op.explicitItems));
	const deletedItems: Path[] = [];
	for (const item of op.deletedItems) {
		const path = translateToRoot(node.mapToRoot, item.makeAbsolute(anchor));
		if (path === undefined || path.isEmpty) continue;
		deletedItems.push(path);
		state.deleted.push(path);
		state.errors = state.errors.filter((error) => !('composedPath' in error) || error.composedPath !== path);
	}
	const addedItems = all(op.addedItems);
	const prependedItems = all([...op.prependedItems].reverse()).reverse();
	const appendedItems = all(op.appendedItems);
	const orderedItems = all(op.orderedItems);
	return ListOp.edits({ deletedItems, addedItems, prependedItems, appendedItems, orderedItems });
}

/** Whether a target authored in a class leads to a prim that inherits that class. */
function isInstanceOfOwnClass(target: Path, translated: Path, spec: SpecSite, findIndex: FindIndex): boolean {
	const { node } = spec;
	if (node.arcType !== ArcType.inherit) return false;
	const classPath = node.pathAtIntroduction;
	if (target.hasPrefix(classPath)) return false;
	return findIndex(translated.primPath).nodes.some(
		(other) =>
			other.arcType === ArcType.inherit && other.layerStack === node.layerStack && other.path.hasPrefix(classPath),
	);
}
