import { Report } from '@manyworlds/core';
import { describe, expect, test } from 'vitest';
import { readUsda, SchemaRegistry, T } from '../src/index.ts';
import { dataOf } from '../src/internal.ts';
import { readClean, readText } from './read-text.ts';

const GENERATED = `
class LegBot "LegBot" (
    apiSchemas = ["LegGaitAPI", "LegFootAPI:left"]
    hidden = true
    customData = {
        token[] apiSchemaOverridePropertyNames = ["leg:speed"]
    }
)
{
    float leg:height = 0.5 (
        allowedTokens = ["a"]
        displayName = "Height"
    )
    float leg:speed = 2
    rel proxyPrim
}

class "LegGaitAPI"
{
    uniform float leg:speed = 1 (
        displayGroup = "Gait"
        doc = "How fast it goes."
    )
}

class "LegFootAPI"
{
    asset[] leg:foot:__INSTANCE_NAME__:soles = [@./a.usd@, @./b.usd@]
    matrix4d leg:foot:__INSTANCE_NAME__:frame = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 2, 3, 1))
    rel leg:foot:__INSTANCE_NAME__
}
`;

const PLUG_INFO = `
# comments are allowed in this file
{
    "Plugins": [
        {
            "Name": "legLib",
            "Type": "resource",
            "Info": {
                "Types": {
                    "LegLibBot": {
                        "alias": { "UsdSchemaBase": "LegBot" },
                        "bases": ["UsdGeomXformable"],
                        "schemaKind": "concreteTyped"
                    },
                    "LegLibGaitAPI": {
                        "schemaIdentifier": "LegGaitAPI",
                        "bases": ["UsdAPISchemaBase"],
                        "schemaKind": "singleApplyAPI",
                        "apiSchemaCanOnlyApplyTo": ["LegBot"]
                    },
                    "LegLibFootAPI": {
                        "alias": { "UsdSchemaBase": "LegFootAPI" },
                        "bases": ["UsdAPISchemaBase"],
                        "schemaKind": "multipleApplyAPI",
                        "apiSchemaAllowedInstanceNames": ["left", "right"],
                        "apiSchemaInstances": { "right": { "apiSchemaCanOnlyApplyTo": ["Mesh"] } }
                    },
                    "LegLibFileFormat": { "bases": ["SdfFileFormat"] }
                },
                "AutoApplyAPISchemas": { "LegGaitAPI": { "apiSchemaAutoApplyTo": ["Camera"] } }
            }
        }
    ]
}`;

function register(body: string, plugInfo?: unknown): { registry: SchemaRegistry; problems: string[] } {
	const report = new Report();
	const options = plugInfo === undefined ? { report, file: 'my.usda' } : { plugInfo, report, file: 'my.usda' };
	const registry = SchemaRegistry.standard.registerSchemaLayer(readClean(body), options);
	return { registry, problems: report.toArray().map(({ code, message }) => `${code} ${message}`) };
}

describe('a generated schema with its plugInfo.json', () => {
	const { registry, problems } = register(GENERATED, PLUG_INFO);

	test('is registered without complaint, and the registry it was added to stays as it was', () => {
		expect(problems).toEqual([]);
		expect(registry.find('LegBot')).toMatchObject({ typeName: 'LegLibBot', library: 'legLib', bases: ['Xformable'] });
		expect(SchemaRegistry.standard.find('LegBot')).toBeUndefined();
		expect(registry.primDefinition('Mesh').propertyNames).toEqual(
			SchemaRegistry.standard.primDefinition('Mesh').propertyNames,
		);
		expect(registry.isA('LegBot', 'Imageable')).toBe(true);
		expect(registry.derivedTypes('Xformable')).toContain('LegBot');
	});

	test('gives definitions with the properties of the file alone', () => {
		const bot = registry.primDefinition('LegBot');
		expect(bot.appliedSchemas).toEqual(['LegGaitAPI', 'LegFootAPI:left']);
		expect(bot.propertyNames).toEqual([
			'leg:height',
			'proxyPrim',
			'leg:speed',
			'leg:foot:left:soles',
			'leg:foot:left:frame',
			'leg:foot:left',
		]);
		expect(dataOf(bot.metadata.get('hidden'), T.bool)).toBe(true);
		expect(bot.relationship('leg:foot:left')).toBeDefined();
		expect(bot.attribute('leg:foot:left')).toBeUndefined();
		expect(dataOf(bot.attribute('leg:foot:left:soles')?.fallback, T.asset.array)).toEqual(['./a.usd', './b.usd']);
		expect(dataOf(bot.attribute('leg:foot:left:frame')?.fallback, T.matrix4d)?.slice(12)).toEqual(
			new Float64Array([1, 2, 3, 1]),
		);
	});

	test('overrides keep what they do not change', () => {
		const speed = registry.primDefinition('LegBot').attribute('leg:speed');
		expect(dataOf(speed?.fallback, T.float)).toBe(2);
		// an override cannot change the variability
		expect(speed?.variability).toBe('uniform');
		expect(dataOf(speed?.metadata.get('displayGroup'), T.string)).toBe('Gait');
		expect(dataOf(speed?.metadata.get('documentation'), T.string)).toBe('How fast it goes.');
	});

	test('says where schemas may be applied', () => {
		expect(registry.whyNotApply('LegGaitAPI', 'Xform')).toContain('LegBot');
		expect(registry.whyNotApply('LegGaitAPI', 'LegBot')).toBeUndefined();
		expect(registry.whyNotApply('LegFootAPI:middle', 'Mesh')).toContain('middle');
		expect(registry.whyNotApply('LegFootAPI:right', 'Xform')).toContain('Mesh');
		expect(registry.whyNotApply('LegFootAPI:left', 'Xform')).toBeUndefined();
	});

	test('applies schemas to types that its plugin names', () => {
		expect(registry.primDefinition('Camera').appliedSchemas).toEqual(['LegGaitAPI']);
		expect(registry.autoApplyTargets.get('LegGaitAPI')).toEqual(['Camera']);
	});
});

describe('a schema layer alone', () => {
	test('kinds follow from names, types and templates', () => {
		const { registry, problems } = register(GENERATED);
		expect(problems).toEqual([]);
		expect(registry.kindOf('LegBot')).toBe('concreteTyped');
		expect(registry.kindOf('LegGaitAPI')).toBe('singleApplyAPI');
		expect(registry.kindOf('LegFootAPI')).toBe('multipleApplyAPI');
	});

	test('the source of a schema file works too', () => {
		const { registry, problems } = register(`
over "GLOBAL" (
    customData = {
        string libraryName = "legs"
    }
)
{
}

class "LegBase" (
    inherits = </Xformable>
)
{
    float leg:length = 1
}

class Leg "Leg" (
    inherits = </LegBase>
    prepend apiSchemas = ["LegToeAPI:big"]
)
{
    uniform float leg:b = 2
    float leg:toe:big:size = 4 (
        customData = {
            bool apiSchemaOverride = true
        }
    )
}

class "LegToeAPI" (
    inherits = </APISchemaBase>
    prepend apiSchemas = ["LegNailAPI", "LegNailAPI:inner"]
    customData = {
        token apiSchemaType = "multipleApply"
        token propertyNamespacePrefix = "leg:toe"
        token[] apiSchemaCanOnlyApplyTo = ["LegBase"]
    }
)
{
    float size = 3
}

class "LegNailAPI" (
    inherits = </APISchemaBase>
    customData = {
        token apiSchemaType = "multipleApply"
        token propertyNamespacePrefix = "leg:nail"
    }
)
{
    color3f color
}

class "LegHelperAPI" (
    inherits = </APISchemaBase>
    customData = {
        token apiSchemaType = "nonApplied"
    }
)
{
}
`);
		expect(problems).toEqual([]);
		expect(registry.kindOf('LegBase')).toBe('abstractTyped');
		expect(registry.kindOf('LegHelperAPI')).toBe('nonAppliedAPI');
		expect(registry.find('GLOBAL')).toBeUndefined();
		expect(registry.isA('Leg', 'Imageable')).toBe(true);
		const leg = registry.primDefinition('Leg');
		// inherited and own properties together are sorted, as a generator sorts them
		expect(leg.propertyNames).toEqual([
			'leg:b',
			'leg:length',
			'proxyPrim',
			'purpose',
			'visibility',
			'xformOpOrder',
			'leg:toe:big:size',
			'leg:nail:big:color',
			'leg:nail:big:inner:color',
		]);
		expect(leg.appliedSchemas).toEqual(['LegToeAPI:big', 'LegNailAPI:big', 'LegNailAPI:big:inner']);
		expect(dataOf(leg.attribute('leg:toe:big:size')?.fallback, T.float)).toBe(4);
		expect(registry.whyNotApply('LegToeAPI:a', 'Xform')).toContain('LegBase');
	});

	test('fallback types are taken from the metadata of the layer', () => {
		const { registry } = register(`(
    fallbackPrimTypes = {
        token[] LegBot_2 = ["LegBot", "Xform"]
    }
)
class LegBot "LegBot"
{
}
`);
		expect(registry.fallbackPrimTypes.get('LegBot_2')).toEqual(['LegBot', 'Xform']);
	});
});

describe('what does not fit', () => {
	test('a newer file replaces a table that comes with the package, and says so', () => {
		const { registry, problems } = register('class "NewtonSiteAPI"\n{\n    int newton:site = 3\n}\n');
		expect(problems).toEqual(["SCH002 schema 'NewtonSiteAPI' of newton is replaced"]);
		expect(registry.primDefinition('', ['NewtonSiteAPI']).propertyNames).toEqual(['newton:site']);
		expect(registry.primDefinition('', ['MjcSiteAPI']).propertyNames).toEqual(['mjc:group', 'newton:site']);
	});

	test.each([
		['{', 'plugInfo.json cannot be read'],
		['[]', "no list 'Plugins'"],
		['{"Plugins": {}}', "no list 'Plugins'"],
		[{ Plugins: [{ Info: { Types: { A: { schemaKind: 'wrong', alias: { UsdSchemaBase: 'LegBot' } } } } }] }, "'wrong'"],
		[{ Plugins: [{ Info: { Types: { A: { schemaKind: 'singleApplyAPI' } } } }] }, 'no schema identifier'],
		[
			{ Plugins: [{ Info: { Types: { A: { schemaKind: 'singleApplyAPI', schemaIdentifier: 'Gone' } } } }] },
			"no class 'Gone'",
		],
		[{ Plugins: [null, 3, { Info: [] }, { Info: { Types: { A: null } } }] }, "'LegBot' has no type"],
	])('plugInfo.json %j', (plugInfo, expected) => {
		const { registry, problems } = register('class LegBot "LegBot"\n{\n}\n', plugInfo);
		expect(problems.length).toBeGreaterThan(0);
		expect(problems.every((problem) => problem.startsWith('SCH001 '))).toBe(true);
		expect(problems.join('\n')).toContain(expected);
		expect(registry.find('LegBot')).toBeUndefined();
		expect(registry.find('Mesh')).toBeDefined();
	});

	test('diagnostics point at the class when the text is given', () => {
		const text = '#usda 1.0\n\nclass "NoAPI"\n{\n}\n\nclass "LoopAPI" (\n    apiSchemas = ["LoopAPI"]\n)\n{\n}\n';
		const source = new TextEncoder().encode(text);
		const report = new Report();
		const types = { LoopAPI: { schemaKind: 'singleApplyAPI', schemaIdentifier: 'LoopAPI' } };
		const plugInfo = { Plugins: [{ Info: { Types: types } }] };
		SchemaRegistry.standard.registerSchemaLayer(readUsda(source), { plugInfo, source, file: 'my.usda', report });
		const places = report.toArray().map(({ code, file, range, prim }) => [code, file, range?.start.line, prim]);
		expect(places).toEqual([
			['SCH001', 'my.usda', 3, '/NoAPI'],
			['SCH003', 'my.usda', 7, '/LoopAPI'],
		]);
	});

	test('a damaged layer gives what is left of it', () => {
		const { data } = readText('class LegBot "LegBot"\n{\n    float a = 1\n    float b = = 2\n');
		const registry = SchemaRegistry.standard.registerSchemaLayer(data);
		expect(registry.primDefinition('LegBot').attribute('a')).toBeDefined();
	});
});
