import type { Report } from '@manyworlds/core';
import { createMjcf, type MjcfDocument, type MjcfElement } from '@manyworlds/formats';
import type { Model } from '@manyworlds/model';
import type { ConvertSettings, ResolvedOptions } from '../solver-options.ts';
import type { JointPlan } from './joint-plan.ts';
import type { MujocoAttributes } from './mujoco-attributes.ts';
import type { ShapePlan } from './shape-plan.ts';
import type { ElementSubjects } from './subject.ts';
import type { TemplateWorld } from './template-world.ts';

/** What the steps of a conversion share: the model, the document that grows, and the names given so far. */
export interface Conversion {
	readonly model: Model;
	readonly options: ConvertSettings;
	readonly resolved: ResolvedOptions;
	readonly attributes: MujocoAttributes;
	readonly template: TemplateWorld;
	readonly plan: JointPlan;
	readonly shapes: ShapePlan;
	readonly report: Report;
	/** Body elements by body of the model; -1 is the world body. */
	readonly bodyElements: Map<number, MjcfElement>;
	readonly bodyNames: Map<number, string>;
	/** Name of a joint; of its first axis' prefix when it has several. */
	readonly jointNames: Map<number, string>;
	/** Name of the MuJoCo joint that moves a degree of freedom. */
	readonly dofNames: Map<number, string>;
	readonly geomNames: Map<number, string>;
	readonly siteNames: Map<number, string>;
	/** Tendons in order: row of the model and name. */
	readonly tendons: { readonly row: number; readonly name: string }[];
	/** Rows of the contact pairs in order. */
	readonly pairRows: number[];
	readonly equalities: EqualitySource[];
	readonly actuators: ActuatorSource[];
	/** Files that the document refers to. */
	readonly files: Map<string, Uint8Array>;
	readonly sections: MjcfSections;
	readonly subjects: ElementSubjects;
	/** Whether contact margins are not forwarded. */
	readonly zeroMargins: boolean;
	/** Bodies that are compiled so that any inertia can be written to them later. */
	readonly generalBodies: ReadonlySet<number>;
}

/** Where a MuJoCo equality comes from. */
export interface EqualitySource {
	readonly kind: 'equality' | 'joint' | 'mimic' | 'tendon';
	/** Row of the model; the loop joint for `joint`. */
	readonly index: number;
	/** Anchor of a connect made from a loop joint lies along the hinge axis instead of at the joint. */
	readonly isAxisPoint?: boolean;
}

/** Where the control of a MuJoCo actuator comes from. */
export interface ActuatorSource {
	/** 0 joint target, 1 row of `mujoco:ctrl`. */
	readonly source: 0 | 1;
	/** Targets: degree of freedom >= 0 for positions, -(dof + 2) for velocities. Direct: row. */
	readonly index: number;
	/** Coordinate of the target; of the current rotation for the velocity of a ball; -1 for none. */
	readonly coordinate: number;
	/** Component of a ball's rotation vector, -1 for scalars. */
	readonly axis: number;
	/** Ball joint, -1 for scalars. */
	readonly ballJoint: number;
	/** Row of the namespace that the actuator was imported with, -1 for none. */
	readonly row: number;
}

/** Sections of the document in the order in which they are written. */
export class MjcfSections {
	readonly document: MjcfDocument = createMjcf();
	readonly root: MjcfElement = this.document.root!;
	readonly compiler: MjcfElement = this.root.add('compiler');
	readonly option: MjcfElement = this.root.add('option');
	readonly size: MjcfElement = this.root.add('size');
	readonly asset: MjcfElement = this.root.add('asset');
	readonly worldbody: MjcfElement = this.root.add('worldbody');
	readonly contact: MjcfElement = this.root.add('contact');
	readonly equality: MjcfElement = this.root.add('equality');
	readonly tendon: MjcfElement = this.root.add('tendon');
	readonly actuator: MjcfElement = this.root.add('actuator');
}

/** `[p, q]` of a transform as MJCF attributes; MuJoCo's quaternions are w x y z. */
export function poseAttributes(transform: ArrayLike<number>, offset: number = 0): { pos: number[]; quat: number[] } {
	return {
		pos: [transform[offset]!, transform[offset + 1]!, transform[offset + 2]!],
		quat: [transform[offset + 6]!, transform[offset + 3]!, transform[offset + 4]!, transform[offset + 5]!],
	};
}
