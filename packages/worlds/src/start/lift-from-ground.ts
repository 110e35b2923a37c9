import type { Report } from '@manyworlds/core';
import { quatRotateInverse } from '@manyworlds/core/internal';
import type { Model, State } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import type { MovingParts } from './moving-parts.ts';
import { type FindOverlaps, OVERLAP_TOLERANCE, type Overlap } from './overlap.ts';

/** Options of {@link liftFromGround}. */
export interface LiftOptions {
	readonly canLift: boolean;
	/** Puts bodies where the joints say. */
	readonly place: () => void;
	readonly report: Report;
	/** A plane that may be lowered. */
	readonly ground?: number;
}

/** What lies below holds with normals that point up at least so much: steeper ones are walls. */
const STEEPEST = 0.5;
/** Uneven ground needs several looks. */
const MOST_PASSES = 10;

/**
 * Lifts floating parts out of what holds still below them, world by world, and lowers the ground below parts on a fixed
 * base. Parts that touch each other, or that constraints join, keep their places to each other.
 */
export function liftFromGround(
	model: Model,
	state: State,
	parts: MovingParts,
	findOverlaps: FindOverlaps,
	options: LiftOptions,
): { readonly lift: number; readonly lowered: number; readonly overlaps: readonly Overlap[] } {
	let overlaps = findOverlaps(state);
	const lowered = lowerGround(model, parts, overlaps, options);
	if (lowered > 0) overlaps = findOverlaps(state);
	const lifted = new Map<number, number>();
	let cause: Overlap | undefined;
	if (options.canLift) {
		const groups = new Groups(model, parts, overlaps);
		for (let pass = 0; pass < MOST_PASSES; pass++) {
			const needs = new Map<number, number>();
			for (const one of overlaps) {
				const need = needOf(model, parts, one);
				if (need === undefined) continue;
				const group = groups.of(need.base);
				if (need.distance <= (needs.get(group) ?? 0)) continue;
				needs.set(group, need.distance);
				if (need.distance > (cause?.depth ?? 0)) cause = one;
			}
			if (needs.size === 0) break;
			for (const base of groups.bases) {
				const distance = needs.get(groups.of(base)) ?? 0;
				if (distance === 0) continue;
				liftBase(model, state, base, distance);
				lifted.set(base, (lifted.get(base) ?? 0) + distance);
			}
			options.place();
			overlaps = findOverlaps(state);
		}
	}
	const lift = Math.max(0, ...lifted.values());
	if (lift > 0 && cause !== undefined) tellLift(model, parts, lifted, cause, options.report);
	return { lift, lowered, overlaps };
}

/** How far a floating part must rise to be out of what holds still below it; undefined when it is not in it. */
function needOf(
	model: Model,
	parts: MovingParts,
	{ shape0, shape1, depth, normal }: Overlap,
): { readonly base: number; readonly distance: number } | undefined {
	if (depth <= OVERLAP_TOLERANCE) return undefined;
	const up = normal['xyz'.indexOf(model.upAxis)]!;
	// the normal points from the first to the second
	const [still, floating, rise] = up > 0 ? [shape0, shape1, up] : [shape1, shape0, -up];
	if (rise < STEEPEST || parts.canMove(parts.bodyOf(still))) return undefined;
	const base = parts.baseOf(floating);
	return base < 0 ? undefined : { base, distance: depth / rise };
}

function liftBase(model: Model, state: State, joint: number, distance: number): void {
	const shift = new Float64Array(3);
	shift['xyz'.indexOf(model.upAxis)] = distance;
	quatRotateInverse(shift, model.jointXP, shift, 0, 7 * joint + 3);
	const q = model.jointQStart[joint]!;
	for (let k = 0; k < 3; k++) state.jointQ[q + k]! += shift[k]!;
}

/** Lowers a plane below what hangs on fixed bases; gives how far. */
function lowerGround(
	model: Model,
	parts: MovingParts,
	overlaps: readonly Overlap[],
	{ ground, report }: LiftOptions,
): number {
	if (ground === undefined) return 0;
	let deepest: Overlap | undefined;
	for (const one of overlaps) {
		const other = one.shape0 === ground ? one.shape1 : one.shape1 === ground ? one.shape0 : -1;
		if (other < 0 || parts.baseOf(other) >= 0 || !parts.canMove(parts.bodyOf(other))) continue;
		if (one.depth > (deepest?.depth ?? OVERLAP_TOLERANCE)) deepest = one;
	}
	if (deepest === undefined) return 0;
	const up = 'xyz'.indexOf(model.upAxis);
	model.shapeTransform[7 * ground + up]! -= deepest.depth;
	const other = deepest.shape0 === ground ? deepest.shape1 : deepest.shape0;
	const message = `the ground plane was lowered by ${millimetres(deepest.depth)}: '${model.shapeLabels[other]}' of a robot on a fixed base reaches down there`;
	report.add(createDiagnostic('WLD003', message));
	return deepest.depth;
}

function tellLift(
	model: Model,
	parts: MovingParts,
	lifted: ReadonlyMap<number, number>,
	cause: Overlap,
	report: Report,
): void {
	const [still, floating] =
		parts.baseOf(cause.shape0) >= 0 ? [cause.shape1, cause.shape0] : [cause.shape0, cause.shape1];
	const base = parts.baseOf(floating);
	const worlds = new Set(Array.from(lifted.keys(), (joint) => model.jointWorld[joint] ?? 0)).size;
	const where = worlds > 1 ? ` in ${worlds} worlds` : '';
	const message = `'${model.bodyLabels[model.jointChild[base]!]}' was lifted by ${millimetres(lifted.get(base) ?? 0)}${where}, until '${model.shapeLabels[floating]}' touched '${model.shapeLabels[still]}'`;
	report.add(createDiagnostic('WLD002', message));
}

/** A length in words, with four digits. */
export function millimetres(length: number): string {
	return length >= 0.1 ? `${Number(length.toPrecision(4))} m` : `${Number((1000 * length).toPrecision(4))} mm`;
}

/** Floating parts that are lifted together. */
class Groups {
	readonly bases: readonly number[];
	readonly #parent = new Map<number, number>();

	constructor(model: Model, parts: MovingParts, overlaps: readonly Overlap[]) {
		for (const base of parts.base) if (base >= 0) this.#parent.set(base, base);
		this.bases = [...this.#parent.keys()].sort((a, b) => a - b);
		for (const { shape0, shape1 } of overlaps) this.#join(parts.baseOf(shape0), parts.baseOf(shape1));
		const baseOf = (body: number): number => (body < 0 ? -1 : parts.base[body]!);
		for (let joint = 0; joint < model.jointCount; joint++) {
			if (model.jointArticulation[joint]! < 0)
				this.#join(baseOf(model.jointParent[joint]!), baseOf(model.jointChild[joint]!));
		}
		for (let row = 0; row < model.equalityConstraintCount; row++)
			this.#join(baseOf(model.equalityConstraintBody1[row]!), baseOf(model.equalityConstraintBody2[row]!));
	}

	of(base: number): number {
		let at = base;
		while (this.#parent.get(at)! !== at) at = this.#parent.get(at)!;
		return at;
	}

	#join(a: number, b: number): void {
		if (a >= 0 && b >= 0) this.#parent.set(this.of(b), this.of(a));
	}
}
