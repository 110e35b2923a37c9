import type { AssetStore } from '@manyworlds/usd';
import { toScreen } from '../model/colour.ts';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type {
	ConversionJoint,
	ConversionModel,
	ConversionShape,
	JointDrive,
	JointFreedom,
} from '../model/conversion-model.ts';
import { indexBy } from '../model/index-by.ts';
import { compose, identityPose, inverse, isIdentity } from '../model/pose.ts';
import { LEAST_INERTIA, LEAST_MASS } from '../model/split-compounds.ts';
import { tellInventedMass } from '../model/tell-invented-mass.ts';
import { physicalTensor } from '../model/tensor.ts';
import { zeroPoses } from '../model/zero-poses.ts';
import { collisionMasks } from './collision-masks.ts';
import { dropUntouched } from './drop-untouched.ts';
import { dropWorldShapes } from './drop-world-shapes.ts';
import { interfaceNote } from './interface-notes.ts';
import { type DeviceLink, writeSdfDevices } from './sdf-devices.ts';
import { ShapeMeshes } from './shape-meshes.ts';
import type { TargetFile } from './target-files.ts';
import { tellCurve } from './tell-curve.ts';
import { TextureFiles } from './texture-files.ts';
import { scopelessName, UniqueNames } from './unique-names.ts';
import { CHAIN_DEFAULTS, type ChainOptions, withChains } from './with-chains.ts';
import { XmlText } from './xml-text.ts';

/** What a limit that is not there is written as: SDF reads it as none. */
const UNLIMITED = 1e16;

/** Writes a robot as an SDF model with its meshes; the main file comes first. */
export function writeSdf(
	model: ConversionModel,
	mainFile: string,
	store: AssetStore,
	ledger: ConversionLedger,
	options: ChainOptions = {},
): TargetFile[] {
	const chains = options.splitJoints ?? CHAIN_DEFAULTS.splitJoints;
	return new SdfWriter(chains ? withChains(model, ledger) : model, store, ledger).write(mainFile);
}

class SdfWriter {
	readonly #model: ConversionModel;
	readonly #ledger: ConversionLedger;
	readonly #meshes: ShapeMeshes;
	readonly #textures: TextureFiles;
	/** Links, joints and frames of one model must all have different names. */
	readonly #links: readonly (string | undefined)[];
	readonly #joints: readonly string[];
	readonly #loops: readonly string[];
	readonly #names = new UniqueNames(['world']);
	readonly #plugins = new UniqueNames();
	readonly #element: XmlText;
	/** For each body the link that it is part of: itself, or for one without mass the body that carries it, with its pose there. */
	readonly #carriers: readonly Carrier[];
	readonly #poses: readonly Float64Array[];
	/** Shapes by the link that they are on. */
	readonly #shapesOf: ReadonlyMap<number, readonly number[]>;
	readonly #mimicsOf: ReadonlyMap<number, readonly number[]>;
	/** Elements of links, with the names of what is in them. */
	readonly #linkElements = new Map<number, { readonly element: XmlText; readonly names: UniqueNames }>();
	readonly #jointElements = new Map<number, XmlText>();
	/** Names of colliders, which contact sensors use. */
	readonly #colliders = new Map<number, string>();
	/** Bits of what may collide, by body; undefined without pairs that may not, or when SDF cannot say them. */
	readonly #masks: ReadonlyMap<number, number> | undefined;

	constructor(model: ConversionModel, store: AssetStore, ledger: ConversionLedger) {
		this.#model = model;
		this.#ledger = ledger;
		this.#textures = new TextureFiles(store);
		this.#meshes = new ShapeMeshes(model, 'meshes', this.#textures);
		this.#carriers = findCarriers(model);
		this.#poses = zeroPoses(model);
		this.#shapesOf = indexBy(model.shapes, ({ body }) => (body < 0 ? -1 : this.#linkOf(body)));
		this.#mimicsOf = indexBy(model.mimics, ({ follower }) => follower);
		this.#links = model.bodies.map(({ name }, i) => this.#take('body', i, name));
		this.#joints = model.joints.map(({ name }, i) => this.#take('joint', i, name, '_joint'));
		this.#loops = model.loops.map(({ name }, i) => this.#take('loop', i, name, '_joint'));
		this.#element = new XmlText('model', { name: safeName(model.name) });
		const touching = new Set(
			model.shapes.filter(({ role, body }) => role === 'collision' && body >= 0).map(({ body }) => body),
		);
		this.#masks = model.filters.length === 0 ? undefined : collisionMasks([...touching], model.filters, MASK_BITS);
	}

	#take(kind: 'body' | 'joint' | 'loop' | 'frame', index: number, name: string, suffix = ''): string {
		let wanted = safeName(name);
		const taken = this.#names.has(wanted);
		if (taken && suffix !== '') wanted += suffix;
		const given = this.#names.take(wanted);
		this.#ledger.rename(kind, index, name, given);
		return given;
	}

	write(mainFile: string): TargetFile[] {
		const model = this.#model;
		const held = new Map(model.joints.map((joint) => [joint.child, joint]));
		const links = model.bodies.map((_, body) => body).filter((body) => this.#carriers[body]!.body === body);
		const canonical = links.find((body) => !held.has(body)) ?? links[0];
		if (canonical !== undefined) this.#element.set('canonical_link', this.#links[canonical]);
		if (model.selfCollides !== undefined) this.#element.add('self_collide', {}, String(model.selfCollides));
		for (const [body] of model.bodies.entries()) {
			if (this.#carriers[body]!.body === body) this.#writeLink(body);
			else this.#writeFrameLink(body);
		}
		for (const [index, joint] of model.joints.entries()) {
			const isInside =
				joint.kind === 'fixed' && joint.parent >= 0 && this.#linkOf(joint.parent) === this.#linkOf(joint.child);
			const isWorld = joint.kind === 'fixed' && joint.parent < 0 && this.#linkOf(joint.child) < 0;
			if (!isInside && !isWorld) this.#writeJoint('joint', index, joint, this.#joints[index]!);
		}
		for (const [index, joint] of model.loops.entries()) this.#writeJoint('loop', index, joint, this.#loops[index]!);
		for (const [index, { name, body, pose }] of model.frames.entries()) {
			const element = this.#element.add('frame', {
				name: this.#take('frame', index, name, '_frame'),
				attached_to: body < 0 ? undefined : this.#links[body],
			});
			writePose(element, pose);
		}
		this.#tellFilters();
		this.#writeDevices();
		this.#writeInterfaces();
		dropWorldShapes(model, this.#ledger);
		// mimic joints and optical frames came with 1.11
		const isNewer = model.mimics.length > 0 || model.cameras.some(({ opticalFrame }) => opticalFrame !== undefined);
		const root = new XmlText('sdf', { version: isNewer ? '1.11' : '1.9' });
		root.append(this.#element);
		return [{ path: mainFile, content: root.toString() }, ...this.#meshes.files, ...this.#textures.files];
	}

	/** Pairs that do not collide are bits of the colliders, where there are enough of them. */
	#tellFilters(): void {
		for (const [index, [a, b]] of this.#model.filters.entries()) {
			const names = `'${this.#model.bodies[a]?.name}' and '${this.#model.bodies[b]?.name}'`;
			if (this.#masks === undefined) {
				const message = `${names} do not collide, for which the ${MASK_BITS} bits of SDF do not suffice`;
				this.#ledger.drop('filter', index, 'filter', message);
			}
		}
	}

	#writeDevices(): void {
		const linkOf = (body: number): DeviceLink | undefined => {
			const carrier = this.#carriers[body];
			const link = carrier === undefined ? undefined : this.#linkElements.get(carrier.body);
			return link === undefined ? undefined : { ...link, pose: carrier!.pose };
		};
		const holders = new Map(this.#model.joints.map(({ child }, index) => [child, index]));
		writeSdfDevices(
			this.#model,
			{
				linkOf,
				jointOf: (joint) => this.#jointElements.get(joint),
				holderOf: (body) => this.#jointElements.get(holders.get(body) ?? -1),
				colliderOf: (shape, body) =>
					shape === undefined
						? this.#shapesOf
								.get(this.#linkOf(body))
								?.map((own) => this.#colliders.get(own))
								.find((name) => name !== undefined)
						: this.#colliders.get(shape),
				writePose,
				safeName,
			},
			this.#ledger,
		);
	}

	/** A plugin for each topic, service, action and controller: what Gazebo has no elements for. */
	#writeInterfaces(): void {
		for (const [index, item] of this.#model.interfaces.entries()) {
			const isController = item.kind === 'controller';
			const plugin = this.#element.add('plugin', {
				name: this.#plugins.take(item.name || item.kind),
				filename: isController ? 'ros_controller' : 'ros_interface',
			});
			writeNote(plugin, interfaceNote(item, safeName));
			this.#ledger.hold(isController ? 'controller' : 'interface', index);
		}
	}

	/** The link that a body is part of, -1 for the world. */
	#linkOf(body: number): number {
		return this.#carriers[body]!.body;
	}

	/** A body without mass: a frame, as links without mass get 1 kg. Its shapes are on the link that carries it. */
	#writeFrameLink(body: number): void {
		const { body: carrier, pose } = this.#carriers[body]!;
		const element = this.#element.add('frame', {
			name: this.#links[body],
			attached_to: carrier < 0 ? undefined : this.#links[carrier],
		});
		writePose(element, pose);
	}

	#writeLink(body: number): void {
		const { inertia, name } = this.#model.bodies[body]!;
		const element = this.#element.add('link', { name: this.#links[body] });
		writePose(element, this.#poses[body]!);
		if (inertia !== undefined) {
			const inertial = element.add('inertial');
			writePose(inertial, Float64Array.of(...inertia.center, 0, 0, 0, 1));
			inertial.add('mass', {}, inertia.mass);
			const fixed = physicalTensor(inertia.tensor);
			const [ixx, iyy, izz, ixy, ixz, iyz] = fixed ?? inertia.tensor;
			if (fixed !== undefined) {
				const message = `the inertia of '${name}' is that of no solid, for which readers of SDF refuse the file; it is rounded up`;
				this.#ledger.approximate('body', body, 'inertia-unphysical', message);
			}
			const tensor = inertial.add('inertia');
			for (const [key, value] of Object.entries({ ixx, ixy, ixz, iyy, iyz, izz })) tensor.add(key, {}, value);
		} else {
			const inertial = element.add('inertial');
			inertial.add('mass', {}, LEAST_MASS);
			const tensor = inertial.add('inertia');
			for (const key of ['ixx', 'iyy', 'izz']) tensor.add(key, {}, LEAST_INERTIA);
			const message = `'${name}' has no mass and moves; it gets ${LEAST_MASS} kg, as SDF would give it 1 kg`;
			tellInventedMass(this.#ledger, this.#model, body, message);
		}
		const names = new UniqueNames();
		this.#linkElements.set(body, { element, names });
		for (const index of this.#shapesOf.get(body) ?? []) {
			const shape = this.#model.shapes[index]!;
			const pose = compose(this.#carriers[shape.body]!.pose, shape.pose);
			this.#writeShape(element, index, { ...shape, pose }, names);
		}
	}

	#writeShape(link: XmlText, index: number, shape: ConversionShape, names: UniqueNames): void {
		if (dropUntouched(shape, index, 'SDF', this.#ledger)) return;
		const isVisual = shape.role === 'visual';
		const tag = isVisual ? 'visual' : 'collision';
		const name = names.take(safeName(shape.name || tag));
		if (!isVisual) this.#colliders.set(index, name);
		const element = link.add(tag, { name });
		writePose(element, shape.pose);
		this.#writeGeometry(element.add('geometry'), index, shape);
		if (isVisual && shape.material !== undefined) this.#writeMaterial(element, shape.material);
		if (!isVisual) this.#writeSurface(element, index, shape);
	}

	#writeSurface(collision: XmlText, index: number, { contact, masks, body, name }: ConversionShape): void {
		const surface = new XmlText('surface');
		if (contact !== undefined) {
			const { staticFriction, restitution, torsionalFriction } = contact;
			const friction = surface.add('friction');
			const ode = friction.add('ode');
			ode.add('mu', {}, staticFriction);
			ode.add('mu2', {}, staticFriction);
			if (torsionalFriction !== undefined) friction.add('torsional').add('coefficient', {}, torsionalFriction);
			if (restitution > 0) surface.add('bounce').add('restitution_coefficient', {}, restitution);
		}
		const isSymmetric = masks !== undefined && masks[0] === masks[1] && masks[0] < 1 << MASK_BITS;
		const mask = isSymmetric ? masks[0] : this.#masks?.get(body);
		if (mask !== undefined) surface.add('contact').add('collide_bitmask', {}, mask);
		if (masks !== undefined && !isSymmetric) {
			const message = `'${name}' has bits for what it is and for what it touches, SDF has ${MASK_BITS} for both`;
			this.#ledger.approximate('collider', index, 'collision-group', message);
		}
		if (!surface.isEmpty) collision.append(surface);
	}

	#writeGeometry(element: XmlText, index: number, shape: ConversionShape): void {
		const { geometry } = shape;
		switch (geometry.kind) {
			case 'box':
				element.add('box').add('size', {}, geometry.size);
				return;
			case 'sphere':
				element.add('sphere').add('radius', {}, geometry.radius);
				return;
			case 'ellipsoid':
				element.add('ellipsoid').add('radii', {}, geometry.radii);
				return;
			case 'cylinder':
			case 'capsule': {
				const round = element.add(geometry.kind);
				round.add('radius', {}, geometry.radius);
				round.add('length', {}, geometry.length);
				return;
			}
			case 'plane': {
				const plane = element.add('plane');
				plane.add('normal', {}, [0, 0, 1]);
				if (geometry.size !== undefined) plane.add('size', {}, geometry.size);
				return;
			}
			default: {
				const mesh = element.add('mesh');
				mesh.add('uri', {}, this.#meshes.pathOf(shape));
				if (geometry.kind === 'mesh') {
					if (geometry.scale.some((s) => s !== 1)) mesh.add('scale', {}, geometry.scale);
					return;
				}
				const message = `'${shape.name}' is a ${geometry.kind}, which SDF 1.9 does not have; it is written as a mesh`;
				const kind = shape.role === 'visual' ? 'visual' : 'collider';
				this.#ledger.approximate(kind, index, 'shape-tessellated', message);
			}
		}
	}

	#writeMaterial(visual: XmlText, index: number): void {
		const { color, opacity, metallic, roughness, texture, name } = this.#model.materials[index]!;
		const material = visual.add('material');
		const screen = [...color.map(toScreen), opacity];
		material.add('ambient', {}, screen);
		material.add('diffuse', {}, screen);
		const path = texture === undefined ? undefined : this.#textures.pathOf(texture, '');
		if (texture !== undefined && path === undefined) {
			this.#ledger.approximate('material', index, 'texture-missing', `the image of '${name}' is not there`);
		}
		const metal = material.add('pbr').add('metal');
		if (path !== undefined) metal.add('albedo_map', {}, path);
		metal.add('metalness', {}, metallic);
		metal.add('roughness', {}, roughness);
	}

	#writeJoint(kind: 'joint' | 'loop', index: number, joint: ConversionJoint, name: string): void {
		const type = typeOf(joint);
		if (type === undefined) {
			if (joint.kind === 'floating') return;
			const message = `'${joint.name}' moves in ${joint.freedoms.length} ways, which no joint of SDF does; it is held fast, --split-joints writes a chain`;
			this.#ledger.approximate(kind, index, 'joint-kind', message);
		}
		const element = this.#element.add('joint', { name, type: type ?? 'fixed' });
		if (kind === 'joint') this.#jointElements.set(index, element);
		const child = this.#links[joint.child];
		// the frame of a joint lies in its child unless another is named
		writePose(element, joint.childFrame, child);
		element.add('parent', {}, joint.parent < 0 ? 'world' : this.#links[joint.parent]);
		element.add('child', {}, child);
		const freedom = joint.freedoms[0];
		if (freedom === undefined || type === undefined) return;
		this.#writeAxis(element.add('axis'), kind, index, joint, freedom);
	}

	#writeAxis(
		axis: XmlText,
		kind: 'joint' | 'loop',
		index: number,
		joint: ConversionJoint,
		freedom: JointFreedom,
	): void {
		axis.add('xyz', {}, freedom.axis);
		const { lower, upper, effort, velocity, damping, friction, armature, drive } = freedom;
		const limit = new XmlText('limit');
		if (!(freedom.motion === 'turn' && isEndless(freedom))) {
			limit.add('lower', {}, Math.max(lower, -UNLIMITED));
			limit.add('upper', {}, Math.min(upper, UNLIMITED));
		}
		if (effort !== undefined) limit.add('effort', {}, effort);
		if (velocity !== undefined) limit.add('velocity', {}, velocity);
		if (!limit.isEmpty) axis.append(limit);
		const dynamics = new XmlText('dynamics');
		if (damping !== undefined) dynamics.add('damping', {}, damping);
		if (friction !== undefined) dynamics.add('friction', {}, friction);
		if (drive !== undefined && drive.stiffness > 0) {
			dynamics.add('spring_reference', {}, drive.position);
			dynamics.add('spring_stiffness', {}, drive.stiffness);
		}
		if (!dynamics.isEmpty) axis.append(dynamics);
		for (const own of kind === 'joint' ? (this.#mimicsOf.get(index) ?? []) : []) {
			const mimic = this.#model.mimics[own]!;
			const element = axis.add('mimic', { joint: this.#joints[mimic.leader] });
			element.add('multiplier', {}, mimic.multiplier);
			element.add('offset', {}, mimic.offset);
			element.add('reference', {}, 0);
			tellCurve(mimic, own, joint.name, this.#ledger);
		}
		if (armature !== undefined && armature !== 0) {
			const message = `the inertia of the motor of '${joint.name}' is ${armature}, which SDF does not have`;
			this.#ledger.approximate(kind, index, 'armature', message);
		}
		if (drive !== undefined) this.#tellDrive(index, joint.name, drive);
		if (freedom.start !== 0) {
			const message = `'${joint.name}' starts at ${freedom.start}, which SDF cannot say; its links stand as at zero`;
			this.#ledger.approximate(kind, index, 'keyframe', message);
		}
	}

	/** A drive with a target that stays is a spring; what SDF itself reads as one is no loss. */
	#tellDrive(index: number, name: string, { stiffness, damping, velocity }: JointDrive): void {
		if (!(stiffness > 0)) {
			const message = `the drive of '${name}' holds a speed, which has no place in SDF but plugins; MJCF has one`;
			this.#ledger.drop('drive', index, 'drive', message);
		} else if (this.#model.format !== 'sdf' || damping !== 0 || velocity !== 0) {
			const message = `the drive of '${name}' is written as a spring towards its target; MJCF has drives`;
			this.#ledger.approximate('drive', index, 'drive', message);
		}
	}
}

/** Bits that colliders of SDF have. */
const MASK_BITS = 16;

/** Plain data as elements. */
function writeNote(element: XmlText, note: Readonly<Record<string, unknown>>): void {
	for (const [key, value] of Object.entries(note)) {
		if (typeof value === 'object' && value !== null) writeNote(element.add(key), value as Record<string, unknown>);
		else element.add(key, {}, String(value));
	}
}

/** The link that a body is part of, and the pose of the body in it; the world is -1. */
interface Carrier {
	readonly body: number;
	readonly pose: Float64Array;
}

/**
 * The links of SDF: bodies with mass, and those without that nothing with mass is fixed to. Other bodies without mass are frames
 * of the nearest body with mass that fixed joints lead to.
 */
function findCarriers({ bodies, joints }: ConversionModel): Carrier[] {
	const near = new Map<number, Carrier[]>();
	const connect = (from: number, to: number, pose: Float64Array): void => {
		const known = near.get(from);
		if (known === undefined) near.set(from, [{ body: to, pose }]);
		else known.push({ body: to, pose });
	};
	for (const { kind, parent, child, parentFrame, childFrame } of joints) {
		if (kind !== 'fixed' || parent < 0) continue;
		const pose = compose(parentFrame, inverse(childFrame));
		connect(child, parent, pose);
		connect(parent, child, inverse(pose));
	}
	const hasMass = (body: number): boolean => (bodies[body]!.inertia?.mass ?? 0) > 0;
	return bodies.map((_, body) => {
		const own: Carrier = { body, pose: identityPose() };
		if (hasMass(body)) return own;
		const open: Carrier[] = [own];
		const seen = new Set([body]);
		for (const next of open) {
			if (hasMass(next.body)) return next;
			for (const step of near.get(next.body) ?? []) {
				if (seen.has(step.body)) continue;
				seen.add(step.body);
				open.push({ body: step.body, pose: compose(step.pose, next.pose) });
			}
		}
		return own;
	});
}

function isEndless({ lower, upper }: JointFreedom): boolean {
	return lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;
}

function typeOf({ kind, freedoms }: ConversionJoint): string | undefined {
	if (kind === 'fixed') return 'fixed';
	if (kind === 'spherical') return 'ball';
	const freedom = freedoms[0];
	if (freedom === undefined || freedoms.length > 1 || kind === 'planar') return undefined;
	if (freedom.motion === 'slide') return 'prismatic';
	return isEndless(freedom) ? 'continuous' : 'revolute';
}

/** Names between double underscores belong to SDF, and `::` leads into models. */
function safeName(name: string): string {
	const inner = scopelessName(name);
	return /^__.*__$/.test(inner) ? `x${inner}` : inner || 'unnamed';
}

/** Quaternions, which lose nothing where roll, pitch and yaw do. */
function writePose(element: XmlText, pose: Float64Array, relativeTo?: string): void {
	if (isIdentity(pose) && relativeTo === undefined) return;
	element.add('pose', { relative_to: relativeTo, rotation_format: 'quat_xyzw' }, pose);
}
