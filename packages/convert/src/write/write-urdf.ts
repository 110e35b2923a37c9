import type { AssetStore } from '@manyworlds/usd';
import { toScreen } from '../model/colour.ts';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type {
	BodyInertia,
	ConversionGeometry,
	ConversionJoint,
	ConversionMaterial,
	ConversionModel,
	ConversionShape,
	JointFreedom,
} from '../model/conversion-model.ts';
import { indexBy } from '../model/index-by.ts';
import { compose, identityPose, inverse, isIdentity, rpyOf, turned } from '../model/pose.ts';
import { dropUntouched } from './drop-untouched.ts';
import { dropWorldShapes } from './drop-world-shapes.ts';
import { interfaceNote } from './interface-notes.ts';
import { writeRos2Control } from './ros2-control.ts';
import { ShapeMeshes } from './shape-meshes.ts';
import { srdfText } from './srdf-text.ts';
import type { TargetFile } from './target-files.ts';
import { tellCurve } from './tell-curve.ts';
import { TextureFiles } from './texture-files.ts';
import { scopelessName, UniqueNames } from './unique-names.ts';
import { CHAIN_DEFAULTS, type ChainOptions, withChains } from './with-chains.ts';
import { XmlText } from './xml-text.ts';

/** Options of {@link writeUrdf}. @public */
export interface WriteUrdfOptions extends ChainOptions {
	/** Force or torque [N, N m] and speed [m/s, rad/s] that limits name where the source has none. */
	readonly effort?: number;
	readonly velocity?: number;
	/** Name of the ROS package that addresses of meshes begin with; without one they are relative. */
	readonly package?: string;
	/** Whether a `ros2_control` block says which commands the joints take. */
	readonly ros2Control?: boolean;
	/** Whether an SRDF beside the file says which links do not collide. */
	readonly srdf?: boolean;
	/** Whether a JSON file beside it lists topics, services, actions and controllers. */
	readonly interfaceFile?: boolean;
}

/** Values of {@link WriteUrdfOptions} that are used when absent. @public */
export const WRITE_URDF_DEFAULTS: { readonly effort: number; readonly velocity: number } = {
	effort: 1000,
	velocity: 100,
};

/** A limit on one side only, on the other [rad, m]: readers of URDF do not take infinity. */
const FAR = 2 * Math.PI * 1e3;

/** A child frame farther than this from the axis of its joint needs a link between [m]. */
const ON_AXIS = 1e-7;

/** Writes a robot as URDF with its meshes; the main file comes first. */
export function writeUrdf(
	model: ConversionModel,
	mainFile: string,
	store: AssetStore,
	ledger: ConversionLedger,
	options: WriteUrdfOptions = {},
): TargetFile[] {
	const chains = options.splitJoints ?? CHAIN_DEFAULTS.splitJoints;
	return new UrdfWriter(chains ? withChains(model, ledger, true) : model, store, ledger, {
		...WRITE_URDF_DEFAULTS,
		...options,
	}).write(mainFile);
}

class UrdfWriter {
	readonly #model: ConversionModel;
	readonly #ledger: ConversionLedger;
	readonly #options: WriteUrdfOptions & typeof WRITE_URDF_DEFAULTS;
	readonly #meshes: ShapeMeshes;
	readonly #textures: TextureFiles;
	readonly #root: XmlText;
	readonly #links = new UniqueNames(['world']);
	readonly #joints = new UniqueNames();
	readonly #linkNames: readonly string[];
	readonly #jointNames: readonly string[];
	readonly #materials: readonly string[];
	readonly #shapesOf: ReadonlyMap<number, readonly number[]>;
	readonly #mimicsOf: ReadonlyMap<number, readonly number[]>;

	constructor(
		model: ConversionModel,
		store: AssetStore,
		ledger: ConversionLedger,
		options: WriteUrdfOptions & typeof WRITE_URDF_DEFAULTS,
	) {
		this.#model = model;
		this.#ledger = ledger;
		this.#options = options;
		this.#textures = new TextureFiles(store);
		this.#meshes = new ShapeMeshes(model, 'meshes', this.#textures);
		this.#root = new XmlText('robot', { name: model.name });
		this.#linkNames = model.bodies.map(({ name }, i) => this.#named('body', i, name, this.#links));
		this.#jointNames = model.joints.map(({ name }, i) => this.#named('joint', i, name, this.#joints));
		this.#shapesOf = indexBy(model.shapes, ({ body }) => body);
		this.#mimicsOf = indexBy(model.mimics, ({ follower }) => follower);
		const names = new UniqueNames();
		this.#materials = model.materials.map(({ name }) => names.take(name || 'material'));
	}

	#named(kind: 'body' | 'joint', index: number, name: string, names: UniqueNames): string {
		const given = names.take(scopelessName(name));
		this.#ledger.rename(kind, index, name, given);
		return given;
	}

	write(mainFile: string): TargetFile[] {
		const model = this.#model;
		this.#writeMaterials();
		const isHeld = new Set(model.joints.map(({ child }) => child));
		const roots = model.bodies.map((_, body) => body).filter((body) => !isHeld.has(body));
		const isAnchored = model.joints.some(({ parent }) => parent < 0);
		// a URDF has one root: several trees hang on the world
		const surroundings = model.shapes.filter(({ body, geometry }) => body < 0 && geometry.kind !== 'plane');
		const hasWorld = isAnchored || roots.length > 1 || surroundings.length > 0;
		if (hasWorld) {
			const world = this.#root.add('link', { name: 'world' });
			for (const index of this.#shapesOf.get(-1) ?? []) this.#writeShape(world, index, model.shapes[index]!);
		}
		for (const body of roots) {
			this.#writeLink(body);
			const { pose } = model.bodies[body]!;
			const name = this.#linkNames[body]!;
			if (hasWorld) this.#addJoint(this.#joints.take(`${name}_free`), 'floating', 'world', name, pose);
		}
		for (const [index, joint] of model.joints.entries()) {
			this.#writeLink(joint.child);
			this.#writeJoint(index, joint);
		}
		for (const [index, { name, body, pose }] of model.frames.entries()) {
			if (body >= 0 || hasWorld) this.#writeFrame(index, name, body, pose);
			else this.#ledger.drop('frame', index, 'surroundings', `frame '${name}' belongs to the world, not to the robot`);
		}
		if (!hasWorld) dropWorldShapes(model, this.#ledger);
		for (const [index, { name }] of model.loops.entries()) {
			const message = `joint '${name}' closes a loop, which a tree of links cannot; SDF and MJCF can`;
			this.#ledger.drop('loop', index, 'loop', message);
		}
		const beside = [...this.#writeFilters(mainFile), ...this.#writeInterfaces(mainFile)];
		const main = { path: mainFile, content: this.#root.toString() };
		return [main, ...beside, ...this.#meshes.files, ...this.#textures.files];
	}

	/** Pairs that do not collide are in an SRDF, where one is asked for. */
	#writeFilters(mainFile: string): TargetFile[] {
		const { filters } = this.#model;
		if (filters.length === 0) return [];
		if (this.#options.srdf !== true) {
			for (const [index, [a, b]] of filters.entries()) {
				const names = `'${this.#nameOf(a)}' and '${this.#nameOf(b)}'`;
				const message = `${names} do not collide, which URDF leaves to an SRDF beside it: --srdf writes one`;
				this.#ledger.drop('filter', index, 'filter', message);
			}
			return [];
		}
		const pairs = filters.map(([a, b]) => [this.#nameOf(a), this.#nameOf(b)] as const);
		return [{ path: besideMain(mainFile, 'srdf'), content: srdfText(this.#model.name, pairs) }];
	}

	/** What the robot offers to ROS: nothing in URDF itself, which has no place for it. */
	#writeInterfaces(mainFile: string): TargetFile[] {
		const { interfaces, joints, mimics } = this.#model;
		if (this.#options.ros2Control === true) {
			const followers = new Set(mimics.map(({ follower }) => follower));
			writeRos2Control(this.#root, this.#model.name, joints, this.#jointNames, followers);
			for (const [index, { kind, name }] of interfaces.entries()) {
				if (kind !== 'controller') continue;
				this.#ledger.hold('controller', index);
				const message = `controller '${name}' is one of ros2_control's, of which the URDF has the joints`;
				this.#ledger.approximate('controller', index, 'controller', message);
			}
		}
		if (interfaces.length === 0 || this.#options.interfaceFile !== true) return [];
		const path = besideMain(mainFile, 'interfaces.json');
		for (const [index, { kind, name }] of interfaces.entries()) {
			const item = kind === 'controller' ? 'controller' : 'interface';
			this.#ledger.hold(item, index);
			this.#ledger.approximate(item, index, item, `${kind} '${name}' is in ${path}, URDF has no place for it`);
		}
		const notes = interfaces.map((item) => interfaceNote(item, scopelessName));
		return [{ path, content: `${JSON.stringify({ interfaces: notes }, undefined, 2)}\n` }];
	}

	#writeMaterials(): void {
		for (const [index, material] of this.#model.materials.entries()) {
			const element = this.#root.add('material', { name: this.#materials[index] });
			this.#writeLook(element, index, material);
		}
	}

	#writeLook(element: XmlText, index: number, { color, opacity, texture, name }: ConversionMaterial): void {
		element.add('color', { rgba: [...color.map(toScreen), opacity] });
		if (texture === undefined) return;
		const path = this.#textures.pathOf(texture, '');
		if (path !== undefined) element.add('texture', { filename: this.#address(path) });
		else this.#ledger.approximate('material', index, 'texture-missing', `the image of '${name}' is not there`);
	}

	#writeLink(body: number): void {
		const { inertia } = this.#model.bodies[body]!;
		const link = this.#root.add('link', { name: this.#linkNames[body] });
		if (inertia !== undefined) writeInertial(link, inertia);
		for (const index of this.#shapesOf.get(body) ?? []) this.#writeShape(link, index, this.#model.shapes[index]!);
	}

	#writeShape(link: XmlText, index: number, shape: ConversionShape): void {
		if (dropUntouched(shape, index, 'URDF', this.#ledger)) return;
		const isVisual = shape.role === 'visual';
		const kind = isVisual ? 'visual' : 'collider';
		if (shape.geometry.kind === 'plane') {
			const message = `'${shape.name}' is a plane, which URDF does not have; a thin box would do`;
			this.#ledger.drop(kind, index, 'shape-tessellated', message);
			return;
		}
		const element = link.add(isVisual ? 'visual' : 'collision', { name: shape.name || undefined });
		writeOrigin(element, shape.pose);
		this.#writeGeometry(element.add('geometry'), shape, kind, index);
		if (isVisual && shape.material !== undefined) {
			element.add('material', { name: this.#materials[shape.material] });
		}
		if (shape.contact !== undefined) {
			const message = `friction and bounce of '${shape.name}' have no place in URDF`;
			this.#ledger.approximate(kind, index, 'friction', message);
		}
	}

	#writeGeometry(element: XmlText, shape: ConversionShape, kind: 'visual' | 'collider', index: number): void {
		const geometry: ConversionGeometry = shape.geometry;
		switch (geometry.kind) {
			case 'box':
				element.add('box', { size: geometry.size });
				return;
			case 'sphere':
				element.add('sphere', { radius: geometry.radius });
				return;
			case 'cylinder':
				element.add('cylinder', { radius: geometry.radius, length: geometry.length });
				return;
			default: {
				const filename = this.#address(this.#meshes.pathOf(shape));
				const scale = geometry.kind === 'mesh' && geometry.scale.some((s) => s !== 1) ? geometry.scale : undefined;
				element.add('mesh', { filename, scale });
				if (geometry.kind === 'mesh') return;
				const message = `'${shape.name}' is a ${geometry.kind}, which URDF does not have; it is written as a mesh`;
				this.#ledger.approximate(kind, index, 'shape-tessellated', message);
			}
		}
	}

	#writeJoint(index: number, joint: ConversionJoint): void {
		const { parentFrame, childFrame } = joint;
		const name = this.#jointNames[index]!;
		const parent = this.#nameOf(joint.parent);
		const child = this.#nameOf(joint.child);
		const freedom = joint.freedoms[0];
		if (freedom === undefined || joint.freedoms.length > 1) {
			this.#writeOther(index, joint, parent, child);
			return;
		}
		const axis = turned(childFrame, freedom.axis);
		const along = axis[0] * childFrame[0]! + axis[1] * childFrame[1]! + axis[2] * childFrame[2]!;
		const off = Math.hypot(...axis.map((a, k) => childFrame[k]! - along * a));
		const type = freedom.motion === 'slide' ? 'prismatic' : isEndless(freedom) ? 'continuous' : 'revolute';
		if (freedom.motion === 'slide' || off <= ON_AXIS) {
			const origin = compose(parentFrame, inverse(childFrame));
			this.#finishJoint(index, joint, this.#addJoint(name, type, parent, child, origin), freedom, axis);
			return;
		}
		// the child turns about an axis beside its origin: a link at the anchor, and the child fixed to it
		const between = this.#links.take(`${name}_frame`);
		this.#root.add('link', { name: between });
		const turn = identityPose();
		turn.set(childFrame.subarray(3), 3);
		const origin = compose(parentFrame, inverse(turn));
		this.#finishJoint(index, joint, this.#addJoint(name, type, parent, between, origin), freedom, axis);
		const back = identityPose();
		for (let k = 0; k < 3; k++) back[k] = -childFrame[k]!;
		this.#addJoint(this.#joints.take(`${name}_fixed`), 'fixed', between, child, back);
		const message = `link '${between}' stands at joint '${name}', whose axis does not go through the origin of '${child}'`;
		this.#ledger.approximate('joint', index, 'frame-inserted', message);
	}

	/** Joints that are no single turn or slide. */
	#writeOther(index: number, joint: ConversionJoint, parent: string, child: string): void {
		const origin = compose(joint.parentFrame, inverse(joint.childFrame));
		const type = joint.kind === 'floating' || joint.kind === 'fixed' ? joint.kind : undefined;
		if (type !== undefined) {
			this.#addJoint(this.#jointNames[index]!, type, parent, child, origin);
			return;
		}
		this.#addJoint(this.#jointNames[index]!, 'floating', parent, child, origin);
		const message = `'${joint.name}' is a ${joint.kind} joint, which URDF does not have; it is written as floating, --split-joints writes a chain`;
		this.#ledger.approximate('joint', index, 'joint-kind', message);
	}

	#addJoint(name: string, type: string, parent: string, child: string, origin: Float64Array): XmlText {
		const element = this.#root.add('joint', { name, type });
		writeOrigin(element, origin);
		element.add('parent', { link: parent });
		element.add('child', { link: child });
		return element;
	}

	#finishJoint(
		index: number,
		joint: ConversionJoint,
		element: XmlText,
		freedom: JointFreedom,
		axis: readonly number[],
	): void {
		element.add('axis', { xyz: axis });
		const { lower, upper, damping, friction, drive, armature } = freedom;
		const isContinuous = freedom.motion === 'turn' && isEndless(freedom);
		const effort = freedom.effort ?? this.#options.effort;
		const velocity = freedom.velocity ?? this.#options.velocity;
		const bounds = { lower: bounded(lower), upper: bounded(upper) };
		element.add('limit', isContinuous ? { effort, velocity } : { ...bounds, effort, velocity });
		if (!isContinuous && !(Number.isFinite(lower) && Number.isFinite(upper))) {
			const message = `'${joint.name}' has no limit on one side or both, ${FAR.toFixed(0)} is written`;
			this.#ledger.approximate('joint', index, 'one-sided-limit', message);
		}
		if (damping !== undefined || friction !== undefined) element.add('dynamics', { damping, friction });
		for (const own of this.#mimicsOf.get(index) ?? []) {
			const mimic = this.#model.mimics[own]!;
			const { multiplier, offset } = mimic;
			element.add('mimic', { joint: this.#jointNames[mimic.leader], multiplier, offset });
			tellCurve(mimic, own, joint.name, this.#ledger);
		}
		if (armature !== undefined && armature !== 0) {
			const message = `the inertia of the motor of '${joint.name}' is ${armature}, which URDF does not have`;
			this.#ledger.approximate('joint', index, 'armature', message);
		}
		if (drive !== undefined) {
			const message = `the drive of '${joint.name}' has no place in URDF; MJCF has one`;
			this.#ledger.drop('drive', index, 'drive', message);
		}
		if (freedom.start !== 0) {
			const message = `'${joint.name}' starts at ${freedom.start}, which URDF cannot say`;
			this.#ledger.approximate('joint', index, 'keyframe', message);
		}
	}

	/** A frame is a link without mass, fixed to its body. */
	#writeFrame(index: number, name: string, body: number, pose: Float64Array): void {
		const link = this.#links.take(scopelessName(name));
		this.#ledger.rename('frame', index, name, link);
		this.#root.add('link', { name: link });
		this.#addJoint(this.#joints.take(`${link}_joint`), 'fixed', this.#nameOf(body), link, pose);
	}

	#nameOf(body: number): string {
		return body < 0 ? 'world' : this.#linkNames[body]!;
	}

	#address(path: string): string {
		return this.#options.package === undefined ? path : `package://${this.#options.package}/${path}`;
	}
}

/** A file of the same name with another ending. */
function besideMain(mainFile: string, ending: string): string {
	return `${mainFile.replace(/\.[^./]*$/, '')}.${ending}`;
}

function isEndless({ lower, upper }: JointFreedom): boolean {
	return lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;
}

function bounded(limit: number): number {
	return Math.min(FAR, Math.max(-FAR, limit));
}

function writeOrigin(element: XmlText, pose: Float64Array): void {
	if (isIdentity(pose)) return;
	element.add('origin', { xyz: pose.subarray(0, 3), rpy: rpyOf(pose) });
}

/** The whole tensor with axes of the link: rotations of inertias are lost by some readers. */
function writeInertial(link: XmlText, { mass, center, tensor }: BodyInertia): void {
	const element = link.add('inertial');
	element.add('origin', { xyz: center, rpy: [0, 0, 0] });
	element.add('mass', { value: mass });
	const [ixx, iyy, izz, ixy, ixz, iyz] = tensor;
	element.add('inertia', { ixx, ixy, ixz, iyy, iyz, izz });
}
