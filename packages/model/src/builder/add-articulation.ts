import { describe, ModelError } from '../model-error.ts';
import { checkKinematicRoot } from './add-joint.ts';
import type { AttributeAssignments } from './attribute-set.ts';
import type { BuilderCore } from './builder-core.ts';

/** An articulation. @public */
export interface ArticulationOptions {
	readonly label?: string;
	readonly attributes?: AttributeAssignments;
}

/** Makes a tree of consecutive joints one articulation. */
export function addArticulation(core: BuilderCore, joints: readonly number[], options: ArticulationOptions): number {
	const { tables, attributes, currentWorld } = core;
	checkMembers(core, joints, options.label);
	attributes.check('articulation', options.attributes);
	const articulation = tables.addRows('articulation');
	tables.set('articulationStart', articulation, joints[0]!);
	tables.set('articulationEnd', articulation, joints[joints.length - 1]! + 1);
	tables.set('articulationWorld', articulation, currentWorld);
	tables.labels.articulation.push(options.label || `articulation_${articulation}`);
	for (const joint of joints) tables.set('jointArticulation', joint, articulation);
	attributes.assign('articulation', articulation, options.attributes);
	return articulation;
}

/** Throws for a joint that does not exist or is in another world than the open one. */
export function checkJoint(core: BuilderCore, role: string, joint: number): void {
	checkJointIndex(core, role, joint);
	const world = core.tables.get('jointWorld', joint);
	if (world === core.currentWorld) return;
	const label = core.label('joint', joint);
	throw new ModelError(
		'MODEL006',
		`${role} ${describe('joint', joint, label)} is in world ${world}, expected world ${core.currentWorld}`,
		{ kind: 'joint', index: joint, label },
	);
}

function checkJointIndex(core: BuilderCore, role: string, joint: number): void {
	const count = core.tables.counts.joint;
	if (Number.isInteger(joint) && joint >= 0 && joint < count) return;
	throw new ModelError('MODEL004', `${role} is joint ${joint}, expected 0 to ${count - 1}`, {
		kind: 'joint',
		index: joint,
	});
}

function checkMembers(core: BuilderCore, joints: readonly number[], label: string | undefined): void {
	const { tables } = core;
	const fault = (code: 'MODEL012' | 'MODEL017', message: string): ModelError =>
		new ModelError(code, message, { kind: 'articulation', ...(label ? { label } : {}) });
	if (joints.length === 0) throw fault('MODEL012', 'an articulation has no joints, expected at least one');
	for (let i = 1; i < joints.length; i++) {
		if (joints[i] === joints[i - 1]! + 1) continue;
		throw fault(
			'MODEL012',
			`joints [${joints.join(', ')}] of an articulation are not consecutive and ascending: add all joints of one before those of another`,
		);
	}
	const parents = new Map<number, number>();
	for (const joint of joints) {
		checkJointIndex(core, 'member', joint);
		const owner = tables.get('jointArticulation', joint);
		if (owner >= 0) {
			const name = describe('joint', joint, core.label('joint', joint));
			throw fault(
				'MODEL012',
				`${name} belongs to ${describe('articulation', owner, core.label('articulation', owner))} already`,
			);
		}
		checkJoint(core, 'member', joint);
		const child = tables.get('jointChild', joint);
		const parent = tables.get('jointParent', joint);
		if ((parents.get(child) ?? parent) !== parent) {
			const name = describe('body', child, core.label('body', child));
			throw fault(
				'MODEL012',
				`${name} has two parents in the articulation, ${parents.get(child)} and ${parent}: leave the joint that closes the loop out of it`,
			);
		}
		parents.set(child, parent);
		checkKinematicRoot(core, joint);
	}
	const looped = bodyOnCycle(parents);
	if (looped === undefined) return;
	const name = describe('body', looped, core.label('body', looped));
	throw fault(
		'MODEL017',
		`${name} hangs on itself through the joints of the articulation: leave the joint that closes the cycle out of it`,
	);
}

/** A body that its own parents lead back to. */
function bodyOnCycle(parents: ReadonlyMap<number, number>): number | undefined {
	const seen = new Map<number, number>();
	for (const start of parents.keys()) {
		for (let body: number | undefined = start; body !== undefined && body >= 0; body = parents.get(body)) {
			const walk = seen.get(body);
			if (walk === start) return body;
			if (walk !== undefined) break;
			seen.set(body, start);
		}
	}
	return undefined;
}
