import { describe, expect, it } from 'vitest';
import type { Stage } from '../src/index.ts';
import { openScene, sceneLayers, sceneStore } from './stage-scene.ts';

// checked with OpenUSD 26.11
const SCENE = {
	root: '( subLayers = [@./a@, @./b@] )\nover "P"\n{\n    double r = 1\n}\ndef "R" (references = @./c@</C>)\n{\n}\ndef "Q" (references = [@./a@</P>, @./c@</C>])\n{\n}\n',
	a: '( subLayers = [@./a2@] )\ndef "P"\n{\n    double x = 1\n}\n',
	a2: 'over "P"\n{\n    double y = 2\n}\n',
	b: 'def "P"\n{\n    double x = 5\n    double z = 3\n}\n',
	c: '( subLayers = [@./b@] )\ndef "C"\n{\n    double c = 3\n}\n',
};

function values(stage: Stage): Record<string, Record<string, unknown>> {
	const result: Record<string, Record<string, unknown>> = {};
	for (const prim of stage.traverse()) {
		result[prim.path.toString()] = Object.fromEntries(
			prim.attributes().map((attribute) => [attribute.name, attribute.get()?.data]),
		);
	}
	return result;
}

const kinds = (stage: Stage): string[] => stage.errors().map(({ kind }) => kind);
const layers = (stage: Stage): string[] => stage.layerStack().map(({ identifier }) => identifier);

describe('muting a layer', () => {
	it('leaves it out as a sublayer, with its own sublayers, and as a target of references', () => {
		const stage = openScene(SCENE);
		stage.muteLayer('./a');
		expect(values(stage)).toEqual({ '/P': { r: 1, x: 5, z: 3 }, '/R': { c: 3 }, '/Q': { c: 3 } });
		expect(layers(stage)).toEqual(['root', 'b']);
		expect(kinds(stage)).toEqual(['MutedAssetPath']);
		stage.muteLayer('c');
		expect(values(stage)).toEqual({ '/P': { r: 1, x: 5, z: 3 }, '/R': {}, '/Q': {} });
		expect(stage.mutedLayers()).toEqual(['a', 'c']);
		expect([stage.isLayerMuted('./c'), stage.isLayerMuted('b')]).toEqual([true, false]);
	});

	it('is taken back by unmuting', () => {
		const stage = openScene(SCENE);
		const before = values(stage);
		stage.muteLayer('a');
		stage.muteLayer('c');
		stage.unmuteLayer('a');
		expect(values(stage)).toEqual({ '/P': { r: 1, x: 1, y: 2, z: 3 }, '/R': {}, '/Q': { x: 1, y: 2 } });
		stage.unmuteLayer('c');
		expect(values(stage)).toEqual(before);
		expect(kinds(stage)).toEqual([]);
	});

	it('can be done while opening, before the layer is there', () => {
		const stage = openScene({ ...SCENE, a: SCENE.a }, { mutedLayers: ['a', 'nowhere'] });
		expect(values(stage)['/P']).toEqual({ r: 1, x: 5, z: 3 });
		expect(stage.missing()).toEqual([]);
	});

	it('works for the session layer, not for the root layer', () => {
		const all = sceneLayers({ ...SCENE, session: 'over "P"\n{\n    double r = 9\n}\n' });
		const stage = openScene(SCENE, { sessionLayer: all.get('session'), store: sceneStore(all) });
		expect(values(stage)['/P']!['r']).toBe(9);
		stage.muteLayer('session');
		expect(values(stage)['/P']!['r']).toBe(1);
		expect(() => stage.muteLayer('root')).toThrow(RangeError);
		expect(() => stage.muteLayer('./root')).toThrow('is the root layer of the stage, which cannot be muted');
	});

	it('is told to listeners, and edits of muted layers are not', () => {
		const all = sceneLayers(SCENE);
		const stage = openScene(SCENE, { store: sceneStore(all) });
		const heard: string[][] = [];
		stage.onChange(({ resynced }) => heard.push(resynced.map(String)));
		stage.muteLayer('a');
		stage.muteLayer('a');
		stage.unmuteLayer('b');
		stage.unmuteLayer('a');
		expect(heard).toEqual([['/'], ['/']]);
	});
});
