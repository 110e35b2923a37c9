import { describe, expect, it } from 'vitest';
import { checkAsset } from '../../src/check-asset.ts';
import { fixCommand, offerFixes } from '../../src/fix/offer-fixes.ts';
import { openMemory } from './memory-asset.ts';

const HEAD =
	'#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    upAxis = "Z"\n)\n';

/** The command that each finding says removes it, by rule and prim. */
function offersOf(text: string): Record<string, string | undefined> {
	const { root, store } = openMemory({ 'a.usda': text }, 'a.usda');
	const found = checkAsset(root, store).report.toArray();
	const offers = offerFixes(found, (files) => {
		const now = Object.fromEntries(files.map(({ identifier, bytes }) => [store.name(identifier), bytes]));
		return openMemory({ 'a.usda': text, ...now }, 'a.usda');
	});
	return Object.fromEntries(
		found.map((finding) => {
			const offer = offers.get(finding);
			return [`${finding.code} ${finding.prim?.split('.')[0] ?? ''}`, offer && fixCommand(offer)];
		}),
	);
}

describe('offers of fixes', () => {
	const joint = (name: string, limits: string): string =>
		`    def PhysicsRevoluteJoint "${name}"\n    {\n        rel physics:body0 = </R/a>\n        rel physics:body1 = </R/b>\n${limits}    }\n`;
	const body = (name: string): string =>
		`    def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])\n    {\n    }\n`;

	it('differ between findings of one rule, and name the option that answers', () => {
		const crossed = '        float physics:lowerLimit = 2\n        float physics:upperLimit = 1\n';
		const text = `${HEAD}def Xform "R"\n{\n${body('a')}${body('b')}${joint('open', '')}${joint('crossed', crossed)}}\n`;
		const offers = offersOf(text);
		expect(offers['R1.3.3 /R/open']).toBe('manyworlds fix --limits open=LOWER:UPPER or --continuous open');
		expect(offers).toHaveProperty('R1.3.3 /R/crossed', undefined);
		expect(offers['R1.1.3 ']).toBe('manyworlds fix');
		expect(offers['R1.2.5.3 /R']).toBe('manyworlds fix --asset-version VERSION');
	});

	it('need --unsafe where only that removes the finding', () => {
		const offers = offersOf(`${HEAD.replace('metersPerUnit = 1', 'metersPerUnit = 0.01')}def Xform "R"\n{\n}\n`);
		expect(offers['R1.1.1 ']).toBe('manyworlds fix --unsafe');
	});
});
