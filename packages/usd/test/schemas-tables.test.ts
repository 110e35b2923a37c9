import { describe, expect, test } from 'vitest';
import { SchemaRegistry } from '../src/index.ts';
import {
	findAttributeType,
	isNameTemplate,
	OPENUSD_LIBRARIES,
	parseAppliedSchema,
	ROBOT_LIBRARIES,
} from '../src/internal.ts';

const LIBRARIES = [...OPENUSD_LIBRARIES, ...ROBOT_LIBRARIES];
const registry = SchemaRegistry.standard;

describe.each(LIBRARIES.map(({ name }) => name))('%s', (name) => {
	const classes = [...registry.classes()].filter(({ library }) => library === name);

	test('names only schemas that exist', () => {
		expect(classes.length).toBeGreaterThan(0);
		const unknown: string[] = [];
		for (const schema of classes) {
			const others = [...schema.bases, ...schema.canOnlyApplyTo, ...schema.autoApplyTo];
			for (const builtin of schema.builtinSchemas) others.push(parseAppliedSchema(builtin).identifier);
			for (const other of others) {
				if (registry.find(other) === undefined) unknown.push(`${schema.identifier}: ${other}`);
			}
		}
		expect(unknown).toEqual([]);
	});

	test('puts every definition together without problems, with fallbacks of the declared types', () => {
		for (const schema of classes) {
			const { identifier } = schema;
			const definition = registry.definitionOf(identifier);
			expect(definition?.problems ?? []).toEqual([]);
			for (const property of definition?.properties() ?? []) {
				if (property.kind === 'relationship') {
					expect(property.fallback).toBeUndefined();
					continue;
				}
				const type = findAttributeType(property.typeName);
				expect(type, `${identifier}.${property.name}: ${property.typeName}`).toBeDefined();
				if (property.fallback !== undefined) expect(property.fallback.type).toBe(type?.valueType);
				const tokens = property.allowedTokens;
				const data = property.fallback?.data;
				if (tokens !== undefined && typeof data === 'string' && data !== '') expect(tokens).toContain(data);
			}
		}
	});

	test('has templates in multiple-apply schemas and nowhere else', () => {
		for (const schema of classes) {
			const { properties } = schema.content();
			const templates = properties.filter((property) => isNameTemplate(property.name));
			expect(templates.length).toBe(schema.kind === 'multipleApplyAPI' ? properties.length : 0);
		}
	});

	test('says nothing twice', () => {
		expect(new Set(classes.map(({ identifier }) => identifier)).size).toBe(classes.length);
		for (const schema of classes) {
			const names = schema.content().properties.map((property) => property.name);
			expect(new Set(names).size).toBe(names.length);
		}
	});
});

test('the libraries are those that the package promises', () => {
	const count = (name: string) => [...registry.classes()].filter(({ library }) => library === name).length;
	expect(count('newton')).toBe(26);
	const ros = ['RosContextAPI', 'RosTopicAPI', 'RosServiceAPI', 'RosActionAPI', 'RosFrameAPI'];
	for (const name of ros) expect(registry.find(name)?.kind).toBe('singleApplyAPI');
	expect(count('usdExtendedPhysics')).toBe(7);
	expect(registry.definitionOf('ExtendedPhysicsMaterialAPI')?.appliedSchemas).toContain('PhysicsMaterialAPI');
	// no two libraries have a schema of one name
	const all = LIBRARIES.reduce((sum, { name }) => sum + count(name), 0);
	expect([...registry.classes()].length).toBe(all);
});
