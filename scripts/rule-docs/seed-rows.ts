import { RULES, type Rule } from '@manyworlds/rep158';

/** Parts of the document that have no number of their own, by the beginning of their titles, and the rules they are. */
const ITEMS: readonly (readonly [title: string, isRule: (rule: Rule) => boolean])[] = [
	['1 Simulation Assets Baseline', ({ section }) => section.startsWith('1.')],
	['2 ROS Integration Schemas', ({ section }) => section === '2' || section.startsWith('2.')],
	['3 Export and Conversion', ({ section }) => section === '3' || section.startsWith('3.')],
	['4 The Interoperability Ecosystem', ({ section }) => section.startsWith('4.')],
	['1 Baseline Approximation', ({ id }) => id === 'R1.3.1.4'],
	['2 Advanced Approximation', ({ id }) => id === 'R1.3.1.5'],
	['1 The ROS Root', ({ id }) => id === 'R2.7.2'],
	['2 Kinematic Chains', ({ id }) => id === 'R2.7.2'],
	['1 Image-Backed Textures', ({ id }) => id === 'R3.3.2'],
	['2 Mesh primitive variables', ({ id }) => id === 'R3.3.3'],
];

/** The row of a part of the REP by the states of its rules; undefined for lines that are no such row, or parts without rules. */
export function seedRow(
	line: string,
	stateOf: (rule: Rule) => string,
	filesOf: (rule: Rule) => string[],
): string | undefined {
	const match = /^\| 002 REP 0158 \| ((\d+(?:\.\d+)*) .*?) \| [^|]* \| ?[^|]*\|$/.exec(line);
	if (match === null) return undefined;
	const [, title, number] = match as unknown as [string, string, string];
	const item = ITEMS.find(([start]) => title.startsWith(start));
	const isRule =
		item?.[1] ??
		(number.includes('.') ? ({ section }: Rule) => section === number || section.startsWith(`${number}.`) : undefined);
	const rules = isRule === undefined ? [] : RULES.filter(isRule);
	if (rules.length === 0) return undefined;
	const open = rules.filter((rule) => !stateOf(rule).startsWith('done'));
	const state = open.length === 0 ? 'done' : `partial: ${open.length} of ${rules.length} rules are not done, see below`;
	const files = [...new Set(rules.flatMap(filesOf))];
	const where = files.length > 4 ? ['`packages/rep158/src/rules`'] : files;
	return `| 002 REP 0158 | ${title} | ${state} | ${where.join(', ')} |`;
}
