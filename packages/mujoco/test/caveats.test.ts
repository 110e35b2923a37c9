import { type Model, ModelFlags } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { compile, hinged, link, mujocoBuilder, run, UNIT_INERTIA, withSolver } from './support.ts';

function sphere(config: Readonly<Record<string, number>>): Model {
	const builder = mujocoBuilder();
	const body = builder.addBody({ mass: 1, inertia: UNIT_INERTIA, xform: [0, 0, 0.1, 0, 0, 0, 1] });
	builder.addShapeSphere(body, { radius: 0.1, label: 'ball', config: { density: 0, ...config } });
	builder.addGroundPlane();
	return builder.finalize();
}

describe('caveats', () => {
	test('gaps are always 0, which is told where one was authored; forwardGap and newtonCompat keep them', () => {
		const model = sphere({ gap: 0.05 });
		compile(model, ({ double, codes, messages }) => {
			expect(double('geom_gap')).toEqual([0, 0]);
			expect(codes).toContain('MJC018');
			expect(messages.join()).toContain("gaps of 1 shape ('ball')");
		});
		expect(model.shapeGap[0]).toBe(0.05);
		for (const options of [{ forwardGap: true }, { newtonCompat: true }]) {
			compile(model, ({ double }) => expect(double('geom_gap')).toContain(0.05), options);
		}
		// the builder's own default was not asked for
		compile(sphere({}), ({ codes }) => expect(codes).toEqual([]));
	});

	test('in a gap a contact is listed without a force', () => {
		const count = (options: object): [number, number] => {
			const model = sphere({ gap: 0.05 });
			return withSolver(
				model,
				(solver) => {
					const state = model.createState();
					state.jointQ[2] = 0.12;
					const end = run(solver, 1, 1e-3, { state });
					return [solver.outcome.contactCount[0]!, end.jointQd[2]!];
				},
				options,
			);
		};
		const [withGap, fallen] = count({ forwardGap: true });
		expect(withGap).toBe(1);
		expect(fallen).toBeCloseTo(-9.81e-3, 12);
		expect(count({})[0]).toBe(0);
	});

	test('collision radii of the model are not forwarded: MuJoCo makes its own bounds', () => {
		const model = sphere({});
		model.shapeCollisionRadius.fill(77);
		compile(model, ({ double, text }) => {
			expect(double('geom_rbound')).toContain(0.1);
			expect(text).not.toContain('77');
		});
	});

	test('velocity limits are not forwarded, which is told by joint', () => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		hinged(builder, { velocityLimit: 2, label: 'elbow' });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const control = model.createControl();
			control.jointF[0] = 100;
			expect(run(solver, 100, 1e-3, { control }).jointQd[0]).toBeCloseTo(10, 9);
			expect(
				solver.report
					.toArray()
					.map(({ message }) => message)
					.join(),
			).toContain("velocity limits of 1 joint ('elbow')");
		});
	});

	test('meshes collide by their hulls', () => {
		// an upside-down table: a plate with a wall around it, so that the hull is a full box
		const vertices: number[] = [];
		const indices: number[] = [];
		const addBox = (x: number, y: number, z: number, hx: number, hy: number, hz: number): void => {
			const first = vertices.length / 3;
			for (const sz of [-1, 1])
				for (const sy of [-1, 1]) for (const sx of [-1, 1]) vertices.push(x + sx * hx, y + sy * hy, z + sz * hz);
			for (const face of [
				0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
			])
				indices.push(first + face);
		};
		addBox(0, 0, 0.05, 0.5, 0.5, 0.05);
		addBox(-0.45, 0, 0.3, 0.05, 0.5, 0.2);
		addBox(0.45, 0, 0.3, 0.05, 0.5, 0.2);
		const builder = mujocoBuilder();
		builder.addShapeMesh(-1, {
			mesh: { vertices: Float64Array.from(vertices), indices: Uint32Array.from(indices) },
			label: 'tray',
		});
		const ball = builder.addBody({ mass: 1, inertia: UNIT_INERTIA, xform: [0, 0, 0.6, 0, 0, 0, 1] });
		builder.addShapeSphere(ball, { radius: 0.1, config: { density: 0 } });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			// the ball stays on the rim's height instead of falling into the tray
			expect(run(solver, 1000, 2e-3).bodyQ[2]).toBeGreaterThan(0.55);
			expect(
				solver.report
					.toArray()
					.map(({ message }) => message)
					.join(),
			).toMatch(/1 mesh \('tray'\).*convex hull/);
		});
	});

	test('bodies without mass on fixed joints are frames; on moving ones they are refused by name', () => {
		const builder = mujocoBuilder();
		const { body, joint } = hinged(builder);
		const frame = builder.addLink({ label: 'frame' });
		const fixed = builder.addJointFixed({ parent: body, child: frame });
		const model = builder.finalize({ skipValidation: true });
		model.jointArticulation[fixed] = model.jointArticulation[joint]!;
		compile(model, ({ double }) => expect(double('body_mass')).toEqual([0, 1, 0]));
		const moving = mujocoBuilder();
		const child = moving.addLink({ label: 'ghost' });
		moving.addArticulation([moving.addJointRevolute({ child, axis: 'x' })]);
		expect(() => compile(moving.finalize({ skipValidation: true }), () => undefined)).toThrow(/body 0 'ghost'/);
	});

	test('labels that are the same, or become so, give different names', () => {
		const builder = mujocoBuilder();
		const bodies = ['a/b', 'a_b', 'a/b', 'a_b_2'].map((label) => link(builder, { label }));
		for (const child of bodies) builder.addArticulation([builder.addJointRevolute({ child, axis: 'x', label: 'j' })]);
		compile(builder.finalize(), ({ name }) => {
			const names = bodies.map((_, i) => name('BODY', i + 1));
			expect(new Set(names).size).toBe(4);
			expect(names[0]).toBe('a_b');
			expect(new Set(bodies.map((_, i) => name('JOINT', i))).size).toBe(4);
		});
	});

	test('joints that are not in depth-first order are told, and mapped', () => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		const [a, b, c] = [link(builder), link(builder), link(builder)];
		const joints = [
			builder.addJointRevolute({ child: a!, axis: 'y' }),
			builder.addJointRevolute({ parent: a!, child: b!, axis: 'y' }),
			builder.addJointRevolute({ parent: a!, child: c!, axis: 'z' }),
			builder.addJointRevolute({ parent: b!, child: link(builder), axis: 'x' }),
		];
		builder.addArticulation(joints);
		const model = builder.finalize();
		withSolver(model, (solver) => {
			expect(solver.report.toArray().map(({ code }) => code)).toContain('MJC011');
			const state = model.createState();
			state.jointQd.set([0, 0, 0, 1.5]);
			const end = run(solver, 1, 1e-3, { state });
			expect(end.jointQ[3]).toBeGreaterThan(1e-3);
			expect(Math.abs(end.jointQ[2]!)).toBeLessThan(1e-5);
			solver.notifyModelChanged(ModelFlags.ALL);
		});
	});
});
