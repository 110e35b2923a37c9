import { parsePhysics, type Stage } from '@manyworlds/usd';
import { ContextResolver, readInterfaces } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import { buildFrames, type RosFrames, transformTopics } from '../../src/ros/ros-frames.ts';
import { textStage } from '../text-stage.ts';

function context(namespace: string | undefined, body = '', more = ''): string {
	const line = namespace === undefined ? '' : `string ros:context:namespace = "${namespace}"`;
	return `(prepend apiSchemas = ["RosContextAPI"${more}])\n{\n${line}\n${body}\n}`;
}

function framesOf(stage: Stage): RosFrames {
	const prims = [...stage.traverse({ instanceProxies: true })];
	return buildFrames({ prims, physics: parsePhysics(stage), contexts: new ContextResolver() });
}

/** `child <- parent static|dynamic` of every frame. */
function tree(stage: Stage): string[] {
	return framesOf(stage).all.map(
		({ id, parentId, isStatic }) => `${id} <- ${parentId ?? 'nothing'} ${isStatic ? 'static' : 'dynamic'}`,
	);
}

describe('namespaces', () => {
	it('join from the top, skip empty ones, start again at an absolute one', () => {
		const stage = textStage(
			`def Xform "a" ${context(
				'fleet',
				`def Xform "b" ${context('', `def Xform "c" ${context('cam', 'def Xform "d" {}')}`)}
			def Xform "e" ${context('/other/x', `def Xform "f" ${context('y')}`)}`,
			)}`,
		);
		const contexts = new ContextResolver();
		const at = (path: string): string => contexts.namespace(stage.prim(path)!);
		expect(at('/a')).toBe('/fleet');
		expect(at('/a/b')).toBe('/fleet');
		expect(at('/a/b/c')).toBe('/fleet/cam');
		expect(at('/a/b/c/d')).toBe('/fleet/cam');
		expect(at('/a/e/f')).toBe('/other/x/y');
		expect(contexts.outermost(stage.prim('/a/b/c/d')!)?.path.toString()).toBe('/a');
	});

	it('get the prefix of a deployment unless a context is absolute', () => {
		const stage = textStage(`def Xform "a" ${context('arm')}\ndef Xform "b" ${context('/arm')}\ndef Xform "c" {}`);
		const contexts = new ContextResolver('/site');
		expect(['/a', '/b', '/c'].map((path) => contexts.namespace(stage.prim(path)!))).toEqual([
			'/site/arm',
			'/arm',
			'/site',
		]);
	});

	it('of the attribute without the schema count for nothing', () => {
		const stage = textStage('def Xform "a" { string ros:context:namespace = "x" }');
		expect(new ContextResolver().namespace(stage.prim('/a')!)).toBe('/');
	});
});

describe('tf topics', () => {
	it('are in the namespace of the outermost context alone', () => {
		const stage = textStage(
			`def Xform "a" ${context('fleet', `def Xform "b" ${context('cam')}`)}\ndef Xform "c" ${context('')}`,
		);
		const contexts = new ContextResolver();
		const robot = contexts.outermost(stage.prim('/a/b')!)!;
		expect(transformTopics(robot, contexts)).toEqual({ moving: '/fleet/tf', fixed: '/fleet/tf_static' });
		expect(transformTopics(stage.prim('/c')!, contexts)).toEqual({ moving: '/tf', fixed: '/tf_static' });
	});
});

describe('interfaces', () => {
	it('have resolved names and the domain of the nearest context', () => {
		const topic = (name: string): string =>
			`def Xform "t" (prepend apiSchemas = ["RosTopicAPI"]) { uniform string ros:topic:name = "${name}" }`;
		const stage = textStage(
			`def Xform "a" ${context('r', `uniform int ros:context:domain_id = 7\ndef Xform "b" ${context('s', topic('scan'))}\ndef Xform "c" { ${topic('/tf')} }`)}`,
		);
		const contexts = new ContextResolver();
		const [first] = readInterfaces(stage.prim('/a/b/t')!, contexts);
		expect(first).toMatchObject({ resolvedName: '/r/s/scan', domain: 7, startsEnabled: true, role: undefined });
		expect(readInterfaces(stage.prim('/a/c/t')!, contexts)[0]).toMatchObject({ resolvedName: '/tf' });
	});
});

const BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI"]';

describe('frames', () => {
	it('follow joints from the base of a robot, static through fixed joints', () => {
		const stage = textStage(`
def Xform "robot" ${context(
			'robot',
			`def Xform "base_link" (${BODY}) {}
	def Xform "arm" (${BODY}) {}
	def Xform "tool" (${BODY}) { def Scope "s" { def Xform "grasp" (prepend apiSchemas = ["RosFrameAPI"]) {} } }
	def PhysicsRevoluteJoint "j1" { rel physics:body0 = </robot/arm>
		rel physics:body1 = </robot/base_link> }
	def PhysicsFixedJoint "j2" { rel physics:body0 = </robot/arm>
		rel physics:body1 = </robot/tool> }`,
		)}
def Xform "box" (${BODY}) {}`);
		expect(tree(stage)).toEqual([
			'robot <- world dynamic',
			'base_link <- arm dynamic',
			'arm <- robot dynamic',
			'tool <- arm static',
			'grasp <- tool static',
		]);
	});

	it('of a fixed base are static, and the root hangs on parent_frame', () => {
		const stage = textStage(`
def Xform "cell" ${context(
			'cell',
			`uniform string ros:context:parent_frame = "map"
	def Xform "base" (${BODY}) {}
	def Xform "arm" (${BODY}) {}
	def PhysicsFixedJoint "anchor" { rel physics:body1 = </cell/base> }
	def PhysicsRevoluteJoint "j" { rel physics:body0 = </cell/base>
		rel physics:body1 = </cell/arm> }
	def PhysicsRevoluteJoint "loop" { rel physics:body0 = </cell/arm>
		rel physics:body1 = </cell/base>
		bool physics:excludeFromArticulation = 1 }`,
		)}`);
		expect(tree(stage)).toEqual(['cell <- map dynamic', 'base <- cell static', 'arm <- base dynamic']);
	});

	it('are not made for loose bodies', () => {
		const boxes = Array.from({ length: 20 }, (_, i) => `def Xform "box${i}" (${BODY}) {}`).join('\n');
		expect(tree(textStage(`def Xform "warehouse" ${context('hall', boxes)}`))).toEqual(['warehouse <- world dynamic']);
		expect(tree(textStage(`def Xform "warehouse" {\n${boxes}\n}`))).toEqual([]);
	});

	it('take their names from RosFrameAPI, or from prims as ROS can read them', () => {
		const frame = 'prepend apiSchemas = ["RosFrameAPI"]';
		const stage = textStage(
			`def Xform "r" ${context(
				'r',
				`def Xform "größe" (${frame}) {}
	def Xform "b" (${frame}) { uniform string ros:frame:id = "cam/optical"
		uniform bool ros:frame:static = false }`,
			)}`,
		);
		expect(tree(stage)).toEqual(['r <- world dynamic', 'gr__e <- r static', 'cam/optical <- r dynamic']);
	});

	it('give what interfaces below are stamped with', () => {
		const stage = textStage(
			`def Xform "r" ${context('r', 'def Scope "s" { def Xform "f" (prepend apiSchemas = ["RosFrameAPI"]) { def Xform "t" {} } }')}`,
		);
		const frames = framesOf(stage);
		expect(frames.nearest(stage.prim('/r/s/f/t'))?.id).toBe('f');
		expect(frames.nearest(stage.prim('/r/s'))?.id).toBe('r');
		expect(frames.nearest(stage.pseudoRoot)).toBeUndefined();
	});
});
