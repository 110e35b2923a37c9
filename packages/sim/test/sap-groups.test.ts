import { Contacts } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { TreeStructure } from '../src/dynamics/tree-structure.ts';
import { ActuatorTerms } from '../src/sap/actuator-terms.ts';
import { ContactGroups } from '../src/sap/contact-groups.ts';
import { FreeMotion } from '../src/sap/free-motion.ts';
import type { LinearActuator, LinearActuators } from '../src/sap/linear-actuators.ts';
import { ActivationKind } from '../src/sap/linear-actuators.ts';
import { isPlainMotor, PlainMotors } from '../src/sap/plain-motors.ts';
import { contactWeight, rowsWeight } from '../src/sap/regularise.ts';
import { SapProblem } from '../src/sap/sap-problem.ts';
import { WorldProblem } from '../src/sap/world-problem.ts';
import { addBall, addBox, boxInertia, describeEngines, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

const HARD = { ke: 1e5, tau: 0.1, mu: 0.5 };

describe('contacts by the group that solves them', () => {
	/** A ground and a ball of no world, then two worlds with two balls each. */
	function groups(): { readonly groups: ContactGroups; readonly contacts: Contacts } {
		const one = makeBuilder();
		addBall(one, 0.1, 1, [0, 0, 1], HARD);
		addBall(one, 0.1, 1, [1, 0, 1], HARD);
		const builder = makeBuilder();
		builder.addGroundPlane();
		addBall(builder, 0.1, 1, [5, 0, 1], HARD);
		builder.replicate(one, { count: 2 });
		const model = builder.finalize({ keepInertia: true });
		const contacts = new Contacts(model, { rigidCapacity: 200, withForce: true });
		return { groups: new ContactGroups(new TreeStructure(model)), contacts };
	}
	const GROUND = 0;
	const GLOBAL = 1;
	const FIRST = [2, 3] as const;
	const SECOND = [4, 5] as const;

	/** Sorts pairs of shapes and gives the rows of each group. */
	function sorted(
		{ groups: made, contacts }: ReturnType<typeof groups>,
		pairs: readonly (readonly [number, number])[],
	): number[][] {
		contacts.rigidFound = pairs.length;
		for (const [row, [a, b]] of pairs.entries()) {
			contacts.rigidShape0[row] = a;
			contacts.rigidShape1[row] = b;
		}
		made.sort(contacts);
		return Array.from({ length: made.start.length - 1 }, (_, i) => [
			...made.rows.subarray(made.start[i]!, made.start[i + 1]!),
		]);
	}

	it('go to the world of what moves, in the order they stand, and to the last group where that has none', () => {
		const scene = groups();
		const pairs = [
			[GROUND, SECOND[0]],
			[FIRST[0], FIRST[1]],
			[GROUND, GLOBAL],
			[SECOND[1], GROUND],
			[GLOBAL, FIRST[1]],
			[SECOND[0], GLOBAL],
			[GROUND, GROUND],
			[-1, FIRST[0]],
			[SECOND[0], -1],
			[-1, -1],
		] as const;
		expect(sorted(scene, pairs)).toEqual([[1, 4, 7], [0, 3, 5, 8], [2]]);
		// what nothing moves takes no place
		expect([...scene.groups.start]).toEqual([0, 3, 7, 8]);
		// the same groups serve the next step
		expect(sorted(scene, [[GROUND, FIRST[0]]])).toEqual([[0], [], []]);
		scene.groups.sort(undefined);
		expect([...scene.groups.start]).toEqual([0, 0, 0, 0]);
	});

	it('of a run of worlds are those of its worlds, and of what belongs to none', () => {
		const scene = groups();
		sorted(scene, [
			[GROUND, SECOND[0]],
			[FIRST[0], FIRST[1]],
			[GROUND, GLOBAL],
			[SECOND[1], GROUND],
		]);
		const { rows, start } = scene.groups;
		const rowsOf = (group: number): number[] => [...rows.subarray(start[group]!, start[group + 1]!)];
		scene.groups.sort(scene.contacts, 0, 1);
		expect([rowsOf(0), rowsOf(2)]).toEqual([[1], [2]]);
		scene.groups.sort(scene.contacts, 1, 2);
		expect([rowsOf(1), rowsOf(2)]).toEqual([[0, 3], [2]]);
		// those of other worlds take no place, wherever theirs were in the step before
		const six = Array.from({ length: 6 }, () => [GROUND, SECOND[0]] as const);
		sorted(scene, [...six, [FIRST[0], FIRST[1]], [GROUND, FIRST[0]]]);
		scene.groups.sort(scene.contacts, 1, 2);
		expect([rowsOf(1), rowsOf(2)]).toEqual([[0, 1, 2, 3, 4, 5], []]);
	});

	it('are as many as there are', () => {
		const many = Array.from({ length: 150 }, (_, i) => [GROUND, i % 2 === 0 ? FIRST[0] : SECOND[0]] as const);
		const [first, second, none] = sorted(groups(), many);
		expect(first).toEqual(Array.from({ length: 75 }, (_, i) => 2 * i));
		expect(second).toEqual(Array.from({ length: 75 }, (_, i) => 2 * i + 1));
		expect(none).toEqual([]);
	});

	it('start without force, those alone that there are', () => {
		const scene = groups();
		const forces = scene.contacts.rigidForce!;
		forces.fill(9);
		sorted(scene, [
			[GROUND, GROUND],
			[GROUND, FIRST[0]],
		]);
		expect([...forces.subarray(0, 14)]).toEqual([...new Array<number>(12).fill(0), 9, 9]);
	});

	it('of one world go to it, global bodies too', () => {
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 1], HARD);
		const model = builder.finalize({ keepInertia: true });
		const contacts = new Contacts(model, { rigidCapacity: 4 });
		const scene = { groups: new ContactGroups(new TreeStructure(model)), contacts };
		expect(sorted(scene, [[-1, 0]])).toEqual([[0], []]);
	});
});

describeEngines('a table of no world', () => {
	const ROUGH = { ke: 1e6, tau: 0.02, mu: 2 };
	/** Velocities of boxes of two worlds on a table that is moved, and of the table where they lie. */
	function carried(motion: readonly number[], at: readonly [number, number]): { box: number[]; table: number[] }[] {
		const one = makeBuilder();
		addBox(one, [0.05, 0.05, 0.05], 0.5, [...at, 0.15], ROUGH);
		const builder = makeBuilder();
		const table = builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), isKinematic: true, lockInertia: true });
		builder.addShapeBox(table, { halfExtents: [2, 2, 0.1], ...ofMaterial(ROUGH) });
		builder.replicate(one, { count: 2 });
		const runner = new Runner(builder);
		runner.model.shapeGap.fill(0.002);
		runner.state.jointQd.set(motion);
		runner.place();
		runner.step(0.002, 150);
		const { bodyQ, bodyQd } = runner.state;
		return [1, 2].map((body) => {
			const [x, y, z] = [0, 1, 2].map((k) => bodyQ[7 * body + k]! - bodyQ[k]!) as [number, number, number];
			const [vx, vy, vz, wx, wy, wz] = motion as [number, number, number, number, number, number];
			return {
				box: [...bodyQd.subarray(6 * body, 6 * body + 3)],
				table: [vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x],
			};
		});
	}

	it.each([
		['along x', [0.4, 0, 0, 0, 0, 0]],
		['along y', [0, -0.3, 0, 0, 0, 0]],
		['up', [0, 0, 0.3, 0, 0, 0]],
		['round its middle', [0, 0, 0, 0, 0, 0.5]],
		['by a tilt about x', [0, 0, 0, 0.2, 0, 0]],
		['by a tilt about y', [0, 0, 0, 0, -0.2, 0]],
		['in all ways', [0.2, -0.1, 0.1, 0.1, 0.15, 0.3]],
	] as const)('that moves %s carries what lies on it in every world', (_, motion) => {
		for (const { box, table } of carried(motion, [0.5, -0.3])) {
			for (let k = 0; k < 3; k++) expect(box[k]).toBeCloseTo(table[k]!, 2);
		}
	});
});

describe('the estimate of what a constraint feels', () => {
	const J = [
		[1, 2, 3],
		[-4, 5, 0.5],
		[0.25, -2, 7],
	] as const;
	const DIAGONAL = [2, 5, 0.5];
	/** Frobenius norm of J diag(A)⁻¹ Jᵀ over some rows of J, by their number. */
	const weight = (rows: readonly number[]): number => {
		let squared = 0;
		for (const a of rows) {
			for (const b of rows) {
				const entry = DIAGONAL.reduce((sum, d, k) => sum + (J[a]![k]! * J[b]![k]!) / d, 0);
				squared += entry * entry;
			}
		}
		return Math.sqrt(squared) / rows.length;
	};
	function makeProblem(): SapProblem {
		const problem = new SapProblem();
		problem.reset(4);
		problem.mass.layOut();
		// a first degree of freedom and a first constraint that are none of it
		problem.mass.values.set([1e3, ...DIAGONAL]);
		problem.addContact(0.3);
		problem.addContactColumn(0, 1, 1, 1);
		problem.addContact(0.3);
		for (let k = 0; k < 3; k++) problem.addContactColumn(1 + k, J[0]![k]!, J[1]![k]!, J[2]![k]!);
		problem.addUnitRow(0);
		for (const row of J) {
			problem.addRow(-1, 1);
			for (let k = 0; k < 3; k++) problem.addRowColumn(1 + k, row[k]!);
		}
		return problem;
	}

	it('is the norm of its block of Delassus’ matrix with the diagonal of the mass matrix', () => {
		const problem = makeProblem();
		expect(contactWeight(problem, 1)).toBeCloseTo(weight([0, 1, 2]), 12);
		expect(rowsWeight(problem, 1, 3)).toBeCloseTo(weight([0, 1, 2]), 12);
		expect(rowsWeight(problem, 2, 2)).toBeCloseTo(weight([1, 2]), 12);
		expect(rowsWeight(problem, 1, 1)).toBeCloseTo(weight([0]), 12);
	});
});

describe('a plain motor', () => {
	const motor = (
		change: Partial<Record<'gain' | 'bias', readonly number[]>>,
		activation: number = ActivationKind.NONE,
	): boolean =>
		isPlainMotor({
			gain: Float64Array.from(change.gain ?? [3, 0, 0]),
			bias: Float64Array.from(change.bias ?? [1, 0, 0]),
			activation,
		} as unknown as LinearActuator);

	it('feels neither length nor rate and has no activation', () => {
		expect(motor({})).toBe(true);
		expect(motor({ gain: [3, 0.1, 0] })).toBe(false);
		expect(motor({ gain: [3, 0, 0.1] })).toBe(false);
		expect(motor({ bias: [1, -2, 0] })).toBe(false);
		expect(motor({ bias: [1, 0, -2] })).toBe(false);
		for (const kind of Object.values(ActivationKind)) expect(motor({}, kind)).toBe(kind === ActivationKind.NONE);
	});
});

describeEngines('a slider on a lift whose motion is given, on the ground', () => {
	const [MASS, STIFFNESS, TAU, DT, DEPTH] = [2, 100, 0.02, 0.01, 0.03];
	/** One step; gives the velocity of the ball at the ground and the force on it, and how its momentum along x changed. */
	function pressed(mu: number, lift: readonly number[], rate: number): { v: number[]; force: number[]; gain: number } {
		const material = { ke: 2 * STIFFNESS, tau: 0.5 * TAU, mu };
		const builder = makeBuilder([0, 0, 0]);
		const inertia = boxInertia(MASS, 0.1, 0.1, 0.1);
		const base = builder.addLink({ mass: 1, inertia, isKinematic: true, lockInertia: true });
		const ball = builder.addLink({ mass: MASS, inertia, lockInertia: true });
		const axes = (['x', 'y', 'z'] as const).map((axis) => ({ axis }));
		builder.addArticulation([
			builder.addJointD6({ child: base, linearAxes: axes }),
			builder.addJointPrismatic({ parent: base, child: ball, axis: 'x' }),
		]);
		builder.addShapeSphere(ball, { radius: 0.1, ...ofMaterial(material) });
		builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(material) });
		const runner = new Runner(builder, { optimalityRelTol: 1e-13, softNorm: 0 });
		runner.state.jointQ[2] = 0.1 - DEPTH;
		runner.state.jointQd.set([...lift, rate]);
		runner.place();
		runner.step(DT);
		expect(runner.contacts.rigidCount).toBe(1);
		expect([...runner.state.jointQd.subarray(0, 3)]).toEqual([...lift]);
		const isSecond = runner.model.shapeBody[runner.contacts.rigidShape1[0]!] === ball;
		const after = runner.state.jointQd[3]!;
		return {
			v: [lift[0]! + after, lift[1]!, lift[2]!],
			force: runner.contactForce().map((value) => (isSecond ? value : -value)),
			gain: MASS * (after - rate),
		};
	}

	it.each([0, -0.5, 0.4])('is pushed by the spring and the damper of the contact, sinking by %d', (sink) => {
		const { force } = pressed(0, [0, 0, sink], 0.2);
		expect(force[2]).toBeCloseTo(STIFFNESS * (DEPTH - (DT + TAU) * sink), 8);
		expect(Math.hypot(force[0]!, force[1]!)).toBeCloseTo(0, 8);
	});

	it.each([
		[[0.3, 0, 0], 0.2],
		[[0, 0.3, 0], 0],
		[[0.3, -0.4, -0.2], -0.1],
		[[-0.2, 0.5, 0.1], 0.4],
	] as const)('rubs along the way it slips: lifted by %j, sliding by %d', (lift, rate) => {
		const mu = 0.5;
		const { v, force, gain } = pressed(mu, lift, rate);
		const slip = Math.hypot(v[0]!, v[1]!);
		// the impulse of the cone that is nearest in the norm of R: what is felt along one of three axes is 1/m
		const rn = 1 / (DT * STIFFNESS * (DT + TAU));
		const rt = 1e-3 / (3 * MASS);
		const normal = (DEPTH / (DT + TAU) - v[2]! + mu * slip) / rn / (1 + (mu * mu * rt) / rn);
		expect(DT * force[2]!).toBeCloseTo(normal, 8);
		for (const k of [0, 1]) expect(DT * force[k]!).toBeCloseTo((-mu * normal * v[k]!) / slip, 8);
		expect(gain).toBeCloseTo(DT * force[0]!, 8);
	});
});

describeEngines('torques of contacts', () => {
	it('are those of forces at the corners, about the centre of the first body or the origin of the world', () => {
		const smooth = { ke: 1e4, tau: 0.1, mu: 0 };
		const builder = makeBuilder();
		const places = [
			[0.5, -0.25, 0.0999],
			[-1, 2, 0.0999],
			[0.5, -0.25, 0.2997],
		];
		for (const place of places) addBox(builder, [0.3, 0.2, 0.1], 1, place, smooth);
		builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(smooth) });
		const { contacts, model, ...runner } = ((): Runner => {
			const made = new Runner(builder);
			made.step(1e-3);
			return made;
		})();
		expect(runner.steps).toBe(1);
		expect(contacts.rigidCount).toBe(12);
		const key = (x: number, y: number): string => `${x.toFixed(3)} ${y.toFixed(3)}`;
		const found: string[] = [];
		for (let row = 0; row < 12; row++) {
			const [fx, fy, fz, tx, ty, tz] = contacts.rigidForce!.subarray(6 * row, 6 * row + 6) as unknown as number[];
			expect(Math.abs(fz!)).toBeGreaterThan(0.1);
			expect(Math.hypot(fx!, fy!, tz!)).toBeLessThan(1e-6 * Math.abs(fz!));
			const body = model.shapeBody[contacts.rigidShape0[row]!]!;
			const [x, y] = body < 0 ? [0, 0] : (places[body] as [number, number, number]);
			found.push(key(x! - ty! / fz!, y! + tx! / fz!));
		}
		const corners = places.flatMap(([x, y]) => [-0.3, 0.3].flatMap((a) => [-0.2, 0.2].map((b) => key(x! + a, y! + b))));
		expect(found.sort()).toEqual(corners.sort());
	});
});

describe('plain motors', () => {
	const open = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
	const motor = (world: number, row: number, dofs: readonly number[], more: object = {}): LinearActuator =>
		({
			world,
			row,
			gain: [2, 0, 0],
			bias: [0, 0, 0],
			control: open,
			force: open,
			activation: ActivationKind.NONE,
			dofs: Int32Array.from(dofs),
			moments: Float64Array.from(dofs, (_, i) => 1 + i),
			...more,
		}) as unknown as LinearActuator;

	it('push what is theirs in their own group, within their bounds', () => {
		const motors = new PlainMotors(
			[
				motor(1, 0, [3]),
				motor(0, 1, [0, 1]),
				motor(0, 2, [1], { control: [-1, 0.5], force: [-1.5, 9] }),
				motor(0, 3, [2], { bias: [1, 0, 0] }),
				motor(0, 9, [4], { bias: [0.25, 0, 0] }),
				motor(0, 4, [5], { gain: [2, 1, 0] }),
				motor(-1, 5, [5]),
			],
			2,
		);
		const pushed = (group: number, controls: readonly number[]): [boolean, number[]] => {
			const forces = Float64Array.of(10, 10, 10, 10, 10, 10);
			return [motors.push(group, Float64Array.from(controls), forces), Array.from(forces, (value) => value - 10)];
		};
		const controls = [1, 3, 4, -2, 7, 0.5];
		expect(pushed(0, controls)).toEqual([true, [6, 12 + 1, -3, 0, 0.25, 0]]);
		expect(pushed(1, controls)).toEqual([true, [0, 0, 0, 2, 0, 0]]);
		expect(pushed(2, controls)).toEqual([true, [0, 0, 0, 0, 0, 1]]);
		// without controls a bias is left
		expect(pushed(0, [])).toEqual([true, [0, 0, 1, 0, 0.25, 0]]);
		expect(pushed(0, [0, 0, -3, -0.5])).toEqual([true, [0, -1.5, 0, 0, 0.25, 0]]);
		expect(pushed(1, [0])).toEqual([false, [0, 0, 0, 0, 0, 0]]);
		expect(pushed(1, [-1])).toEqual([true, [0, 0, 0, -2, 0, 0]]);
	});

	it('push at rest only where zero is out of bounds', () => {
		const motors = new PlainMotors([motor(0, 0, [0], { control: [0.5, 1] }), motor(1, 1, [1], { force: [0, 1] })], 2);
		const forces = new Float64Array(2);
		expect([0, 1].map((group) => motors.push(group, new Float64Array(2), forces))).toEqual([true, false]);
		expect([...forces]).toEqual([1, 0]);
	});
});

describe('lengths over several trees', () => {
	it('bring these trees together in the order of the problem, with those of no length after them', () => {
		const builder = makeBuilder([0, 0, 0]);
		const joints: number[] = [];
		for (let i = 0; i < 4; i++) {
			const child = builder.addLink({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
			joints.push(builder.addJointPrismatic({ child, axis: 'x' }));
			builder.addArticulation([joints[i]!]);
		}
		const structure = new TreeStructure(builder.finalize({ keepInertia: true }));
		const options = {
			freeMotionSolvePrecision: 'fp64',
			positionIntegration: 'midpoint',
			gyroscopicTerms: 'explicit',
		} as const;
		/** Trees in the order of a problem with lengths over degrees of freedom, one of each tree, beside a constraint on tree 1. */
		const orderOf = (paths: readonly (readonly number[])[]): number[] => {
			const world = new WorldProblem(new FreeMotion(structure, options), false);
			const passive = paths.map((dofs) => ({ world: 0, dofs: Int32Array.from(dofs) }));
			const terms = new ActuatorTerms(
				world,
				{ linear: [], sites: [], passive } as unknown as LinearActuators,
				() => undefined,
			);
			world.order.use(1);
			terms.connect(0);
			world.order.settle();
			return [...world.order.trees.subarray(0, world.order.count)];
		};
		// Cuthill and McKee from the tree of fewest neighbours, turned around
		expect(orderOf([[0]])).toEqual([0, 1]);
		expect(orderOf([[0, 3]])).toEqual([3, 0, 1]);
		expect(orderOf([[3, 0, 2]])).toEqual([3, 0, 2, 1]);
		expect(orderOf([[2, 2, 3], [1, 3], []])).toEqual([2, 3, 1]);
	});
});

describeEngines('a slider of no mass whose motion is given', () => {
	it('keeps its speed', () => {
		const builder = makeBuilder();
		const none = { mass: 0, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0], lockInertia: true };
		const base = builder.addLink({ ...none, isKinematic: true });
		const load = builder.addLink({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
		builder.addArticulation([
			builder.addJointPrismatic({ child: base, axis: 'x' }),
			builder.addJointPrismatic({ parent: base, child: load, axis: 'y' }),
		]);
		const alone = builder.addLink({ ...none, isKinematic: true });
		builder.addArticulation([builder.addJointPrismatic({ child: alone, axis: 'x' })]);
		const runner = new Runner(builder);
		runner.state.jointQd.set([0.5, 0.25, -0.75]);
		runner.step(0.01, 2);
		for (const [i, rate] of [0.5, 0.25, -0.75].entries()) {
			expect(runner.state.jointQd[i]).toBeCloseTo(rate, 12);
			expect(runner.state.jointQ[i]).toBeCloseTo(0.02 * rate, 12);
		}
	});
});

describeEngines('a slider that mimics one whose motion is given', () => {
	it('moves with it from the first step on, and does not lag behind', () => {
		const builder = makeBuilder([0, 0, 0]);
		const inertia = boxInertia(1, 0.1, 0.1, 0.1);
		const leader = builder.addLink({ mass: 1, inertia, isKinematic: true, lockInertia: true });
		const follower = builder.addLink({ mass: 1, inertia, lockInertia: true });
		const joint1 = builder.addJointPrismatic({ child: leader, axis: 'x' });
		const joint0 = builder.addJointPrismatic({ child: follower, axis: 'y' });
		builder.addArticulation([joint1]);
		builder.addArticulation([joint0]);
		builder.addConstraintMimic({ joint0, joint1, coef0: 0, coef1: -0.5 });
		const runner = new Runner(builder, { optimalityRelTol: 1e-13 });
		runner.state.jointQd[0] = 0.8;
		runner.place();
		for (let step = 1; step <= 5; step++) {
			runner.step(0.01);
			expect(runner.state.jointQd[0]).toBe(0.8);
			// as near as the near-rigid bound lets it
			expect(Math.abs(runner.state.jointQd[1]! + 0.4)).toBeLessThan(0.02);
			expect(Math.abs(runner.state.jointQ[1]! + 0.004 * step)).toBeLessThan(3e-4);
		}
	});
});
