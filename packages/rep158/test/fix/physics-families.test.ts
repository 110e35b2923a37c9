import { describe, expect, it } from 'vitest';
import type { FixOptions } from '../../src/fix/fix-asset.ts';
import { fixMemory, type MemoryFix, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';

function fix(
	body: string,
	options: FixOptions,
): MemoryFix & { value(path: string): unknown; targets(path: string): string } {
	const result = fixMemory({ 'a.usda': HEAD + body }, 'a.usda', options);
	const again = fixMemory(result.after, 'a.usda', options);
	// whatever a family does, it does once
	expect(again.plan.items).toEqual([]);
	const { stage } = openMemory(result.after, 'a.usda');
	return {
		...result,
		value: (path) => stage.attribute(path)?.get()?.data,
		targets: (path) => stage.relationship(path)?.targets().join(' ') ?? '',
	};
}

const body = (name: string, content = ''): string =>
	`def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\nfloat physics:mass = 1\n${content}\n}\n`;
const joint = (name: string, a: string, b: string, type = 'PhysicsRevoluteJoint', content = ''): string =>
	`def ${type} "${name}" {\n${a === '' ? '' : `rel physics:body0 = </R/${a}>\n`}${b === '' ? '' : `rel physics:body1 = </R/${b}>\n`}${content}\n}\n`;

describe('F11', () => {
	const text = `def Xform "R" {\n${body('a')}${body('b')}${joint('hinge', 'a', 'b')}${joint('wheel', 'a', 'b')}}\n`;

	it('authors limits that are given, infinite ones for wheels, and asks for others', () => {
		const { value, messages } = fix(text, {
			only: ['F11'],
			parameters: { limits: { hinge: [-90, 45] }, continuous: ['wheel'] },
		});
		expect(value('/R/hinge.physics:lowerLimit')).toBe(-90);
		expect(value('/R/hinge.physics:upperLimit')).toBe(45);
		expect(value('/R/wheel.physics:upperLimit')).toBe(Number.POSITIVE_INFINITY);
		expect(messages).toEqual([]);
		const asked = fixMemory({ 'a.usda': HEAD + text }, 'a.usda', { only: ['F11'] }).messages;
		expect(asked).toHaveLength(2);
		expect(asked[0]).toContain('--limits hinge=LOWER:UPPER or --continuous hinge');
	});
});

describe('F12', () => {
	const bar = (joints: string): string =>
		`def Xform "R" {\n${['a', 'b', 'c', 'd'].map((n) => body(n)).join('')}${joints}}\n`;

	it('excludes one joint of a loop, whichever way its sides are', () => {
		const joints = joint('j1', 'a', 'b') + joint('j2', 'b', 'c') + joint('j3', 'd', 'c') + joint('j4', 'a', 'd');
		const { value } = fix(bar(joints), { only: ['F12'] });
		const excluded = ['j1', 'j2', 'j3', 'j4'].filter((n) => value(`/R/${n}.physics:excludeFromArticulation`) === true);
		expect(excluded).toEqual(['j3']);
	});

	it('keeps fixed joints in the tree', () => {
		const joints = joint('j1', 'a', 'b') + joint('j2', 'b', 'c') + joint('weld', 'a', 'c', 'PhysicsFixedJoint');
		const { value } = fix(bar(joints), { only: ['F12'] });
		expect(value('/R/weld.physics:excludeFromArticulation')).toBe(false);
		expect(value('/R/j2.physics:excludeFromArticulation')).toBe(true);
	});

	it('excludes the distance and not the slider that is driven, whatever comes first', () => {
		const drive = (text: string): string =>
			text.replace('"slide" {', '"slide" (prepend apiSchemas = ["PhysicsDriveAPI:linear"]) {');
		const joints = [
			joint('hinge', 'a', 'b'),
			joint('rope', 'c', 'a', 'PhysicsDistanceJoint'),
			drive(joint('slide', 'b', 'c', 'PhysicsPrismaticJoint')),
		];
		for (const order of [joints, joints.toReversed()]) {
			const { value } = fix(bar(order.join('')), { only: ['F12'] });
			expect(value('/R/rope.physics:excludeFromArticulation')).toBe(true);
			expect(value('/R/slide.physics:excludeFromArticulation')).toBe(false);
			expect(value('/R/hinge.physics:excludeFromArticulation')).toBe(false);
		}
		// beside a joint of the same bodies too
		const pair = bar(joint('rope', 'a', 'b', 'PhysicsDistanceJoint') + joint('hinge', 'a', 'b'));
		expect(fix(pair, { only: ['F12'] }).value('/R/rope.physics:excludeFromArticulation')).toBe(true);
	});

	it('excludes a joint without a drive rather than one that is driven', () => {
		const joints = ['ab', 'bc', 'cd', 'da'].map((name) => {
			const text = joint(name, name[0]!, name[1]!);
			return name === 'cd'
				? text
				: text.replace(`"${name}" {`, `"${name}" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) {`);
		});
		const { value } = fix(bar(joints.join('')), { only: ['F12'] });
		const excluded = ['ab', 'bc', 'cd', 'da'].filter((n) => value(`/R/${n}.physics:excludeFromArticulation`) === true);
		expect(excluded).toEqual(['cd']);
	});

	it('refuses to choose between joints of the same bodies, which may be one joint in parts', () => {
		const text = HEAD + bar(joint('yaw', 'a', 'b') + joint('pitch', 'b', 'a'));
		const { messages, plan } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F12'] });
		expect(plan.items).toEqual([]);
		expect(messages).toEqual([expect.stringContaining('</R/yaw> connects the same bodies')]);
	});
});

describe('F13', () => {
	it('keeps the root at the base and adds one where there is none', () => {
		const rooted = (name: string): string =>
			body(name).replace('"PhysicsMassAPI"', '"PhysicsMassAPI", "PhysicsArticulationRootAPI"');
		const text = `def Xform "R" {\n${rooted('b')}${rooted('a')}${joint('j', 'a', 'b')}${body('c')}${body('d')}${joint('k', 'c', 'd')}}\n`;
		const { after } = fix(text, { only: ['F13'] });
		const { stage } = openMemory(after, 'a.usda');
		const roots = [...stage.traverse()].filter((prim) => prim.hasSchema('PhysicsArticulationRootAPI'));
		expect(roots.map(({ name }) => name)).toEqual(['a', 'c']);
	});

	it('prunes a root of a module by a deletion in the stage that composes it', () => {
		const module = `#usda 1.0\n(defaultPrim = "M")\ndef Xform "M" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]) {\n}\n`;
		const text = `${HEAD}def Xform "R" {\n${body('a').replace('"PhysicsMassAPI"', '"PhysicsMassAPI", "PhysicsArticulationRootAPI"')}def Xform "m" (references = @./m.usda@) {\n}\n${joint('j', 'a', 'm')}}\n`;
		const { after } = fixMemory({ 'a.usda': text, 'm.usda': module }, 'a.usda', { only: ['F13'] });
		expect(after['m.usda']).toBe(module);
		expect(after['a.usda']).toContain('delete apiSchemas = ["PhysicsArticulationRootAPI"]');
	});
});

describe('F14', () => {
	const text = (density: string): string =>
		`def Xform "R" {\ndef Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\ndef Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\ndouble size = 0.5\n${density}\n}\n}\n}\n`;

	it('weighs colliders at a known density and asks for one otherwise', () => {
		expect(fix(text('float physics:density = 800'), { only: ['F14'] }).value('/R/a.physics:mass')).toBe(100);
		expect(fix(text(''), { only: ['F14'], parameters: { density: 1600 } }).value('/R/a.physics:mass')).toBe(200);
		expect(fix(text(''), { only: ['F14'] }).messages.join()).toContain('--density NUMBER');
	});
});

describe('F15', () => {
	const text = (joints: string): string =>
		`def Xform "R" {\ndouble3 xformOp:translate = (0, 0, 2)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n${body('base')}${joints}}\n`;

	it('turns an anchor that is the wrong way round', () => {
		const { targets, value } = fix(
			text(
				joint(
					'anchor',
					'base',
					'',
					'PhysicsFixedJoint',
					'point3f physics:localPos0 = (1, 2, 3)\npoint3f physics:localPos1 = (1, 2, 5)',
				),
			),
			{ only: ['F15'] },
		);
		expect(targets('/R/anchor.physics:body0')).toBe('');
		expect(targets('/R/anchor.physics:body1')).toBe('/R/base');
		expect(value('/R/anchor.physics:localPos0')).toEqual(Float32Array.of(1, 2, 5));
		expect(value('/R/anchor.physics:localPos1')).toEqual(Float32Array.of(1, 2, 3));
	});

	it('keeps an anchor that moves with the asset unless told otherwise', () => {
		const anchored = text(
			'def PhysicsFixedJoint "anchor" {\nrel physics:body0 = </R>\nrel physics:body1 = </R/base>\n}\n',
		);
		expect(fix(anchored, { only: ['F15'] }).files).toEqual([]);
		const { targets, value } = fix(anchored, { only: ['F15'], parameters: { anchor: 'rep' } });
		expect(targets('/R/anchor.physics:body0')).toBe('');
		expect(value('/R/anchor.physics:localPos0')).toEqual(Float32Array.of(0, 0, 2));
	});
});

describe('F16', () => {
	it('makes a frame of a body without substance and moves the joints that began there', () => {
		const frame =
			'def Xform "tool" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\ndouble3 xformOp:translate = (0, 0, 1)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}\n';
		const text = `def Xform "R" {\n${body('a', frame)}${body('b')}def PhysicsFixedJoint "weld" {\nrel physics:body0 = </R/a>\nrel physics:body1 = </R/a/tool>\npoint3f physics:localPos0 = (0, 0, 1)\n}\n${joint('grip', 'a/tool', 'b', 'PhysicsRevoluteJoint', 'point3f physics:localPos0 = (0.5, 0, 0)')}}\n`;
		const { after, targets, value } = fix(text, { only: ['F16'], unsafe: true });
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prim('/R/weld')).toBeUndefined();
		expect(stage.prim('/R/a/tool')!.appliedSchemas).toEqual(['RosFrameAPI']);
		expect(value('/R/a/tool.ros:frame:id')).toBe('tool');
		expect(targets('/R/grip.physics:body0')).toBe('/R/a');
		expect(value('/R/grip.physics:localPos0')).toEqual(Float32Array.of(0.5, 0, 1));
	});

	it('moves a mount of a flat robot below the link that holds it, and keeps it in its place', () => {
		const at = (p: string): string =>
			`double3 xformOp:translate = ${p}\nuniform token[] xformOpOrder = ["xformOp:translate"]`;
		const mount = `def Xform "mount" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n${at('(1, 0, 3)')}\n}\n`;
		const weld = joint('weld', 'a', 'mount', 'PhysicsFixedJoint', 'point3f physics:localPos0 = (0, 0, 1)');
		const grip = joint('grip', 'mount', 'b', 'PhysicsFixedJoint', 'point3f physics:localPos0 = (0, 0.5, 0)');
		const text = `def Xform "R" {\n${body('a', at('(1, 0, 2)'))}${mount}${body('b', at('(1, 0.5, 3)'))}${weld}${grip}}\n`;
		const { after, targets, value, messages } = fix(text, { only: ['F16'], unsafe: true });
		expect(messages).toEqual([]);
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prim('/R/mount')).toBeUndefined();
		expect(stage.prim('/R/a/mount')!.appliedSchemas).toEqual(['RosFrameAPI']);
		expect(value('/R/a/mount.xformOp:translate')).toEqual(Float64Array.of(0, 0, 1));
		expect(targets('/R/grip.physics:body0')).toBe('/R/a');
		expect(value('/R/grip.physics:localPos0')).toEqual(Float32Array.of(0, 0.5, 1));
	});
});

describe('F14, kinematic', () => {
	const SAMPLES =
		'double3 xformOp:translate.timeSamples = {\n0: (0, 0, 0),\n1: (1, 0, 0),\n}\nuniform token[] xformOpOrder = ["xformOp:translate"]';

	it('makes a body kinematic that follows time samples', () => {
		const { value } = fix(`def Xform "R" {\n${body('door', SAMPLES)}}\n`, { only: ['F14'], unsafe: true });
		expect(value('/R/door.physics:kinematicEnabled')).toBe(true);
	});

	it('refuses a body that a joint moves', () => {
		const text = `def Xform "R" {\n${body('a')}${body('b', SAMPLES)}${joint('j', 'a', 'b')}}\n`;
		const { messages, plan } = fix(text, { only: ['F14'], unsafe: true });
		expect(plan.items).toEqual([]);
		expect(messages.join()).toContain('the joint </R/j> moves it');
	});
});

describe('F18 and F19', () => {
	const link = `def Xform "R" {\n${body('a', 'def Sphere "seen" {\n}\ndef Mesh "hit" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}')}}\n`;

	it('make guides of colliders beside something to see, and say how meshes collide', () => {
		const { value } = fix(link, { only: ['F18'], unsafe: true });
		expect(value('/R/a/hit.purpose')).toBe('guide');
		expect(value('/R/a/hit.physics:approximation')).toBe('none');
		const alone = link.replace('def Sphere "seen" {\n}\n', '');
		expect(fix(alone, { only: ['F18'], select: new Set(['R1.3.1.1']) }).messages.join()).toContain(
			'all there is to see',
		);
	});

	it('bind a material with the given numbers, or ask for them', () => {
		const parameters = { staticFriction: 0.8, dynamicFriction: 0.6, restitution: 0.1 };
		const { targets, value } = fix(link, { only: ['F19'], parameters });
		expect(targets('/R/a/hit.material:binding:physics')).toBe('/R/PhysicsMaterials/Default');
		expect(value('/R/PhysicsMaterials/Default.physics:staticFriction')).toBeCloseTo(0.8, 6);
		expect(fix(link, { only: ['F19'] }).messages.join()).toContain(
			'--static-friction NUMBER --dynamic-friction NUMBER',
		);
	});

	it('bind for physics what is bound for everything, and say what a material leaves to its schema', () => {
		const material =
			'def Material "m" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {\nfloat physics:staticFriction = 0.5\n}\n';
		const bound = link
			.replace('def Xform "R" {\n', `def Xform "R" {\n${material}`)
			.replace('point3f[]', 'rel material:binding = </R/m>\npoint3f[]');
		const { targets, value } = fix(bound, { only: ['F19'], unsafe: true });
		expect(targets('/R/a/hit.material:binding:physics')).toBe('/R/m');
		expect(value('/R/m.physics:restitution')).toBe(0);
	});
});

describe('F25, F26 and F38', () => {
	it('select a variant', () => {
		const text =
			'def Xform "R" (\nprepend variantSets = ["visual_representation"]\n) {\nvariantSet "visual_representation" = {\n"mesh_low" {\n}\n"mesh_medium" {\n}\n}\n}\n';
		const { after } = fix(text, { only: ['F25'], unsafe: true });
		expect(openMemory(after, 'a.usda').stage.prim('/R')!.variantSelection('visual_representation')).toBe('mesh_medium');
	});

	it('take instancing from what holds bodies or has nothing to share', () => {
		const text = `def Xform "R" {\ndef Xform "one" (instanceable = true\nreferences = </Lib>) {\n}\ndef Xform "two" (instanceable = true) {\n}\n}\ndef Xform "Lib" {\n${body('b')}}\n`;
		const { after } = fix(text, { only: ['F26', 'F38'], unsafe: true });
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prim('/R/one')!.isInstance).toBe(false);
		expect(after['a.usda']).toContain('instanceable = false');
		expect(stage.prim('/R/two')!.isInstanceable).toBe(false);
	});
});

describe('F36 and F37', () => {
	const quad = (extra: string): string =>
		`def Xform "R" {\n${body('a', `def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\npoint3f[] points = [(0, 0, 0), (2, 0, 0), (1, 0.5, 0), (2, 2, 0), (0, 2, 0)]\nint[] faceVertexCounts = [5]\nint[] faceVertexIndices = [0, 1, 2, 3, 4]\n${extra}\n}`)}}\n`;

	it('divide a concave polygon without leaving it, with what belongs to its corners', () => {
		const { value } = fix(quad('float[] primvars:w = [0, 1, 2, 3, 4] (\ninterpolation = "faceVarying"\n)'), {
			only: ['F36'],
			unsafe: true,
		});
		const indices = value('/R/a/m.faceVertexIndices') as Int32Array;
		expect(indices).toHaveLength(9);
		const points = value('/R/a/m.points') as Float32Array;
		let area = 0;
		for (let i = 0; i < 9; i += 3) {
			const [a, b, c] = [indices[i]! * 3, indices[i + 1]! * 3, indices[i + 2]! * 3];
			const part =
				((points[b]! - points[a]!) * (points[c + 1]! - points[a + 1]!) -
					(points[c]! - points[a]!) * (points[b + 1]! - points[a + 1]!)) /
				2;
			expect(part).toBeGreaterThan(0);
			area += part;
		}
		expect(area).toBeCloseTo(3, 6);
		expect([...(value('/R/a/m.primvars:w') as Float32Array)]).toEqual([...indices]);
	});

	it('turn left-handed faces and closed meshes that are inside out', () => {
		const box = (faces: string, extra: string): string =>
			`def Xform "R" {\ndef Mesh "m" {\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]\nint[] faceVertexCounts = [3, 3, 3, 3]\nint[] faceVertexIndices = [${faces}]\n${extra}\n}\n}\n`;
		const left = fix(box('0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2', 'uniform token orientation = "leftHanded"'), {
			only: ['F37'],
			unsafe: true,
		});
		expect(left.value('/R/m.orientation')).toBe('rightHanded');
		expect([...(left.value('/R/m.faceVertexIndices') as Int32Array)]).toEqual([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
		const inside = fix(box('0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2', 'bool doubleSided = 1'), {
			only: ['F37'],
			unsafe: true,
		});
		expect([...(inside.value('/R/m.faceVertexIndices') as Int32Array)]).toEqual([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
		expect(inside.value('/R/m.doubleSided')).toBe(false);
	});
});
