import { Path } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionFrame, ConversionModel } from '../model/conversion-model.ts';
import { compose, inverse } from '../model/pose.ts';
import { startPoses } from '../model/zero-poses.ts';
import { UniqueNames } from '../write/unique-names.ts';
import { type LinkRole, layOutLinks } from './link-layout.ts';
import { frameId, primName } from './prim-names.ts';

/** Deeper links begin again below the root: paths of all that is nested without end would fill any file. */
const MOST_DEPTH = 64;

/** Names that the parts of a link have. */
const LINK_PARTS = ['visual', 'collision'];

/** A prim of a link or frame: where it is in the namespace, and where it stands in its parent. */
export interface PlacedPrim {
	readonly path: Path;
	readonly pose: Float64Array;
	/** The name of the source, where prims may not have it. */
	readonly displayName: string | undefined;
	/** What ROS calls it, for frames. */
	readonly frameId: string | undefined;
}

/** A joint on the stage. */
export interface PlacedJoint {
	readonly path: Path;
	readonly displayName: string | undefined;
}

/** Which prims an asset has, what they are called and how they are nested: links below the link that holds them (REP 1.3). */
export class StageLayout {
	readonly root: Path;
	readonly roles: readonly LinkRole[];
	readonly links: readonly PlacedPrim[];
	/** Undefined for frames that are part of something else. */
	readonly frames: readonly (PlacedPrim | undefined)[];
	readonly joints: readonly PlacedJoint[];
	readonly loops: readonly PlacedJoint[];
	/** Joints that hold roots in the world, which the source does not have: by root. */
	readonly anchors: ReadonlyMap<number, PlacedJoint>;
	readonly #model: ConversionModel;
	/** The link that holds each link, -1 for none. */
	readonly #parents: Int32Array;
	readonly #names: UniqueNames;
	readonly #children = new Map<Path, UniqueNames>();

	constructor(
		model: ConversionModel,
		name: string,
		isHeld: (root: number) => boolean,
		isPart: (frame: ConversionFrame) => boolean,
		ledger: ConversionLedger,
		leastMass: number,
	) {
		this.#model = model;
		this.#parents = new Int32Array(model.bodies.length).fill(-1);
		this.root = Path.root.appendChild(name);
		this.roles = layOutLinks(model, isHeld, leastMass);
		this.#names = new UniqueNames([...Object.values(SCOPES), ...LINK_PARTS, name]);
		for (const { parent, child } of model.joints) this.#parents[child] = parent;
		this.links = this.#placeLinks(model.bodies.map((body) => this.#names.take(primName(body.name, 'link'))));
		this.frames = model.frames.map((frame, index) => {
			if (isPart(frame)) return undefined;
			const given = this.#names.take(primName(frame.name, `frame_${index}`));
			const holder = this.links[frame.body]?.path ?? this.root;
			const id = this.#frameName(frame.name, given);
			if (frame.name !== '') ledger.rename('frame', index, frame.name, id);
			return {
				path: holder.appendChild(given),
				pose: frame.pose,
				displayName: shownName(frame.name, given),
				frameId: id,
			};
		});
		for (const placed of [...this.links, ...this.frames]) {
			if (placed !== undefined) this.#namesBelow(placed.path.parent!).take(placed.path.name);
		}
		const place = (wanted: string, parent: number): PlacedJoint => {
			const holder = parent < 0 ? this.root.appendChild(SCOPES.joints) : this.links[this.carrierOf(parent)]!.path;
			const names = this.#namesBelow(holder);
			const legal = primName(wanted, 'joint');
			const path = holder.appendChild(names.take(names.has(legal) ? `${legal}_joint` : legal));
			return { path, displayName: shownName(wanted, path.name) };
		};
		this.joints = model.joints.map(({ name: wanted, parent }) => place(wanted, parent));
		this.loops = model.loops.map(({ name: wanted }) => place(wanted, -1));
		const held = new Set(model.joints.map(({ child }) => child));
		this.anchors = new Map(
			model.bodies.flatMap(({ name: wanted }, body) =>
				held.has(body) || !isHeld(body) || this.roles[this.carrierOf(body)]!.kind !== 'body'
					? []
					: [[body, place(`${wanted}_anchor`, -1)] as const],
			),
		);
	}

	/** A path for another prim below one that nothing else has; its name is nobody's on the whole stage. */
	addBelow(holder: Path, wanted: string, otherwise: string): Path {
		const names = this.#namesBelow(holder);
		let name = this.#names.take(primName(wanted, otherwise));
		while (names.has(name)) name = this.#names.take(name);
		return holder.appendChild(names.take(name));
	}

	/** Whether a link, frame or joint has a path. */
	isTaken(path: Path): boolean {
		return this.#namesBelow(path.parent!).has(path.name);
	}

	/** The same below a link, -1 for the root. */
	addChild(body: number, wanted: string, otherwise: string): Path {
		return this.addBelow(this.links[body]?.path ?? this.root, wanted, otherwise);
	}

	/** The link that moves a link: itself unless it is a frame. */
	carrierOf(body: number): number {
		const { kind, carrier } = this.roles[body]!;
		return kind === 'frame' ? carrier : body;
	}

	/** A pose given on a link, on the link that moves it; poses in the world stay. */
	onCarrier(body: number, pose: Float64Array): Float64Array {
		if (body < 0) return pose;
		const { kind, pose: own } = this.roles[body]!;
		return kind === 'frame' ? compose(own, pose) : pose;
	}

	/** The prim of what moves a link; undefined for the world. */
	bodyPath(body: number): Path | undefined {
		return body < 0 ? undefined : this.links[this.carrierOf(body)]!.path;
	}

	#placeLinks(names: readonly string[]): PlacedPrim[] {
		const { bodies } = this.#model;
		// where joint frames and poses differ, joints win
		const poses = startPoses(this.#model);
		const placed: (PlacedPrim | undefined)[] = new Array(bodies.length).fill(undefined);
		const worldOf = (body: number): Float64Array =>
			this.roles[body]!.kind === 'frame' ? compose(poses[this.carrierOf(body)]!, this.roles[body]!.pose) : poses[body]!;
		/** The link whose prim holds that of a link; -1 for the root. */
		const holderOf = (body: number): number => {
			const parent = this.#parents[body]!;
			if (this.roles[body]!.kind !== 'frame') return parent < 0 ? -1 : this.carrierOf(parent);
			const carrier = this.carrierOf(body);
			// frames in a row stay in a row, those nearer to the root than what carries them hang on it
			const isBelow = parent >= 0 && this.carrierOf(parent) === carrier && !this.#isAbove(parent, carrier);
			return isBelow ? parent : carrier;
		};
		const put = (body: number): PlacedPrim => {
			const way: number[] = [];
			for (let at = body; at >= 0 && placed[at] === undefined; at = holderOf(at)) way.push(at);
			for (let at = way.pop(); at !== undefined; at = way.pop()) {
				const wanted = holderOf(at);
				const isTooDeep = wanted >= 0 && placed[wanted]!.path.depth >= MOST_DEPTH;
				const holder = isTooDeep ? -1 : wanted;
				const path = (placed[holder]?.path ?? this.root).appendChild(names[at]!);
				const pose = holder < 0 ? worldOf(at) : compose(inverse(worldOf(holder)), worldOf(at));
				const { name } = bodies[at]!;
				const isFrame = this.roles[at]!.kind !== 'body';
				placed[at] = {
					path,
					pose,
					displayName: shownName(name, names[at]!),
					frameId: isFrame ? this.#frameName(name, names[at]!) : undefined,
				};
			}
			return placed[body]!;
		};
		return bodies.map((_, body) => put(body));
	}

	/** Whether a frame is nearer to the root than the link that carries it. */
	#isAbove(body: number, carrier: number): boolean {
		if (body === carrier) return false;
		for (let at = this.#parents[carrier]!; at >= 0; at = this.#parents[at]!) {
			if (at === body) return true;
			if (this.roles[at]!.kind !== 'frame') return false;
		}
		return false;
	}

	/** What ROS calls a frame: the name of the source where ROS allows it and nobody else has it. */
	#frameName(wanted: string, given: string): string {
		const id = frameId(wanted, given);
		return id === given ? given : this.#names.take(id);
	}

	/** Names of prims below a prim. */
	#namesBelow(holder: Path): UniqueNames {
		let names = this.#children.get(holder);
		if (names === undefined) {
			names = new UniqueNames(LINK_PARTS);
			this.#children.set(holder, names);
		}
		return names;
	}
}

/** Scopes below the root prim, beside links. */
export const SCOPES = {
	interfaces: 'interfaces',
	joints: 'Joints',
	looks: 'Looks',
	surfaces: 'PhysicsMaterials',
	world: 'world',
} as const;

function shownName(name: string, given: string): string | undefined {
	return name === given || name === '' ? undefined : name;
}
