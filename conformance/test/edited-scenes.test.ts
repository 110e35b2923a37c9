/** A cache that follows edits must give what a new cache gives for the same layers: random edits of small scenes, one after the other. */
import { type Layer, type Path, SpecType } from '@manyworlds/usd';
import { CompositionCache } from '@manyworlds/usd/internal';
import { expect, it } from 'vitest';
import { dumpNodes } from './node-dump.ts';
import { openLayer, readSmallScenes, type SmallScene } from './small-scenes.ts';

const LAYER_FIELDS = ['subLayers', 'subLayerOffsets', 'layerRelocates', 'timeCodesPerSecond', 'defaultPrim'];
const PRIM_FIELDS = [
	'references',
	'payload',
	'inheritPaths',
	'specializes',
	'variantSetNames',
	'variantSelection',
	'instanceable',
	'primOrder',
];
const EDITS = 8;

/** Integers below a bound, the same for the same seed. */
function integers(seed: number): (below: number) => number {
	let state = Math.imul(seed, 0x9e3779b1) | 1;
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) | 0;
		return ((state >>> 8) & 0xffffff) % below;
	};
}

/** Layers of a scene that can be read. */
function layersOf({ store }: SmallScene): Layer[] {
	const layers: Layer[] = [];
	for (const name of ['root', 'sub', 'a', 'b', 'c']) {
		try {
			layers.push(openLayer(store, `${name}.usda`));
		} catch {
			// a layer that OpenUSD refuses too
		}
	}
	return layers;
}

function primsOf(layer: Layer): Path[] {
	return [...layer.data.paths()].filter((path) => {
		const type = layer.specType(path);
		return type === SpecType.prim || type === SpecType.variant;
	});
}

/** Makes one edit: a field taken over from elsewhere or removed, a prim added or removed. */
function edit(layers: readonly Layer[], below: (bound: number) => number): string {
	const layer = layers[below(layers.length)]!;
	const other = layers[below(layers.length)]!;
	const kind = below(6);
	if (kind === 0) {
		const field = LAYER_FIELDS[below(LAYER_FIELDS.length)]!;
		const value = other.field('/', field);
		// a layer that names itself is another subject
		if (field.startsWith('subLayers') && other !== layer && value !== undefined) return 'nothing';
		if (value === undefined) layer.eraseField('/', field);
		else layer.setField('/', field, value);
		return `${layer.identifier} ${field}`;
	}
	const prims = primsOf(layer);
	if (prims.length === 0) return 'nothing';
	const path = prims[below(prims.length)]!;
	if (kind === 1) {
		layer.removeSpec(path);
		return `${layer.identifier} without ${path}`;
	}
	if (kind === 2) {
		const child = path.appendChild(['A', 'B', 'C', 'D'][below(4)]!);
		if (layer.has(child)) return 'nothing';
		layer.createPrim(child, { specifier: below(2) === 0 ? 'def' : 'over' });
		return `${layer.identifier} with ${child}`;
	}
	const field = PRIM_FIELDS[below(PRIM_FIELDS.length)]!;
	const donors = layers.flatMap((one) => primsOf(one).flatMap((at) => one.field(at, field) ?? []));
	if (donors.length === 0 || below(3) === 0) layer.eraseField(path, field);
	else layer.setField(path, field, donors[below(donors.length)]!);
	return `${layer.identifier} ${path} ${field}`;
}

it.each(readSmallScenes().slice(0, 80))('scene %s', (seed, open) => {
	const scene = open();
	const { store } = scene;
	const layers = layersOf(scene);
	const rootLayer = layers[0]!;
	const cache = new CompositionCache({ rootLayer, store });
	for (const layer of layers) layer.onChange((changes) => void cache.applyChanges(layer, changes));
	const below = integers(Number(seed));
	dumpNodes(cache, '', { withTargets: true });
	for (let i = 0; i < EDITS; i++) {
		const done = edit(layers, below);
		const fresh = new CompositionCache({ rootLayer, store });
		expect(`${done}\n${dumpNodes(cache, '', { withTargets: true })}`).toBe(
			`${done}\n${dumpNodes(fresh, '', { withTargets: true })}`,
		);
	}
});
