import { FIX_CLAIMS } from './fix-claims.ts';

/** How safely `manyworlds fix` can put findings of a rule right; rules without a fix are not there. */
export const AVAILABLE_FIXES: ReadonlyMap<string, 'safe' | 'unsafe'> = new Map(
	(['unsafe', 'safe'] as const).flatMap((safety) =>
		FIX_CLAIMS.filter((claim) => claim.safety === safety).flatMap(({ rules }) =>
			rules.map((rule) => [rule, safety] as const),
		),
	),
);
