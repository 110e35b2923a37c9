import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLayers } from '../src/sdf/compare-layers.ts';
import { Layer } from '../src/sdf/layer.ts';
import type { ChangeList } from '../src/sdf/layer-changes.ts';
import type { LayerData } from '../src/sdf/layer-data.ts';
import { MemoryData } from '../src/sdf/memory-data.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import { dataOf, makeValue } from '../src/sdf/value.ts';
import { T } from '../src/sdf/value-type.ts';

function names(layer: Layer, path: string, field: string): readonly string[] | undefined {
	return dataOf(layer.field(path, field), T.tokenVector);
}

function copy(data: LayerData): MemoryData {
	const made = new MemoryData();
	for (const path of data.paths()) {
		made.createSpec(path, data.specType(path));
		for (const name of data.fieldNames(path)) made.setField(path, name, data.field(path, name)!);
	}
	return made;
}

describe('Layer', () => {
	it('creates missing ancestors as overs', () => {
		const layer = Layer.create('a');
		layer.createPrim('/A/B', { specifier: 'def', typeName: 'Xform' });
		expect(layer.field('/A', 'specifier')?.data).toBe('over');
		expect(layer.field('/A/B', 'specifier')?.data).toBe('def');
		expect(layer.field('/A/B', 'typeName')?.data).toBe('Xform');
		expect(layer.children('/').map(String)).toEqual(['/A']);
	});

	it('stores attributes as readers do', () => {
		const layer = Layer.create('a');
		layer.createAttribute('/A.size', 'double', { custom: true });
		layer.createRelationship('/A.target');
		expect(layer.specType('/A.size')).toBe(SpecType.attribute);
		expect(layer.field('/A.size', 'custom')?.data).toBe(true);
		expect(layer.field('/A.size', 'variability')?.data).toBe('varying');
		expect(layer.field('/A.target', 'variability')?.data).toBe('uniform');
		expect(names(layer, '/A', 'properties')).toEqual(['size', 'target']);
	});

	it('creates variant sets with their variants', () => {
		const layer = Layer.create('a');
		layer.createVariant('/A{lod=high}');
		layer.createPrim('/A{lod=low}Mesh', { specifier: 'def' });
		expect(names(layer, '/A', 'variantSetChildren')).toEqual(['lod']);
		expect(names(layer, '/A{lod=}', 'variantChildren')).toEqual(['high', 'low']);
		expect(layer.specType('/A{lod=low}Mesh')).toBe(SpecType.prim);
	});

	it('removes a spec with all below it', () => {
		const layer = Layer.create('a');
		layer.createAttribute('/A/B.x', 'int');
		layer.createVariant('/A{v=a}');
		layer.removeSpec('/A');
		expect([...layer.data.paths()]).toEqual([Path.root]);
		expect(layer.fieldNames('/')).toEqual([]);
	});

	it('keeps the place of a renamed child', () => {
		const layer = Layer.create('a');
		for (const name of ['a', 'b', 'c']) layer.createPrim(`/${name}`);
		layer.createAttribute('/b.x', 'int');
		layer.moveSpec('/b', '/z');
		expect(names(layer, '/', 'primChildren')).toEqual(['a', 'z', 'c']);
		expect(layer.has('/z.x')).toBe(true);
		expect(layer.has('/b')).toBe(false);
	});

	it('renames a variant set with its variants', () => {
		const layer = Layer.create('a');
		layer.createPrim('/A{v=x}B');
		layer.moveSpec('/A{v=}', '/A{w=}');
		expect(layer.has('/A{w=x}B')).toBe(true);
		expect(names(layer, '/A{w=}', 'variantChildren')).toEqual(['x']);
		expect(layer.has('/A{v=x}')).toBe(false);
	});

	it('refuses invalid names, moves into itself and edits of children fields', () => {
		const layer = Layer.create('a');
		layer.createPrim('/A/B');
		expect(() => layer.createPrim('/1A')).toThrow(RangeError);
		expect(() => layer.createPrim(Path.root.appendChild('no good'))).toThrow(/invalid name 'no good'/);
		expect(() => layer.moveSpec('/A', '/A/B/A')).toThrow(/lies below/);
		expect(() => layer.setField('/A', 'primChildren', makeValue(T.tokenVector, []))).toThrow(/follows from the specs/);
		expect(() => layer.setField('/Z', 'active', makeValue(T.bool, true))).toThrow(/no spec/);
		expect(() => layer.reorderChildren('/A', 'primChildren', ['B', 'C'])).toThrow(/new order/);
	});

	it('tells listeners once for each edit', () => {
		const layer = Layer.create('a');
		const heard: ChangeList[] = [];
		const stop = layer.onChange((changes) => heard.push(changes));
		layer.edit(() => {
			layer.createPrim('/A');
			layer.createPrim('/B');
		});
		layer.setField('/A', 'active', makeValue(T.bool, false));
		layer.setField('/A', 'active', makeValue(T.bool, false));
		stop();
		layer.createPrim('/C');
		expect(heard.length).toBe(2);
		expect(heard[1]).toEqual([
			{
				kind: 'set-field',
				path: Path.parse('/A'),
				field: 'active',
				before: undefined,
				after: makeValue(T.bool, false),
			},
		]);
	});

	it('takes back a failed edit', () => {
		const layer = Layer.create('a');
		layer.createPrim('/A');
		const before = copy(layer.data);
		expect(() =>
			layer.edit(() => {
				layer.createPrim('/A/B');
				layer.removeSpec('/A');
				layer.createPrim('/2');
			}),
		).toThrow();
		expect(compareLayers(before, layer.data)).toEqual([]);
	});

	it('does not change values that were read before an edit', () => {
		const layer = Layer.create('a');
		layer.createPrim('/A');
		const read = layer.field('/', 'primChildren');
		layer.createPrim('/B');
		expect(read?.data).toEqual(['A']);
	});

	it('reverts random edits to the same content', () => {
		const paths = ['/A', '/A/B', '/A/B/C', '/D', '/D{v=x}', '/D{v=x}E', '/D{v=y}'];
		const edit = fc.record({ op: fc.nat(4), a: fc.nat(paths.length - 1), b: fc.nat(paths.length - 1) });
		fc.assert(
			fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
				const layer = Layer.create('a');
				layer.createPrim('/A/B');
				const states: MemoryData[] = [copy(layer.data)];
				const lists: ChangeList[] = [];
				layer.onChange((changes) => lists.push(changes));
				for (const { op, a, b } of edits) {
					const count = lists.length;
					try {
						if (op === 0) {
							if (paths[a]!.endsWith('}')) layer.createVariant(paths[a]!);
							else layer.createPrim(paths[a]!);
						} else if (op === 1) layer.removeSpec(paths[a]!);
						else if (op === 2) layer.moveSpec(paths[a]!, paths[b]!);
						else if (op === 3) layer.createAttribute(`${paths[a]!}.p${b}`, 'int');
						else layer.setField(paths[a]!, 'documentation', makeValue(T.string, `${b}`));
					} catch (error) {
						if (!(error instanceof RangeError)) throw error;
					}
					if (lists.length > count) states.push(copy(layer.data));
				}
				const done = [...lists];
				for (let i = done.length - 1; i >= 0; i--) {
					expect(compareLayers(layer.data, states[i + 1]!)).toEqual([]);
					layer.revert(done[i]!);
				}
				expect(compareLayers(layer.data, states[0]!)).toEqual([]);
			}),
			{ seed: 7, numRuns: 200 },
		);
	});

	it('adds many siblings in one edit in linear time', () => {
		const layer = Layer.create('a');
		layer.edit(() => {
			for (let i = 0; i < 20000; i++) layer.createPrim(`/A/p${i}`);
		});
		expect(names(layer, '/A', 'primChildren')?.length).toBe(20000);
	});
});
