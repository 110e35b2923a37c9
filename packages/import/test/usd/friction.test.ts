import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

/** REP 0158, R1.3.4.4: a converter that has one coefficient of friction says what became of the others. */
describe('friction of physics materials', () => {
	const { result, model } = importText(`
def Material "m" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {
	float physics:staticFriction = 0.75
	float physics:dynamicFriction = 0.5
	float physics:restitution = 0.25
}
def Cube "a" (prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
	rel material:binding:physics = </m>
}`);

	it('becomes the dynamic coefficient of the shape', () => {
		const shape = result.pathShapeMap.get('/a')!;
		expect(model().shapeMaterialMu[shape]).toBe(0.5);
		expect(model().shapeMaterialRestitution[shape]).toBe(0.25);
	});

	it('leaves a word about the static one in the ledger', () => {
		const entry = result.ledger.entries().find(({ name }) => name === 'physics:staticFriction');
		expect(entry).toMatchObject({ class: 'ignored', reason: expect.stringContaining('one coefficient of friction') });
	});
});
