import type { RepCode } from '../diagnostics.ts';
import type { RuleFix } from '../rule.ts';
import { FIX_CLAIMS } from './fix-claims.ts';

/**
 * How findings of a rule can be put right, as the families that exist say: safe when one of them is. Undefined when none claims the
 * rule, whatever the rule hopes for.
 */
export function announcedFix(rule: RepCode, wished: RuleFix | undefined): RuleFix | undefined {
	const claims = FIX_CLAIMS.filter(({ rules }) => rules.includes(rule));
	const own = claims.find(({ family }) => family === wished?.family) ?? claims[0];
	if (own === undefined) return undefined;
	const isSafe = claims.some(({ family, safety }) => family === own.family && safety === 'safe');
	const parameter = wished?.family === own.family ? wished.parameter : undefined;
	return { family: own.family, safety: isSafe ? 'safe' : 'unsafe', ...(parameter !== undefined && { parameter }) };
}
