import { formatText, Report } from '@manyworlds/core';
import { formatUsda } from '@manyworlds/usd';
import type { Mesh, Vector } from './mesh-shapes.ts';
import { type Collider, type Link, momentsOfInertia, type RobotDescription, type Solid } from './robot-description.ts';
import { indent, layer, metrics, number, placement, prim, tuple, tuples } from './usda-text.ts';

/** The layers of a robot by file name: hierarchy, meshes, colliders, looks, physics. Those without comments are canonical. */
export function writeRobotLayers(robot: RobotDescription): Map<string, string> {
	return new Map(Array.from(draftLayers(robot), ([name, text]) => [name, canonical(name, text)]));
}

function canonical(file: string, text: string): string {
	const report = new Report();
	const formatted = formatUsda(new TextEncoder().encode(text), { file, report });
	if (formatted === undefined) throw new Error(formatText(report));
	return formatted.hasComments ? text : new TextDecoder().decode(formatted.bytes);
}

function draftLayers(robot: RobotDescription): Map<string, string> {
	const over = (make: (link: Link, path: string) => Blocks, ...more: string[][]): string[] =>
		prim(`over "${robot.name}"`, [], overLink(robot.root, `/${robot.name}`, make), ...more);
	return new Map([
		['base.usda', baseLayer(robot)],
		['geometries.usda', geometriesLayer(robot)],
		[
			'colliders.usda',
			layer(
				`Collision shapes of ${robot.name}: primitives only, shown as guides.`,
				metrics(robot.name),
				over((link) => ({ prims: [colliderScope(link)] })),
			),
		],
		[
			'materials.usda',
			layer(
				`Looks of ${robot.name} and which mesh wears which.`,
				metrics(robot.name),
				over((link) => ({ prims: [boundVisuals(robot, link)] }), lookScope(robot)),
			),
		],
		[
			'physics.usda',
			layer(
				`Everything UsdPhysics about ${robot.name}: bodies, masses, joints, drives, contact.`,
				metrics(robot.name),
				over((link, path) => physicsOfLink(robot, link, path), surfaceScope(robot), collisionGroup(robot)),
			),
		],
	]);
}

interface Blocks {
	readonly metadata?: string[];
	readonly properties?: string[];
	/** Whole prims. */
	readonly prims?: string[][];
	/** Prims that stand before a child link. */
	readonly beforeChild?: (child: Link) => string[];
}

function overLink(link: Link, parentPath: string, make: (link: Link, path: string) => Blocks): string[] {
	const path = `${parentPath}/${link.name}`;
	const blocks = make(link, path);
	const children = (link.children ?? []).flatMap((child) => [
		blocks.beforeChild?.(child) ?? [],
		overLink(child, path, make),
	]);
	return prim(
		`over "${link.name}"`,
		blocks.metadata ?? [],
		blocks.properties ?? [],
		...(blocks.prims ?? []),
		...children,
	);
}

function baseLayer(robot: RobotDescription): string {
	const define = (link: Link): string[] => {
		const visuals = link.visuals.map((visual) =>
			prim(
				`def Mesh "${visual.name}"`,
				[`payload = @./geometries.usda@</geometries/${visual.mesh}>`],
				visual.at === undefined
					? []
					: [`double3 xformOp:translate = ${tuple(visual.at)}`, 'uniform token[] xformOpOrder = ["xformOp:translate"]'],
			),
		);
		return [
			`# ${link.note}`,
			...prim(
				`def Xform "${link.name}"`,
				[],
				placement(link.at, link.rotation),
				prim('def Scope "visual"', [], ...visuals),
				...(link.children ?? []).map(define),
			),
		];
	};
	return layer(
		`Frames of ${robot.name} and what is seen on them.`,
		metrics(robot.name),
		prim(`def Xform "${robot.name}"`, [], define(robot.root)),
	);
}

/** The mesh library of a robot as text. */
export function geometriesLayer(robot: Pick<RobotDescription, 'name' | 'meshes'>): string {
	const meshes = Object.entries(robot.meshes).map(([name, mesh]) => meshPrim(name, mesh));
	return layer(
		`Mesh library of ${robot.name}, in metres.`,
		metrics('geometries'),
		prim('def Scope "geometries"', [], ...meshes),
	);
}

function meshPrim(name: string, mesh: Mesh): string[] {
	const reach = (pick: (...values: number[]) => number): Vector =>
		[0, 1, 2].map((axis) => pick(...mesh.points.map((point) => point[axis]!))) as unknown as Vector;
	const st =
		mesh.st === undefined
			? []
			: [`texCoord2f[] primvars:st = ${tuples(mesh.st, 4)} (`, ...indent(['interpolation = "vertex"']), ')'];
	return prim(
		`def Mesh "${name}"`,
		[],
		[
			`float3[] extent = [${tuple(reach(Math.min), 5)}, ${tuple(reach(Math.max), 5)}]`,
			`int[] faceVertexCounts = [${mesh.faces.map((face) => face.length).join(', ')}]`,
			`int[] faceVertexIndices = [${mesh.faces.flat().join(', ')}]`,
			`normal3f[] normals = ${tuples(mesh.normals, 4)} (`,
			...indent(['interpolation = "faceVarying"']),
			')',
			`point3f[] points = ${tuples(mesh.points, 5)}`,
			...st,
			'uniform token subdivisionScheme = "none"',
		],
	);
}

function colliderScope(link: Link): string[] {
	return prim('def Scope "collision"', [], ['uniform token purpose = "guide"'], ...link.colliders.map(colliderPrim));
}

function colliderPrim({ name, solid, at }: Collider): string[] {
	const translate = `double3 xformOp:translate = ${tuple(at)}`;
	if (solid.kind === 'box') {
		return prim(
			`def Cube "${name}"`,
			[],
			[
				'float3[] extent = [(-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)]',
				'double size = 1',
				`float3 xformOp:scale = ${tuple(solid.size)}`,
				translate,
				'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]',
			],
		);
	}
	const reach = halfExtent(solid);
	const type = { sphere: 'Sphere', cylinder: 'Cylinder', capsule: 'Capsule' }[solid.kind];
	return prim(
		`def ${type} "${name}"`,
		[],
		[
			...(solid.kind === 'sphere' ? [] : [`uniform token axis = "${solid.axis}"`]),
			`float3[] extent = [${tuple(reach.map((r) => -r))}, ${tuple(reach)}]`,
			...(solid.kind === 'sphere' ? [] : [`double height = ${number(solid.height)}`]),
			`double radius = ${number(solid.radius)}`,
			translate,
			'uniform token[] xformOpOrder = ["xformOp:translate"]',
		],
	);
}

function halfExtent(solid: Exclude<Solid, { kind: 'box' }>): Vector {
	const r = solid.radius;
	if (solid.kind === 'sphere') return [r, r, r];
	const along = solid.height / 2 + (solid.kind === 'capsule' ? r : 0);
	return ['X', 'Y', 'Z'].map((axis) => (axis === solid.axis ? along : r)) as unknown as Vector;
}

function boundVisuals(robot: RobotDescription, link: Link): string[] {
	const meshes = link.visuals.map((visual) =>
		prim(
			`over "${visual.name}"`,
			['prepend apiSchemas = ["MaterialBindingAPI"]'],
			[`rel material:binding = </${robot.name}/looks/${visual.material}>`],
		),
	);
	return prim('over "visual"', [], ...meshes);
}

function lookScope(robot: RobotDescription): string[] {
	const looks = robot.looks.map((look) => {
		const path = `/${robot.name}/looks/${look.name}`;
		const shader = prim(
			'def Shader "surface"',
			[],
			[
				'uniform token info:id = "UsdPreviewSurface"',
				look.texture === undefined
					? `color3f inputs:diffuseColor = ${tuple(look.color)}`
					: `color3f inputs:diffuseColor.connect = <${path}/texture.outputs:rgb>`,
				`float inputs:metallic = ${number(look.metallic)}`,
				`float inputs:roughness = ${number(look.roughness)}`,
				'token outputs:surface',
			],
		);
		const texture =
			look.texture === undefined
				? []
				: [
						prim(
							'def Shader "texture"',
							[],
							[
								'uniform token info:id = "UsdUVTexture"',
								`asset inputs:file = @${look.texture}@`,
								'token inputs:sourceColorSpace = "sRGB"',
								`float2 inputs:st.connect = <${path}/st.outputs:result>`,
								'token inputs:wrapS = "repeat"',
								'token inputs:wrapT = "repeat"',
								'float3 outputs:rgb',
							],
						),
						prim(
							'def Shader "st"',
							[],
							[
								'uniform token info:id = "UsdPrimvarReader_float2"',
								'string inputs:varname = "st"',
								'float2 outputs:result',
							],
						),
					];
		return prim(
			`def Material "${look.name}"`,
			[],
			[`token outputs:surface.connect = <${path}/surface.outputs:surface>`],
			shader,
			...texture,
		);
	});
	return prim('def Scope "looks"', [], ...looks);
}

function physicsOfLink(robot: RobotDescription, link: Link, path: string): Blocks {
	const colliders = link.colliders.map((collider) =>
		prim(`over "${collider.name}"`, ['prepend apiSchemas = ["PhysicsCollisionAPI"]']),
	);
	return {
		metadata: ['prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]'],
		properties: [
			`point3f physics:centerOfMass = ${tuple(link.inertia.at)}`,
			`float3 physics:diagonalInertia = ${tuple(momentsOfInertia(link.inertia.solid, link.mass))}`,
			`float physics:mass = ${number(link.mass)}`,
			'quatf physics:principalAxes = (1, 0, 0, 0)',
		],
		prims: [
			prim(
				'over "collision"',
				['prepend apiSchemas = ["MaterialBindingAPI"]'],
				[
					`rel material:binding:physics = </${robot.name}/surfaces/${link.surface}> (`,
					...indent(['bindMaterialAs = "weakerThanDescendants"']),
					')',
				],
				...colliders,
			),
		],
		beforeChild: (child) => jointPrim(robot, child, path),
	};
}

function jointPrim(robot: RobotDescription, link: Link, parentPath: string): string[] {
	const joint = link.joint;
	if (joint === undefined) return [];
	const isRevolute = joint.type === 'revolute';
	const kind = isRevolute ? 'angular' : 'linear';
	const schemas = [
		...(joint.drive === undefined ? [] : [`PhysicsDriveAPI:${kind}`]),
		...(joint.mimic === undefined ? [] : ['ExtendedPhysicsMimicAPI']),
	];
	const properties = [
		`uniform token physics:axis = "${joint.axis}"`,
		`rel physics:body0 = <${parentPath}>`,
		`rel physics:body1 = <${parentPath}/${link.name}>`,
		`point3f physics:localPos0 = ${tuple(link.at)}`,
		'point3f physics:localPos1 = (0, 0, 0)',
		`quatf physics:localRot0 = ${tuple(link.rotation ?? [1, 0, 0, 0])}`,
		'quatf physics:localRot1 = (1, 0, 0, 0)',
		`float physics:lowerLimit = ${number(joint.limits[0])}`,
		`float physics:upperLimit = ${number(joint.limits[1])}`,
	];
	if (joint.drive !== undefined) {
		const drive = `drive:${kind}:physics`;
		properties.push(
			`float ${drive}:damping = ${number(joint.drive.damping)}`,
			`float ${drive}:maxForce = ${number(joint.drive.maxForce)}`,
			`float ${drive}:stiffness = ${number(joint.drive.stiffness)}`,
			joint.drive.stiffness > 0 ? `float ${drive}:targetPosition = 0` : `float ${drive}:targetVelocity = 0`,
			`uniform token ${drive}:type = "force"`,
		);
	}
	if (joint.mimic !== undefined) {
		properties.push(
			`rel ext_physics:mimic:joint = </${robot.name}/${joint.mimic}>`,
			'float ext_physics:mimic:multiplier = 1',
			'float ext_physics:mimic:offset = 0',
		);
	}
	const metadata =
		schemas.length === 0 ? [] : [`prepend apiSchemas = [${schemas.map((schema) => `"${schema}"`).join(', ')}]`];
	return prim(`def Physics${isRevolute ? 'Revolute' : 'Prismatic'}Joint "${joint.name}"`, metadata, properties);
}

function surfaceScope(robot: RobotDescription): string[] {
	const surfaces = robot.surfaces.map((surface) =>
		prim(
			`def Material "${surface.name}"`,
			['prepend apiSchemas = ["PhysicsMaterialAPI"]'],
			[
				`float physics:dynamicFriction = ${number(surface.dynamicFriction)}`,
				`float physics:restitution = ${number(surface.restitution)}`,
				`float physics:staticFriction = ${number(surface.staticFriction)}`,
			],
		),
	);
	return prim('def Scope "surfaces"', [], ...surfaces);
}

function collisionGroup(robot: RobotDescription): string[] {
	return prim(
		'def PhysicsCollisionGroup "self_collision"',
		['doc = "No link of the robot collides with another one."', 'prepend apiSchemas = ["CollectionAPI:colliders"]'],
		[
			'uniform token collection:colliders:expansionRule = "expandPrims"',
			`rel collection:colliders:includes = </${robot.name}/${robot.root.name}>`,
			`rel physics:filteredGroups = </${robot.name}/self_collision>`,
		],
	);
}
