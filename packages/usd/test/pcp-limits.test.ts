import { describe, expect, it } from 'vitest';
import { Path } from '../src/index.ts';
import { Dependencies } from '../src/pcp/dependencies.ts';
import { evaluateExpression } from '../src/pcp/variable-expression.ts';
import { Scene } from './pcp-scene.ts';

const evaluate = (text: string) => evaluateExpression(`\`${text}\``, new Map());

describe('expressions', () => {
	it('may be nested two hundred deep', () => {
		const nested = (depth: number): string => `${'not('.repeat(depth)}true${')'.repeat(depth)}`;
		expect(evaluate(nested(199))).toMatchObject({ value: false, errors: [] });
		expect(evaluate(nested(200)).errors.join()).toContain('nested too deeply');
		// what was nested before does not count
		const beside = `and(${Array.from({ length: 300 }, () => 'not(false)').join(', ')})`;
		expect(evaluate(beside)).toMatchObject({ value: true, errors: [] });
	});

	it('count bytes of texts, so that half of a letter is none', () => {
		expect(evaluate('at("aé", 0)').value).toBe('a');
		expect(evaluate('at("aé", 1)').value).toBe('\ufffd');
		expect(evaluate('at("aé", 2)').value).toBe('\ufffd');
		expect(evaluate('at("aé", 3)').errors).toEqual(['at: Index out of range']);
		expect(evaluate('at("aé", -3)').value).toBe('a');
		expect(evaluate('len("aé")').value).toBe(3n);
	});
});

describe('arcs that lead nowhere', () => {
	const found = (files: Readonly<Record<string, string>>, path: string): unknown[] =>
		new Scene(files).index(path).errors.map((error) => ({
			kind: error.kind,
			...('sourceLayer' in error ? { source: error.sourceLayer!.identifier } : {}),
			...('reason' in error ? { reason: error.reason } : {}),
		}));

	it('name the layer that has the reference or payload', () => {
		for (const arc of ['references', 'payload']) {
			const files = {
				'root.usda': '(\nsubLayers = [@./sub.usda@]\n)\nover "A" {\n}',
				'sub.usda': `def "A" (${arc} = @./t.usda@</None>) {\n}`,
				't.usda': 'def "T" {\n}',
			};
			expect(found(files, '/A')).toEqual([{ kind: 'UnresolvedPrimPath', source: 'sub.usda' }]);
		}
	});

	it('of a store that refuses say why it did', () => {
		const [error] = found({ 'root.usda': 'def "A" (references = @../../out.usda@</B>) {\n}' }, '/A') as [
			{ kind: string; reason: string },
		];
		expect(error.kind).toBe('InvalidAssetPath');
		const { refusal } = new Scene({ 'root.usda': '' }).store.identify('../../out.usda', 'root.usda');
		expect(refusal).toBeDefined();
		expect(error.reason).toBe(refusal);
	});
});

describe("relocates that are in each other's way", () => {
	it('are told of in one order', () => {
		const scene = new Scene({
			'root.usda':
				'(\nrelocates = {\n</M/A>: </M/B>,\n</M/B>: </M/C>,\n</M/C>: </M/D>\n}\n)\ndef "M" (references = @./m.usda@</M>) {\n}',
			'm.usda': 'def "M" {\ndef "A" {\n}\ndef "B" {\n}\ndef "C" {\n}\n}',
		});
		const reasons = scene.cache.rootLayerStack.errors.map((error) =>
			error.kind === 'InvalidConflictingRelocation' ? `${error.relocate.source} ${error.reason}` : error.kind,
		);
		expect(reasons).toEqual([
			'/M/A target-is-source',
			'/M/B target-is-source',
			'/M/B source-is-target',
			'/M/C source-is-target',
		]);
	});
});

describe('what depends on a site', () => {
	const dependents = (relocates: string): string[] => {
		const scene = new Scene({
			'root.usda': 'def "A" (references = @./m.usda@</M>) {\n}',
			'm.usda': `(\n${relocates}\n)\ndef "M" {\ndef "Rig" {\ndef "Arm" {\n}\n}\n}`,
		});
		const index = scene.index('/A');
		const dependencies = new Dependencies();
		dependencies.add(index);
		const { layerStack } = index.nodes.find(({ path }) => String(path) === '/M')!;
		return [...dependencies.dependents(layerStack, Path.parse('/M/Rig/Arm')!)].map(String);
	};

	it('is the prim at the same place, or all of a prim whose parts move', () => {
		expect(dependents('doc = "plain"')).toEqual(['/A/Rig/Arm']);
		expect(dependents('relocates = { </M/Rig/Arm>: </M/Arm> }')).toEqual(['/A']);
	});
});
