import { type Layer, type Prim, type Stage, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';

/** Attributes of a stage whose values are samples or a spline: paths of the stage with their times in seconds, ascending. */
export type SampledAttributes = ReadonlyMap<string, readonly number[]>;

/** Finds attributes that layers give values over time. */
export function sampledAttributes(stage: Stage): SampledAttributes {
	const found = new Map<string, readonly number[]>();
	if (!stage.usedLayers().some(hasSamples)) return found;
	const rate = timeCodesPerSecond(stage);
	for (const prim of stage.traverse({ instanceProxies: true })) {
		for (const name of prim.authoredPropertyNames()) {
			const times = attributeTimes(prim, name);
			if (times.length > 0)
				found.set(
					`${prim.path}.${name}`,
					times.map((time) => time / rate),
				);
		}
	}
	return found;
}

/** A few of all times at which something has a sample, first and last among them. */
export function chooseTimes(sampled: SampledAttributes, most: number = MOST_TIMES): number[] {
	const all = [...new Set([...sampled.values()].flat())].sort((a, b) => a - b);
	if (all.length <= most) return all;
	return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]!);
}

/**
 * The first attribute that varied before an edit and does not afterwards, as a sentence. Transform operations are left out: what they do is compared
 * as motion. An attribute that goes on under another name, or in one of `outside`, is not lost.
 *
 * @param rename - leads from paths before the edit to those after it
 * @param outside - layers that were edited and are not part of the stage
 */
export function findLostSamples(
	before: SampledAttributes,
	after: SampledAttributes,
	rename: (path: string) => string,
	outside: readonly Layer[] = [],
): string | undefined {
	for (const [old, times] of before) {
		const path = rename(old);
		const [prim, name] = splitPath(path);
		if (name.startsWith('xformOp:') || includesTimes(after.get(path), times)) continue;
		const isRenamed = [...after].some(
			([other, theirs]) => !before.has(other) && splitPath(other)[0] === prim && includesTimes(theirs, times),
		);
		if (isRenamed || outside.some((layer) => varies(layer, name))) continue;
		return `<${old}> ${after.has(path) ? 'has lost some of its samples' : 'does not vary over time any more'}`;
	}
	return undefined;
}

/** Time codes of a second, as USD reads the root layer of a stage. */
export function timeCodesPerSecond(stage: Stage): number {
	const number = (field: string): number | undefined => dataOf(stage.metadata(field), T.double);
	return number('timeCodesPerSecond') ?? number('framesPerSecond') ?? 24;
}

/** Whether the value of an attribute is given by samples, a spline or clips. */
export function isSampled(prim: Prim, name: string): boolean {
	const attribute = prim.attribute(name);
	return attribute.resolveInfo().source === 'spline' || attribute.timeSamples().length > 0;
}

/** Sample times of an attribute, or times of the knots of its spline, in time codes of the stage. */
function attributeTimes(prim: Prim, name: string): readonly number[] {
	const attribute = prim.attribute(name);
	const spline = dataOf(attribute.spline(), T.spline);
	return spline === undefined ? attribute.timeSamples() : spline.knots.map(({ time }) => time);
}

const MOST_TIMES = 12;

function hasSamples(layer: Layer): boolean {
	for (const path of layer.data.paths()) {
		for (const field of layer.data.fieldNames(path)) {
			if (field === 'timeSamples' || field === 'spline' || field === 'clips') return true;
		}
	}
	return false;
}

function varies(layer: Layer, name: string): boolean {
	for (const path of layer.data.paths()) {
		if (path.name !== name) continue;
		if (layer.field(path, 'timeSamples') !== undefined || layer.field(path, 'spline') !== undefined) return true;
	}
	return false;
}

function includesTimes(times: readonly number[] | undefined, expected: readonly number[]): boolean {
	if (times === undefined) return false;
	return expected.every((time) => times.some((other) => Math.abs(other - time) <= 1e-6 * Math.max(1, Math.abs(time))));
}

function splitPath(path: string): readonly [prim: string, name: string] {
	const at = path.lastIndexOf('.');
	return [path.slice(0, at), path.slice(at + 1)];
}
