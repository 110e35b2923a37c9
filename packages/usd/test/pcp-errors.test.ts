import { describe, expect, it } from 'vitest';
import { Layer, ListOp, makeValue, Path, T } from '../src/index.ts';
import { composePropertyIndex, composeTargets, makePayload, makeReference } from '../src/internal.ts';
import { ARC_NAMES } from '../src/pcp/arc-type.ts';
import type { PcpError } from '../src/pcp/pcp-error.ts';
import { Scene } from './pcp-scene.ts';

/** An error as plain data: layers by identifier, paths and sites as text. */
function plain(value: unknown, field = ''): unknown {
	if (value instanceof Layer) return value.identifier;
	if (value instanceof Path) return String(value);
	if (field === 'arcType') return ARC_NAMES[value as number];
	if (Array.isArray(value)) return value.map((item) => plain(item));
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(([, item]) => item !== undefined);
	const out: Record<string, unknown> = {};
	for (const [name, item] of entries) out[name] = plain(item, name);
	const { layer, path, arcType, ...rest } = out;
	if (layer === undefined || path === undefined || Object.keys(rest).length > 0) return out;
	return arcType === undefined ? `${layer} ${path}` : `${arcType} ${layer} ${path}`;
}

function told(errors: readonly PcpError[]): unknown[] {
	return errors.map((error) => plain(error));
}

const errorsOf = (files: Readonly<Record<string, string>>, path: string): unknown[] =>
	told(new Scene(files).index(path).errors);

const AT_A = { root: 'root.usda /A', site: 'root.usda /A' };

describe('an arc that cannot be followed tells', () => {
	it('the way that it would go round', () => {
		expect(
			errorsOf(
				{
					'root.usda': 'def "A" (references = @./r.usda@</R>) {\n}',
					'r.usda': 'def "R" (payload = </S>) {\n}\ndef "S" (inherits = </R>) {\n}',
				},
				'/A',
			),
		).toEqual([
			{
				kind: 'ArcCycle',
				root: 'root.usda /A',
				cycle: ['root root.usda /A', 'reference r.usda /R', 'payload r.usda /S', 'inherit r.usda /R'],
			},
		]);
	});

	it('that an ancestor of the target would be reached again', () => {
		expect(errorsOf({ 'root.usda': 'def "A" {\ndef "B" (references = </A>) {\n}\n}' }, '/A/B')).toEqual([
			{ kind: 'ArcCycle', root: 'root.usda /A/B', cycle: ['root root.usda /A/B', 'reference root.usda /A'] },
		]);
		expect(errorsOf({ 'root.usda': 'def "A" (references = </A/B>) {\ndef "B" {\n}\n}' }, '/A')).toEqual([
			{ kind: 'ArcCycle', root: 'root.usda /A', cycle: ['root root.usda /A', 'reference root.usda /A/B'] },
		]);
	});

	it('which prim path is none, with the layer that has it', () => {
		const scene = new Scene({
			'root.usda': '(\nsubLayers = [@./sub.usda@]\n)\n',
			'sub.usda': 'def "A" {\n}\ndef "B" {\n}',
		});
		const sub = scene.layer('sub.usda');
		const bad = ['/B{v=x}', '/B{v=x}C', '/B.x', 'B'].map((text) => Path.parse(text)!);
		const A = Path.parse('/A')!;
		sub.setField(
			A,
			'references',
			makeValue(T.referenceListOp, ListOp.explicit(bad.map((path) => makeReference('', path)))),
		);
		sub.setField(
			A,
			'payload',
			makeValue(T.payloadListOp, ListOp.explicit([makePayload('./sub.usda', Path.parse('/B.x')!)])),
		);
		sub.setField(A, 'inheritPaths', makeValue(T.pathListOp, ListOp.explicit([bad[0]!, bad[2]!, Path.parse('/B')!])));
		const found = (arcType: string, primPath: string, layer = 'sub.usda'): unknown => ({
			kind: 'InvalidPrimPath',
			...AT_A,
			...(layer === '' ? {} : { sourceLayer: layer }),
			arcType,
			primPath,
		});
		expect(told(scene.index('/A').errors)).toEqual([
			...bad.map((path) => found('reference', String(path))),
			found('payload', '/B.x'),
			found('inherit', '/B{v=x}', ''),
			found('inherit', '/B.x', ''),
		]);
		expect(scene.stack('/A')).toEqual(['sub.usda /A', 'sub.usda /B']);
	});

	it('which layer is not there, and which is muted', () => {
		const files = {
			'root.usda': 'def "A" (references = [@./no.usda@</X>]\npayload = @./p.usda@</P>) {\n}',
			'p.usda': 'def "P" {\n}',
		};
		expect(errorsOf(files, '/A')).toEqual([
			{
				kind: 'InvalidAssetPath',
				...AT_A,
				sourceLayer: 'root.usda',
				arcType: 'reference',
				targetPath: '/X',
				assetPath: './no.usda',
				resolvedPath: 'no.usda',
				reason: '',
			},
		]);
		const muted = new Scene(files, { isMuted: (identifier) => identifier === 'p.usda' });
		expect(told(muted.index('/A').errors).slice(-1)).toEqual([
			{
				kind: 'MutedAssetPath',
				...AT_A,
				sourceLayer: 'root.usda',
				arcType: 'payload',
				targetPath: '/P',
				assetPath: './p.usda',
				resolvedPath: 'p.usda',
			},
		]);
		expect(muted.stack('/A')).toEqual(['root.usda /A']);
	});

	it('which offset cannot be taken back, and goes on without one', () => {
		const scene = new Scene({
			'root.usda':
				'def "A" (references = @./r.usda@</R> (scale = 0)) {\n}\ndef "B" (references = </A> (offset = inf)) {\n}',
			'r.usda': 'def "R" {\n}',
		});
		expect(told(scene.index('/A').errors)).toEqual([
			{
				kind: 'InvalidReferenceOffset',
				...AT_A,
				sourceLayer: 'root.usda',
				arcType: 'reference',
				targetPath: '/R',
				assetPath: './r.usda',
				offset: { offset: 0, scale: 0 },
			},
		]);
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'r.usda /R']);
		expect(scene.errors('/B')).toContain('InvalidReferenceOffset');
	});

	it('which prim is not there: in the layer that has the arc, at the prim that has it', () => {
		const files = {
			'root.usda': `(\nsubLayers = [@./sub.usda@]\n)
			def "A" (prepend references = @./r.usda@</R>) {\n}
			def "B" (variants = { string v = "x" }
			prepend variantSets = "v") {\nvariantSet "v" = {\n"x" (payload = @./r.usda@</No>) {\n}\n}\n}
			def "C" (references = @./r.usda@) {\n}`,
			'sub.usda': 'def "A" (prepend references = @./r.usda@</No>) {\n}',
			'r.usda': 'def "R" {\n}',
		};
		expect(errorsOf(files, '/A')).toEqual([
			{
				kind: 'UnresolvedPrimPath',
				...AT_A,
				sourceLayer: 'sub.usda',
				arcType: 'reference',
				targetLayer: 'r.usda',
				unresolvedPath: '/No',
			},
		]);
		expect(errorsOf(files, '/B')).toEqual([
			{
				kind: 'UnresolvedPrimPath',
				root: 'root.usda /B',
				site: 'root.usda /B{v=x}',
				sourceLayer: 'root.usda',
				arcType: 'payload',
				targetLayer: 'r.usda',
				unresolvedPath: '/No',
			},
		]);
		expect(errorsOf(files, '/C')).toEqual([
			{
				kind: 'UnresolvedPrimPath',
				root: 'root.usda /C',
				site: 'root.usda /C',
				sourceLayer: 'root.usda',
				arcType: 'reference',
				targetLayer: 'r.usda',
			},
		]);
	});

	it('not that a prim is missing which only arcs of its ancestors bring', () => {
		const files = {
			'root.usda': 'def "A" (references = @./r.usda@</R/In>) {\n}',
			'r.usda': 'def "R" (references = @./s.usda@</S>) {\n}',
			's.usda': 'def "S" {\ndef "In" {\n}\n}',
		};
		expect(errorsOf(files, '/A')).toEqual([]);
		expect(new Scene(files).stack('/A')).toEqual(['root.usda /A', 's.usda /S/In']);
	});

	it('which expression is wrong, and where it stands', () => {
		const scene = new Scene({
			'root.usda': `(\nsubLayers = [@\`\${NO}\`@]\n)
			def "A" (references = @\`\${NO}\`@</R>
			payload = @\`\${NO}\`@</R>) {\n}
			def "B" (variants = { string v = "\`\${NO}\`" }
			prepend variantSets = "v") {\nvariantSet "v" = {\n"x" {\n}\n}\n}`,
		});
		const reasons = ["No value for variable 'NO'"];
		const error = (root: string, context: string): unknown => ({
			kind: 'VariableExpressionError',
			root,
			expression: `\`\${NO}\``,
			context,
			sourceLayer: 'root.usda',
			sourcePath: root.slice(10),
			reasons,
		});
		expect(told(scene.cache.rootLayerStack.errors)).toEqual([error('root.usda /', 'sublayer')]);
		expect(told(scene.index('/A').errors)).toEqual([
			error('root.usda /A', 'reference'),
			error('root.usda /A', 'payload'),
		]);
		expect(told(scene.index('/B').errors)).toEqual([error('root.usda /B', 'variant')]);
	});

	it('expressions of payloads that are not loaded too', () => {
		const scene = new Scene(
			{ 'root.usda': `def "A" (payload = [@\`\${NO}\`@</R>, @./p.usda@</P>]) {\n}`, 'p.usda': 'def "P" {\n}' },
			{ includesPayload: () => false },
		);
		expect(scene.errors('/A')).toEqual(['VariableExpressionError']);
		expect(scene.index('/A').hasPayloads).toBe(true);
		expect(scene.stack('/A')).toEqual(['root.usda /A']);
	});
});

describe('layer stacks tell', () => {
	it('sublayers that cannot be used', () => {
		const scene = new Scene({
			'root.usda': '(\nsubLayers = [@./a.usda@ (scale = 0), @./no.usda@]\n)',
			'a.usda': '(\nsubLayers = [@./root.usda@, @./a.usda@]\n)',
		});
		const root = 'root.usda /';
		expect(told(scene.cache.rootLayerStack.errors)).toEqual([
			{
				kind: 'InvalidSublayerOffset',
				root,
				layer: 'root.usda',
				sublayer: 'a.usda',
				offset: { offset: 0, scale: 0 },
			},
			{
				kind: 'InvalidSublayerPath',
				root,
				layer: 'root.usda',
				sublayerPath: './no.usda',
				resolvedPath: 'no.usda',
				reason: '',
			},
			{ kind: 'SublayerCycle', root, layer: 'a.usda', sublayer: 'root.usda' },
			{ kind: 'SublayerCycle', root, layer: 'a.usda', sublayer: 'a.usda' },
		]);
		expect(scene.cache.rootLayerStack.offsets).toEqual([
			{ offset: 0, scale: 1 },
			{ offset: 0, scale: 1 },
		]);
	});

	it('put the sublayer of the owner first, and tell when there are two', () => {
		const layers = (owners: readonly string[], root = 'hasOwnedSubLayers = true\n'): Scene =>
			new Scene({
				'session.usda': '(\nsessionOwner = "me"\n)',
				'root.usda': `(\n${root}subLayers = [@./0.usda@, @./1.usda@, @./2.usda@]\n)`,
				...Object.fromEntries(owners.map((owner, i) => [`${i}.usda`, owner === '' ? '' : `(\nowner = "${owner}"\n)`])),
			});
		const names = ({ cache }: Scene): string[] => cache.rootLayerStack.layers.map(({ identifier }) => identifier);
		const before = ['session.usda', 'root.usda'];
		const owned = layers(['you', '', 'me']);
		expect(names(owned)).toEqual([...before, '2.usda', '0.usda', '1.usda']);
		expect(owned.cache.rootLayerStack.errors).toEqual([]);
		expect(names(layers(['you', '', 'me'], ''))).toEqual([...before, '0.usda', '1.usda', '2.usda']);
		const two = layers(['', 'me', 'me']);
		expect(names(two)).toEqual([...before, '1.usda', '2.usda', '0.usda']);
		expect(told(two.cache.rootLayerStack.errors)).toEqual([
			{
				kind: 'InvalidSublayerOwnership',
				root: 'root.usda /',
				layer: 'root.usda',
				owner: 'me',
				sublayers: ['1.usda', '2.usda'],
			},
		]);
	});

	it('take the owner of the first session layer that names one', () => {
		const scene = new Scene({
			'session.usda': '(\nsubLayers = [@./s.usda@]\n)',
			's.usda': '(\nsessionOwner = "me"\n)',
			'root.usda': '(\nhasOwnedSubLayers = true\nsubLayers = [@./0.usda@, @./1.usda@]\n)',
			'0.usda': '',
			'1.usda': '(\nowner = "me"\n)',
		});
		expect(scene.cache.rootLayerStack.layers.map(({ identifier }) => identifier)).toEqual([
			'session.usda',
			's.usda',
			'root.usda',
			'1.usda',
			'0.usda',
		]);
	});

	it('relocates that are wrong by themselves', () => {
		const faults = (from: string, to: string): unknown[] =>
			told(new Scene({ 'root.usda': `(\nrelocates = { <${from}>: <${to}> }\n)` }).cache.rootLayerStack.errors);
		for (const [from, to, fault] of [
			['/A', '/B', 'root-prim'],
			['/A/B', '/A/B', 'same'],
			['/A/B', '/A/B/C', 'target-below-source'],
			['/A/B', '/A', 'target-above-source'],
		] as const) {
			expect(faults(from, to)).toEqual([
				{
					kind: 'InvalidAuthoredRelocation',
					root: 'root.usda /',
					relocate: { layer: 'root.usda', source: from, target: to },
					fault,
				},
			]);
		}
		expect(faults('/A/B', '/A/C')).toEqual([]);
		expect(faults('/A/B', '/C')).toEqual([]);
		expect(faults('A/B', 'A/C')).toEqual([]);
		// a layer that was not read from text may have a source without a path
		const scene = new Scene({ 'root.usda': '' });
		const target = Path.parse('/A/C')!;
		scene.layer('root.usda').setField('/', 'layerRelocates', makeValue(T.relocates, [[Path.empty, target]]));
		expect(told(scene.cache.rootLayerStack.errors)).toMatchObject([
			{ kind: 'InvalidAuthoredRelocation', relocate: { source: '', target: '/A/C' }, fault: 'no-source' },
		]);
	});

	it('relocates that exclude each other, by source', () => {
		const scene = new Scene({
			'root.usda': `(\nrelocates = {
				</A/B>: </A/C>,
				</A/C>: </A/D>,
				</A/E>: </A/X/E>,
				</A/X>: </A/Y>,
				</A/F/In>: </A/In>,
				</A/F>: </A/G>,
				</A/P>: </A/T>,
				</A/Q>: </A/T>,
				</A/Ok>: </A/Fine>
			}\n)`,
		});
		const { errors, relocates } = scene.cache.rootLayerStack;
		const short = (errors as (PcpError & { kind: 'InvalidConflictingRelocation' })[]).map((error) =>
			error.kind === 'InvalidConflictingRelocation'
				? `${error.relocate.source} ${error.reason} ${error.conflict.source}`
				: JSON.stringify(plain(error)),
		);
		expect(short).toEqual([
			'{"kind":"InvalidSameTargetRelocations","root":"root.usda /","target":"/A/T","relocates":[{"layer":"root.usda","source":"/A/P","target":"/A/T"},{"layer":"root.usda","source":"/A/Q","target":"/A/T"}]}',
			'/A/B target-is-source /A/C',
			'/A/C source-is-target /A/B',
			'/A/E target-below-source /A/X',
			'/A/F/In source-below-source /A/F',
		]);
		expect([...relocates!.sourceToTarget].map(([from, to]) => `${from} ${to}`)).toEqual([
			'/A/F /A/G',
			'/A/Ok /A/Fine',
			'/A/X /A/Y',
		]);
	});

	it('relocates that lead to each other in a circle, as OpenUSD does', () => {
		const scene = new Scene({
			'root.usda':
				'(\nrelocates = { </W/P/x>: </W/Q>, </W/Q/y>: </W/P> }\n)\ndef "W" (references = @./a.usda@</A>) {\n}',
			'a.usda': 'def "A" {\ndef "P" {\ndef "x" {\n}\n}\ndef "Q" {\ndef "y" {\n}\n}\n}',
		});
		expect(scene.cache.rootLayerStack.errors).toEqual([]);
		for (const path of ['/W/P', '/W/Q']) {
			expect(scene.index(path).errors.map(({ kind }) => kind)).toEqual(['ArcCycle']);
			expect(scene.index(path).nodes.map(({ path: at }) => String(at))).toContain(
				path === '/W/P' ? '/W/Q/y' : '/W/P/x',
			);
		}
	});

	it('relocates of the stronger layer win, a removal too', () => {
		const scene = new Scene({
			'root.usda':
				'(\nsubLayers = [@./sub.usda@]\nrelocates = { </A/B>: </A/C>, </A/D>: <> }\n)\ndef "A" (references = @./r.usda@</R>) {\n}',
			'sub.usda': '(\nrelocates = { </A/B>: </A/X>, </A/E>: </A/D1> }\n)',
			'r.usda': 'def "R" {\ndef "D" {\n}\ndef "B" {\n}\ndef "E" {\n}\ndef "F" {\n}\n}',
		});
		expect(scene.children('/A')).toEqual(['C', 'D1', 'F']);
		expect([...scene.index('/A').childNames().prohibited].sort()).toEqual(['B', 'D', 'E']);
		expect(scene.stack('/A/C')).toEqual(['r.usda /R/B']);
		expect(scene.stack('/A/D1')).toEqual(['r.usda /R/E']);
	});
});

describe('relocates tell', () => {
	const files = (extra: string): Record<string, string> => ({
		'root.usda': `(\nrelocates = { </A/B>: </A/C> }\n)
		def "A" (references = @./r.usda@</R>) {\nover "B" {\n}\n}\n${extra}`,
		'r.usda': 'def "R" {\ndef "B" {\ndef "In" {\n}\n}\n}',
	});

	it('opinions where a prim was moved away', () => {
		const scene = new Scene(files(''));
		expect(told(scene.index('/A/C').errors)).toEqual([
			{ kind: 'OpinionAtRelocationSource', root: 'root.usda /A/C', layer: 'root.usda', path: '/A/B' },
		]);
		expect(scene.stack('/A/C')).toEqual(['r.usda /R/B']);
		expect(scene.stack('/A/C/In')).toEqual(['r.usda /R/B/In']);
		expect(scene.stack('/A/B')).toEqual([]);
		expect(scene.children('/A')).toEqual(['C']);
	});

	it('arcs that lead to where a prim was moved away', () => {
		const scene = new Scene(files('def "D" (references = </A/B>) {\n}'));
		expect(told(scene.index('/D').errors).slice(0, 1)).toEqual([
			{
				kind: 'ArcToProhibitedChild',
				root: 'root.usda /D',
				site: 'root.usda /D',
				arcType: 'reference',
				target: 'root.usda /A/B',
				relocationSource: 'root.usda /A/B',
			},
		]);
		expect(scene.stack('/D')).toEqual(['root.usda /D']);
	});
});

describe('properties tell', () => {
	it('specs of another type than the strongest', () => {
		const scene = new Scene({
			'root.usda': 'def "A" (references = [@./r.usda@</R>, @./r.usda@</S>]) {\n}',
			'r.usda': 'def "R" {\ndouble x\n}\ndef "S" {\nrel x\n}',
		});
		const index = composePropertyIndex(scene.index('/A'), 'x');
		expect(index.stack.map(({ path }) => String(path))).toEqual(['/R.x']);
		expect(told(index.errors)).toEqual([
			{
				kind: 'InconsistentPropertyType',
				root: 'root.usda /A.x',
				defining: 'r.usda /R.x',
				definingType: index.type,
				conflicting: 'r.usda /S.x',
				conflictingType: expect.not.closeTo(index.type),
			},
		]);
	});

	const targets = (files: Readonly<Record<string, string>>, path: string, name: string, isStrict = false): unknown => {
		const scene = new Scene(files);
		const property = composePropertyIndex(scene.index(path), name);
		const found = composeTargets(property, isStrict ? (other) => scene.cache.primIndex(other) : undefined);
		return { ...found, paths: found.paths.map(String), deleted: found.deleted.map(String), errors: told(found.errors) };
	};

	it('targets without a name on the stage, and forget them below an explicit list', () => {
		const files = {
			'root.usda':
				'def "A" (references = @./r.usda@</R>) {\n}\ndef "B" (references = @./r.usda@</R>) {\nrel r = </B/X>\n}',
			'r.usda': 'def "R" {\nrel r = [</R/In>, </Out>]\nappend double x.connect = </Out.y>\n}',
		};
		const error = {
			kind: 'InvalidExternalTargetPath',
			// the layer stack of the strongest spec stands for the property
			root: 'r.usda /A.r',
			targetPath: '/Out',
			owner: 'r.usda /R.r',
			arcType: 'reference',
			introPath: '/A',
			ownerType: expect.any(Number),
		};
		expect(targets(files, '/A', 'r')).toEqual({ paths: ['/A/In'], deleted: [], errors: [error], isAuthored: true });
		expect(targets(files, '/B', 'r')).toEqual({ paths: ['/B/X'], deleted: [], errors: [], isAuthored: true });
	});

	it('targets that a class has in its instances', () => {
		const files = {
			'root.usda': `class "C" {\nrel r = [</A/In>, </C/In>, </B/In>, </Other>]\ndef "In" {\n}\n}
			def "A" (inherits = </C>) {\n}\ndef "B" (inherits = </C>) {\n}\ndef "Other" {\n}`,
		};
		const external = { kind: 'InvalidExternalTargetPath', targetPath: '/A/In', arcType: 'inherit', introPath: '/A' };
		expect(targets(files, '/A', 'r')).toMatchObject({ paths: ['/A/In', '/B/In', '/Other'], errors: [external] });
		expect(targets(files, '/A', 'r', true)).toMatchObject({
			paths: ['/A/In', '/Other'],
			errors: [
				external,
				{ kind: 'InvalidInstanceTargetPath', targetPath: '/B/In', composedPath: '/B/In', owner: 'root.usda /C.r' },
			],
		});
		expect(targets(files, '/C', 'r', true)).toMatchObject({ paths: ['/A/In', '/C/In', '/B/In', '/Other'], errors: [] });
	});

	it('targets in other instances of a class until a stronger layer deletes them', () => {
		const files = {
			'root.usda': `class "C" {\nrel r = [</B/In>, </D/In>]\ndef "In" {\n}\n}
			def "A" (inherits = </C>) {\ndelete rel r = </B/In>\n}
			def "B" (inherits = </C>) {\n}\ndef "D" (inherits = </C>) {\n}`,
		};
		expect(targets(files, '/A', 'r', true)).toMatchObject({
			paths: [],
			deleted: ['/B/In'],
			errors: [{ kind: 'InvalidInstanceTargetPath', composedPath: '/D/In' }],
		});
	});

	it('nothing about deletions of what has no name on the stage', () => {
		const files = {
			'root.usda': 'def "A" (references = @./r.usda@</R>) {\n}',
			'r.usda': 'def "R" {\ndelete rel r = [</Out>, </R/In>]\n}',
		};
		expect(targets(files, '/A', 'r')).toEqual({ paths: [], deleted: ['/A/In'], errors: [], isAuthored: true });
	});

	it('what each of several layers deletes, and targets that weaker ones had in vain', () => {
		const files = {
			'root.usda': '(\nsubLayers = [@./a.usda@]\n)\nover "A" {\ndelete rel r = </A/Y>\n}',
			'a.usda': 'def "A" (references = @./r.usda@</R>) {\ndelete rel r = </A/X>\n}',
			'r.usda': 'def "R" {\nrel r = [</R/X>, </R/Y>, </R/Z>, </Out>]\n}',
		};
		expect(targets(files, '/A', 'r')).toMatchObject({
			paths: ['/A/Z'],
			deleted: ['/A/X', '/A/Y'],
			errors: [{ kind: 'InvalidExternalTargetPath', targetPath: '/Out' }],
		});
		// an explicit list forgets what weaker layers deleted
		const explicit = { ...files, 'root.usda': '(\nsubLayers = [@./a.usda@]\n)\nover "A" {\nrel r = </A/W>\n}' };
		expect(targets(explicit, '/A', 'r')).toEqual({ paths: ['/A/W'], deleted: [], errors: [], isAuthored: true });
	});

	it('what is deleted and in which order the rest stands', () => {
		const files = {
			'root.usda': `(\nsubLayers = [@./a.usda@, @./b.usda@]\n)
			over "A" {\ndelete rel r = [</A/X>, <Y>]\nprepend rel r = [</A/P>, </A/Q>]\n}`,
			'a.usda': 'over "A" {\nappend rel r = </A/Z>\nreorder rel r = [</A/Z>, </A/W>]\n}',
			'b.usda': 'def "A" {\nrel r = [</A/W>, </A/X>, </A/V>]\n}',
		};
		expect(targets(files, '/A', 'r')).toEqual({
			paths: ['/A/P', '/A/Q', '/A/Z', '/A/W', '/A/V'],
			deleted: ['/A/X', '/A/Y'],
			errors: [],
			isAuthored: true,
		});
		expect(targets({ 'root.usda': 'def "A" {\nrel r\n}' }, '/A', 'r')).toMatchObject({ isAuthored: false, paths: [] });
		expect(targets({ 'root.usda': 'def "A" {\nrel r = None\n}' }, '/A', 'r')).toMatchObject({
			isAuthored: true,
			paths: [],
		});
	});
});
