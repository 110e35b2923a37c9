import { describe, expect, it } from 'vitest';
import { Path } from '../src/index.ts';
import { composePropertyIndex, composeTargets } from '../src/internal.ts';
import { Scene } from './pcp-scene.ts';

/** Spells `<A>` as a reference to the variable A. */
function spell(text: string): string {
	return text.replace(/<(\w+)>/g, (_, name: string) => `\${${name}}`);
}

describe('layer stacks', () => {
	it('order sublayers depth first, with the session layer in front, and compose offsets', () => {
		const scene = new Scene({
			'session.usda': 'over "A" {\n}',
			'root.usda': '(subLayers = [@./a.usda@ (offset = 10; scale = 2), @./c.usda@])\ndef "A" {\n}',
			'a.usda': '(subLayers = [@./b.usda@ (offset = 1)])\nover "A" {\n}',
			'b.usda': 'over "A" {\n}',
			'c.usda': 'over "A" {\n}',
		});
		expect(scene.stack('/A')).toEqual([
			'session.usda /A',
			'root.usda /A',
			'a.usda /A 10 2',
			'b.usda /A 12 2',
			'c.usda /A',
		]);
	});

	it('scale time between layers of different rates', () => {
		const scene = new Scene({
			'root.usda': '(subLayers = [@./a.usda@]\ntimeCodesPerSecond = 24)\ndef "A" (references = @./r.usda@</R>) {\n}',
			'a.usda': '(timeCodesPerSecond = 48)\nover "A" {\n}',
			'r.usda': '(framesPerSecond = 12)\ndef "R" {\n}',
		});
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'a.usda /A 0 0.5', 'r.usda /R 0 2']);
	});

	it('report cycles and missing sublayers, and go on', () => {
		const scene = new Scene({
			'root.usda': '(subLayers = [@./a.usda@, @./none.usda@])\ndef "A" {\n}',
			'a.usda': '(subLayers = [@./root.usda@])\nover "A" {\n}',
		});
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'a.usda /A']);
		expect(scene.cache.rootLayerStack.errors.map(({ kind }) => kind)).toEqual(['InvalidSublayerPath', 'SublayerCycle']);
	});

	it('may be ten thousand sublayers deep', () => {
		const files: Record<string, string> = { 'root.usda': '(subLayers = [@./0.usda@])' };
		for (let i = 0; i < 10_000; i++)
			files[`${i}.usda`] = i < 9999 ? `(subLayers = [@./${i + 1}.usda@])` : 'def "A" {\n}';
		expect(new Scene(files).stack('/A')).toEqual(['9999.usda /A']);
	});

	it('evaluate expressions in sublayers, references and selections', () => {
		const scene = new Scene({
			'root.usda': spell('(expressionVariables = {\nstring F = "a"\n}\nsubLayers = [@`"./<F>.usda"`@])'),
			'a.usda': `def "A" (references = @\`${spell('"./<F>r.usda"')}\`@</R>) {\n}`,
			'ar.usda': `def "R" (
				variants = {
					string v = "\`${spell('<F>')}\`"
				}
				prepend variantSets = "v"
			) {
				variantSet "v" = {
					"a" {
					}
				}
			}`,
		});
		expect(scene.stack('/A')).toEqual(['a.usda /A', 'ar.usda /R', 'ar.usda /R{v=a}']);
	});
});

describe('arcs', () => {
	it('come in the order local, inherits, variants, references, payloads, specializes', () => {
		const scene = new Scene({
			'root.usda': `def "A" (
				inherits = </I>
				specializes = </S>
				references = @./r.usda@
				payload = @./p.usda@</P>
				variants = {
					string v = "x"
				}
				prepend variantSets = "v"
			) {
				variantSet "v" = {
					"x" {
						double d = 1
					}
				}
			}
			class "I" {
			}
			class "S" {
			}`,
			'r.usda': '(defaultPrim = "R")\ndef "R" {\n}',
			'p.usda': 'def "P" {\n}',
		});
		expect(scene.stack('/A')).toEqual([
			'root.usda /A',
			'root.usda /I',
			'root.usda /A{v=x}',
			'r.usda /R',
			'p.usda /P',
			'root.usda /S',
		]);
	});

	it('follow list edits of stronger layers', () => {
		const scene = new Scene({
			'root.usda':
				'(subLayers = [@./s.usda@])\nover "A" (\ndelete references = @./b.usda@</R>\nprepend references = @./c.usda@</R>\n) {\n}',
			's.usda': 'def "A" (references = [@./a.usda@</R>, @b.usda@</R>]) {\n}',
			'a.usda': 'def "R" {\n}',
			'b.usda': 'def "R" {\n}',
			'c.usda': 'def "R" {\n}',
		});
		expect(scene.stack('/A')).toEqual(['root.usda /A', 's.usda /A', 'c.usda /R', 'a.usda /R']);
	});

	it('imply classes across references', () => {
		const scene = new Scene({
			'root.usda': 'def "M" (references = @./m.usda@</Model>) {\nover "_class" {\n}\n}\nclass "_g" {\n}',
			'm.usda': `def "Model" {
				class "_class" {
				}
				def "Rig" (inherits = [</Model/_class>, </_g>]) {
				}
			}
			class "_g" {
			}`,
		});
		expect(scene.stack('/M/Rig')).toEqual([
			'root.usda /M/_class',
			'root.usda /_g',
			'm.usda /Model/Rig',
			'm.usda /Model/_class',
			'm.usda /_g',
		]);
	});

	it('bring ancestral arcs of sub-root targets', () => {
		const scene = new Scene({
			'root.usda': 'def "A" (references = @./r.usda@</R/Child>) {\n}',
			'r.usda': 'def "R" (references = @./s.usda@</S>) {\n}',
			's.usda': 'def "S" {\ndef "Child" {\n}\n}',
		});
		expect(scene.stack('/A')).toEqual(['root.usda /A', 's.usda /S/Child']);
	});

	it('keep every bit of a scale between layers of one rate', () => {
		// 0.7 * 24 / 24 is another number than 0.7
		const scene = new Scene({
			'root.usda': '(timeCodesPerSecond = 24)\ndef "A" (references = @./r.usda@</R> (scale = 0.7)) {\n}',
			'r.usda': '(timeCodesPerSecond = 24)\ndef "R" {\n}',
		});
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'r.usda /R 0 0.7']);
	});

	it('are told apart by the number of entries of their custom data, as in OpenUSD', () => {
		const data = (count: number): string =>
			count === 0 ? '' : ` (customData = {${'abc'.slice(0, count).replace(/./g, 'int $& = 1\n')}})`;
		const references = (...counts: readonly number[]): string =>
			`(prepend references = [${counts.map((count) => `@./r.usda@</R>${data(count)}`).join(', ')}])`;
		const scene = new Scene({
			'root.usda': `(subLayers = [@./weak.usda@])\nover "A" ${references(0, 1)} {\n}`,
			'weak.usda': `def "A" ${references(1, 2)} {\n}`,
			'r.usda': 'def "R" {\n}',
		});
		const root = scene.index('/A').nodes[0]!;
		let arcs = 0;
		for (let child = root.firstChild; child !== null; child = child.nextSibling) arcs++;
		expect(arcs).toBe(3);
		expect(scene.errors('/A')).toEqual([]);
	});

	it('take the offset of an internal reference as it is', () => {
		const scene = new Scene({
			'root.usda': '(subLayers = [@./s.usda@ (offset = 10; scale = 2)])\ndef "T" {\n}',
			's.usda': 'over "T" {\n}\ndef "A" (references = </T> (offset = 5; scale = 3)) {\n}',
		});
		expect(scene.stack('/A')).toEqual(['s.usda /A 10 2', 'root.usda /T 5 3', 's.usda /T 35 6']);
	});

	it('select variants by the strongest opinion, weaker arcs included, then by fallbacks', () => {
		const files = {
			'root.usda': 'def "A" (references = @./r.usda@</R>) {\n}',
			'r.usda': `def "R" (
				variants = {
					string lod = "high"
				}
				prepend variantSets = ["lod", "look"]
			) {
				variantSet "lod" = {
					"high" {
						def "Mesh" {
						}
					}
					"low" {
					}
				}
				variantSet "look" = {
					"plain" {
					}
					"shiny" {
						def "Coat" {
						}
					}
				}
			}`,
		};
		const scene = new Scene(files, { variantFallbacks: new Map([['look', ['none', 'shiny']]]) });
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'r.usda /R', 'r.usda /R{lod=high}', 'r.usda /R{look=shiny}']);
		expect(scene.children('/A')).toEqual(['Coat', 'Mesh']);
		expect([...scene.index('/A').variantSelections()]).toEqual([
			['lod', 'high'],
			['look', 'shiny'],
		]);
		expect(new Scene(files).stack('/A')).toHaveLength(3);
	});

	it('fall back in variant sets in their order, so that a fallback may select in those behind it', () => {
		// the variants of each set select in the next but one
		const names = ['a', 'b', 'c', 'd', 'e'];
		const sets = names.map((name, i) => {
			const target = names[i + 2];
			const selects = target === undefined ? '' : `(variants = { string ${target} = "chosen" })`;
			return `variantSet "${name}" = {\n"usual" ${selects} {\n}\n"chosen" ${selects} {\n}\n}`;
		});
		const root = `def "A" (prepend variantSets = ["${names.join('", "')}"]) {\n${sets.join('\n')}\n}`;
		const variantFallbacks = new Map(names.map((name) => [name, ['usual']]));
		const scene = new Scene({ 'root.usda': root }, { variantFallbacks });
		expect([...scene.index('/A').variantSelections()]).toEqual([
			['a', 'usual'],
			['b', 'usual'],
			['c', 'chosen'],
			['d', 'chosen'],
			['e', 'chosen'],
		]);
	});

	it('leave payloads out that are not loaded', () => {
		const files = { 'root.usda': 'def "A" (payload = @./p.usda@</P>) {\n}', 'p.usda': 'def "P" {\n}' };
		const scene = new Scene(files, { includesPayload: () => false });
		expect(scene.stack('/A')).toEqual(['root.usda /A']);
		expect(scene.index('/A').hasPayloads).toBe(true);
		expect(new Scene(files).stack('/A')).toEqual(['root.usda /A', 'p.usda /P']);
	});

	it('move prims by relocates and prohibit their old names', () => {
		const scene = new Scene({
			'root.usda':
				'(relocates = {\n</A/Old>: </A/New>\n})\ndef "A" (references = @./r.usda@</R>) {\nover "New" {\n}\n}',
			'r.usda': 'def "R" {\ndef "Old" {\ndef "Child" {\n}\n}\n}',
		});
		expect(scene.index('/A').childNames()).toEqual({ names: ['New'], prohibited: new Set(['Old']) });
		expect(scene.stack('/A/New')).toEqual(['root.usda /A/New', 'r.usda /R/Old']);
		expect(scene.stack('/A/New/Child')).toEqual(['r.usda /R/Old/Child']);
		expect(scene.stack('/A/Old')).toEqual([]);
	});

	it('let a specialize without specs that leads in a circle take no names of children', () => {
		// the node of /Q/A has nothing to say, so that the relocate of /Q/A/A does not concern /_c/A
		const scene = new Scene({
			'root.usda': `(relocates = { </Q/A/A>: </Q/B> })
				over "Q" (specializes = </_d>) {\n}
				class "_d" (specializes = </Q>) {\n}
				class "_c" (inherits = </_d>) {\ndef "A" {\ndef "A" {\n}\n}\n}`,
		});
		expect(scene.index('/_c/A').nodes.map(({ path }) => `${path}`)).toEqual(['/_c/A']);
		expect(scene.children('/_c/A')).toEqual(['A']);
	});

	it('drop a variant without specs though a class that it specializes stays', () => {
		const scene = new Scene({
			'root.usda': 'def "P" (references = @./a.usda@</Q/A/B>) {\n}',
			'a.usda': `def "Q" (
					variantSets = "w"
					variants = { string w = "x" }
				) {
				variantSet "w" = {
				"x" {
				def "A" (specializes = </_c>) {\n}
				}
				}
				}
				class "_c" {\ndef "B" {\n}\n}`,
		});
		const nodes = scene.index('/P').nodes.filter(({ isCulled }) => !isCulled);
		expect(nodes.map(({ path }) => `${path}`)).not.toContain('/Q{w=x}A/B');
		expect(scene.stack('/P')).toEqual(['root.usda /P', 'a.usda /_c/B']);
	});

	it('imply a class to a variant where the variant has it, and further up where the prim has it', () => {
		const scene = new Scene({
			'root.usda': `class "_c" (
					variantSets = "w"
					variants = { string w = "y" }
				) {
				variantSet "w" = {
				"y" {
				over "A" (inherits = </_d>) {\nover "C" {\nover "C" {\n}\n}\n}
				}
				}
				over "A" {\nover "C" {\nover "C" {\n}\n}\n}
				}
				class "_d" {\nover "C" {\nover "A" (inherits = </_d/C/C>) {\n}\n}\n}`,
		});
		const { nodes } = scene.index('/_c/A/C/A');
		expect(nodes.map(({ path, isInert }) => `${path}${isInert ? ' inert' : ''}`)).toEqual([
			'/_c/A/C/A',
			'/_c/A/C/C',
			'/_d/C/A inert',
			'/_d/C/C inert',
			'/_c{w=y}A/C/A',
			'/_c{w=y}A/C/C',
			'/_d/C/A',
			'/_d/C/C',
		]);
		expect(scene.stack('/_c/A/C/A')).toEqual(['root.usda /_c/A/C/C', 'root.usda /_c{w=y}A/C/C', 'root.usda /_d/C/A']);
	});

	it('ignore local opinions below instances', () => {
		const scene = new Scene({
			'root.usda':
				'def "A" (\ninstanceable = true\nreferences = @./r.usda@</R>\n) {\nover "Child" {\n}\ndef "Extra" {\n}\n}',
			'r.usda': 'def "R" {\ndef "Child" {\n}\n}',
		});
		expect(scene.index('/A').isInstance).toBe(true);
		expect(scene.children('/A')).toEqual(['Child']);
		expect(scene.stack('/A/Child')).toEqual(['r.usda /R/Child']);
	});
});

describe('errors', () => {
	it('name cycles, missing layers and missing prims, and the rest composes', () => {
		const scene = new Scene({
			'root.usda': `def "A" (references = </B>) {
			}
			def "B" (references = </A>) {
			}
			def "C" (references = [@./none.usda@</X>, @./r.usda@</None>, @./r.usda@, @./r.usda@</R>]) {
			}`,
			'r.usda': 'def "R" {\n}',
		});
		expect(scene.errors('/A')).toEqual(['ArcCycle']);
		expect(scene.stack('/A')).toEqual(['root.usda /A', 'root.usda /B']);
		expect(scene.errors('/C').sort()).toEqual(['InvalidAssetPath', 'UnresolvedPrimPath', 'UnresolvedPrimPath']);
		expect(scene.stack('/C')).toEqual(['root.usda /C', 'r.usda /R']);
	});

	it('end a composition that has no end', () => {
		const scene = new Scene({
			'root.usda': 'class "_c" (references = @./r.usda@</R>) {\n}\ndef "A" (references = @./r.usda@</R>) {\n}',
			'r.usda': 'def "R" {\ndef "X" (inherits = </_c>) {\n}\n}\nclass "_c" {\n}',
		});
		let path = Path.parse('/A')!;
		let depth = 0;
		for (; depth < 2000; depth++) {
			const [name] = scene.cache.primIndex(path).childNames().names;
			if (name === undefined) break;
			path = path.appendChild(name);
		}
		expect(depth).toBeLessThan(2000);
	});

	it('keep what a prim says itself when all that it leads to is too much', () => {
		// every prim of a level leads to two of the next, so that there are more than 16,384 ways
		const levels = Array.from({ length: 16 }, (_, i) =>
			['l', 'r'].map((side) =>
				i === 15
					? `def "${side}${i}" {\ndef "Far" {\n}\n}`
					: `def "${side}${i}" (references = [</l${i + 1}>, </r${i + 1}>]) {\n}`,
			),
		);
		const scene = new Scene({
			'root.usda': `def "A" (references = [</l0>, </r0>]) {\ndef "Near" {\n}\n}\n${levels.flat().join('\n')}`,
		});
		expect(scene.errors('/A')).toEqual(['CapacityExceeded']);
		expect(scene.stack('/A')).toEqual(['root.usda /A']);
		expect(scene.index('/A').nodes.map(({ hasSpecs }) => hasSpecs)).toEqual([true]);
		expect(scene.children('/A')).toEqual(['Near']);
	});

	it('do not stop children whose parent keeps a node without specs for the sake of strength', () => {
		const scene = new Scene({
			'root.usda': `def "P" (payload = @./a.usda@</R>) {\n}
				class "_c" (payload = @./b.usda@</R>) {\n}`,
			'a.usda': 'def "R" (inherits = </_c>) {\nover "B" (specializes = </P/A>) {\n}\n}',
			'b.usda': `(relocates = { </R/A>: <> })
				over "R" (inherits = </_d>) {\nover "B" (references = @./a.usda@</R/B>) {\n}\n}
				class "_d" (specializes = </_c>) {\nover "B" {\nover "C" {\n}\n}\n}`,
		});
		expect(scene.stack('/P/B/C')).toEqual(['b.usda /_d/B/C']);
		const { nodes } = scene.index('/P/B');
		for (const { origin } of nodes.slice(1)) expect(nodes).toContain(origin);
	});

	it('tell targets that have no name on the stage', () => {
		const scene = new Scene({
			'root.usda': 'def "A" (references = @./r.usda@</R>) {\n}',
			'r.usda': 'def "R" {\nrel r = [</R/In>, </Out>]\n}',
		});
		const property = composePropertyIndex(scene.index('/A'), 'r');
		const targets = composeTargets(property);
		expect(targets.paths.map(String)).toEqual(['/A/In']);
		expect(targets.errors.map(({ kind }) => kind)).toEqual(['InvalidExternalTargetPath']);
	});
});
