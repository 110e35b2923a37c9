import type { MjcfElement } from '@manyworlds/formats';
import { MAIN_CLASS } from '@manyworlds/formats/internal';
import { JointTargetMode } from '@manyworlds/model';
import { type AttributeValue, defineMujocoActivation } from '@manyworlds/model/internal';
import { ActuatorState } from './actuator-state.ts';
import { Attributes } from './attributes.ts';
import { type MjcfContext, plainName } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';
import { keepWritten } from './written-attributes.ts';

const SOURCE = { JOINT_TARGET: 0, CTRL_DIRECT: 1 } as const;
const CTRL_TYPE = { POSITION: 0, VELOCITY: 1, GENERAL: 2 } as const;
const TRN = { JOINT: 0, JOINT_IN_PARENT: 1, TENDON: 2, SITE: 3, BODY: 4, SLIDERCRANK: 5 } as const;
const BIAS_AFFINE = 1;
/** The last of the dynamics whose activation is one number that follows the control: integrator and filters. */
const LINEAR_DYNAMICS = 3;

/** What an actuator acts on. */
interface Transmission {
	readonly type: number;
	readonly target: number;
	readonly second: number;
	readonly name: string;
	/** First degree of freedom, and how many, of a joint. */
	readonly dof: number;
	readonly dofCount: number;
	readonly crankLength?: number;
}

/** Gain and bias of an actuator. */
interface Law {
	readonly gain: Float64Array;
	readonly bias: Float64Array;
	readonly source: number;
	readonly type: number;
}

/** Attributes that are filled from the kind of actuator. */
const COMPUTED = new Set(
	[
		'actuator_trntype',
		'actuator_trnid',
		'actuator_gainprm',
		'actuator_biasprm',
		'actuator_world',
		'ctrl',
		'ctrl_source',
		'ctrl_type',
		'actuator_articulation',
		'actuator_target_label',
		'actuator_cranklength',
	].map((name) => `mujoco:${name}`),
);

/** Imports an `actuator` section in the order of the document, which is that of MuJoCo's controls. */
export function addActuators(context: MjcfContext, section: MjcfElement): void {
	for (const element of section.children) {
		const plain = context.attributes(element);
		const isKnown = context.options.newtonCompat ? element.name in LAWS : ActuatorState.supports(element.name);
		if (!isKnown) {
			const message = `the actuator ${plain.subject} is of a kind that is not supported; it is left out`;
			context.fault('MJCF016', message, element);
			plain.ignoreAll('the kind of actuator is not supported');
			continue;
		}
		if (context.options.newtonCompat) {
			const transmission = transmissionOf(context, plain);
			if (transmission !== undefined) {
				addActuator(context, plain, transmission, LAWS[element.name]!(context, plain, transmission));
			}
			continue;
		}
		const state = stateOf(context, element);
		const attributes = new Attributes(context, element, state.values);
		const transmission = transmissionOf(context, attributes);
		if (transmission !== undefined) addState(context, attributes, transmission, state);
	}
}

/** The actuator that the classes and the element itself make. */
function stateOf(context: MjcfContext, element: MjcfElement): ActuatorState {
	const { defaults } = context.document;
	const named = element.get('class');
	const className = named !== undefined && defaults.has(named) ? named : MAIN_CLASS;
	const state = new ActuatorState();
	for (const entry of defaults.elementsOf(className)) state.apply(context, entry, className);
	state.apply(context, element);
	return state;
}

/** Adds an actuator with the parameters that MuJoCo's compiler gives it. */
function addState(context: MjcfContext, attributes: Attributes, on: Transmission, state: ActuatorState): void {
	const kind = attributes.element.name;
	const { gain, bias, dynamics } = state;
	const type = kind === 'position' ? CTRL_TYPE.POSITION : kind === 'velocity' ? CTRL_TYPE.VELOCITY : CTRL_TYPE.GENERAL;
	const isServo = type !== CTRL_TYPE.GENERAL && state.dynamicsType === 0 && hasUnitGear(attributes);
	const source = isServo ? sourceOf(context, on) : SOURCE.CTRL_DIRECT;
	if (source === SOURCE.JOINT_TARGET) {
		if (type === CTRL_TYPE.POSITION) drivePosition(context, attributes, on, gain[0]!, Math.max(0, -bias[2]!));
		else driveVelocity(context, attributes, on, gain[0]!);
	}
	const hasActivation = state.dynamicsType !== 0 && state.dynamicsType <= LINEAR_DYNAMICS;
	if (hasActivation) defineMujocoActivation(context.builder);
	const extra = new Map<string, AttributeValue>([
		['mujoco:actuator_gaintype', state.gainType],
		['mujoco:actuator_biastype', state.biasType],
		['mujoco:actuator_dyntype', state.dynamicsType],
		['mujoco:actuator_dynprm', dynamics],
		...(state.isControlLimited ? [['mujoco:actuator_ctrllimited', 1] as const] : []),
	]);
	addActuator(context, attributes, on, { gain, bias, source, type }, extra);
}

/** A gear other than 1 changes length and force, which targets of joints do not have. */
function hasUnitGear(attributes: Attributes): boolean {
	const gear = attributes.numbers('gear', { least: 1, most: 6 });
	return gear === undefined || (gear[0] === 1 && gear.subarray(1).every((value) => value === 0));
}

const LAWS: Readonly<Record<string, (context: MjcfContext, attributes: Attributes, on: Transmission) => Law>> = {
	position: positionLaw,
	velocity: velocityLaw,
	motor: () => ({ gain: vector(1), bias: vector(), source: SOURCE.CTRL_DIRECT, type: CTRL_TYPE.GENERAL }),
	general: (_, attributes) => ({
		gain: vector(...(attributes.numbers('gainprm') ?? [1])),
		bias: vector(...(attributes.numbers('biasprm') ?? [])),
		source: SOURCE.CTRL_DIRECT,
		type: CTRL_TYPE.GENERAL,
	}),
};

function positionLaw(context: MjcfContext, attributes: Attributes, on: Transmission): Law {
	const kp = attributes.number('kp', 1);
	const kv = attributes.number('kv', 0);
	const ratio = attributes.number('dampratio', 0);
	if (kv > 0 && ratio > 0) attributes.fault('MJCF014', 'dampratio', 'but kv is given, which counts', 'warning');
	// a positive third number is a damping ratio that the solver resolves
	const bias = vector(0, -kp, kv > 0 ? -kv : Math.max(ratio, 0));
	const source = sourceOf(context, on);
	if (source === SOURCE.JOINT_TARGET) drivePosition(context, attributes, on, kp, kv);
	return { gain: vector(kp), bias, source, type: CTRL_TYPE.POSITION };
}

/** Position gains of the degrees of freedom; the damping of a velocity actuator that was there stays. */
function drivePosition(context: MjcfContext, attributes: Attributes, on: Transmission, kp: number, kv: number): void {
	const { builder } = context;
	const [ke, kd] = [builder.column('jointTargetKe'), builder.column('jointTargetKd')];
	const modes = builder.column('jointTargetMode');
	for (let dof = on.dof; dof < on.dof + on.dofCount; dof++) {
		ke[dof] = kp;
		if (modes[dof] === JointTargetMode.VELOCITY) modes[dof] = JointTargetMode.POSITION_VELOCITY;
		else if (modes[dof] === JointTargetMode.NONE) {
			modes[dof] = JointTargetMode.POSITION;
			kd[dof] = kv;
		}
		context.give('joint_target_ke', dof, attributes, 'kp', 'MuJoCo takes 1 for position actuators');
	}
}

function velocityLaw(context: MjcfContext, attributes: Attributes, on: Transmission): Law {
	const kv = attributes.number('kv', 1);
	const source = sourceOf(context, on);
	if (source === SOURCE.JOINT_TARGET) driveVelocity(context, attributes, on, kv);
	return { gain: vector(kv), bias: vector(0, 0, -kv), source, type: CTRL_TYPE.VELOCITY };
}

/** Velocity gains of the degrees of freedom. */
function driveVelocity(context: MjcfContext, attributes: Attributes, on: Transmission, kv: number): void {
	const { builder } = context;
	const [kd, modes] = [builder.column('jointTargetKd'), builder.column('jointTargetMode')];
	for (let dof = on.dof; dof < on.dof + on.dofCount; dof++) {
		if (modes[dof] === JointTargetMode.POSITION) modes[dof] = JointTargetMode.POSITION_VELOCITY;
		else if (modes[dof] === JointTargetMode.NONE) modes[dof] = JointTargetMode.VELOCITY;
		kd[dof] = kv;
		context.give('joint_target_kd', dof, attributes, 'kv', 'MuJoCo takes 1 for velocity actuators');
	}
}

function sourceOf(context: MjcfContext, on: Transmission): number {
	const isDirect = on.type !== TRN.JOINT || on.dofCount === 0 || context.options.ctrlDirect;
	return isDirect ? SOURCE.CTRL_DIRECT : SOURCE.JOINT_TARGET;
}

function addActuator(
	context: MjcfContext,
	attributes: Attributes,
	on: Transmission,
	law: Law,
	extra: ReadonlyMap<string, AttributeValue> = new Map(),
): void {
	const { builder } = context;
	const custom = readCustomAttributes(context, attributes, 'mujoco:actuator', { except: COMPUTED });
	const kind = attributes.element.name;
	if ((kind === 'position' || kind === 'velocity') && !custom.has('mujoco:actuator_biastype')) {
		custom.set('mujoco:actuator_biastype', BIAS_AFFINE);
	}
	for (const [key, value] of extra) custom.set(key, value);
	if (kind === 'position' || (kind === 'intvelocity' && !context.options.newtonCompat))
		inheritRange(context, attributes, on, custom);
	for (const [name, key] of KEPT) attributes.keep(name, { target: key });
	const row = builder.addRow('mujoco:actuator', {
		...Object.fromEntries(custom),
		'mujoco:ctrl_source': law.source,
		'mujoco:ctrl_type': law.type,
		'mujoco:actuator_gainprm': law.gain,
		'mujoco:actuator_biasprm': law.bias,
		'mujoco:actuator_trnid': [on.target, on.second],
		'mujoco:actuator_trntype': on.type,
		'mujoco:actuator_world': builder.currentWorld,
		...(on.crankLength === undefined ? {} : { 'mujoco:actuator_cranklength': on.crankLength }),
	});
	keepWritten(context, 'actuator', row, attributes);
	attributes.ignore('group', 'actuators have no group');
	attributes.ignore('user', 'user data is not kept');
	attributes.ignore('lengthrange', 'length ranges are computed');
}

const KEPT: readonly (readonly [string, string])[] = [
	['gainprm', 'mujoco:actuator_gainprm'],
	['biasprm', 'mujoco:actuator_biasprm'],
	['cranklength', 'mujoco:actuator_cranklength'],
];

/** The range of the joint, stretched about its middle, becomes that of the control. */
function inheritRange(
	context: MjcfContext,
	attributes: Attributes,
	on: Transmission,
	custom: Map<string, AttributeValue>,
): void {
	const factor = attributes.number('inheritrange', 0);
	if (!(factor > 0) || on.type !== TRN.JOINT || on.dof < 0) return;
	const lower = context.builder.column('jointLimitLower')[on.dof]!;
	const upper = context.builder.column('jointLimitUpper')[on.dof]!;
	if (!(lower < upper)) return;
	const middle = (lower + upper) / 2;
	const radius = ((upper - lower) / 2) * factor;
	// an integrated velocity has its position in the activation
	const what = attributes.element.name === 'intvelocity' ? 'act' : 'ctrl';
	custom.set(`mujoco:actuator_${what}range`, [middle - radius, middle + radius]);
	custom.set(`mujoco:actuator_has_${what}range`, 1);
	custom.set(`mujoco:actuator_${what}limited`, 1);
}

function transmissionOf(context: MjcfContext, attributes: Attributes): Transmission | undefined {
	const name = (key: string): string | undefined => {
		const text = attributes.text(key);
		return text === undefined || text === '' ? undefined : plainName(text);
	};
	const missing = (key: string): undefined => {
		attributes.fault('MJCF009', key, 'which the model does not have; the actuator is left out');
		return undefined;
	};
	const plain = { second: 0, dof: -1, dofCount: 0 };
	const [crank, slider] = [name('cranksite'), name('slidersite')];
	if (crank !== undefined || slider !== undefined) return sliderCrank(context, attributes, crank, slider);
	const joint = name('joint');
	const inParent = name('jointinparent');
	const jointName = joint ?? inParent;
	if (jointName !== undefined) {
		const found = context.joints.get(jointName);
		if (found === undefined) return missing(joint === undefined ? 'jointinparent' : 'joint');
		const dofCount = found.type === 'free' ? 6 : found.type === 'ball' ? 3 : 1;
		const type = inParent !== undefined ? TRN.JOINT_IN_PARENT : TRN.JOINT;
		return { ...plain, type, target: found.dof, name: jointName, dof: found.dof, dofCount };
	}
	const body = name('body');
	if (body !== undefined) {
		const target = context.bodies.get(body);
		return target === undefined ? missing('body') : { ...plain, type: TRN.BODY, target, name: body };
	}
	const tendon = name('tendon');
	if (tendon !== undefined) {
		const target = context.tendons.get(tendon);
		return target === undefined ? missing('tendon') : { ...plain, type: TRN.TENDON, target, name: tendon };
	}
	const site = name('site');
	if (site !== undefined) {
		const target = context.sites.get(site);
		if (target === undefined) return missing('site');
		const reference = name('refsite');
		const second = reference === undefined ? -1 : context.sites.get(reference);
		return second === undefined ? missing('refsite') : { ...plain, type: TRN.SITE, target, second, name: site };
	}
	context.fault(
		'MJCF009',
		`${attributes.subject} acts on nothing, expected a joint, tendon, site or body`,
		attributes.element,
	);
	return undefined;
}

function sliderCrank(
	context: MjcfContext,
	attributes: Attributes,
	crank: string | undefined,
	slider: string | undefined,
): Transmission | undefined {
	const [target, second] = [crank, slider].map((site) => (site === undefined ? undefined : context.sites.get(site)));
	if (target === undefined || second === undefined) {
		const key = target === undefined ? 'cranksite' : 'slidersite';
		attributes.fault('MJCF009', key, 'expected a site of the model; the actuator is left out');
		return undefined;
	}
	const crankLength = attributes.number('cranklength', 0) * context.options.scale;
	if (!(crankLength > 0)) {
		attributes.fault('MJCF022', 'cranklength', 'expected a positive length');
		return undefined;
	}
	return { type: TRN.SLIDERCRANK, target, second, name: crank!, dof: -1, dofCount: 0, crankLength };
}

function vector(...numbers: readonly number[]): Float64Array {
	const out = new Float64Array(10);
	out.set(numbers.slice(0, 10));
	return out;
}
