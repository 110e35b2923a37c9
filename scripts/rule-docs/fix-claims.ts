import { FIXERS } from '../../packages/rep158/src/fix/fixers.ts';

/** Where the claims of fixers stand. */
export const FIX_CLAIMS_FILE = 'packages/rep158/src/rules/fix-claims.ts';

/** What fixers claim, as a file that names none of them. */
export function makeFixClaims(): string {
	const entries = FIXERS.map(({ family, safety, rules }) => {
		const line = `\t{ family: '${family}', safety: '${safety}', rules: [${rules.map((rule) => `'${rule}'`).join(', ')}] },`;
		// as Biome breaks lines of more than 120 columns
		if (line.length + 3 <= 120) return line;
		const list = `\t\trules: [${rules.map((rule) => `'${rule}'`).join(', ')}],`;
		const broken =
			list.length + 6 <= 120 ? list : `\t\trules: [\n${rules.map((rule) => `\t\t\t'${rule}',`).join('\n')}\n\t\t],`;
		return `\t{\n\t\tfamily: '${family}',\n\t\tsafety: '${safety}',\n${broken}\n\t},`;
	});
	return `import type { RepCode } from '../diagnostics.ts';
import type { FixFamily } from '../rule.ts';

/** Which rules fixers silence, in the order of \`FIXERS\`, taken from it by \`npm run docs\`: checking loads no fixer. */
export const FIX_CLAIMS: readonly {
	readonly family: FixFamily;
	readonly safety: 'safe' | 'unsafe';
	readonly rules: readonly RepCode[];
}[] = [
${entries.join('\n')}
];
`;
}
