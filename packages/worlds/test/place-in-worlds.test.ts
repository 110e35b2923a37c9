import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { contactUseText } from '../src/contact-use.ts';
import { placeInWorlds } from '../src/index.ts';
import { contactUse } from '../src/internal.ts';

/** A robot of two balls, one of which says how stiff it is, and a mark. */
function robot(options: ConstructorParameters<typeof ModelBuilder>[0] = {}): ModelBuilder {
	const builder = new ModelBuilder(options);
	const body = builder.addBody();
	builder.addShapeSphere(body, { radius: 0.05 });
	builder.addShapeSphere(body, { radius: 0.05, config: { ke: 3e4, gap: 0 } });
	builder.addSite(body);
	return builder;
}

describe('a robot in worlds', () => {
	it('stands apart, on a ground with its contact, under its gravity', () => {
		const builder = robot({ contactDefaults: 'firm', gravity: [0, 0, -1.62] });
		const model = placeInWorlds(builder, { count: 4, spacing: [3, 0, 0] }).finalize();
		expect([model.worldCount, model.bodyCount, model.shapeCount]).toEqual([4, 4, 13]);
		expect([0, 1, 2, 3].map((body) => model.bodyQ[7 * body])).toEqual([-4.5, -1.5, 1.5, 4.5]);
		expect([...model.gravityOf(3)]).toEqual([0, 0, -1.62]);
		expect(model.shapeMaterialKe[12]).toBe(1e5);
	});

	it('has one world and a ground unless told otherwise', () => {
		expect(placeInWorlds(robot()).finalize()).toMatchObject({ worldCount: 1, shapeCount: 4 });
		expect(placeInWorlds(robot(), { ground: false }).finalize().shapeCount).toBe(3);
	});

	it('tells which shapes have the contact of the builder', () => {
		const model = placeInWorlds(robot({ contactDefaults: 'firm' }), { count: 2 }).finalize();
		expect(contactUse(model, 'firm')).toEqual({ name: 'firm', stiffness: 1e5, gap: 0.001, shapeCount: 3 });
		expect(contactUseText(contactUse(model, 'firm'))).toBe(
			'contacts: firm (1e5 N/m, 1 mm gap) for 3 shapes that say nothing',
		);
		expect(contactUseText(contactUse(placeInWorlds(robot(), { ground: false }).finalize(), 'newton'))).toBe(
			'contacts: newton (2500 N/m, 100 mm gap) for 1 shape that says nothing',
		);
	});
});
