/** One knot of the mapping from stage time to clip time. */
export interface TimeKnot {
	readonly external: number;
	readonly internal: number;
	/** Whether the mapping jumps right after this knot. */
	readonly isJump: boolean;
}

/** The step that stands for "just before" where a mapping jumps, as OpenUSD has it. */
const SAFE_STEP = Number.EPSILON * 1e6 * 10 * 2;

/** A piecewise linear mapping from stage time to clip time; empty: both are the same. Immutable. */
export class TimeMapping {
	readonly knots: readonly TimeKnot[];

	/** `pairs` holds stage time and clip time by turns. */
	constructor(pairs: Float64Array | undefined) {
		const knots: { external: number; internal: number; isJump: boolean }[] = [];
		for (let i = 0; pairs !== undefined && i + 1 < pairs.length; i += 2) {
			knots.push({ external: pairs[i]!, internal: pairs[i + 1]!, isJump: false });
		}
		knots.sort((a, b) => a.external - b.external);
		for (let i = 0; i + 1 < knots.length; i++) {
			const knot = knots[i]!;
			if (knot.external !== knots[i + 1]!.external) continue;
			knot.external -= SAFE_STEP;
			knot.isJump = true;
		}
		// sentinels: there is always a segment to look at
		if (knots.length > 0) {
			knots.unshift(knots[0]!);
			knots.push(knots[knots.length - 1]!);
		}
		this.knots = knots;
	}

	get isEmpty(): boolean {
		return this.knots.length === 0;
	}

	/** Index of the knot that starts the segment around a stage time; -1 without knots. */
	segmentAt(time: number): number {
		const { knots } = this;
		const last = knots.length - 1;
		if (last < 0) return -1;
		if (time <= knots[0]!.external) return 0;
		if (time >= knots[last]!.external) return last - 1;
		let end = 0;
		while (knots[end]!.external < time) end++;
		return end - 1;
	}

	toInternal(time: number): number {
		const at = this.segmentAt(time);
		if (at < 0) return time;
		const [a, b] = this.#segment(at);
		if (a.external === b.external || time === a.external) return a.internal;
		if (time === b.external) return b.internal;
		return ((b.internal - a.internal) / (b.external - a.external)) * (time - a.external) + a.internal;
	}

	/** The stage time of a clip time within one segment. */
	toExternal(time: number, segment: number): number {
		const [a, b] = this.#segment(segment);
		if (a.internal === b.internal || time === a.internal) return a.external;
		if (time === b.internal) return b.external;
		return ((b.external - a.external) / (b.internal - a.internal)) * (time - a.internal) + a.external;
	}

	/** The ends of a segment; where it ends at a jump, at the time that was authored. */
	#segment(at: number): [TimeKnot, TimeKnot] {
		const a = this.knots[at]!;
		const b = this.knots[at + 1]!;
		if (!b.isJump) return [a, b];
		return [a, { external: this.knots[at + 2]!.external, internal: b.internal, isJump: false }];
	}
}
