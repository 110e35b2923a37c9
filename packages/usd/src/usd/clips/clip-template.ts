import { type Dictionary, dataOf } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';

/** Clips that follow from a template: their files and when each is played. */
export interface DerivedClips {
	readonly assetPaths: string[];
	readonly active: Float64Array;
	readonly times: Float64Array;
}

/** Times are counted in this fraction of a frame, so that fractional strides do not add up errors. */
const STEPS = 10_000;
/** More clips than this are not looked for: only a hostile stride gets there. */
const MOST_CLIPS = 100_000;

/** The clips of a template such as `clip.###.usd`, as far as their files exist. Undefined when the template says nothing usable. */
export function deriveFromTemplate(info: Dictionary, exists: (assetPath: string) => boolean): DerivedClips | undefined {
	const template = dataOf(info.get('templateAssetPath'), T.string);
	const stride = dataOf(info.get('templateStride'), T.double);
	const start = dataOf(info.get('templateStartTime'), T.double);
	const end = dataOf(info.get('templateEndTime'), T.double);
	const activeOffset = dataOf(info.get('templateActiveOffset'), T.double);
	if (template === undefined || stride === undefined || start === undefined || end === undefined) return undefined;
	if (!(stride > 0) || !(start <= end) || (end - start) / stride > MOST_CLIPS) return undefined;
	if (activeOffset !== undefined && Math.abs(activeOffset) > stride) return undefined;
	const pattern = parseTemplate(template);
	if (pattern === undefined) return undefined;

	const assetPaths: string[] = [];
	const active: number[] = [];
	const times: number[] = [];
	const knot = (time: number): void => void times.push(time, time);
	const reach = activeOffset === undefined ? 0 : Math.abs(activeOffset) * STEPS;
	if (activeOffset !== undefined) knot((start * STEPS - reach) / STEPS);
	for (let t = start * STEPS; t <= end * STEPS; t += stride * STEPS) {
		const time = t / STEPS;
		const assetPath = pattern(time);
		if (!exists(assetPath)) continue;
		active.push(activeOffset === undefined ? time : (t + activeOffset * STEPS) / STEPS, assetPaths.length);
		assetPaths.push(assetPath);
		knot(time);
	}
	if (activeOffset !== undefined) knot((end * STEPS + reach) / STEPS);
	return { assetPaths, active: Float64Array.from(active), times: Float64Array.from(times) };
}

/** Gives the file of a time, from `path/base.###.usd` or `path/base.###.###.usd`. */
function parseTemplate(template: string): ((time: number) => string) | undefined {
	const slash = template.lastIndexOf('/') + 1;
	const folder = template.slice(0, slash);
	const parts = template
		.slice(slash)
		.split('.')
		.filter((part) => part !== '');
	const hashes = parts.flatMap((part, i) => (/^#+$/.test(part) ? [i] : []));
	const [whole, fraction] = hashes;
	if (whole === undefined || hashes.length > 2) return undefined;
	if (fraction !== undefined && fraction !== whole + 1) return undefined;
	return (time) => {
		const named = [...parts];
		named[whole] = padded(Math.trunc(time), parts[whole]!.length);
		if (fraction !== undefined) named[fraction] = time.toFixed(parts[fraction]!.length).split('.')[1]!;
		return folder + named.join('.');
	};
}

function padded(number: number, width: number): string {
	const digits = String(Math.abs(number));
	return number < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}
