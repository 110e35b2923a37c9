import { createMjcf, MjcfElement, writeMjcf as mjcfText } from '@manyworlds/formats';
import type { AssetStore } from '@manyworlds/usd';
import { toScreen } from '../model/colour.ts';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type {
	BodyInertia,
	ConversionJoint,
	ConversionModel,
	ConversionShape,
	JointFreedom,
} from '../model/conversion-model.ts';
import { indexBy } from '../model/index-by.ts';
import { compose, identityPose, inverse, turned } from '../model/pose.ts';
import { LEAST_INERTIA, LEAST_MASS } from '../model/split-compounds.ts';
import { physicalTensor } from '../model/tensor.ts';
import { interfaceNote } from './interface-notes.ts';
import { isConvex } from './is-convex.ts';
import { writeMjcfDevices } from './mjcf-devices.ts';
import { ShapeMeshes } from './shape-meshes.ts';
import type { TargetFile } from './target-files.ts';
import { TextureFiles } from './texture-files.ts';
import { scopelessName, UniqueNames } from './unique-names.ts';

/** Options of {@link writeMjcf}. @public */
export interface WriteMjcfOptions {
	/** Whether roots that nothing holds float or stand fast. */
	readonly base?: 'fixed' | 'floating';
}

/** Values of {@link WriteMjcfOptions} that are used when absent. @public */
export const WRITE_MJCF_DEFAULTS: Required<WriteMjcfOptions> = { base: 'floating' };

/** Meshes with more triangles than this count as hollow: few of them are not. */
const MOST_HULL_TRIANGLES = 5000;

/** A limit on one side only, on the other [rad, m]: MuJoCo has limits on both sides or on none. */
const FAR = 1e10;

/** Writes a robot as MJCF with its meshes; the main file comes first. */
export function writeMjcf(
	model: ConversionModel,
	mainFile: string,
	store: AssetStore,
	ledger: ConversionLedger,
	options: WriteMjcfOptions = {},
): TargetFile[] {
	return new MjcfWriter(model, store, ledger, { ...WRITE_MJCF_DEFAULTS, ...options }).write(mainFile);
}

class MjcfWriter {
	readonly #model: ConversionModel;
	readonly #ledger: ConversionLedger;
	readonly #textures: TextureFiles;
	readonly #meshes: ShapeMeshes;
	readonly #isFloating: boolean;
	readonly #bodies: readonly string[];
	readonly #joints: readonly string[];
	readonly #jointNames = new UniqueNames();
	readonly #ways = new Map<number, readonly string[]>();
	readonly #materials: readonly string[];
	readonly #geoms = new UniqueNames();
	readonly #sites = new UniqueNames();
	readonly #assets: MjcfElement;
	readonly #meshNames = new Map<string, string>();
	readonly #hulls = new Map<number, boolean>();
	readonly #meshTaken = new UniqueNames();
	/** Shapes and frames by body, -1 for the world. */
	readonly #shapesOf: ReadonlyMap<number, readonly number[]>;
	readonly #framesOf: ReadonlyMap<number, readonly number[]>;
	readonly #elements = new Map<number, MjcfElement>();
	/** Coordinates that each body element adds at the start, in the order of its joints. */
	readonly #starts = new Map<MjcfElement, number[]>();
	/** Joints that hang on each body. */
	readonly #below: ReadonlyMap<number, readonly number[]>;

	constructor(
		model: ConversionModel,
		store: AssetStore,
		ledger: ConversionLedger,
		options: Required<WriteMjcfOptions>,
	) {
		this.#model = model;
		this.#ledger = ledger;
		this.#textures = new TextureFiles(store);
		this.#meshes = new ShapeMeshes(model, 'meshes', this.#textures);
		this.#isFloating = options.base === 'floating';
		const bodies = new UniqueNames(['world']);
		this.#bodies = model.bodies.map(({ name }, i) => this.#named('body', i, name, bodies));
		this.#joints = model.joints.map(({ name }, i) => this.#named('joint', i, name, this.#jointNames));
		const materials = new UniqueNames();
		this.#materials = model.materials.map(({ name }) => materials.take(name || 'material'));
		this.#assets = new MjcfElement('asset');
		this.#shapesOf = indexBy(model.shapes, ({ body }) => body);
		this.#framesOf = indexBy(model.frames, ({ body }) => body);
		this.#below = indexBy(model.joints, ({ parent }) => parent);
	}

	#named(kind: 'body' | 'joint', index: number, name: string, names: UniqueNames): string {
		const given = names.take(scopelessName(name));
		this.#ledger.rename(kind, index, name, given);
		return given;
	}

	write(mainFile: string): TargetFile[] {
		const document = createMjcf();
		const root = document.root!;
		root.set('model', this.#model.name);
		root.add('compiler', { angle: 'radian', autolimits: true });
		const defaults = root.add('default');
		const visual = defaults.add('default', { class: 'visual' });
		visual.add('geom', { contype: 0, conaffinity: 0, group: 2, density: 0 });
		defaults.add('default', { class: 'collision' }).add('geom', { group: 3, density: 0 });
		root.append(this.#assets);
		this.#writeMaterials();
		const world = root.add('worldbody');
		this.#writeBodies(world);
		this.#writeFilters(root);
		this.#writeEqualities(root);
		const controls = this.#writeActuators(root);
		const { bodyOf, sites } = { bodyOf: (body: number) => this.#elements.get(body)!, sites: this.#sites };
		writeMjcfDevices(root, this.#model, { bodyOf, sites, placeOf }, this.#ledger);
		this.#writeInterfaces(root);
		this.#writeStart(root, world, controls);
		if (this.#assets.children.length === 0) root.remove(this.#assets);
		return [{ path: mainFile, content: mjcfText(document) }, ...this.#meshes.files, ...this.#textures.files];
	}

	#writeMaterials(): void {
		for (const [index, { color, opacity, texture, metallic, roughness, name }] of this.#model.materials.entries()) {
			const path = texture === undefined ? undefined : this.#textures.pathOf(texture, '');
			if (texture !== undefined && path === undefined) {
				this.#ledger.approximate('material', index, 'texture-missing', `the image of '${name}' is not there`);
			}
			const given = this.#materials[index]!;
			if (path !== undefined) this.#assets.add('texture', { name: given, type: '2d', file: path });
			const rgba = [...color.map(toScreen), opacity];
			this.#assets.add('material', {
				name: given,
				texture: path === undefined ? undefined : given,
				rgba,
				metallic: metallic === 0 ? undefined : metallic,
				roughness,
			});
		}
	}

	#writeBodies(world: MjcfElement): void {
		const { joints, bodies } = this.#model;
		const elements = this.#elements;
		elements.set(-1, world);
		const held = new Set(joints.map(({ child }) => child));
		this.#writeContent(world, -1);
		for (const [body, { pose }] of bodies.entries()) {
			if (held.has(body)) continue;
			const element = this.#addBody(world, body, pose);
			elements.set(body, element);
			if (this.#isFloating) {
				element.add('freejoint', { name: `${this.#bodies[body]}_free` });
				this.#starts.set(element, freeStart(pose));
			}
			this.#finishBody(element, body, this.#isFloating);
		}
		// a body of MJCF has all its joints in itself, wherever they are
		const stacks = new Map<number, JointStack>();
		for (const [index, joint] of joints.entries()) {
			const above = stacks.get(joint.parent) ?? { carrier: joint.parent, place: identityPose(), joints: [] };
			const place = compose(above.place, compose(joint.parentFrame, inverse(joint.childFrame)));
			const stack = { carrier: above.carrier, place, joints: [...above.joints, { index, joint, place }] };
			if (bodies[joint.child]!.isInserted === true) {
				stacks.set(joint.child, stack);
				continue;
			}
			const element = this.#addBody(elements.get(stack.carrier)!, joint.child, place);
			elements.set(joint.child, element);
			let isMoving = false;
			for (const own of stack.joints) {
				const childFrame =
					own.joint === joint ? joint.childFrame : compose(compose(inverse(place), own.place), own.joint.childFrame);
				if (this.#writeJoint(element, own.index, { ...own.joint, parent: stack.carrier, childFrame })) isMoving = true;
			}
			this.#finishBody(element, joint.child, isMoving);
		}
	}

	#addBody(parent: MjcfElement, body: number, pose: Float64Array): MjcfElement {
		return parent.add('body', { name: this.#bodies[body], ...placeOf(pose) });
	}

	#finishBody(element: MjcfElement, body: number, isMoving: boolean): void {
		const { inertia, name } = this.#model.bodies[body]!;
		if (inertia !== undefined && inertia.mass > 0) this.#writeInertia(element, body, inertia);
		else if (isMoving && !this.#carriesMass(body)) {
			element.add('inertial', { pos: [0, 0, 0], mass: LEAST_MASS, diaginertia: Array(3).fill(LEAST_INERTIA) });
			const message = `'${name}' moves without mass, which MuJoCo refuses; it gets ${LEAST_MASS} kg`;
			this.#ledger.approximate('body', body, 'mass-invented', message);
		}
		this.#writeContent(element, body);
	}

	/** Whether something that is fixed to a body has mass. */
	#carriesMass(body: number): boolean {
		const open = [body];
		for (let next = open.pop(); next !== undefined; next = open.pop()) {
			if ((this.#model.bodies[next]!.inertia?.mass ?? 0) > 0) return true;
			for (const index of this.#below.get(next) ?? []) {
				const { kind, child } = this.#model.joints[index]!;
				if (kind === 'fixed') open.push(child);
			}
		}
		return false;
	}

	#writeInertia(element: MjcfElement, body: number, { mass, center, tensor }: BodyInertia): void {
		const fixed = physicalTensor(tensor);
		element.add('inertial', { pos: center, mass, fullinertia: fixed ?? tensor });
		if (fixed === undefined) return;
		const message = `the inertia of '${this.#model.bodies[body]!.name}' is that of no solid, which MuJoCo refuses; it is rounded up`;
		this.#ledger.approximate('body', body, 'inertia-unphysical', message);
	}

	#writeContent(element: MjcfElement, body: number): void {
		for (const index of this.#framesOf.get(body) ?? []) {
			const { name, pose } = this.#model.frames[index]!;
			const given = this.#sites.take(scopelessName(name));
			this.#ledger.rename('frame', index, name, given);
			element.add('site', { name: given, ...placeOf(pose) });
		}
		for (const index of this.#shapesOf.get(body) ?? []) this.#writeGeom(element, index, this.#model.shapes[index]!);
	}

	#writeGeom(body: MjcfElement, index: number, shape: ConversionShape): void {
		const isVisual = shape.role === 'visual';
		const { geometry } = shape;
		const element = body.add('geom', {
			name: shape.name === '' ? undefined : this.#geoms.take(shape.name),
			class: shape.role,
			...placeOf(shape.pose),
		});
		if (isVisual && shape.material !== undefined) element.set('material', this.#materials[shape.material]);
		if (!isVisual) this.#writeContact(element, index, shape);
		switch (geometry.kind) {
			case 'box':
				element.set('type', 'box').set(
					'size',
					geometry.size.map((side) => side / 2),
				);
				return;
			case 'sphere':
				element.set('type', 'sphere').set('size', geometry.radius);
				return;
			case 'ellipsoid':
				element.set('type', 'ellipsoid').set('size', geometry.radii);
				return;
			case 'cylinder':
			case 'capsule':
				element.set('type', geometry.kind).set('size', [geometry.radius, geometry.length / 2]);
				return;
			case 'plane':
				element.set('type', 'plane').set('size', [...(geometry.size ?? [0, 0]).map((side) => side / 2), 1]);
				return;
			default:
				element.set('type', 'mesh').set('mesh', this.#meshOf(shape));
				this.#tellMesh(index, shape);
		}
	}

	#writeContact(element: MjcfElement, index: number, { contact, masks, name }: ConversionShape): void {
		if (masks !== undefined) element.set('contype', masks[0]).set('conaffinity', masks[1]);
		if (contact === undefined) return;
		const { staticFriction, torsionalFriction, rollingFriction, restitution } = contact;
		element.set('friction', [staticFriction, torsionalFriction ?? 0.005, rollingFriction ?? 0.0001]);
		// contacts resist only sliding unless told otherwise
		if (rollingFriction !== undefined) element.set('condim', 6);
		else if (torsionalFriction !== undefined) element.set('condim', 4);
		if (!(restitution > 0)) return;
		const message = `'${name}' bounces by ${restitution}, which MuJoCo says by how soft contacts are`;
		this.#ledger.approximate('collider', index, 'restitution', message);
	}

	#tellMesh(index: number, { geometry, name, role, approximation }: ConversionShape): void {
		const kind = role === 'visual' ? 'visual' : 'collider';
		if (geometry.kind !== 'mesh') {
			const message = `'${name}' is a ${geometry.kind}, which MJCF does not have; it is written as a mesh`;
			this.#ledger.approximate(kind, index, 'shape-tessellated', message);
		} else if (role === 'collision' && approximation !== 'convexHull' && !this.#isHull(geometry.mesh)) {
			const message = `'${name}' collides as its triangles, in MuJoCo it does as its hull`;
			this.#ledger.approximate(kind, index, 'concave-hull', message);
		}
	}

	/** Whether a mesh is its own hull; large ones are not asked. */
	#isHull(mesh: number): boolean {
		let isHull = this.#hulls.get(mesh);
		if (isHull === undefined) {
			const own = this.#model.meshes[mesh]!.mesh;
			isHull = own.indices.length / 3 <= MOST_HULL_TRIANGLES && isConvex(own);
			this.#hulls.set(mesh, isHull);
		}
		return isHull;
	}

	/** Name of the mesh of a shape, with its scale. */
	#meshOf(shape: ConversionShape): string {
		const { geometry } = shape;
		const path = this.#meshes.pathOf(shape);
		const scale = geometry.kind === 'mesh' && geometry.scale.some((s) => s !== 1) ? geometry.scale : undefined;
		const key = `${path} ${scale?.join(' ')}`;
		const known = this.#meshNames.get(key);
		if (known !== undefined) return known;
		const name = this.#meshTaken.take(path.replace(/^.*\//, '').replace(/\.[^.]*$/, ''));
		// masses are given; what is no hull may enclose no volume, or be turned inside out
		const isHull = shape.role === 'collision' && (geometry.kind !== 'mesh' || shape.approximation === 'convexHull');
		const isMirrored = scale !== undefined && scale[0] * scale[1] * scale[2] < 0;
		this.#assets.add('mesh', { name, file: path, scale, inertia: isHull && !isMirrored ? 'convex' : 'shell' });
		this.#meshNames.set(key, name);
		return name;
	}

	/** Whether the body can move. */
	#writeJoint(element: MjcfElement, index: number, joint: ConversionJoint): boolean {
		const name = this.#joints[index]!;
		const { childFrame } = joint;
		const pos = childFrame.subarray(0, 3);
		switch (joint.kind) {
			case 'fixed':
				return false;
			case 'floating':
				if (joint.parent < 0) {
					element.add('freejoint', { name });
					this.#starts.set(element, freeStart(compose(joint.parentFrame, inverse(childFrame))));
				} else {
					const message = `'${joint.name}' floats below another body, which MuJoCo cannot; it is fixed`;
					this.#ledger.approximate('joint', index, 'joint-kind', message);
				}
				return joint.parent < 0;
			case 'spherical':
				element.add('joint', {
					name,
					type: 'ball',
					pos,
					range: joint.cone === undefined ? undefined : [0, joint.cone],
				});
				this.#starts.set(element, [1, 0, 0, 0]);
				return true;
			default: {
				let isMoving = false;
				const names = this.#freedomNames(index, joint);
				if (joint.freedoms.length > 1 && joint.freedoms.some((freedom) => freedom.name === undefined)) {
					const message = `'${joint.name}' is written as ${names.map((own) => `'${own}'`).join(', ')}`;
					this.#ledger.approximate('joint', index, 'joint-kind', message);
				}
				for (const [i, freedom] of joint.freedoms.entries()) {
					if (this.#writeFreedom(element, index, joint, names[i]!, freedom)) isMoving = true;
				}
				return isMoving;
			}
		}
	}

	/** Names of the joints of MJCF that a joint is written as. */
	#freedomNames(index: number, { freedoms }: ConversionJoint): readonly string[] {
		const known = this.#ways.get(index);
		if (known !== undefined) return known;
		const name = this.#joints[index]!;
		const names =
			freedoms.length === 1
				? [name]
				: freedoms.map((freedom, i) => this.#jointNames.take(scopelessName(freedom.name ?? `${name}_${i}`)));
		this.#ways.set(index, names);
		return names;
	}

	#writeFreedom(
		element: MjcfElement,
		index: number,
		joint: ConversionJoint,
		name: string,
		freedom: JointFreedom,
	): boolean {
		const { lower, upper, effort, velocity, damping, friction, armature } = freedom;
		if (lower === upper) {
			const message = `the limits of '${joint.name}' are both ${lower}, it is held fast: MuJoCo takes equal limits as none`;
			this.#ledger.approximate('joint', index, 'joint-locked', message);
			return false;
		}
		const isLimited = Number.isFinite(lower) || Number.isFinite(upper);
		element.add('joint', {
			name,
			type: freedom.motion === 'turn' ? 'hinge' : 'slide',
			pos: joint.childFrame.subarray(0, 3),
			axis: turned(joint.childFrame, freedom.axis),
			range: isLimited ? [Math.max(lower, -FAR), Math.min(upper, FAR)] : undefined,
			actuatorfrcrange: effort === undefined || !(effort > 0 && effort < FAR) ? undefined : [-effort, effort],
			damping: damping === 0 ? undefined : damping,
			frictionloss: friction === 0 ? undefined : friction,
			armature: armature === 0 ? undefined : armature,
		});
		const starts = this.#starts.get(element) ?? [];
		this.#starts.set(element, [...starts, freedom.start]);
		if (isLimited && !(Number.isFinite(lower) && Number.isFinite(upper))) {
			const message = `'${joint.name}' has a limit on one side, on the other ${FAR} is written`;
			this.#ledger.approximate('joint', index, 'one-sided-limit', message);
		}
		if (velocity !== undefined && Number.isFinite(velocity)) {
			const message = `'${joint.name}' moves with at most ${velocity}, which MJCF does not have`;
			this.#ledger.approximate('joint', index, 'velocity-limit', message);
		}
		return true;
	}

	#writeFilters(root: MjcfElement): void {
		if (this.#model.filters.length === 0) return;
		const contact = root.add('contact');
		for (const [a, b] of this.#model.filters) {
			contact.add('exclude', { body1: this.#bodyName(a), body2: this.#bodyName(b) });
		}
	}

	#writeEqualities(root: MjcfElement): void {
		const { mimics, loops } = this.#model;
		if (mimics.length + loops.length === 0) return;
		const equality = root.add('equality');
		for (const { follower, leader, multiplier, offset, curve = [] } of mimics) {
			equality.add('joint', {
				joint1: this.#joints[follower],
				joint2: this.#joints[leader],
				polycoef: [offset, multiplier, ...curve, 0, 0, 0].slice(0, 5),
			});
		}
		for (const [index, loop] of loops.entries()) this.#writeLoop(equality, index, loop);
	}

	#writeLoop(equality: MjcfElement, index: number, loop: ConversionJoint): void {
		const [body1, body2] = [this.#bodyName(loop.parent), this.#bodyName(loop.child)];
		const anchor = loop.parentFrame.subarray(0, 3);
		if (loop.kind === 'fixed') {
			const pose = compose(loop.parentFrame, inverse(loop.childFrame));
			const relpose = [...pose.subarray(0, 3), pose[6]!, pose[3]!, pose[4]!, pose[5]!];
			equality.add('weld', { name: loop.name, body1, body2, relpose });
			return;
		}
		const freedom = loop.freedoms[0];
		if (loop.kind === 'spherical' || (loop.kind === 'revolute' && freedom !== undefined)) {
			equality.add('connect', { name: loop.name, body1, body2, anchor });
			if (loop.kind === 'spherical' || freedom === undefined) return;
			// two points of an axis hold it
			const axis = turned(loop.parentFrame, freedom.axis);
			const second = axis.map((a, k) => anchor[k]! + AXIS_LENGTH * a);
			equality.add('connect', { name: `${loop.name}_axis`, body1, body2, anchor: second });
			return;
		}
		const message = `'${loop.name}' closes a loop and slides, which no equality of MuJoCo does`;
		this.#ledger.drop('loop', index, 'loop', message);
	}

	/** Writes the drives; gives what each is told at the start. */
	#writeActuators(root: MjcfElement): number[] {
		const driven = this.#model.joints.flatMap((joint, index) =>
			joint.freedoms.flatMap((freedom, i) =>
				freedom.drive === undefined ? [] : [[this.#freedomNames(index, joint)[i]!, freedom] as const],
			),
		);
		const acting = driven.filter(([, { lower, upper }]) => lower !== upper);
		if (acting.length === 0) return [];
		const actuators = root.add('actuator');
		for (const [joint, freedom] of acting) {
			const { stiffness, damping } = freedom.drive!;
			const isServo = stiffness > 0;
			const { lower, upper, effort } = freedom;
			actuators.add('general', {
				name: joint,
				joint,
				biastype: 'affine',
				gainprm: [isServo ? stiffness : damping],
				biasprm: [0, -stiffness, -damping],
				forcerange: effort === undefined || !(effort > 0 && effort < FAR) ? undefined : [-effort, effort],
				ctrlrange: isServo && Number.isFinite(lower) && Number.isFinite(upper) ? [lower, upper] : undefined,
			});
		}
		return acting.map(([, { drive, lower, upper }]) =>
			drive!.stiffness > 0 ? Math.min(upper, Math.max(lower, drive!.position)) : drive!.velocity,
		);
	}

	/** Topics, services, actions and controllers as texts: a plugin that MuJoCo does not know would make it refuse the file. */
	#writeInterfaces(root: MjcfElement): void {
		const { interfaces } = this.#model;
		if (interfaces.length === 0) return;
		const custom = root.add('custom');
		const names = new UniqueNames();
		for (const [index, item] of interfaces.entries()) {
			const data = JSON.stringify(interfaceNote(item, scopelessName));
			custom.add('text', { name: names.take(`ros_${item.kind}:${item.name}`), data });
			this.#ledger.hold(item.kind === 'controller' ? 'controller' : 'interface', index);
		}
	}

	/** A keyframe, where the robot starts other than at zero or drives have targets. */
	#writeStart(root: MjcfElement, world: MjcfElement, controls: readonly number[]): void {
		const isAtZero = this.#model.joints.every(({ freedoms }) => freedoms.every(({ start }) => start === 0));
		if (isAtZero && controls.every((value) => value === 0)) return;
		const qpos: number[] = [];
		const open = [world];
		for (let element = open.pop(); element !== undefined; element = open.pop()) {
			qpos.push(...(this.#starts.get(element) ?? []));
			for (const child of element.children.toReversed()) if (child.name === 'body') open.push(child);
		}
		const key = { name: 'start', qpos, ctrl: controls.length === 0 ? undefined : controls };
		root.add('keyframe').add('key', key);
	}

	#bodyName(body: number): string {
		return body < 0 ? 'world' : this.#bodies[body]!;
	}
}

/** Joints one behind the other that are those of one body. */
interface JointStack {
	/** The body that the first of them hangs on, and where the last leads to in it. */
	readonly carrier: number;
	readonly place: Float64Array;
	readonly joints: readonly { readonly index: number; readonly joint: ConversionJoint; readonly place: Float64Array }[];
}

/** Distance [m] of the second point that holds the axis of a loop. */
const AXIS_LENGTH = 0.1;

/** Coordinates of a free joint at a pose. */
function freeStart(pose: Float64Array): number[] {
	return [...pose.subarray(0, 3), pose[6]!, pose[3]!, pose[4]!, pose[5]!];
}

/** Position and orientation of a pose, left out where they move nothing; MJCF has quaternions w first. */
function placeOf(pose: Float64Array): { pos?: number[]; quat?: number[] } {
	const isTurned = Math.abs(pose[3]!) + Math.abs(pose[4]!) + Math.abs(pose[5]!) > 1e-16;
	return {
		...(pose[0] === 0 && pose[1] === 0 && pose[2] === 0 ? {} : { pos: Array.from(pose.subarray(0, 3)) }),
		...(isTurned ? { quat: [pose[6]!, pose[3]!, pose[4]!, pose[5]!] } : {}),
	};
}
