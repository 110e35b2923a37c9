import { expect, it } from 'vitest';
import { nearRigidBound } from '../src/internal.ts';
import { addBall, addBox, describeEngines, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

const G = 9.81;
const TIGHT = { optimalityRelTol: 1e-12, costRelTol: 0, costAbsTol: 0 };

describeEngines('a pendulum', () => {
	it('keeps its energy within a band that shrinks with the step and does not drift', () => {
		const bandOf = (dt: number): { band: number; drift: number } => {
			const builder = makeBuilder();
			const link = builder.addLink({
				mass: 2,
				com: [0, 0, -0.5],
				inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.01],
				lockInertia: true,
			});
			builder.addArticulation([builder.addJointRevolute({ child: link, axis: 'y' })]);
			const runner = new Runner(builder);
			runner.state.jointQ[0] = 1;
			runner.place();
			const inertia = 0.1 + 2 * 0.25;
			const energy = (): number =>
				0.5 * inertia * runner.state.jointQd[0]! ** 2 - 2 * G * 0.5 * Math.cos(runner.state.jointQ[0]!);
			const start = energy();
			const swing = 2 * G * 0.5 * (1 - Math.cos(1));
			let band = 0;
			let first = 0;
			let last = 0;
			const steps = Math.round(20 / dt);
			for (let i = 0; i < steps; i++) {
				runner.step(dt);
				const off = (energy() - start) / swing;
				band = Math.max(band, Math.abs(off));
				if (i < steps / 4) first += off;
				if (i >= (3 * steps) / 4) last += off;
			}
			return { band, drift: Math.abs(last - first) / (steps / 4) };
		};
		const coarse = bandOf(0.004);
		const fine = bandOf(0.002);
		expect(coarse.band).toBeLessThan(0.02);
		expect(fine.band / coarse.band).toBeCloseTo(0.5, 1);
		expect(coarse.drift).toBeLessThan(2e-4);
	});
});

describeEngines('a torque-free spin', () => {
	it('drifts by no more than the explicit gyroscopic term of the step allows', () => {
		const driftOf = (contactPresetVariant: 'drake' | 'approx64', dt: number): [number, number] => {
			const builder = makeBuilder([0, 0, 0]);
			builder.addBody({ mass: 1, inertia: [0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.025], lockInertia: true });
			const runner = new Runner(builder, { contactPresetVariant });
			runner.state.jointQd.set([0, 0, 0, 0.1, 8, 0.1]);
			runner.place();
			const momentum = (): number[] => {
				const [x, y, z, w] = [3, 4, 5, 6].map((i) => runner.state.bodyQ[i]!) as [number, number, number, number];
				const rows = [
					[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
					[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
					[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
				];
				const spin = [3, 4, 5].map((i) => runner.state.bodyQd[i]!);
				const own = rows.map((row, i) => [0.01, 0.02, 0.025][i]! * row.reduce((sum, r, k) => sum + r * spin[k]!, 0));
				return [0, 1, 2].map((k) => rows.reduce((sum, row, i) => sum + row[k]! * own[i]!, 0));
			};
			const energy = (): number =>
				momentum().reduce((sum, value, k) => sum + 0.5 * value * runner.state.bodyQd[3 + k]!, 0);
			const [l0, e0] = [momentum(), energy()];
			runner.step(dt, Math.round(2 / dt));
			const off = Math.hypot(...momentum().map((value, k) => value - l0[k]!)) / Math.hypot(...l0);
			return [off, (energy() - e0) / e0];
		};
		// figures of the reference scheme (sap.md 7 C): 9.1e-3 and 1.9e-3 of the momentum, 8.2e-3 and 1.8e-3 of the energy
		const [coarse, coarseEnergy] = driftOf('drake', 0.005);
		const [fine, fineEnergy] = driftOf('drake', 0.001);
		expect(coarse).toBeLessThan(1e-2);
		expect(fine).toBeLessThan(2.1e-3);
		expect(Math.abs(coarseEnergy)).toBeLessThan(9e-3);
		expect(Math.abs(fineEnergy)).toBeLessThan(2e-3);
		const [, middleEnergy] = driftOf('approx64', 0.005);
		expect(Math.abs(middleEnergy)).toBeLessThan(1e-3);
	});
});

describeEngines('a box that slides', () => {
	it('stops within a step of v0 / (mu g) and rides on the dilation of the convex model', () => {
		const [mu, dt, tau, mass] = [0.5, 1e-3, 1e-3, 1];
		const builder = makeBuilder();
		const material = { ke: 1e6, tau: tau / 2, mu };
		addBox(builder, [0.1, 0.1, 0.005], mass, [0, 0, 0.005], material);
		builder.addShapePlane(ofMaterial(material));
		const runner = new Runner(builder, TIGHT);
		runner.model.shapeGap.fill(0.005);
		runner.step(dt, 100);
		runner.state.jointQd[0] = 1;
		runner.place();
		let stopped = 0;
		for (let i = 1; i <= 400; i++) {
			runner.step(dt);
			if (i === 100) {
				// phi = (dt + tau) mu v − (1 + mu² Rt / Rn) Rn (dt + tau) m g dt / n (sap.md 7 C)
				const k = 5e5;
				const arm = [0.1, 0.1, 0.005];
				const inertia = runner.model.bodyInertia;
				// the Delassus estimate of a corner: Frobenius norm of its 3 by 3 block over three
				const w = delassus(mass, [inertia[0]!, inertia[4]!, inertia[8]!], arm);
				const rn = Math.max(nearRigidBound(1, w), 1 / (dt * k * (dt + tau)));
				const rt = 1e-3 * w;
				const v = runner.state.bodyQd[0]!;
				const phi = (dt + tau) * mu * v - (1 + (mu * mu * rt) / rn) * rn * (dt + tau) * ((mass * G * dt) / 4);
				expect(runner.state.bodyQ[2]! - 0.005).toBeGreaterThan(0);
				expect((runner.state.bodyQ[2]! - 0.005) / phi).toBeCloseTo(1, 1);
			}
			if (stopped === 0 && Math.abs(runner.state.bodyQd[0]!) < 1e-4) stopped = i * dt;
		}
		expect(Math.abs(stopped - 1 / (mu * G))).toBeLessThan(3 * dt);
	});
});

describeEngines('a ball on a slope of 15 degrees', () => {
	it('rolls as the closed form says', () => {
		// Drake's inclined plane: r 0.05, m 0.1, dt 1e-3, k 1e7, one second from rest
		const angle = (15 * Math.PI) / 180;
		const builder = makeBuilder([G * Math.sin(angle), 0, -G * Math.cos(angle)]);
		const material = { ke: 2e7, tau: 0.01, mu: 0.5 };
		addBall(builder, 0.05, 0.1, [0, 0, 0.05], material);
		builder.addShapePlane(ofMaterial(material));
		const runner = new Runner(builder, { contactPointMode: 'witness_point', ...TIGHT });
		runner.model.shapeGap.fill(0.002);
		runner.step(1e-3, 1000);
		// a = g sin / (1 + 2/5)
		const v = (G * Math.sin(angle)) / 1.4;
		expect(runner.state.bodyQd[0]! / v).toBeCloseTo(1, 3);
		expect((runner.state.bodyQd[4]! * 0.05) / v).toBeCloseTo(1, 3);
		const friction = -runner.contactForce()[0];
		expect(friction / ((0.4 * 0.1 * G * Math.sin(angle)) / 1.4)).toBeCloseTo(1, 3);
		const energy = 0.5 * 0.1 * runner.state.bodyQd[0]! ** 2 + 0.2 * 0.1 * 0.0025 * runner.state.bodyQd[4]! ** 2;
		expect(energy / (0.7 * 0.1 * v * v)).toBeCloseTo(1, 2);
	});
});

describeEngines('forces on an offset centre of mass', () => {
	it('do the work that the energy gains', () => {
		const builder = makeBuilder([0, 0, 0]);
		builder.addBody({
			mass: 3,
			com: [0.2, -0.1, 0.05],
			inertia: [0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.04],
			lockInertia: true,
		});
		const runner = new Runner(builder, { contactPresetVariant: 'approx64' });
		runner.control.jointF.set([1, -2, 0.5, 0.02, 0.03, -0.01]);
		const energy = (): number => {
			const v = [...runner.state.bodyQd];
			const [x, y, z, w] = [3, 4, 5, 6].map((i) => runner.state.bodyQ[i]!) as [number, number, number, number];
			const axes = [
				[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
				[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
				[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
			];
			const spin = axes.map((axis) => axis.reduce((sum, a, k) => sum + a * v[3 + k]!, 0));
			const turning = spin.reduce((sum, rate, i) => sum + 0.5 * [0.02, 0.03, 0.04][i]! * rate * rate, 0);
			return 1.5 * (v[0]! ** 2 + v[1]! ** 2 + v[2]! ** 2) + turning;
		};
		let work = 0;
		const dt = 1e-4;
		for (let i = 0; i < 2000; i++) {
			const before = [...runner.state.jointQd];
			runner.step(dt);
			for (let k = 0; k < 6; k++) {
				work += dt * runner.control.jointF[k]! * 0.5 * (before[k]! + runner.state.jointQd[k]!);
			}
		}
		expect(energy() / work).toBeCloseTo(1, 3);
	});
});

/** Frobenius norm over 3 of the Delassus block of a point on a free body, by the diagonal of its mass matrix. */
function delassus(mass: number, inertia: readonly number[], r: readonly number[]): number {
	// columns of the Jacobian: unit translations, then rotations about x, y, z
	const turns = [
		[0, -r[2]!, r[1]!],
		[r[2]!, 0, -r[0]!],
		[-r[1]!, r[0]!, 0],
	];
	let squares = 0;
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = i === j ? 1 / mass : 0;
			for (let k = 0; k < 3; k++) sum += (turns[k]![i]! * turns[k]![j]!) / inertia[k]!;
			squares += sum * sum;
		}
	}
	return Math.sqrt(squares) / 3;
}
