import type { FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { Random } from '../random.ts';
import { SDF_SAMPLE } from '../samples/sdf-sample.ts';
import { damageGroups } from './damage-groups.ts';
import { exchangeOne, WORDS } from './mjcf-groups.ts';

/** Words of SDF that stand where others are expected. */
const NAMES: readonly string[] = [
	'__model__',
	'__root__',
	'world',
	'base',
	'robot',
	'tool::tip',
	'mount',
	'shoulder',
	'::',
	'',
];

/** A world that is cut, flipped and spliced as bytes, and whose numbers, names and elements are exchanged as text. */
export function sdfGroups(count: number, options: FuzzOptions): FuzzGroup[] {
	const bytes = new TextEncoder().encode(SDF_SAMPLE);
	const name = 'sdf/world/exchange';
	return [
		...damageGroups({ name: 'world', format: 'sdf', bytes }, count, options),
		{
			name,
			count,
			make: (index) => {
				const random = new Random(options.seed, name, index);
				let text = SDF_SAMPLE;
				for (let left = 1 + random.below(random.oneIn(5) ? 30 : 4); left > 0; left--) {
					text = random.oneIn(2) ? exchangeText(text, random) : exchangeOne(text, random);
				}
				return { format: 'sdf', bytes: new TextEncoder().encode(text), expects: 'any', how: 'exchanged parts' };
			},
		},
	];
}

/** Another text in an element or attribute that names something or counts. */
function exchangeText(text: string, random: Random): string {
	const values = [...text.matchAll(/>([^<>]+)<\//g)];
	if (values.length === 0) return text;
	const match = random.pick(values);
	const word = random.pick(random.oneIn(2) ? NAMES : WORDS);
	return `${text.slice(0, match.index + 1)}${word}${text.slice(match.index + 1 + match[1]!.length)}`;
}
