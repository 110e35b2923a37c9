import { choice, dispatch, found, isMapping, leaf, mapping, maybe, orList, whole } from '@manyworlds/scene/internal';
import * as z from 'zod';
import type { ParameterValue, SamplerSpec } from '../sample/parameter.ts';

const SAMPLERS = ['grid', 'list', 'random', 'lhs', 'sobol', 'product'] as const;

const names = maybe(
	leaf<readonly string[]>(
		(value, fail) =>
			Array.isArray(value) && value.every((one) => typeof one === 'string')
				? (value as string[])
				: fail('SCN006', `is ${found(value)}, expected names of parameters`),
		{
			type: 'array',
			items: { type: 'string' },
			description: 'Parameters that this sampler draws; those that no other one names unless given.',
		},
	),
);

const count = whole('Points to draw.', 1, 2 ** 32);

/** How runs are chosen. */
export const samplerSchema: z.ZodType<SamplerSpec> = dispatch(
	(value, fail) => {
		const kind = typeof value === 'string' ? value : isMapping(value) ? value['kind'] : undefined;
		switch (kind) {
			case 'grid':
				return (typeof value === 'string'
					? z.literal('grid').transform(() => ({ kind: 'grid' }))
					: mapping({ kind: z.literal('grid'), parameters: names })) as unknown as z.ZodType<SamplerSpec>;
			case 'list':
				return mapping({ kind: z.literal('list'), rows }) as z.ZodType<SamplerSpec>;
			case 'random':
			case 'lhs':
				return mapping({ kind: z.literal(kind), count, parameters: names }) as unknown as z.ZodType<SamplerSpec>;
			case 'sobol':
				return mapping({
					kind: z.literal('sobol'),
					count,
					scramble: maybe(choice(['none', 'owen'], "Owen's scrambling, or none.")).transform((way) => way ?? 'none'),
					parameters: names,
				}) as unknown as z.ZodType<SamplerSpec>;
			case 'product':
				return mapping({
					kind: z.literal('product'),
					of: z.array(z.lazy(() => samplerSchema)).min(1),
				}) as z.ZodType<SamplerSpec>;
			default:
				return fail('SCN009', `is ${found(isMapping(value) ? kind : value)}, expected a sampler: ${orList(SAMPLERS)}`);
		}
	},
	{
		type: ['object', 'string'],
		description: 'How runs are chosen.',
		properties: {
			kind: { enum: [...SAMPLERS] },
			count: { type: 'integer' },
			scramble: { enum: ['none', 'owen'] },
			rows: { type: 'array' },
			of: { type: 'array' },
			parameters: { type: 'array' },
		},
	},
);

const rows = leaf<readonly Readonly<Record<string, ParameterValue>>[]>(
	(value, fail) => {
		if (!Array.isArray(value) || value.length === 0)
			return fail('SCN012', `is ${found(value)}, expected a list of rows`);
		for (const [i, row] of value.entries()) {
			if (!isMapping(row)) return fail('SCN006', `row ${i} is ${found(row)}, expected values by parameter`);
			for (const [name, one] of Object.entries(row))
				if (!['number', 'string', 'boolean'].includes(typeof one))
					return fail('SCN006', `row ${i} gives ${name} ${found(one)}, expected a number or text`);
		}
		return value as Readonly<Record<string, ParameterValue>>[];
	},
	{ type: 'array', items: { type: 'object' }, description: 'One mapping of parameters to values for each run.' },
);
