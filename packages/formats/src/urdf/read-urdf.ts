import { quote, Report } from '@manyworlds/core';
import { readXml, type XmlElement } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { readGeometryGroup, readMaterial, readPose } from './read-geometry.ts';
import { reportUnread } from './unread-elements.ts';
import type { UrdfDocument, UrdfInertial, UrdfJoint, UrdfJointType, UrdfLink, UrdfRobot } from './urdf-document.ts';
import { UrdfValues } from './urdf-values.ts';

/** Options of {@link readUrdf}. @public */
export interface ReadUrdfOptions {
	/** Name of the file for diagnostics. */
	readonly file?: string;
	readonly report?: Report;
}

/**
 * Reads a URDF file or text. Never throws on bad input: what is wrong is reported where it stands and left out, what URDF
 * does not know is reported too.
 *
 * ```ts
 * const { robot } = readUrdf('<robot name="arm"><link name="base"/></robot>', { report });
 * ```
 * @public
 */
export function readUrdf(source: string | Uint8Array, options: ReadUrdfOptions = {}): UrdfDocument {
	const report = options.report ?? new Report();
	const xml = readXml(source, { ...(options.file === undefined ? {} : { file: options.file }), report });
	const { root } = xml;
	if (root === undefined) return { xml, robot: undefined };
	if (root.name !== 'robot') {
		const message = `the outermost element is <${root.name}>, expected <robot>`;
		report.add(createDiagnostic('URDF001', message, root.location));
		return { xml, robot: undefined };
	}
	const template = findXacro(root);
	if (template !== undefined) {
		const message = `found ${template.what}, expected a URDF: expand the template first, xacro FILE > robot.urdf`;
		report.add(createDiagnostic('URDF007', message, template.element.location));
		return { xml, robot: undefined };
	}
	return { xml, robot: readRobot(root, new UrdfValues(report), report) };
}

function readRobot(root: XmlElement, values: UrdfValues, report: Report): UrdfRobot {
	const others = reportUnread(root, report);
	const links = named(root.childrenNamed('link'), values, (element, name) => readLink(element, name, values));
	const names = new Set(links.map((link) => link.name));
	const joints = named(root.childrenNamed('joint'), values, (element, name) => readJoint(element, name, names, values));
	const materials = root.childrenNamed('material').map((element) => readMaterial(element, values));
	for (const { name, element } of materials)
		if (name === undefined) values.missing(element, "<material> has no 'name'");
	if (links.length === 0) values.missing(root, '<robot> has no <link>');
	return { element: root, name: root.get('name') || undefined, links, joints, materials, others };
}

/** Elements with a name each; those without one, or with one that is taken, are reported and left out. */
function named<T>(
	elements: readonly XmlElement[],
	values: UrdfValues,
	read: (element: XmlElement, name: string) => T | undefined,
): T[] {
	const seen = new Map<string, XmlElement>();
	const out: T[] = [];
	for (const element of elements) {
		const name = values.required(element, 'name');
		if (name === undefined) continue;
		const first = seen.get(name);
		if (first !== undefined) {
			values.report(
				'URDF004',
				`<${element.name}> ${quote(name)} is there already, in line ${first.line}; this one is left out`,
				element,
			);
			continue;
		}
		seen.set(name, element);
		const item = read(element, name);
		if (item !== undefined) out.push(item);
	}
	return out;
}

function readLink(element: XmlElement, name: string, values: UrdfValues): UrdfLink {
	const inertial = element.child('inertial');
	const groups = (tag: string) => element.childrenNamed(tag).flatMap((group) => readGeometryGroup(group, values) ?? []);
	return {
		element,
		name,
		inertial: inertial === undefined ? undefined : readInertial(inertial, values),
		visuals: groups('visual'),
		collisions: groups('collision'),
	};
}

const INERTIA = ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'];

function readInertial(element: XmlElement, values: UrdfValues): UrdfInertial {
	const inertia = element.child('inertia');
	const mass = element.child('mass');
	let kilograms = mass === undefined ? undefined : (values.number(mass, 'value') ?? 0);
	if (mass !== undefined && mass.attribute('value') === undefined)
		values.missing(mass, "<mass> has no 'value', 0 kg is taken");
	if (kilograms !== undefined && kilograms < 0) {
		values.report('URDF011', `the mass is ${kilograms} kg, expected 0 or more; 0 kg is taken`, mass!);
		kilograms = 0;
	}
	return {
		element,
		origin: readPose(element, values),
		mass: kilograms,
		inertia: inertia === undefined ? undefined : INERTIA.map((name) => values.number(inertia, name) ?? 0),
	};
}

const TYPES: readonly string[] = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'];

function readJoint(
	element: XmlElement,
	name: string,
	links: ReadonlySet<string>,
	values: UrdfValues,
): UrdfJoint | undefined {
	const parent = readEnd(element, 'parent', links, values);
	const child = readEnd(element, 'child', links, values);
	if (parent === undefined || child === undefined) return undefined;
	const axis = element.child('axis');
	const type = readType(element, name, values);
	const hasAxis = type !== 'fixed' && type !== 'floating';
	const limit = element.child('limit');
	const dynamics = element.child('dynamics');
	return {
		element,
		name,
		type,
		parent,
		child,
		origin: readPose(element, values),
		axis: readAxis(hasAxis ? axis : undefined, values),
		axisElement: axis,
		limit: limit && {
			element: limit,
			lower: values.bound(limit, 'lower'),
			upper: values.bound(limit, 'upper'),
			effort: values.bound(limit, 'effort'),
			velocity: values.bound(limit, 'velocity'),
		},
		dynamics: dynamics && {
			element: dynamics,
			damping: values.number(dynamics, 'damping'),
			friction: values.number(dynamics, 'friction'),
		},
		mimic: readMimic(element, values),
	};
}

function readType(element: XmlElement, name: string, values: UrdfValues): UrdfJointType {
	const type = element.get('type')?.trim();
	if (type !== undefined && TYPES.includes(type)) return type as UrdfJointType;
	const found = type === undefined ? 'no type' : `the type ${quote(type)}`;
	values.report(
		'URDF012',
		`joint ${quote(name)} has ${found}, expected one of ${TYPES.join(', ')}; fixed is taken`,
		element,
	);
	return 'fixed';
}

/** The link at one end of a joint. */
function readEnd(
	joint: XmlElement,
	tag: 'parent' | 'child',
	links: ReadonlySet<string>,
	values: UrdfValues,
): string | undefined {
	const element = joint.child(tag);
	if (element === undefined) {
		values.missing(joint, `joint ${quote(joint.get('name') ?? '')} has no <${tag}>`);
		return undefined;
	}
	const link = values.required(element, 'link');
	if (link === undefined || links.has(link)) return link;
	values.report(
		'URDF005',
		`joint ${quote(joint.get('name') ?? '')} has the ${tag} ${quote(link)}, expected a link of the robot`,
		element,
	);
	return undefined;
}

function readAxis(element: XmlElement | undefined, values: UrdfValues): [number, number, number] {
	const axis = values.vector(element, 'xyz', [1, 0, 0]);
	if (element === undefined || axis.some((x) => x !== 0)) return axis;
	values.report('URDF003', 'the axis is 0 0 0, expected a direction; 1 0 0 is taken', element);
	return [1, 0, 0];
}

function readMimic(joint: XmlElement, values: UrdfValues): UrdfJoint['mimic'] {
	const element = joint.child('mimic');
	const leader = element && values.required(element, 'joint');
	if (element === undefined || leader === undefined) return undefined;
	return {
		element,
		joint: leader,
		multiplier: values.number(element, 'multiplier') ?? 1,
		offset: values.number(element, 'offset') ?? 0,
	};
}

/** The first sign that a file is a template: an element of xacro, or an expression in a value. */
function findXacro(root: XmlElement): { readonly element: XmlElement; readonly what: string } | undefined {
	const open = [root];
	for (let element = open.pop(); element !== undefined; element = open.pop()) {
		if (element.name.startsWith('xacro:')) return { element, what: `<${element.name}>` };
		const expression = element.attributes.find(({ value }) => /\$[{(]/.test(value));
		if (expression !== undefined) return { element, what: `the expression ${quote(expression.value)}` };
		for (let i = element.children.length - 1; i >= 0; i--) open.push(element.children[i]!);
	}
	return undefined;
}
