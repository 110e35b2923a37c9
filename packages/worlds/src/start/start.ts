import { quote, type Report, UsageRangeError } from '@manyworlds/core';
import { quatRotateInverse } from '@manyworlds/core/internal';
import { ArticulatedDynamics, JointType, type Model, State } from '@manyworlds/model';
import { dofReferences } from '@manyworlds/model/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { worldRows } from '../world-rows.ts';
import { liftFromGround } from './lift-from-ground.ts';
import { MovingParts } from './moving-parts.ts';
import { type FindOverlaps, OVERLAP_TOLERANCE, type Overlap } from './overlap.ts';
import { reportOverlaps } from './report-overlaps.ts';

/** Options of {@link startOf}. @public */
export interface StartOptions {
	/** Finds what overlaps, as `overlapsOf(model)` of `sim` does; without it nothing is lifted and no overlap is told. */
	readonly findOverlaps?: FindOverlaps;
	/** Whether floating robots that start inside of the ground are lifted until they touch it; true unless given. */
	readonly lift?: boolean;
	/** A plane that may be lowered until robots on a fixed base are above it; none unless given. */
	readonly ground?: number;
	/** Height of floating bases over the origin [m]; nothing is lifted then. */
	readonly height?: number;
	/** Position [m], and rotation (x y z w) if given, of floating bases in their world; nothing is lifted then. */
	readonly pose?: ArrayLike<number>;
	/** Where worlds stand [m], three numbers each, for `pose`; all at the origin unless given. */
	readonly worldOffsets?: ArrayLike<number>;
	/** Coordinates [m, rad] of joints with one, by label or the last part of it, in every world. */
	readonly joints?: Readonly<Record<string, number>>;
}

/** Where a model starts. @public */
export interface Start {
	readonly state: State;
	/** How far floating robots were lifted from the ground, at most [m]. */
	readonly lift: number;
	/** How far the ground was lowered below robots on a fixed base [m]. */
	readonly lowered: number;
	/** What overlaps by more than {@link OVERLAP_TOLERANCE}. */
	readonly overlaps: readonly Overlap[];
}

/**
 * The state that a model starts from. Scalar joints are moved into their limits, because outside of them the limits would
 * throw the robot; bodies stand where the joints put them; floating robots inside of the ground are lifted until their lowest
 * collider touches. What was moved is told, and what overlaps all the same is a finding.
 *
 * ```ts
 * const { state } = startOf(model, report, { findOverlaps: overlapsOf(model) });
 * ```
 * @public
 */
export function startOf(model: Model, report: Report, options: StartOptions = {}): Start {
	const state = new State(model);
	const dynamics = new ArticulatedDynamics(model);
	if (options.joints !== undefined) setJoints(model, state, options.joints);
	moveIntoLimits(model, state, report);
	const isPlaced = options.height !== undefined || options.pose !== undefined;
	if (isPlaced) placeBases(model, state, options);
	dynamics.forwardKinematics(state);
	const { findOverlaps } = options;
	if (findOverlaps === undefined) return { state, lift: 0, lowered: 0, overlaps: [] };
	const parts = new MovingParts(model);
	const canLift = !isPlaced && (options.lift ?? true);
	const { lift, lowered, overlaps } = liftFromGround(model, state, parts, findOverlaps, {
		canLift,
		place: () => dynamics.forwardKinematics(state),
		report,
		...(options.ground !== undefined && { ground: options.ground }),
	});
	const deep = overlaps.filter((one) => one.depth > OVERLAP_TOLERANCE && parts.canPart(one));
	reportOverlaps(model, deep, report);
	return { state, lift, lowered, overlaps: deep };
}

/** Tells what overlaps in a state that somebody else chose, such as that of a scene. @public */
export function reportStartOverlaps(model: Model, state: State, findOverlaps: FindOverlaps, report: Report): void {
	const parts = new MovingParts(model);
	const deep = findOverlaps(state).filter((one) => one.depth > OVERLAP_TOLERANCE && parts.canPart(one));
	reportOverlaps(model, deep, report);
}

/** The state of {@link startOf} where nobody finds overlaps. @public */
export function startState(model: Model, report: Report): State {
	return startOf(model, report).state;
}

function moveIntoLimits(model: Model, state: State, report: Report): void {
	const moved: string[] = [];
	const references = dofReferences(model);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) continue;
		const dof = model.jointQdStart[joint]!;
		const start = model.jointQStart[joint]!;
		for (let i = 0; i < model.jointQdStart[joint + 1]! - dof; i++) {
			const own = state.jointQ[start + i]!;
			const reference = references?.[dof + i] ?? 0;
			const lower = model.jointLimitLower[dof + i]! - reference;
			const inside = Math.min(Math.max(own, lower), Math.max(lower, model.jointLimitUpper[dof + i]! - reference));
			if (inside === own) continue;
			state.jointQ[start + i] = inside;
			if ((model.jointWorld[joint] ?? 0) <= 0) moved.push(model.jointLabels[joint]!);
		}
	}
	if (moved.length === 0) return;
	const names = moved.length > 3 ? `${moved.slice(0, 3).join(', ')}, …` : moved.join(', ');
	report.add(
		createDiagnostic('WLD001', `${moved.length} joints start at their limits instead of outside of them: ${names}`),
	);
}

/** Sets coordinates of joints by name in every world. Throws for a name that is not there, or not of one joint with one number. */
function setJoints(model: Model, state: State, joints: Readonly<Record<string, number>>): void {
	for (const [name, value] of Object.entries(joints)) {
		for (let world = 0; world < Math.max(1, model.worldCount); world++) {
			const { start, end } = worldRows(model, 'joint', world);
			const found: number[] = [];
			for (let joint = start; joint < end; joint++) {
				const label = model.jointLabels[joint]!;
				if (label === name || label.endsWith(`/${name}`)) found.push(joint);
			}
			if (found.length !== 1) {
				const count = found.length === 0 ? 'no joint has' : `${found.length} joints have`;
				throw new UsageRangeError(`${count} the name ${quote(name)}, expected one of ${someJoints(model, start, end)}`);
			}
			const q = model.jointQStart[found[0]!]!;
			const size = model.jointQStart[found[0]! + 1]! - q;
			if (size !== 1) throw new UsageRangeError(`joint ${quote(name)} has ${size} coordinates, expected one`);
			state.jointQ[q] = value;
		}
	}
}

function someJoints(model: Model, start: number, end: number): string {
	const names: string[] = [];
	for (let joint = start; joint < end && names.length < 6; joint++) {
		if (model.jointQStart[joint + 1]! - model.jointQStart[joint]! === 1) names.push(quote(model.jointLabels[joint]!));
	}
	return names.length === 0 ? 'those with one coordinate, of which there are none' : `${names.join(', ')}, …`;
}

/** Puts floating bases where the options say. Throws when there are none, or several for one pose. */
function placeBases(model: Model, state: State, { height, pose, worldOffsets }: StartOptions): void {
	const up = 'xyz'.indexOf(model.upAxis);
	const target = new Float64Array(3);
	for (let world = 0; world < Math.max(1, model.worldCount); world++) {
		const { start, end } = worldRows(model, 'joint', world);
		const bases: number[] = [];
		for (let joint = start; joint < end; joint++) {
			if (model.jointParent[joint] === -1 && model.jointType[joint] === JointType.FREE) bases.push(joint);
		}
		if (bases.length === 0) throw new UsageRangeError('nothing floats, so that no base can be placed');
		if (pose !== undefined && bases.length > 1)
			throw new UsageRangeError(`${bases.length} bodies float, expected one that the pose is for`);
		for (const joint of bases) {
			const q = model.jointQStart[joint]!;
			const frame = model.jointXP.subarray(7 * joint, 7 * joint + 7);
			if (pose !== undefined) {
				for (let k = 0; k < 3; k++) state.jointQ[q + k] = pose[k]! + (worldOffsets?.[3 * world + k] ?? 0);
				for (let k = 3; k < pose.length; k++) state.jointQ[q + k] = pose[k]!;
			}
			if (height === undefined) continue;
			target.set(state.jointQ.subarray(q, q + 3));
			const own = frame[up]! + rotatedComponent(frame, target, up);
			const shift = new Float64Array(3);
			shift[up] = height - own;
			quatRotateInverse(shift, frame, shift, 0, 3);
			for (let k = 0; k < 3; k++) state.jointQ[q + k]! += shift[k]!;
		}
	}
}

function rotatedComponent(frame: Float64Array, v: Float64Array, axis: number): number {
	const back = new Float64Array(3);
	back[axis] = 1;
	quatRotateInverse(back, frame, back, 0, 3);
	return back[0]! * v[0]! + back[1]! * v[1]! + back[2]! * v[2]!;
}
