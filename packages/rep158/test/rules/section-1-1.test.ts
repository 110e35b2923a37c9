import { describe, expect, it } from 'vitest';
import { isUniform, unitOf } from '../../src/rules/unit-conversions.ts';
import { expectMarked, layerOf } from './marked.ts';

const TURN_X = 'quatf xformOp:orient = (0.70710678, 0.70710678, 0, 0)';
const STACK = 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]';
const BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI"]';
const MESH =
	'point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]; int[] faceVertexCounts = [3]; int[] faceVertexIndices = [0, 1, 2]';

describe('metadata of the root layer', () => {
	const rules = ['R1.1.1', 'R1.1.2', 'R1.1.3', 'R1.1.5'];
	const asset = (...lines: string[]): Record<string, string> => ({
		'robot.usda': `#usda 1.0\n(\n\tdefaultPrim = "robot"\n${lines.join('\n')}\n)\ndef Xform "robot" { }\n`,
	});

	it('is 1 metre, 1 kilogram, 1 second and Z up', () => {
		expectMarked(rules, asset('metersPerUnit = 1', 'kilogramsPerUnit = 1.0', 'timeCodesPerSecond = 1', 'upAxis = "Z"'));
	});

	it('is told at the value that differs', () => {
		expectMarked(
			rules,
			asset(
				'metersPerUnit = 0.01 # R1.1.1',
				'kilogramsPerUnit = 2 # R1.1.2',
				'timeCodesPerSecond = 24 # R1.1.3',
				'upAxis = "Y" # R1.1.5',
			),
		);
	});

	it('is told at the first line where it is missing, whatever fallbacks say', () => {
		expectMarked(rules, { 'robot.usda': '#usda 1.0\n(\n\tdefaultPrim = "robot"\n)\ndef Xform "robot" { }\n' }, {}, [
			'robot.usda:1 R1.1.1',
			'robot.usda:1 R1.1.2',
			'robot.usda:1 R1.1.3',
			'robot.usda:1 R1.1.5',
		]);
	});
});

describe('units', () => {
	it.each([
		[0.001, 'millimetres'],
		[1000, 'millimetres'],
		[0.01, 'centimetres'],
		[100, 'centimetres'],
		[0.1, 'decimetres'],
		[10, 'decimetres'],
		[1e-6, 'micrometres'],
		[1e6, 'micrometres'],
		[0.0254, 'inches'],
		[1 / 0.0254, 'inches'],
		[0.3048, 'feet'],
		[1 / 0.3048, 'feet'],
		[0.01 * (1 + 0.9e-5), 'centimetres'],
		[0.01 * (1 + 1.2e-5), undefined],
		[0.01 * (1 - 1.2e-5), undefined],
		[1, undefined],
		[2, undefined],
	])('a factor of %d converts %s', (factor, unit) => {
		expect(unitOf(factor)).toBe(unit);
	});

	it.each([
		[[2, 2, 2], true],
		[[2, 2 + 1e-9, 2 - 1e-9], true],
		[[2, 2.1, 2], false],
		[[2, 2, 2.1], false],
		[[-2, 2, -2], false],
		[[-2, -2, 2], false],
		[[-2, -2, -2], true],
	])('a scale of %j is the same in all directions: %s', (factors, is) => {
		expect(isUniform(new Float64Array(factors))).toBe(is);
	});

	it('are not converted by transforms on arcs', () => {
		expectMarked(['R1.1.4'], {
			'robot.usda': layerOf(`def Xform "robot" {
	def Xform "cm" (prepend references = @./part.usda@) {
		float3 xformOp:scale = (0.01, 0.01, 0.01) # R1.1.4:warning
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "byPayload" (payload = @./part.usda@) {
		float3 xformOp:scale = (1000, 1000, 1000) # R1.1.4:warning
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "mirrored" (prepend references = @./part.usda@) {
		float3 xformOp:scale = (-0.01, -0.01, -0.01) # R1.1.4:warning
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "twice" (prepend references = @./part.usda@) {
		float3 xformOp:scale = (2, 2, 2)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "stretched" (prepend references = @./part.usda@) {
		float3 xformOp:scale = (0.01, 0.01, 0.02)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "own" {
		float3 xformOp:scale = (0.01, 0.01, 0.01)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Sphere "shape" (prepend references = @./part.usda@</sphere>) {
		float3 xformOp:scale = (0.01, 0.01, 0.01)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Mesh "mesh" (prepend references = @./part.usda@</mesh>) {
		float3 xformOp:scale = (0.01, 0.01, 0.01) # R1.1.4:warning
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "resolved" {
		float3 xformOp:scale:unitsResolve = (2, 2, 2) # R1.1.4
		uniform token[] xformOpOrder = ["xformOp:scale:unitsResolve"]
	}
	def Xform "inverted" {
		float3 xformOp:scale:unitsResolve = (2, 2, 2) # R1.1.4
		uniform token[] xformOpOrder = ["!invert!xformOp:scale:unitsResolve"]
	}
}`),
			'part.usda': layerOf(
				`def Xform "part" { }\ndef Sphere "sphere" { }\ndef Mesh "mesh" { ${MESH} }`,
				'defaultPrim = "part"',
			),
		});
	});

	it('are those of the root layer in every layer that names them', () => {
		const root = layerOf('def Xform "robot" (references = [@./a.usda@, @./b.usda@]) { }');
		const part = (lines: string): string => `#usda 1.0\n(\n\tdefaultPrim = "part"\n${lines}\n)\ndef Xform "part" { }\n`;
		expectMarked(['R1.1.4'], {
			'robot.usda': root,
			'a.usda': part(
				'metersPerUnit = 0.01 # R1.1.4\nkilogramsPerUnit = 0.001 # R1.1.4\ntimeCodesPerSecond = 24 # R1.1.4\nupAxis = "Y" # R1.1.4',
			),
			'b.usda': part('metersPerUnit = 1.0\ntimeCodesPerSecond = 1\nupAxis = "Z"'),
		});
		expectMarked(['R1.1.4'], { 'robot.usda': root, 'a.usda': part(''), 'b.usda': part('') });
	});
});

describe('transforms', () => {
	it('of links are one translate and one orient', () => {
		expectMarked(
			['R1.1.7', 'R1.1.8', 'R1.1.9'],
			`def Xform "robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
	def Xform "none" (${BODY}) { } # R1.1.7
	def Xform "good" (${BODY}) { ${STACK} }
	def Xform "swapped" (${BODY}) {
		uniform token[] xformOpOrder = ["xformOp:orient", "xformOp:translate"] # R1.1.7
	}
	def Xform "moved" (${BODY}) {
		uniform token[] xformOpOrder = ["xformOp:translate"] # R1.1.7
	}
	def Xform "twice" (${BODY}) {
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:orient:b"] # R1.1.7
	}
	def Xform "named" (${BODY}) {
		uniform token[] xformOpOrder = ["xformOp:translate:a", "xformOp:orient"] # R1.1.7
	}
	def Xform "pivot" (${BODY}) {
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient:a"] # R1.1.7
	}
	def Xform "one" (${BODY}) {
		float3 xformOp:scale = (1, 1, 1)
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"] # R1.1.7:warning
	}
	def Xform "scaled" (${BODY}) {
		float3 xformOp:scale = (2, 1, 1)
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
	}
	def Xform "matrix" (${BODY}) {
		matrix4d xformOp:transform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)) # R1.1.8
		uniform token[] xformOpOrder = ["xformOp:transform"]
	}
	def Xform "inverse" {
		matrix4d xformOp:transform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)) # R1.1.8
		uniform token[] xformOpOrder = ["!invert!xformOp:transform"]
	}
	def Xform "angles" (${BODY}) {
		float3 xformOp:rotateXYZ = (0, 0, 0) # R1.1.9
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]
	}
	def Xform "back" {
		float xformOp:rotateX = 0 # R1.1.9
		uniform token[] xformOpOrder = ["!invert!xformOp:rotateX"]
	}
	def Xform "group" {
		uniform token[] xformOpOrder = ["xformOp:orient"]
	}
}`,
		);
	});

	it('of contexts, frames and articulation roots are those of links, where there are any', () => {
		const order = 'uniform token[] xformOpOrder = ["xformOp:orient"]';
		expectMarked(
			['R1.1.7'],
			`def Xform "robot" {
	def Xform "a" (prepend apiSchemas = ["RosContextAPI"]) {
		${order} # R1.1.7
	}
	def Xform "b" (prepend apiSchemas = ["RosFrameAPI"]) {
		${order} # R1.1.7
	}
	def Xform "c" (prepend apiSchemas = ["PhysicsArticulationRootAPI", "RosFrameAPI"]) {
		${order} # R1.1.7
	}
	def Xform "d" (prepend apiSchemas = ["RosTopicAPI"]) { ${order} }
	def Scope "e" (prepend apiSchemas = ["RosFrameAPI"]) { ${order} }
	def Xform "f" (prepend apiSchemas = ["RosFrameAPI"]) { }
	def Xform "g" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
		${order} # R1.1.7
	}
	def Xform "h" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "RosFrameAPI"]) {
		${order} # R1.1.7
	}
}`,
		);
	});

	it('of sources may have angles behind a translate', () => {
		expectMarked(
			['R1.1.7', 'R1.1.9'],
			`def Xform "robot" {
	def Xform "minimal" (${BODY}) {
		float3 xformOp:rotateXYZ = (0, 0, 0)
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]
	}
	def Xform "alone" (${BODY}) {
		float xformOp:rotateX = 0
		uniform token[] xformOpOrder = ["xformOp:rotateX"] # R1.1.7
	}
	def Xform "first" (${BODY}) {
		float xformOp:rotateX = 0
		uniform token[] xformOpOrder = ["xformOp:rotateX", "xformOp:translate"] # R1.1.7
	}
	def Xform "three" (${BODY}) {
		float xformOp:rotateX = 0
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateX", "xformOp:rotateX:b"] # R1.1.7
	}
	def Xform "back" (${BODY}) {
		float xformOp:rotateX = 0
		uniform token[] xformOpOrder = ["xformOp:translate", "!invert!xformOp:rotateX"] # R1.1.7
	}
}`,
			{ profile: 'source' },
		);
	});

	it('scale neither links nor groups of shapes', () => {
		const order = 'uniform token[] xformOpOrder = ["xformOp:scale"]';
		expectMarked(
			['R1.1.10', 'R1.1.11'],
			`def Xform "robot" {
	def Xform "above" {
		float3 xformOp:scale = (2, 2, 2) # R1.1.10
		${order}
		def Xform "link" (${BODY}) { def Cube "a" { }
def Cube "b" { }
}
		def Xform "own" (${BODY}) { }
	}
	def Xform "reset" {
		float3 xformOp:scale = (2, 2, 2)
		${order}
		def Xform "link" (${BODY}) { uniform token[] xformOpOrder = ["!resetXformStack!"] }
	}
	def Xform "matrix" (${BODY}) {
		matrix4d xformOp:transform = ((2, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)) # R1.1.10
		uniform token[] xformOpOrder = ["xformOp:transform"]
	}
	def Xform "turned" (${BODY}) {
		matrix4d xformOp:transform = ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
		uniform token[] xformOpOrder = ["xformOp:transform"]
	}
	def Xform "nearly" (${BODY}) {
		float3 xformOp:scale = (1.0000005, 1, 1)
		${order}
	}
	def Xform "slightly" (${BODY}) {
		float3 xformOp:scale = (1, 1, 1.00001) # R1.1.10
		${order}
	}
	def Xform "inverse" (${BODY}) {
		float3 xformOp:scale = (2, 4, 8)
		float3 xformOp:scale:b = (2, 4, 8)
		uniform token[] xformOpOrder = ["xformOp:scale", "!invert!xformOp:scale:b"]
	}
	def Xform "axis" (${BODY}) {
		float xformOp:scaleX = 2 # R1.1.10
		uniform token[] xformOpOrder = ["xformOp:scaleX"]
	}
	def Xform "two" {
		float3 xformOp:scale = (2, 2, 2) # R1.1.11
		${order}
		def Cube "a" { }
		def Cube "b" { }
	}
	def Xform "single" {
		float3 xformOp:scale = (2, 2, 2)
		${order}
		def Cube "a" { }
		def Xform "b" { }
	}
	def Xform "ones" {
		float3 xformOp:scale = (1, 1, 1)
		${order}
		def Cube "a" { }
		def Cube "b" { }
	}
}`,
		);
	});

	it('do not mirror', () => {
		expectMarked(
			['R1.1.6'],
			`def Xform "robot" {
	def Xform "a" (${BODY}) {
		float3 xformOp:scale = (-1, 1, 1) # R1.1.6
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
	}
	def Xform "b" (${BODY}) {
		float3 xformOp:scale = (-1, -1, 1)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
	def Xform "c" (${BODY}) {
		matrix4d xformOp:transform = ((1, 0, 0, 0), (0, -1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)) # R1.1.6
		uniform token[] xformOpOrder = ["xformOp:transform"]
	}
	def Xform "d" (${BODY}) {
		float xformOp:scaleX:flip = -1
		uniform token[] xformOpOrder = ["!invert!xformOp:scaleX:flip"] # R1.1.6
	}
	def Cube "e" {
		float3 xformOp:scale = (-1, 1, 1)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}
}`,
		);
	});

	it('on joints do nothing', () => {
		expectMarked(
			['R1.1.16'],
			`def Xform "robot" {
	def PhysicsFixedJoint "a" {
		double3 xformOp:translate = (0, 0, 0) # R1.1.16
	}
	def PhysicsJoint "b" {
		uniform token[] xformOpOrder = [] # R1.1.16
	}
	def PhysicsFixedJoint "c" { rel physics:body1 = </robot> }
}`,
		);
	});
});

describe('the root', () => {
	const asset = (root: string, inner: string, rest = ''): string => `def Xform "robot" {
	${root}
	def Xform "only" {
		${inner}
		def Xform "a" (${BODY}) { }
		def Xform "b" (${BODY}) { }
	}
	${rest}
}`;
	const turn = (orient: string, mark = ''): string =>
		`quatf xformOp:orient = ${orient}${mark}\nuniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]`;

	it('is not turned', () => {
		expectMarked(['R1.1.12'], asset(turn('(1, 0, 0, 0)'), turn('(1, 0, 0, 0)')));
		expectMarked(['R1.1.12'], asset(turn('(0.9999995, 0, 0, 0.001)', ' # R1.1.12'), ''));
		expectMarked(['R1.1.12'], asset(turn('(1, 0, 0, 0.0000001)'), ''));
		expectMarked(['R1.1.12'], asset(turn('(-0.5, 0.5, 0.5, 0.5)', ' # R1.1.12'), turn('(0.7, 0.7, 0, 0)')));
		expectMarked(
			['R1.1.12'],
			asset('float xformOp:rotateZ = 10 # R1.1.12\nuniform token[] xformOpOrder = ["!invert!xformOp:rotateZ"]', ''),
		);
	});

	it('has no single prim below it that tips the up axis', () => {
		expectMarked(['R1.1.12'], asset('', turn('(0.70710678, 0.70710678, 0, 0)', ' # R1.1.12')));
		expectMarked(['R1.1.12'], asset('', turn('(0.70710678, 0, -0.70710678, 0)', ' # R1.1.12')));
		// about Z, and upside down, the up axis stays vertical
		expectMarked(['R1.1.12'], asset('', turn('(0.70710678, 0, 0, 0.70710678)')));
		expectMarked(['R1.1.12'], asset('', turn('(0, 1, 0, 0)')));
		expectMarked(['R1.1.12'], asset('', turn('(0.8, 0.6, 0, 0)')));
		expectMarked(['R1.1.12'], asset('', turn('(0.70710678, 0.70710678, 0, 0)'), 'def Xform "second" { }'));
		expectMarked(
			['R1.1.12'],
			asset('', turn('(0.70710678, 0.70710678, 0, 0)', ' # R1.1.12'), 'def Scope "looks" { }\nover "ghost" { }'),
		);
		expectMarked(['R1.1.12'], `def Xform "robot" { def Xform "link" (${BODY}) { ${TURN_X}; ${STACK} }\n}`);
		expectMarked(['R1.1.12'], `def Xform "robot" { def Cube "shape" { ${TURN_X}; ${STACK} }\n}`);
	});
});

describe('geometry that is turned by a quarter about X', () => {
	const mesh = (name: string, orient: string, mark = ''): string =>
		`def Mesh "${name}" {\nquatf xformOp:orient = ${orient}${mark}\n${STACK}\n${MESH}\n}`;
	const QUARTER = '(0.70710678, 0.70710678, 0, 0)';

	it('is told when most of an asset is', () => {
		const asset = (...meshes: string[]): string => `def Xform "robot" {\n${meshes.join('\n')}\n}`;
		const mark = ' # R1.1.13';
		expectMarked(['R1.1.13'], asset(mesh('a', QUARTER, mark), mesh('b', '(0.70710678, -0.70710678, 0, 0)', mark)));
		expectMarked(['R1.1.13'], asset(mesh('a', QUARTER), mesh('b', '(1, 0, 0, 0)')));
		expectMarked(['R1.1.13'], asset(mesh('a', QUARTER, mark), mesh('b', QUARTER, mark), mesh('c', '(1, 0, 0, 0)')));
		expectMarked(['R1.1.13'], asset(mesh('a', '(0.70710678, 0, 0.70710678, 0)'), mesh('b', '(0, 1, 0, 0)')));
		expectMarked(['R1.1.13'], asset(mesh('a', '(0.72, 0.694, 0, 0)'), mesh('b', '(0.5, 0.5, 0.5, 0.5)')));
	});

	it('counts a prim that turns several meshes once', () => {
		expectMarked(
			['R1.1.13'],
			`def Xform "robot" {
	def Xform "turned" {
		quatf xformOp:orient = ${QUARTER} # R1.1.13
		${STACK}
		def Mesh "a" { ${MESH} }
		def Mesh "b" { ${MESH} }
	}
	def Xform "other" {
		quatf xformOp:orient = ${QUARTER} # R1.1.13
		${STACK}
		def Mesh "a" { ${MESH} }
	}
	def Mesh "upright" { ${MESH} }
}`,
		);
		// what turns a link is no matter of its geometry
		expectMarked(
			['R1.1.13'],
			`def Xform "robot" { def Xform "link" (${BODY}) { ${TURN_X}; ${STACK}; def Mesh "a" { ${MESH} }\n}\ndef Xform "b" { }\n}`,
		);
	});

	it('is told when most of a part that an arc brings is', () => {
		const upright = ['a', 'b', 'c'].map((name) => mesh(name, '(1, 0, 0, 0)')).join('\n');
		expectMarked(['R1.1.13'], {
			'robot.usda': layerOf(`def Xform "robot" {
	def Xform "part" (references = @./part.usda@) { ${TURN_X}; ${STACK} }
	${upright}
}`),
			'part.usda': layerOf(
				`def Xform "part" { def Xform "inner" {\n${mesh('x', QUARTER, ' # R1.1.13')}\n${mesh('y', '(1, 0, 0, 0)')}\n${mesh('z', QUARTER, ' # R1.1.13')}\n}\n}`,
				'defaultPrim = "part"',
			),
		});
		expectMarked(['R1.1.13'], {
			'robot.usda': layerOf(`def Xform "robot" {
	def Mesh "part" (payload = @./part.usda@) { }
	${upright}
}`),
			'part.usda': layerOf(mesh('part', QUARTER), 'defaultPrim = "part"'),
		});
	});

	it('is told in a variant of its own, but not where a set shows one part in several ways', () => {
		const asset = (set: string, mark: string): string => `def Xform "robot" {
	def Xform "part" (prepend variantSets = "${set}"; variants = { string ${set} = "mesh_medium" }) {
		variantSet "${set}" = {
			"mesh_medium" { def Xform "inner" {
${mesh('x', QUARTER, mark)}
}
}
		}
	}
	${mesh('a', '(1, 0, 0, 0)')}
	${mesh('b', '(1, 0, 0, 0)')}
}`;
		expectMarked(['R1.1.13'], asset('tool', ' # R1.1.13'));
		expectMarked(['R1.1.13'], asset('visual_representation', ''));
		expectMarked(['R1.1.13'], asset('collision_fidelity', ''));
	});
});

describe('vehicles', () => {
	const WHEELS = (more = ''): string => `
	def Xform "left_wheel" (${BODY}) { ${more} }
	def Xform "RightWheel" (${BODY}) { ${more} }
	def Xform "arm" (${BODY}) { }`;
	const joint = (name: string, body: string, axis: string, mark = '', more = ''): string =>
		`def PhysicsRevoluteJoint "${name}" { uniform token physics:axis = "${axis}"; rel physics:body1 = </robot/${body}>; ${more} }${mark}`;
	const robot = (axes: readonly [string, string], mark = '', more = '', first = ''): string =>
		`def Xform "robot" {${WHEELS(first)}
	${joint('a', 'left_wheel', axes[0], mark, more)}
	${joint('b', 'RightWheel', axes[1])}
	${joint('c', 'arm', 'Y')}
}`;

	it('drive along X', () => {
		expectMarked(['R1.1.6'], robot(['X', 'X'], ' # R1.1.6:warning'));
		expectMarked(['R1.1.6'], robot(['X', 'Y']));
		expectMarked(['R1.1.6'], robot(['Y', 'Y']));
		expectMarked(['R1.1.6'], robot(['Z', 'Z']));
		// one wheel tells nothing
		expectMarked(['R1.1.6'], robot(['X', 'X'], '', 'bool physics:jointEnabled = false'));
		const quarter = `quatf xformOp:orient = (0.70710678, 0, 0, 0.70710678); ${STACK}`;
		expectMarked(['R1.1.6'], robot(['Y', 'Y'], ' # R1.1.6:warning', '', quarter));
		expectMarked(['R1.1.6'], robot(['X', 'X'], '', '', quarter));
		// tilted by 10 degrees about Z: cos 10 is more than 0.95; by 20 less
		const tilted = (w: number, z: number): string => `quatf xformOp:orient = (${w}, 0, 0, ${z}); ${STACK}`;
		expectMarked(['R1.1.6'], robot(['X', 'X'], ' # R1.1.6:warning', '', tilted(0.9961947, 0.0871557)));
		expectMarked(['R1.1.6'], robot(['X', 'X'], '', '', tilted(0.9848078, 0.1736482)));
	});

	it('drive along the X axis of the default prim', () => {
		const turned = (axis: string, mark: string): string =>
			robot([axis, axis], mark).replace(
				'def Xform "robot" {',
				`def Xform "robot" {\nquatf xformOp:orient = (0.70710678, 0, 0, 0.70710678)\n${STACK}\n`,
			);
		expectMarked(['R1.1.6'], turned('X', ' # R1.1.6:warning'));
		expectMarked(['R1.1.6'], turned('Y', ''));
	});

	it('have the frames of REP 105', () => {
		const base = (name: string, body: string): string => `def Xform "${name}" { ${body} }`;
		const vehicle = (rest: string, mark = '', header = ''): string =>
			`def Xform "robot" {${mark}\n${header}\n${WHEELS()}\n${joint('a', 'left_wheel', 'Y')}\n${joint('b', 'RightWheel', 'Y')}\n${rest}\n}`;
		const rules = ['R1.1.15'];
		const lift = (z: number): string =>
			`double3 xformOp:translate = (0, 0, ${z}); uniform token[] xformOpOrder = ["xformOp:translate"]`;
		expectMarked(rules, vehicle('', ' # R1.1.15'));
		expectMarked(rules, vehicle(base('base_link', '')));
		expectMarked(rules, vehicle(base('base_footprint', ''), ' # R1.1.15'));
		expectMarked(
			rules,
			vehicle('def Xform "base" (prepend apiSchemas = ["RosFrameAPI"]) { uniform string ros:frame:id = "base_link" }'),
		);
		expectMarked(
			rules,
			vehicle('def Xform "base_link" (prepend apiSchemas = ["RosFrameAPI"]) { uniform string ros:frame:id = "" }'),
		);
		expectMarked(
			rules,
			vehicle(
				'def Xform "base_link" (prepend apiSchemas = ["RosFrameAPI"]) { uniform string ros:frame:id = "other" }',
				' # R1.1.15',
			),
		);
		expectMarked(rules, vehicle(`${base('base_link', lift(0.2))}\n${base('base_footprint', lift(0.0009))}`));
		expectMarked(rules, vehicle(`${base('base_link', lift(0.2))}\n${base('base_footprint', lift(0.0011))} # R1.1.15`));
		expectMarked(rules, vehicle(`${base('base_link', lift(0.2))}\n${base('base_footprint', lift(-0.1))} # R1.1.15`));
		expectMarked(rules, vehicle(`${base('base_link', lift(-0.2))}\n${base('base_footprint', '')} # R1.1.15`));
		const anchor = (ends: string): string => `def PhysicsFixedJoint "anchor" { ${ends} }`;
		expectMarked(rules, vehicle(anchor('rel physics:body1 = </robot/arm>')));
		expectMarked(rules, vehicle(anchor('rel physics:body0 = </robot/arm>')));
		expectMarked(
			rules,
			vehicle(anchor('rel physics:body0 = </robot/left_wheel>; rel physics:body1 = </robot/arm>'), ' # R1.1.15'),
		);
	});
});

describe('the origin of props', () => {
	const prop = (centre: string, mark = '', rest = '', kind = 'component'): string =>
		`def Xform "robot" (
	kind = "${kind}"
) {
	def Cube "box" { double size = 2; double3 xformOp:translate = ${centre}; uniform token[] xformOpOrder = ["xformOp:translate"] }
	${rest}
}`.replace('def Xform "robot" (', `def Xform "robot" (${mark}`);

	it('is at the middle of the bottom', () => {
		const mark = ' # R1.1.14';
		expectMarked(['R1.1.14'], prop('(0, 0, 1)'));
		expectMarked(['R1.1.14'], prop('(0, 0, 1.039)'));
		expectMarked(['R1.1.14'], prop('(0, 0, 1.041)', mark));
		expectMarked(['R1.1.14'], prop('(0, 0, 0.959)', mark));
		expectMarked(['R1.1.14'], prop('(0.039, 0, 1)'));
		expectMarked(['R1.1.14'], prop('(0.041, 0, 1)', mark));
		expectMarked(['R1.1.14'], prop('(0, -0.041, 1)', mark));
		expectMarked(['R1.1.14'], prop('(0.03, 0.03, 1)', mark));
		// the size is that of the largest side
		expectMarked(
			['R1.1.14'],
			prop(
				'(0, 0, 1.041)',
				'',
				'def Cube "b" { double size = 0.1; double3 xformOp:translate = (0, 0, 2.5); uniform token[] xformOpOrder = ["xformOp:translate"] }',
			),
		);
	});

	it('is free for robots, sensors and groups', () => {
		for (const rest of [
			'def PhysicsFixedJoint "joint" { }',
			'def Xform "root" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { }',
			'def Camera "camera" { }',
			'def SphereLight "light" { }',
			'def Xform "frame" (prepend apiSchemas = ["RosFrameAPI"]) { }',
		])
			expectMarked(['R1.1.14'], prop('(0, 0, 5)', '', rest));
		expectMarked(['R1.1.14'], prop('(0, 0, 5)', '', '', 'group'));
		expectMarked(['R1.1.14'], 'def Xform "robot" (kind = "component") { }');
	});
});
