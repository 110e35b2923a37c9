import { mat3FromQuat, mat3RotateTensor, quatMultiply } from '@manyworlds/core/internal';
import { type Model, ModelBuilder } from '@manyworlds/model';
import type { UrdfJoint, UrdfLink, UrdfTree } from './read-urdf.ts';

/** A model of a robot, with its bodies and joints by the names of links and joints. */
export interface Robot {
	readonly builder: ModelBuilder;
	readonly model: Model;
	readonly bodies: ReadonlyMap<string, number>;
	/** The root joint is called `root_joint`. */
	readonly joints: ReadonlyMap<string, number>;
}

/** Every link a body, every joint a joint, fixed ones included; the root floats or is fixed to the world. */
export function buildRobot(tree: UrdfTree, floats: boolean, gravity: readonly number[]): Robot {
	const builder = new ModelBuilder({ gravity });
	const bodies = new Map<string, number>();
	const joints = new Map<string, number>();
	const below = new Map<string, UrdfJoint[]>();
	for (const joint of tree.joints) below.set(joint.parent, [...(below.get(joint.parent) ?? []), joint]);
	const addLink = (name: string): number => {
		const body = builder.addLink({ ...massProperties(tree.links.get(name)!), label: name, lockInertia: true });
		bodies.set(name, body);
		return body;
	};
	const root = addLink(tree.root);
	const label = 'root_joint';
	joints.set(
		label,
		floats ? builder.addJointFree({ child: root, label }) : builder.addJointFixed({ child: root, label }),
	);
	const stack = [tree.root];
	for (let link = stack.pop(); link !== undefined; link = stack.pop()) {
		for (const joint of below.get(link) ?? []) {
			const child = addLink(joint.child);
			joints.set(joint.name, addJoint(builder, joint, bodies.get(link)!, child));
			stack.push(joint.child);
		}
	}
	builder.addArticulation([...joints.values()], { label: 'robot' });
	return { builder, model: finalizeAsGiven(builder), bodies, joints };
}

/** Inertias are compared as the files give them, also where they are not physical. */
export function finalizeAsGiven(builder: ModelBuilder): Model {
	return builder.finalize({ keepInertia: true });
}

function addJoint(builder: ModelBuilder, joint: UrdfJoint, parent: number, child: number): number {
	const shared = {
		parent,
		child,
		label: joint.name,
		parentXform: { p: joint.xyz, q: quatFromRpy(joint.rpy) },
	};
	if (joint.type === 'fixed') return builder.addJointFixed(shared);
	const isUnlimited = joint.type === 'continuous';
	const axis = {
		axis: joint.axis,
		// limits that a file leaves out are zero
		...(!isUnlimited && { limitLower: joint.lower ?? 0, limitUpper: joint.upper ?? 0 }),
		damping: joint.damping,
		friction: joint.friction,
		...(joint.effort !== undefined && { effortLimit: joint.effort }),
		...(joint.velocity !== undefined && { velocityLimit: joint.velocity }),
	};
	if (joint.type === 'prismatic') return builder.addJointPrismatic({ ...shared, ...axis });
	if (joint.type === 'revolute' || isUnlimited) return builder.addJointRevolute({ ...shared, ...axis });
	if (joint.type === 'floating') return builder.addJointFree(shared);
	throw new Error(`joint '${joint.name}' has the type '${joint.type}'`);
}

function massProperties(link: UrdfLink): { mass: number; com: readonly number[]; inertia: Float64Array } {
	const [xx, xy, xz, yy, yz, zz] = link.inertia as [number, number, number, number, number, number];
	const tensor = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
	const rotation = mat3FromQuat(new Float64Array(9), Float64Array.from(quatFromRpy(link.rpy)));
	const inertia = mat3RotateTensor(new Float64Array(9), tensor, rotation);
	return { mass: link.mass, com: link.com, inertia };
}

/** Turns about the fixed axes x, y, z: qZ · qY · qX. */
export function quatFromRpy(rpy: readonly number[]): number[] {
	const out = Float64Array.of(0, 0, 0, 1);
	for (const axis of [2, 1, 0]) {
		const turn = new Float64Array(4);
		turn[axis] = Math.sin(rpy[axis]! / 2);
		turn[3] = Math.cos(rpy[axis]! / 2);
		quatMultiply(out, out, turn);
	}
	return Array.from(out);
}
