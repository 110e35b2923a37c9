import { type CheckOptions, checkAsset } from '@manyworlds/rep158';
import { describe, expect, test } from 'vitest';
import { openAsset } from './open-asset.ts';

const HEADER = '#usda 1.0\n(\n    defaultPrim = "robot"\n)\n';

function check(files: Readonly<Record<string, string>>, options: CheckOptions = {}) {
	const { layer, store } = openAsset(files, 'asset.usda');
	return checkAsset(layer, store, options).report.toArray();
}

const codes = (files: Readonly<Record<string, string>>, options: CheckOptions = {}): string[] =>
	check(files, options).map(({ code }) => code);

describe('rules see what is composed', () => {
	const part = (api: string): string =>
		`${HEADER}def Xform "robot" (prepend apiSchemas = [${api}])\n{\n    matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )\n    uniform token[] xformOpOrder = ["xformOp:transform"]\n}\n`;

	test('a fault that only a reference brings is found in the file that has it', () => {
		const found = check({
			'asset.usda': `${HEADER}def Xform "robot"\n{\n    def Xform "arm" (references = @./part.usda@)\n    {\n    }\n}\n`,
			'part.usda': part('"PhysicsRigidBodyAPI"'),
		}).filter(({ code }) => code === 'R1.1.8');
		expect(found).toMatchObject([
			{ file: 'part.usda', range: { start: { line: 7 } }, prim: '/robot/arm.xformOp:transform', arc: 'reference' },
		]);
	});

	test('a fault that a stronger layer takes away is not found', () => {
		const over = '{\n        uniform token[] xformOpOrder = []\n    }\n';
		const files = {
			'asset.usda': `${HEADER}def Xform "robot"\n{\n    def Xform "arm" (references = @./part.usda@)\n    ${over}}\n`,
			'part.usda': part('"GeomModelAPI"'),
		};
		expect(codes(files)).not.toContain('R1.1.8');
	});

	test('a schema that is deleted does not count', () => {
		const api = 'delete apiSchemas = ["PhysicsRigidBodyAPI"]';
		const files = {
			'asset.usda': `${HEADER}def Xform "robot"\n{\n    def Xform "arm" (\n        references = @./part.usda@\n        ${api}\n    )\n    {\n    }\n}\n`,
			'part.usda': `${HEADER}def Xform "robot" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])\n{\n}\n`,
		};
		expect(codes(files)).not.toContain('R1.3.14');
		expect(codes({ ...files, 'asset.usda': files['asset.usda'].replace(api, '') })).toContain('R1.3.14');
	});

	test('one authored fault that many prims show is one finding', () => {
		const copies = Array.from(
			{ length: 5 },
			(_, i) => `    def Xform "c${i}" (references = @./part.usda@)\n    {\n    }\n`,
		);
		const found = check({
			'asset.usda': `${HEADER}def Xform "robot"\n{\n${copies.join('')}}\n`,
			'part.usda': part('"GeomModelAPI"'),
		});
		expect(found.filter(({ code }) => code === 'R1.1.8')).toHaveLength(1);
	});
});

describe('variant selections', () => {
	const sets = (names: readonly string[]): string =>
		names
			.map(
				(name) =>
					`    variantSet "${name}" = {\n        "on" {\n            def PhysicsFixedJoint "${name}_joint"\n            {\n                double3 xformOp:translate = (0, 0, 0)\n            }\n        }\n        "off" {\n        }\n    }\n`,
			)
			.join('');
	const asset = (names: readonly string[]): string =>
		`${HEADER}def Xform "robot" (\n    variants = {\n${names.map((name) => `        string ${name} = "off"\n`).join('')}    }\n    prepend variantSets = [${names.map((name) => `"${name}"`).join(', ')}]\n)\n{\n${sets(names)}}\n`;

	test('all combinations are checked while they are few', () => {
		const { layer, store } = openAsset({ 'asset.usda': asset(['x', 'y', 'z']) }, 'asset.usda');
		expect(checkAsset(layer, store).selectionCount).toBe(8);
	});

	test('when they are many, single changes come first and the rest is told', () => {
		const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
		const { layer, store } = openAsset({ 'asset.usda': asset(names) }, 'asset.usda');
		const { report, selectionCount } = checkAsset(layer, store, { maxVariants: 9 });
		const found = report.toArray();
		expect(selectionCount).toBe(9);
		expect(found.filter(({ code }) => code === 'R1.1.16').map(({ variants }) => variants)).toEqual(
			names.map((name) => ({ [name]: 'on' })),
		);
		expect(found.map(({ code }) => code)).toContain('CHK001');
	});

	test('a set inside of a variant is found when that is selected', () => {
		const inner = `        "on" {\n            def Xform "tool" (\n                variants = {\n                    string kind = "plain"\n                }\n                prepend variantSets = "kind"\n            )\n            {\n                variantSet "kind" = {\n                    "jointed" {\n                        def PhysicsFixedJoint "joint"\n                        {\n                            double3 xformOp:translate = (0, 0, 0)\n                        }\n                    }\n                    "plain" {\n                    }\n                }\n            }\n        }\n`;
		const text = asset(['x']).replace(/ {8}"on" \{[\s\S]*?\n {8}\}\n/, inner);
		const found = check({ 'asset.usda': text }, { select: new Set(['R1.1.16']) });
		expect(found).toMatchObject([{ code: 'R1.1.16', variants: { x: 'on', kind: 'jointed' } }]);
	});

	test('an interface in a variant that is not selected is not part of the asset as authored', () => {
		const text = asset(['x']).replace('double3 xformOp:translate = (0, 0, 0)', 'custom string label = "a"');
		const found = check({ 'asset.usda': text.replaceAll('PhysicsFixedJoint', 'PhysicsRevoluteJoint') });
		const limits = found.filter(({ code }) => code === 'R1.3.3');
		expect(limits).toMatchObject([{ variants: { x: 'on' } }]);
	});
});

describe('payloads', () => {
	const files = {
		'asset.usda': `${HEADER}def Xform "robot" (payload = @./part.usda@)\n{\n}\n`,
		'part.usda': `${HEADER}def Xform "robot"\n{\n    def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])\n    {\n    }\n}\n`,
	};

	test('of the entry prim may bring links by policy', () => {
		expect(codes(files)).toContain('R1.2.3.6');
		expect(codes(files, { payloadPolicy: 'entry' })).not.toContain('R1.2.3.6');
	});

	test('inside of that may not', () => {
		const nested = {
			...files,
			'part.usda': `${HEADER}def Xform "robot"\n{\n    def Xform "limb" (payload = @./limb.usda@)\n    {\n    }\n}\n`,
			'limb.usda': files['part.usda'],
		};
		expect(codes(nested, { payloadPolicy: 'entry' })).toContain('R1.2.3.6');
	});

	test('that are missing are told, and the rest is checked', () => {
		const found = codes({ 'asset.usda': files['asset.usda'] });
		expect(found).toContain('R1.2.4.2');
		expect(found).toContain('R1.1.1');
	});
});

test('the source profile allows Euler angles on links', () => {
	const text = `${HEADER}def Xform "robot" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])\n{\n    float3 xformOp:rotateXYZ = (0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]\n}\n`;
	expect(codes({ 'asset.usda': text })).toContain('R1.1.9');
	const source = codes({ 'asset.usda': text }, { profile: 'source' });
	expect(source).not.toContain('R1.1.9');
	expect(source).not.toContain('R1.1.7');
});

test('severities are set by rule, and off leaves a rule out', () => {
	const text = '#usda 1.0\ndef Xform "a"\n{\n}\n';
	const found = check(
		{ 'asset.usda': text },
		{
			severities: new Map([
				['R1.1.1', 'hint'],
				['R1.1.2', 'off'],
			]),
		},
	);
	expect(found.find(({ code }) => code === 'R1.1.1')?.severity).toBe('hint');
	expect(found.map(({ code }) => code)).not.toContain('R1.1.2');
});
