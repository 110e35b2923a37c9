import type { Path, Prim } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';

/** What a relationship of a controller must lead to. */
export type TargetKind = 'twist' | 'odometry' | 'trajectory' | 'jointState' | 'joint' | 'wheel' | 'body';

/** A relationship of a controller schema. */
export interface ControllerRel {
	readonly name: string;
	readonly kind: TargetKind;
	/** Whether the controller moves what it leads to. */
	readonly isCommand: boolean;
	readonly isRequired: boolean;
}

/** The controller schemas with their relationships (REP 0158 §4.2.3). */
const CONTROLLERS: Readonly<Record<string, readonly ControllerRel[]>> = {
	RosControlRigidBodyTwistAPI: [
		{ name: 'ros:rigid_body_twist:subscriber', kind: 'twist', isCommand: false, isRequired: true },
		{ name: 'ros:rigid_body_twist:body', kind: 'body', isCommand: true, isRequired: true },
	],
	RosControlDiffDriveAPI: [
		{ name: 'ros:diff_drive:subscriber', kind: 'twist', isCommand: false, isRequired: true },
		{ name: 'ros:diff_drive:odom', kind: 'odometry', isCommand: false, isRequired: false },
		{ name: 'ros:diff_drive:left_wheels', kind: 'wheel', isCommand: true, isRequired: true },
		{ name: 'ros:diff_drive:right_wheels', kind: 'wheel', isCommand: true, isRequired: true },
	],
	RosControlJointTrajectoryAPI: [
		{ name: 'ros:joint_trajectory:server', kind: 'trajectory', isCommand: false, isRequired: true },
		{ name: 'ros:joint_trajectory:command_joints', kind: 'joint', isCommand: true, isRequired: true },
	],
	RosControlJointStateBroadcasterAPI: [
		{ name: 'ros:joint_state_broadcaster:publisher', kind: 'jointState', isCommand: false, isRequired: true },
		{ name: 'ros:joint_state_broadcaster:joints', kind: 'joint', isCommand: false, isRequired: true },
	],
};

/** Schemas that only mark a prim as a controller. */
const MARKERS: readonly string[] = ['RosControlExternalAPI', 'RosControlIntegratedAPI'];

/** A controller of an asset. */
export interface Controller {
	readonly prim: Prim;
	readonly schema: string;
	/** Its relationships; none for a marker, whose targets are its own. */
	readonly rels: readonly ControllerRel[];
}

/** The controllers of an asset, in the order of the stage. */
export function controllersOf(context: CheckContext): Controller[] {
	const found: Controller[] = [];
	for (const prim of context.lists.ros) {
		const schemas = Object.keys(CONTROLLERS).filter((schema) => prim.hasSchema(schema));
		for (const schema of schemas) found.push({ prim, schema, rels: CONTROLLERS[schema]! });
		if (schemas.length > 0) continue;
		const marker = MARKERS.find((schema) => prim.hasSchema(schema));
		if (marker !== undefined) found.push({ prim, schema: marker, rels: [] });
	}
	return found;
}

/** What a controller moves: the paths and the relationship that leads there. */
export function commandTargets({ prim, rels }: Controller): { rel: ControllerRel; path: Path }[] {
	return rels
		.filter(({ isCommand }) => isCommand)
		.flatMap((rel) =>
			prim
				.relationship(rel.name)
				.forwardedTargets()
				.map((path) => ({ rel, path })),
		);
}
