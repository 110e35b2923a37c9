import { describe, expect, it } from 'vitest';
import { ListOp, makeValue, Path, T } from '../src/index.ts';
import { makeReference } from '../src/internal.ts';
import { Scene } from './pcp-scene.ts';

const FILES = {
	'root.usda':
		'def "W" {\ndef "A" (references = @./r.usda@</R>) {\n}\ndef "B" (references = @./r.usda@</R>) {\n}\ndef "C" {\n}\n}',
	'r.usda': 'def "R" {\ndef "X" {\ndef "Y" {\n}\n}\ndef "Z" {\n}\n}',
	's.usda': 'def "S" {\ndef "New" {\n}\n}',
};

/** Builds every index below the root and counts. */
function build(scene: Scene): number {
	const before = scene.cache.counts.indexes;
	const open = [Path.root];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		for (const name of scene.cache.primIndex(path).childNames().names) open.push(path.appendChild(name));
	}
	return scene.cache.counts.indexes - before;
}

describe('CompositionCache', () => {
	it('builds each index once', () => {
		const scene = new Scene(FILES);
		expect(build(scene)).toBe(11);
		expect(build(scene)).toBe(0);
	});

	it('makes each layer stack once: that of the root and that of each asset', () => {
		const scene = new Scene(FILES);
		expect(scene.cache.counts.layerStacks).toBe(0);
		build(scene);
		expect(scene.cache.counts.layerStacks).toBe(2);
		build(scene);
		expect(scene.cache.counts.layerStacks).toBe(2);
	});

	it('rebuilds nothing after an edit of a property', () => {
		const scene = new Scene(FILES);
		build(scene);
		const layer = scene.layer('r.usda');
		layer.onChange((changes) => {
			const { resynced, renamed } = scene.cache.applyChanges(layer, changes);
			expect([resynced.size, renamed.size]).toEqual([0, 0]);
		});
		layer.createAttribute('/R/X.size', 'double');
		layer.setField('/R/X.size', 'default', makeValue(T.double, 2));
		expect(build(scene)).toBe(0);
	});

	it('rebuilds what depends on a referenced prim, and only that', () => {
		const scene = new Scene(FILES);
		build(scene);
		const layer = scene.layer('r.usda');
		layer.onChange((changes) => void scene.cache.applyChanges(layer, changes));
		const references = ListOp.explicit([makeReference('./s.usda', Path.parse('/S')!)]);
		layer.setField('/R/X', 'references', makeValue(T.referenceListOp, references));
		// X, its Y and the new child, in both copies
		expect(build(scene)).toBe(6);
		expect(scene.stack('/W/A/X/New')).toEqual(['s.usda /S/New']);
	});

	it('sees new and removed prims', () => {
		const scene = new Scene(FILES);
		build(scene);
		const layer = scene.layer('root.usda');
		layer.onChange((changes) => void scene.cache.applyChanges(layer, changes));
		layer.createPrim('/W/A/X', { specifier: 'over' });
		expect(scene.stack('/W/A/X')).toEqual(['root.usda /W/A/X', 'r.usda /R/X']);
		layer.createPrim('/W/D', { specifier: 'def' });
		expect(scene.children('/W')).toEqual(['A', 'B', 'C', 'D']);
		layer.removeSpec('/W/C');
		expect(scene.children('/W')).toEqual(['A', 'B', 'D']);
	});

	it('starts again when sublayers change', () => {
		const scene = new Scene(FILES);
		build(scene);
		const layer = scene.layer('root.usda');
		layer.onChange((changes) => void scene.cache.applyChanges(layer, changes));
		layer.setField('/', 'subLayers', makeValue(T.stringVector, ['./s.usda']));
		expect(scene.children('/')).toEqual(['S', 'W']);
	});
});
