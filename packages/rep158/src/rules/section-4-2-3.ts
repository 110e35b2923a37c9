import { quote } from '@manyworlds/core';
import type { Path, Prim } from '@manyworlds/usd';
import { authoredText, collectionNames } from '@manyworlds/usd/internal';
import { readBool } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { type Controller, type ControllerRel, commandTargets, controllersOf } from './controllers.ts';
import { primsWith } from './schema-index.ts';
import type { Statement } from './statement.ts';

/** REP 4.2.3: controllers. */
export const SECTION_4_2_3: readonly Statement[] = [
	{ id: 'R4.2.3.1', section: '4.2.3', level: 'should', check: 'static', visit: checkPlacement },
	{ id: 'R4.2.3.2', section: '4.2.3', level: 'must', check: 'static', visit: checkTargets },
	{
		id: 'R4.2.3.3',
		section: '4.2.3',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/rules/section-4.test.ts',
	},
	{ id: 'R4.2.3.4', section: '4.2.3', level: 'must', check: 'static', visit: checkDrives },
	{ id: 'R4.2.3.5', section: '4.2.3', level: 'should', check: 'static', visit: checkKinematic },
	{ id: 'R4.2.3.6', section: '4.2.3', level: 'should not', check: 'static', visit: checkSimulatorTies },
	{ id: 'R4.2.3.7', section: '4.2.3', level: 'must', check: 'static', visit: checkConflicts },
];

function checkPlacement(context: CheckContext, report: Reporter): void {
	const { resolver } = RosView.of(context);
	for (const { prim, schema } of controllersOf(context)) {
		const body = context.bodyOf(prim);
		const robot = resolver.outermost(prim);
		const place = context.atSchema(prim, schema);
		if (prim.isA('PhysicsJoint')) {
			report.add(place, `${schema} is on the joint ${prim.path}, expected a logical prim of its own`);
		} else if (body !== undefined && (body.path === prim.path || robot?.path.hasPrefix(body.path) !== true)) {
			const where = body.path === prim.path ? 'on' : 'below';
			report.add(
				place,
				`${schema} of ${prim.path} is ${where} the link ${body.path}, expected a logical prim beside the links`,
			);
		}
	}
}

function checkTargets(context: CheckContext, report: Reporter): void {
	for (const controller of controllersOf(context)) {
		if (controller.rels.length === 0) {
			checkMarker(context, report, controller);
			continue;
		}
		for (const rel of controller.rels) checkRel(context, report, controller, rel);
	}
}

/** A marker says nothing about targets, so the prim itself must. */
function checkMarker(context: CheckContext, report: Reporter, { prim, schema }: Controller): void {
	if (collectionNames(prim).length > 0) return;
	const names = prim.authoredPropertyNames().filter((name) => prim.relationship(name).hasAuthoredTargets);
	if (names.length === 0) {
		report.add(
			context.atSchema(prim, schema),
			`the controller ${prim.path} has no targets, expected a relationship or a collection`,
		);
	}
	for (const name of names) {
		const missing = missingTarget(context, prim.relationship(name).targets());
		if (missing === undefined) continue;
		report.add(
			context.at(prim.relationship(name)),
			`${name} of ${prim.path} leads to ${missing}, which does not exist`,
		);
	}
}

function checkRel(context: CheckContext, report: Reporter, { prim, schema }: Controller, rel: ControllerRel): void {
	const relationship = prim.relationship(rel.name);
	const targets = relationship.forwardedTargets();
	if (targets.length === 0) {
		if (!rel.isRequired) return;
		const place = relationship.isAuthored ? context.at(relationship) : context.atSchema(prim, schema);
		report.add(place, `${rel.name} of ${prim.path} has no target, expected ${EXPECTED[rel.kind]}`, { key: rel.name });
		return;
	}
	const missing = missingTarget(context, targets);
	if (missing !== undefined) {
		report.add(context.at(relationship), `${rel.name} of ${prim.path} leads to ${missing}, which does not exist`);
		return;
	}
	const wrong = targets.map((path) => context.stage.prim(path.primPath)!).find((target) => !isKind(target, rel.kind));
	if (wrong === undefined) return;
	report.add(
		context.at(relationship),
		`${rel.name} of ${prim.path} leads to ${wrong.path}, expected ${EXPECTED[rel.kind]}`,
	);
}

const EXPECTED: Readonly<Record<ControllerRel['kind'], string>> = {
	twist: 'a subscription of geometry_msgs/msg/Twist',
	odometry: 'a publisher of nav_msgs/msg/Odometry',
	trajectory: 'a server of control_msgs/action/FollowJointTrajectory',
	jointState: 'a publisher of sensor_msgs/msg/JointState',
	joint: 'a joint',
	wheel: 'a revolute joint',
	body: 'a rigid body',
};

function isKind(prim: Prim, kind: ControllerRel['kind']): boolean {
	const isTopic = (role: string, types: readonly string[]): boolean =>
		prim.hasSchema('RosTopicAPI') &&
		authoredText(prim, 'ros:topic:role') === role &&
		types.includes(authoredText(prim, 'ros:topic:type') ?? '');
	switch (kind) {
		case 'twist':
			return isTopic('subscription', ['geometry_msgs/msg/Twist', 'geometry_msgs/msg/TwistStamped']);
		case 'odometry':
			return isTopic('publisher', ['nav_msgs/msg/Odometry']);
		case 'jointState':
			return isTopic('publisher', ['sensor_msgs/msg/JointState']);
		case 'trajectory':
			return (
				prim.hasSchema('RosActionAPI') &&
				authoredText(prim, 'ros:action:role') === 'server' &&
				authoredText(prim, 'ros:action:type') === 'control_msgs/action/FollowJointTrajectory'
			);
		case 'joint':
			return prim.isA('PhysicsJoint');
		case 'wheel':
			return prim.isA('PhysicsRevoluteJoint');
		case 'body':
			return prim.hasSchema('PhysicsRigidBodyAPI');
	}
}

function missingTarget(context: CheckContext, targets: readonly Path[]): Path | undefined {
	return targets.find((path) => context.stage.prim(path.primPath) === undefined);
}

function checkDrives(context: CheckContext, report: Reporter): void {
	const actuated = new Set<Path>();
	for (const prim of primsWith(context, 'ExtendedPhysicsActuatorAPI')) {
		for (const path of prim.relationship('ext_physics:actuator:targets').targets()) actuated.add(path);
	}
	for (const controller of controllersOf(context)) {
		for (const { rel, path } of commandTargets(controller)) {
			const joint = context.stage.prim(path.primPath);
			if (joint === undefined || !joint.isA('PhysicsJoint') || actuated.has(joint.path)) continue;
			if (joint.appliedSchemas.some((schema) => schema.startsWith('PhysicsDriveAPI:'))) continue;
			const relationship = controller.prim.relationship(rel.name);
			const message = `${controller.prim.path} moves ${joint.path}, which has no PhysicsDriveAPI: expected a drive to send targets to`;
			report.add(context.at(relationship), message, {
				key: joint.path.toString(),
				related: [{ place: context.at(joint), message: 'the joint' }],
			});
		}
	}
}

function checkKinematic(context: CheckContext, report: Reporter): void {
	for (const controller of controllersOf(context)) {
		for (const { rel, path } of commandTargets(controller)) {
			if (rel.kind !== 'body') continue;
			const body = context.stage.prim(path.primPath);
			if (body?.hasSchema('PhysicsRigidBodyAPI') !== true || readBool(body, 'physics:kinematicEnabled') === true)
				continue;
			const message = `${controller.prim.path} moves ${body.path} directly, which is dynamic: expected physics:kinematicEnabled = true`;
			report.add(context.at(controller.prim.relationship(rel.name)), message, {
				related: [{ place: context.at(body), message: 'the body' }],
			});
		}
	}
}

function checkSimulatorTies(context: CheckContext, report: Reporter): void {
	for (const { prim } of controllersOf(context)) {
		for (const name of prim.authoredPropertyNames()) {
			const text = authoredText(prim, name);
			if (text?.startsWith('simulation_interfaces/') === true) {
				report.add(
					context.at(prim.attribute(name)),
					`${name} of the controller ${prim.path} is ${quote(text)}, which is for the simulator`,
				);
				continue;
			}
			const tied = prim
				.relationship(name)
				.targets()
				.map((path) => context.stage.prim(path.primPath))
				.find((target) => target !== undefined && isSimulatorInterface(target));
			if (tied === undefined) continue;
			report.add(
				context.at(prim.relationship(name)),
				`${name} of the controller ${prim.path} leads to ${tied.path}, an interface of the simulator`,
			);
		}
	}
}

function isSimulatorInterface(prim: Prim): boolean {
	return ['topic', 'service', 'action'].some((kind) =>
		authoredText(prim, `ros:${kind}:type`)?.startsWith('simulation_interfaces/'),
	);
}

/** Controllers start enabled unless `control:starts_enabled` says otherwise (C13). */
function checkConflicts(context: CheckContext, report: Reporter): void {
	const owners = new Map<Path, Controller>();
	for (const controller of controllersOf(context)) {
		if (readBool(controller.prim, 'control:starts_enabled') === false) continue;
		const clash = new Map<Path, { rel: ControllerRel; path: Path }>();
		for (const target of commandTargets(controller)) {
			const owner = owners.get(target.path);
			if (owner === undefined) owners.set(target.path, controller);
			else if (owner.prim.path !== controller.prim.path && !clash.has(owner.prim.path))
				clash.set(owner.prim.path, target);
		}
		for (const [owner, { rel, path }] of clash) {
			const message = `${controller.prim.path} and ${owner} both move ${path} from the start, expected one with control:starts_enabled = false`;
			report.add(context.at(controller.prim.relationship(rel.name)), message, { key: owner.toString() });
		}
	}
}
