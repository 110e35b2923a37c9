import type { FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { Random } from '../random.ts';
import { MJCF_SAMPLE } from '../samples/mjcf-sample.ts';
import { damageGroups } from './damage-groups.ts';

/** Values that an attribute may be given instead of its own. */
export const WORDS: readonly string[] = [
	...[
		'',
		'0',
		'-1',
		'1e308',
		'1e-320',
		'nan',
		'inf',
		'-inf',
		'0x1',
		'1 2',
		'0 0 0 0',
		'1,2,3',
		'true',
		'auto',
		'false',
	],
	...['mesh', 'plane', 'free', 'ball', 'hinge', 'slide', 'base', 'upper', 'hip', 'limb', 'nothing', '../x', '&amp;'],
	...['1 '.repeat(1000), '9'.repeat(400), '\u00e9\u{1f916}', '2147483648', '-2147483649', '1e6', '0.5 0.5 0.5'],
];

/** A model that is cut, flipped and spliced as bytes, and whose attributes and elements are exchanged as text. */
export function mjcfGroups(count: number, options: FuzzOptions): FuzzGroup[] {
	const bytes = new TextEncoder().encode(MJCF_SAMPLE);
	const name = 'mjcf/model/exchange';
	return [
		...damageGroups({ name: 'model', format: 'mjcf', bytes }, count, options),
		{
			name,
			count: Math.floor(count),
			make: (index) => {
				const random = new Random(options.seed, name, index);
				const text = exchanged(MJCF_SAMPLE, random);
				return { format: 'mjcf', bytes: new TextEncoder().encode(text), expects: 'any', how: 'exchanged parts' };
			},
		},
	];
}

function exchanged(text: string, random: Random): string {
	let out = text;
	for (let left = 1 + random.below(random.oneIn(5) ? 30 : 4); left > 0; left--) out = exchangeOne(out, random);
	return out;
}

/** One attribute, tag or element that is exchanged, doubled or left out. */
export function exchangeOne(text: string, random: Random): string {
	const values = [...text.matchAll(/ (\w+)="([^"]*)"/g)];
	const tags = [...text.matchAll(/<\/?(\w+)/g)];
	const whole = [...text.matchAll(/<(\w+)[^<>]*\/>/g)];
	switch (random.below(6)) {
		case 0: {
			const match = random.pick(values);
			return replaceAt(text, match.index, match[0], ` ${match[1]}="${random.pick(WORDS)}"`);
		}
		case 1: {
			const [match, other] = [random.pick(values), random.pick(values)];
			return replaceAt(text, match.index, match[0], ` ${match[1]}="${other[2]}"`);
		}
		case 2: {
			const match = random.pick(values);
			return replaceAt(text, match.index, match[0], random.oneIn(2) ? '' : ` ${random.pick(values)[1]}="${match[2]}"`);
		}
		case 3: {
			const match = random.pick(tags);
			return replaceAt(text, match.index + match[0].length - match[1]!.length, match[1]!, random.pick(tags)[1]!);
		}
		case 4: {
			const [match, place] = [random.pick(whole), random.pick(whole)];
			return replaceAt(text, place.index, '', match[0]);
		}
		default: {
			const match = random.pick(whole);
			return replaceAt(text, match.index, match[0], '');
		}
	}
}

function replaceAt(text: string, at: number, old: string, replacement: string): string {
	return text.slice(0, at) + replacement + text.slice(at + old.length);
}
