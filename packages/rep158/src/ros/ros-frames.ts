import type { Path, PhysicsDescription, PhysicsJoint, Prim } from '@manyworlds/usd';
import { authoredBool, authoredText, type ContextResolver, isContext, isXformable } from '@manyworlds/usd/internal';
import { rosNameOf } from './ros-names.ts';

/** A frame of the TF tree (REP 0158 §2.7). */
export interface RosFrame {
	readonly prim: Prim;
	/** Name in TF. */
	readonly id: string;
	/** What makes it a frame: a context, a joint chain, or RosFrameAPI. */
	readonly kind: 'context' | 'link' | 'explicit';
	/** The frame it is published relative to; undefined for the root of a robot and for what hangs on nothing. */
	readonly parent: RosFrame | undefined;
	/** Name of the parent; that of the outermost context's `parent_frame` for the root of a robot. */
	readonly parentId: string | undefined;
	/** Whether it goes to `/tf_static`. */
	readonly isStatic: boolean;
	/** Outermost context of its robot. */
	readonly robot: Prim | undefined;
	/** The joint that connects it to its parent. */
	readonly joint: Path | undefined;
}

/** What the TF tree is made from. */
export interface FrameInputs {
	/** Prims of the stage, depth first. */
	readonly prims: Iterable<Prim>;
	readonly physics: PhysicsDescription;
	readonly contexts: ContextResolver;
}

/** The frames of a stage. */
export class RosFrames {
	/** In the order of their prims. */
	readonly all: readonly RosFrame[];
	readonly #byPath: ReadonlyMap<Path, RosFrame>;

	constructor(frames: ReadonlyMap<Path, RosFrame>) {
		this.#byPath = frames;
		this.all = [...frames.values()];
	}

	/** The frame of a prim; undefined when it has none. */
	of(prim: Prim): RosFrame | undefined {
		return this.#byPath.get(prim.path);
	}

	/** The frame that stamps what a prim publishes: its own, else the nearest above. */
	nearest(prim: Prim | undefined): RosFrame | undefined {
		for (let path = prim?.path ?? null; path !== null; path = path.parent) {
			const frame = this.#byPath.get(path);
			if (frame !== undefined) return frame;
		}
		return undefined;
	}
}

/** The topics that the frames of a robot go to: those of its outermost context, whatever contexts are inside (§2.1.1). */
export function transformTopics(
	robot: Prim,
	contexts: ContextResolver,
): { readonly moving: string; readonly fixed: string } {
	const namespace = contexts.namespace(robot);
	const start = namespace === '/' ? '' : namespace;
	return { moving: `${start}/tf`, fixed: `${start}/tf_static` };
}

interface Draft {
	readonly prim: Prim;
	readonly kind: RosFrame['kind'];
	/** Path of the body that a joint connects it to. */
	readonly parent: Path | undefined;
	readonly isStatic: boolean;
	readonly joint: Path | undefined;
}

/** Builds the TF tree of a stage: contexts, links that joints connect to them, and explicit frames. */
export function buildFrames(inputs: FrameInputs): RosFrames {
	const { contexts } = inputs;
	const prims = new Map<Path, Prim>();
	for (const prim of inputs.prims) prims.set(prim.path, prim);
	const drafts = new Map<Path, Draft>();
	for (const prim of prims.values()) {
		if (isContext(prim) && isXformable(prim)) {
			drafts.set(prim.path, { prim, kind: 'context', parent: undefined, isStatic: true, joint: undefined });
		}
	}
	for (const draft of linkDrafts(inputs, prims)) drafts.set(draft.prim.path, draft);
	for (const prim of prims.values()) {
		if (!prim.hasSchema('RosFrameAPI')) continue;
		const known = drafts.get(prim.path);
		const isStatic = authoredBool(prim, 'ros:frame:static') ?? true;
		drafts.set(prim.path, known ?? { prim, kind: 'explicit', parent: undefined, isStatic, joint: undefined });
	}
	const frames = new Map<Path, RosFrame>();
	const finish = (start: Draft): void => {
		// ancestors first; a stack, because chains of links may be long
		const stack = [start];
		const open = new Set<Path>();
		for (let draft = stack.at(-1); draft !== undefined; draft = stack.at(-1)) {
			const { path } = draft.prim;
			const parentPath = draft.parent ?? ancestorDraft(drafts, path);
			const parentDraft = parentPath === undefined ? undefined : drafts.get(parentPath);
			if (parentDraft !== undefined && !frames.has(parentDraft.prim.path) && !open.has(parentDraft.prim.path)) {
				open.add(path);
				stack.push(parentDraft);
				continue;
			}
			stack.pop();
			if (!frames.has(path))
				frames.set(path, makeFrame(draft, parentDraft && frames.get(parentDraft.prim.path), contexts));
		}
	};
	for (const draft of drafts.values()) finish(draft);
	const ordered = new Map<Path, RosFrame>();
	for (const path of prims.keys()) {
		const frame = frames.get(path);
		if (frame !== undefined) ordered.set(path, frame);
	}
	return new RosFrames(ordered);
}

function makeFrame(draft: Draft, parent: RosFrame | undefined, contexts: ContextResolver): RosFrame {
	const { prim, kind, joint } = draft;
	const robot = parent?.robot ?? contexts.outermost(prim);
	const isRoot = parent === undefined && robot?.path === prim.path;
	const explicitId = prim.hasSchema('RosFrameAPI') ? authoredText(prim, 'ros:frame:id') : undefined;
	return {
		prim,
		kind,
		id: explicitId === undefined || explicitId === '' ? rosNameOf(prim.name) : explicitId,
		parent,
		parentId: parent?.id ?? (isRoot ? contexts.parentFrame(robot) : undefined),
		// the ground truth of a robot's root moves
		isStatic: draft.isStatic && !isRoot,
		robot,
		joint,
	};
}

function ancestorDraft(drafts: ReadonlyMap<Path, Draft>, path: Path): Path | undefined {
	for (let at = path.parent; at !== null; at = at.parent) if (drafts.has(at)) return at;
	return undefined;
}

interface Edge {
	readonly joint: PhysicsJoint;
	readonly to: Path;
}

/** Links: bodies that joints connect, directly or through others, to a body of a robot. */
function linkDrafts({ physics, contexts }: FrameInputs, prims: ReadonlyMap<Path, Prim>): Draft[] {
	const edges = new Map<Path, Edge[]>();
	const anchors = new Map<Path, PhysicsJoint>();
	const children = new Set<Path>();
	const connect = (from: Path, edge: Edge): void => {
		const list = edges.get(from);
		if (list === undefined) edges.set(from, [edge]);
		else list.push(edge);
	};
	for (const joint of physics.joints) {
		const { body0, body1 } = joint;
		if (!joint.jointEnabled || joint.excludeFromArticulation || (body0.isEmpty && body1.isEmpty)) continue;
		if (body0.isEmpty || body1.isEmpty) {
			anchors.set(body0.isEmpty ? body1 : body0, joint);
			continue;
		}
		connect(body0, { joint, to: body1 });
		connect(body1, { joint, to: body0 });
		children.add(body1);
	}
	const roots = new Set<Path>();
	for (const { rootPrims } of physics.articulations) for (const path of rootPrims) roots.add(path);
	const candidates = physics.bodies
		.filter(({ primPath }) => edges.has(primPath) || anchors.has(primPath) || roots.has(primPath))
		.flatMap(({ primPath }) => prims.get(primPath) ?? [])
		.filter((prim) => contexts.outermost(prim) !== undefined);
	const rank = (prim: Prim): number => {
		if (contexts.outermost(prim)?.path === prim.path) return 0;
		if (anchors.has(prim.path)) return 1;
		if (roots.has(prim.path)) return 2;
		if (isContext(prim)) return 3;
		return children.has(prim.path) ? 5 : 4;
	};
	const bases = candidates.map((prim, order) => ({ prim, order, rank: rank(prim) }));
	bases.sort((a, b) => a.rank - b.rank || a.order - b.order);

	const drafts = new Map<Path, Draft>();
	for (const { prim: base } of bases) {
		if (drafts.has(base.path)) continue;
		const anchor = anchors.get(base.path);
		drafts.set(base.path, {
			prim: base,
			kind: isContext(base) ? 'context' : 'link',
			parent: undefined,
			isStatic: anchor?.kind === 'FixedJoint',
			joint: undefined,
		});
		const queue = [base.path];
		for (let i = 0; i < queue.length; i++) {
			const at = queue[i]!;
			for (const { joint, to } of edges.get(at) ?? []) {
				const prim = prims.get(to);
				if (prim === undefined || drafts.has(to)) continue;
				drafts.set(to, {
					prim,
					kind: isContext(prim) ? 'context' : 'link',
					parent: at,
					isStatic: joint.kind === 'FixedJoint',
					joint: joint.primPath,
				});
				queue.push(to);
			}
		}
	}
	return [...drafts.values()];
}
