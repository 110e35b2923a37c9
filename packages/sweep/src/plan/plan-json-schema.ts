import { SharedParts } from '@manyworlds/scene/internal';
import * as z from 'zod';
import { planSchema } from './plan-schema.ts';

/**
 * JSON Schema (draft 2020-12) of the plans of sweeps, for editors. It is made from the same schema that `readPlan` checks
 * with. What editors cannot know, such as whether a prim exists, is left to `manyworlds sweep --dry-run`. @public
 */
export function planJsonSchema(): Readonly<Record<string, unknown>> {
	const { $schema, ...whole } = z.toJSONSchema(planSchema, { io: 'input', unrepresentable: 'any' }) as Record<
		string,
		unknown
	>;
	const parts = new SharedParts(whole);
	return {
		$schema,
		title: 'Manyworlds sweep',
		description: 'Parameters, how runs are chosen, and what is kept of them. SI units and radians.',
		...(parts.replace(whole, true) as object),
		$defs: parts.definitions,
	};
}
