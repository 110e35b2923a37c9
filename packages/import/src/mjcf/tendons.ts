import { quote } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
import { ShapeFlags } from '@manyworlds/model';
import type { Attributes } from './attributes.ts';
import { shapesByLabelEnd } from './contacts.ts';
import { type MjcfContext, plainName } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';

const KIND = { FIXED: 0, SPATIAL: 1 } as const;
const WRAP = { SITE: 0, GEOM: 1, PULLEY: 2 } as const;

/** Attributes that the path of a tendon gives, not its element. */
const COMPUTED = new Set(
	['world', 'type', 'joint_adr', 'joint_num', 'wrap_adr', 'wrap_num', 'articulation'].map(
		(name) => `mujoco:tendon_${name}`,
	),
);

/** Imports a `tendon` section: fixed ones, then spatial ones. */
export function addTendons(context: MjcfContext, section: MjcfElement): void {
	const inOrder = context.options.newtonCompat
		? [...section.childrenNamed('fixed'), ...section.childrenNamed('spatial')]
		: section.childrenNamed('fixed', 'spatial');
	const finders = { site: shapesBy(context, true), geom: shapesBy(context, false) };
	for (const element of inOrder) {
		const attributes = context.attributes(element, undefined, 'tendon');
		attributes.ignore('rgba', 'tendons have no look here');
		attributes.ignore('width', 'tendons have no look here');
		if (element.name === 'fixed') addFixed(context, attributes);
		else addSpatial(context, attributes, finders);
	}
}

function addFixed(context: MjcfContext, attributes: Attributes): void {
	const { builder } = context;
	const start = builder.rowCount('mujoco:tendon_joint');
	const entries: (readonly [joint: number, coefficient: number])[] = [];
	for (const element of attributes.element.childrenNamed('joint')) {
		const part = context.attributes(element);
		const name = part.text('joint');
		const joint = name === undefined ? undefined : (context.joints.get(name) ?? context.joints.get(plainName(name)));
		if (joint === undefined) {
			part.fault('MJCF009', 'joint', 'expected a joint of the model');
			continue;
		}
		if (joint.isMerged)
			part.fault('MJCF018', 'joint', 'one of several joints that are one here: the tendon cannot tell which');
		entries.push([joint.joint, part.number('coef', 1)]);
	}
	if (entries.length === 0) {
		context.fault('MJCF009', `${attributes.subject} has no joint of the model; it is left out`, attributes.element);
		return;
	}
	for (const [joint, coefficient] of entries) {
		builder.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': joint, 'mujoco:tendon_coef': coefficient });
	}
	addTendon(context, attributes, KIND.FIXED, { start, count: entries.length }, { start: 0, count: 0 });
}

interface Finders {
	readonly site: (name: string) => number | undefined;
	readonly geom: (name: string) => number | undefined;
}

function addSpatial(context: MjcfContext, attributes: Attributes, finders: Finders): void {
	const { builder } = context;
	const start = builder.rowCount('mujoco:tendon_wrap');
	const rows = attributes.element.children
		.map((element) => wrapRow(context, element, attributes, finders))
		.filter((row) => row !== undefined);
	if (rows.length === 0) {
		context.fault('MJCF009', `${attributes.subject} has no point of the model; it is left out`, attributes.element);
		return;
	}
	for (const row of rows) builder.addRow('mujoco:tendon_wrap', row);
	addTendon(context, attributes, KIND.SPATIAL, { start: 0, count: 0 }, { start, count: rows.length });
}

function wrapRow(
	context: MjcfContext,
	element: MjcfElement,
	tendon: Attributes,
	finders: Finders,
): Record<string, number> | undefined {
	const part = context.attributes(element);
	const find = (name: 'site' | 'geom' | 'sidesite'): number | undefined => {
		const text = part.text(name);
		const shape = text === undefined ? undefined : finders[name === 'geom' ? 'geom' : 'site'](plainName(text));
		if (shape === undefined) part.fault('MJCF009', name, `which the model does not have, in ${tendon.subject}`);
		return shape;
	};
	const row = (type: number, shape: number, side: number, parameter: number): Record<string, number> => ({
		'mujoco:tendon_wrap_type': type,
		'mujoco:tendon_wrap_shape': shape,
		'mujoco:tendon_wrap_sidesite': side,
		'mujoco:tendon_wrap_prm': parameter,
	});
	if (element.name === 'site') {
		const site = find('site');
		return site === undefined ? undefined : row(WRAP.SITE, site, -1, 0);
	}
	if (element.name === 'geom') {
		const geom = find('geom');
		if (geom === undefined) return undefined;
		return row(WRAP.GEOM, geom, part.has('sidesite') ? (find('sidesite') ?? -1) : -1, 0);
	}
	if (element.name === 'pulley') return row(WRAP.PULLEY, -1, -1, part.number('divisor', 0));
	context.fault('MJCF007', `<${element.name}> stands in ${tendon.subject}, expected site, geom or pulley`, element);
	return undefined;
}

interface Rows {
	readonly start: number;
	readonly count: number;
}

function addTendon(context: MjcfContext, attributes: Attributes, type: number, joints: Rows, wraps: Rows): void {
	const { builder } = context;
	const values = readCustomAttributes(context, attributes, 'mujoco:tendon', { except: COMPUTED });
	const row = builder.addRow('mujoco:tendon', {
		...Object.fromEntries(values),
		'mujoco:tendon_world': builder.currentWorld,
		'mujoco:tendon_type': type,
		'mujoco:tendon_joint_adr': joints.start,
		'mujoco:tendon_joint_num': joints.count,
		'mujoco:tendon_wrap_adr': wraps.start,
		'mujoco:tendon_wrap_num': wraps.count,
	});
	const name = attributes.text('name');
	if (name === undefined || name === '') return;
	const key = plainName(name);
	if (context.tendons.has(key)) {
		context.fault('MJCF017', `there are two tendons ${quote(name)}; references mean the last`, attributes.element);
	}
	context.tendons.set(key, row);
}

/** Finds sites or geoms by the end of their labels; sites and geoms may have the same names. */
function shapesBy(context: MjcfContext, wantsSites: boolean): (name: string) => number | undefined {
	const { builder, options } = context;
	const flags = builder.column('shapeFlags');
	const isSite = (shape: number): boolean => (flags[shape]! & ShapeFlags.SITE) !== 0;
	// Newton looks through everything that the builder holds
	const first = options.newtonCompat ? 0 : context.firstShape;
	const found = shapesByLabelEnd(context, first, (shape) => isSite(shape) === wantsSites);
	return (name) =>
		found.get(name) ?? (options.newtonCompat ? undefined : wantsSites ? context.sites.get(name) : undefined);
}
