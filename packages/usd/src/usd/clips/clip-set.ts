import type { LayerStack } from '../../pcp/layer-stack.ts';
import { childPaths } from '../../sdf/children.ts';
import { Layer } from '../../sdf/layer.ts';
import { Path, PathKind } from '../../sdf/path.ts';
import { SpecType } from '../../sdf/spec-type.ts';
import { dataOf, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';
import { type Interpolation, interpolate } from '../interpolation.ts';
import { isBlock } from '../time-samples.ts';
import { Clip } from './clip.ts';
import type { ClipDefinition, OpenClip } from './clip-definition.ts';
import { TimeMapping } from './time-mapping.ts';

/** Clips that take turns in giving time samples to a prim and its descendants. */
export class ClipSet {
	readonly name: string;
	readonly layerStack: LayerStack;
	readonly sourcePath: Path;
	/** The layer whose opinions are just stronger than the clips. */
	readonly sourceLayer: Layer;
	readonly clips: readonly Clip[];
	/** Says which attributes the clips have, and their values where a clip has none. */
	readonly manifest: Clip;
	/** Whether the manifest was made from the clips. */
	readonly hasGeneratedManifest: boolean;
	readonly #interpolatesMissing: boolean;

	private constructor(definition: ClipDefinition, clips: readonly Clip[], manifest: Clip) {
		this.name = definition.name;
		this.layerStack = definition.layerStack;
		this.sourcePath = definition.sourcePath;
		this.sourceLayer = definition.sourceLayer;
		this.clips = clips;
		this.manifest = manifest;
		this.hasGeneratedManifest = definition.manifest === undefined;
		this.#interpolatesMissing = definition.interpolatesMissing;
	}

	/** The set that a definition describes, or why it describes none: half a sentence, '' when it just says too little. */
	static create(definition: ClipDefinition, open: OpenClip): ClipSet | string {
		const { assetPaths, active, primPath, sourcePath, sourceLayer } = definition;
		if (assetPaths === undefined || active === undefined || primPath === undefined) return '';
		const path = Path.parse(primPath);
		const fault = faultOf(definition, path);
		if (fault !== undefined) return fault;
		if (active.length === 0) return '';
		const times = new TimeMapping(definition.times);
		const paths = { source: sourcePath, prim: path! };
		const starts: [number, number][] = [];
		for (let i = 0; i + 1 < active.length; i += 2) starts.push([active[i]!, Math.trunc(active[i + 1]!)]);
		starts.sort((a, b) => a[0] - b[0]);
		const clips = starts.map(([authoredStart, number], i) => {
			const start = i === 0 ? Number.NEGATIVE_INFINITY : authoredStart;
			const end = starts[i + 1]?.[0] ?? Number.POSITIVE_INFINITY;
			return new Clip({ authoredStart, start, end }, paths, times, () => open(assetPaths[number]!, sourceLayer));
		});
		const { manifest } = definition;
		const manifestClip = new Clip(
			{
				authoredStart: Number.NEGATIVE_INFINITY,
				start: Number.NEGATIVE_INFINITY,
				end: Number.POSITIVE_INFINITY,
			},
			paths,
			new TimeMapping(undefined),
			manifest === undefined ? () => generateManifest(clips, path!) : () => open(manifest, sourceLayer),
		);
		// opened at once, like in OpenUSD: a manifest that must be made needs all clips
		void manifestClip.layer;
		return new ClipSet(definition, clips, manifestClip);
	}

	/** Whether the clips may have samples of the attribute at `path` (in the namespace of their site). */
	declares(path: Path): boolean {
		return dataOf(this.manifest.field(path, 'variability'), T.variability) === 'varying';
	}

	/** The clip that is active at a time. */
	activeClip(time: number): Clip {
		return this.clips[this.#activeIndex(time)]!;
	}

	/** Stage times of all samples, ascending. */
	sampleTimes(path: Path): number[] {
		const times = new Set<number>();
		for (const clip of this.clips) {
			if (this.#contributes(clip, path)) for (const time of clip.sampleTimes(path)) times.add(time);
		}
		if (times.size === 0) times.add(this.clips[0]!.authoredStart);
		return [...times].sort((a, b) => a - b);
	}

	/** Stage times of the samples around a time. */
	bracket(path: Path, time: number): [number, number] {
		const active = this.#activeIndex(time);
		let lower: number | undefined;
		let upper: number | undefined;
		if (this.#contributes(this.clips[active]!, path)) {
			const found = this.clips[active]!.bracket(path, time);
			if (found !== undefined) {
				[lower, upper] = found;
				if (lower === upper && time > upper) upper = undefined;
			}
		}
		for (let i = active - 1; i >= 0 && lower === undefined; i--) {
			if (this.#contributes(this.clips[i]!, path)) lower = this.clips[i]!.bracket(path, time)?.[1];
		}
		for (let i = active + 1; i < this.clips.length && upper === undefined; i++) {
			if (this.#contributes(this.clips[i]!, path)) upper = this.clips[i]!.start;
		}
		const only = lower ?? upper ?? this.clips[0]!.authoredStart;
		return [lower ?? only, upper ?? only];
	}

	/** The value at a time; undefined where there is none. */
	valueAt(path: Path, time: number, interpolation: Interpolation): Value | undefined {
		const [lower, upper] = this.bracket(path, time);
		const first = this.#query(path, lower, interpolation);
		if (first === undefined || lower === upper || interpolation === 'held') return first;
		const second = this.#query(path, upper, interpolation);
		return second === undefined ? first : interpolate(first, second, (time - lower) / (upper - lower));
	}

	/** The clip whose layer the value at a time comes from; the manifest where the active one has no samples. */
	sourceAt(path: Path, time: number): Clip {
		const clip = this.activeClip(time);
		return clip.samples(path) === undefined ? this.manifest : clip;
	}

	#query(path: Path, time: number, interpolation: Interpolation): Value | undefined {
		const found = this.activeClip(time).valueAt(path, time, interpolation);
		if (found !== undefined) return found.value;
		const fallback = this.manifest.field(path, 'default');
		return fallback === undefined || isBlock(fallback) ? undefined : fallback;
	}

	#activeIndex(time: number): number {
		let index = 0;
		while (index + 1 < this.clips.length && this.clips[index + 1]!.start <= time) index++;
		return index;
	}

	#contributes(clip: Clip, path: Path): boolean {
		if (!this.#interpolatesMissing) return true;
		if (!this.manifest.isBlockedAt(path, clip.authoredStart) && clip.samples(path) !== undefined) return true;
		return this.manifest.field(path, 'default') !== undefined;
	}
}

function faultOf({ assetPaths, active, times }: ClipDefinition, path: Path | undefined): string | undefined {
	if (path === undefined || !path.isAbsolute || !path.isPrim) return 'primPath is not the absolute path of a prim';
	if (assetPaths!.includes('')) return 'assetPaths holds an empty path';
	const starts = new Set<number>();
	for (let i = 0; i + 1 < active!.length; i += 2) {
		const number = active![i + 1]!;
		if (!(number >= 0 && number < assetPaths!.length)) return `active names clip ${number}, which does not exist`;
		if (starts.has(active![i]!)) return `active names two clips for time ${active![i]}`;
		starts.add(active![i]!);
	}
	const seen = new Map<number, number>();
	for (let i = 0; times !== undefined && i + 1 < times.length; i += 2) {
		const count = (seen.get(times[i]!) ?? 0) + 1;
		if (count > 2) return `times has more than two entries for time ${times[i]}`;
		seen.set(times[i]!, count);
	}
	return undefined;
}

/** A layer with every attribute that some clip has samples of. */
function generateManifest(clips: readonly Clip[], primPath: Path): Layer {
	const manifest = Layer.create('anon:generated_manifest.usda');
	for (const clip of clips) {
		const { layer } = clip;
		if (layer === undefined) continue;
		const stack: Path[] = [primPath];
		for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
			if (path.kind !== PathKind.property) {
				for (const child of childPaths(layer.data, path)) {
					if (child.kind === PathKind.prim || child.kind === PathKind.property) stack.push(child);
				}
				continue;
			}
			if (manifest.has(path) || layer.data.specType(path) !== SpecType.attribute) continue;
			const samples = dataOf(layer.data.field(path, 'timeSamples'), T.timeSamples);
			const typeName = dataOf(layer.data.field(path, 'typeName'), T.token);
			const variability = dataOf(layer.data.field(path, 'variability'), T.variability);
			if (samples === undefined || samples.times.length === 0 || typeName === undefined) continue;
			manifest.createAttribute(path, typeName, variability === undefined ? {} : { variability });
		}
	}
	return manifest;
}
