import { readFileSync, statSync } from 'node:fs';
import { Report } from '@manyworlds/core';
import {
	isAssetFailure,
	type Layer,
	type LayerData,
	type Path,
	type Prim,
	readUsda,
	Stage,
	writeUsda,
} from '@manyworlds/usd';
import { isAnyPrim, traverse } from '@manyworlds/usd/internal';
import type { LocationLink } from 'vscode-languageserver-protocol';
import { DocumentText } from '../../packages/lsp/src/text/document-text.ts';
import { DiskStore } from './disk-store.ts';

/** A place in a layer that a definition leads to. */
export interface Landing {
	readonly layer: string;
	readonly path: string;
}

/** Tells by composition alone, without the language server, which specs are right answers. */
export class LspOracle {
	readonly stage: Stage;
	readonly #names = new Map<string, Map<string, Path[]>>();

	constructor(file: string) {
		const store = new DiskStore({ brokenLayers: 'use' });
		const root = store.layer(file);
		if (root === undefined || isAssetFailure(root)) throw new Error(`${file} cannot be read`);
		this.stage = Stage.open(root, { store, report: new Report({ cap: 0 }) });
	}

	*prims(): Generator<Prim> {
		yield* this.stage.traverse({ predicate: isAnyPrim });
		for (const prototype of this.stage.prototypes()) yield* traverse(prototype, { predicate: isAnyPrim });
	}

	/** Composed targets and connections by the property specs that bring them. */
	targets(): Map<string, Set<Path>> {
		const found = new Map<string, Set<Path>>();
		for (const prim of this.prims()) {
			for (const property of prim.authoredProperties()) {
				const paths =
					'targets' in property
						? prim.relationship(property.name).targets()
						: prim.attribute(property.name).connections();
				for (const { layer, path } of property.specs()) {
					const key = `${layer.identifier}\n${path}`;
					const known = found.get(key) ?? new Set();
					for (const target of paths) known.add(target);
					found.set(key, known);
				}
			}
		}
		return found;
	}

	/** The specs of a composed prim or property, as keys; those of the prim where only a schema has the property. */
	specs(path: Path): Set<string> {
		const prim = this.stage.prim(path.primPath);
		if (prim === undefined) return new Set();
		const own = path.isProperty ? (prim.property(path.name)?.specs() ?? []) : [];
		const sites = own.length > 0 ? own : prim.specs();
		return new Set(sites.map(({ layer, path: spec }) => `${layer.identifier}\n${spec}`));
	}

	/** The spec that a link leads to, as a key: found by the place of its name in the text of the layer. */
	landing({ targetUri, targetSelectionRange }: LocationLink): string {
		const isCrate = targetUri.startsWith('manyworlds-usdc:');
		const file = decodeURIComponent(targetUri.replace(/^[a-z-]+:(\/\/)?/, '')).replace(isCrate ? /\.usda$/ : /$^/, '');
		const { line, character } = targetSelectionRange.start;
		const paths = this.#namesOf(file).get(`${line}:${character}`) ?? [];
		return `${file}\n${paths[0] ?? `nothing at ${line}:${character}`}`;
	}

	#namesOf(file: string): Map<string, Path[]> {
		let found = this.#names.get(file);
		if (found !== undefined) return found;
		found = new Map();
		const layer = this.stage.usedLayers().find(({ identifier }) => identifier === file);
		const { bytes, data } = textOf(file, layer);
		const text = new DocumentText(bytes, 'utf-16');
		for (const path of data.paths()) {
			const start = data.specSource(path)?.nameStart ?? -1;
			if (start < 0) continue;
			const quoted = bytes[start] === 0x22 || bytes[start] === 0x27 ? 1 : 0;
			const { line, character } = text.position(start + quoted);
			const key = `${line}:${character}`;
			found.set(key, [...(found.get(key) ?? []), path]);
		}
		this.#names.set(file, found);
		return found;
	}
}

function textOf(file: string, layer: Layer | undefined): { readonly bytes: Uint8Array; readonly data: LayerData } {
	const saved = statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : undefined;
	const isText = saved !== undefined && saved.subarray(0, 5).toString() === '#usda';
	const bytes = isText ? new Uint8Array(saved) : writeUsda(layer!.data);
	return { bytes, data: readUsda(bytes) };
}
