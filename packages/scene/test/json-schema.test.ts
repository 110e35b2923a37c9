import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sceneJsonSchema } from '@manyworlds/scene';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

type Part = { readonly [key: string]: unknown } & { readonly properties?: Readonly<Record<string, Part>> };

const schema = sceneJsonSchema() as Part;

/** Follows a reference to a shared part. */
function resolved(part: Part): Part {
	const { $ref } = part;
	if (typeof $ref !== 'string') return part;
	const name = $ref.replace('#/$defs/', '');
	return resolved((schema['$defs'] as Readonly<Record<string, Part>>)[name]!);
}

/** Keys of a document that the schema does not know, by path. */
function unknownKeys(value: unknown, part: Part, path: string): string[] {
	const settled = resolved(part);
	const branches = (settled['anyOf'] as readonly Part[] | undefined)?.map(resolved);
	if (branches !== undefined) {
		const results = branches.map((branch) => unknownKeys(value, branch, path));
		return results.sort((a, b) => a.length - b.length)[0]!;
	}
	if (Array.isArray(value))
		return value.flatMap((item, i) => unknownKeys(item, (settled['items'] as Part | undefined) ?? {}, `${path}[${i}]`));
	if (value === null || typeof value !== 'object') return [];
	if (settled.properties === undefined) return settled['type'] === undefined ? [] : [path];
	return Object.entries(value).flatMap(([key, inner]) => {
		const property = settled.properties?.[key];
		return property === undefined ? [`${path}.${key}`] : unknownKeys(inner, property, `${path}.${key}`);
	});
}

it('knows every section, with help on each key', () => {
	expect(Object.keys(schema.properties ?? {})).toEqual([
		'schema_version',
		'name',
		'simulation',
		'control',
		'builder',
		'ground',
		'assets',
		'bodies',
		'joints',
		'articulations',
		'initial_joint_q',
		'post_build',
		'replicate',
	]);
	expect(schema['$schema']).toContain('2020-12');
	const simulation = resolved((schema.properties!['simulation']!['anyOf'] as Part[])[0]!);
	expect(simulation.properties?.['dt']).toMatchObject({
		type: ['number', 'string'],
		description: expect.stringContaining('[s]'),
	});
	expect(simulation['additionalProperties']).toBe(false);
});

it('is small enough for editors: shared parts stand once', () => {
	expect(JSON.stringify(schema).length).toBeLessThan(80_000);
});

it.each(['single-box.yaml', 'joints.yaml', 'shapes.yaml', 'edits.yaml', 'robots.yaml', 'grip.yaml'])(
	'knows every key of %s',
	(file) => {
		const text = readFileSync(join(import.meta.dirname, '../../../examples/scenes', file), 'utf8');
		expect(unknownKeys(parse(text), schema, 'scene')).toEqual([]);
	},
);
