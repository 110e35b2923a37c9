import { quote } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { readLight, readSensor } from './read-sensors.ts';
import { readShape } from './read-shapes.ts';
import {
	SDF_JOINT_TYPES,
	type SdfAxis,
	type SdfFrame,
	type SdfInertial,
	type SdfJoint,
	type SdfJointType,
	type SdfLink,
	type SdfMimic,
	type SdfModel,
	type SdfShape,
	type SdfWorld,
} from './sdf-document.ts';
import type { SdfValues } from './sdf-values.ts';

/** Content of a model that goes into the one around it. */
export interface MergedModel {
	readonly isMerged: true;
	readonly links: readonly SdfLink[];
	readonly joints: readonly SdfJoint[];
	readonly frames: readonly SdfFrame[];
	readonly models: readonly SdfModel[];
	readonly others: readonly XmlElement[];
}

/** How models are read. */
export interface ModelReaderOptions {
	/** The model that an `include` means. */
	readonly include: (element: XmlElement, depth: number) => SdfModel | MergedModel | undefined;
	readonly maxDepth: number;
	readonly maxModels: number;
}

/** Reads worlds and models. */
export class ModelReader {
	readonly #values: SdfValues;
	readonly #options: ModelReaderOptions;
	#count = 0;

	constructor(values: SdfValues, options: ModelReaderOptions) {
		this.#values = values;
		this.#options = options;
	}

	world(element: XmlElement, version: string): SdfWorld {
		const content = this.#content(element, version, 0);
		const values = this.#values;
		return {
			element,
			name: values.name(element) ?? 'world',
			models: content.models,
			frames: content.frames,
			joints: content.joints,
			lights: element.childrenNamed('light').flatMap((light) => readLight(light, values) ?? []),
			others: content.others,
		};
	}

	/** Models of a file beside worlds, written in place or included. */
	models(root: XmlElement, version: string): readonly SdfModel[] {
		return this.#content(root, version, 0, ['model', 'include']).models;
	}

	/** A model; undefined, with a finding, when it has no name or there are too many. */
	model(element: XmlElement, version: string, depth: number): SdfModel | undefined {
		const values = this.#values;
		const name = values.name(element);
		if (name === undefined) return undefined;
		this.#count++;
		if (depth > this.#options.maxDepth || this.#count > this.#options.maxModels) {
			const what =
				depth > this.#options.maxDepth ? `nested ${depth} deep` : `one of more than ${this.#options.maxModels}`;
			if (depth > this.#options.maxDepth || this.#count === this.#options.maxModels + 1) {
				values.report('SDF010', `model ${quote(name)} is ${what}, the rest is left out`, element);
			}
			return undefined;
		}
		return {
			element,
			name,
			pose: values.pose(element),
			placementFrame: element.get('placement_frame') || undefined,
			isStatic: values.bool(element, 'static') ?? false,
			selfCollide: values.bool(element, 'self_collide'),
			canonicalLink: element.get('canonical_link') || undefined,
			...this.#content(element, version, depth),
		};
	}

	#content(
		element: XmlElement,
		version: string,
		depth: number,
		tags: readonly string[] = PARTS,
	): Omit<MergedModel, 'isMerged'> {
		const values = this.#values;
		const content = {
			links: [] as SdfLink[],
			joints: [] as SdfJoint[],
			frames: [] as SdfFrame[],
			models: [] as SdfModel[],
			others: [] as XmlElement[],
		};
		const seen = new Map<string, XmlElement>();
		const keep = <T extends { readonly name: string; readonly element: XmlElement }>(
			list: T[],
			item: T | undefined,
		): void => {
			if (item === undefined) return;
			const first = seen.get(item.name);
			if (first === undefined) {
				seen.set(item.name, item.element);
				list.push(item);
				return;
			}
			const message = `<${item.element.name}> ${quote(item.name)} is there already, in line ${first.line}; this one is left out`;
			values.report('SDF004', message, item.element);
		};
		for (const child of element.children) {
			if (OTHERS.has(child.name)) content.others.push(child);
			if (!tags.includes(child.name)) continue;
			if (child.name === 'link') keep(content.links, this.#link(child));
			else if (child.name === 'joint') keep(content.joints, this.#joint(child, version));
			else if (child.name === 'frame') keep(content.frames, this.#frame(child));
			else if (child.name === 'model') keep(content.models, this.model(child, version, depth + 1));
			else {
				const found = this.#options.include(child, depth);
				if (found === undefined) continue;
				if (!('isMerged' in found)) keep(content.models, found);
				else {
					for (const link of found.links) keep(content.links, link);
					for (const joint of found.joints) keep(content.joints, joint);
					for (const frame of found.frames) keep(content.frames, frame);
					for (const model of found.models) keep(content.models, model);
					content.others.push(...found.others);
				}
			}
		}
		return content;
	}

	#link(element: XmlElement): SdfLink | undefined {
		const values = this.#values;
		const name = values.name(element);
		if (name === undefined) return undefined;
		const shapes = (tag: string): SdfShape[] =>
			element.childrenNamed(tag).flatMap((shape) => readShape(shape, values) ?? []);
		const inertial = element.child('inertial');
		if (inertial === undefined && values.bool(element.parent, 'static') !== true) {
			const message = `link ${quote(name)} has no <inertial>: SDF gives it 1 kg and an inertia of 1 kg m²`;
			values.report('SDF014', message, element);
		}
		return {
			element,
			name,
			pose: values.pose(element),
			inertial: inertial && readInertial(inertial, values),
			visuals: shapes('visual'),
			collisions: shapes('collision'),
			lights: element.childrenNamed('light').flatMap((light) => readLight(light, values) ?? []),
			sensors: element.childrenNamed('sensor').flatMap((sensor) => readSensor(sensor, values) ?? []),
			others: element.children.filter((child) => OTHERS.has(child.name)),
		};
	}

	#frame(element: XmlElement): SdfFrame | undefined {
		const name = this.#values.name(element);
		if (name === undefined) return undefined;
		return { element, name, attachedTo: element.get('attached_to') ?? '', pose: this.#values.pose(element) };
	}

	#joint(element: XmlElement, version: string): SdfJoint | undefined {
		const values = this.#values;
		const name = values.name(element);
		if (name === undefined) return undefined;
		const parent = values.text(element, 'parent');
		const child = values.text(element, 'child');
		if (!parent || !child) {
			values.missing(element, `joint ${quote(name)} has no <${parent ? 'child' : 'parent'}>`);
			return undefined;
		}
		const type = this.#jointType(element, name);
		return {
			element,
			name,
			type,
			parent,
			child,
			pose: values.pose(element),
			axes: this.#axes(element, type, version),
			threadPitch: values.number(element, 'screw_thread_pitch') ?? values.number(element, 'thread_pitch'),
			gearboxRatio: values.number(element, 'gearbox_ratio'),
			sensors: element.childrenNamed('sensor').flatMap((sensor) => readSensor(sensor, values) ?? []),
		};
	}

	#jointType(element: XmlElement, name: string): SdfJointType {
		const type = element.get('type')?.trim() ?? '';
		if ((SDF_JOINT_TYPES as readonly string[]).includes(type)) return type as SdfJointType;
		const found = type === '' ? 'no type' : `the type ${quote(type)}`;
		const message = `joint ${quote(name)} has ${found}, expected one of ${SDF_JOINT_TYPES.join(', ')}; fixed is taken`;
		this.#values.report('SDF012', message, element);
		return 'fixed';
	}

	#axes(joint: XmlElement, type: SdfJointType, version: string): SdfAxis[] {
		if (type === 'fixed' || type === 'ball') return [];
		const tags = type === 'universal' || type === 'revolute2' || type === 'gearbox' ? ['axis', 'axis2'] : ['axis'];
		return tags.flatMap((tag) => {
			const element = joint.child(tag);
			if (element !== undefined) return [readAxis(element, type, version, this.#values)];
			if (tag === 'axis2' && type === 'gearbox') return [];
			this.#values.missing(joint, `joint ${quote(joint.get('name') ?? '')} has no <${tag}>, 0 0 1 is taken`);
			return [readAxis(joint, type, version, this.#values, true)];
		});
	}
}

/** Elements that make up a model. */
const PARTS: readonly string[] = ['link', 'joint', 'frame', 'model', 'include'];

/** Elements that are items of their own, but no part of a robot. */
const OTHERS: ReadonlySet<string> = new Set([
	'plugin',
	'actor',
	'gripper',
	'projector',
	'battery',
	'audio_sink',
	'audio_source',
	'particle_emitter',
	'road',
	'population',
]);

function readInertial(element: XmlElement, values: SdfValues): SdfInertial {
	const tensor = element.child('inertia');
	const entry = (name: string, fallback: number): number => values.number(tensor, name) ?? fallback;
	let mass = values.number(element, 'mass') ?? 1;
	const isAuto = /^(?:true|1)$/i.test(element.get('auto') ?? '');
	if (isAuto) values.report('SDF015', 'the mass comes from the volumes of the collisions', element);
	if (mass < 0) {
		values.report('SDF011', `the mass is ${mass} kg, expected 0 or more; 0 kg is taken`, element.child('mass')!);
		mass = 0;
	}
	return {
		element,
		isAuto,
		density: values.number(element, 'density'),
		pose: values.pose(element),
		mass,
		inertia: [entry('ixx', 1), entry('iyy', 1), entry('izz', 1), entry('ixy', 0), entry('ixz', 0), entry('iyz', 0)],
	};
}

/** What a limit that is none is written as. */
const UNLIMITED = 1e16;

function readAxis(
	element: XmlElement,
	type: SdfJointType,
	version: string,
	values: SdfValues,
	isMissing = false,
): SdfAxis {
	const axis = isMissing ? undefined : element;
	const direction = axis?.child('xyz');
	let [x, y, z] = values.vector(axis, 'xyz', [0, 0, 1]);
	const length = Math.hypot(x, y, z);
	if (length > 0) [x, y, z] = [x / length, y / length, z / length];
	else {
		values.report('SDF003', 'the axis is 0 0 0, expected a direction; 0 0 1 is taken', direction ?? element);
		[x, y, z] = [0, 0, 1];
	}
	const limit = axis?.child('limit');
	const dynamics = axis?.child('dynamics');
	const isEndless = type === 'continuous';
	const lower = isEndless ? -UNLIMITED : (values.bound(limit, 'lower') ?? -UNLIMITED);
	const upper = isEndless ? UNLIMITED : (values.bound(limit, 'upper') ?? UNLIMITED);
	const atLeastZero = (value: number | undefined): number | undefined =>
		value === undefined || value < 0 || value >= UNLIMITED ? undefined : value;
	// before 1.5 an axis was always given in the frame of the model
	const isOfModel = values.bool(axis, 'use_parent_model_frame') ?? isBefore(version, 1, 5);
	const mimic = axis?.child('mimic');
	return {
		element,
		xyz: [x, y, z],
		expressedIn: direction?.get('expressed_in') || (isOfModel ? '__model__' : ''),
		lower: lower <= -UNLIMITED ? Number.NEGATIVE_INFINITY : lower,
		upper: upper >= UNLIMITED ? Number.POSITIVE_INFINITY : upper,
		effort: atLeastZero(values.bound(limit, 'effort')),
		velocity: atLeastZero(values.bound(limit, 'velocity')),
		damping: values.number(dynamics, 'damping'),
		friction: values.number(dynamics, 'friction'),
		springStiffness: values.number(dynamics, 'spring_stiffness') ?? 0,
		springReference: values.number(dynamics, 'spring_reference') ?? 0,
		initialPosition: values.number(axis, 'initial_position'),
		mimic: mimic && readMimic(mimic, values),
	};
}

function readMimic(element: XmlElement, values: SdfValues): SdfMimic | undefined {
	const joint = element.get('joint');
	if (joint === undefined || joint === '') {
		values.missing(element, "<mimic> has no 'joint'");
		return undefined;
	}
	return {
		element,
		joint,
		axis: element.get('axis') ?? 'axis',
		multiplier: values.number(element, 'multiplier') ?? 1,
		offset: values.number(element, 'offset') ?? 0,
		reference: values.number(element, 'reference') ?? 0,
	};
}

function isBefore(version: string, major: number, minor: number): boolean {
	const [a = 0, b = 0] = version.split('.').map(Number);
	return a < major || (a === major && b < minor);
}
