import { ArticulatedDynamics, type Model, ModelBuilder, type State } from '@manyworlds/model';
import type { BenchTask } from '../harness/task.ts';
import { findMujocoPython, type MujocoInput, type MujocoResult, type MujocoWork, runMujoco } from '../peers/mujoco.ts';

/** Degrees of freedom: five limbs of six hinges on a fixed trunk. */
const LIMBS = 5;
const HINGES_PER_LIMB = 6;
const DOFS = LIMBS * HINGES_PER_LIMB;
/** States that a run goes through, and how often. */
const STATES = 100;
const ROUNDS = 100;
/** Largest difference between the two, relative to the largest number of a state. */
const TOLERANCE = 1e-9;

/** Forward kinematics and mass matrices of one robot, next to MuJoCo with the same robot. */
export function dynamicsTasks(): BenchTask[] {
	return [
		dynamicsTask(
			'forwardKinematics30',
			'kinematics',
			`poses and velocities of all links of a robot with ${DOFS} hinges, ${STATES * ROUNDS} times`,
		),
		dynamicsTask(
			'massMatrix30',
			'massMatrix',
			`the mass matrix of the same robot from its joint positions, ${STATES * ROUNDS} times (MuJoCo: sparse, ours: dense)`,
		),
	];
}

function dynamicsTask(name: string, work: MujocoWork, title: string): BenchTask {
	return {
		kind: 'task',
		name,
		title,
		rates: [{ fact: 'evaluations', unit: 'evaluations/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => {
					const robot = new Robot();
					const python = findMujocoPython();
					// the numbers must be right before they may be fast
					if (python !== undefined) robot.compare(runMujoco(python, robot.input, work, 1));
					return {
						run: () => robot.work(work),
						check: (result) => {
							if (result !== robot.expected(work)) throw new Error('the last state has another result than alone');
							return { evaluations: STATES * ROUNDS };
						},
					};
				},
			},
		],
		outside: [
			{
				name: 'MuJoCo',
				unavailable: () => (findMujocoPython() === undefined ? 'not installed' : undefined),
				run: () => {
					const robot = new Robot();
					const result = runMujoco(findMujocoPython()!, robot.input, work, ROUNDS);
					robot.compare(result);
					const { ms, cpuMs, peakMegabytes, evaluations } = result;
					return { ms, cpuMs, peakMegabytes, facts: { evaluations } };
				},
			},
		],
	};
}

/** One hinge and the link it carries; all numbers are exact in binary, so that both descriptions say the same. */
interface Link {
	readonly parent: number;
	/** Place of the hinge in the parent's frame [m]. */
	readonly at: readonly [number, number, number];
	readonly axis: 'x' | 'y' | 'z';
	readonly mass: number;
	readonly com: readonly [number, number, number];
	readonly inertia: readonly [number, number, number];
}

function links(): Link[] {
	const result: Link[] = [];
	for (let limb = 0; limb < LIMBS; limb++) {
		for (let i = 0; i < HINGES_PER_LIMB; i++) {
			const size = (HINGES_PER_LIMB - i) / 8;
			result.push({
				parent: i === 0 ? -1 : result.length - 1,
				at: i === 0 ? [limb / 8 - 0.25, limb % 2 ? 0.125 : -0.125, 0.5] : [1 / 32, (limb - 2) / 64, 0.1875],
				axis: (['z', 'y', 'x', 'y', 'x', 'z'] as const)[(i + limb) % 6]!,
				mass: 0.5 + size,
				com: [1 / 64, -1 / 128, 0.09375],
				inertia: [size / 64 + 1 / 256, size / 64 + 1 / 512, size / 128 + 1 / 256],
			});
		}
	}
	return result;
}

class Robot {
	readonly input: MujocoInput;
	readonly #model: Model;
	readonly #state: State;
	readonly #dynamics: ArticulatedDynamics;
	readonly #matrix: Float64Array;

	constructor() {
		const parts = links();
		this.#model = build(parts);
		this.#state = this.#model.createState();
		this.#dynamics = new ArticulatedDynamics(this.#model);
		this.#matrix = new Float64Array(DOFS * DOFS);
		const wave = (state: number, dof: number, speed: number): number => Math.sin(1 + state * speed + dof * 0.7);
		const rows = (speed: number): Float64Array[] =>
			Array.from({ length: STATES }, (_, state) =>
				Float64Array.from({ length: DOFS }, (__, dof) => wave(state, dof, speed)),
			);
		this.input = { xml: mjcf(parts), q: rows(0.37), qd: rows(0.53) };
	}

	/** Goes through all states and gives a number that depends on the last result. */
	work(work: MujocoWork): number {
		for (let round = 0; round < ROUNDS; round++) for (let i = 0; i < STATES; i++) this.#evaluate(work, i);
		return this.#digest(work);
	}

	/** What `work` must give: the last state evaluated alone. */
	expected(work: MujocoWork): number {
		const alone = new Robot();
		alone.#evaluate(work, STATES - 1);
		return alone.#digest(work);
	}

	/** Throws unless MuJoCo finds the same positions, velocities and mass matrices. */
	compare({ massMatrices, positions, velocities }: MujocoResult): void {
		for (let i = 0; i < massMatrices.length; i++) {
			this.#evaluate('kinematics', i);
			const { bodyQ, bodyQd } = this.#state;
			expectEqual(`positions of state ${i}`, positionsOf(bodyQ), positions[i]!);
			expectEqual(`velocities of state ${i}`, bodyQd, velocities[i]!);
			this.#evaluate('massMatrix', i);
			expectEqual(`mass matrix of state ${i}`, this.#matrix, massMatrices[i]!);
		}
	}

	#evaluate(work: MujocoWork, state: number): void {
		this.#state.jointQ.set(this.input.q[state]!);
		this.#state.jointQd.set(this.input.qd[state]!);
		if (work === 'kinematics') this.#dynamics.forwardKinematics(this.#state);
		else this.#dynamics.massMatrix(this.#state, {}, this.#matrix);
	}

	#digest(work: MujocoWork): number {
		const { bodyQ, bodyQd } = this.#state;
		const numbers = work === 'kinematics' ? [...bodyQ, ...bodyQd] : [...this.#matrix];
		return numbers.reduce((sum, number, i) => sum + number * (i + 1), 0);
	}
}

function build(parts: readonly Link[]): Model {
	const builder = new ModelBuilder();
	const joints: number[] = [];
	for (const { parent, at, axis, mass, com, inertia } of parts) {
		const [x, y, z] = inertia;
		const child = builder.addLink({ mass, com, inertia: [x, 0, 0, 0, y, 0, 0, 0, z], lockInertia: true });
		joints.push(builder.addJointRevolute({ parent, child, axis, parentXform: { p: at } }));
	}
	builder.addArticulation(joints);
	return builder.finalize();
}

/** The same robot as MJCF. */
function mjcf(parts: readonly Link[]): string {
	const axes = { x: '1 0 0', y: '0 1 0', z: '0 0 1' };
	const body = (index: number): string => {
		const { at, axis, mass, com, inertia } = parts[index]!;
		const children = parts.map((_, i) => i).filter((i) => parts[i]!.parent === index);
		const inertial = `<inertial pos="${com.join(' ')}" mass="${mass}" diaginertia="${inertia.join(' ')}"/>`;
		const joint = `<joint type="hinge" axis="${axes[axis]}"/>`;
		return `<body pos="${at.join(' ')}">${inertial}${joint}${children.map(body).join('')}</body>`;
	};
	const roots = parts.map((_, i) => i).filter((i) => parts[i]!.parent < 0);
	return `<mujoco><compiler angle="radian"/><worldbody>${roots.map(body).join('')}</worldbody></mujoco>`;
}

function positionsOf(bodyQ: Float64Array): number[] {
	return Array.from({ length: 3 * DOFS }, (_, i) => bodyQ[7 * Math.floor(i / 3) + (i % 3)]!);
}

function expectEqual(what: string, ours: ArrayLike<number>, theirs: ArrayLike<number>): void {
	if (ours.length !== theirs.length) throw new Error(`${what}: ${ours.length} numbers, MuJoCo has ${theirs.length}`);
	const scale = Array.from(theirs).reduce((most, number) => Math.max(most, Math.abs(number)), 1e-300);
	for (let i = 0; i < ours.length; i++) {
		const error = Math.abs(ours[i]! - theirs[i]!) / scale;
		if (!(error <= TOLERANCE)) throw new Error(`${what}: number ${i} is ${ours[i]}, MuJoCo has ${theirs[i]}`);
	}
}
