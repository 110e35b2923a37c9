import type { Report } from '@manyworlds/core';
import { Layer, type LayerData, makeValue, openLayer, type PointInstances, type Prim, Stage, T } from '@manyworlds/usd';
import { isUsualPrim, pointInstances, traverse } from '@manyworlds/usd/internal';

/** A stage in which point instancers are replaced by what they place. */
export interface ExpandedStage {
	readonly stage: Stage;
	/** Paths of the instancers that were expanded. */
	readonly instancers: readonly string[];
}

/** Attributes of an instancer that say what it places. */
export const INSTANCER_ATTRIBUTES: readonly string[] = [
	'protoIndices',
	'ids',
	'positions',
	'orientations',
	'orientationsf',
	'scales',
	'invisibleIds',
];

/**
 * Composes a stage anew with a session layer that makes a prim of each instance: an Xform `instance_N` below the instancer
 * that refers to the prototype and has the instance's transform. Prototypes below the instancer become inactive. Opinions of a
 * session layer that the stage has already are stronger. The given stage is not changed; undefined when there is nothing to expand.
 */
export function expandPointInstancers(stage: Stage, root: Prim, report: Report): ExpandedStage | undefined {
	const found = instanceLayer(root, report);
	if (found === undefined) return undefined;
	const sessionLayer = Layer.create(found.layer.identifier);
	if (stage.sessionLayer !== undefined) layUnder(sessionLayer.data, stage.sessionLayer.data);
	layUnder(sessionLayer.data, found.layer.data);
	const expanded = Stage.open(stage.rootLayer, {
		store: stage.store,
		schemas: stage.schemas,
		load: stage.loadRules,
		sessionLayer,
		report: stage.report,
	});
	return { stage: expanded, instancers: found.instancers };
}

/** A layer with a prim for each instance of the point instancers at and below a prim; undefined when there are none. */
export function instanceLayer(
	root: Prim,
	report: Report,
): { readonly layer: Layer; readonly instancers: readonly string[] } | undefined {
	const found: { prim: Prim; instances: PointInstances }[] = [];
	for (const prim of traverse(root, { predicate: isUsualPrim })) {
		if (prim.typeName !== 'PointInstancer') continue;
		const isNested = found.some(({ prim: outer }) => prim.path.toString().startsWith(`${outer.path.toString()}/`));
		const instances = isNested ? undefined : pointInstances(prim, { report });
		if (instances !== undefined) found.push({ prim, instances });
	}
	if (found.length === 0) return undefined;
	const tree = new OverTree();
	for (const { prim, instances } of found) addInstances(tree, prim.path.toString(), instances);
	const text = `#usda 1.0\n\n${tree.toText()}`;
	const layer = openLayer(new TextEncoder().encode(text), { identifier: 'anon:instances.usda', report });
	return layer && { layer, instancers: found.map(({ prim }) => prim.path.toString()) };
}

/** Adds to some data what weaker data has beyond it. */
export function layUnder(data: LayerData, weaker: LayerData): void {
	for (const path of weaker.paths()) {
		if (!data.has(path)) data.createSpec(path, weaker.specType(path));
		for (const name of weaker.fieldNames(path)) {
			const [value, known] = [weaker.field(path, name)!, data.field(path, name)];
			if (known === undefined) data.setField(path, name, value);
			else if (CHILDREN.has(name))
				data.setField(
					path,
					name,
					makeValue(T.tokenVector, [...new Set([...(known.data as string[]), ...(value.data as string[])])]),
				);
			// the prim is defined if any layer defines it
			else if (name === 'specifier' && value.data !== 'over' && known.data === 'over') data.setField(path, name, value);
		}
	}
}

const CHILDREN: ReadonlySet<string> = new Set(['primChildren', 'properties']);

function addInstances(tree: OverTree, path: string, instances: PointInstances): void {
	const instancer = tree.at(path);
	instancer.head = 'over Xform';
	for (const prototype of new Set(instances.prototypes.map(String))) {
		if (prototype.startsWith(`${path}/`)) tree.at(prototype).metadata = 'active = false';
	}
	for (let i = 0; i < instances.prototypeIndices.length; i++) {
		const prototype = instances.prototypes[instances.prototypeIndices[i]!]!;
		const instance = tree.at(`${path}/instance_${instances.ids[i]}`);
		instance.head = 'def Xform';
		instance.metadata = `active = true\nprepend references = <${prototype.toString()}>`;
		instance.body = `matrix4d xformOp:transform:instance = ${matrixText(instances.transforms.subarray(16 * i, 16 * i + 16))}\nuniform token[] xformOpOrder = ["xformOp:transform:instance"]`;
	}
}

function matrixText(matrix: Float64Array): string {
	const rows = [0, 4, 8, 12].map((start) => `(${[...matrix.subarray(start, start + 4)].join(', ')})`);
	return `( ${rows.join(', ')} )`;
}

/** Prims to write as text, nested by their paths. */
class OverTree {
	readonly #root = new OverPrim();

	/** The prim at a path, made with its ancestors. */
	at(path: string): OverPrim {
		let prim = this.#root;
		for (const name of path.split('/').filter(Boolean)) {
			let child = prim.children.get(name);
			if (child === undefined) {
				child = new OverPrim();
				prim.children.set(name, child);
			}
			prim = child;
		}
		return prim;
	}

	toText(): string {
		return [...this.#root.children].map(([name, prim]) => prim.toText(name)).join('\n');
	}
}

class OverPrim {
	head = 'over';
	metadata = '';
	body = '';
	readonly children = new Map<string, OverPrim>();

	toText(name: string): string {
		const metadata = this.metadata === '' ? '' : ` (\n${this.metadata}\n)`;
		const children = [...this.children].map(([own, prim]) => prim.toText(own)).join('\n');
		return `${this.head} "${name}"${metadata}\n{\n${this.body}\n${children}\n}\n`;
	}
}
