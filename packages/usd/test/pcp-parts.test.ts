import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Path, SpecType } from '../src/index.ts';
import { ArcType, MapFunction, type PathPair } from '../src/internal.ts';
import { ARC_NAMES, isClassArc } from '../src/pcp/arc-type.ts';
import { classifyChanges } from '../src/pcp/classify-changes.ts';
import { composeVariables, NO_VARIABLES } from '../src/pcp/expression-variables.ts';
import { composeOffsets, invertOffset, isUsableOffset, offsetsEqual } from '../src/pcp/layer-offset.ts';
import { defaultPrimOf } from '../src/pcp/layer-stack.ts';
import { namespaceDepthOf } from '../src/pcp/node.ts';
import { SiteArcs } from '../src/pcp/site.ts';
import { translateToNode, translateToRoot } from '../src/pcp/target-index.ts';
import { TaskType } from '../src/pcp/task-queue.ts';
import type { ChangeList, LayerChange } from '../src/sdf/layer-changes.ts';
import { IDENTITY_OFFSET } from '../src/sdf/value.ts';
import { Scene } from './pcp-scene.ts';

const at = (text: string): Path => (text === '' ? Path.empty : Path.parse(text)!);

describe('arcs and tasks', () => {
	it('are numbered by strength and by the order in which OpenUSD works them off', () => {
		expect(ARC_NAMES.map((name) => ArcType[name as keyof typeof ArcType])).toEqual([0, 1, 2, 3, 4, 5, 6]);
		expect(Object.values(TaskType)).toEqual([...Object.values(TaskType).keys()]);
		expect(Object.values(ArcType).filter(isClassArc)).toEqual([ArcType.inherit, ArcType.specialize]);
	});

	it('of a site are bits that differ', () => {
		const bits = Object.values(SiteArcs);
		expect(bits.reduce((all, bit) => all + bit, 0)).toBe(2 ** bits.length - 1);
		expect(bits.every((bit) => Number.isInteger(Math.log2(bit)))).toBe(true);
	});

	it('count levels of namespace without variants', () => {
		expect(['/', '/A', '/A{v=x}', '/A{v=x}B', '/A{v=x}{w=y}B/C'].map((text) => namespaceDepthOf(at(text)))).toEqual([
			0, 1, 1, 2, 3,
		]);
	});
});

describe('the default prim of a layer', () => {
	it.each([
		['A', '/A'],
		['/A', '/A'],
		['A/B', '/A/B'],
		['', undefined],
		['.x', undefined],
		['/A.x', undefined],
		['/', undefined],
		['A{v=x}', undefined],
		['A{v=x}B', undefined],
		['a b', undefined],
	])('%j is %s', (name, expected) => {
		const scene = new Scene({ 'root.usda': `(defaultPrim = "${name}")` });
		expect(defaultPrimOf(scene.layer('root.usda'))?.toString()).toBe(expected);
	});

	it('is none where no name is given', () => {
		expect(defaultPrimOf(new Scene({ 'root.usda': '' }).layer('root.usda'))).toBeUndefined();
	});
});

describe('offsets', () => {
	const offset = (time: number, scale: number): { offset: number; scale: number } => ({ offset: time, scale });

	it('compose: the inner one first', () => {
		const [outer, inner] = [offset(3, 2), offset(5, 7)];
		expect(composeOffsets(outer, inner)).toEqual(offset(13, 14));
		expect(composeOffsets(outer, IDENTITY_OFFSET)).toBe(outer);
		expect(composeOffsets(IDENTITY_OFFSET, inner)).toBe(inner);
	});

	it('cancel with their inverse, but for rounding', () => {
		for (const [time, scale] of [
			[3, 2],
			[-0.1, 0.3],
			[7, -1],
			[0, 3],
			[2, 1],
		] as const) {
			const there = offset(time, scale);
			const back = invertOffset(there);
			expect(composeOffsets(there, back)).toBe(IDENTITY_OFFSET);
			expect(composeOffsets(back, there)).toBe(IDENTITY_OFFSET);
			expect(back.scale * scale).toBeCloseTo(1, 12);
			expect(back.offset * scale).toBeCloseTo(-time, 12);
		}
		expect(invertOffset(IDENTITY_OFFSET)).toBe(IDENTITY_OFFSET);
	});

	it('are equal within 1e-6, in both numbers', () => {
		const one = offset(1, 2);
		expect(offsetsEqual(one, one)).toBe(true);
		expect(offsetsEqual(one, offset(1 + 0.9e-6, 2 - 0.9e-6))).toBe(true);
		expect(offsetsEqual(one, offset(1 + 1.5e-6, 2))).toBe(false);
		expect(offsetsEqual(one, offset(1 - 1.5e-6, 2))).toBe(false);
		expect(offsetsEqual(one, offset(1, 2 + 1.5e-6))).toBe(false);
		expect(offsetsEqual(one, offset(1, 2 - 1.5e-6))).toBe(false);
		expect(offsetsEqual(one, offset(-1, 2))).toBe(false);
		expect(offsetsEqual(one, offset(1, -2))).toBe(false);
	});

	it('are usable when they and their inverse are finite', () => {
		expect(isUsableOffset(offset(1, -2))).toBe(true);
		for (const bad of [
			offset(0, 0),
			offset(1, Infinity),
			offset(Infinity, 1),
			offset(0, Number.NaN),
			offset(Number.NaN, 2),
		]) {
			expect(isUsableOffset(bad)).toBe(false);
		}
		// the inverse of the smallest scale is beyond all numbers
		expect(isUsableOffset(offset(0, 5e-324))).toBe(false);
		expect(isUsableOffset(offset(1e300, 1e-300))).toBe(false);
	});
});

describe('changes of a layer', () => {
	const set = (path: string, field: string): LayerChange => ({
		kind: 'set-field',
		path: at(path),
		field,
		before: undefined,
		after: undefined,
	});
	const child = (kind: 'insert-child' | 'remove-child', path: string, field: string): LayerChange => ({
		kind,
		path: at(path),
		field: field as 'primChildren',
		name: 'x',
		index: 0,
	});
	const spec = (kind: 'add-spec' | 'remove-spec', path: string): LayerChange =>
		kind === 'add-spec'
			? { kind, path: at(path), type: SpecType.prim }
			: { kind, path: at(path), type: SpecType.prim, fields: [] };
	const found = (...changes: ChangeList): [boolean, string[], string[]] => {
		const { changesLayerStack, composition, children } = classifyChanges(changes);
		return [changesLayerStack, [...composition].map(String), [...children].map(String)];
	};
	const NOTHING = [false, [], []];

	it('outdate layer stacks when they are about what makes one', () => {
		for (const field of [
			'subLayers',
			'subLayerOffsets',
			'layerRelocates',
			'timeCodesPerSecond',
			'framesPerSecond',
			'expressionVariables',
			'defaultPrim',
			'owner',
			'sessionOwner',
			'hasOwnedSubLayers',
		]) {
			expect(found(set('/', field))).toEqual([true, [], []]);
			expect(found(set('/A', field))).toEqual(NOTHING);
		}
		for (const field of ['comment', 'references', 'upAxis']) expect(found(set('/', field))).toEqual(NOTHING);
	});

	it('outdate the prims whose arcs change', () => {
		for (const field of [
			'references',
			'payload',
			'inheritPaths',
			'specializes',
			'variantSetNames',
			'variantSelection',
			'instanceable',
		]) {
			expect(found(set('/A/B', field))).toEqual([false, ['/A/B'], []]);
			expect(found(set('/A{v=x}', field))).toEqual([false, ['/A{v=x}'], []]);
			expect(found(set('/A.x', field))).toEqual(NOTHING);
		}
		for (const field of ['kind', 'comment', 'active', 'properties']) expect(found(set('/A', field))).toEqual(NOTHING);
		for (const kind of ['add-spec', 'remove-spec'] as const) {
			expect(found(spec(kind, '/A/B'))).toEqual([false, ['/A/B'], []]);
			expect(found(spec(kind, '/A{v=x}B'))).toEqual([false, ['/A{v=x}B'], []]);
			expect(found(spec(kind, '/A{v=x}'))).toEqual([false, ['/A{v=x}'], []]);
			expect(found(spec(kind, '/A.x'))).toEqual(NOTHING);
		}
		// a variant set is a place of its prim
		expect(found({ kind: 'add-spec', path: at('/A').appendVariant('v', ''), type: SpecType.variantSet })).toEqual([
			false,
			['/A'],
			[],
		]);
		for (const kind of ['insert-child', 'remove-child'] as const) {
			expect(found(child(kind, '/A', 'variantSetChildren'))).toEqual([false, ['/A'], []]);
			const change = { ...child(kind, '/A', 'variantChildren'), path: at('/A').appendVariant('v', '') };
			expect(found(change)).toEqual([false, ['/A'], []]);
		}
	});

	it('rename children', () => {
		for (const place of ['/', '/A', '/A{v=x}']) {
			expect(found(set(place, 'primOrder'))).toEqual([false, [], [place]]);
			expect(found(set(place, 'primChildren'))).toEqual([false, [], [place]]);
			expect(found(set(place, 'propertyOrder'))).toEqual(NOTHING);
			for (const kind of ['insert-child', 'remove-child'] as const) {
				expect(found(child(kind, place, 'primChildren'))).toEqual([false, [], [place]]);
				expect(found(child(kind, place, 'properties'))).toEqual(NOTHING);
			}
		}
		expect(found(spec('add-spec', '/A'), child('insert-child', '/', 'primChildren'), set('/B', 'payload'))).toEqual([
			false,
			['/A', '/B'],
			['/'],
		]);
	});
});

describe('expression variables', () => {
	const layers = (...texts: readonly string[]): ConstructorParameters<typeof Scene>[0] =>
		Object.fromEntries(texts.map((text, i) => [i === 0 ? 'root.usda' : `${i}.usda`, text]));
	const variables = (text: string): string => `(\nexpressionVariables = { ${text} }\n)`;
	const of = (scene: Scene, count: number, overrides = NO_VARIABLES): ReturnType<typeof composeVariables> =>
		composeVariables(
			Array.from({ length: count }, (_, i) => scene.layer(i === 0 ? 'root.usda' : `${i}.usda`)),
			overrides,
		);
	const plain = ({ variables: map }: typeof NO_VARIABLES): Record<string, unknown> =>
		Object.fromEntries([...map].map(([name, value]) => [name, (value as { data: unknown }).data]));

	it('of later layers win, and those from outside win over all', () => {
		const scene = new Scene(
			layers(
				variables('string A = "0"; string B = "0"; string C = "0"'),
				variables('string B = "1"; string C = "1"'),
				variables('string C = "2"'),
			),
		);
		expect(plain(of(scene, 2))).toEqual({ A: '0', B: '1', C: '1' });
		expect(
			plain(composeVariables([scene.layer('root.usda')], of(new Scene(layers('', variables('string C = "2"'))), 2))),
		).toEqual({
			A: '0',
			B: '0',
			C: '2',
		});
	});

	it('are one object where they are the same', () => {
		const outer = of(new Scene(layers(variables('string A = "0"; string B = "1"'))), 1);
		const inner = new Scene(layers(variables('string A = "9"'), variables('string C = "2"'), ''));
		expect(composeVariables([inner.layer('root.usda')], outer)).toBe(outer);
		expect(composeVariables([inner.layer('2.usda')], outer)).toBe(outer);
		const more = composeVariables([inner.layer('1.usda')], outer);
		expect(more).not.toBe(outer);
		expect(plain(more)).toEqual({ C: '2', A: '0', B: '1' });
		expect(of(inner, 0)).toBe(NO_VARIABLES);
	});

	it('reach referenced layers, which are one layer stack for those that see the same', () => {
		const scene = new Scene({
			'root.usda': `${variables('string F = "x"')}
			def "A" (references = @./r.usda@</R>) {\n}\ndef "B" (references = @./r.usda@</R>) {\n}
			def "C" (references = @./m.usda@</M>) {\n}\ndef "D" (references = @./r.usda@</R>) {\n}`,
			'm.usda': `${variables('string F = "y"; string G = "z"')}\ndef "M" (references = @./r.usda@</R>) {\n}`,
			'r.usda': `${variables('string F = "none"')}\ndef "R" (references = @\`"./\${F}.usda"\`@</X>) {\n}`,
			'x.usda': 'def "X" {\n}',
		});
		for (const path of ['/A', '/B', '/D']) expect(scene.stack(path)).toContain('x.usda /X');
		expect(scene.stack('/C')).toEqual(['root.usda /C', 'm.usda /M', 'r.usda /R', 'x.usda /X']);
		// r with the variables of the stage, m, r with those of m too, x for both
		const stacks = [...scene.cache.layerStacks()].map(({ rootLayer }) => rootLayer.identifier).sort();
		expect(stacks).toEqual(['m.usda', 'r.usda', 'r.usda', 'root.usda', 'x.usda', 'x.usda']);
	});
});

describe('map functions', () => {
	/** Maps by looking at all entries: the longest source decides, and its image must map back by the longest target. */
	function slowly(pairs: readonly PathPair[], path: Path): string {
		const longest = (side: 0 | 1, of: Path): PathPair | undefined =>
			pairs
				.filter((pair) => !pair[side].isEmpty && of.hasPrefix(pair[side]))
				.sort((a, b) => b[side].depth - a[side].depth)[0];
		const best = longest(0, path);
		if (best === undefined || best[1].isEmpty) return '';
		const image = path.replacePrefix(best[0], best[1], false);
		return longest(1, image) === best ? String(image) : '';
	}

	const names = ['A', 'B'];
	const paths = fc
		.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
		.map((parts) => at(`/${parts.join('/')}`));
	const entries = fc
		.array(fc.tuple(paths, fc.option(paths, { nil: Path.empty, freq: 5 })), { maxLength: 4 })
		.map((pairs) => {
			// one to one: each source and each target once
			const used = new Set<Path>();
			const kept: PathPair[] = [];
			const sources = new Set<Path>();
			for (const [source, target] of pairs) {
				if (sources.has(source) || (!target.isEmpty && used.has(target))) continue;
				sources.add(source);
				used.add(target);
				kept.push([source, target]);
			}
			return kept;
		});
	const everyPath = [
		'/A',
		'/B',
		'/A/A',
		'/A/B',
		'/B/A',
		'/B/B',
		'/A/A/A',
		'/A/B/A',
		'/A/B/B',
		'/B/A/B',
		'/C',
		'/A/C',
	].map(at);

	it('give what a look at all entries gives, there and back', () => {
		fc.assert(
			fc.property(entries, fc.boolean(), (pairs, withRoot) => {
				const all: PathPair[] = withRoot ? [[Path.root, Path.root], ...pairs] : pairs;
				const map = MapFunction.create(all);
				// what maps to itself as everything does is no entry; the rest of the entries says the same
				const kept: PathPair[] = map.hasRootIdentity ? [[Path.root, Path.root], ...map.pairs] : [...map.pairs];
				for (const path of everyPath) {
					const there = String(map.mapSourceToTarget(path));
					expect(there).toBe(slowly(kept, path));
					const back = map.inverse();
					if (there !== '') {
						expect(String(map.mapTargetToSource(at(there)))).toBe(String(path));
						expect(String(back.mapSourceToTarget(at(there)))).toBe(String(path));
					}
					expect(String(back.mapTargetToSource(path))).toBe(there);
				}
				expect(map.equals(MapFunction.create(kept))).toBe(true);
				expect(map.withoutRootIdentity().hasRootIdentity).toBe(false);
				expect(map.withRootIdentity().hasRootIdentity).toBe(true);
			}),
			{ seed: 11, numRuns: 400 },
		);
	});

	it('are equal only when entries, root and offset are', () => {
		const one = MapFunction.create([[at('/A'), at('/B')]]);
		expect(one.equals(MapFunction.create([[at('/A'), at('/B')]]))).toBe(true);
		expect(one.equals(one.withRootIdentity())).toBe(false);
		expect(one.equals(MapFunction.create([[at('/A'), at('/C')]]))).toBe(false);
		expect(one.equals(MapFunction.create([[at('/C'), at('/B')]]))).toBe(false);
		expect(one.equals(one.withOffset({ offset: 1, scale: 1 }))).toBe(false);
		expect(
			one.equals(
				MapFunction.create([
					[at('/A'), at('/B')],
					[at('/C'), at('/D')],
				]),
			),
		).toBe(false);
		expect(MapFunction.ofPrim(Path.root, Path.root).isIdentity).toBe(true);
		expect(MapFunction.ofPrim(Path.root, at('/A')).mapSourceToTarget(at('/B')).toString()).toBe('/A/B');
		expect(MapFunction.ofPrim(Path.root, Path.root, { offset: 2, scale: 1 }).isIdentity).toBe(false);
		expect(MapFunction.ofPrim(Path.root, Path.root, { offset: 2, scale: 1 }).isPathIdentity).toBe(true);
		expect(String(one.withRootIdentity())).toBe('/ -> /\n/A -> /B');
	});
});

describe('paths with targets in them', () => {
	const map = MapFunction.create([[at('/R'), at('/A')]]);
	const [there, back] = [
		(path: Path): string => String(translateToRoot(map, path)),
		(path: Path): string => String(translateToNode(map, path)),
	];

	it('are translated with the targets', () => {
		const target = at('/R/In');
		const attribute = at('/R.r').appendTarget(target).appendRelationalAttribute('x');
		const moved = at('/A.r').appendTarget(at('/A/In')).appendRelationalAttribute('x');
		expect(there(attribute)).toBe(String(moved));
		expect(back(moved)).toBe(String(attribute));
		const mapper = at('/R.y').appendMapper(at('/R.z'));
		expect(there(mapper)).toBe(String(at('/A.y').appendMapper(at('/A.z'))));
		expect(there(at('/R.r').appendTarget(at('/Out')))).toBe('undefined');
		expect(there(at('/Out.r').appendTarget(at('/R')))).toBe('undefined');
	});

	it('lose variants, and stay as they are where everything does', () => {
		expect(there(at('/R{v=x}In'))).toBe('/A/In');
		expect(String(translateToRoot(MapFunction.identity, at('/R{v=x}In')))).toBe('/R/In');
		expect(translateToRoot(map, Path.empty)?.isEmpty).toBe(true);
		expect(translateToNode(map, Path.empty)?.isEmpty).toBe(true);
	});
});
