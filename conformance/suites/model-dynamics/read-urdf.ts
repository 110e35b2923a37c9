import { readFileSync } from 'node:fs';
import { Report } from '@manyworlds/core';
import { readXml, type XmlElement } from '@manyworlds/core/internal';

/** A link: its mass properties in its own frame. */
export interface UrdfLink {
	readonly name: string;
	readonly mass: number;
	readonly com: readonly number[];
	/** Roll, pitch, yaw of the axes of the inertia. */
	readonly rpy: readonly number[];
	/** xx xy xz yy yz zz */
	readonly inertia: readonly number[];
}

/** A joint, with the numbers that the dynamics need. */
export interface UrdfJoint {
	readonly name: string;
	readonly type: string;
	readonly parent: string;
	readonly child: string;
	readonly xyz: readonly number[];
	readonly rpy: readonly number[];
	readonly axis: readonly number[];
	/** Undefined where the file gives none. */
	readonly lower: number | undefined;
	readonly upper: number | undefined;
	readonly effort: number | undefined;
	readonly velocity: number | undefined;
	readonly damping: number;
	readonly friction: number;
}

export interface UrdfTree {
	readonly links: ReadonlyMap<string, UrdfLink>;
	readonly joints: readonly UrdfJoint[];
	readonly root: string;
}

/** The kinematic tree of a URDF file: just what the dynamics suite compares, nothing else of the format. */
export function readUrdf(path: string): UrdfTree {
	const report = new Report();
	const robot = readXml(readFileSync(path), { file: path, report }).root;
	if (robot === undefined || report.hasErrors) throw new Error(`${path} is not well-formed XML`);
	const links = new Map(robot.childrenNamed('link').map((element) => [text(element, 'name'), readLink(element)]));
	const joints = robot
		.childrenNamed('joint')
		.filter((element) => element.children.some((part) => part.name === 'parent'))
		.map(readJoint);
	const moved = new Set(joints.map((joint) => joint.child));
	const roots = [...links.keys()].filter((name) => !moved.has(name));
	if (roots.length !== 1) throw new Error(`${path} has ${roots.length} root links`);
	return { links, joints, root: roots[0]! };
}

function readLink(element: XmlElement): UrdfLink {
	const inertial = element.child('inertial');
	const origin = inertial?.child('origin');
	const tensor = inertial?.child('inertia');
	const entry = (name: string): number => Number(tensor?.get(name) ?? 0);
	return {
		name: text(element, 'name'),
		mass: Number(inertial?.child('mass')?.get('value') ?? 0),
		com: numbers(origin, 'xyz'),
		rpy: numbers(origin, 'rpy'),
		inertia: ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'].map(entry),
	};
}

function readJoint(element: XmlElement): UrdfJoint {
	const origin = element.child('origin');
	const limit = element.child('limit');
	const dynamics = element.child('dynamics');
	const bound = (name: string): number | undefined => {
		const value = limit?.get(name);
		return value === undefined ? undefined : Number(value);
	};
	return {
		name: text(element, 'name'),
		type: text(element, 'type'),
		parent: text(element.child('parent'), 'link'),
		child: text(element.child('child'), 'link'),
		xyz: numbers(origin, 'xyz'),
		rpy: numbers(origin, 'rpy'),
		axis: element.child('axis') === undefined ? [1, 0, 0] : numbers(element.child('axis'), 'xyz'),
		lower: bound('lower'),
		upper: bound('upper'),
		effort: bound('effort'),
		velocity: bound('velocity'),
		damping: Number(dynamics?.get('damping') ?? 0),
		friction: Number(dynamics?.get('friction') ?? 0),
	};
}

function text(element: XmlElement | undefined, name: string): string {
	return element?.get(name) ?? '';
}

function numbers(element: XmlElement | undefined, name: string): number[] {
	const value = element?.get(name)?.trim();
	return value === undefined || value === '' ? [0, 0, 0] : value.split(/\s+/).map(Number);
}
