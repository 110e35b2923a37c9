import { JointType, type Model, UNLIMITED } from '@manyworlds/model';
import type { Outcome } from '../../src/suite.ts';
import { finalizeAsGiven, type Robot } from './build-robot.ts';
import type { Dump, DumpJoint } from './dump.ts';
import { Findings } from './findings.ts';
import { rotationOf } from './index.ts';

/** What Pinocchio writes for a limit that a file does not give. */
const NO_LIMIT = 1e300;

/** Joints and lumped bodies after collapsing fixed joints, limits, and totals, against the dump. */
export function checkStructure(dump: Dump, robot: Robot): Outcome {
	const findings = new Findings();
	const total = robot.model.bodyMass.reduce((sum, mass) => sum + mass, 0);
	findings.closeRelative('total mass', [total], [dump.total_mass], 1e-12);
	const moving = dump.links.filter((link) => link.joint !== 'universe');
	const movingMass = moving.reduce((sum, link) => sum + robot.model.bodyMass[robot.bodies.get(link.name)!]!, 0);
	findings.closeRelative('moving mass', [movingMass], [dump.moving_mass], 1e-12);
	const coordinates = dump.joints.reduce((sum, joint) => sum + joint.nq, 0);
	if (coordinates !== dump.nq) findings.add(`the joints have ${coordinates} coordinates, the dump says ${dump.nq}`);
	if (robot.bodies.size !== dump.links.length)
		findings.add(`${robot.bodies.size} links, expected ${dump.links.length}`);

	robot.builder.collapseFixedJoints();
	const model = finalizeAsGiven(robot.builder);
	if (model.jointDofCount !== dump.nv) findings.add(`${model.jointDofCount} degrees of freedom, expected ${dump.nv}`);
	if (model.jointCount !== dump.joints.length)
		findings.add(`${model.jointCount} joints after the collapse, expected ${dump.joints.length}`);
	const movers = new Map(model.jointLabels.map((label, joint) => [label, joint]));
	for (const joint of dump.joints) checkJoint(joint, model, movers, dump, findings);
	return findings.outcome();
}

function checkJoint(
	golden: DumpJoint,
	model: Model,
	movers: ReadonlyMap<string, number>,
	dump: Dump,
	findings: Findings,
): void {
	const joint = movers.get(golden.name);
	if (joint === undefined) {
		findings.add(`joint '${golden.name}' is gone after the collapse`);
		return;
	}
	const where = `joint '${golden.name}'`;
	const body = model.jointChild[joint]!;
	const parent = model.jointParent[joint]!;
	const parentName = parent < 0 ? 'universe' : model.jointLabels[model.jointChild.indexOf(parent)]!;
	if (parentName !== golden.parent) findings.add(`${where} hangs on '${parentName}', expected '${golden.parent}'`);
	const type = typeOf(golden.type);
	if (model.jointType[joint] !== type)
		findings.add(`${where} has type ${model.jointType[joint]}, expected ${type} (${golden.type})`);
	findings.close(
		`${where} position`,
		model.jointXP.subarray(7 * joint, 7 * joint + 3),
		golden.placement_translation,
		1e-12,
	);
	findings.close(
		`${where} rotation`,
		rotationOf(model.jointXP, 7 * joint + 3),
		golden.placement_rotation.flat(),
		1e-12,
	);
	findings.closeRelative(`${where} mass`, [model.bodyMass[body]!], [golden.body.mass], 1e-12);
	findings.close(`${where} centre of mass`, model.bodyCom.subarray(3 * body, 3 * body + 3), golden.body.com, 1e-12);
	findings.closeRelative(
		`${where} inertia`,
		model.bodyInertia.subarray(9 * body, 9 * body + 9),
		golden.body.inertia_about_com.flat(),
		1e-11,
	);
	if (golden.nv === 1) checkLimits(golden, model, model.jointQdStart[joint]!, dump, findings, where);
}

function checkLimits(
	golden: DumpJoint,
	model: Model,
	dof: number,
	dump: Dump,
	findings: Findings,
	where: string,
): void {
	const compare = (what: string, actual: number, expected: number | string): void => {
		const number = Number(
			expected === 'inf' ? Number.POSITIVE_INFINITY : expected === '-inf' ? Number.NEGATIVE_INFINITY : expected,
		);
		if (Math.abs(number) > NO_LIMIT) return;
		findings.closeRelative(`${where} ${what}`, [actual], [number], 1e-12);
	};
	// a continuous joint has cos and sin as coordinates, limited by 1 there and unlimited here
	if (golden.nq === 1) {
		compare('lower limit', model.jointLimitLower[dof]!, dump.limits.lower[golden.idx_q]!);
		compare('upper limit', model.jointLimitUpper[dof]!, dump.limits.upper[golden.idx_q]!);
	} else if (model.jointLimitUpper[dof] !== UNLIMITED)
		findings.add(`${where} is limited to ${model.jointLimitUpper[dof]}, expected no limit`);
	compare('effort limit', model.jointEffortLimit[dof]!, dump.limits.effort[golden.idx_v]!);
	compare('velocity limit', model.jointVelocityLimit[dof]!, dump.limits.velocity[golden.idx_v]!);
	compare('damping', model.jointDamping[dof]!, dump.damping[golden.idx_v]!);
	compare('friction', model.jointFriction[dof]!, dump.friction[golden.idx_v]!);
}

function typeOf(name: string): number {
	if (name === 'JointModelFreeFlyer') return JointType.FREE;
	return /^JointModelP/.test(name) ? JointType.PRISMATIC : JointType.REVOLUTE;
}
