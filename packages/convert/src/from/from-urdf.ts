import { quote, Report } from '@manyworlds/core';
import {
	readUrdf,
	type UrdfGeometry,
	type UrdfGeometryGroup,
	type UrdfInertial,
	type UrdfJoint,
	type UrdfLink,
	type UrdfMaterial,
	type UrdfPose,
	type UrdfRobot,
} from '@manyworlds/formats';
import type { AssetStore } from '@manyworlds/usd';
import { createDiagnostic } from '../diagnostics.ts';
import { toLinear } from '../model/colour.ts';
import type {
	BodyInertia,
	ConversionBody,
	ConversionGeometry,
	ConversionJoint,
	ConversionMaterial,
	ConversionMimic,
	ConversionModel,
	ConversionShape,
	JointFreedom,
	JointKind,
	ShapeRole,
} from '../model/conversion-model.ts';
import { compose, identityPose, quatOfRpy } from '../model/pose.ts';
import { rotateTensor } from '../model/tensor.ts';
import { MeshFiles } from './mesh-files.ts';
import { orderJoints } from './order-joints.ts';
import { urdfExtras } from './urdf-extras.ts';

/** Reads a URDF robot with its meshes; undefined when there is none, which the report says. */
export function fromUrdf(
	source: Uint8Array | string,
	file: string,
	store: AssetStore,
	report: Report,
): ConversionModel | undefined {
	const found = new Report();
	const { robot } = readUrdf(source, { file, report: found });
	// elements that URDF does not know are entries, of which the ledger tells
	for (const one of found.toArray()) if (one.code !== 'URDF008') report.add(one);
	if (robot === undefined || robot.links.length === 0) return undefined;
	return new UrdfFront(robot, file, store, report).read();
}

class UrdfFront {
	readonly #robot: UrdfRobot;
	readonly #report: Report;
	readonly #meshes: MeshFiles;
	readonly #materials: ConversionMaterial[] = [];
	readonly #named = new Map<string, number>();

	constructor(robot: UrdfRobot, file: string, store: AssetStore, report: Report) {
		this.#robot = robot;
		this.#report = report;
		this.#meshes = new MeshFiles(store, file, report);
	}

	read(): ConversionModel {
		const robot = this.#robot;
		for (const material of robot.materials) this.#material(material);
		const world = this.#worldLink();
		const links = robot.links.filter((link) => link !== world);
		const indexOf = new Map(links.map((link, i) => [link.name, i]));
		const ends = (name: string): number => indexOf.get(name) ?? -1;
		const all = robot.joints.map((joint) => this.#joint(joint, ends(joint.parent), ends(joint.child)));
		const { joints, loops } = orderJoints(links.length, all);
		for (const loop of loops) {
			const message = `joint ${quote(loop.name)} leads to a link that another joint holds already, it closes a loop`;
			this.#report.add(createDiagnostic('CNV004', message, loop.from));
		}
		const poses = links.map(identityPose);
		for (const { parent, child, parentFrame } of joints) {
			poses[child] = parent < 0 ? parentFrame : compose(poses[parent]!, parentFrame);
		}
		return {
			name: robot.name ?? 'robot',
			format: 'urdf',
			bodies: links.map((link, i) => this.#body(link, poses[i]!)),
			joints,
			loops,
			mimics: this.#mimics(joints),
			frames: [],
			shapes: links.flatMap((link, i) => [
				...this.#shapes(link.visuals, 'visual', i),
				...this.#shapes(link.collisions, 'collision', i),
			]),
			meshes: this.#meshes.meshes,
			materials: this.#materials,
			filters: [],
			lights: [],
			interfaces: [],
			...urdfExtras(robot, { body: (name) => indexOf.get(name), joints }, this.#report),
		};
	}

	/** A root link `world` without anything in it stands for the world. */
	#worldLink(): UrdfLink | undefined {
		const held = new Set(this.#robot.joints.map(({ child }) => child));
		return this.#robot.links.find(
			({ name, inertial, visuals, collisions }) =>
				name === 'world' &&
				!held.has(name) &&
				inertial === undefined &&
				visuals.length + collisions.length === 0 &&
				this.#robot.links.length > 1,
		);
	}

	#body(link: UrdfLink, pose: Float64Array): ConversionBody {
		return { name: link.name, inertia: inertiaOf(link.inertial), pose, from: link.element.location };
	}

	#joint(joint: UrdfJoint, parent: number, child: number): ConversionJoint {
		return {
			name: joint.name,
			kind: KINDS[joint.type],
			parent,
			child,
			parentFrame: poseOf(joint.origin),
			childFrame: identityPose(),
			freedoms: freedomsOf(joint),
			from: joint.element.location,
		};
	}

	#mimics(joints: readonly ConversionJoint[]): ConversionMimic[] {
		const indexOf = new Map(joints.map((joint, i) => [joint.name, i]));
		return this.#robot.joints.flatMap(({ name, mimic }) => {
			const follower = indexOf.get(name);
			if (mimic === undefined || follower === undefined) return [];
			const leader = indexOf.get(mimic.joint);
			if (leader === undefined) {
				const message = `joint ${quote(name)} follows ${quote(mimic.joint)}, expected a joint of the robot`;
				this.#report.add(createDiagnostic('CNV007', message, mimic.element.location));
				return [];
			}
			const { multiplier, offset } = mimic;
			return [{ follower, leader, multiplier, offset, from: mimic.element.location }];
		});
	}

	#shapes(groups: readonly UrdfGeometryGroup[], role: ShapeRole, body: number): ConversionShape[] {
		return groups.flatMap(({ name, origin, geometries, material, element }) =>
			geometries.flatMap((geometry) => {
				const own = this.#geometry(geometry);
				if (own === undefined) return [];
				const look = role === 'visual' && material !== undefined ? this.#material(material) : undefined;
				return [
					{
						name: name ?? '',
						role,
						body,
						pose: poseOf(origin),
						geometry: own,
						...(look === undefined ? {} : { material: look }),
						from: element.location,
					},
				];
			}),
		);
	}

	#geometry(geometry: UrdfGeometry): ConversionGeometry | undefined {
		switch (geometry.type) {
			case 'box':
				return { kind: 'box', size: geometry.size };
			case 'sphere':
				return { kind: 'sphere', radius: geometry.radius };
			case 'mesh': {
				const mesh = this.#meshes.load(geometry.filename, geometry.element.location);
				return mesh === undefined ? undefined : { kind: 'mesh', mesh, scale: geometry.scale };
			}
			default:
				return { kind: geometry.type, radius: geometry.radius, length: geometry.length };
		}
	}

	/** Index of the look that a material means: one that it defines, or one of that name. */
	#material(material: UrdfMaterial): number | undefined {
		const { name, rgba, texture, textureElement, element } = material;
		const image =
			texture === undefined || textureElement === undefined
				? undefined
				: this.#meshes.find(texture, textureElement.location);
		if (rgba === undefined && image === undefined) return name === undefined ? undefined : this.#named.get(name);
		const index = this.#materials.length;
		const [r = 1, g = 1, b = 1, a = 1] = rgba ?? [];
		this.#materials.push({
			name: name ?? 'material',
			color: [toLinear(r), toLinear(g), toLinear(b)],
			opacity: a,
			metallic: 0,
			roughness: 0.5,
			...(image === undefined ? {} : { texture: image }),
			from: element.location,
		});
		if (name !== undefined && !this.#named.has(name)) this.#named.set(name, index);
		return index;
	}
}

const KINDS: Readonly<Record<UrdfJoint['type'], JointKind>> = {
	revolute: 'revolute',
	continuous: 'revolute',
	prismatic: 'prismatic',
	fixed: 'fixed',
	floating: 'floating',
	planar: 'planar',
};

function freedomsOf(joint: UrdfJoint): JointFreedom[] {
	const { type, limit, dynamics } = joint;
	if (type === 'fixed' || type === 'floating') return [];
	const [x, y, z] = joint.axis;
	const length = Math.hypot(x, y, z);
	const isLimited = type === 'revolute' || type === 'prismatic';
	const freedom: JointFreedom = {
		motion: type === 'prismatic' ? 'slide' : 'turn',
		axis: [x / length, y / length, z / length],
		// without numbers URDF means 0, which locks the joint
		lower: isLimited ? (limit?.lower ?? 0) : Number.NEGATIVE_INFINITY,
		upper: isLimited ? (limit?.upper ?? 0) : Number.POSITIVE_INFINITY,
		...(limit?.effort === undefined ? {} : { effort: limit.effort }),
		...(limit?.velocity === undefined ? {} : { velocity: limit.velocity }),
		...(dynamics?.damping === undefined ? {} : { damping: dynamics.damping }),
		...(dynamics?.friction === undefined ? {} : { friction: dynamics.friction }),
		start: 0,
	};
	return [freedom];
}

function inertiaOf(inertial: UrdfInertial | undefined): BodyInertia | undefined {
	if (inertial?.mass === undefined) return undefined;
	const [ixx = 0, ixy = 0, ixz = 0, iyy = 0, iyz = 0, izz = 0] = inertial.inertia ?? [];
	const { xyz } = inertial.origin;
	return {
		mass: inertial.mass,
		center: [xyz[0], xyz[1], xyz[2]],
		tensor: rotateTensor([ixx, iyy, izz, ixy, ixz, iyz], poseOf(inertial.origin)),
	};
}

function poseOf({ xyz, rpy }: UrdfPose): Float64Array {
	return Float64Array.of(...xyz, ...quatOfRpy(...rpy));
}
