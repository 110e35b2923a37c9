import { describe, expect, it } from 'vitest';
import type { Stage } from '../src/usd/stage.ts';
import { CollisionFilter } from '../src/views/collision-filter.ts';
import { type ParsePhysicsOptions, type PhysicsDescription, parsePhysics } from '../src/views/parse-physics.ts';
import type { PhysicsJoint, PhysicsShape } from '../src/views/physics-descriptors.ts';
import { reported, stageOf } from './views-stage.ts';

function parse(body: string, options: ParsePhysicsOptions = {}): PhysicsDescription & { stage: Stage } {
	const stage = stageOf(body);
	return { ...parsePhysics(stage, options), stage };
}

function body(name: string, content = '', apis = '"PhysicsRigidBodyAPI"'): string {
	return `def Xform "${name}" ( prepend apiSchemas = [${apis}] )\n{\n${content}\n}\n`;
}

function joint(name: string, type: string, from: string, to: string, content = '', apis = ''): string {
	const rels = [
		from === '' ? '' : `rel physics:body0 = <${from}>`,
		to === '' ? '' : `rel physics:body1 = <${to}>`,
	].join('\n');
	const metadata = apis === '' ? '' : `( prepend apiSchemas = [${apis}] )`;
	return `def Physics${type} "${name}" ${metadata}\n{\n${rels}\n${content}\n}\n`;
}

function collider(name: string, type: string, content = '', apis = ''): string {
	return `def ${type} "${name}" ( prepend apiSchemas = ["PhysicsCollisionAPI"${apis}] )\n{\n${content}\n}\n`;
}

const texts = (paths: readonly { toString(): string }[]) => paths.map(String);

describe('a description without poses', () => {
	it('has the same ends of joints, and everything at the origin', () => {
		const place = 'double3 xformOp:translate = (1, 2, 3)\ndouble3 xformOp:scale = (2, 2, 2)\n';
		const order = 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]\n';
		const inner = 'def Xform "inner" {}';
		const text = `${body('a', `${place}${order}${inner}`)}${body('b', '', '"PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"')}${joint('j', 'RevoluteJoint', '/a/inner', '/b', 'point3f physics:localPos1 = (1, 0, 0)')}`;
		const [all, part] = [parse(text), parse(text, { poses: false })];
		const ends = ({ joints }: PhysicsDescription) =>
			joints.map(({ kind, body0, body1 }) => [kind, `${body0}`, `${body1}`]);
		expect(ends(part)).toEqual([['RevoluteJoint', '/a', '/b']]);
		expect(ends(part)).toEqual(ends(all));
		expect(part.articulations).toEqual(all.articulations);
		expect(Array.from(all.bodies[0]!.position)).toEqual([1, 2, 3]);
		expect(Array.from(part.bodies[0]!.position)).toEqual([0, 0, 0]);
		expect(Array.from(part.bodies[0]!.scale)).toEqual([1, 1, 1]);
		expect(Array.from(part.joints[0]!.localPose1Position)).toEqual([0, 0, 0]);
	});
});

describe('a description without colliders', () => {
	it('has everything else', () => {
		const text = `${body('a', collider('c', 'Cube'))}${body('b', '', '"PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"')}${joint('j', 'RevoluteJoint', '/a', '/b')}`;
		const [all, part] = [parse(text), parse(text, { colliders: false })];
		expect([all.shapes.length, all.joints.length, all.articulations.length]).toEqual([1, 1, 1]);
		expect(texts(all.bodies.flatMap(({ collisions }) => collisions))).toEqual(['/a/c']);
		expect(part.shapes).toEqual([]);
		expect(part.bodies).toEqual(all.bodies.map((own) => ({ ...own, collisions: [] })));
		expect([part.joints, part.articulations]).toEqual([all.joints, all.articulations]);
	});
});

describe('scenes', () => {
	it('fall along the up axis of the stage with the gravity of the earth', () => {
		const { scenes } = parse('(\n	upAxis = "Z"\n	metersPerUnit = 1\n)\ndef PhysicsScene "S"\n{\n}');
		expect(Array.from(scenes[0]!.gravityDirection)).toEqual([0, 0, -1]);
		expect(scenes[0]!.gravityMagnitude).toBeCloseTo(9.81, 5);
	});

	it('without units are in centimetres, along y', () => {
		const { scenes } = parse('def PhysicsScene "S"\n{\n}');
		expect(Array.from(scenes[0]!.gravityDirection)).toEqual([0, -1, 0]);
		expect(scenes[0]!.gravityMagnitude).toBeCloseTo(981, 3);
	});

	it('keep what is authored, the direction with unit length', () => {
		const { scenes } = parse(
			'def PhysicsScene "S"\n{\n	vector3f physics:gravityDirection = (0, 3, 4)\n	float physics:gravityMagnitude = -2\n}',
		);
		expect(Array.from(scenes[0]!.gravityDirection, (x) => Math.round(x * 1e6) / 1e6)).toEqual([0, 0.6, 0.8]);
		expect(scenes[0]!.gravityMagnitude).toBe(-2);
	});
});

describe('shapes', () => {
	const scaled = `double3 xformOp:translate = (1, 2, 3)
		float3 xformOp:scale = (1, 2, 3)
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]\n`;

	it('take the scale of the world into their size', () => {
		const { shapes } = parse(
			collider('cube', 'Cube', `${scaled}double size = 2`) +
				collider('ball', 'Sphere', `${scaled}double radius = 0.5`) +
				collider('pill', 'Capsule', `${scaled}double radius = 0.5\ndouble height = 2\nuniform token axis = "X"`),
		);
		const [ball, cube, pill] = shapes as [PhysicsShape, PhysicsShape, PhysicsShape];
		expect(ball).toMatchObject({ kind: 'SphereShape', radius: 1.5 });
		expect(cube).toMatchObject({ kind: 'CubeShape', halfExtents: new Float32Array([1, 2, 3]) });
		expect(pill).toMatchObject({ kind: 'CapsuleShape', axis: 'X', radius: 1.5, halfHeight: 1 });
		expect(Array.from(pill.localPos)).toEqual([1, 2, 3]);
		expect(pill.rigidBody.isEmpty).toBe(true);
	});

	it('belong to the nearest enabled body, in its frame with its scale in the position', () => {
		const inner = collider(
			'c',
			'Sphere',
			'double3 xformOp:translate = (1, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]',
		);
		const off = body('off', `bool physics:rigidBodyEnabled = 0\n${inner}`);
		const { shapes, bodies } = parse(
			body('A', `float3 xformOp:scale = (2, 2, 2)\nuniform token[] xformOpOrder = ["xformOp:scale"]\n${off}`),
		);
		expect(String(shapes[0]!.rigidBody)).toBe('/A');
		expect(Array.from(shapes[0]!.localPos)).toEqual([2, 0, 0]);
		expect(texts(bodies[0]!.collisions)).toEqual(['/A/off/c']);
		expect(bodies[1]!).toMatchObject({ rigidBodyEnabled: false, collisions: [] });
	});

	it('know their approximation and the materials of their faces first', () => {
		const { shapes } = parse(`def Scope "Looks"
{
	def Material "ice" ( prepend apiSchemas = ["PhysicsMaterialAPI"] )
	{
	}
	def Material "rock" ( prepend apiSchemas = ["PhysicsMaterialAPI"] )
	{
	}
	def Material "paint"
	{
	}
}
${collider(
	'm',
	'Mesh',
	`uniform token physics:approximation = "convexHull"
	rel material:binding:physics = </Looks/rock>
	def GeomSubset "s" ( prepend apiSchemas = ["MaterialBindingAPI"] )
	{
		rel material:binding = </Looks/ice>
	}
	def GeomSubset "t" ( prepend apiSchemas = ["MaterialBindingAPI"] )
	{
		rel material:binding:physics = </Looks/paint>
	}`,
	', "PhysicsMeshCollisionAPI", "MaterialBindingAPI"',
)}`);
		expect(shapes[0]).toMatchObject({ kind: 'MeshShape', approximation: 'convexHull' });
		// the face subset "s" takes the binding of its mesh for physics before its own of all purposes
		expect(texts(shapes[0]!.materials)).toEqual(['/Looks/rock', '/Looks/rock']);
	});

	it('take a material from above only with MaterialBindingAPI, unless asked to', () => {
		const text = `def Material "ice" ( prepend apiSchemas = ["PhysicsMaterialAPI"] )
{
	float physics:staticFriction = 0.25
}
def Xform "A" ( prepend apiSchemas = ["MaterialBindingAPI"] )
{
	rel material:binding:physics = </ice>
	${collider('c', 'Sphere')}
}`;
		const strict = parse(text);
		expect(strict.shapes[0]!.materials).toEqual([]);
		expect(reported(strict.stage)).toEqual(['VIEW004 /A/c']);
		expect(texts(parse(text, { inheritMaterials: true }).shapes[0]!.materials)).toEqual(['/ice']);
		expect(strict.materials[0]).toMatchObject({ staticFriction: 0.25, dynamicFriction: 0, density: 0 });
	});

	it('of points need a width for each point', () => {
		const { shapes, stage } = parse(
			collider('good', 'Points', 'point3f[] points = [(1, 2, 3)]\nfloat[] widths = [4]') +
				collider('bad', 'Points', 'point3f[] points = [(1, 2, 3)]'),
		);
		expect(shapes.map(({ isValid }) => isValid)).toEqual([true, false]);
		expect(shapes[0]).toMatchObject({ spheres: new Float32Array([1, 2, 3, 2]) });
		expect(reported(stage)).toEqual(['VIEW004 /bad']);
	});

	it('on prims without a shape are reported', () => {
		const { shapes, stage } = parse(collider('x', 'Xform') + collider('y', 'Custom'), { customShapes: ['Custom'] });
		expect(shapes).toMatchObject([{ kind: 'CustomShape', token: 'Custom' }]);
		expect(reported(stage)).toEqual(['VIEW004 /x']);
	});

	it('below a point instancer are not read', () => {
		const { shapes } = parse(`def PointInstancer "P"\n{\n${collider('c', 'Sphere')}\n}`);
		expect(shapes).toEqual([]);
	});
});

describe('joints', () => {
	it('give frames in the space of their bodies', () => {
		const moved = 'double3 xformOp:translate = (0, 0, 5)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n';
		const { joints } = parse(
			body('A', `${moved}def Xform "site"\n{\n${moved}}`) +
				joint(
					'j',
					'RevoluteJoint',
					'/A/site',
					'',
					'point3f physics:localPos0 = (1, 0, 0)\nquatf physics:localRot0 = (2, 0, 0, 0)\npoint3f physics:localPos1 = (7, 0, 0)',
				),
		);
		const [found] = joints as [PhysicsJoint];
		expect([found.rel0, found.body0, found.body1].map(String)).toEqual(['/A/site', '/A', '']);
		expect(Array.from(found.localPose0Position)).toEqual([1, 0, 5]);
		expect(Array.from(found.localPose0Orientation)).toEqual([0, 0, 0, 1]);
		expect(Array.from(found.localPose1Position)).toEqual([7, 0, 0]);
	});

	it('have limits when enough of them is finite', () => {
		const text =
			joint('r', 'RevoluteJoint', '', '', 'float physics:lowerLimit = -10') +
			joint('s', 'RevoluteJoint', '', '', 'float physics:lowerLimit = -10\nfloat physics:upperLimit = 20') +
			joint('p', 'PrismaticJoint', '', '', 'float physics:lowerLimit = -10\nuniform token physics:axis = "Z"') +
			joint('b', 'SphericalJoint', '', '', 'float physics:coneAngle0Limit = 10') +
			joint('d', 'DistanceJoint', '', '', 'float physics:maxDistance = 3');
		const { joints } = parse(text);
		expect(joints).toMatchObject([
			{ kind: 'RevoluteJoint', limit: { enabled: false, lower: -10, upper: Number.POSITIVE_INFINITY }, axis: 'X' },
			{ kind: 'RevoluteJoint', limit: { enabled: true, lower: -10, upper: 20 } },
			{ kind: 'PrismaticJoint', limit: { enabled: true }, axis: 'Z', drive: { enabled: false } },
			{ kind: 'SphericalJoint', limit: { enabled: false, angle0: 10, angle1: -1 } },
			{ kind: 'DistanceJoint', minEnabled: false, maxEnabled: true, maxDistance: 3 },
		]);
	});

	it('are driven only where the API is applied', () => {
		const drive =
			'float drive:angular:physics:stiffness = 5\nuniform token drive:angular:physics:type = "acceleration"';
		const { joints } = parse(
			joint('a', 'RevoluteJoint', '', '', drive, '"PhysicsDriveAPI:angular"') +
				joint('b', 'RevoluteJoint', '', '', drive),
		);
		expect(joints).toMatchObject([
			{ drive: { enabled: true, stiffness: 5, acceleration: true, forceLimit: Number.POSITIVE_INFINITY } },
			{ drive: { enabled: false } },
		]);
	});

	it('of other types move in six ways', () => {
		const { joints } = parse(
			joint(
				'j',
				'Joint',
				'',
				'',
				'float limit:rotX:physics:low = -5\nfloat limit:transY:physics:low = 1\nfloat limit:transY:physics:high = -1',
				'"PhysicsLimitAPI:rotX", "PhysicsLimitAPI:transY", "PhysicsDriveAPI:rotX"',
			),
		);
		const [found] = joints;
		if (found?.kind !== 'D6Joint') throw new Error('not a D6 joint');
		expect([...found.limits.keys()]).toEqual(['transY', 'rotX']);
		expect(found.limits.get('transY')).toEqual({ enabled: true, lower: 1, upper: -1 });
		expect([...found.drives.keys()]).toEqual(['rotX']);
	});

	it('to nothing are reported and lead to the world', () => {
		const { joints, stage } = parse(joint('j', 'FixedJoint', '/gone', ''));
		expect(joints[0]!.body0.isEmpty).toBe(true);
		expect(reported(stage)).toEqual(['VIEW004 /j']);
	});
});

describe('articulations', () => {
	const root = (content: string) => body('R', content, '"PhysicsArticulationRootAPI"');

	it('start at the joint to the world', () => {
		const { articulations } = parse(
			root(
				body('b') +
					body('a') +
					joint('hold', 'FixedJoint', '', '/R/b') +
					joint('turn', 'RevoluteJoint', '/R/b', '/R/a'),
			),
		);
		const [found] = articulations;
		expect(texts(found!.rootPrims)).toEqual(['/R/hold']);
		expect(texts(found!.articulatedJoints)).toEqual(['/R/hold', '/R/turn']);
		expect(texts(found!.articulatedBodies)).toEqual(['', '/R/a', '/R/b']);
	});

	it('that float start in the middle', () => {
		const { articulations } = parse(
			root(
				body('a') +
					body('b') +
					body('c') +
					joint('j', 'RevoluteJoint', '/R/a', '/R/b') +
					joint('k', 'RevoluteJoint', '/R/b', '/R/c'),
			),
		);
		expect(texts(articulations[0]!.rootPrims)).toEqual(['/R/b']);
	});

	it('that nest start at the top', () => {
		const { articulations } = parse(root(body('a', body('b')) + joint('j', 'RevoluteJoint', '/R/a', '/R/a/b')));
		expect(texts(articulations[0]!.rootPrims)).toEqual(['/R/a']);
	});

	it('do not go along disabled or excluded joints', () => {
		const { articulations } = parse(
			root(
				body('a') +
					body('b') +
					body('c') +
					joint('hold', 'FixedJoint', '', '/R/a') +
					joint('off', 'RevoluteJoint', '/R/a', '/R/b', 'bool physics:jointEnabled = 0') +
					joint('loop', 'RevoluteJoint', '/R/a', '/R/c', 'bool physics:excludeFromArticulation = 1'),
			),
		);
		expect(texts(articulations[0]!.articulatedJoints)).toEqual(['/R/hold', '/R/loop']);
	});

	it('without a body are invalid', () => {
		const { articulations, stage } = parse(root(''));
		expect(articulations[0]!.isValid).toBe(false);
		expect(reported(stage)).toEqual(['VIEW004 /R']);
	});

	it('of long chains are walked', () => {
		const count = 2000;
		const names = Array.from({ length: count }, (_, i) => `b${i}`);
		const bodies = names.map((name) => body(name)).join('');
		const joints = names.slice(1).map((name, i) => joint(`j${i}`, 'FixedJoint', `/R/b${i}`, `/R/${name}`));
		const { articulations } = parse(root(bodies + joint('hold', 'FixedJoint', '', '/R/b0') + joints.join('')));
		expect(articulations[0]!.articulatedJoints).toHaveLength(count);
	});
});

describe('collision filters', () => {
	const group = (name: string, members: string, content: string) => `def PhysicsCollisionGroup "${name}"
{
	rel collection:colliders:includes = [${members}]
	${content}
}
`;
	const solids = ['a', 'b', 'c'].map((name) => body(name, collider('s', 'Sphere'))).join('');
	const filtered = (text: string): string[] => {
		const description = parse(solids + text);
		const filter = new CollisionFilter(description);
		const { shapes } = description;
		const pairs: string[] = [];
		for (let i = 0; i < shapes.length; i++) {
			for (let k = i + 1; k < shapes.length; k++) {
				const name = (at: number) => String(shapes[at]!.rigidBody).slice(1);
				if (filter.collides(shapes[i]!, shapes[k]!)) pairs.push(name(i) + name(k));
			}
		}
		return pairs;
	};

	it('let everything collide by default', () => {
		expect(filtered('')).toEqual(['ab', 'ac', 'bc']);
	});

	it('keep groups apart, themselves too', () => {
		expect(filtered(group('G', '</a>, </b>', 'rel physics:filteredGroups = </G>'))).toEqual(['ac', 'bc']);
		expect(filtered(group('G', '</a>', 'rel physics:filteredGroups = </H>') + group('H', '</b>', ''))).toEqual([
			'ac',
			'bc',
		]);
	});

	it('inverted let only the named groups through', () => {
		const inverted = 'bool physics:invertFilteredGroups = 1\nrel physics:filteredGroups = </H>';
		const text = group('G', '</a>', inverted) + group('H', '</b>', '') + group('I', '</c>', '');
		expect(filtered(text)).toEqual(['ab', 'bc']);
	});

	it('merge groups of one name', () => {
		const merge = 'string physics:mergeGroup = "m"';
		const text =
			group('G', '</a>', `${merge}\nrel physics:filteredGroups = </I>`) +
			group('H', '</b>', merge) +
			group('I', '</c>', '');
		expect(filtered(text)).toEqual(['ab']);
		const { collisionGroups } = parse(solids + text);
		expect(texts(collisionGroups[0]!.mergedGroups)).toEqual(['/G', '/H']);
	});

	it('keep filtered pairs and jointed bodies apart', () => {
		const description = parse(
			body(
				'a',
				`${collider('s', 'Sphere')}\nrel physics:filteredPairs = </c>`,
				'"PhysicsRigidBodyAPI", "PhysicsFilteredPairsAPI"',
			) +
				body('b', collider('s', 'Sphere')) +
				body('c', collider('s', 'Sphere')),
		);
		const filter = new CollisionFilter(description);
		const [a, b, c] = description.shapes as [PhysicsShape, PhysicsShape, PhysicsShape];
		expect([filter.collides(a, b), filter.collides(a, c), filter.collides(c, a)]).toEqual([true, false, false]);
		expect(filtered(joint('j', 'FixedJoint', '/a', '/b'))).toEqual(['ac', 'bc']);
		expect(filtered(joint('j', 'FixedJoint', '/a', '/b', 'bool physics:collisionEnabled = 1'))).toEqual([
			'ab',
			'ac',
			'bc',
		]);
	});
});

describe('owners of the simulation', () => {
	// checked with OpenUSD 26.11
	const owned = (...scenes: string[]): string =>
		scenes.length === 0 ? '' : `rel physics:simulationOwner = [${scenes.map((scene) => `<${scene}>`).join(', ')}]`;
	const scene = [
		...['S1', 'S2'].map((name) => `def PhysicsScene "${name}"\n{\n}\n`),
		body('B1', `${owned('/S1')}\n${collider('C', 'Cube')}`),
		body('B2', `${owned('/S2')}\n${collider('C', 'Cube', owned('/S1'))}`),
		body('B3', collider('C', 'Cube')),
		body('B4', owned('/S1', '/S2')),
		collider('free1', 'Sphere', owned('/S1')),
		collider('free2', 'Sphere', owned('/S2')),
		collider('free3', 'Sphere'),
		joint('J11', 'FixedJoint', '/B1', '/B4'),
		joint('J12', 'FixedJoint', '/B1', '/B2'),
		joint('J1', 'FixedJoint', '', '/B1'),
		joint('J', 'FixedJoint', '', ''),
		joint('R', 'FixedJoint', '', '/B3', '', '"PhysicsArticulationRootAPI"'),
	].join('');
	const read = (...simulationOwners: string[]): Record<string, string[]> => {
		const { scenes, shapes, bodies, joints, articulations } = parse(scene, { simulationOwners });
		const paths = (list: readonly { readonly primPath: { toString(): string } }[]): string[] =>
			list.map(({ primPath }) => primPath.toString());
		return {
			scenes: paths(scenes),
			shapes: paths(shapes),
			bodies: paths(bodies),
			joints: paths(joints),
			articulations: paths(articulations),
		};
	};

	it('restrict what is read to their part', () => {
		expect(read('/S1')).toEqual({
			scenes: ['/S1'],
			shapes: ['/free1', '/B1/C'],
			bodies: ['/B1', '/B4'],
			joints: ['/J11', '/J1', '/J'],
			articulations: ['/R'],
		});
	});

	it('may be those of what names no owner', () => {
		const { bodies, shapes, scenes, joints } = read('');
		expect({ bodies, shapes, scenes, joints }).toEqual({
			bodies: ['/B3'],
			shapes: ['/free3', '/B3/C'],
			scenes: [],
			joints: ['/J', '/R'],
		});
	});

	it('are all when none is named', () => {
		expect(read().bodies).toEqual(['/B1', '/B2', '/B3', '/B4']);
		expect(read('/S1', '/S2', '').joints).toEqual(read().joints);
		expect(read('/Nowhere').bodies).toEqual([]);
	});
});

describe('options for what other parsers do', () => {
	const disabled =
		body('A', `bool physics:rigidBodyEnabled = 0\n${collider('C', 'Sphere')}`) +
		body('B') +
		joint('J', 'RevoluteJoint', '/A', '/B');

	it('give what is on a disabled body to the world, unless told otherwise', () => {
		const strict = parse(disabled);
		expect(strict.shapes[0]!.rigidBody.isEmpty).toBe(true);
		expect(strict.joints[0]!.body0.isEmpty).toBe(true);
		const loose = parse(disabled, { disabledBodies: true });
		expect(String(loose.shapes[0]!.rigidBody)).toBe('/A');
		expect(String(loose.joints[0]!.body0)).toBe('/A');
	});

	it('read types without a schema as the joints they stand for', () => {
		const scene = `${body('A')}${body('B')}def RevoluteJoint "J"
{
	rel physics:body0 = </A>
	rel physics:body1 = </B>
	uniform token physics:axis = "Y"
	float physics:lowerLimit = -10
	float physics:upperLimit = 20
}`;
		expect(parse(scene).joints).toEqual([]);
		const { joints } = parse(scene, { typeAliases: new Map([['RevoluteJoint', 'PhysicsRevoluteJoint']]) });
		expect(joints).toHaveLength(1);
		expect(joints[0]).toMatchObject({ kind: 'RevoluteJoint', axis: 'Y' });
		expect(joints[0]).toMatchObject({ limit: { enabled: true, lower: -10, upper: 20 } });
	});
});
