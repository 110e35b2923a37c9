import type { Report } from '@manyworlds/core';
import type { Prim } from '@manyworlds/usd';
import type { SourcePlaces } from '@manyworlds/usd/internal';
import { tellAbout } from './context.ts';
import type { SchemaAttribute } from './resolvers/schema-resolver.ts';

/** Says that an attribute which was read should be written otherwise, or that no schema has it. */
export function reportDeprecated(
	report: Report,
	places: SourcePlaces | undefined,
	prim: Prim,
	{ name, deprecated, isNonSchema }: SchemaAttribute,
): void {
	if (deprecated !== undefined) {
		tellAbout(
			report,
			places,
			'IMP090',
			prim,
			`${name} is read, but assets should no longer have it: author ${deprecated} instead`,
			name,
		);
	} else if (isNonSchema === true) {
		tellAbout(
			report,
			places,
			'IMP091',
			prim,
			`${name} is read although no schema defines it; state:…:physics attributes are the usual ones`,
			name,
		);
	}
}
