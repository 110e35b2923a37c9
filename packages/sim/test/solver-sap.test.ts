import { describe, expect, it } from 'vitest';
import { addBall, addBox, boxInertia, describeEngines, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

const G = 9.81;
/** Bounds below the default tolerance of 1e-6 need a tighter one. */
const TIGHT = { optimalityRelTol: 1e-12, costRelTol: 0, costAbsTol: 0 };

describeEngines('free motion', () => {
	it('falls along the discrete parabola exactly', () => {
		const builder = makeBuilder();
		addBox(builder, [0.1, 0.1, 0.1], 2, [0, 0, 5], { ke: 1e5, tau: 0, mu: 1 });
		const euler = new Runner(builder, { contactPresetVariant: 'drake' });
		const middle = new Runner(builder, { contactPresetVariant: 'approx64' });
		const dt = 0.005;
		for (const runner of [euler, middle]) {
			runner.state.jointQd.set([0.3, 0, 1.5]);
			runner.step(dt, 100);
		}
		const t = 100 * dt;
		// sap_euler moves with the velocity at the end of each step, midpoint with the mean
		expect(euler.state.bodyQ[2]).toBeCloseTo(5 + 1.5 * t - (G * t * (t + dt)) / 2, 12);
		expect(middle.state.bodyQ[2]).toBeCloseTo(5 + 1.5 * t - (G * t * t) / 2, 12);
		expect(euler.state.bodyQ[0]).toBeCloseTo(0.3 * t, 13);
	});

	it('keeps the velocity of an offset centre of mass while its origin oscillates', () => {
		const builder = makeBuilder([0, 0, 0]);
		builder.addBody({ mass: 3, com: [0.2, 0, 0.05], inertia: [0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.04], lockInertia: true });
		const runner = new Runner(builder);
		runner.state.jointQd.set([0.4, -0.1, 0.2, 0.5, 2, 0.3]);
		runner.place();
		runner.step(1e-3, 500);
		// the gyroscopic torque is explicit, so the spin changes with dt; the momentum of the centre of mass does not
		for (const [k, v] of [0.4, -0.1, 0.2].entries()) expect(runner.state.jointQd[k]).toBeCloseTo(v, 3);
		for (const [k, v] of [0.4, -0.1, 0.2].entries()) expect(runner.state.bodyQd[k]).toBeCloseTo(v, 3);
	});

	it('swings a pendulum at the period of the elliptic integral', () => {
		const builder = makeBuilder();
		const link = builder.addLink({
			mass: 1,
			com: [0, 0, -1],
			inertia: [1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9],
			lockInertia: true,
		});
		const joint = builder.addJointRevolute({ child: link, axis: 'y', armature: 0 });
		builder.addArticulation([joint]);
		const runner = new Runner(builder);
		runner.state.jointQ[0] = 1;
		runner.place();
		const dt = 1e-4;
		let crossings = 0;
		let first = 0;
		let last = 0;
		let before = 1;
		for (let i = 0; i < 90_000; i++) {
			runner.step(dt);
			const q = runner.state.jointQ[0]!;
			if (before < 0 && q >= 0) {
				const t = (i + 1) * dt - (dt * q) / (q - before);
				if (crossings++ === 0) first = t;
				last = t;
			}
			before = q;
		}
		// T = 4 K(sin(θ/2)) sqrt(L/g), K by the arithmetic-geometric mean
		let [a, b] = [1, Math.cos(0.5)];
		for (let i = 0; i < 20; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
		const period = (2 * Math.PI * Math.sqrt(1 / G)) / a;
		expect((last - first) / (crossings - 1)).toBeCloseTo(period, 4);
	});
});

describeEngines('contact', () => {
	it('rests at the depth that carries the weight', () => {
		// four points of stiffness k/2 each, as two equal surfaces are in series
		const builder = makeBuilder();
		addBox(builder, [0.1, 0.1, 0.05], 4, [0, 0, 0.05], { ke: 1e4, tau: 0.05, mu: 0.5 });
		builder.addShapePlane(ofMaterial({ ke: 1e4, tau: 0.05, mu: 0.5 }));
		const runner = new Runner(builder, { contactBeta: 0, ...TIGHT });
		runner.step(0.005, 1200);
		expect(runner.contacts.rigidCount).toBe(4);
		const depth = (4 * G) / (4 * 5e3);
		expect(0.05 - runner.state.bodyQ[2]!).toBeCloseTo(depth, 12);
		expect(runner.contactForce()[2]).toBeCloseTo(4 * G, 9);
		// no drift: not in yaw, not sideways
		for (let k = 3; k < 6; k++) expect(Math.abs(runner.state.bodyQd[k]!)).toBeLessThan(1e-6);
		expect(Math.hypot(runner.state.bodyQ[0]!, runner.state.bodyQ[1]!)).toBeLessThan(1e-9);
	});

	it('is no stiffer than the near-rigid bound', () => {
		// 1 kg, h = 0.1, dt 5 ms, tau 0.01 in all, ke 1e6 in all: -1.218e-5 instead of -0.98e-5
		const builder = makeBuilder();
		addBox(builder, [0.05, 0.05, 0.05], 1, [0, 0, 0.05], { ke: 5e5, tau: 0.005, mu: 0.5 });
		builder.addShapePlane(ofMaterial({ ke: 5e5, tau: 0.005, mu: 0.5 }));
		const runner = new Runner(builder, { contactBeta: 1 });
		runner.step(0.005, 600);
		const depth = 0.05 - runner.state.bodyQ[2]!;
		expect(depth).toBeGreaterThan((1 * G) / 1e6);
		expect(depth).toBeCloseTo(1.218e-5, 8);
	});

	it('sticks below the friction angle and slides above it', () => {
		const mu = 0.5;
		const dt = 1e-3;
		const speedAt = (ratio: number): number => {
			const angle = Math.atan(ratio * mu);
			const builder = makeBuilder([G * Math.sin(angle), 0, -G * Math.cos(angle)]);
			addBox(builder, [0.1, 0.1, 0.02], 1, [0, 0, 0.02], { ke: 1e5, tau: 0.01, mu });
			builder.addShapePlane(ofMaterial({ ke: 1e5, tau: 0.01, mu }));
			const runner = new Runner(builder, TIGHT);
			// sliding opens a gap of (dt + tau) mu v
			runner.model.shapeGap.fill(0.02);
			runner.step(dt, 600);
			const v1 = runner.state.bodyQd[0]!;
			if (ratio < 1) return v1;
			runner.step(dt, 200);
			return (runner.state.bodyQd[0]! - v1) / (200 * dt) / (G * (Math.sin(angle) - mu * Math.cos(angle)));
		};
		// slip in stiction is at most sigma mu dt g
		for (const ratio of [0.5, 0.8, 0.999]) expect(speedAt(ratio)).toBeLessThan(1e-3 * mu * dt * G);
		// sliding accelerates with g (sin − mu cos)
		for (const ratio of [1.001, 1.05, 1.5]) expect(speedAt(ratio)).toBeCloseTo(1, 6);
	});

	it('stops a sliding box after v0² / (2 mu g)', () => {
		const builder = makeBuilder();
		addBox(builder, [0.1, 0.1, 0.02], 1, [0, 0, 0.02], { ke: 1e6, tau: 0.0005, mu: 0.5 });
		builder.addShapePlane(ofMaterial({ ke: 1e6, tau: 0.0005, mu: 0.5 }));
		const runner = new Runner(builder);
		runner.model.shapeGap.fill(0.005);
		runner.step(1e-3, 100);
		const start = runner.state.bodyQ[0]!;
		runner.state.jointQd[0] = 1;
		runner.state.bodyQd[0] = 1;
		runner.step(1e-3, 400);
		const distance = runner.state.bodyQ[0]! - start;
		expect(Math.abs(distance / (1 / (2 * 0.5 * G)) - 1)).toBeLessThan(0.01);
		expect(Math.abs(runner.state.bodyQd[0]!)).toBeLessThan(1e-5);
	});

	it.each([
		['ball', 'witness_point', 1e-9],
		['capsule', 'witness_point', 1e-9],
		// between the surfaces, the lever of a sliding body has its dilation (dt + tau) mu v / 2 in it
		['ball', 'contact_midpoint', 1e-3],
		['capsule', 'contact_midpoint', 1e-3],
	] as const)('lets a sliding %s end in rolling, %s', (kind, contactPointMode, bound) => {
		// v = v0 m r² / (m r² + I): 5/7 for a ball
		const builder = makeBuilder();
		const material = { ke: 1e6, tau: 0.001, mu: 0.5 };
		let inertia = 0.4 * 0.01;
		if (kind === 'ball') addBall(builder, 0.1, 1, [0, 0, 0.1], material);
		else {
			inertia = 0.006;
			const body = builder.addBody({
				mass: 1,
				inertia: [0.02, 0, 0, 0, inertia, 0, 0, 0, 0.02],
				xform: { p: [0, 0, 0.1] },
				lockInertia: true,
			});
			const xform = { q: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };
			builder.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.2, xform, ...ofMaterial(material) });
		}
		builder.addShapePlane(ofMaterial(material));
		const runner = new Runner(builder, { contactPointMode, ...TIGHT });
		runner.model.shapeGap.fill(0.005);
		runner.step(1e-3, 50);
		runner.state.jointQd[0] = 1;
		runner.place();
		runner.step(1e-3, 600);
		const rolling = 0.01 / (0.01 + inertia);
		expect(Math.abs(runner.state.bodyQd[0]! - rolling)).toBeLessThan(bound);
		expect(Math.abs(runner.state.bodyQd[4]! * 0.1 - rolling)).toBeLessThan(bound);
	});

	it('pushes friction against the motion in every direction', () => {
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 0.1], { ke: 1e6, tau: 0.001, mu: 0.5 });
		builder.addShapePlane(ofMaterial({ ke: 1e6, tau: 0.001, mu: 0.5 }));
		const runner = new Runner(builder);
		runner.model.shapeGap.fill(0.02);
		for (let degrees = 0; degrees < 360; degrees += 7) {
			const angle = (degrees * Math.PI) / 180;
			runner.state.jointQ.set([0, 0, 0.0999, 0, 0, 0, 1]);
			runner.state.jointQd.set([Math.cos(angle), Math.sin(angle), 0, 0, 0, 0]);
			runner.place();
			runner.step(1e-3);
			const [fx, fy] = runner.contactForce();
			expect(Math.hypot(fx, fy)).toBeGreaterThan(1);
			expect(Math.abs(Math.sin(Math.atan2(-fy, -fx) - angle))).toBeLessThan(1e-6);
		}
	});

	it('holds a box that is pushed below its friction', () => {
		const builder = makeBuilder([0, 0, -10]);
		addBox(builder, [0.1, 0.1, 0.1], 1, [0, 0, 0.1], { ke: 1e6, tau: 0.01, mu: 1 });
		builder.addShapePlane(ofMaterial({ ke: 1e6, tau: 0.01, mu: 1 }));
		const runner = new Runner(builder);
		runner.step(1e-3, 200);
		for (let i = 0; i < 200; i++) {
			runner.state.bodyF[0] = 5;
			runner.next.bodyF[0] = 5;
			runner.step(1e-3);
		}
		const [fx, , fz] = runner.contactForce();
		expect(fx).toBeCloseTo(-5, 6);
		expect(fz).toBeCloseTo(10, 6);
		expect(Math.abs(runner.state.bodyQd[0]!)).toBeLessThan(1e-4);
	});

	it('does not bounce with dissipation, and does without', () => {
		const reboundOf = (tau: number, dt: number): number => {
			const builder = makeBuilder([0, 0, 0]);
			addBall(builder, 0.1, 1, [0, 0, 0.11], { ke: 2e4, tau, mu: 0 });
			builder.addShapePlane(ofMaterial({ ke: 2e4, tau, mu: 0 }));
			const runner = new Runner(builder, { contactBeta: 0 });
			runner.state.jointQd[2] = -1;
			runner.place();
			runner.step(dt, Math.ceil(0.08 / dt));
			return runner.state.bodyQd[2]!;
		};
		expect(reboundOf(0.05, 0.001)).toBeLessThan(0.05);
		expect(reboundOf(0, 1e-5)).toBeGreaterThan(0.99);
	});

	it('carries a stack of ten boxes without drift', () => {
		const builder = makeBuilder();
		const material = { ke: 1e5, tau: 0.02, mu: 0.6 };
		for (let i = 0; i < 10; i++) addBox(builder, [0.1, 0.1, 0.05], 1, [0, 0, 0.05 + 0.1 * i], material);
		builder.addShapePlane(ofMaterial(material));
		const runner = new Runner(builder);
		runner.model.shapeGap.fill(0.002);
		runner.step(0.005, 200);
		const start = Float64Array.from(runner.state.bodyQ);
		runner.step(0.005, 200);
		for (let i = 0; i < start.length; i++) expect(Math.abs(runner.state.bodyQ[i]! - start[i]!)).toBeLessThan(1e-4);
		expect(runner.contacts.rigidCount).toBe(40);
		expect(runner.solver.outcome.converged[0]).toBe(1);
	});

	it('carries a heavy box on a light one', () => {
		const builder = makeBuilder();
		const material = { ke: 1e7, tau: 0.01, mu: 0.6 };
		addBox(builder, [0.1, 0.1, 0.05], 1, [0, 0, 0.05], material);
		addBox(builder, [0.1, 0.1, 0.05], 1000, [0, 0, 0.15], material);
		builder.addShapePlane(ofMaterial(material));
		// near-rigid by default, the light box would let the heavy one sink by centimetres
		const runner = new Runner(builder, { contactBeta: 0.01 });
		runner.model.shapeGap.fill(0.002);
		runner.onStep = ({ solver }) => expect(solver.outcome.converged[0]).toBe(1);
		runner.step(0.005, 400);
		// four contacts of half the stiffness below each
		expect(runner.state.bodyQ[9]! - 0.15).toBeGreaterThan(-0.002);
		for (let k = 0; k < 12; k++) expect(Math.abs(runner.state.bodyQd[k]!)).toBeLessThan(1e-4);
	});
});

describeEngines('margins and gaps', () => {
	it('a box with margins rests above the ground by their sum, whatever the gap', () => {
		for (const gap of [0, 0.005, 0.05]) {
			const builder = makeBuilder();
			addBox(builder, [0.1, 0.1, 0.1], 1, [0, 0, 0.14], { ke: 1e6, tau: 0.02, mu: 0.5 });
			builder.addShapePlane(ofMaterial({ ke: 1e6, tau: 0.02, mu: 0.5 }));
			const runner = new Runner(builder, { contactBeta: 0 });
			runner.model.shapeMargin.set([0.01, 0.02]);
			runner.model.shapeGap.fill(gap);
			runner.step(0.005, 400);
			expect(runner.state.bodyQ[2]! - 0.1).toBeCloseTo(0.03 - G / (4 * 5e5), 7);
		}
	});
});

describe('a pile', () => {
	it('of all shapes is solved to its tolerance in every step and never gains energy', () => {
		const builder = makeBuilder();
		const material = { ke: 1e5, tau: 0.01, mu: 0.5 };
		let seed = 5;
		const random = (): number => {
			seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
			return seed / 2 ** 32;
		};
		const inertia = [0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004];
		for (let i = 0; i < 10; i++) {
			const angle = 6 * random();
			const q = [0.6 * Math.sin(angle / 2), 0.8 * Math.sin(angle / 2), 0, Math.cos(angle / 2)];
			const p = [0.3 * random() - 0.15, 0.3 * random() - 0.15, 0.15 + 0.2 * i];
			const body = builder.addBody({ mass: 1, inertia, xform: { p, q }, lockInertia: true });
			const shape = ofMaterial(material);
			if (i % 7 === 0) builder.addShapeSphere(body, { radius: 0.07, ...shape });
			else if (i % 7 === 1) builder.addShapeCapsule(body, { radius: 0.04, halfHeight: 0.06, ...shape });
			else if (i % 7 === 2) builder.addShapeCylinder(body, { radius: 0.05, halfHeight: 0.06, ...shape });
			else if (i % 7 === 3) builder.addShapeCone(body, { radius: 0.07, halfHeight: 0.06, ...shape });
			else if (i % 7 === 4) builder.addShapeEllipsoid(body, { radii: [0.08, 0.06, 0.04], ...shape });
			else builder.addShapeBox(body, { halfExtents: [0.07, 0.05, 0.04], ...shape });
		}
		builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(material) });
		for (const [x, y] of [
			[1, 0],
			[-1, 0],
			[0, 1],
			[0, -1],
		] as const) {
			const halfExtents = [x === 0 ? 0.4 : 0.05, y === 0 ? 0.4 : 0.05, 2];
			builder.addShapeBox(-1, { halfExtents, xform: { p: [0.3 * x, 0.3 * y, 2] }, ...ofMaterial(material) });
		}
		const runner = new Runner(builder, {}, 512);
		runner.model.shapeGap.fill(0.002);
		const energy = ({ state, model }: Runner): number => {
			let sum = 0;
			for (let body = 0; body < model.bodyCount; body++) {
				const v = state.bodyQd.subarray(6 * body, 6 * body + 6);
				sum += G * state.bodyQ[7 * body + 2]! + 0.5 * (v[0]! ** 2 + v[1]! ** 2 + v[2]! ** 2);
				sum += 0.5 * 0.004 * (v[3]! ** 2 + v[4]! ** 2 + v[5]! ** 2);
			}
			return sum;
		};
		const start = energy(runner);
		let before = start;
		runner.onStep = (now) => {
			const { residual, converged } = now.solver.outcome;
			expect(residual[0]! <= 1e-6 || converged[0] === 0).toBe(true);
			expect(converged[0]).toBe(1);
			const after = energy(now);
			// contact springs give back at most what they hold: about k x² / 2 at a depth of 2 mm
			expect(after).toBeLessThan(before + 0.2);
			expect(after).toBeLessThan(start + 1e-9);
			before = after;
		};
		runner.step(0.005, 220);
		expect(runner.contacts.hasOverflow).toBe(false);
		expect(energy(runner)).toBeLessThan(0.3 * start);
		// everything lies in the pen, on the floor
		for (let body = 0; body < runner.model.bodyCount; body++) {
			expect(runner.state.bodyQ[7 * body + 2]).toBeGreaterThan(0.028);
			expect(Math.abs(runner.state.bodyQ[7 * body]!)).toBeLessThan(0.26);
		}
	});
});

describeEngines('joints', () => {
	function hinge(options: object, inertia = 0.5): Runner {
		const builder = makeBuilder([0, 0, 0]);
		const link = builder.addLink({ mass: 1, inertia: boxInertia(1, 0.1, 0.1, 0.1), lockInertia: true });
		const axis = { axis: 'z' as const, armature: inertia - 1 / 600, ...options };
		builder.addArticulation([builder.addJointRevolute({ child: link, ...axis })]);
		return new Runner(builder, TIGHT);
	}

	it('steps a drive as its closed form does, at any stiffness', () => {
		for (const [kp, kd, dt] of [
			[10, 1, 0.01],
			[1e4, 0, 0.05],
			[1e4, 50, 0.05],
		] as const) {
			const runner = hinge({ targetKe: kp, targetKd: kd });
			runner.control.jointTargetQ[0] = 0.3;
			runner.state.jointQd[0] = -0.2;
			let q = 0;
			let v = -0.2;
			// gains are cut where they would be stiffer than a spring of period 0.1 dt
			const bound = (0.1 * 0.1) / (4 * Math.PI * Math.PI) / 0.5;
			const cut = Math.min(1, 1 / (dt * (dt * kp + kd)) / bound) < 1 ? 1 / (dt * (dt * kp + kd)) / bound : 1;
			for (let i = 0; i < 200; i++) {
				runner.step(dt);
				v = (0.5 * v + dt * cut * kp * (0.3 - q)) / (0.5 + dt * cut * (dt * kp + kd));
				q += dt * v;
				expect(runner.state.jointQd[0]).toBeCloseTo(v, 10);
				expect(runner.state.jointQ[0]).toBeCloseTo(q, 10);
			}
		}
	});

	it('saturates a drive at its effort limit, exactly', () => {
		const runner = hinge({ targetKe: 1e4, targetKd: 10, effortLimit: 3 });
		runner.control.jointTargetQ[0] = 10;
		runner.step(0.01, 10);
		expect(runner.state.jointQd[0]).toBeCloseTo((10 * 0.01 * 3) / 0.5, 12);
	});

	it('stops at a limit, where a torque leans on it by torque / stiffness', () => {
		const runner = hinge({ limitLower: -1, limitUpper: 0.5, limitKe: 1000, limitKd: 20 });
		runner.control.jointF[0] = 2;
		runner.step(0.002, 5000);
		expect(runner.state.jointQ[0]).toBeCloseTo(0.5 + 2 / 1000, 9);
		expect(Math.abs(runner.state.jointQd[0]!)).toBeLessThan(1e-9);
	});

	it('holds against torques below the dry friction and gives way above', () => {
		const runner = hinge({ friction: 1 });
		runner.control.jointF[0] = 0.9;
		runner.step(0.005, 100);
		expect(Math.abs(runner.state.jointQd[0]!)).toBeLessThan(1e-4);
		runner.control.jointF[0] = 1.5;
		const before = runner.state.jointQd[0]!;
		runner.step(0.005, 100);
		expect(runner.state.jointQd[0]! - before).toBeCloseTo((100 * 0.005 * 0.5) / 0.5, 3);
	});

	it('keeps below a velocity limit when asked to', () => {
		for (const enforceVelocityLimits of [false, true]) {
			const builder = makeBuilder([0, 0, 0]);
			const link = builder.addLink({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
			builder.addArticulation([builder.addJointRevolute({ child: link, axis: 'z', velocityLimit: 2 })]);
			const runner = new Runner(builder, { enforceVelocityLimits, ...TIGHT });
			runner.control.jointF[0] = -3;
			runner.step(0.01, 100);
			expect(runner.state.jointQd[0]).toBeCloseTo(enforceVelocityLimits ? -2 : -3 * 6, 3);
			expect(runner.solver.report.toArray().map((one) => one.code)).toEqual(enforceVelocityLimits ? [] : ['SIM003']);
		}
	});

	it('damps as an implicit damper does', () => {
		const runner = hinge({ damping: 2 });
		runner.state.jointQd[0] = 1;
		runner.step(0.01, 50);
		expect(runner.state.jointQd[0]).toBeCloseTo((0.5 / (0.5 + 0.01 * 2)) ** 50, 12);
	});

	it('adds armature to the mass matrix and nowhere else', () => {
		const heavy = hinge({}, 2);
		heavy.control.jointF[0] = 1;
		heavy.step(0.01);
		expect(heavy.state.jointQd[0]).toBeCloseTo(0.01 / 2, 15);
		expect([...heavy.model.bodyInertia]).toEqual(boxInertia(1, 0.1, 0.1, 0.1));
	});

	it('keeps mimic joints, equality constraints and loops closed', () => {
		const builder = makeBuilder();
		const joints: number[] = [];
		const bodies: number[] = [];
		for (let i = 0; i < 3; i++) {
			const link = builder.addLink({
				mass: 1,
				com: [0.2, 0, 0],
				inertia: boxInertia(1, 0.4, 0.05, 0.05),
				lockInertia: true,
			});
			bodies.push(link);
			joints.push(
				builder.addJointRevolute({
					child: link,
					parent: i === 0 ? -1 : bodies[i - 1]!,
					axis: 'y',
					parentXform: { p: i === 0 ? [0, 0, 1] : [0.4, 0, 0] },
				}),
			);
		}
		builder.addArticulation(joints);
		builder.addConstraintMimic({ joint0: joints[1]!, joint1: joints[0]!, coef0: 0.1, coef1: -0.5 });
		const runner = new Runner(builder);
		runner.state.jointQ[1] = 0.1;
		runner.place();
		runner.step(0.002, 500);
		expect(runner.state.jointQ[1]).toBeCloseTo(0.1 - 0.5 * runner.state.jointQ[0]!, 6);
		expect(Math.abs(runner.state.jointQ[0]!)).toBeGreaterThan(0.05);
	});

	it('connects bodies by an equality constraint at the point where they start', () => {
		const builder = makeBuilder();
		const a = addBall(builder, 0.1, 1, [0, 0, 1], { ke: 1e4, tau: 0, mu: 0 });
		const b = addBall(builder, 0.1, 1, [0.3, 0, 1], { ke: 1e4, tau: 0, mu: 0 });
		builder.addEqualityConstraint({ type: 'connect', body1: -1, body2: a, anchor: [0, 0, 1.2] });
		builder.addEqualityConstraint({ type: 'weld', body1: a, body2: b, relpose: [0.3, 0, 0, 0, 0, 0, 1] });
		const runner = new Runner(builder);
		runner.step(0.002, 400);
		const q = runner.state.bodyQ;
		// the first ball hangs 0.2 below its anchor, the second keeps its distance
		expect(Math.hypot(q[0]!, q[1]!, q[2]! - 1.2)).toBeCloseTo(0.2, 4);
		expect(Math.hypot(q[7]! - q[0]!, q[8]! - q[1]!, q[9]! - q[2]!)).toBeCloseTo(0.3, 4);
		expect(Math.abs(q[7]! - 0.3)).toBeGreaterThan(0.05);
	});
});

describeEngines('momentum', () => {
	it('is conserved by contacts, drives and limits inside a floating robot', () => {
		const builder = makeBuilder([0, 0, 0]);
		const base = builder.addLink({ mass: 3, inertia: boxInertia(3, 0.3, 0.2, 0.1), lockInertia: true });
		const joints = [builder.addJointFree({ child: base })];
		const material = { ke: 1e4, tau: 0.01, mu: 0.5 };
		for (const side of [-1, 1]) {
			const arm = builder.addLink({
				mass: 1,
				com: [0.15, 0, 0],
				inertia: boxInertia(1, 0.3, 0.05, 0.05),
				lockInertia: true,
			});
			joints.push(
				builder.addJointRevolute({
					parent: base,
					child: arm,
					axis: 'z',
					parentXform: { p: [0.15, 0.06 * side, 0] },
					limitLower: -0.4,
					limitUpper: 0.4,
					limitKe: 1000,
					limitKd: 10,
					targetKe: 20,
					targetKd: 0.5,
					friction: 0.01,
				}),
			);
			builder.addShapeSphere(arm, { radius: 0.05, xform: { p: [0.3, 0, 0] }, ...ofMaterial(material) });
		}
		builder.addArticulation(joints);
		const runner = new Runner(builder);
		// arms swing at each other
		runner.control.jointTargetQ[7] = 0.6;
		runner.control.jointTargetQ[8] = -0.6;
		let touched = 0;
		runner.onStep = ({ contacts }) => {
			touched += contacts.rigidCount;
		};
		runner.step(0.001, 1000);
		expect(touched).toBeGreaterThan(0);
		const sum = [0, 0, 0];
		for (let body = 0; body < 3; body++) {
			for (let k = 0; k < 3; k++) sum[k] = sum[k]! + runner.model.bodyMass[body]! * runner.state.bodyQd[6 * body + k]!;
		}
		// explicit gyroscopic terms leave an error of first order in dt
		for (const value of sum) expect(Math.abs(value)).toBeLessThan(2e-3);
	});
});
