import { quote, type Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import {
	readSdf,
	type SdfAxis,
	type SdfDocument,
	type SdfFileContent,
	type SdfFrame,
	SdfFrames,
	type SdfJoint,
	type SdfJointType,
	type SdfLight,
	type SdfLink,
	type SdfModel,
	type SdfSensor,
} from '@manyworlds/formats';
import type { AssetStore } from '@manyworlds/usd';
import { createDiagnostic } from '../diagnostics.ts';
import type {
	ConversionBody,
	ConversionFrame,
	ConversionJoint,
	ConversionMimic,
	ConversionModel,
	ConversionOther,
	JointFreedom,
	JointKind,
} from '../model/conversion-model.ts';
import { compose, identityPose, inverse, turned } from '../model/pose.ts';
import { MeshFiles, modelCandidates } from './mesh-files.ts';
import { orderJoints } from './order-joints.ts';
import { lightOf, SdfSensors, type SensorPlace } from './sdf-sensors.ts';
import { SdfShapes } from './sdf-shapes.ts';

/** Reads the models of an SDF file with their meshes; undefined when there are none, which the report says. */
export function fromSdf(
	source: Uint8Array | string,
	file: string,
	store: AssetStore,
	report: Report,
): ConversionModel | undefined {
	const document = readSdf(source, { file, report, load: (address, from) => load(address, from, store) });
	return new SdfFront(document, new MeshFiles(store, file, report), report).read();
}

function load(address: string, from: string, store: AssetStore): SdfFileContent {
	let failed: SdfFileContent = { file: address, failure: '' };
	// a folder of another name may hold a model.sdf too, which is another model
	const isNamed = (candidate: string): boolean => {
		const name = /^model:\/\/([^/]+)\//.exec(address)?.[1];
		return name === undefined || candidate.split('/').includes(name);
	};
	for (const candidate of modelCandidates(address, from).filter(isNamed)) {
		const { identifier, refusal } = store.identify(candidate, from);
		const content = refusal === undefined ? store.bytes(identifier) : { failure: refusal };
		if (content instanceof Uint8Array) return { file: identifier, content };
		if (content === undefined) failed = { file: identifier, failure: 'it is not loaded yet' };
		else if (content.failure !== '') failed = { file: identifier, failure: content.failure };
	}
	return failed;
}

/** A model where it stands. */
interface Placed {
	readonly model: SdfModel;
	readonly frames: SdfFrames;
	/** In the world. */
	readonly pose: Float64Array;
	/** What comes before names of its parts: that of the models around, each with `::`. */
	readonly prefix: string;
	/** The same with the outermost model, which names leave out when it is the only one. */
	readonly path: string;
	readonly isStatic: boolean;
}

/** A joint before the trees are known. */
interface Jointed {
	readonly joint: ConversionJoint;
	readonly source: SdfJoint;
	readonly prefix: string;
}

class SdfFront {
	readonly #document: SdfDocument;
	readonly #report: Report;
	readonly #shapes: SdfShapes;
	readonly #sensors: SdfSensors;
	readonly #bodies: ConversionBody[] = [];
	/** Bodies by their paths. */
	readonly #bodyOf = new Map<string, number>();
	readonly #joints: Jointed[] = [];
	readonly #anchors: ConversionJoint[] = [];
	readonly #frames: ConversionFrame[] = [];
	readonly #others: ConversionOther[] = [];
	readonly #lights: ConversionModel['lights'][number][] = [];
	/** Sensors at joints, which get their indices when the trees are known. */
	readonly #jointSensors: { readonly joint: ConversionJoint; readonly sensor: SdfSensor }[] = [];

	constructor(document: SdfDocument, meshes: MeshFiles, report: Report) {
		this.#document = document;
		this.#report = report;
		this.#shapes = new SdfShapes(meshes, report);
		this.#sensors = new SdfSensors(this.#others);
	}

	read(): ConversionModel | undefined {
		const [world, ...rest] = this.#document.worlds;
		for (const other of rest) this.#other(other.element, `the world ${quote(other.name)} beside the first`);
		const models = [...(world?.models ?? []), ...this.#document.models];
		const root = new SdfFrames({ joints: world?.joints ?? [], frames: world?.frames ?? [], models }, this.#report);
		for (const model of models) {
			const path = `${model.name}::`;
			this.#place({
				model,
				frames: root.nested(model.name)!,
				pose: root.pose(model.name, model.element),
				prefix: models.length === 1 ? '' : path,
				path,
				isStatic: model.isStatic,
			});
		}
		if (this.#bodies.length === 0) return undefined;
		const here = { frames: root, pose: identityPose(), path: '', prefix: '', isStatic: false };
		for (const joint of world?.joints ?? []) this.#joint(joint, here);
		for (const frame of world?.frames ?? []) this.#frame(frame, here);
		for (const light of [...(world?.lights ?? []), ...this.#document.lights]) {
			this.#light(light, -1, root.poseOf(light.pose, '__model__', light.element));
		}
		for (const other of world?.others ?? []) this.#other(other);
		return this.#finish(models.length === 1 ? models[0]!.name : (world?.name ?? 'robot'), models);
	}

	#finish(name: string, models: readonly SdfModel[]): ConversionModel {
		const all = this.#joints.map(({ joint }) => joint);
		const { joints, loops } = orderJoints(this.#bodies.length, [...this.#anchors, ...all]);
		const selfCollides = models.map(({ selfCollide }) => selfCollide).find((own) => own !== undefined);
		const indexOf = new Map(joints.map((joint, index) => [joint.name, index]));
		for (const { joint, sensor } of this.#jointSensors) {
			const index = indexOf.get(joint.name);
			this.#sensors.add(sensor, {
				body: joint.child,
				pose: compose(joint.childFrame, sensor.pose.values),
				...(index === undefined ? {} : { joint: index }),
			});
		}
		return {
			name,
			format: 'sdf',
			bodies: this.#bodies,
			joints,
			loops,
			mimics: this.#mimics(indexOf),
			frames: this.#frames,
			shapes: this.#shapes.shapes,
			meshes: this.#shapes.meshes,
			materials: this.#shapes.materials,
			filters: [],
			lights: this.#lights,
			cameras: this.#sensors.cameras,
			sensors: this.#sensors.sensors,
			interfaces: [],
			others: this.#others,
			...(selfCollides === undefined ? {} : { selfCollides }),
		};
	}

	/** Enters a model and those in it; their links first, so that joints find them. */
	#place(outer: Placed): void {
		const all: Placed[] = [];
		const open = [outer];
		for (let next = open.pop(); next !== undefined; next = open.pop()) {
			all.push(next);
			const { model, frames, pose, prefix, path, isStatic } = next;
			for (const nested of model.models.toReversed()) {
				open.push({
					model: nested,
					frames: frames.nested(nested.name)!,
					pose: compose(pose, frames.pose(nested.name, nested.element)),
					prefix: `${prefix}${nested.name}::`,
					path: `${path}${nested.name}::`,
					isStatic: isStatic || nested.isStatic,
				});
			}
		}
		for (const placed of all) for (const link of placed.model.links) this.#link(link, placed);
		for (const placed of all) {
			for (const joint of placed.model.joints) this.#joint(joint, placed);
			for (const frame of placed.model.frames) this.#frame(frame, placed);
			for (const other of placed.model.others) this.#other(other);
		}
	}

	#link(link: SdfLink, { frames, pose, prefix, path, isStatic }: Placed): void {
		const body = this.#bodies.length;
		const local = frames.pose(link.name, link.element);
		const name = `${prefix}${link.name}`;
		this.#bodyOf.set(`${path}${link.name}`, body);
		const inLink: SensorPlace = (own, at) => {
			if (own.relativeTo === '' || own.relativeTo === link.name) return own.values;
			return compose(inverse(local), frames.poseOf(own, link.name, at));
		};
		const colliders = this.#shapes.add(link, body, inLink);
		const inertia = this.#shapes.inertiaOf(link, colliders);
		const placed = compose(pose, local);
		this.#bodies.push({ name, inertia, pose: placed, ...(isStatic ? { isStatic } : {}), from: link.element.location });
		if (isStatic) this.#anchors.push(anchor(name, body, placed, link.element));
		for (const light of link.lights) this.#light(light, body, inLink(light.pose, light.element));
		for (const sensor of link.sensors) {
			const shape = this.#shapes.named(colliders, sensor.collisions[0]);
			this.#sensors.add(sensor, {
				body,
				pose: inLink(sensor.pose, sensor.element),
				...(shape === undefined ? {} : { shape }),
			});
		}
		for (const other of link.others) this.#other(other);
	}

	#light(light: SdfLight, body: number, pose: Float64Array): void {
		this.#lights.push(lightOf(light, body, pose));
	}

	#frame(frame: SdfFrame, { frames, pose, prefix, path }: Omit<Placed, 'model'>): void {
		// what stands for the frame of a merged model is no frame of the source
		if (frame.element.name !== 'frame') return;
		const body = this.#end(frame.name, frames, path, frame.element);
		if (body === undefined) return;
		const placed = compose(pose, frames.pose(frame.name, frame.element));
		this.#frames.push({
			name: `${prefix}${frame.name}`,
			body,
			pose: body < 0 ? placed : compose(inverse(this.#bodies[body]!.pose), placed),
			from: frame.element.location,
		});
	}

	#joint(source: SdfJoint, placed: Omit<Placed, 'model'>): void {
		const { frames, pose, prefix, path, isStatic } = placed;
		const { element, name } = source;
		if (isStatic) {
			this.#others.push({
				kind: 'joint',
				name: `${prefix}${name}`,
				code: 'joint-locked',
				what: 'the joint of a model that stands fast',
				from: element.location,
			});
			return;
		}
		const parent = this.#end(source.parent, frames, path, element);
		const child = this.#end(source.child, frames, path, element);
		if (parent === undefined || child === undefined) return;
		if (child < 0 || parent === child) {
			const what = child < 0 ? 'moves the world' : `holds ${quote(this.#bodies[child]!.name)} to itself`;
			this.#report.add(createDiagnostic('CNV008', `joint ${quote(name)} ${what}; it is left out`, element.location));
			return;
		}
		const at = frames.pose(name, element);
		const world = compose(pose, at);
		const frameIn = (body: number): Float64Array =>
			body < 0 ? world : compose(inverse(this.#bodies[body]!.pose), world);
		// a pose in the child itself needs no way through the world
		const isInChild = this.#bodyOf.has(`${path}${source.child}`) && /^$/.test(source.pose.relativeTo);
		const joint: ConversionJoint = {
			name: `${prefix}${name}`,
			kind: KINDS[source.type],
			parent,
			child,
			parentFrame: frameIn(parent),
			childFrame: isInChild ? source.pose.values : frameIn(child),
			freedoms: source.axes
				.slice(0, KINDS[source.type] === 'compound' ? 2 : 1)
				.map((axis) => freedomOf(axis, source.type, directionOf(axis, at, frames))),
			from: element.location,
		};
		this.#joints.push({ joint, source, prefix });
		if (source.type === 'screw' || source.type === 'gearbox') this.#coupling(joint.name, source);
		for (const sensor of source.sensors) this.#jointSensors.push({ joint, sensor });
	}

	/** The body that a frame moves with, -1 for the world; undefined when it leads nowhere, which is reported. */
	#end(name: string, frames: SdfFrames, path: string, at: XmlElement): number | undefined {
		const link = frames.link(name, at);
		if (link === undefined || link === '') return link === undefined ? undefined : -1;
		return this.#bodyOf.get(`${path}${link}`);
	}

	/** What couples the two motions of a screw, or two joints of a gearbox, has no place in the model. */
	#coupling(name: string, { type, element, threadPitch, gearboxRatio }: SdfJoint): void {
		const what =
			type === 'screw'
				? `the thread (${threadPitch ?? 1}) of the screw joint, which turns only,`
				: `the ratio (${gearboxRatio ?? 1}) of the gearbox joint`;
		this.#others.push({ kind: 'equality', name, code: 'joint-kind', what, from: element.location });
	}

	#mimics(indexOf: ReadonlyMap<string, number>): ConversionMimic[] {
		return this.#joints.flatMap(({ joint, source, prefix }) => {
			const mimic = source.axes[0]?.mimic;
			const follower = indexOf.get(joint.name);
			if (mimic === undefined || follower === undefined) return [];
			const leader = indexOf.get(`${prefix}${mimic.joint}`);
			if (leader === undefined || mimic.axis !== 'axis') {
				const message = `joint ${quote(source.name)} follows ${quote(mimic.joint)}, expected a joint of the robot`;
				this.#report.add(createDiagnostic('CNV007', message, mimic.element.location));
				return [];
			}
			const { multiplier, offset, reference, element } = mimic;
			return [{ follower, leader, multiplier, offset: offset - multiplier * reference, from: element.location }];
		});
	}

	#other(element: XmlElement, what = `<${element.name}> of <${element.parent?.name ?? 'sdf'}>`): void {
		const isPlugin = element.name === 'plugin';
		this.#others.push({
			kind: isPlugin ? 'plugin' : 'metadata',
			name: element.get('name') ?? '',
			code: isPlugin ? 'plugin' : 'metadata',
			what,
			from: element.location,
		});
	}
}

const KINDS: Readonly<Record<SdfJointType, JointKind>> = {
	revolute: 'revolute',
	continuous: 'revolute',
	prismatic: 'prismatic',
	fixed: 'fixed',
	ball: 'spherical',
	universal: 'compound',
	revolute2: 'compound',
	screw: 'revolute',
	gearbox: 'revolute',
};

/** A link of a model that stands fast is held by the world. */
function anchor(name: string, child: number, pose: Float64Array, element: XmlElement): ConversionJoint {
	return {
		name: `${name}_anchor`,
		kind: 'fixed',
		parent: -1,
		child,
		parentFrame: pose,
		childFrame: identityPose(),
		freedoms: [],
		from: element.location,
	};
}

/** The direction of an axis in the frame of its joint. */
function directionOf(axis: SdfAxis, joint: Float64Array, frames: SdfFrames): readonly [number, number, number] {
	if (axis.expressedIn === '') return axis.xyz;
	return turned(compose(inverse(joint), frames.pose(axis.expressedIn, axis.element)), axis.xyz);
}

function freedomOf(axis: SdfAxis, type: SdfJointType, direction: readonly [number, number, number]): JointFreedom {
	const { lower, upper, effort, velocity, damping, friction, springStiffness, springReference } = axis;
	return {
		motion: type === 'prismatic' ? 'slide' : 'turn',
		axis: direction,
		lower,
		upper,
		...(effort === undefined ? {} : { effort }),
		...(velocity === undefined ? {} : { velocity }),
		...(damping === undefined ? {} : { damping }),
		...(friction === undefined ? {} : { friction }),
		...(springStiffness > 0
			? { drive: { stiffness: springStiffness, damping: 0, position: springReference, velocity: 0 } }
			: {}),
		start: axis.initialPosition ?? 0,
	};
}
