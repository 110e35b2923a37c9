import { SchemaRegistry } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { TRANSLATIONS } from '../../src/fix/families/f01/schema-translations.ts';
import { fixMemory } from './memory-asset.ts';

/** REP 0158, R4.2.1.4: incubating schemas live until OpenUSD has their equivalent, and their older names are migrated. */
describe('incubating schemas', () => {
	const { openUsd, standard } = SchemaRegistry;
	const incubating = [...standard.classes()].filter(({ identifier }) => identifier.startsWith('ExtendedPhysics'));

	it('have no equivalent in the core schemas, or a translation to it', () => {
		expect(incubating.length).toBeGreaterThan(5);
		const core = new Set<string>();
		for (const { identifier } of openUsd.classes()) {
			if (!identifier.startsWith('Physics')) continue;
			for (const name of openUsd.definitionOf(identifier)?.propertyNames ?? []) core.add(name.replace(/^.*:/, ''));
		}
		const due = incubating.flatMap(({ identifier }) => {
			const names = standard.definitionOf(identifier)!.propertyNames;
			const ratified = names.filter((name) => name.startsWith('ext_physics:') && core.has(name.replace(/^.*:/, '')));
			return ratified
				.filter((name) => !TRANSLATIONS.some(({ properties }) => properties.some(({ from }) => from === name)))
				.map((name) => `${identifier} ${name}`);
		});
		expect(due).toEqual([]);
	});

	it.each([
		['MimicJointAPI', 'mimic:joint'],
		['ExtendedPhysicsMimicJointAPI', 'mimic:joint'],
	])('an earlier name, %s, becomes the present one', (schema, relationship) => {
		const joint = (name: string, extra = '', metadata = ''): string =>
			`def PhysicsRevoluteJoint "${name}" ${metadata} {\nrel physics:body0 = </R/a>\nrel physics:body1 = </R/b>\n${extra}\n}\n`;
		const text = `#usda 1.0\n(\n    defaultPrim = "R"\n)\ndef Xform "R" {\n${joint('leader')}${joint('follower', `rel ${relationship} = </R/leader>`, `( prepend apiSchemas = ["${schema}"] )`)}}\n`;
		const { after } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F1'] });
		expect(after['a.usda']).toContain('prepend apiSchemas = ["ExtendedPhysicsMimicAPI"]');
		expect(after['a.usda']).toContain('rel ext_physics:mimic:joint = </R/leader>');
	});
});
