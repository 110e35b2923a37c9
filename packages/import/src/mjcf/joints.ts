import { quote } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
import { JOINT_AXIS_DEFAULTS, type JointAxisConfig, JointTargetMode } from '@manyworlds/model';
import { type AttributeValue, mujocoWrittenKey } from '@manyworlds/model/internal';
import type { Attributes } from './attributes.ts';
import { contactGains } from './contact-gains.ts';
import { type MjcfContext, plainName } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';

/** One joint element as a part of the joint of its body. */
export interface JointPart {
	readonly name: string;
	readonly type: 'free' | 'ball' | 'hinge' | 'slide';
	readonly attributes: Attributes;
	/** In the body [m]. */
	readonly position: Float64Array;
	/** Axis of a hinge or slide. */
	readonly axis: JointAxisConfig | undefined;
	/** Values of custom attributes of its degrees of freedom. */
	readonly custom: ReadonlyMap<string, AttributeValue>;
	/** Attributes of MJCF that only MuJoCo simulates, in radians. */
	readonly written: ReadonlyMap<string, string>;
}

/** Joints of a body that become one joint of the builder. */
export interface BodyJoints {
	/** `fixed` without joints; a free or ball joint stands alone. */
	readonly kind: 'free' | 'ball' | 'axes' | 'fixed';
	readonly parts: readonly JointPart[];
	readonly names: readonly string[];
	/** In the body [m]. */
	readonly position: Float64Array;
	/** Values of custom attributes of the joint. */
	readonly custom: ReadonlyMap<string, AttributeValue>;
}

/**
 * Reads the joints of a body, in the order in which MuJoCo applies them. What one joint of the builder can hold is one group:
 * slides, then hinges through the same point. Other bodies stand between groups.
 */
export function readJoints(
	context: MjcfContext,
	elements: readonly MjcfElement[],
	bodyName: string,
	ambient: string,
): readonly BodyJoints[] {
	const freejoint = elements.find(({ name }) => name === 'freejoint');
	if (freejoint !== undefined) {
		const attributes = context.attributes(freejoint, ambient);
		const name = plainName(attributes.text('name') ?? `${bodyName}_freejoint`);
		const custom = readCustomAttributes(context, attributes, 'joint');
		attributes.ignore('align', 'frames of free bodies are kept as they are');
		attributes.ignore('group', 'joints have no group');
		const position = new Float64Array(3);
		const part: JointPart = {
			name,
			type: 'free',
			attributes,
			position,
			axis: undefined,
			custom: new Map(),
			written: new Map(),
		};
		return [{ kind: 'free', parts: [part], names: [name], position, custom }];
	}
	const parts: JointPart[] = [];
	const names: string[] = [];
	const { newtonCompat } = context.options;
	let first: Float64Array | undefined;
	for (const [i, element] of elements.entries()) {
		const attributes = context.attributes(element, ambient);
		const type = typeOf(context, attributes);
		const name = plainName(attributes.text('name') || `${bodyName}_joint_${i}`);
		names.push(name);
		const position = attributes.position();
		if (first === undefined) first = position;
		else if (newtonCompat) warnOfPosition(context, attributes, first, position);
		attributes.ignore('group', 'joints have no group');
		attributes.ignore('user', 'user data is not kept');
		if (type === 'fixed') break;
		if (type === 'free' || type === 'ball') {
			const custom = type === 'ball' ? ballCustom(context, attributes) : new Map<string, AttributeValue>();
			const written = type === 'ball' ? ballLimit(context, attributes) : new Map<string, string>();
			parts.push({ name, type, attributes, position, axis: undefined, custom, written });
			if (type === 'ball' && !newtonCompat) continue;
			warnOfRest(context, elements.slice(i + 1), type);
			break;
		}
		parts.push({
			name,
			type,
			attributes,
			position,
			axis: axisOf(context, attributes, type),
			custom: dofCustom(context, attributes, type),
			written: new Map(),
		});
	}
	if (parts.length === 0 || newtonCompat) return [groupOf(parts, names, first)];
	const free = parts.find(({ type }) => type === 'free');
	if (free !== undefined) return [groupOf([free])];
	return groupParts(parts, context.namedJoints).map((group) => groupOf(group));
}

function groupOf(
	parts: readonly JointPart[],
	names: readonly string[] = parts.map(({ name }) => name),
	position: Float64Array = parts[0]?.position ?? new Float64Array(3),
): BodyJoints {
	const last = parts.at(-1)?.type;
	const kind = last === undefined ? 'fixed' : last === 'free' || last === 'ball' ? last : 'axes';
	return { kind, parts, names, position, custom: new Map() };
}

/** Splits joints where one joint of the builder cannot hold them, or where something names one of them alone. */
function groupParts(parts: readonly JointPart[], named: ReadonlySet<string>): JointPart[][] {
	const groups: JointPart[][] = [];
	for (const part of parts) {
		const group = groups.at(-1);
		if (group !== undefined && canJoin(group, part, named)) group.push(part);
		else groups.push([part]);
	}
	return groups;
}

function canJoin(group: readonly JointPart[], part: JointPart, named: ReadonlySet<string>): boolean {
	const last = group.at(-1)!;
	if (part.type === 'ball' || last.type === 'ball') return false;
	if (named.has(part.name) || named.has(last.name)) return false;
	if (last.type === 'hinge' && part.type === 'slide') return false;
	if (group.filter(({ type }) => type === part.type).length === 3) return false;
	return part.position.every((value, i) => Math.abs(value - last.position[i]!) < 1e-12);
}

function typeOf(context: MjcfContext, attributes: Attributes): JointPart['type'] | 'fixed' {
	const word = attributes.word('type') ?? 'hinge';
	if (word === 'hinge' || word === 'slide' || word === 'ball' || word === 'free' || word === 'fixed') return word;
	// Newton slides along whatever is no hinge
	const taken = context.options.newtonCompat ? 'slide' : 'hinge';
	attributes.fault('MJCF006', 'type', `expected free, ball, slide or hinge; ${taken} is taken`, 'warning');
	return taken;
}

/** Drive, limits and passive forces of one axis. Angles in radians. */
function axisOf(context: MjcfContext, attributes: Attributes, type: 'hinge' | 'slide'): JointAxisConfig {
	const { options, builder } = context;
	const defaults = builder.defaultJointConfig;
	const axis = attributes.vector('axis') ?? Float64Array.of(0, 0, 1);
	if (!(Math.hypot(...axis) > 0)) {
		attributes.fault('MJCF006', 'axis', 'expected a direction; z is taken');
		axis.set([0, 0, 1]);
	}
	const [limitLower, limitUpper] = limitsOf(context, attributes, type);
	const gains = limitGains(context, attributes);
	return {
		...JOINT_AXIS_DEFAULTS,
		axis,
		limitLower,
		limitUpper,
		limitKe: gains?.ke ?? defaults.limitKe,
		limitKd: gains?.kd ?? defaults.limitKd,
		targetKe: defaults.targetKe,
		targetKd: defaults.targetKd,
		damping: attributes.number('damping', defaults.damping),
		armature: attributes.number('armature', defaults.armature) * options.armatureScale,
		friction: attributes.number('frictionloss', 0),
		effortLimit: effortLimit(context, attributes) ?? defaults.effortLimit,
		// actuators set it
		actuatorMode: JointTargetMode.NONE,
	};
}

function limitsOf(context: MjcfContext, attributes: Attributes, type: 'hinge' | 'slide'): [number, number] {
	const { limitLower, limitUpper } = context.builder.defaultJointConfig;
	const { degree, autoLimits } = context.document.compiler;
	const limited = attributes.tristate('limited');
	const isOff = limited === 'false' || (limited === 'auto' && !autoLimits);
	// Newton takes every range as a limit
	if (isOff && !context.options.newtonCompat) {
		attributes.ignore('range', 'the limit is switched off');
		return [limitLower, limitUpper];
	}
	const range = attributes.numbers('range', { least: 2, most: 2 });
	if (range === undefined) {
		if (limited === 'true') attributes.fault('MJCF006', 'limited', 'but there is no range', 'warning');
		return [limitLower, limitUpper];
	}
	if (type === 'slide' || !degree) return [range[0]!, range[1]!];
	attributes.convert('range', { from: 'degree', to: 'radian' });
	return [(range[0]! * Math.PI) / 180, (range[1]! * Math.PI) / 180];
}

/** Gains of a limit; Newton 1.6 keeps `solreflimit` for MuJoCo alone. */
function limitGains(
	context: MjcfContext,
	attributes: Attributes,
): { readonly ke: number; readonly kd: number } | undefined {
	warnOfLimit(attributes);
	if (context.options.newtonCompat || !attributes.has('solreflimit')) return undefined;
	return contactGains(attributes, 'solreflimit');
}

function warnOfLimit(attributes: Attributes): void {
	const numbers = attributes.numbers('solreflimit', { least: 1, most: 2 });
	if (numbers === undefined) return;
	const [a, b] = [numbers[0]!, numbers[1] ?? 1];
	if ((a === 0 && b === 0) || a * b > 0) return;
	attributes.fault('MJCF021', 'solreflimit', 'expected two numbers of one sign, or 0 0');
}

function effortLimit(context: MjcfContext, attributes: Attributes): number | undefined {
	const limited = attributes.tristate('actuatorfrclimited');
	if (limited === 'false' || (limited === 'auto' && !autoLimits(context))) {
		attributes.ignore('actuatorfrcrange', 'the limit is switched off');
		return undefined;
	}
	const range = attributes.numbers('actuatorfrcrange', { least: 2, most: 2 });
	if (range === undefined) return undefined;
	attributes.convert('actuatorfrcrange', { from: 'range', to: 'largest magnitude' });
	return Math.max(Math.abs(range[0]!), Math.abs(range[1]!));
}

/** The setting as the builder holds it, which an earlier import may have changed. */
function autoLimits(context: MjcfContext): boolean {
	if (!context.options.newtonCompat) return context.document.compiler.autoLimits;
	return (context.builder.attributeValues('mujoco:autolimits') as Uint8Array)[0] === 1;
}

function dofCustom(context: MjcfContext, attributes: Attributes, type: JointPart['type']): Map<string, AttributeValue> {
	const { degree } = context.document.compiler;
	const custom = readCustomAttributes(context, attributes, 'jointDof', { isDegree: degree && type !== 'slide' });
	const defaults = context.builder.defaultJointConfig;
	const isCustomised =
		defaults.limitKe !== JOINT_AXIS_DEFAULTS.limitKe || defaults.limitKd !== JOINT_AXIS_DEFAULTS.limitKd;
	// 0: gains of the builder, 1: authored parameters as they are, 2: MuJoCo's defaults
	custom.set('mujoco:solreflimit_mode', attributes.has('solreflimit') ? 1 : isCustomised ? 0 : 2);
	const gains =
		attributes.has('solreflimit') && !context.options.newtonCompat && type !== 'ball'
			? contactGains(attributes, 'solreflimit')
			: undefined;
	custom.set('mujoco:solreflimit_gain_baseline', [gains?.ke ?? defaults.limitKe, gains?.kd ?? defaults.limitKd]);
	return custom;
}

function ballCustom(context: MjcfContext, attributes: Attributes): Map<string, AttributeValue> {
	warnOfLimit(attributes);
	return dofCustom(context, attributes, 'ball');
}

/** The limit of the angle of a ball joint [rad], which only MuJoCo keeps. */
function ballLimit(context: MjcfContext, attributes: Attributes): ReadonlyMap<string, string> {
	if (context.options.newtonCompat) {
		for (const name of ['range', 'limited']) attributes.ignore(name, 'ball joints have no limits here');
		return new Map();
	}
	const range = attributes.numbers('range', { least: 2, most: 2 });
	const limited = attributes.tristate('limited');
	const { autoLimits, degree } = context.document.compiler;
	if (range === undefined || limited === 'false' || (limited === 'auto' && !autoLimits)) return new Map();
	const most = degree ? (range[1]! * Math.PI) / 180 : range[1]!;
	for (const name of ['range', 'limited']) attributes.keep(name, { target: mujocoWrittenKey('joint') });
	return new Map([
		['limited', 'true'],
		['range', `0 ${most}`],
	]);
}

function warnOfPosition(context: MjcfContext, attributes: Attributes, first: Float64Array, at: Float64Array): void {
	if (at.every((value, i) => Math.abs(value - first[i]!) < 1e-12)) return;
	const message = `${attributes.subject} is at ${at.join(' ')}, the first joint of the body at ${first.join(' ')}: they become one joint there`;
	context.fault('MJCF018', message, attributes.element);
}

function warnOfRest(context: MjcfContext, rest: readonly MjcfElement[], type: string): void {
	for (const element of rest) {
		const name = element.ownName === undefined ? `<${element.name}>` : quote(element.ownName);
		context.fault('MJCF018', `the joint ${name} stands beside a ${type} joint, which is taken alone`, element);
	}
}
