import type { Layer } from '../../sdf/layer.ts';
import type { Path } from '../../sdf/path.ts';
import { dataOf, IDENTITY_OFFSET, type TimeSamples, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';
import type { Interpolation } from '../interpolation.ts';
import { bracketTimes, isBlock, sampleAt } from '../time-samples.ts';
import { shiftValue } from '../value-time.ts';
import type { TimeMapping } from './time-mapping.ts';

/** What a clip query finds: a value, that there is none here, or that the clip has no samples at all. */
export type ClipValue = { readonly value: Value | undefined } | undefined;

/** One clip of a set: a layer that gives time samples while it is active. */
export class Clip {
	/** When it becomes active, as authored. */
	readonly authoredStart: number;
	/** Active from here on; the first clip always was. */
	readonly start: number;
	/** Active up to here. */
	readonly end: number;
	readonly #times: TimeMapping;
	readonly #sourcePath: Path;
	readonly #primPath: Path;
	readonly #open: () => Layer | undefined;
	#layer: Layer | undefined | null = null;

	constructor(
		range: { readonly authoredStart: number; readonly start: number; readonly end: number },
		paths: { readonly source: Path; readonly prim: Path },
		times: TimeMapping,
		open: () => Layer | undefined,
	) {
		this.authoredStart = range.authoredStart;
		this.start = range.start;
		this.end = range.end;
		this.#sourcePath = paths.source;
		this.#primPath = paths.prim;
		this.#times = times;
		this.#open = open;
	}

	/** The layer, opened when first needed; undefined when it cannot be. */
	get layer(): Layer | undefined {
		if (this.#layer === null) this.#layer = this.#open();
		return this.#layer;
	}

	/** The layer if it was opened. */
	get openedLayer(): Layer | undefined {
		return this.#layer ?? undefined;
	}

	field(path: Path, name: string): Value | undefined {
		return this.layer?.data.field(this.#translate(path), name);
	}

	samples(path: Path): TimeSamples | undefined {
		const samples = dataOf(this.field(path, 'timeSamples'), T.timeSamples);
		return samples === undefined || samples.times.length === 0 ? undefined : samples;
	}

	/** Whether the sample right at a stage time is a block. */
	isBlockedAt(path: Path, time: number): boolean {
		const samples = this.samples(path);
		const at = samples === undefined ? -1 : samples.times.indexOf(this.#times.toInternal(time));
		return at >= 0 && isBlock(samples!.valueAt(at));
	}

	/** Stage times of the samples around a stage time; undefined outside the active range. */
	bracket(path: Path, time: number): [number, number] | undefined {
		const found: number[] = [];
		this.#bracketInLayer(path, time, found);
		const { knots } = this.#times;
		const inKnots = bracketTimes(
			knots.map((knot) => knot.external),
			time,
		);
		if (inKnots !== undefined) found.push(knots[inKnots.lower]!.external, knots[inKnots.upper]!.external);
		// a clip has a sample at its start, so that it never mixes with its neighbours
		found.push(this.authoredStart);
		const inRange = [...new Set(found.filter((t) => t >= this.start && t < this.end))].sort((a, b) => a - b);
		const bracket = bracketTimes(inRange, time);
		return bracket === undefined ? undefined : [inRange[bracket.lower]!, inRange[bracket.upper]!];
	}

	/** Stage times of all samples while it is active. */
	sampleTimes(path: Path): Set<number> {
		const times = new Set<number>();
		const internal = this.samples(path)?.times ?? NO_TIMES;
		const { knots } = this.#times;
		if (this.#times.isEmpty) for (const time of internal) this.#addActive(times, time);
		for (const time of internal) {
			for (let i = 0; i + 1 < knots.length; i++) this.#addMapped(times, time, i);
		}
		for (const knot of knots) this.#addActive(times, knot.external);
		times.add(this.authoredStart);
		return times;
	}

	/** The value at a stage time. */
	valueAt(path: Path, time: number, interpolation: Interpolation): ClipValue {
		const samples = this.samples(path);
		if (samples === undefined) return undefined;
		const internal = this.#times.toInternal(time);
		const value = sampleAt(samples, internal, internal, IDENTITY_OFFSET, interpolation);
		return { value: value === undefined ? undefined : shiftValue(value, time - internal) };
	}

	#translate(path: Path): Path {
		return path.replacePrefix(this.#sourcePath, this.#primPath, false);
	}

	#addActive(times: Set<number>, time: number): void {
		if (time >= this.start && time < this.end) times.add(time);
	}

	#addMapped(times: Set<number>, time: number, segment: number): void {
		const a = this.#times.knots[segment]!;
		const b = this.#times.knots[segment + 1]!;
		if (a.isJump || b.external < this.start || a.external >= this.end) return;
		if (time < Math.min(a.internal, b.internal) || time > Math.max(a.internal, b.internal)) return;
		if (a.internal === b.internal) {
			this.#addActive(times, a.external);
			this.#addActive(times, b.external);
		} else {
			this.#addActive(times, this.#times.toExternal(time, segment));
		}
	}

	/**
	 * Samples of the layer around a time, as stage times. Many stage times may play one clip time; the ones closest to the
	 * time in question count.
	 */
	#bracketInLayer(path: Path, time: number, out: number[]): void {
		const internal = this.samples(path)?.times;
		if (internal === undefined) return;
		const bracket = bracketTimes(internal, this.#times.toInternal(time));
		if (bracket === undefined) return;
		const low = internal[bracket.lower]!;
		const high = internal[bracket.upper]!;
		const segment = this.#times.segmentAt(time);
		if (segment < 0) {
			out.push(low, high);
			return;
		}
		const { knots } = this.#times;
		const isSame = low === high;
		let lower: number | undefined;
		let upper: number | undefined;
		for (let i = segment; i >= 0 && lower === undefined; i--) lower = this.#translated(low, i, time, isSame, true);
		for (let i = segment; i + 1 < knots.length && upper === undefined; i++) {
			upper = this.#translated(high, i, time, isSame, false);
		}
		const first = knots[0]!;
		const last = knots[knots.length - 1]!;
		const outside = (t: number): number => (t < first.internal ? first.external : last.external);
		out.push(lower ?? upper ?? outside(low), upper ?? lower ?? outside(high));
	}

	#translated(internal: number, segment: number, time: number, isSame: boolean, isLower: boolean): number | undefined {
		const a = this.#times.knots[segment]!;
		const b = this.#times.knots[segment + 1]!;
		if (a.isJump) return undefined;
		if (internal < Math.min(a.internal, b.internal) || internal > Math.max(a.internal, b.internal)) return undefined;
		if (a.internal !== b.internal) return this.#times.toExternal(internal, segment);
		if (isSame && time === a.external) return a.external;
		if (isSame && time === b.external) return b.external;
		return isLower ? a.external : b.external;
	}
}

const NO_TIMES = new Float64Array(0);
