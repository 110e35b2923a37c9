import type { RepCode } from '../diagnostics.ts';
import type { FixFamily, RuleFix } from '../rule.ts';
import { FIX_CLAIMS } from './fix-claims.ts';

/** Of several families that claim a rule the one that most findings need, where it is not the first that runs. */
const USUAL_FAMILY: ReadonlyMap<RepCode, FixFamily> = new Map([
	['R1.1.4', 'F5'],
	['R2.3.6', 'F39'],
]);

/** What a fix has to be told, as an option of `manyworlds fix`. */
const PARAMETER: ReadonlyMap<RepCode, string> = new Map([
	['R1.2.4.1', '--select-variant'],
	['R1.2.5.2', '--identifier'],
	['R1.2.5.3', '--asset-version'],
	['R1.2.5.4', '--package-uri'],
	['R1.3.3', '--limits'],
]);

/** How findings of a rule can be put right, as the families that exist say: safe when one of them is. Undefined when none claims the rule. */
export function announcedFix(rule: RepCode): RuleFix | undefined {
	const claims = FIX_CLAIMS.filter(({ rules }) => rules.includes(rule));
	const family = USUAL_FAMILY.get(rule) ?? claims[0]?.family;
	if (family === undefined) return undefined;
	const isSafe = claims.some((claim) => claim.family === family && claim.safety === 'safe');
	const parameter = PARAMETER.get(rule);
	return { family, safety: isSafe ? 'safe' : 'unsafe', ...(parameter !== undefined && { parameter }) };
}
