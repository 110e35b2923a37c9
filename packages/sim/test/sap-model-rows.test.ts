/** What SolverSap reads from the rows of a model before it steps: numbers of MuJoCo, loops, drives, what it leaves as it is. */

import { quatRotate } from '@manyworlds/core/internal';
import {
	ArticulatedDynamics,
	JointTargetMode,
	type Model,
	ModelBuilder,
	registerMujocoAttributes,
	type State,
} from '@manyworlds/model';
import { defineEqualitySites } from '@manyworlds/model/internal';
import { describe, expect, it } from 'vitest';
import { TreeStructure } from '../src/dynamics/tree-structure.ts';
import { BOUNDS, DofDrives, FORCE, RATE, TARGET } from '../src/sap/dof-drives.ts';
import { readActuators } from '../src/sap/linear-actuators.ts';
import { COUPLER, FRAMES, type Loop, loopsOf, placeFrame, rotate } from '../src/sap/loops.ts';
import { MujocoRows } from '../src/sap/mujoco-rows.ts';
import { holdTrees } from '../src/sap/tree-advance.ts';
import { UnmovedRows } from '../src/sap/unmoved-rows.ts';
import { boxInertia, makeBuilder } from './make-scene.ts';

const BODY = { mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true } as const;
/** A quarter turn about z. */
const QUARTER = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
const EVERY_AXIS = [1, 0, 0, 0, 1, 0, 0, 0, 1];

describe('rows of MuJoCo', () => {
	function rowsOf(rows: readonly Record<string, never | number | string | readonly number[]>[]): MujocoRows {
		const builder = makeBuilder();
		registerMujocoAttributes(builder);
		for (const row of rows) {
			const values = Object.entries(row).map(([name, value]) => [`mujoco:actuator_${name}`, value]);
			builder.addRow('mujoco:actuator', Object.fromEntries(values));
		}
		return new MujocoRows(builder.finalize());
	}

	it('are read by name, row, width and place', () => {
		const rows = rowsOf([{ label: 'a', cranklength: 3, gear: [1, 2, 3, 4, 5, 6] }, { gear: [7, 8, 9, 10, 11, 12] }]);
		expect(rows.count('actuator')).toBe(2);
		expect(rows.count('tendon')).toBe(0);
		expect(rows.number('actuator_cranklength', 0, 9)).toBe(3);
		expect([0, 1].map((row) => [0, 5].map((at) => rows.number('actuator_gear', row, 0, 6, at)))).toEqual([
			[1, 6],
			[7, 12],
		]);
		expect([0, 1].map((row) => rows.text('actuator_label', row))).toEqual(['a', '']);
	});

	it('that are not there have the fallback, and a text is no number, nor a number a text', () => {
		const rows = rowsOf([{ label: '7' }]);
		expect(rows.number('actuator_cranklength', 1)).toBe(0);
		expect(rows.number('actuator_cranklength', 1, 5)).toBe(5);
		expect(rows.number('nothing', 0, 4)).toBe(4);
		expect(rows.number('actuator_label', 0, 6)).toBe(6);
		expect(rows.values('actuator_label')).toBeUndefined();
		expect(rows.text('actuator_cranklength', 0)).toBe('');
		expect(rows.text('actuator_label', 1)).toBe('');
		const none = new MujocoRows(makeBuilder().finalize());
		expect(none.count('actuator')).toBe(0);
		expect(none.values('actuator_label')).toBeUndefined();
		expect(none.text('actuator_label', 0)).toBe('');
	});

	it('are bounded where the range is given, unless they say otherwise', () => {
		const given = { ctrlrange: [-1, 2], has_ctrlrange: 1, forcerange: [-3, 4], has_forcerange: 1 } as const;
		const rows = rowsOf([
			{},
			given,
			{ ...given, ctrllimited: 0, forcelimited: 0 },
			{ ctrlrange: [-5, 6], ctrllimited: 1 },
		]);
		const open = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
		expect([0, 1, 2, 3].map((row) => rows.range('ctrl', row))).toEqual([open, [-1, 2], open, [-5, 6]]);
		expect([0, 1, 2, 3].map((row) => rows.range('force', row))).toEqual([open, [-3, 4], open, open]);
		expect(rows.range('act', 1)).toEqual(open);
	});

	it('of a namespace that has no more than a limit are held at zero', () => {
		const builder = new ModelBuilder();
		builder.defineFrequency({ namespace: 'mujoco', name: 'actuator' });
		builder.defineAttribute({
			namespace: 'mujoco',
			name: 'actuator_actlimited',
			type: 'i32',
			frequency: 'mujoco:actuator',
			default: 1,
		});
		builder.addRow('mujoco:actuator', {});
		const rows = new MujocoRows(builder.finalize());
		expect(rows.range('act', 0)).toEqual([0, 0]);
		expect(rows.range('ctrl', 0)).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
	});
});

describe('what no tree moves', () => {
	it('is copied from one state to the other, and nothing else is', () => {
		const builder = makeBuilder();
		const [loose, a, b, alone] = [0, 1, 2, 3].map(() => builder.addLink(BODY)) as [number, number, number, number];
		builder.addArticulation([
			builder.addJointBall({ child: a }),
			builder.addJointRevolute({ parent: a, child: b, axis: 'z' }),
		]);
		// closes a loop: its coordinates are of no tree
		builder.addJointBall({ parent: a, child: b });
		for (let i = 0; i < 3; i++) builder.addParticle({ position: [i, 0, 0], mass: 1 });
		const model = builder.finalize({ keepInertia: true });
		const structure = new TreeStructure(model);
		const filled = (first: number): State => {
			const state = model.createState();
			let next = first;
			for (const name of ['bodyQ', 'bodyQd', 'jointQ', 'jointQd', 'particleQ', 'particleQd'] as const)
				for (let i = 0; i < state[name].length; i++) state[name][i] = next++;
			return state;
		};
		const [from, to] = [filled(1), filled(1001)];
		new UnmovedRows(structure).copy(from, to);
		const copied = (name: 'bodyQ' | 'bodyQd' | 'jointQ' | 'jointQd' | 'particleQ' | 'particleQd'): number[] => {
			const before = filled(1001)[name];
			return [...to[name]].flatMap((value, i) => {
				if (value === before[i]) return [];
				expect(value).toBe(from[name][i]);
				return [i];
			});
		};
		const run = (start: number, count: number): number[] => Array.from({ length: count }, (_, i) => start + i);
		expect(copied('bodyQ')).toEqual([...run(7 * loose, 7), ...run(7 * alone, 7)]);
		expect(copied('bodyQd')).toEqual([...run(6 * loose, 6), ...run(6 * alone, 6)]);
		expect(copied('jointQ')).toEqual(run(5, 4));
		expect(copied('jointQd')).toEqual(run(4, 3));
		expect(copied('particleQ')).toEqual(run(0, 9));
		expect(copied('particleQd')).toEqual(run(0, 9));
	});
});

describe('what a world that is held has', () => {
	it('is copied for its trees and no others', () => {
		const builder = makeBuilder();
		for (let i = 0; i < 4; i++) builder.addBody(BODY);
		const model = builder.finalize({ keepInertia: true });
		const [from, to] = [model.createState(), model.createState()];
		const parts = [
			['jointQ', 7],
			['jointQd', 6],
			['bodyQ', 7],
			['bodyQd', 6],
		] as const;
		for (const [name] of parts) {
			from[name].fill(1);
			to[name].fill(2);
		}
		holdTrees(new TreeStructure(model), 1, 3, from, to);
		for (const [name, width] of parts)
			expect([...to[name]]).toEqual([2, 1, 1, 2].flatMap((value) => new Array<number>(width).fill(value)));
	});
});

/** Four free bodies at different places, turned differently, and a site on each. */
function fourBodies(): { readonly builder: ModelBuilder; readonly bodies: number[]; readonly sites: number[] } {
	const builder = makeBuilder();
	defineEqualitySites(builder);
	const bodies = [0, 1, 2, 3].map((i) =>
		builder.addBody({ ...BODY, xform: { p: [i, 2 * i * i, -i], q: i % 2 === 0 ? [0.5, 0.5, 0.5, 0.5] : QUARTER } }),
	);
	const sites = bodies.map((body, i) => builder.addSite(body, { xform: { p: [0.1 * i, 0.2, 0.3], q: QUARTER } }));
	return { builder, bodies, sites };
}

/** World pose of each frame of a loop at the start. */
function posesOf(model: Model, loop: Loop): number[][] {
	const state = model.createState();
	new ArticulatedDynamics(model).forwardKinematics(state);
	return [
		[loop.body0, loop.frame0],
		[loop.body1, loop.frame1],
	].map(([body, frame]) => {
		const out = new Float64Array(9);
		placeFrame(out, 1, state.bodyQ, body as number, frame as Float64Array);
		expect([out[0], out[8]]).toEqual([0, 0]);
		return [...out.subarray(1, 8)];
	});
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
	expect(actual).toHaveLength(expected.length);
	for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, 12);
}

describe('loops of equalities', () => {
	const PAIRS = [
		[1, 2],
		[2, 1],
		[0, 3],
		[3, 0],
		[-1, 1],
		[2, -1],
	] as const;

	it('hold bodies where they are at the start when a weld has no pose, at its anchor', () => {
		const { builder } = fourBodies();
		for (const [body1, body2] of PAIRS)
			builder.addEqualityConstraint({
				type: 'weld',
				body1,
				body2,
				anchor: [0.3, -0.2, 0.1],
				relpose: [0, 0, 0, 0, 0, 0, 0],
			});
		const model = builder.finalize({ keepInertia: true });
		const loops = loopsOf(model, new Int32Array(0));
		expect(loops.map(({ body0, body1 }) => [body0, body1])).toEqual(PAIRS.map((pair) => [...pair]));
		for (const loop of loops) {
			const [first, second] = posesOf(model, loop);
			expectClose(first!, second!);
			expect([...loop.frame1]).toEqual([0.3, -0.2, 0.1, 0, 0, 0, 1]);
			expect([[...loop.linear], [...loop.angular]]).toEqual([EVERY_AXIS, EVERY_AXIS]);
			const { distance, coord0, coord1, dof0, dof1, coefficients } = loop;
			expect([distance, coord0, coord1, dof0, dof1, coefficients]).toEqual([-1, -1, -1, -1, -1, []]);
		}
	});

	it('hold bodies in the pose of a weld that has one', () => {
		const { builder } = fourBodies();
		builder.addEqualityConstraint({ type: 'connect', body1: 0, body2: 1 });
		builder.addEqualityConstraint({
			type: 'weld',
			body1: 1,
			body2: 3,
			anchor: [1, 0, 0],
			relpose: [5, 6, 7, ...QUARTER],
		});
		// half turns, whose last number is zero
		for (const turn of [
			[1, 0, 0, 0],
			[0, 0, 1, 0],
		])
			builder.addEqualityConstraint({ type: 'weld', body1: 1, body2: 3, relpose: [5, 6, 7, ...turn] });
		const [, weld, ...half] = loopsOf(builder.finalize({ keepInertia: true }), new Int32Array(0));
		expectClose([...weld!.frame0], [5, 7, 7, ...QUARTER]);
		expect([...weld!.frame1]).toEqual([1, 0, 0, 0, 0, 0, 1]);
		expect(half.map(({ frame0 }) => [...frame0])).toEqual([
			[5, 6, 7, 1, 0, 0, 0],
			[5, 6, 7, 0, 0, 1, 0],
		]);
	});

	it('join the anchor of the first body to the point of the second that is there', () => {
		const { builder } = fourBodies();
		for (const [body1, body2] of PAIRS)
			builder.addEqualityConstraint({ type: 'connect', body1, body2, anchor: [0.3, -0.2, 0.1] });
		const model = builder.finalize({ keepInertia: true });
		for (const loop of loopsOf(model, new Int32Array(0))) {
			const [first, second] = posesOf(model, loop);
			expectClose(first!, second!);
			expect([...loop.frame0]).toEqual([0.3, -0.2, 0.1, 0, 0, 0, 1]);
			expect([loop.kind, [...loop.linear], loop.angular.length]).toEqual([FRAMES, EVERY_AXIS, 0]);
		}
	});

	it('join sites where both are named', () => {
		const { builder, sites } = fourBodies();
		const named = (site1: number, site2: number): Record<string, number> => ({
			'mujoco:equality_constraint_site1': site1,
			'mujoco:equality_constraint_site2': site2,
		});
		for (const [type, one, other] of [
			['weld', 0, 1],
			['connect', 2, 3],
		] as const)
			builder.addEqualityConstraint({
				type,
				body1: one,
				body2: other,
				anchor: [9, 9, 9],
				attributes: named(sites[one]!, sites[other]!),
			});
		builder.addEqualityConstraint({
			type: 'connect',
			body1: 2,
			body2: 3,
			anchor: [9, 9, 9],
			attributes: named(sites[2]!, -1),
		});
		const model = builder.finalize({ keepInertia: true });
		const loops = loopsOf(model, new Int32Array(0));
		expect(loops.map(({ frame0 }) => frame0[0])).toEqual([0, 0.2, 9]);
		for (const [i, one] of [0, 2].entries()) {
			expect([...loops[i]!.frame0]).toEqual([0.1 * one, 0.2, 0.3, ...QUARTER]);
			expect([...loops[i]!.frame1]).toEqual([0.1 * (one + 1), 0.2, 0.3, ...QUARTER]);
		}
	});
});

it('a vector is rotated as by the quaternion', () => {
	const q = Float64Array.of(9, 0.1, 0.5, -0.7, 0.5);
	const v = Float64Array.of(9, 9, 1, 2, -3);
	const [found, expected] = [new Float64Array(3), new Float64Array(3)];
	rotate(found, q, 1, v, 2);
	quatRotate(expected, q, v, 0, 1, 2);
	expectClose([...found], [...expected]);
	rotate(found, Float64Array.of(0.5, 0.5, 0.5, 0.5), 0, Float64Array.of(1, 2, 3), 0);
	expectClose([...found], [3, 1, 2]);
});

describe('loops of coordinates', () => {
	function sliders(): { readonly builder: ModelBuilder; readonly joints: number[] } {
		const builder = makeBuilder();
		const joints: number[] = [];
		const ball = builder.addLink(BODY);
		builder.addArticulation([builder.addJointBall({ child: ball })]);
		for (let i = 0; i < 2; i++) {
			const child = builder.addLink(BODY);
			joints.push(
				builder.addJointD6({
					child,
					linearAxes: [{ axis: 'x' }, { axis: 'y' }],
					angularAxes: i === 0 ? [] : [{ axis: 'z' }],
				}),
			);
			builder.addArticulation([joints[i]!]);
		}
		return { builder, joints };
	}

	it('join as many as both joints have, each with its own', () => {
		const { builder, joints } = sliders();
		builder.addConstraintMimic({ joint0: joints[1]!, joint1: joints[0]!, coef0: 2, coef1: 3 });
		builder.addConstraintMimic({ joint0: joints[0]!, joint1: joints[1]!, coef0: 4, coef1: 5, enabled: false });
		const loops = loopsOf(builder.finalize({ keepInertia: true }), new Int32Array(0));
		expect(
			loops.map(({ kind, body0, body1, coord0, coord1, dof0, dof1, coefficients, isEnabled }) => [
				[kind, body0, body1],
				[coord0, coord1, dof0, dof1],
				[...Array.from(coefficients)],
				isEnabled(),
			]),
		).toEqual([
			[[COUPLER, 2, 1], [6, 4, 5, 3], [2, 3], true],
			[[COUPLER, 2, 1], [7, 5, 6, 4], [2, 3], true],
			[[COUPLER, 1, 2], [4, 6, 3, 5], [4, 5], false],
			[[COUPLER, 1, 2], [5, 7, 4, 6], [4, 5], false],
		]);
		expect(loops.every(({ distance }) => distance === -1)).toBe(true);
	});

	it('of equalities are quartics, of the constant alone without a second joint', () => {
		const { builder, joints } = sliders();
		builder.addEqualityConstraint({ type: 'connect', body1: 0, body2: 1 });
		builder.addEqualityConstraint({ type: 'joint', joint1: joints[1]!, joint2: joints[0]!, polycoef: [1, 2, 3, 4, 5] });
		builder.addEqualityConstraint({ type: 'joint', joint1: joints[0]!, joint2: -1, polycoef: [6, 7, 8, 9, 10] });
		// of no joint at all
		builder.addEqualityConstraint({ type: 'joint', polycoef: [1, 1, 1, 1, 1] });
		const [, two, one, ...others] = loopsOf(builder.finalize({ keepInertia: true }), new Int32Array(0));
		expect(others).toEqual([]);
		const numbers = ({ coord0, coord1, dof0, dof1 }: Loop): number[] => [coord0, coord1, dof0, dof1];
		expect([numbers(two!), ...Array.from(two!.coefficients)]).toEqual([[6, 4, 5, 3], 1, 2, 3, 4, 5]);
		expect([numbers(one!), ...Array.from(one!.coefficients)]).toEqual([[4, -1, 3, -1], 6, 7, 8, 9, 10]);
		expect([one!.body0, one!.body1]).toEqual([1, -1]);
	});
});

describe('joints that close loops', () => {
	const at = Math.SQRT1_2;

	it.each([
		['fixed', 'addJointFixed', {}, [3, 3]],
		['ball', 'addJointBall', {}, [3, 0]],
		['revolute', 'addJointRevolute', { axis: [0, at, at] }, [3, 2]],
		['prismatic', 'addJointPrismatic', { axis: [at, 0, at] }, [2, 3]],
		['free', 'addJointFree', {}, [0, 0]],
		['distance', 'addJointDistance', { minDistance: 1 }, [0, 0]],
		['with two slides', 'addJointD6', { linearAxes: [{ axis: [at, at, 0] }, { axis: 'z' }] }, [1, 3]],
		['with two turns', 'addJointD6', { angularAxes: [{ axis: [at, at, 0] }, { axis: 'z' }] }, [3, 1]],
		['with slides askew', 'addJointD6', { linearAxes: [{ axis: [0.6, 0, 0.8] }, { axis: [0.8, 0, -0.6] }] }, [1, 3]],
		['with a slide and a turn', 'addJointD6', { linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'y' }] }, [2, 2]],
		['with three slides', 'addJointD6', { linearAxes: ['x', 'y', 'z'].map((axis) => ({ axis })) }, [0, 3]],
	] as const)('hold what a %s joint does not free, in its frames', (_, method, options, [linear, angular]) => {
		const builder = makeBuilder();
		const [parent, child] = [builder.addLink(BODY), builder.addLink(BODY)];
		const hinges = [parent, child].map((one) => builder.addJointRevolute({ child: one, axis: 'z' }));
		for (const hinge of hinges) builder.addArticulation([hinge]);
		const add = builder[method] as (given: object) => number;
		const joint = add.call(builder, {
			parent,
			child,
			parentXform: { p: [1, 2, 3], q: QUARTER },
			childXform: { p: [4, 5, 6] },
			...options,
		});
		// one more behind it
		builder.addJointFixed({ parent, child });
		const model = builder.finalize({ keepInertia: true });
		const [loop, ...others] = loopsOf(model, Int32Array.of(joint));
		expect(others).toEqual([]);
		expect([loop!.body0, loop!.body1, loop!.distance]).toEqual([
			parent,
			child,
			method.endsWith('Distance') ? joint : -1,
		]);
		expect([...loop!.frame0, ...loop!.frame1]).toEqual([1, 2, 3, ...QUARTER, 4, 5, 6, 0, 0, 0, 1]);
		expect([loop!.linear.length / 3, loop!.angular.length / 3]).toEqual([linear, angular]);
		// what is held is of unit length, at right angles to each other and to what is free
		const start = model.jointQdStart[joint]!;
		const slides = model.jointDofDim[2 * joint]!;
		for (const [held, first, last] of [
			[loop!.linear, start, start + slides],
			[loop!.angular, start + slides, model.jointQdStart[joint + 1]!],
		] as const) {
			const rows = Array.from({ length: held.length / 3 }, (__, i) => [...held.subarray(3 * i, 3 * i + 3)]);
			const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
			for (const [i, row] of rows.entries()) {
				for (const [j, other] of rows.entries()) expect(dot(row, other)).toBeCloseTo(i === j ? 1 : 0, 12);
				for (let dof = first; dof < last; dof++)
					expect(dot(row, model.jointAxis.subarray(3 * dof, 3 * dof + 3))).toBeCloseTo(0, 12);
			}
		}
		expect(loop!.isEnabled()).toBe(true);
		model.jointEnabled[joint] = 0;
		expect(loop!.isEnabled()).toBe(false);
	});
});

describe('drives', () => {
	/** A ball, a joint with a slide and a turn, a hinge. */
	function driven(): Model {
		const builder = makeBuilder();
		const [a, b, c] = [0, 1, 2].map(() => builder.addLink(BODY)) as [number, number, number];
		builder.addArticulation([
			builder.addJointBall({ child: a }),
			builder.addJointD6({ parent: a, child: b, linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'z' }] }),
			builder.addJointRevolute({ parent: b, child: c, axis: 'y' }),
		]);
		builder.addBody(BODY);
		return builder.finalize({ keepInertia: true });
	}

	it('have a coordinate in joints of axes only, and no bounds without actuators', () => {
		const model = driven();
		const drives = new DofDrives(model);
		expect([...drives.coordinate]).toEqual([-1, -1, -1, 4, 5, 6, -1, -1, -1, -1, -1, -1]);
		expect([BOUNDS, TARGET, RATE, FORCE]).toEqual([6, 0, 2, 4]);
		expect(drives.bounds).toHaveLength(6 * model.jointDofCount);
		for (const [i, bound] of drives.bounds.entries())
			expect(bound).toBe(i % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
		expect([...drives.reference]).toEqual(new Array(12).fill(0));
	});

	const { NONE, POSITION, VELOCITY, POSITION_VELOCITY, EFFORT } = JointTargetMode;
	it.each([
		[NONE, 1, 1, false, false],
		[EFFORT, 1, 1, false, false],
		[POSITION, 0.5, 0, true, false],
		[POSITION, 0.5, 0.5, true, false],
		[POSITION, 0, 0.5, true, true],
		[POSITION, 0, 0, false, false],
		[VELOCITY, 0.5, 0, false, false],
		[VELOCITY, 0.5, 0.5, true, true],
		[POSITION_VELOCITY, 0.5, 0.5, true, false],
	])('of mode %d with stiffness %d and damping %d: %s on a hinge, %s on a ball', (mode, ke, kd, onHinge, onBall) => {
		const model = driven();
		model.jointTargetMode.fill(mode);
		model.jointTargetKe.fill(ke);
		model.jointTargetKd.fill(kd);
		const drives = new DofDrives(model);
		expect([5, 0].map((dof) => drives.has(dof))).toEqual([onHinge, onBall]);
		expect(drives.dampingOf(5)).toBe(kd);
	});

	const INFINITE = Number.POSITIVE_INFINITY;
	const OPEN = [-INFINITE, INFINITE];
	type ActuatorRow = Readonly<Record<string, number | readonly number[]>>;
	/** Drives of a ball, a slide with a turn and a hinge (degrees of freedom 0 to 5) with actuators of MuJoCo. */
	function withActuators(actuators: readonly ActuatorRow[], kd = 0): DofDrives {
		const builder = makeBuilder();
		registerMujocoAttributes(builder);
		const [a, b, c] = [2, 1, 4].map((mass) =>
			builder.addLink({ mass, inertia: boxInertia(mass, 1, 1, 1), lockInertia: true }),
		) as [number, number, number];
		const spring = { targetKe: 9, targetKd: kd };
		builder.addArticulation([builder.addJointBall({ child: a })]);
		builder.addArticulation([
			builder.addJointD6({
				child: b,
				linearAxes: [{ axis: 'x', ...spring }],
				angularAxes: [{ axis: 'z', ...spring }],
				attributes: { 'mujoco:dof_ref': [0.5, 0] },
			}),
		]);
		builder.addArticulation([
			builder.addJointPrismatic({ child: c, axis: 'y', ...spring, attributes: { 'mujoco:dof_ref': -0.25 } }),
		]);
		for (const row of actuators) {
			const values = Object.entries(row).map(([name, value]) => [`mujoco:${name}`, value]);
			builder.addRow('mujoco:actuator', Object.fromEntries(values));
		}
		return new DofDrives(builder.finalize({ keepInertia: true }));
	}
	/** A row that became the target of a degree of freedom. */
	const target = (dof: number, more: ActuatorRow = {}): ActuatorRow => ({
		ctrl_source: 0,
		actuator_trntype: 0,
		actuator_trnid: [dof, -1],
		...more,
	});
	const boundsOf = ({ bounds }: DofDrives, dof: number): number[] => [...bounds.subarray(6 * dof, 6 * dof + 6)];
	const CTRL = { actuator_ctrlrange: [-1, 2], actuator_has_ctrlrange: 1 };
	const force = (least: number, most: number): ActuatorRow => ({
		actuator_forcerange: [least, most],
		actuator_has_forcerange: 1,
	});

	it('are bounded by the actuators that were imported for them', () => {
		const drives = withActuators([
			target(3, { ...CTRL, ctrl_type: 0, ...force(-3, 4) }),
			target(4, { ...CTRL, ctrl_type: 1 }),
			target(5, force(-7, 8)),
		]);
		expect([3, 4, 5].map((dof) => boundsOf(drives, dof))).toEqual([
			[-1, 2, ...OPEN, -3, 4],
			[...OPEN, -1, 2, ...OPEN],
			[...OPEN, ...OPEN, -7, 8],
		]);
		for (const dof of [0, 1, 2]) expect(boundsOf(drives, dof)).toEqual([...OPEN, ...OPEN, ...OPEN]);
	});

	it('of a position and a velocity on one joint have the bounds of both, and their forces add up', () => {
		const position = { ...CTRL, ctrl_type: 0 };
		const velocity = { actuator_ctrlrange: [-5, 6], actuator_has_ctrlrange: 1, ctrl_type: 1 };
		const drives = withActuators([
			target(4, { ...position, ...force(-3, 4) }),
			target(4, { ...velocity, ...force(-0.5, 1.5) }),
			target(5, { ...position, ...force(-3, 4) }),
			target(5, velocity),
		]);
		expect([4, 5].map((dof) => boundsOf(drives, dof))).toEqual([
			[-1, 2, -5, 6, -3.5, 5.5],
			[-1, 2, -5, 6, ...OPEN],
		]);
	});

	it.each<[string, ActuatorRow]>([
		['with a control of its own', target(3, { ctrl_source: 1 })],
		['of a tendon', target(0, { actuator_trntype: 2 })],
		['in the frame of the parent', target(3, { actuator_trntype: 1 })],
		['before the first degree of freedom', target(-1)],
		['behind the last one', target(6)],
	])('have no bounds from an actuator %s', (_, row) => {
		const drives = withActuators([
			{ ...row, ...CTRL, ...force(-3, 4), actuator_biasprm: [0, -9, 0.5, 0, 0, 0, 0, 0, 0, 0] },
		]);
		expect(drives.bounds).toHaveLength(36);
		for (let dof = 0; dof < 6; dof++) expect(boundsOf(drives, dof)).toEqual([...OPEN, ...OPEN, ...OPEN]);
		for (let dof = 0; dof < 6; dof++) expect(drives.dampingOf(dof)).toBe(0);
	});

	it('have the bounds of the first degree of freedom too', () => {
		const drives = withActuators([target(0, { ...CTRL, ...force(-3, 4) })]);
		expect(boundsOf(drives, 0)).toEqual([-1, 2, ...OPEN, -3, 4]);
		expect(boundsOf(drives, 1)).toEqual([...OPEN, ...OPEN, ...OPEN]);
	});

	it('are not damped by an actuator that says nothing of it', () => {
		const builder = new ModelBuilder();
		const child = builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
		builder.addArticulation([builder.addJointPrismatic({ child, axis: 'x', targetKe: 4 })]);
		builder.defineFrequency({ namespace: 'mujoco', name: 'actuator' });
		const own = { namespace: 'mujoco', type: 'i32', frequency: 'mujoco:actuator' } as const;
		builder.defineAttribute({ ...own, name: 'ctrl_source', default: 0 });
		builder.defineAttribute({ ...own, name: 'actuator_trnid', type: 'vec2i', default: [0, -1] });
		builder.addRow('mujoco:actuator', {});
		const drives = new DofDrives(builder.finalize({ keepInertia: true }));
		expect([drives.dampingOf(0), drives.has(0)]).toEqual([0, true]);
	});

	it('are damped by a ratio of the critical damping where that is what was given', () => {
		const rows = [
			target(3, { actuator_biasprm: [0, -9, 0.5, 0, 0, 0, 0, 0, 0, 0] }),
			target(5, { actuator_biasprm: [0, -9, 2, 0, 0, 0, 0, 0, 0, 0] }),
			target(4, { actuator_biasprm: [7, -9, -2, 7, 7, 7, 7, 7, 7, 7] }),
		];
		const drives = withActuators(rows);
		// 2 ζ √(k m) with k = 9 and masses of 1 and 4
		expect(drives.dampingOf(3)).toBeCloseTo(2 * 0.5 * 3, 12);
		expect(drives.dampingOf(5)).toBeCloseTo(2 * 2 * 6, 12);
		expect(drives.dampingOf(4)).toBe(0);
		const own = withActuators(rows, 0.75);
		expect([3, 4, 5].map((dof) => own.dampingOf(dof))).toEqual([0.75, 0.75, 0.75]);
		expect([...own.reference]).toEqual([0, 0, 0, 0.5, 0, -0.25]);
	});
});

describe('actuators of sites', () => {
	it('are read row by row', () => {
		const { builder, bodies, sites } = fourBodies();
		registerMujocoAttributes(builder);
		const ten = (...first: number[]): number[] => [...first, ...new Array<number>(10 - first.length).fill(0)];
		const row = (site: number, more: object): void => {
			const given = { ctrl_source: 1, actuator_trntype: 3, actuator_trnid: [site, -1], ...more };
			const values = Object.entries(given).map(([name, value]) => [`mujoco:${name}`, value]);
			builder.addRow('mujoco:actuator', Object.fromEntries(values));
		};
		row(sites[1]!, { actuator_gainprm: ten(3), actuator_biastype: 0, actuator_biasprm: ten(9) });
		row(sites[2]!, {
			actuator_gainprm: ten(4),
			actuator_biastype: 1,
			actuator_biasprm: ten(5),
			actuator_gear: [1, 2, 3, 4, 5, 6],
		});
		row(sites[3]!, { actuator_gainprm: ten(6), actuator_biastype: 1, actuator_biasprm: ten(7), actuator_dyntype: 0 });
		// feel a length: left out, and so is what is on no body
		row(sites[0]!, { actuator_gainprm: ten(4), actuator_biastype: 1, actuator_biasprm: ten(5, 1) });
		row(99, { actuator_gainprm: ten(4) });
		const found = readActuators(builder.finalize({ keepInertia: true }));
		expect(found.linear).toEqual([]);
		expect(found.sites.map(({ row: at, body, site, gain, bias }) => [at, body, site, gain, bias])).toEqual([
			[0, bodies[1], sites[1], 3, 0],
			[1, bodies[2], sites[2], 4, 5],
			[2, bodies[3], sites[3], 6, 7],
		]);
		expect([...found.sites[1]!.gear]).toEqual([1, 2, 3, 4, 5, 6]);
		expect([...found.left.keys()]).toEqual(['actuators of sites that feel a length']);
	});
});
