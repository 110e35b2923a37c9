import { describe, expect, it } from 'vitest';
import { CONTACT_DEFAULTS, type ContactDefaultsName, ModelBuilder, SHAPE_CONFIG_DEFAULTS } from '../src/index.ts';

/** Stiffness, damping and gap of a shape that says nothing, of one that says Newton's numbers, and of the ground. */
function contactOf(builder: ModelBuilder): number[][] {
	const body = builder.addBody();
	builder.addShapeSphere(body, { radius: 0.05 });
	builder.addShapeSphere(body, { radius: 0.05, config: { ke: 2500, gap: 0.1 } });
	builder.addGroundPlane();
	const { shapeMaterialKe, shapeMaterialKd, shapeGap } = builder.finalize();
	return [0, 1, 2].map((shape) => [shapeMaterialKe[shape]!, shapeMaterialKd[shape]!, shapeGap[shape]!]);
}

const NEWTON = [2500, 100, 0.1];
const FIRM = [1e5, 2 * Math.sqrt(1e5), 0.001];

describe('contact defaults', () => {
	it('are those of Newton unless others are chosen', () => {
		expect(contactOf(new ModelBuilder())).toEqual([NEWTON, NEWTON, NEWTON]);
		expect(new ModelBuilder().contactDefaults).toBe('newton');
		expect(CONTACT_DEFAULTS.newton).toMatchObject({ ke: SHAPE_CONFIG_DEFAULTS.ke, kd: SHAPE_CONFIG_DEFAULTS.kd });
	});

	it('reach the shapes that say nothing, and no others', () => {
		const builder = new ModelBuilder({ contactDefaults: 'firm' });
		expect(builder.contactDefaults).toBe('firm');
		expect(contactOf(builder)).toEqual([FIRM, [2500, FIRM[1]!, 0.1], FIRM]);
	});

	it('get stiffer with the weight of a world, so that no robot sinks in', () => {
		const stiffnessFor = (mass: number, gravity = [0, 0, -9.81]): number[][] => {
			const builder = new ModelBuilder({ contactDefaults: 'firm', gravity });
			builder.beginWorld();
			builder.addShapeSphere(
				builder.addBody({ mass: mass / 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], lockInertia: true }),
				{
					radius: 0.1,
				},
			);
			builder.addShapeBox(
				builder.addBody({ mass: mass / 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], lockInertia: true }),
				{
					config: { ke: 5 },
				},
			);
			builder.endWorld();
			builder.addGroundPlane();
			const { shapeMaterialKe, shapeMaterialKd } = builder.finalize();
			return [0, 1, 2].map((shape) => [shapeMaterialKe[shape]!, Math.round(shapeMaterialKd[shape]!)]);
		};
		const gains = (ke: number): [number, number] => [ke, Math.round(2 * Math.sqrt(ke))];
		const own = [5, Math.round(2 * Math.sqrt(1e5))];
		// two surfaces in series, so that 50 N on 1e5 N/m sink a millimetre
		expect(stiffnessFor(5)).toEqual([gains(1e5), own, gains(1e5)]);
		expect(stiffnessFor(5.2)).toEqual([gains(1e6), own, gains(1e6)]);
		expect(stiffnessFor(5.2, [0, 0, -1.62])).toEqual([gains(1e5), own, gains(1e5)]);
		expect(stiffnessFor(1000)[0]![0]).toBe(1e8);
	});

	it('come after settings of the builder', () => {
		const options = { contactDefaults: 'firm' as ContactDefaultsName, rigidGap: 0.003, defaultShapeConfig: { ke: 7 } };
		expect(contactOf(new ModelBuilder(options))[0]).toEqual([7, FIRM[1]!, 0.003]);
	});

	it('can be chosen for what is added later', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(builder.addBody(), { radius: 0.05 });
		builder.useContactDefaults('firm');
		builder.addGroundPlane();
		const { shapeMaterialKe } = builder.finalize();
		expect([...shapeMaterialKe]).toEqual([2500, 1e5]);
	});
});
