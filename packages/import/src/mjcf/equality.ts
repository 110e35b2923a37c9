import { quote } from '@manyworlds/core';
import { quatNormalize, transformInvert, transformPoint } from '@manyworlds/core/internal';
import type { MjcfElement } from '@manyworlds/formats';
import { type EqualityOptions, ShapeFlags, WORLD } from '@manyworlds/model';
import { type AttributeValue, defineEqualitySites, defineTendonEqualities } from '@manyworlds/model/internal';
import { rowOf } from '../row-of.ts';
import type { Attributes } from './attributes.ts';
import { composed, identity, type MjcfContext, plainName } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';

/** What a row is projected to, so that nothing is enforced twice. */
const TARGET = { NONE: 0, JOINT: 1, MIMIC: 2 } as const;
/** Objects that a row refers to, by MuJoCo's numbers. */
const OBJECT = { BODY: 1, JOINT: 3 } as const;

/** Attributes that the table of constraints itself holds. */
const STORED = new Set([
	'mujoco:equality_constraint_target_kind',
	'mujoco:equality_constraint_target',
	'mujoco:equality_constraint_objtype',
]);

/** Imports an `equality` section but for what tendons hold, which come later. */
export function addEqualities(context: MjcfContext, section: MjcfElement): void {
	const { skipEqualityConstraints, newtonCompat } = context.options;
	const order = newtonCompat
		? [...section.childrenNamed('connect'), ...section.childrenNamed('weld'), ...section.childrenNamed('joint')]
		: section.childrenNamed('connect', 'weld', 'joint', 'tendon');
	for (const element of order) {
		const attributes = context.attributes(element, undefined, 'equality');
		if (skipEqualityConstraints) {
			attributes.ignoreAll('the option skipEqualityConstraints leaves it out');
			continue;
		}
		if (element.name === 'tendon') continue;
		if (element.name === 'joint') addJointEquality(context, attributes);
		else addBodyEquality(context, attributes, element.name === 'weld' ? 'weld' : 'connect');
	}
}

interface Ends {
	readonly body1: number;
	readonly body2: number;
	readonly anchor: Float64Array;
	/** Sites that are brought together, with their poses in the bodies. */
	readonly sites?: readonly [EndSite, EndSite];
}

interface EndSite {
	readonly shape: number;
	readonly body: number;
	readonly pose: Float64Array;
}

function addBodyEquality(context: MjcfContext, attributes: Attributes, type: 'connect' | 'weld'): void {
	const ends = attributes.has('body1') ? bodiesOf(context, attributes, type) : sitesOf(context, attributes, type);
	if (ends === undefined) return;
	const { sites, ...bodies } = ends;
	const relpose = type === 'weld' ? relativePose(context, attributes, sites) : undefined;
	const torquescale = type === 'weld' ? attributes.number('torquescale', 1) : 0;
	const { label, enabled } = commonOf(context, attributes);
	const custom = readCustomAttributes(context, attributes, 'equalityConstraint', { except: STORED });
	const row = {
		type,
		...bodies,
		torquescale,
		...(relpose === undefined ? {} : { relpose }),
		label,
		enabled,
	} as const satisfies EqualityOptions;
	if (sites !== undefined && !context.options.newtonCompat) {
		defineEqualitySites(context.builder);
		custom.set('mujoco:equality_constraint_site1', sites[0].shape);
		custom.set('mujoco:equality_constraint_site2', sites[1].shape);
	}
	if (!context.options.convertMjcEqualityConstraints) {
		addRow(context, attributes, row, custom, TARGET.NONE, -1, OBJECT.BODY);
		return;
	}
	if (ends.body1 === ends.body2 && ends.body1 !== WORLD) {
		context.fault('MJCF009', `${attributes.subject} holds a body to itself, expected two bodies`, attributes.element);
		return;
	}
	if (ends.body1 === WORLD && ends.body2 === WORLD) {
		context.fault('MJCF009', `${attributes.subject} holds no body, expected at least one`, attributes.element);
		return;
	}
	const joint = addLoopJoint(context, type, ends, label, enabled);
	addRow(context, attributes, row, custom, TARGET.JOINT, joint, OBJECT.BODY);
}

/** A joint outside of articulations that closes the loop at the anchor. */
function addLoopJoint(
	context: MjcfContext,
	type: 'connect' | 'weld',
	{ body1, body2, anchor, sites }: Ends,
	label: string,
	enabled: boolean,
): number {
	const { builder } = context;
	const [parent, child] = body2 >= 0 ? [body1, body2] : [WORLD, body1];
	const poseOf = (body: number): Float64Array => (body < 0 ? identity() : rowOf(builder.column('bodyQ'), 7, body));
	const place = transformPoint(new Float64Array(3), poseOf(body1), anchor);
	const within = (body: number): Float64Array => {
		if (sites !== undefined && !context.options.newtonCompat) return atSite(sites[body === body1 ? 0 : 1].pose, type);
		const pose = poseOf(body);
		const out = identity();
		transformPoint(out, transformInvert(pose, pose), place);
		return out;
	};
	const options = {
		parent,
		child,
		parentXform: within(parent),
		childXform: within(child),
		enabled,
		...(label === '' ? {} : { label }),
	};
	return type === 'connect' ? builder.addJointBall(options) : builder.addJointFixed(options);
}

/** The frame that a site gives to a loop joint: a connect holds points, whatever the axes. */
function atSite(pose: Float64Array, type: 'connect' | 'weld'): Float64Array {
	return type === 'weld' ? pose : Float64Array.of(pose[0]!, pose[1]!, pose[2]!, 0, 0, 0, 1);
}

function bodiesOf(context: MjcfContext, attributes: Attributes, type: 'connect' | 'weld'): Ends | undefined {
	const find = (name: string): number => {
		const body = attributes.text(name);
		if (body === undefined || body === 'world') return WORLD;
		const found = context.bodies.get(plainName(body));
		if (found !== undefined) return found;
		attributes.fault('MJCF009', name, 'which the model does not have; the world is taken');
		return WORLD;
	};
	const anchor = attributes.numbers('anchor', { least: 3, most: 3 });
	if (anchor === undefined && type === 'connect') {
		context.fault(
			'MJCF009',
			`${attributes.subject} has no anchor, expected the point that it holds`,
			attributes.element,
		);
		return undefined;
	}
	const { scale } = context.options;
	const point = (anchor ?? new Float64Array(3)).map((value) => value * scale);
	return { body1: find('body1'), body2: find('body2'), anchor: point };
}

function sitesOf(context: MjcfContext, attributes: Attributes, type: 'connect' | 'weld'): Ends | undefined {
	const { builder } = context;
	const find = (name: string): EndSite | undefined => {
		const site = attributes.text(name);
		const shape = site === undefined ? undefined : context.sites.get(plainName(site));
		if (shape === undefined || (builder.column('shapeFlags')[shape]! & ShapeFlags.SITE) === 0) {
			const message =
				site === undefined
					? `${attributes.subject} has neither bodies nor ${name}`
					: `${attributes.subject} names the site ${quote(site)}, which the model does not have`;
			context.fault('MJCF009', message, attributes.element);
			return undefined;
		}
		return {
			shape,
			body: builder.column('shapeBody')[shape]!,
			pose: rowOf(builder.column('shapeTransform'), 7, shape),
		};
	};
	const first = find('site1');
	const second = first && find('site2');
	if (first === undefined || second === undefined) return undefined;
	const anchor = (type === 'connect' ? first : second).pose.slice(0, 3);
	return { body1: first.body, body2: second.body, anchor, sites: [first, second] };
}

/** Position and quaternion x y z w; a quaternion of zeros leaves the pose to the solver. */
function relativePose(context: MjcfContext, attributes: Attributes, sites: Ends['sites']): Float64Array {
	if (sites !== undefined && !context.options.newtonCompat) {
		// body 2 in body 1 when the sites coincide
		const [first, second] = sites;
		return composed(first.pose, transformInvert(new Float64Array(7), second.pose));
	}
	const numbers = attributes.numbers('relpose', { least: 7, most: 7 });
	// Newton's default: MuJoCo takes a quaternion of length zero as "as it stands"
	if (numbers === undefined) return Float64Array.of(0, 1, 0, 0, 0, 0, 0);
	const { scale, newtonCompat } = context.options;
	const factor = newtonCompat ? 1 : scale;
	const q = Float64Array.of(numbers[4]!, numbers[5]!, numbers[6]!, numbers[3]!);
	if (q.some((value) => value !== 0) && !newtonCompat) quatNormalize(q, q);
	attributes.convert('relpose', { from: 'quaternion w x y z', to: 'quaternion x y z w' });
	return Float64Array.of(numbers[0]! * factor, numbers[1]! * factor, numbers[2]! * factor, ...q);
}

function addJointEquality(context: MjcfContext, attributes: Attributes): void {
	const { builder, options } = context;
	const find = (name: string): number | undefined => {
		const joint = attributes.text(name);
		if (joint === undefined) return undefined;
		const found = context.joints.get(plainName(joint)) ?? context.joints.get(joint);
		if (found === undefined) attributes.fault('MJCF009', name, 'which the model does not have');
		if (found?.isMerged) {
			attributes.fault('MJCF018', name, 'one of several joints that are one here: the constraint cannot tell which');
		}
		return found?.joint ?? -1;
	};
	const joint1 = find('joint1');
	const joint2 = find('joint2') ?? -1;
	if (joint1 === undefined) {
		context.fault('MJCF009', `${attributes.subject} names no joint1`, attributes.element);
		return;
	}
	const polycoef = new Float64Array(5);
	polycoef.set(attributes.numbers('polycoef', { least: 1, most: 5 }) ?? [0, 1, 0, 0, 0]);
	const { label, enabled } = commonOf(context, attributes);
	const custom = readCustomAttributes(context, attributes, 'equalityConstraint', { except: STORED });
	const row = { type: 'joint', joint1, joint2, polycoef, label, enabled } as const satisfies EqualityOptions;
	if (!options.convertMjcEqualityConstraints) {
		addRow(context, attributes, row, custom, TARGET.NONE, -1, OBJECT.JOINT);
		return;
	}
	if (polycoef.slice(2).some((value) => value !== 0)) {
		attributes.fault(
			'MJCF018',
			'polycoef',
			`of which the mimic constraint ${quote(label)} has the first two; the rest is kept for MuJoCo`,
		);
	}
	if (joint1 < 0 || joint2 < 0 || joint1 === joint2) {
		// one joint alone is held at a value, which no mimic can do
		addRow(context, attributes, row, custom, TARGET.NONE, -1, OBJECT.JOINT);
		return;
	}
	const mimic = builder.addConstraintMimic({
		joint0: joint1,
		joint1: joint2,
		coef0: polycoef[0]!,
		coef1: polycoef[1]!,
		label,
		enabled,
	});
	addRow(context, attributes, row, custom, TARGET.MIMIC, mimic, OBJECT.JOINT);
}

/** Imports what an `equality` section says of tendons, which must be there already. */
export function addTendonEqualities(context: MjcfContext, section: MjcfElement): void {
	const { builder, options } = context;
	if (options.newtonCompat || options.skipEqualityConstraints) return;
	for (const element of section.childrenNamed('tendon')) {
		const attributes = context.attributes(element, undefined, 'equality');
		const find = (name: string): number | undefined => {
			const text = attributes.text(name);
			if (text === undefined) return -1;
			const tendon = context.tendons.get(plainName(text));
			if (tendon === undefined) attributes.fault('MJCF009', name, 'which the model does not have; it is left out');
			return tendon;
		};
		const [first, second] = [find('tendon1'), find('tendon2')];
		if (first === -1) context.fault('MJCF009', `${attributes.subject} names no tendon1`, element);
		if (first === undefined || first < 0 || second === undefined) continue;
		defineTendonEqualities(builder);
		const polycoef = new Float64Array(5);
		polycoef.set(attributes.numbers('polycoef', { least: 1, most: 5 }) ?? [0, 1, 0, 0, 0]);
		const solver: [string, AttributeValue][] = [];
		for (const [name, most] of [
			['solref', 2],
			['solimp', 5],
		] as const) {
			const numbers = attributes.numbers(name, { least: 1, most });
			if (numbers === undefined) continue;
			const key = `mujoco:tendon_equality_${name}`;
			const row = Float64Array.from(name === 'solref' ? [0.02, 1] : [0.9, 0.95, 0.001, 0.5, 2]);
			row.set(numbers);
			solver.push([key, row]);
			attributes.keep(name, { target: key });
		}
		const { label, enabled } = commonOf(context, attributes);
		builder.addRow('mujoco:tendon_equality', {
			...Object.fromEntries(solver),
			'mujoco:tendon_equality_tendon1': first,
			'mujoco:tendon_equality_tendon2': second,
			'mujoco:tendon_equality_polycoef': polycoef,
			'mujoco:tendon_equality_enabled': enabled,
			'mujoco:tendon_equality_label': label,
			'mujoco:tendon_equality_world': builder.currentWorld,
		});
	}
}

function addRow(
	context: MjcfContext,
	{ element }: Attributes,
	row: EqualityOptions,
	custom: ReadonlyMap<string, AttributeValue>,
	kind: number,
	target: number,
	object: number,
): void {
	const index = context.builder.addEqualityConstraint({
		...row,
		attributes: {
			...Object.fromEntries(custom),
			'mujoco:equality_constraint_target_kind': kind,
			'mujoco:equality_constraint_target': target,
			'mujoco:equality_constraint_objtype': object,
		},
	});
	context.sources.equalities.set(index, element);
}

function commonOf(context: MjcfContext, attributes: Attributes): { readonly label: string; readonly enabled: boolean } {
	const name = attributes.text('name') ?? '';
	const model = context.document.modelName;
	const enabled = (attributes.word('active') ?? 'true') === 'true';
	return { label: model && name !== '' ? `${model}/${name}` : name, enabled };
}
