import { describe, expect, it } from 'vitest';
import { type Layer, ListOp, MemoryStore, makeValue, Path, T } from '../src/index.ts';
import { CompositionCache, composePropertyIndex, makeReference } from '../src/internal.ts';
import { Scene } from './pcp-scene.ts';

/** Every index below the root, as text. */
function dump(cache: CompositionCache): string {
	const lines: string[] = [];
	const visit = (path: Path): void => {
		const index = cache.primIndex(path);
		const stack = index
			.primStack()
			.map(({ layer, path: at, offset }) => `${layer.identifier}${at} ${offset.offset} ${offset.scale}`);
		lines.push(`${path} ${index.isInstance} ${index.errors.map(({ kind }) => kind)}: ${stack.join(', ')}`);
		for (const name of index.childNames().names) visit(path.appendChild(name));
	};
	visit(Path.root);
	return lines.join('\n');
}

/** A scene whose cache is told of every edit, and must then give what a new one gives. */
class Followed extends Scene {
	readonly #layers: readonly Layer[];

	constructor(files: Readonly<Record<string, string>>) {
		super(files);
		this.#layers = Object.keys(files).map((name) => this.layer(name));
		for (const layer of this.#layers) layer.onChange((changes) => void this.cache.applyChanges(layer, changes));
		dump(this.cache);
	}

	/** Edits a layer and compares. Gives how many indexes were built again. */
	edit(name: string, change: (layer: Layer) => void): number {
		const before = dump(this.cache);
		const built = this.cache.counts.indexes;
		change(this.layer(name));
		const after = dump(this.cache);
		const count = this.cache.counts.indexes - built;
		const fresh = new CompositionCache({ rootLayer: this.layer('root.usda'), store: this.store });
		expect(after).toBe(dump(fresh));
		expect(after).not.toBe(before);
		return count;
	}
}

const order = (...names: readonly string[]) => makeValue(T.tokenVector, names);
const references = (asset: string, path: string) =>
	makeValue(T.referenceListOp, ListOp.explicit([makeReference(asset, Path.parse(path)!)]));

describe('a cache follows', () => {
	const FILES = {
		'root.usda': `def "W" {\ndef "A" (references = @./r.usda@</R>) {\n}\ndef "B" (references = @./s.usda@</S>) {\n}\n}
		def "P" (references = </W/A>) {\n}`,
		'r.usda': 'def "R" {\ndef "X" {\ndef "Y" {\n}\ndef "Z" {\n}\n}\n}\ndef "Other" {\n}',
		's.usda': 'def "S" {\ndef "X" {\n}\n}',
		't.usda': 'def "T" {\ndef "New" {\n}\n}',
	};

	it('the order of children, and builds nothing for it', () => {
		const scene = new Followed(FILES);
		expect(scene.edit('r.usda', (layer) => layer.setField('/R/X', 'primOrder', order('Z', 'Y')))).toBe(0);
		expect(scene.children('/W/A/X')).toEqual(['Z', 'Y']);
		expect(scene.children('/P/X')).toEqual(['Z', 'Y']);
		expect(scene.edit('root.usda', (layer) => layer.setField('/', 'primOrder', order('P', 'W')))).toBe(0);
		expect(scene.edit('root.usda', (layer) => layer.setField('/W', 'primOrder', order('B', 'A')))).toBe(0);
	});

	it('the order of children that a relocate moved', () => {
		const scene = new Followed({
			'root.usda': 'def "A" (references = @./r.usda@</R>) {\n}',
			'r.usda': '(\nrelocates = { </R/B>: </R/C> }\n)\ndef "R" (references = @./s.usda@</S>) {\n}',
			's.usda': 'def "S" {\ndef "B" {\ndef "Y" {\n}\ndef "Z" {\n}\n}\n}',
		});
		expect(scene.children('/A/C')).toEqual(['Y', 'Z']);
		scene.edit('s.usda', (layer) => layer.setField('/S/B', 'primOrder', order('Z', 'Y')));
		expect(scene.children('/A/C')).toEqual(['Z', 'Y']);
		scene.edit('r.usda', (layer) => layer.createPrim('/R/C', { specifier: 'over' }));
		scene.edit('r.usda', (layer) => layer.setField('/R/C', 'primOrder', order('Y', 'Z')));
		expect(scene.children('/A/C')).toEqual(['Y', 'Z']);
	});

	it('arcs, and builds only what they lead to', () => {
		const scene = new Followed(FILES);
		// X below A and P, with Y and Z and the new child of each
		expect(scene.edit('r.usda', (layer) => layer.setField('/R/X', 'references', references('./t.usda', '/T')))).toBe(8);
		// the new layer is followed too
		expect(scene.edit('t.usda', (layer) => layer.createPrim('/T/New2', { specifier: 'def' }))).toBe(2);
		expect(scene.edit('s.usda', (layer) => layer.removeSpec('/S/X'))).toBe(0);
	});

	it('what belongs to whole layer stacks', () => {
		const scene = new Followed({
			...FILES,
			'r.usda': `(\nsubLayers = [@./t.usda@]\n)\n${FILES['r.usda']}`,
			't.usda': 'over "R" {\ndef "Sub" {\n}\n}',
		});
		// A and P with X, Y, Z and Sub; not W, B nor the root
		expect(scene.edit('r.usda', (layer) => layer.setField('/', 'timeCodesPerSecond', makeValue(T.double, 48)))).toBe(
			10,
		);
		expect(scene.edit('r.usda', (layer) => layer.eraseField('/', 'subLayers'))).toBe(8);
		expect(scene.edit('root.usda', (layer) => layer.setField('/', 'timeCodesPerSecond', makeValue(T.double, 12)))).toBe(
			12,
		);
	});

	it('payloads, variants and instances', () => {
		const scene = new Followed({
			'root.usda': `def "A" (references = @./r.usda@</R>
			variants = { string v = "x" }) {\n}`,
			'r.usda': `def "R" (prepend variantSets = "v") {
			def "In" {\n}
			variantSet "v" = {\n"x" {\ndef "X" {\n}\n}\n"y" {\ndef "Y" {\n}\n}\n}\n}`,
		});
		scene.edit('root.usda', (layer) =>
			layer.setField('/A', 'variantSelection', makeValue(T.variantSelectionMap, new Map([['v', 'y']]))),
		);
		expect(scene.children('/A')).toEqual(['Y', 'In']);
		scene.edit('r.usda', (layer) => layer.createPrim('/R{v=y}Z', { specifier: 'def' }));
		expect(scene.children('/A')).toEqual(['Y', 'Z', 'In']);
		scene.edit('root.usda', (layer) => layer.setField('/A', 'instanceable', makeValue(T.bool, true)));
		scene.edit('root.usda', (layer) => layer.eraseField('/A', 'variantSelection'));
	});
});

describe('a layer that is not there yet', () => {
	const FILES: Record<string, string> = {
		'root.usda':
			'(\nsubLayers = [@./sub.usda@]\n)\ndef "A" (references = @./r.usda@</R>) {\ndef "In" {\n}\n}\ndef "B" {\n}',
		'sub.usda': 'def "Sub" {\n}',
		'r.usda': '(\nsubLayers = [@./deep.usda@]\n)\ndef "R" {\n}',
		'deep.usda': 'over "R" {\ndef "Deep" {\n}\n}',
	};

	/** A store that has some of the files at first. */
	function arriving(...missing: readonly string[]): { cache: CompositionCache; arrive: (name: string) => void } {
		const store = new MemoryStore(new Map(Object.entries(FILES).map(([name, text]) => [name, `#usda 1.0\n${text}\n`])));
		const away = new Set(missing);
		const late = {
			identify: (path: string, anchor: string) => store.identify(path, anchor),
			layer: (identifier: string) => (away.has(identifier) ? undefined : store.layer(identifier)),
		};
		const cache = new CompositionCache({ rootLayer: store.open('root.usda') as Layer, store: late });
		return { cache, arrive: (name) => void away.delete(name) };
	}

	const asked = (cache: CompositionCache): string[] =>
		cache.missing().map(({ identifier, assetPath, anchor }) => `${identifier} ${assetPath} ${anchor}`);

	it('is asked for once, and built in when it has come', () => {
		const { cache, arrive } = arriving('r.usda', 'deep.usda');
		dump(cache);
		expect(asked(cache)).toEqual(['r.usda ./r.usda root.usda']);
		arrive('r.usda');
		const before = cache.counts.indexes;
		cache.retryMissing();
		expect(dump(cache)).toContain('r.usda/R');
		// A and In
		expect(cache.counts.indexes - before).toBe(2);
		expect(asked(cache)).toEqual(['deep.usda ./deep.usda r.usda']);
		arrive('deep.usda');
		cache.retryMissing();
		expect(dump(cache)).toContain('/A/Deep');
		expect(asked(cache)).toEqual([]);
		cache.retryMissing();
		const built = cache.counts.indexes;
		dump(cache);
		expect(cache.counts.indexes).toBe(built);
	});

	it('leaves the layers that were there followed', () => {
		const { cache } = arriving();
		dump(cache);
		cache.retryMissing();
		const layer = cache.store.layer('r.usda') as Layer;
		layer.onChange((changes) => void cache.applyChanges(layer, changes));
		layer.createPrim('/R/Added', { specifier: 'def' });
		expect(dump(cache)).toContain('/A/Added');
	});

	it('below the stage itself lets everything be built again', () => {
		const { cache, arrive } = arriving('sub.usda');
		expect(dump(cache)).not.toContain('Sub');
		expect(asked(cache)).toEqual(['sub.usda ./sub.usda root.usda']);
		arrive('sub.usda');
		cache.retryMissing();
		expect(dump(cache)).toContain('sub.usda/Sub');
	});
});

describe('time', () => {
	const scales = (files: Readonly<Record<string, string>>): unknown => {
		const { layers, offsets, timeCodesPerSecond, hasOffsets } = new Scene(files).cache.rootLayerStack;
		return [
			timeCodesPerSecond,
			hasOffsets,
			...layers.map(({ identifier }, i) => `${identifier} ${offsets[i]!.offset} ${offsets[i]!.scale}`),
		];
	};

	it('of the session counts where it says a rate, or frames and the root says none', () => {
		const rate = (field: string, value: number): string => `(\n${field} = ${value}\n)`;
		for (const [session, root, expected] of [
			['', '', [24, false, 1, 1]],
			[rate('timeCodesPerSecond', 48), '', [48, true, 1, 2]],
			[rate('framesPerSecond', 48), '', [48, true, 1, 2]],
			[rate('framesPerSecond', 48), rate('framesPerSecond', 12), [48, true, 1, 4]],
			[rate('framesPerSecond', 48), rate('timeCodesPerSecond', 12), [12, true, 0.25, 1]],
			['', rate('timeCodesPerSecond', 12), [12, true, 0.5, 1]],
			['(\ntimeCodesPerSecond = 6\nframesPerSecond = 48\n)', rate('timeCodesPerSecond', 12), [6, true, 1, 0.5]],
		] as const) {
			expect(scales({ 'session.usda': session, 'root.usda': root })).toEqual([
				expected[0],
				expected[1],
				`session.usda 0 ${expected[2]}`,
				`root.usda 0 ${expected[3]}`,
			]);
		}
	});

	it('goes through offsets and rates of sublayers', () => {
		expect(
			scales({
				'root.usda': '(\nsubLayers = [@./a.usda@ (offset = 10; scale = 2), @./c.usda@]\n)',
				'a.usda': '(\ntimeCodesPerSecond = 48\nsubLayers = [@./b.usda@ (offset = 3)]\n)',
				'b.usda': '',
				'c.usda': '',
			}),
		).toEqual([24, true, 'root.usda 0 1', 'a.usda 10 1', 'b.usda 13 2', 'c.usda 0 1']);
	});

	it('goes through references: the offset of the layer, of the arc, and between rates', () => {
		const scene = new Scene({
			'root.usda': '(\nsubLayers = [@./sub.usda@ (offset = 100)]\n)',
			'sub.usda':
				'def "A" (references = @./r.usda@</R> (offset = 10; scale = 2)) {\n}\ndef "B" (references = </L> (offset = 10)) {\n}\ndef "L" {\n}',
			'r.usda': '(\ntimeCodesPerSecond = 48\n)\ndef "R" {\n}',
		});
		expect(scene.stack('/A')).toEqual(['sub.usda /A 100 1', 'r.usda /R 110 1']);
		expect(scene.stack('/B')).toEqual(['sub.usda /B 100 1', 'sub.usda /L 110 1']);
	});
});

describe('children', () => {
	it('come weak ones first, in the order that the strongest reorder wants', () => {
		const scene = new Scene({
			'root.usda':
				'def "A" (references = @./r.usda@</R>) {\nreorder nameChildren = ["C", "A"]\ndef "D" {\n}\ndef "B" {\n}\n}',
			'r.usda': 'def "R" {\ndef "A" {\n}\ndef "B" {\n}\ndef "C" {\n}\n}',
		});
		// A B C, then D; C before A, and what stood behind A moves with it
		expect(scene.children('/A')).toEqual(['C', 'D', 'A', 'B']);
	});

	it('that are moved take the place of their old name; those that come from elsewhere stand last, by name', () => {
		const scene = new Scene({
			'root.usda': `(\nrelocates = { </A/B>: </A/M>, </A/X/Q>: </A/Q>, </A/X/P>: </A/P>, </A/D>: </A/X/D> }\n)
			def "A" (references = @./r.usda@</R>) {\n}`,
			'r.usda':
				'def "R" {\ndef "A" {\n}\ndef "B" {\n}\ndef "X" {\ndef "Q" {\n}\ndef "P" {\n}\ndef "O" {\n}\n}\ndef "D" {\n}\n}',
		});
		expect(scene.children('/A')).toEqual(['A', 'M', 'X', 'P', 'Q']);
		expect([...scene.index('/A').childNames().prohibited]).toEqual(['B', 'D']);
		expect(scene.children('/A/X')).toEqual(['O', 'D']);
		expect([...scene.index('/A/X').childNames().prohibited]).toEqual(['P', 'Q']);
	});

	it('of an instance are those that instances share', () => {
		const scene = new Scene({
			'root.usda': `def "A" (instanceable = true
			references = @./r.usda@</R>) {\ndef "Own" {\n}\n}
			def "B" (instanceable = true) {\ndef "Own" {\n}\n}
			def "C" (references = @./r.usda@</R>) {\nover "Sub" (instanceable = true) {\n}\n}
			def "D" (instanceable = false
			references = @./s.usda@</S>) {\n}`,
			'r.usda': 'def "R" {\ndef "Sub" {\n}\n}',
			's.usda': 'def "S" (instanceable = true) {\n}',
		});
		expect([scene.index('/A').isInstance, scene.children('/A')]).toEqual([true, ['Sub']]);
		// nothing to share
		expect([scene.index('/B').isInstance, scene.children('/B')]).toEqual([false, ['Own']]);
		// an arc of an ancestor is not shared
		expect(scene.index('/C/Sub').isInstance).toBe(false);
		// the strongest opinion counts
		expect(scene.index('/D').isInstance).toBe(false);
	});
});

describe('properties of prims', () => {
	it('are named weak ones first', () => {
		const scene = new Scene({
			'root.usda': 'def "A" (references = @./r.usda@</R>) {\ndouble z\ndouble a\n}',
			'r.usda': 'def "R" {\ndouble y\ndouble z\n}',
		});
		expect(scene.index('/A').propertyNames()).toEqual(['y', 'z', 'a']);
	});
});

describe('payloads are asked for by the path of the stage that has them', () => {
	const asked = (files: Readonly<Record<string, string>>, path: string): string[] => {
		const paths: string[] = [];
		const scene = new Scene(files, {
			includesPayload: (at) => {
				paths.push(String(at));
				return false;
			},
		});
		scene.index(path);
		return [...new Set(paths)];
	};

	it('through references, also to prims deep in namespace, and through classes', () => {
		const files = {
			'root.usda': `def "A" (references = @./r.usda@</R>) {\n}
			def "B" (references = @./r.usda@</R/In>) {\n}
			def "C" (references = </D>) {\n}\ndef "D" (payload = @./p.usda@</P>) {\n}
			def "E" (inherits = </D>) {\n}
			def "F" {\ndef "G" (references = </H/I>) {\n}\n}\ndef "H" {\ndef "I" (payload = @./p.usda@</P>) {\n}\n}`,
			'r.usda': 'def "R" (payload = @./p.usda@</P>) {\ndef "In" (payload = @./p.usda@</P>) {\n}\n}',
			'p.usda': 'def "P" {\n}',
		};
		expect(asked(files, '/A')).toEqual(['/A']);
		expect(asked(files, '/A/In')).toEqual(['/A', '/A/In']);
		expect(asked(files, '/B')).toEqual(['/B']);
		expect(asked(files, '/C')).toEqual(['/C']);
		expect(asked(files, '/E')).toEqual(['/E']);
		expect(asked(files, '/F/G')).toEqual(['/F/G']);
	});
});

describe('variants', () => {
	it('fall back to the first that is wanted and there, on prims deep in a reference too', () => {
		const variants = (name: string): string =>
			`variantSet "v" = {\n"x" {\ndef "${name}x" {\n}\n}\n"y" {\ndef "${name}y" {\n}\n}\n}`;
		const files = {
			'root.usda': 'def "A" (references = @./r.usda@</R>) {\n}\ndef "B" (references = @./r.usda@</R/In>) {\n}',
			'r.usda': `def "R" (prepend variantSets = "v") {\n${variants('R')}\ndef "In" (prepend variantSets = "v") {\n${variants('I')}\n}\n}`,
		};
		const scene = (wanted: readonly string[]): Scene =>
			new Scene(files, { variantFallbacks: new Map([['v', wanted]]) });
		expect(scene(['no', 'y', 'x']).children('/A')).toEqual(['Ry', 'In']);
		expect(scene(['no', 'y', 'x']).children('/A/In')).toEqual(['Iy']);
		expect(scene(['x']).children('/B')).toEqual(['Ix']);
		expect(scene(['no']).children('/A')).toEqual(['In']);
		expect(new Scene(files).children('/A')).toEqual(['In']);
		expect([...scene(['x']).index('/A').variantSelections()]).toEqual([['v', 'x']]);
	});

	it('of ancestors of a reference fall back too', () => {
		const files = {
			'root.usda': 'def "A" (references = @./r.usda@</R/In>) {\n}',
			'r.usda':
				'def "R" (prepend variantSets = "v") {\ndef "In" {\n}\nvariantSet "v" = {\n"x" {\nover "In" {\ndef "Deep" {\n}\n}\n}\n}\n}',
		};
		expect(new Scene(files, { variantFallbacks: new Map([['v', ['x']]]) }).children('/A')).toEqual(['Deep']);
		expect(new Scene(files).children('/A')).toEqual([]);
	});

	it('selected nowhere can be selected by a variant that came later', () => {
		const scene = new Scene({
			'root.usda': `def "A" (variants = { string w = "on" }
			prepend variantSets = ["v", "w"]) {
			variantSet "v" = {\n"x" {\ndef "X" {\n}\n}\n}
			variantSet "w" = {\n"on" (variants = { string v = "x" }) {\ndef "On" {\n}\n}\n}\n}`,
		});
		expect(scene.children('/A')).toEqual(['On', 'X']);
	});
});

describe('layer stacks', () => {
	const names = ({ cache }: Scene): string[] => cache.rootLayerStack.layers.map(({ identifier }) => identifier);

	it('may have a layer twice, as long as it is not below itself', () => {
		const scene = new Scene({
			'root.usda': '(\nsubLayers = [@./a.usda@, @./b.usda@, @./c.usda@]\n)',
			'a.usda': '(\nsubLayers = [@./c.usda@]\n)',
			'b.usda': '(\nsubLayers = [@./c.usda@]\n)',
			'c.usda': 'def "C" {\n}',
		});
		expect(names(scene)).toEqual(['root.usda', 'a.usda', 'c.usda', 'b.usda', 'c.usda', 'c.usda']);
		expect(scene.cache.rootLayerStack.errors).toEqual([]);
	});

	it('end at 65536 layers, which only repeats of repeats come to', () => {
		const files: Record<string, string> = { 'root.usda': '(\nsubLayers = [@./0.usda@, @./0.usda@]\n)' };
		for (let i = 0; i < 17; i++)
			files[`${i}.usda`] = i < 16 ? `(\nsubLayers = [@./${i + 1}.usda@, @./${i + 1}.usda@]\n)` : '';
		const { layers, errors } = new Scene(files).cache.rootLayerStack;
		expect(layers.length).toBe(65_536);
		expect(errors.map((error) => [error.kind, 'limit' in error ? error.limit : ''])).toEqual([
			['CapacityExceeded', 'nodes'],
		]);
	});

	it('see the variables of the session before those of the root layer', () => {
		const variables = (value: string): string => `(\nexpressionVariables = { string F = "${value}" }\n)`;
		const scene = new Scene({
			'session.usda': variables('x'),
			'root.usda': `${variables('y')}\ndef "A" (references = @\`"./\${F}.usda"\`@</X>) {\n}`,
			'x.usda': 'def "X" {\n}',
		});
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'x.usda /X']);
		// without its session the root layer is another layer stack
		expect(scene.cache.layerStack(scene.layer('root.usda'))).not.toBe(scene.cache.rootLayerStack);
		const alone = new Scene({ 'root.usda': 'def "A" {\n}' });
		expect(alone.cache.layerStack(alone.layer('root.usda'))).toBe(alone.cache.rootLayerStack);
	});

	it('are built again only when they change', () => {
		const scene = new Followed({
			'root.usda': 'def "A" (references = [@./r.usda@</R>, @./s.usda@</S>]) {\n}\ndef "Other" {\n}',
			'r.usda': 'def "R" {\n}\ndef "Other" {\n}',
			's.usda': 'def "S" {\n}',
		});
		const before = scene.cache.counts.layerStacks;
		scene.edit('r.usda', (layer) => layer.setField('/', 'timeCodesPerSecond', makeValue(T.double, 48)));
		expect(scene.cache.counts.layerStacks - before).toBe(1);
		const built = scene.cache.counts.indexes;
		// what has the same path in another layer stack is another prim
		scene.layer('r.usda').setField('/Other', 'references', references('./s.usda', '/S'));
		dump(scene.cache);
		expect(scene.cache.counts.indexes).toBe(built);
	});

	it('leave muted layers out: the session, sublayers and their own', () => {
		const files = {
			'session.usda': 'over "S" {\n}',
			'root.usda': '(\nsubLayers = [@./a.usda@, @./b.usda@]\n)',
			'a.usda': '(\nsubLayers = [@./c.usda@]\n)',
			'b.usda': '',
			'c.usda': '',
		};
		const muted = (...away: readonly string[]): string[] =>
			names(new Scene(files, { isMuted: (identifier) => away.includes(identifier) }));
		expect(muted()).toEqual(['session.usda', 'root.usda', 'a.usda', 'c.usda', 'b.usda']);
		expect(muted('a.usda')).toEqual(['session.usda', 'root.usda', 'b.usda']);
		expect(muted('session.usda', 'c.usda')).toEqual(['root.usda', 'a.usda', 'b.usda']);
	});
});

describe('below an instance', () => {
	it('properties of local specs do not count, nor do their targets', () => {
		const scene = new Scene({
			'root.usda': `def "A" (instanceable = true
			references = @./r.usda@</R>) {\nover "Sub" {\ndouble x = 1\ndouble y = 1\n}\n}`,
			'r.usda': 'def "R" {\ndef "Sub" {\ndouble x = 2\n}\n}',
		});
		const stack = (name: string): string[] =>
			composePropertyIndex(scene.index('/A/Sub'), name).stack.map(({ layer, path }) => `${layer.identifier} ${path}`);
		expect(stack('x')).toEqual(['r.usda /R/Sub.x']);
		expect(stack('y')).toEqual([]);
		expect(scene.index('/A/Sub').propertyNames()).toEqual(['x']);
		expect(scene.stack('/A/Sub')).toEqual(['r.usda /R/Sub']);
		expect(scene.index('/A/Sub').hasSpecs).toBe(true);
		expect(scene.index('/A/None').hasSpecs).toBe(false);
	});
});

describe('classes in variants', () => {
	it('are classes of the prim, whose variants are selected there once more', () => {
		const scene = new Scene({
			'root.usda': `def "A" (references = @./r.usda@</R>
			variants = { string v = "x" }) {\n}`,
			'r.usda': `def "R" (prepend variantSets = "v") {
			class "C" {\ndef "Plain" {\n}\n}
			variantSet "v" = {\n"x" {\nclass "C" {\ndef "InX" {\n}\n}\ndef "I" (inherits = </R/C>) {\n}\n}\n}\n}`,
		});
		// as in OpenUSD 26.11
		expect(scene.stack('/A/I')).toEqual(['r.usda /R{v=x}I', 'r.usda /R/C', 'r.usda /R{v=x}C']);
		expect([...scene.children('/A/I')].sort()).toEqual(['InX', 'Plain']);
		expect(scene.stack('/A/I/InX')).toEqual(['r.usda /R{v=x}C/InX']);
	});
});
