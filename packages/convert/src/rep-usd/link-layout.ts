import type { BodyInertia, ConversionJoint, ConversionModel } from '../model/conversion-model.ts';
import { indexBy } from '../model/index-by.ts';
import { compose, identityPose, inverse } from '../model/pose.ts';
import { LEAST_INERTIA, LEAST_MASS } from '../model/split-compounds.ts';
import { rotateTensor, type Tensor } from '../model/tensor.ts';

/** What a link of the source is on the stage. */
export interface LinkRole {
	/** A rigid body, a frame on another link, or something that never moves. */
	readonly kind: 'body' | 'frame' | 'static';
	/** The link that moves this one: itself for bodies, -1 for the world. */
	readonly carrier: number;
	/** Where it is on the link that carries it, or in the world. */
	readonly pose: Float64Array;
	/** Mass of a body, with that of links that became frames on it. */
	readonly inertia: BodyInertia | undefined;
	/** Whether the mass was made up, as the link moves and has none. */
	readonly isMassInvented: boolean;
}

/**
 * Decides which links are rigid bodies (REP 1.3: a body has mass, a frame is none). Links with mass are. Those without are frames
 * on the link with mass that fixed joints lead to; where such a link is nearer to the root and carries joints or shapes, it takes
 * over the mass (the habit of KDL: `base` and `base_inertia`). Links without mass that the world holds never move. What is left
 * moves without mass, and gets a little.
 */
export function layOutLinks(model: ConversionModel, isHeld: (root: number) => boolean, leastMass: number): LinkRole[] {
	// as dense as the least of all, so that both stay in proportion
	const leastInertia = (LEAST_INERTIA / LEAST_MASS) * leastMass;
	const { bodies, joints, shapes } = model;
	const jointOf = new Map(joints.map((joint) => [joint.child, joint]));
	const groups = fixedGroups(model);
	const hasShapes = new Set(shapes.map(({ body }) => body));
	const carries = new Set(
		joints.filter(({ kind }) => kind !== 'fixed').flatMap(({ parent, child }) => [parent, child]),
	);
	const roles: (LinkRole | undefined)[] = new Array(bodies.length).fill(undefined);
	for (const group of groups) {
		const heavy = group.members.filter(({ body }) => massOf(model, body) > 0);
		const isRoot = (jointOf.get(group.top) ?? { parent: -1, kind: 'fixed' }).parent < 0;
		const holder = jointOf.get(group.top);
		const isStatic = isRoot && (holder === undefined ? isHeld(group.top) : holder.kind === 'fixed');
		if (heavy.length === 0) {
			const top = group.members[0]!;
			for (const { body, pose } of group.members) {
				const inTop = compose(inverse(top.pose), pose);
				roles[body] =
					body !== top.body
						? frame(top.body, inTop)
						: isStatic
							? { ...frame(-1, bodies[body]!.pose), kind: 'static' }
							: {
									kind: 'body',
									carrier: body,
									pose: identityPose(),
									inertia: {
										mass: leastMass,
										center: [0, 0, 0],
										tensor: [leastInertia, leastInertia, leastInertia, 0, 0, 0],
									},
									isMassInvented: true,
								};
			}
			continue;
		}
		for (const { body } of heavy) roles[body] = own(body, bodies[body]!.inertia!);
		layOutLight(group, roles, (body) => hasShapes.has(body) || carries.has(body));
	}
	return roles as LinkRole[];
}

/** Links that fixed joints hold together, the one nearest to the root first, each with its pose in the first. */
interface FixedGroup {
	readonly top: number;
	readonly members: readonly { readonly body: number; readonly pose: Float64Array; readonly parent: number }[];
}

function fixedGroups({ bodies, joints }: ConversionModel): FixedGroup[] {
	const fixed = joints.filter(({ kind, parent }) => kind === 'fixed' && parent >= 0);
	const below = indexBy(fixed, ({ parent }) => parent);
	const isInner = new Set(fixed.map(({ child }) => child));
	const groups: FixedGroup[] = [];
	for (let top = 0; top < bodies.length; top++) {
		if (isInner.has(top)) continue;
		const members = [{ body: top, pose: identityPose(), parent: -1 }];
		for (const { body, pose } of members) {
			for (const index of below.get(body) ?? []) {
				const joint = fixed[index]!;
				members.push({ body: joint.child, pose: compose(pose, standing(joint)), parent: body });
			}
		}
		groups.push({ top, members });
	}
	return groups;
}

/** Where the child of a fixed joint stands on its parent. */
function standing({ parentFrame, childFrame }: ConversionJoint): Float64Array {
	return compose(parentFrame, inverse(childFrame));
}

/** Places the links without mass of a group that has some. */
function layOutLight(
	{ members }: FixedGroup,
	roles: (LinkRole | undefined)[],
	isNeeded: (body: number) => boolean,
): void {
	const place = new Map(members.map((member) => [member.body, member]));
	const poseIn = (body: number, of: number): Float64Array =>
		compose(inverse(place.get(of)!.pose), place.get(body)!.pose);
	const below = indexBy(members, ({ parent }) => parent);
	for (const { body, parent } of members) {
		if (roles[body] !== undefined) continue;
		if (parent >= 0) {
			// what it hangs on is placed: parents come first
			const { carrier, pose } = roles[parent]!.kind === 'body' ? own(parent) : roles[parent]!;
			roles[body] = frame(carrier, compose(pose, poseIn(body, parent)));
			continue;
		}
		// the root of the group: the nearest link with mass below it, or the first on the way that joints or shapes need
		const way = wayToMass(body, members, below, roles);
		const heavy = way.at(-1)!;
		const chosen = way.find((link) => isNeeded(link)) ?? heavy;
		if (chosen !== heavy) {
			roles[chosen] = own(chosen, movedInertia(roles[heavy]!.inertia!, poseIn(heavy, chosen)));
			roles[heavy] = frame(chosen, poseIn(heavy, chosen));
		}
		for (const link of way) roles[link] ??= frame(chosen, poseIn(link, chosen));
	}
}

/** Links from the root of a group to the nearest one with mass. */
function wayToMass(
	root: number,
	members: FixedGroup['members'],
	below: ReadonlyMap<number, readonly number[]>,
	roles: readonly (LinkRole | undefined)[],
): number[] {
	const queue = [[root]];
	for (const way of queue) {
		const last = way.at(-1)!;
		if (roles[last] !== undefined) return way;
		for (const index of below.get(last) ?? []) queue.push([...way, members[index]!.body]);
	}
	return [root];
}

function massOf({ bodies }: ConversionModel, body: number): number {
	return bodies[body]!.inertia?.mass ?? 0;
}

function own(body: number, inertia?: BodyInertia): LinkRole {
	return { kind: 'body', carrier: body, pose: identityPose(), inertia, isMassInvented: false };
}

function frame(carrier: number, pose: Float64Array): LinkRole {
	return { kind: 'frame', carrier, pose, inertia: undefined, isMassInvented: false };
}

/** A mass, given in a frame, in the frame that holds it. */
function movedInertia({ mass, center, tensor }: BodyInertia, pose: Float64Array): BodyInertia {
	const [x, y, z] = compose(pose, Float64Array.of(...center, 0, 0, 0, 1));
	return { mass, center: [x!, y!, z!], tensor: rotateTensor(tensor as Tensor, pose) };
}
