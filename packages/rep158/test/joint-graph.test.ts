import { JointGraph, type JointInfo } from '@manyworlds/rep158/internal';
import { type Prim, Stage } from '@manyworlds/usd';
import { describe, expect, test } from 'vitest';
import { openAsset } from './open-asset.ts';

/** A stage with bodies `a`, `b`, `c`, `d` side by side and joints between pairs of them. */
function graphOf(
	joints: readonly (readonly [name: string, body0: string, body1: string, extra?: string])[],
): JointGraph {
	const bodies = ['a', 'b', 'c', 'd'].map(
		(name) => `def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])\n{\n}\n`,
	);
	const rel = (name: string, body: string): string => (body === '' ? '' : `    rel physics:${name} = </${body}>\n`);
	const texts = joints.map(
		([name, body0, body1, extra = '']) =>
			`def PhysicsRevoluteJoint "${name}"\n{\n${rel('body0', body0)}${rel('body1', body1)}${extra}}\n`,
	);
	const { layer, store } = openAsset({ 'a.usda': `#usda 1.0\n${bodies.join('')}${texts.join('')}` }, 'a.usda');
	const stage = Stage.open(layer, { store });
	const prims = [...stage.traverse()];
	const bodyOf = (prim: Prim): Prim | undefined => (prim.hasSchema('PhysicsRigidBodyAPI') ? prim : undefined);
	return new JointGraph(
		prims.filter((prim) => prim.isA('PhysicsJoint')),
		bodyOf,
	);
}

const names = (joints: readonly JointInfo[]): string[] => joints.map(({ prim }) => prim.name);
const body = (graph: JointGraph, name: string): Prim => graph.joints[0]!.prim.stage.prim(`/${name}`)!;
const EXCLUDED = '    uniform bool physics:excludeFromArticulation = 1\n';

describe('the joint graph', () => {
	test('comes from relationships, whatever the nesting and whichever side comes first', () => {
		const graph = graphOf([
			['one', 'a', 'b'],
			['two', 'c', 'b'],
		]);
		expect(graph.areConnected(body(graph, 'a'), body(graph, 'c'))).toBe(true);
		expect(graph.areConnected(body(graph, 'a'), body(graph, 'd'))).toBe(false);
		expect(graph.loops).toEqual([]);
	});

	test.each([
		['as authored', false],
		['with sides swapped', true],
	])('a four-bar of flat prims has one joint that closes it, %s', (_, isSwapped) => {
		const pairs = [
			['ab', 'a', 'b'],
			['bc', 'b', 'c'],
			['cd', 'c', 'd'],
			['da', 'd', 'a'],
		] as const;
		const graph = graphOf(pairs.map(([name, x, y]) => (isSwapped ? [name, y, x] : [name, x, y])));
		expect(names(graph.loops)).toEqual(['da']);
	});

	test('excluded and disabled joints are constraints, and joints to the world connect nothing', () => {
		const graph = graphOf([
			['one', 'a', 'b'],
			['two', 'b', 'a', EXCLUDED],
			['three', 'c', 'd', '    bool physics:jointEnabled = 0\n'],
			['anchor', '', 'a'],
			['other', '', 'c'],
		]);
		expect(graph.loops).toEqual([]);
		expect(graph.areConnected(body(graph, 'c'), body(graph, 'd'))).toBe(false);
		expect(graph.areConnected(body(graph, 'a'), body(graph, 'c'))).toBe(false);
	});
});
