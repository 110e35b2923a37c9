import { mat4Invert, mat4ToTrs, mat4TransformPoint } from '@manyworlds/core/internal';
import { Stage, XformCache } from '@manyworlds/usd';
import { random } from '../../src/random-robots.ts';
import { type AssetFiles, openFiles } from './fixed-asset.ts';

export const BROKEN_ENTRY = 'robot.usda';

/**
 * A random robot that breaks as many rules as a working robot can: other units and axes, matrices, Euler angles and scales on links and shapes, vendor
 * schemas, inertia as six numbers, colliders that are seen, materials for all purposes, quadrilaterals, mirrored and left-handed meshes, joints beside
 * their links, physics behind a payload. Both sides of each joint agree where the robot rests. The same seed gives the same bytes.
 */
export function brokenRobot(seed: number): AssetFiles {
	const next = random(seed);
	const pick = <V>(values: readonly V[]): V => values[Math.floor(((next() + 1) / 2) * values.length)]!;
	const plan = new RobotPlan(next, pick);
	const links = plan.links();
	const bare = new Map([[BROKEN_ENTRY, encode(`${HEADER}${links}`)]]);
	const joints = plan.joints(worldMatrices(bare));
	const units = pick(['    metersPerUnit = 0.01\n', '    metersPerUnit = 1\n', '']);
	const mass = pick(['    kilogramsPerUnit = 0.001\n', '']);
	const up = pick(['    upAxis = "Y"\n', '    upAxis = "Z"\n']);
	const header = `#usda 1.0\n(\n    defaultPrim = "robot"\n${units}${mass}${up})\n`;
	const body = links.replace('#joints', () => joints);
	if (next() < 0) return new Map([[BROKEN_ENTRY, encode(header + body)]]);
	// as converters write it: everything comes through one payload
	const entry = `${header}\ndef Xform "robot" (\n    kind = "component"\n    prepend payload = @./Payload/Contents.usda@\n)\n{\n}\n`;
	return new Map([
		[BROKEN_ENTRY, encode(entry)],
		['Payload/Contents.usda', encode(header + body)],
	]);
}

const HEADER = '#usda 1.0\n(\n    defaultPrim = "robot"\n)\n';
const LINKS = 6;
/** Names that exporters encode; the second one is shown as it was. */
const JOINT_NAMES: ReadonlyMap<string, string> = new Map([
	['link_4', 'tn__link4_yaw'],
	['link_5', 'tn__link5_yaw'],
]);
const KINDS: readonly string[] = ['Cube', 'Sphere', 'Capsule', 'Cylinder', 'Cone', 'Mesh', 'Mesh'];

interface Link {
	readonly name: string;
	readonly path: string;
	readonly parent: number;
}

class RobotPlan {
	readonly #next: () => number;
	readonly #pick: <V>(values: readonly V[]) => V;
	readonly #links: Link[] = [];

	constructor(next: () => number, pick: <V>(values: readonly V[]) => V) {
		this.#next = next;
		this.#pick = pick;
	}

	/** The robot with `#joints` where its joints go. */
	links(): string {
		const children: number[][] = [];
		for (let i = 0; i < LINKS; i++) {
			const parent = i === 0 ? -1 : Math.floor(((this.#next() + 1) / 2) * i);
			const isNested = i > 0 && this.#next() < 0;
			const base = isNested ? this.#links[parent]!.path : '/robot';
			this.#links.push({ name: `link_${i}`, path: `${base}/link_${i}`, parent });
			children.push([]);
			if (isNested) children[parent]!.push(i);
		}
		const print = (i: number): string =>
			this.#link(this.#links[i]!, children[i]!.map(print).join('') + (i === LINKS - 1 ? this.#tool() : ''));
		const tops = this.#links.flatMap(({ path }, i) => (path.split('/').length === 3 ? [print(i)] : []));
		const root = this.#pick([
			'',
			'matrix4d xformOp:transform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))',
		]);
		const order = root === '' ? '' : '\nuniform token[] xformOpOrder = ["xformOp:transform"]\n';
		return `def Xform "robot" ( prepend apiSchemas = ["PhysicsArticulationRootAPI"] ) {\n${root}${order}${tops.join('')}#joints
def Scope "Looks" {
def Material "rubber" ( prepend apiSchemas = ["PhysicsMaterialAPI", "NewtonMaterialAPI"] ) {
float physics:staticFriction = 0.75
float physics:dynamicFriction = 0.5
float physics:restitution = 0.25
float newton:torsionalFriction = 0.0625
}
}
}
`;
	}

	/** A body without substance. */
	#tool(): string {
		return `def Xform "tool" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {\n${this.#stack('')}\n}\n`;
	}

	#link({ name }: Link, inside: string): string {
		const next = this.#next;
		const mass = this.#pick([
			`float physics:mass = ${1.5 + next()}`,
			`float physics:mass = ${1.5 + next()}\npoint3f physics:centerOfMass = ${this.#vector(0.1)}\nfloat3 physics:diagonalInertia = (1, 2, 2.5)\nquatf physics:principalAxes = (0.5, 0.5, -0.5, 0.5)`,
			`float physics:mass = ${1.5 + next()}\npoint3f physics:centerOfMass = (0, 0.1, 0)\nuniform double[] newton:inertia = [1, 2, 2.5, 0.1, -0.2, 0.3]`,
			`float physics:density = ${500 + 100 * next()}`,
		]);
		const schemas = mass.includes('newton:')
			? '"PhysicsRigidBodyAPI", "PhysicsMassAPI", "NewtonMassAPI"'
			: '"PhysicsRigidBodyAPI", "PhysicsMassAPI"';
		// a body that is sheared or mirrored has no frame that a joint could turn
		const scale = this.#pick(inside === '' ? (['', 'uniform', 'axes'] as const) : (['', 'uniform'] as const));
		const kinds = scale === 'axes' ? ['Mesh'] : KINDS;
		return `def Xform "${name}" ( prepend apiSchemas = [${schemas}] ) {
${this.#stack(scale)}
${mass}
float physxRigidBody:linearDamping = 0.05
${this.#shape('collider', true, kinds)}${this.#shape('visual', false, kinds)}${inside}}
`;
	}

	#vector(size: number): string {
		return `(${[0, 0, 0].map(() => size * this.#next()).join(', ')})`;
	}

	/** A position and a rotation, written in one of many ways, over a scale. */
	#stack(scale: '' | 'uniform' | 'axes' | 'mirror'): string {
		const next = this.#next;
		const lines = [`double3 xformOp:translate = ${this.#vector(1)}`];
		const order = ['xformOp:translate'];
		const form = this.#pick(['orient', 'rotateXYZ', 'rotateZXY', 'rotateX', 'pivot', 'none']);
		if (form === 'orient') {
			const q = [next(), next(), next(), next()];
			lines.push(`quatd xformOp:orient = (${q.map((x) => x / Math.hypot(...q)).join(', ')})`);
			order.push('xformOp:orient');
		} else if (form === 'rotateX') {
			lines.push(`double xformOp:rotateX = ${180 * next()}`);
			order.push('xformOp:rotateX');
		} else if (form === 'pivot') {
			lines.push(
				`double3 xformOp:translate:pivot = ${this.#vector(1)}`,
				`double3 xformOp:rotateXYZ = ${this.#vector(180)}`,
			);
			order.push('xformOp:translate:pivot', 'xformOp:rotateXYZ', '!invert!xformOp:translate:pivot');
		} else if (form !== 'none') {
			lines.push(`double3 xformOp:${form} = ${this.#vector(180)}`);
			order.push(`xformOp:${form}`);
		}
		if (scale !== '') {
			const factor = (): number => Math.exp(next() / 2) * (next() < -0.6 && scale === 'mirror' ? -1 : 1);
			const one = factor();
			const factors = scale === 'uniform' ? [one, one, one] : [one, factor(), factor()];
			lines.push(`double3 xformOp:scale = (${factors.join(', ')})`);
			order.push('xformOp:scale');
		}
		lines.push(`uniform token[] xformOpOrder = [${order.map((name) => `"${name}"`).join(', ')}]`);
		return lines.join('\n');
	}

	#shape(name: string, collides: boolean, kinds: readonly string[]): string {
		const kind = this.#pick(kinds);
		const sizes: Record<string, string> = {
			Cube: 'double size = 0.25',
			Sphere: 'double radius = 0.125',
			Capsule: 'double radius = 0.125\ndouble height = 0.5\nuniform token axis = "X"',
			Cylinder: 'double radius = 0.125\ndouble height = 0.5\nuniform token axis = "Y"',
			Cone: 'double radius = 0.125\ndouble height = 0.5\nuniform token axis = "Z"',
			Mesh: this.#pick([BLOCK, BLOCK, `${BLOCK}\nuniform token orientation = "leftHanded"`]),
		};
		const schemas = collides
			? `( prepend apiSchemas = ["PhysicsCollisionAPI", ${kind === 'Mesh' ? '"PhysicsMeshCollisionAPI", ' : ''}"MaterialBindingAPI"] ) `
			: '';
		const physics = collides
			? `rel material:binding = </robot/Looks/rubber>${kind === 'Mesh' ? '\nuniform token physics:approximation = "convexHull"' : ''}`
			: '';
		const scale =
			kind === 'Cube' || kind === 'Mesh'
				? this.#pick(['', 'uniform', 'mirror'] as const)
				: this.#pick(['', 'uniform'] as const);
		return `def ${kind} "${name}" ${schemas}{\n${sizes[kind]}\n${physics}\n${this.#stack(scale)}\n}\n`;
	}

	/** Joints whose sides agree where the links are. */
	joints(worlds: ReadonlyMap<string, Float64Array>): string {
		const next = this.#next;
		const out: string[] = [];
		const leaders: string[] = [];
		if (next() < 0) {
			out.push(this.#joint('anchor', 'PhysicsFixedJoint', ['/robot', this.#links[0]!.path], worlds, ''));
		}
		this.#links.forEach(({ path, parent, name }) => {
			if (parent < 0) return;
			const kindOfJoint = this.#pick(['Revolute', 'Revolute', 'Prismatic', 'Spherical', 'Fixed']);
			// whether the scale of a body applies to distances that a joint slides is read in two ways: F2 says so and takes it to apply
			const isScaled = kindOfJoint === 'Prismatic' && !isRigid(worlds.get(this.#links[parent]!.path)!);
			const type = isScaled ? 'Revolute' : kindOfJoint;
			const isDriven = type === 'Revolute' || type === 'Prismatic';
			const kind = type === 'Revolute' ? 'angular' : 'linear';
			const own = JOINT_NAMES.get(name) ?? `joint_${name}`;
			let extra = isDriven
				? `uniform token physics:axis = "${this.#pick(['X', 'Y', 'Z'])}"
float physics:lowerLimit = ${-40 + 30 * next()}
float physics:upperLimit = ${40 + 30 * next()}
float drive:${kind}:physics:stiffness = ${2 + next()}
float drive:${kind}:physics:damping = ${1 + 0.5 * next()}
float drive:${kind}:physics:maxForce = ${10 + next()}
float drive:${kind}:physics:targetPosition = ${next()}
float physxJoint:maxJointVelocity = 100
`
				: '';
			const schemas = isDriven ? [`PhysicsDriveAPI:${kind}`] : [];
			if (type === 'Revolute' && leaders.length > 0 && next() < 0) {
				schemas.push('NewtonMimicAPI');
				extra += `rel newton:mimicJoint = <${leaders[0]}>\nfloat newton:mimicCoef0 = 5\nfloat newton:mimicCoef1 = -0.5\n`;
			} else if (type === 'Revolute') leaders.push(`/robot/${own}`);
			out.push(this.#joint(own, `Physics${type}Joint`, [this.#links[parent]!.path, path], worlds, extra, schemas));
		});
		const { path: last } = this.#links[LINKS - 1]!;
		out.push(this.#joint('tool_mount', 'PhysicsFixedJoint', [last, `${last}/tool`], worlds, ''));
		return out.join('');
	}

	#joint(
		name: string,
		type: string,
		bodies: readonly [string, string],
		worlds: ReadonlyMap<string, Float64Array>,
		extra: string,
		schemas: readonly string[] = [],
	): string {
		const anchor = Float64Array.of(this.#next(), this.#next(), this.#next());
		const sides = bodies.map((path, index) => {
			const world = worlds.get(path)!;
			const inverse = new Float64Array(16);
			mat4Invert(inverse, world);
			const at = mat4TransformPoint(new Float64Array(3), anchor, inverse);
			const q = new Float64Array(4);
			mat4ToTrs(new Float64Array(3), q, new Float64Array(3), world, new Float64Array(27));
			// joint frames lie as the world does
			const rotation = `(${q[3]}, ${-q[0]!}, ${-q[1]!}, ${-q[2]!})`;
			return `rel physics:body${index} = <${path}>\npoint3f physics:localPos${index} = (${at.join(', ')})\nquatf physics:localRot${index} = ${rotation}\n`;
		});
		const metadata = [
			...(schemas.length === 0 ? [] : [`prepend apiSchemas = [${schemas.map((item) => `"${item}"`).join(', ')}]`]),
			...(name === JOINT_NAMES.get('link_5') ? ['displayName = "link5-yaw"'] : []),
		];
		const applied = metadata.length === 0 ? '' : ` (\n${metadata.join('\n')}\n)`;
		return `def ${type} "${name}"${applied} {\n${sides.join('')}${extra}}\n`;
	}
}

/** A block of six quadrilaterals. */
const BLOCK = `point3f[] points = [(-0.1, -0.2, -0.3), (0.1, -0.2, -0.3), (0.1, 0.2, -0.3), (-0.1, 0.2, -0.3), (-0.1, -0.2, 0.3), (0.1, -0.2, 0.3), (0.1, 0.2, 0.3), (-0.1, 0.2, 0.3)]
int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
int[] faceVertexIndices = [0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 2, 3, 7, 6, 1, 2, 6, 5, 0, 4, 7, 3]`;

function worldMatrices(files: AssetFiles): Map<string, Float64Array> {
	const { layer, store } = openFiles(files, BROKEN_ENTRY);
	const stage = Stage.open(layer, { store });
	const cache = new XformCache();
	const worlds = new Map<string, Float64Array>();
	for (const prim of stage.traverse()) {
		if (prim.typeName === 'Xform') worlds.set(prim.path.toString(), cache.worldTransform(prim).slice());
	}
	return worlds;
}

function isRigid(world: Float64Array): boolean {
	return [0, 4, 8].every((row) => Math.abs(Math.hypot(...world.subarray(row, row + 3)) - 1) < 1e-9);
}

function encode(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
