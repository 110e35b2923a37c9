import type { Model } from '@manyworlds/model';
import { expectedNumbers } from './compare-numbers.ts';
import { type ExpectedModel, fields } from './expected-model.ts';

/** Numbers of entities of a model, by Newton's names. */
export function counts(model: Model): Readonly<Record<string, number>> {
	return {
		articulation_count: model.articulationCount,
		body_count: model.bodyCount,
		constraint_mimic_count: model.constraintMimicCount,
		edge_count: model.edgeCount,
		gaussians_count: 0,
		heightfield_count: model.shapeSources.filter((source) => source !== null && 'hx' in source).length,
		joint_constraint_count: model.jointConstraintCount,
		joint_coord_count: model.jointCoordCount,
		joint_count: model.jointCount,
		joint_dof_count: model.jointDofCount,
		muscle_count: 0,
		particle_count: model.particleCount,
		shape_contact_pair_count: model.shapeContactPairCount,
		shape_count: model.shapeCount,
		spring_count: model.springCount,
		tet_count: model.tetCount,
		tri_count: model.triCount,
		world_count: model.worldCount,
	};
}

/** Settings of a model, by Newton's names. */
export function scalars(model: Model): Readonly<Record<string, number | string>> {
	return {
		max_dofs_per_articulation: model.maxDofsPerArticulation,
		max_joints_per_articulation: model.maxJointsPerArticulation,
		particle_adhesion: model.settings.particleAdhesion,
		particle_cohesion: model.settings.particleCohesion,
		particle_kd: model.settings.particleKd,
		particle_ke: model.settings.particleKe,
		particle_kf: model.settings.particleKf,
		particle_max_radius: model.particleMaxRadius,
		particle_max_velocity: model.settings.particleMaxVelocity,
		particle_mu: model.settings.particleMu,
		rigid_contact_max: model.rigidContactMax,
		soft_contact_kd: model.settings.softContactKd,
		soft_contact_ke: model.settings.softContactKe,
		soft_contact_kf: model.settings.softContactKf,
		soft_contact_mu: model.settings.softContactMu,
		soft_contact_restitution: model.settings.softContactRestitution,
		up_axis: model.upAxis.toUpperCase(),
	};
}

/** Newton's rows: worlds, then global entities; one row without worlds. */
export function gravityRows(model: Model, count: number): number[] {
	const all = [...model.gravity, ...model.globalGravity];
	return count === 3 ? all.slice(0, 3) : all;
}

/** What Newton takes for that joint: the last one that moves the parent body, loop or not (joint-ancestor). */
export function lastAncestors(expected: ExpectedModel): number[] {
	const children = expectedNumbers(expected.arrays.joint_child!);
	return expectedNumbers(expected.arrays.joint_parent!).map((parent) =>
		parent < 0 ? -1 : children.lastIndexOf(parent),
	);
}

/** The joint of an articulation that moves the parent body; joints that close loops move nothing. */
export function treeAncestors(expected: ExpectedModel): number[] {
	const column = (name: string): number[] => expectedNumbers(expected.arrays[name]!);
	const [parents, children, articulations] = [
		column('joint_parent'),
		column('joint_child'),
		column('joint_articulation'),
	];
	return parents.map((parent) => {
		if (parent < 0) return -1;
		const movers = [...children.keys()].filter((joint) => children[joint] === parent);
		return movers.find((joint) => articulations[joint]! >= 0) ?? movers[0] ?? -1;
	});
}

/** The first difference between two lists of texts. */
export function textDifference(
	where: string,
	actual: readonly string[],
	expected: readonly string[],
): string | undefined {
	if (actual.length !== expected.length) return `${where}: ${actual.length}, expected ${expected.length}`;
	const at = actual.findIndex((text, i) => text !== expected[i]);
	return at < 0 ? undefined : `${where}[${at}] is '${actual[at]}', expected '${expected[at]}'`;
}

/** Where the labels of a model differ from those that are expected, by entity. */
export function labelDifferences(model: Model, expected: ExpectedModel['labels']): (string | undefined)[] {
	const labels: Readonly<Record<string, readonly string[]>> = {
		articulation: model.articulationLabels,
		body: model.bodyLabels,
		constraint_mimic: model.constraintMimicLabels,
		joint: model.jointLabels,
		shape: model.shapeLabels,
	};
	return Object.entries(fields(expected, 'labels', Object.keys(labels))).map(([entity, names]) =>
		textDifference(`labels of ${entity}`, labels[entity]!, names as string[]),
	);
}
