import { ContextResolver, readInterfaces } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import { InterfaceRegistry } from '../../src/ros/interface-registry.ts';
import { resolveInterfaces } from '../../src/ros/resolve-interfaces.ts';
import { textStage } from '../text-stage.ts';
import { findings, usda } from './check-files.ts';

const topic = (name: string, type: string): string => `
	def Xform "${name}" (prepend apiSchemas = ["RosTopicAPI"]) {
		uniform string ros:topic:name = "${name}"
		uniform double ros:topic:publish_rate = 10
		uniform token ros:topic:role = "publisher"
		uniform string ros:topic:type = "${type}"
	}`;
const robot = (body: string, more = ''): string =>
	`def Xform "robot" (${more}\nprepend apiSchemas = ["RosContextAPI"]) {\nuniform string ros:context:namespace = "robot"\n${body}\n}`;

describe('types of interfaces', () => {
	const body = robot(topic('log', 'std_msgs/msg/String') + topic('bump', 'acme_msgs/msg/Bump'));

	it('that are unknown disable one interface and leave the others', () => {
		const stage = textStage(body);
		const found = ['/robot/log', '/robot/bump'].flatMap((path) =>
			readInterfaces(stage.prim(path)!, new ContextResolver()),
		);
		const resolved = resolveInterfaces(found, InterfaceRegistry.standard);
		expect(resolved.map(({ isEnabled, problem }) => [isEnabled, problem])).toEqual([
			[true, undefined],
			[false, "the type 'acme_msgs/msg/Bump' is unknown"],
		]);
		expect(findings({ 'robot.usda': usda(body) }, ['R2.3.1'])).toEqual(['R2.3.1 /robot/bump.ros:topic:type']);
	});

	it('become known by interface files of users', () => {
		const interfaces = [{ type: 'acme_msgs/msg/Bump', text: 'bool hit' }];
		expect(findings({ 'robot.usda': usda(body) }, ['R2.3.1'], { interfaces })).toEqual([]);
	});
});

describe('payloads', () => {
	const RULES = ['R2.1.1.12', 'R2.2.4', 'R1.2.3.6'];
	const camera = 'def Xform "camera" (prepend apiSchemas = ["RosFrameAPI"]) {}';

	it('may stand above interfaces that are authored outside of them', () => {
		const files = {
			'robot.usda': usda(
				robot(
					'def Xform "part" (payload = @./part.usda@) { def Xform "tip" (prepend apiSchemas = ["RosFrameAPI"]) {} }',
				),
			),
			'part.usda': usda('def Xform "part" { def Cube "shape" {} }', 'defaultPrim = "part"'),
		};
		expect(findings(files, RULES)).toEqual([]);
		expect(findings({ 'robot.usda': files['robot.usda'] }, RULES)).toEqual([]);
	});

	it('must not hold interfaces, through references too', () => {
		const files = {
			'robot.usda': usda(robot('def Xform "part" (payload = @./part.usda@) {}')),
			'part.usda': usda(
				'def Xform "part" { def Xform "head" (references = @./head.usda@) {} }',
				'defaultPrim = "part"',
			),
			'head.usda': usda(`def Xform "head" { ${camera} }`, 'defaultPrim = "head"'),
		};
		expect(findings(files, RULES)).toEqual(['R2.2.4 /robot/part/head/camera']);
	});

	it('must not define the prim that an interface is put on', () => {
		const files = {
			'robot.usda': usda(
				robot('def Xform "part" (payload = @./part.usda@) { over "tip" (prepend apiSchemas = ["RosFrameAPI"]) {} }'),
			),
			'part.usda': usda('def Xform "part" { def Xform "tip" {} }', 'defaultPrim = "part"'),
		};
		expect(findings(files, RULES)).toEqual(['R2.2.4 /robot/part/tip']);
	});

	it('of the entry prim may bring interfaces by the policy for that', () => {
		const files = {
			'robot.usda': usda('def Xform "robot" (payload = @./features.usda@) {}'),
			'features.usda': usda(robot(camera)),
		};
		expect(findings(files, RULES)).toEqual(['R2.1.1.12 /robot', 'R2.2.4 /robot/camera']);
		expect(findings(files, RULES, { payloadPolicy: 'entry' })).toEqual([]);
	});
});

describe('interfaces in variants', () => {
	const files = {
		'robot.usda': usda(
			`def Xform "robot" (prepend apiSchemas = ["RosContextAPI"]
	prepend variantSets = "head"
	variants = { string head = "plain" }) {
	uniform string ros:context:namespace = "robot"
	variantSet "head" = {
		"plain" {}
		"camera" { ${topic('log', 'std_msgs/msg/String').replace('name = "log"', 'name = "log-all"')} }
	}
}`,
		),
	};

	it('are found although they are not selected', () => {
		expect(findings(files, ['R2.3.3'])).toEqual(['R2.3.3 /robot/log.ros:topic:name']);
	});
});

describe('fallbacks of schemas', () => {
	it('are not taken for authored values', () => {
		const body = robot('def Xform "arm" (prepend apiSchemas = ["RosContextAPI"]) {}');
		expect(findings({ 'robot.usda': usda(body) }, ['R2.1.3', 'R2.1.1.8', 'R2.4.9'])).toEqual([]);
	});
});

describe('schemas that a stronger layer deletes', () => {
	it('give no findings', () => {
		const files = {
			'robot.usda': usda(
				`def Xform "robot" (references = @./part.usda@) { over "t" (delete apiSchemas = ["RosTopicAPI"]) {} }`,
			),
			'part.usda': usda(robot('def Xform "t" (prepend apiSchemas = ["RosTopicAPI"]) {}')),
		};
		expect(findings(files, ['R2.4.1', 'R2.4.2'])).toEqual([]);
		expect(findings({ 'robot.usda': files['part.usda'] }, ['R2.4.1'])).toEqual(['R2.4.1 /robot/t']);
	});
});
