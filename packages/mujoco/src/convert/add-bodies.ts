import { quatRotate, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { MjcfElement } from '@manyworlds/formats';
import { BodyFlags, JointTargetMode, JointType, UNLIMITED, WORLD } from '@manyworlds/model';
import { enumName } from '@manyworlds/model/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { MujocoError } from '../mujoco-error.ts';
import { addGeoms } from './add-geoms.ts';
import { addTargetActuators } from './add-target-actuators.ts';
import { type Conversion, poseAttributes } from './conversion.ts';
import { isFreeJoint } from './free-joint.ts';
import { raisedPlate } from './plain-inertia.ts';
import type { ShapePlan } from './shape-plan.ts';
import { SolrefMode } from './solref.ts';
import { about, nameOf, standFor, subjectOf } from './subject.ts';
import { UniqueNames } from './unique-names.ts';
import { copiedAttributes } from './value-table.ts';

/** Armature that holds the coordinates of a kinematic body against any force [kg, kg·m²]. */
export const KINEMATIC_ARMATURE = 1e10;

/** Adds the bodies of the template world with their joints, geoms, sites and the actuators of joint targets. */
export function addBodies(conversion: Conversion, shapes: ShapePlan): void {
	const { model, plan, template } = conversion;
	const names: Names = { bodies: new UniqueNames(), joints: new UniqueNames() };
	names.bodies.take('world');
	conversion.bodyElements.set(WORLD, conversion.sections.worldbody);
	conversion.bodyNames.set(WORLD, 'world');
	addGeoms(conversion, shapes, WORLD);
	for (const joint of plan.staticRoots) {
		const child = model.jointChild[joint]!;
		addBody(conversion, names, joint, isKinematic(conversion, child));
		addGeoms(conversion, shapes, child);
	}
	for (const joint of plan.tree) {
		const child = model.jointChild[joint]!;
		if (plan.folded.has(child)) {
			// what hangs on it hangs on what carries it
			conversion.bodyElements.set(child, parentElement(conversion, joint));
			continue;
		}
		addBody(conversion, names, joint, isFixedRoot(conversion, joint));
		for (const own of [...plan.folded.before(joint), joint]) addJoint(conversion, names, own);
		addGeoms(conversion, shapes, child);
	}
	for (const body of template.bodies) if (plan.folded.has(body)) conversion.bodyElements.delete(body);
}

/** The element of the body that a joint hangs on. */
function parentElement(conversion: Conversion, joint: number): MjcfElement {
	const { model } = conversion;
	const parent = conversion.bodyElements.get(model.jointParent[joint]!);
	if (parent !== undefined) return parent;
	const body = model.jointChild[joint]!;
	throw new MujocoError(
		'MJC001',
		`the parent of body '${model.bodyLabels[body]}' is not connected to the world`,
		subjectOf(model, 'body', body),
	);
}

interface Names {
	readonly bodies: UniqueNames;
	readonly joints: UniqueNames;
}

/** MuJoCo's names of the sleep policies by number. */
const SLEEP_POLICIES: Readonly<Record<number, string>> = { 3: 'never', 4: 'allowed', 5: 'init' };

export function isKinematic(conversion: Pick<Conversion, 'model'>, body: number): boolean {
	return (conversion.model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0;
}

/** Roots without any freedom are mocap bodies: their poses can be set from outside, per world. */
function isFixedRoot(conversion: Conversion, joint: number): boolean {
	const { model } = conversion;
	if (model.jointParent[joint] !== WORLD) return false;
	const type = model.jointType[joint]!;
	const axes = model.jointDofDim[2 * joint]! + model.jointDofDim[2 * joint + 1]!;
	return type === JointType.FIXED || (type === JointType.D6 && axes === 0);
}

/**
 * Pose of the MuJoCo body that holds a joint in the one that carries it when the joints are at their reference: X_p · X_c⁻¹
 * of each of its joints, the body's own pose for a free joint.
 */
export function bodyPoseInParent({ model, plan }: Pick<Conversion, 'model' | 'plan'>, own: number): Float64Array {
	const joint = plan.folded.carrierOf(own);
	const pose = new Float64Array(7);
	if (isFreeJoint(model.jointType[joint]!)) {
		const child = model.jointChild[joint]!;
		pose.set(model.bodyQ.subarray(7 * child, 7 * child + 7));
		return pose;
	}
	const inverse = transformInvert(new Float64Array(7), model.jointXC, 0, 7 * joint);
	transformMultiply(pose, model.jointXP, inverse, 0, 7 * joint);
	for (const before of plan.folded.before(joint).reverse()) {
		transformInvert(inverse, model.jointXC, 0, 7 * before);
		transformMultiply(pose, inverse, pose.slice());
		transformMultiply(pose, model.jointXP, pose.slice(), 0, 7 * before);
	}
	return pose;
}

function addBody(conversion: Conversion, names: Names, joint: number, mocap: boolean): void {
	const { model, attributes } = conversion;
	const body = model.jointChild[joint]!;
	const parent = parentElement(conversion, joint);
	const name = names.bodies.take(model.bodyLabels[body]!.replaceAll('/', '_'));
	const element = parent.add('body', {
		name,
		...poseAttributes(bodyPoseInParent(conversion, joint)),
		mocap: mocap ? true : undefined,
		...copiedAttributes(conversion, 'body', body),
		// lets any centre of mass and inertia be written later
		simple: conversion.generalBodies.has(body) ? false : undefined,
		sleep: SLEEP_POLICIES[attributes.number('sleep_policy', body) ?? 0],
	});
	standFor(conversion, element, subjectOf(model, 'body', body));
	conversion.bodyElements.set(body, element);
	conversion.bodyNames.set(body, name);
	const mass = model.bodyMass[body]!;
	if (!(mass >= 0)) {
		const subject = subjectOf(model, 'body', body);
		throw new MujocoError('MJC007', `mass of ${nameOf(subject)} is ${mass} kg, expected 0 or more`, subject);
	}
	if (mass > 0) addInertial(conversion, element, body, mass);
	else if (!conversion.options.newtonCompat && needsMass(conversion, joint)) {
		element.add('inertial', { pos: [0, 0, 0], mass: SMALL_MASS, diaginertia: [SMALL_MASS, SMALL_MASS, SMALL_MASS] });
		conversion.report.add(
			createDiagnostic(
				'MJC022',
				`body '${model.bodyLabels[body]}' has no mass and moves; MuJoCo gets ${SMALL_MASS} kg and kg·m² for it`,
				about(subjectOf(model, 'body', body)),
			),
		);
	}
}

/** What MuJoCo gets for a moving body without mass, just more than it refuses [kg, kg·m²]. */
const SMALL_MASS = 1e-12;

/** Whether MuJoCo would refuse a body: it moves, has no mass, nothing with mass is fixed to it, but something hangs on it. */
function needsMass({ model, plan }: Conversion, joint: number): boolean {
	const body = model.jointChild[joint]!;
	const start = model.jointQdStart[joint]!;
	const end = model.jointQdStart[joint + 1]!;
	if (start === end) return false;
	const below = plan.tree.filter((other) => model.jointParent[other] === body);
	const isFixed = (other: number): boolean => model.jointQdStart[other] === model.jointQdStart[other + 1];
	if (below.some((other) => isFixed(other) && model.bodyMass[model.jointChild[other]!]! > 0)) return false;
	const hasArmature = model.jointArmature.subarray(start, end).every((armature) => armature > 0);
	return hasArmature || below.some((other) => carriesMass(model, plan.tree, model.jointChild[other]!));
}

function carriesMass(model: Conversion['model'], tree: readonly number[], body: number): boolean {
	const carried = new Set([body]);
	// parents come before their children
	for (const joint of tree) if (carried.has(model.jointParent[joint]!)) carried.add(model.jointChild[joint]!);
	return [...carried].some((own) => model.bodyMass[own]! > 0);
}

function addInertial(conversion: Conversion, element: MjcfElement, body: number, mass: number): void {
	const { model } = conversion;
	const raised = conversion.options.newtonCompat ? undefined : raisedPlate(model, body);
	if (raised !== undefined) {
		conversion.report.add(
			createDiagnostic(
				'MJC022',
				`the inertia of body '${model.bodyLabels[body]}' is that of a thin plate, which misses MuJoCo's A + B >= C by rounding; it is raised by ${Number((raised[0]! - model.bodyInertia[9 * body]!).toPrecision(2))} kg·m²`,
				about(subjectOf(model, 'body', body)),
			),
		);
	}
	const inertia = raised ?? model.bodyInertia.subarray(9 * body, 9 * body + 9);
	const [xx, xy, xz, , yy, yz, , , zz] = inertia as unknown as number[];
	const isDiagonal = xy === 0 && xz === 0 && yz === 0;
	element.add('inertial', {
		pos: model.bodyCom.subarray(3 * body, 3 * body + 3),
		mass,
		...(isDiagonal ? { diaginertia: [xx!, yy!, zz!] } : { fullinertia: [xx!, yy!, zz!, xy!, xz!, yz!] }),
	});
}

function addJoint(conversion: Conversion, names: Names, joint: number): void {
	const { model } = conversion;
	const type = model.jointType[joint]!;
	const name = names.joints.take(model.jointLabels[joint]!.replaceAll('/', '_'));
	conversion.jointNames.set(joint, name);
	if (type === JointType.FIXED) return;
	const child = model.jointChild[conversion.plan.folded.carrierOf(joint)]!;
	const element = conversion.bodyElements.get(child)!;
	if (isFreeJoint(type) && !(type === JointType.DISTANCE && conversion.options.newtonCompat))
		addFreeJoint(conversion, element, joint, name);
	else if (type === JointType.BALL) addBallJoint(conversion, element, joint, name);
	else if (type === JointType.PRISMATIC || type === JointType.REVOLUTE || type === JointType.D6) {
		addAxes(conversion, names, element, joint, name);
	} else {
		throw new MujocoError(
			'MJC006',
			`joint '${model.jointLabels[joint]}' is of type ${enumName(JointType, type)}, which MuJoCo does not have in trees`,
			subjectOf(model, 'joint', joint),
		);
	}
}

function addFreeJoint(conversion: Conversion, element: MjcfElement, joint: number, name: string): void {
	const { model } = conversion;
	const kind = enumName(JointType, model.jointType[joint]!).toLowerCase();
	if (model.jointParent[joint] !== WORLD) {
		throw new MujocoError(
			'MJC006',
			`${kind} joint '${model.jointLabels[joint]}' has body '${model.bodyLabels[model.jointParent[joint]!]}' as parent; MuJoCo allows bodies with six degrees of freedom only on the world`,
			subjectOf(model, 'joint', joint),
		);
	}
	if (model.jointType[joint] === JointType.DISTANCE) {
		conversion.report.add(
			createDiagnostic(
				'MJC019',
				`the distance of joint '${model.jointLabels[joint]}' is not kept: MuJoCo has no distance joints, body '${model.bodyLabels[model.jointChild[joint]!]}' moves freely`,
				about(subjectOf(model, 'joint', joint)),
			),
		);
	}
	const start = model.jointQdStart[joint]!;
	standFor(
		conversion,
		element.add('joint', {
			name,
			type: 'free',
			limited: false,
			armature: uniformValue(conversion, joint, model.jointArmature, 'armature'),
			damping: uniformValue(conversion, joint, model.jointDamping, 'damping'),
			frictionloss: uniformValue(conversion, joint, model.jointFriction, 'friction'),
		}),
		subjectOf(model, 'joint', joint),
	);
	for (let dof = start; dof < start + 6; dof++) conversion.dofNames.set(dof, name);
	for (let dof = start; dof < start + 6; dof++) {
		if (model.jointTargetMode[dof] === JointTargetMode.NONE || model.jointTargetMode[dof] === JointTargetMode.EFFORT)
			continue;
		conversion.report.add(
			createDiagnostic(
				'MJC018',
				`the drive of free joint '${model.jointLabels[joint]}' is left out: MuJoCo drives no free joints by targets`,
				about(subjectOf(model, 'joint', joint)),
			),
		);
		return;
	}
}

/** The value that all degrees of freedom share; of the first one otherwise, the rest is set after compilation. */
function uniformValue(conversion: Conversion, joint: number, values: Float64Array, what: string): number | undefined {
	const { model } = conversion;
	const start = model.jointQdStart[joint]!;
	const first = values[start]!;
	for (let dof = start + 1; dof < model.jointQdStart[joint + 1]!; dof++) {
		if (values[dof] === first) continue;
		conversion.report.add(
			createDiagnostic(
				'MJC021',
				`${what} of joint '${model.jointLabels[joint]}' differs between its axes; MJCF holds one number for all`,
				about(subjectOf(model, 'joint', joint)),
			),
		);
		break;
	}
	return first === 0 ? undefined : first;
}

function addBallJoint(conversion: Conversion, element: MjcfElement, joint: number, name: string): void {
	const { model, attributes } = conversion;
	const start = model.jointQdStart[joint]!;
	const kinematic = isKinematic(conversion, model.jointChild[joint]!);
	standFor(
		conversion,
		element.add('joint', {
			name,
			type: 'ball',
			pos: conversion.plan.folded.frameOf(joint).subarray(0, 3),
			axis: axisInBody(conversion, joint, [1, 0, 0]),
			limited: false,
			armature: kinematic ? KINEMATIC_ARMATURE : uniformValue(conversion, joint, model.jointArmature, 'armature'),
			frictionloss: uniformValue(conversion, joint, model.jointFriction, 'friction'),
			damping: uniformValue(conversion, joint, model.jointDamping, 'damping'),
			stiffness: attributes.number('dof_passive_stiffness', start),
			...attributes.written('joint', start),
		}),
		subjectOf(model, 'joint', joint),
	);
	for (let axis = 0; axis < 3; axis++) {
		conversion.dofNames.set(start + axis, name);
		addTargetActuators(conversion, { joint, dof: start + axis, target: name, ballAxis: axis });
	}
}

/** An axis of the joint frame in the frame of the body that holds it, where MuJoCo wants it. */
export function axisInBody(conversion: Pick<Conversion, 'plan'>, joint: number, axis: ArrayLike<number>): Float64Array {
	return quatRotate(new Float64Array(3), conversion.plan.folded.frameOf(joint), Float64Array.from(axis), 0, 3);
}

function addAxes(conversion: Conversion, names: Names, element: MjcfElement, joint: number, name: string): void {
	const { model } = conversion;
	const linear = model.jointDofDim[2 * joint]!;
	const angular = model.jointDofDim[2 * joint + 1]!;
	const start = model.jointQdStart[joint]!;
	for (let i = 0; i < linear + angular; i++) {
		const isLinear = i < linear;
		let axisName = name;
		if (linear + angular > 1) axisName += isLinear ? '_lin' : '_ang';
		if ((isLinear ? linear : angular) > 1) axisName += isLinear ? i : i - linear;
		// a name made of another joint's name and an ending may be taken already
		if (axisName !== name) axisName = names.joints.take(axisName);
		const dof = start + i;
		standFor(
			conversion,
			element.add('joint', axisAttributes(conversion, joint, dof, axisName, isLinear)),
			subjectOf(model, 'joint', joint),
		);
		conversion.dofNames.set(dof, axisName);
		addTargetActuators(conversion, { joint, dof, target: axisName, ballAxis: -1 });
	}
}

function axisAttributes(
	conversion: Conversion,
	joint: number,
	dof: number,
	name: string,
	isLinear: boolean,
): ConstructorParameters<typeof MjcfElement>[1] {
	const { model, attributes } = conversion;
	const lower = model.jointLimitLower[dof]!;
	const upper = model.jointLimitUpper[dof]!;
	const limited = !(lower <= -UNLIMITED && upper >= UNLIMITED);
	const actgravcomp = attributes.number('jnt_actgravcomp', dof);
	return {
		name,
		type: isLinear ? 'slide' : 'hinge',
		pos: conversion.plan.folded.frameOf(joint).subarray(0, 3),
		axis: axisInBody(conversion, joint, model.jointAxis.subarray(3 * dof, 3 * dof + 3)),
		limited,
		// with a range for unlimited joints too, so that a limit can be switched on later
		...copiedAttributes(conversion, 'joint', dof),
		...copiedAttributes(conversion, 'dof', dof),
		armature: isKinematic(conversion, model.jointChild[joint]!) ? KINEMATIC_ARMATURE : model.jointArmature[dof]!,
		actuatorgravcomp: actgravcomp === undefined ? undefined : actgravcomp !== 0,
		solreflimit: limited && hasRawLimit(conversion, dof) ? attributes.row('solreflimit', dof, 2) : undefined,
		actuatorfrclimited: true,
		springref: attributes.number('dof_springref', dof),
		ref: attributes.number('dof_ref', dof),
		...attributes.written('joint', dof),
	};
}

/** Whether the limit of a degree of freedom has authored MuJoCo numbers; without a mode, any that are not zero count. */
export function hasRawLimit(conversion: Pick<Conversion, 'attributes'>, dof: number): boolean {
	const solref = conversion.attributes.row('solreflimit', dof, 2);
	if (solref === undefined) return false;
	const mode = conversion.attributes.number('solreflimit_mode', dof);
	return mode === undefined ? solref[0] !== 0 || solref[1] !== 0 : mode === SolrefMode.RAW;
}
