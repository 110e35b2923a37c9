import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

const API = '"PhysicsRigidBodyAPI", "PhysicsMassAPI"';
const cube = (name: string, size: number, settings: string = '', apis: string = ''): string =>
	`def Cube "${name}" (prepend apiSchemas = ["PhysicsCollisionAPI"${apis}]) {\ndouble size = ${size}\n${settings}\n}\n`;
const bodyWith = (settings: string, content: string, apis: string = API): string =>
	`def Xform "b" (prepend apiSchemas = [${apis}]) {\n${settings}\n${content}\n}\n`;

interface Facts {
	readonly mass: number;
	readonly com: number[];
	readonly inertia: number[];
	readonly findings: readonly string[];
}

function factsOf(text: string): Facts {
	const { builder, findings } = importText(text);
	return {
		mass: builder.column('bodyMass')[0]!,
		com: [...builder.column('bodyCom').subarray(0, 3)],
		inertia: [...builder.column('bodyInertia').subarray(0, 9)],
		findings,
	};
}

const near = (actual: readonly number[], expected: readonly number[], digits: number = 5): void => {
	expect(actual).toHaveLength(expected.length);
	actual.forEach((value, i) => {
		expect(value).toBeCloseTo(expected[i]!, digits);
	});
};
const diagonal = (x: number, y: number = x, z: number = x): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];

describe('a body that states everything', () => {
	it('has what it states, whatever its colliders are', () => {
		const { mass, com, inertia, findings } = factsOf(
			bodyWith(
				'float physics:mass = 3\nfloat3 physics:diagonalInertia = (0.1, 0.2, 0.3)\npoint3f physics:centerOfMass = (1, 2, 3)',
				cube('c', 0.2),
			),
		);
		expect(findings).toEqual([]);
		expect(mass).toBe(3);
		near(com, [1, 2, 3]);
		near(inertia, diagonal(0.1, 0.2, 0.3));
	});

	it('turns its moments to the principal axes', () => {
		const half = Math.SQRT1_2;
		const { inertia } = factsOf(
			bodyWith(
				`float physics:mass = 1\nfloat3 physics:diagonalInertia = (2, 4, 6)\nquatf physics:principalAxes = (${half}, 0, 0, ${half})`,
				'',
			),
		);
		// a quarter turn about z swaps the first two
		near(inertia, diagonal(4, 2, 6));
	});
});

describe('a stated mass alone', () => {
	it('scales the inertia that shapes add up to', () => {
		// 0.2 m cube: m a² / 6
		const { mass, inertia } = factsOf(bodyWith('float physics:mass = 2', cube('c', 0.2)));
		expect(mass).toBe(2);
		near(inertia, diagonal((2 * 0.04) / 6), 8);
	});

	it('gives the same inertia as the density that has this mass', () => {
		const byMass = factsOf(bodyWith('float physics:mass = 8', cube('c', 0.1)));
		const byDensity = factsOf(bodyWith('float physics:density = 8000', cube('c', 0.1)));
		expect(byDensity.mass).toBeCloseTo(8, 5);
		near(byMass.inertia, byDensity.inertia, 8);
	});

	it('makes the body a ball where nothing has a shape', () => {
		const { inertia } = factsOf(bodyWith('float physics:mass = 1', ''));
		const radius = Math.cbrt(3 / (4 * Math.PI * 1000));
		near(inertia, diagonal(0.4 * radius ** 2), 8);
	});

	it('takes no density beside it', () => {
		const { mass, findings } = factsOf(bodyWith('float physics:mass = 2\nfloat physics:density = 50', cube('c', 0.2)));
		expect(mass).toBe(2);
		expect(findings).toEqual(['IMP042 /b.physics:density']);
	});
});

describe('densities', () => {
	const material = (density: number): string =>
		`def Material "m" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {\nfloat physics:density = ${density}\n}\n`;
	const bound = 'rel material:binding:physics = </m>';

	it.each([
		['1000 kg/m³ without any', '', '', '', 8],
		['of the material', '', bound, '', 4],
		['of the body before the material', 'float physics:density = 250', bound, '', 2],
		[
			'of the collider before the body',
			'float physics:density = 250',
			`${bound}\nfloat physics:density = 125`,
			', "PhysicsMassAPI"',
			1,
		],
		['of a mass of the collider', '', 'float physics:mass = 7', ', "PhysicsMassAPI"', 7],
	])('%s', (_name, ofBody, ofCollider, apis, mass) => {
		const text = material(500) + bodyWith(ofBody, cube('c', 0.2, ofCollider, `, "MaterialBindingAPI"${apis}`));
		expect(factsOf(text).mass).toBeCloseTo(mass, 5);
	});

	it('of the material count without MassAPI too', () => {
		const text = material(500) + bodyWith('', cube('c', 0.2, bound, ', "MaterialBindingAPI"'), '"PhysicsRigidBodyAPI"');
		expect(factsOf(text).mass).toBeCloseTo(4, 5);
	});

	it('of inherited material bindings count', () => {
		const text = `${material(500)}def Xform "x" (prepend apiSchemas = ["MaterialBindingAPI"]) {\n${bound}\n${bodyWith('', cube('c', 0.2))}}\n`;
		expect(factsOf(text).mass).toBeCloseTo(4, 5);
	});
});

describe('colliders with MassAPI', () => {
	it('count without MassAPI on the body', () => {
		const { mass } = factsOf(
			bodyWith('', cube('c', 0.2, 'float physics:mass = 3', ', "PhysicsMassAPI"'), '"PhysicsRigidBodyAPI"'),
		);
		expect(mass).toBeCloseTo(3, 6);
	});

	it('add up with those that have none', () => {
		const { mass, com } = factsOf(
			bodyWith(
				'',
				cube(
					'heavy',
					0.2,
					'float physics:mass = 24\ndouble3 xformOp:translate = (1, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]',
					', "PhysicsMassAPI"',
				) + cube('plain', 0.2),
			),
		);
		expect(mass).toBeCloseTo(32, 5);
		near(com, [0.75, 0, 0]);
	});

	it('give their own moments', () => {
		const { inertia } = factsOf(
			bodyWith(
				'',
				cube('c', 0.2, 'float physics:mass = 3\nfloat3 physics:diagonalInertia = (1, 2, 3)', ', "PhysicsMassAPI"'),
			),
		);
		near(inertia, diagonal(1, 2, 3));
	});

	it('that are switched off weigh nothing', () => {
		const { mass } = factsOf(
			bodyWith(
				'',
				cube('on', 0.2) +
					cube('off', 0.4, 'bool physics:collisionEnabled = false\nfloat physics:mass = 9', ', "PhysicsMassAPI"'),
			),
		);
		expect(mass).toBeCloseTo(8, 5);
	});

	it('below instances count', () => {
		const text = `def Xform "part" {\n${cube('c', 0.2, 'float physics:mass = 3', ', "PhysicsMassAPI"')}}\n${bodyWith('', 'def Xform "i" (prepend references = </part>\ninstanceable = true) {\n}')}`;
		expect(factsOf(text).mass).toBeCloseTo(3, 6);
	});
});

describe('shapes and axes', () => {
	it('a cone along x has its centre towards its base', () => {
		const cone =
			'def Cone "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\ndouble radius = 0.5\ndouble height = 2\nuniform token axis = "X"\n}\n';
		const { com, inertia } = factsOf(bodyWith('float physics:mass = 1', cone));
		near(com, [-0.5, 0, 0]);
		near(inertia, diagonal(0.075, 0.1875, 0.1875));
	});

	it('a centre of mass is scaled with its body, as colliders are', () => {
		const place = 'double3 xformOp:scale = (2, 3, 4)\nuniform token[] xformOpOrder = ["xformOp:scale"]';
		const stated = factsOf(
			bodyWith(`${place}\nfloat physics:mass = 1\npoint3f physics:centerOfMass = (1, 1, 1)`, cube('c', 1)),
		);
		const moved = factsOf(
			bodyWith(
				`${place}\nfloat physics:mass = 1`,
				cube('c', 1, 'double3 xformOp:translate = (1, 1, 1)\nuniform token[] xformOpOrder = ["xformOp:translate"]'),
			),
		);
		near(stated.com, [2, 3, 4]);
		near(moved.com, stated.com);
	});

	it('hollow shapes have walls of the given thickness', () => {
		const shell = 'uniform token newton:massModel = "shell"\nfloat newton:shellThickness = 0.01';
		const { mass } = factsOf(bodyWith('', cube('c', 1, shell, ', "NewtonMassAPI"')));
		expect(mass).toBeCloseTo(1000 * (1 - 0.98 ** 3), 3);
	});

	it('an inertia tensor wins over moments', () => {
		const { inertia } = factsOf(
			bodyWith(
				'float physics:mass = 2\nfloat3 physics:diagonalInertia = (9, 9, 9)\ndouble[] newton:inertia = [3, 4, 5, 0.1, 0.2, 0.3]',
				'',
				`${API}, "NewtonMassAPI"`,
			),
		);
		near(inertia, [3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5]);
	});
});

describe('a body that states its centre alone', () => {
	it('has the inertia of its colliders about that centre', () => {
		// a cube of 1 m, 1000 kg: 1000/6 about its own centre, and m·(d²·1 - d·dᵀ) for the way to another
		const [x, y, z] = [0.25, 0.5, -0.125];
		const centre = `point3f physics:centerOfMass = (${x}, ${y}, ${z})`;
		const { mass, com, inertia } = factsOf(bodyWith(`float physics:density = 1000\n${centre}`, cube('c', 1)));
		expect(mass).toBeCloseTo(1000, 6);
		near(com, [x, y, z]);
		const own = 1000 / 6;
		near(
			inertia,
			[
				...[own + 1000 * (y * y + z * z), -1000 * x * y, -1000 * x * z],
				...[-1000 * x * y, own + 1000 * (x * x + z * z), -1000 * y * z],
				...[-1000 * x * z, -1000 * y * z, own + 1000 * (x * x + y * y)],
			],
			3,
		);
	});
});

describe('a collider that states its mass', () => {
	const stated = 'float physics:mass = 2\nfloat3 physics:diagonalInertia = (0.1, 0.2, 0.3)';
	const centre = 'point3f physics:centerOfMass = (0.5, 0.25, 0)';
	const place = 'double3 xformOp:translate = (1, 2, 3)\nuniform token[] xformOpOrder = ["xformOp:translate"]';

	it('has the moments that it states about the centre that it states, in its own place', () => {
		const { mass, com, inertia } = factsOf(
			bodyWith('', cube('c', 1, `${stated}\n${centre}\n${place}`, ', "PhysicsMassAPI"')),
		);
		expect(mass).toBeCloseTo(2, 6);
		near(com, [1.5, 2.25, 3]);
		near(inertia, diagonal(0.1, 0.2, 0.3));
	});

	it('has those of its shape about the centre that it states alone', () => {
		const { com, inertia } = factsOf(
			bodyWith('', cube('c', 1, `float physics:mass = 2\n${centre}\n${place}`, ', "PhysicsMassAPI"')),
		);
		near(com, [1.5, 2.25, 3]);
		const [x, y, own] = [0.5, 0.25, 2 / 6];
		near(inertia, [
			...[own + 2 * y * y, -2 * x * y, 0],
			...[-2 * x * y, own + 2 * x * x, 0],
			...[0, 0, own + 2 * (x * x + y * y)],
		]);
	});
});

describe('an open mesh as a collider', () => {
	// three faces of a tetrahedron
	const open = `def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
int[] faceVertexCounts = [3, 3, 3]
int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3]
point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
}`;
	const whole =
		'float physics:mass = 3\nfloat3 physics:diagonalInertia = (0.1, 0.2, 0.3)\npoint3f physics:centerOfMass = (1, 2, 3)';

	it('is told where its volume counts, and is not weighed where the body states everything', () => {
		const told = (settings: string): string[] => {
			const { builder } = importText(bodyWith(settings, open));
			return builder.report.toArray().map(({ code }) => code);
		};
		expect(told('float physics:density = 1000')).toContain('MESH021');
		expect(told(whole)).not.toContain('MESH021');
		const { mass, com, findings } = factsOf(bodyWith(whole, open));
		expect([mass, ...com]).toEqual([3, 1, 2, 3]);
		expect(findings).toEqual([]);
	});
});

describe('a body that says nothing of its mass', () => {
	const RIGID = '"PhysicsRigidBodyAPI"';
	const sourcesOf = (text: string): string[] => {
		const { ledger } = importText(text).result;
		return ['body_mass', 'body_com', 'body_inertia'].flatMap((array) =>
			ledger.explain(array, 0).map(({ source, why }) => `${array} ${source}: ${why}`),
		);
	};

	it('is left to its shapes, and nobody claims to have settled it', () => {
		const text = bodyWith('', cube('c', 1), RIGID);
		expect(factsOf(text)).toMatchObject({ mass: 1000, com: [0, 0, 0], findings: [] });
		expect(sourcesOf(text)).toEqual([]);
		expect(sourcesOf(bodyWith('', '', RIGID))).toEqual([]);
	});

	it('is settled where it has the schema, or a collider has it', () => {
		const added = [
			'body_mass computed: the body states no mass, so those of its colliders are added up',
			'body_com computed: the body states no centre of mass, so that of its colliders is taken',
			'body_inertia computed: the body states no inertia, so that of its colliders is taken',
		];
		expect(sourcesOf(bodyWith('', cube('c', 1)))).toEqual(added);
		expect(sourcesOf(bodyWith('', cube('c', 1, 'float physics:mass = 2', ', "PhysicsMassAPI"'), RIGID))).toEqual(added);
	});
});

describe('where the mass of a body comes from', () => {
	const MASS = 'float physics:mass = 3\n';
	const COM = 'point3f physics:centerOfMass = (1, 2, 3)\n';
	const MOMENTS = 'float3 physics:diagonalInertia = (1, 2, 3)\n';
	const TENSOR = 'float[] newton:inertia = [1, 2, 3, 0, 0, 0]\n';
	const given = (name: string, value: string): object[] => [
		{ source: 'authored', path: '/b', name, value, why: `${name} of the body is given` },
	];
	const computed = (why: string): object[] => [{ source: 'computed', path: '/b', why }];
	const added = {
		body_mass: computed('the body states no mass, so those of its colliders are added up'),
		body_com: computed('the body states no centre of mass, so that of its colliders is taken'),
		body_inertia: computed('the body states no inertia, so that of its colliders is taken'),
	};
	const mass = { body_mass: given('physics:mass', '3') };
	const com = { body_com: given('physics:centerOfMass', '1,2,3') };

	it.each([
		['nothing', '', added],
		[
			'a mass',
			MASS,
			{ ...added, ...mass, body_inertia: computed('the inertia of the shapes is scaled to the stated mass') },
		],
		['a centre', COM, { ...added, ...com }],
		['moments', MOMENTS, { ...added, body_inertia: given('physics:diagonalInertia', '1,2,3') }],
		['a tensor', TENSOR, { ...added, body_inertia: given('newton:inertia', 'a tensor') }],
		['everything', MASS + COM + MOMENTS, { ...mass, ...com, body_inertia: given('physics:diagonalInertia', '1,2,3') }],
	])('that states %s', (_, settings, expected) => {
		const { ledger } = importText(bodyWith(settings, cube('c', 1), `${API}, "NewtonMassAPI"`)).result;
		for (const [array, sources] of Object.entries(expected)) expect(ledger.explain(array, 0), array).toEqual(sources);
		for (const [name, target] of [
			['physics:mass', 'body_mass[0]'],
			['physics:centerOfMass', 'body_com[0]'],
			['physics:diagonalInertia', 'body_inertia[0]'],
			['newton:inertia', 'body_inertia[0]'],
		] as const) {
			if (!settings.includes(name)) continue;
			const entry = ledger.entries().find((one) => one.path === '/b' && one.name === name);
			expect(entry, name).toMatchObject({ class: 'used', targets: [target] });
		}
	});
});

describe('the density of OpenUSD where Newton asks for it', () => {
	const header = (units: string): string => `#usda 1.0\n(\n${units}\n)\n`;
	const weigh = (units: string, material: string = ''): number =>
		importText(
			`${header(units)}${material}${bodyWith('', cube('c', 2, material && 'rel material:binding:physics = </m>', ', "MaterialBindingAPI"'))}`,
			{ newtonCompat: true, convertUnits: false },
		).builder.column('bodyMass')[0]!;

	it.each([
		['metersPerUnit = 1', 8000],
		['metersPerUnit = 0.1', 8],
		['metersPerUnit = 0.1\nkilogramsPerUnit = 4', 2],
		// a stage that says nothing is in centimetres
		['', 0.008],
	])('is 1000 kg/m³ in the units of the stage: %s', (units, mass) => {
		expect(weigh(units)).toBeCloseTo(mass, 9);
	});

	const blocked = [
		'float physics:mass',
		'float3 physics:diagonalInertia',
		'quatf physics:principalAxes',
		'point3f physics:centerOfMass',
	];
	it.each([
		...blocked.map((name) => [`${name} = None`, 8000]),
		['float physics:mass = inf', 8000],
		['float physics:density = inf', 8000],
		['float physics:density = nan', 8000],
		['float physics:density = 0', 8],
	] as [string, number][])(
		'is not asked for where a body or collider has what OpenUSD does not take: %s',
		(text, mass) => {
			const units = '#usda 1.0\n(\nmetersPerUnit = 0.1\n)\n';
			const settings = { newtonCompat: true, convertUnits: false };
			const onBody = importText(units + bodyWith(text, cube('c', 2)), settings);
			expect(onBody.builder.column('bodyMass')[0]).toBeCloseTo(mass, 5);
			const onShape = importText(units + bodyWith('', cube('c', 2, text, ', "PhysicsMassAPI"')), settings);
			expect(onShape.builder.column('bodyMass')[0]).toBeCloseTo(mass, 5);
			// without the schema it says nothing
			if (!text.includes('None')) return;
			const without = importText(units + bodyWith('', cube('c', 2, text)), settings);
			expect(without.builder.column('bodyMass')[0]).toBeCloseTo(8, 5);
		},
	);

	it('is that of the material where it has one', () => {
		const material = (density: number): string =>
			`def Material "m" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {\nfloat physics:density = ${density}\n}\n`;
		expect(weigh('metersPerUnit = 0.1', material(3))).toBeCloseTo(24, 5);
		expect(weigh('metersPerUnit = 0.1', material(0))).toBeCloseTo(8, 9);
	});
});

describe('a body that is left out', () => {
	it('says nothing of its mass', () => {
		const text = bodyWith('float physics:mass = -1', cube('c', 1));
		expect(importText(text).findings).toEqual(['IMP040 /b.physics:mass']);
		expect(importText(text, { ignorePaths: ['/b'] }).findings).toEqual([]);
		// by a pattern, so that the physics of the stage still has it
		expect(importText(text, { ignorePaths: [/\/b/] }).findings).toEqual([]);
	});
});

describe('colliders of a body that states a density', () => {
	// half of water's, so that no default gives the same
	const DENSITY = 500;
	const [x, y, z] = [1, 2, 3];
	const scaled = `float3 xformOp:scale = (${x}, ${y}, ${z})\nuniform token[] xformOpOrder = ["xformOp:scale"]`;
	const facts = (content: string): Facts => factsOf(bodyWith(`float physics:density = ${DENSITY}`, content));
	const collider = (type: string, settings: string): string =>
		`def ${type} "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n${settings}\n}\n`;
	const box = `point3f[] points = [(-1,-1,-1),(1,-1,-1),(1,1,-1),(-1,1,-1),(-1,-1,1),(1,-1,1),(1,1,1),(-1,1,1)]
int[] faceVertexCounts = [4,4,4,4,4,4]
int[] faceVertexIndices = [3,2,1,0, 4,5,6,7, 0,1,5,4, 1,2,6,5, 2,3,7,6, 3,0,4,7]
uniform token subdivisionScheme = "none"`;
	/** Moments of a solid about its axis and across it, for a radius and a height along z. */
	const round = (mass: number, along: number, across: number): number[] =>
		diagonal(mass * across, mass * across, mass * along);

	it.each([
		['a sphere', collider('Sphere', 'double radius = 2'), (4 / 3) * Math.PI * 8, (m: number) => diagonal(0.4 * m * 4)],
		[
			'a cube',
			collider('Cube', `double size = 2\n${scaled}`),
			8 * x * y * z,
			(m: number) => diagonal((m / 3) * (y * y + z * z), (m / 3) * (x * x + z * z), (m / 3) * (x * x + y * y)),
		],
		[
			'a mesh of a box',
			collider('Mesh', `${box}\n${scaled}`),
			8 * x * y * z,
			(m: number) => diagonal((m / 3) * (y * y + z * z), (m / 3) * (x * x + z * z), (m / 3) * (x * x + y * y)),
		],
		[
			'a cylinder',
			collider('Cylinder', 'double radius = 2\ndouble height = 6'),
			Math.PI * 4 * 6,
			(m: number) => round(m, 4 / 2, 4 / 4 + 36 / 12),
		],
		[
			'a capsule',
			collider('Capsule', 'double radius = 2\ndouble height = 6'),
			Math.PI * 4 * 6 + (4 / 3) * Math.PI * 8,
			() => {
				const [cylinder, ball] = [DENSITY * Math.PI * 24, DENSITY * (4 / 3) * Math.PI * 8];
				// the centre of a half ball lies 3/8 of the radius above its face
				const across = cylinder * (4 / 4 + 36 / 12) + ball * (0.4 * 4 + 9 + (3 / 4) * 3 * 2);
				return diagonal(across, across, cylinder * 2 + ball * 0.4 * 4);
			},
		],
	])('%s weighs its volume, with the moments of a solid', (_, content, volume, moments) => {
		const { mass, inertia, com, findings } = facts(content);
		expect(findings).toEqual([]);
		expect(mass / (DENSITY * volume)).toBeCloseTo(1, 6);
		near(com, [0, 0, 0]);
		near(
			inertia.map((part) => part / mass),
			moments(DENSITY * volume).map((part) => part / (DENSITY * volume)),
		);
	});

	it('a cone has its centre a quarter of its height above its base', () => {
		const { mass, com, inertia } = facts(collider('Cone', 'double radius = 2\ndouble height = 4'));
		expect(mass / (DENSITY * Math.PI * 4 * (4 / 3))).toBeCloseTo(1, 6);
		near(com, [0, 0, 1 - 2]);
		const across = (3 / 20) * 4 + (3 / 80) * 16;
		near(
			inertia.map((part) => part / mass),
			diagonal(across, across, 0.3 * 4),
		);
	});
});

describe('a body without shapes, among others', () => {
	const other = (name: string, x: number): string =>
		`def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
		double3 xformOp:translate = (${x}, 2, 3)
		uniform token[] xformOpOrder = ["xformOp:translate"]
	}
}
`;

	it('has the centre that it states and no inertia, and the others have theirs', () => {
		const { builder, findings } = importText(
			other('a', 7) + bodyWith('point3f physics:centerOfMass = (0.5, 0.25, 1)', '') + other('c', 5),
		);
		expect(findings).toEqual(['IMP044 /b']);
		expect([...builder.column('bodyCom')]).toEqual([7, 2, 3, 0.5, 0.25, 1, 5, 2, 3]);
		// a cube of 2 m and 1000 kg/m³: m a² / 6
		const own = diagonal((8000 * 4) / 6);
		near([...builder.column('bodyInertia')], [...own, ...diagonal(0), ...own]);
	});

	it('is a ball about its own frame where it states its mass, and the others have theirs', () => {
		const { builder } = importText(other('a', 7) + bodyWith('float physics:mass = 2', '') + other('c', 5));
		expect([...builder.column('bodyMass')]).toEqual([8000, 2, 8000]);
		expect([...builder.column('bodyCom')]).toEqual([7, 2, 3, 0, 0, 0, 5, 2, 3]);
		const radius = Math.cbrt(2 / ((4 / 3) * Math.PI * 1000));
		const own = diagonal((8000 * 4) / 6);
		near([...builder.column('bodyInertia')], [...own, ...diagonal(0.4 * 2 * radius ** 2), ...own], 9);
	});

	it('has the inertia of its shapes, scaled to the mass that it states, and the others have theirs', () => {
		const { builder } = importText(other('a', 7) + bodyWith('float physics:mass = 3', cube('d', 1)) + other('c', 5));
		const own = diagonal((8000 * 4) / 6);
		near([...builder.column('bodyInertia')], [...own, ...diagonal(3 / 6), ...own]);
	});
});
