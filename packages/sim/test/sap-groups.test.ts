import { Contacts } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { TreeStructure } from '../src/dynamics/tree-structure.ts';
import { SapProblem } from '../src/index.ts';
import { ContactGroups } from '../src/sap/contact-groups.ts';
import type { LinearActuator } from '../src/sap/linear-actuators.ts';
import { ActivationKind } from '../src/sap/linear-actuators.ts';
import { isPlainMotor } from '../src/sap/plain-motors.ts';
import { contactWeight, rowsWeight } from '../src/sap/regularise.ts';
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
		] as const;
		expect(sorted(scene, pairs)).toEqual([[1, 4, 7], [0, 3, 5], [2]]);
		// what nothing moves takes no place
		expect([...scene.groups.start]).toEqual([0, 3, 6, 7]);
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
