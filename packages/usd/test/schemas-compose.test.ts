import { Report } from '@manyworlds/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SchemaRegistry, T } from '../src/index.ts';
import {
	dataOf,
	instantiateName,
	isNameTemplate,
	makeSchemaIdentifier,
	parseAppliedSchema,
	parseSchemaIdentifier,
	templateBaseName,
} from '../src/internal.ts';
import { readClean } from './read-text.ts';

/** A registry with the schemas of a layer, after those of OpenUSD. */
function registryOf(body: string, report: Report = new Report()): SchemaRegistry {
	return SchemaRegistry.openUsd.registerSchemaLayer(readClean(body), { report });
}

/** A single-apply schema that includes others. */
function api(name: string, builtins: readonly string[], body = ''): string {
	const list = builtins.map((one) => `"${one}"`).join(', ');
	const kind = 'customData = {\n        token apiSchemaType = "singleApply"\n    }';
	return `class "${name}" (\n    apiSchemas = [${list}]\n    ${kind}\n)\n{\n${body}\n}\n`;
}

describe('properties with one name', () => {
	test('the stronger schema counts, the weaker one fills in what is missing', () => {
		const registry = registryOf(`
class "StrongAPI"
{
    token a (
        doc = "strong"
    )
    float b = 1 (
        limits = {
            dictionary hard = {
                float minimum = 1
            }
        }
    )
    token c (
        allowedTokens = ["x"]
    )
    float d = None
}

class "WeakAPI"
{
    uniform token a = "weak" (
        hidden = true
        displayGroup = "G"
        doc = "weak"
    )
    float b = 2 (
        limits = {
            dictionary hard = {
                float maximum = 5
                float minimum = 0
            }
        }
    )
    token c = "y" (
        allowedTokens = ["y", "z"]
        doc = "weak"
    )
    float d = 3
}
`);
		const definition = registry.primDefinition('', ['StrongAPI', 'WeakAPI']);
		const attribute = (name: string) => definition.attribute(name)!;
		expect(definition.problems).toEqual([]);
		expect(dataOf(attribute('a').fallback, T.token)).toBe('weak');
		expect(attribute('a').variability).toBe('varying');
		expect(attribute('a').isHidden).toBe(true);
		expect(dataOf(attribute('a').metadata.get('displayGroup'), T.string)).toBe('G');
		expect(dataOf(attribute('a').metadata.get('documentation'), T.string)).toBe('strong');
		expect(dataOf(attribute('b').fallback, T.float)).toBe(1);
		const hard = dataOf(dataOf(attribute('b').metadata.get('limits'), T.dictionary)?.get('hard'), T.dictionary);
		expect(dataOf(hard?.get('minimum'), T.float)).toBe(1);
		expect(dataOf(hard?.get('maximum'), T.float)).toBe(5);
		expect(attribute('c').allowedTokens).toEqual(['x']);
		expect(attribute('c').metadata.has('documentation')).toBe(false);
		// a block is a fallback that says there is no value
		expect(attribute('d').fallback?.type).toBe(T.valueBlock);
		// the schemas themselves are as they were
		expect(registry.definitionOf('StrongAPI')?.attribute('a')?.fallback).toBeUndefined();
	});

	test('types that disagree are left as the stronger schema has them', () => {
		const report = new Report();
		const registry = registryOf(
			`${api('StrongAPI', ['WeakAPI'], '    int a\n    rel b\n')}class "WeakAPI"\n{\n    float a = 1\n    int b = 2\n}\n`,
			report,
		);
		const definition = registry.definitionOf('StrongAPI')!;
		expect(definition.attribute('a')).toMatchObject({ typeName: 'int', fallback: undefined });
		expect(definition.relationship('b')).toBeDefined();
		expect(report.toArray().map(({ code, prim }) => `${code} ${prim}`)).toEqual([
			'SCH004 /StrongAPI',
			'SCH004 /StrongAPI',
		]);
	});

	test('an override of what is not there has no effect', () => {
		const registry = registryOf(`
class Bot "Bot" (
    apiSchemas = ["PhysicsMassAPI"]
    customData = {
        token[] apiSchemaOverridePropertyNames = ["physics:mass", "physics:density", "no:such"]
    }
)
{
    float physics:mass = 7
    int physics:density = 3
    float no:such = 1
}
`);
		const definition = registry.primDefinition('Bot');
		expect(dataOf(definition.attribute('physics:mass')?.fallback, T.float)).toBe(7);
		expect(definition.attribute('physics:density')?.typeName).toBe('float');
		expect(definition.property('no:such')).toBeUndefined();
		expect(definition.problems.map(({ code }) => code)).toEqual(['SCH004']);
	});
});

describe('schemas with instances', () => {
	const registry = registryOf(`
class "OuterAPI" (
    apiSchemas = ["InnerAPI:__INSTANCE_NAME__", "InnerAPI:__INSTANCE_NAME__:deep"]
)
{
    float outer:__INSTANCE_NAME__:a = 1
}

class "InnerAPI"
{
    float inner:__INSTANCE_NAME__:a = 2
    float inner:__INSTANCE_NAME__
    float inner:x__INSTANCE_NAME__ = 3
}
`);

	test('names are made for each instance, namespaces included', () => {
		const definition = registry.primDefinition('', ['OuterAPI:one', 'OuterAPI:two:more']);
		expect(definition.appliedSchemas).toEqual([
			'OuterAPI:one',
			'InnerAPI:one',
			'InnerAPI:one:deep',
			'OuterAPI:two:more',
			'InnerAPI:two:more',
			'InnerAPI:two:more:deep',
		]);
		expect(definition.propertyNames).toEqual([
			'outer:one:a',
			'inner:one:a',
			'inner:one',
			'inner:x__INSTANCE_NAME__',
			'inner:one:deep:a',
			'inner:one:deep',
			'outer:two:more:a',
			'inner:two:more:a',
			'inner:two:more',
			'inner:two:more:deep:a',
			'inner:two:more:deep',
		]);
	});

	test('the template is the definition of the schema itself', () => {
		expect(registry.definitionOf('InnerAPI')?.appliedSchemas).toEqual(['InnerAPI:__INSTANCE_NAME__']);
	});

	test('templates and plain schemas do not include each other', () => {
		const report = new Report();
		const mixed = registryOf(
			`${api('PlainAPI', ['CollectionAPI:__INSTANCE_NAME__', 'PhysicsMassAPI'])}
class "ManyAPI" (\n    apiSchemas = ["PhysicsMassAPI", "CollectionAPI:x"]\n)\n{\n    int many:__INSTANCE_NAME__:a\n}\n`,
			report,
		);
		expect(mixed.definitionOf('PlainAPI')?.appliedSchemas).toEqual(['PlainAPI', 'PhysicsMassAPI']);
		expect(mixed.definitionOf('ManyAPI')?.appliedSchemas).toEqual(['ManyAPI:__INSTANCE_NAME__']);
		expect(report.toArray().filter(({ code }) => code === 'SCH003')).toHaveLength(3);
	});
});

describe('schemas that apply themselves', () => {
	const autoApply = new Map([
		['ExtraAPI', ['Gprim', 'PhysicsMassAPI']],
		['MoreAPI', ['Mesh']],
		['CollectionAPI:auto', ['Camera']],
		['NoSuchAPI', ['Mesh']],
	]);
	const registry = registryOf('class "ExtraAPI"\n{\n    int extra\n}\nclass "MoreAPI"\n{\n    int more\n}\n').extend({
		autoApply,
	});

	test('to derived types, in reverse order of their names, before authored ones', () => {
		expect(registry.primDefinition('Sphere').appliedSchemas).toEqual(['ExtraAPI']);
		expect(registry.primDefinition('Mesh', ['PhysicsCollisionAPI']).appliedSchemas).toEqual([
			'MoreAPI',
			'ExtraAPI',
			'PhysicsCollisionAPI',
		]);
		expect(registry.primDefinition('Xform').appliedSchemas).toEqual([]);
	});

	test('to API schemas and as instances', () => {
		expect(registry.primDefinition('Xform', ['PhysicsMassAPI']).appliedSchemas).toEqual(['PhysicsMassAPI', 'ExtraAPI']);
		expect(registry.primDefinition('Camera').attribute('collection:auto:includeRoot')).toBeDefined();
	});
});

describe('versions', () => {
	test('the first version of a family that is applied keeps the others out', () => {
		const registry = registryOf(
			`class "GaitAPI"\n{\n    int v0\n}\nclass "GaitAPI_1"\n{\n    int v1\n}\n${api('BothAPI', ['PhysicsMassAPI', 'GaitAPI_1'])}`,
		);
		const definition = registry.primDefinition('', ['GaitAPI', 'GaitAPI_1', 'BothAPI']);
		// a schema that brings a conflict along is left out with all that it brings
		expect(definition.appliedSchemas).toEqual(['GaitAPI']);
		expect(definition.propertyNames).toEqual(['v0']);
		expect(definition.problems.map(({ code }) => code)).toEqual(['SCH003', 'SCH003']);
		expect(registry.primDefinition('', ['BothAPI', 'GaitAPI']).appliedSchemas).toEqual([
			'BothAPI',
			'PhysicsMassAPI',
			'GaitAPI_1',
		]);
	});
});

describe('cycles', () => {
	test('each schema has what it reaches, once', () => {
		const report = new Report();
		const body = ['A', 'B', 'C'].map((one, i, all) => api(`${one}API`, [`${all[(i + 1) % 3]}API`], `    int ${one}`));
		const registry = registryOf(body.join('\n'), report);
		expect(registry.definitionOf('AAPI')?.appliedSchemas).toEqual(['AAPI', 'BAPI', 'CAPI']);
		expect(registry.definitionOf('BAPI')?.appliedSchemas).toEqual(['BAPI', 'CAPI', 'AAPI']);
		expect(registry.primDefinition('', ['CAPI']).propertyNames).toEqual(['C', 'A', 'B']);
		expect(registry.definitionOf('AAPI')?.appliedSchemas).toEqual(['AAPI', 'BAPI', 'CAPI']);
		expect(report.toArray().map(({ prim }) => prim)).toEqual(['/AAPI', '/BAPI', '/CAPI']);
	});

	test('a schema that includes itself, and bases that go round', () => {
		const registry = registryOf(`${api('SelfAPI', ['SelfAPI'], '    int a')}
class Egg "Egg" (\n    inherits = </Hen>\n)\n{\n    int egg\n}
class Hen "Hen" (\n    inherits = </Egg>\n)\n{\n    int hen\n}
`);
		expect(registry.definitionOf('SelfAPI')?.appliedSchemas).toEqual(['SelfAPI']);
		expect(registry.primDefinition('Egg').propertyNames).toEqual(['egg', 'hen']);
		expect(registry.isA('Egg', 'Hen')).toBe(true);
		expect(registry.isA('Egg', 'Typed')).toBe(false);
		expect(registry.derivedTypes('Egg')).toEqual(['Hen']);
	});

	test('many schemas that all include each other, and long chains, end soon', () => {
		const names = Array.from({ length: 14 }, (_, i) => `N${i}API`);
		const dense = names.map((name) => api(name, names)).join('\n');
		const chain = Array.from({ length: 1000 }, (_, i) => api(`L${i}API`, [`L${i + 1}API`])).join('\n');
		const registry = registryOf(dense + chain, new Report());
		expect(registry.primDefinition('', ['N0API']).appliedSchemas[0]).toBe('N0API');
		expect(registry.primDefinition('', ['L0API']).appliedSchemas.length).toBeGreaterThan(20);
	});
});

describe('names', () => {
	test.each([
		['Foo', 'Foo', 0],
		['Foo_1', 'Foo', 1],
		['Foo_12', 'Foo', 12],
		['Foo_1_2', 'Foo_1', 2],
		['Foo_', 'Foo_', 0],
		['Foo1', 'Foo1', 0],
		['Foo_1a', 'Foo_1a', 0],
		['_1', '', 1],
		['1', '1', 0],
		['', '', 0],
	])('%s is of family %s, version %s', (identifier, family, version) => {
		expect(parseSchemaIdentifier(identifier)).toEqual({ family, version });
	});

	test('identifiers and templates come back', () => {
		const word = fc.stringMatching(/^[A-Za-z]\w{0,6}$/);
		fc.assert(
			fc.property(word, fc.nat(999), (name, version) => {
				fc.pre(parseSchemaIdentifier(name).version === 0);
				expect(parseSchemaIdentifier(makeSchemaIdentifier(name, version))).toEqual({ family: name, version });
			}),
			{ seed: 4 },
		);
		fc.assert(
			fc.property(fc.array(word), fc.array(word, { minLength: 1 }), fc.array(word), (before, instance, after) => {
				const template = [...before, '__INSTANCE_NAME__', ...after].join(':');
				expect(isNameTemplate(template)).toBe(true);
				expect(instantiateName(template, instance.join(':'))).toBe([...before, ...instance, ...after].join(':'));
				expect(templateBaseName(template)).toBe(after.join(':'));
				expect(parseAppliedSchema(`XAPI:${template}`)).toEqual({ identifier: 'XAPI', instanceName: template });
			}),
			{ seed: 4 },
		);
	});
});
