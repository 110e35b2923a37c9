import { ArticulatedDynamics, type Contacts, JointType, type Model, State } from '@manyworlds/model';
import { MUJOCO_WORLDS } from '@manyworlds/mujoco';
import { overlapsOf, SAP_WORLDS } from '@manyworlds/sim';
import { contactDistance } from '@manyworlds/sim/internal';
import { EnergyAccount, WorldFault, type WorldSolver, type WorldSolverFactory } from '@manyworlds/worlds';
import { MovingParts } from '@manyworlds/worlds/internal';
import { openAsset } from 'manyworlds';
import { modelOf } from 'manyworlds/internal';

/** Steps of each run. */
export const STEPS = 500;

/** Steps whose time is taken together, and blocks of them that are not looked at: the first are compiled, some are disturbed. */
const BLOCK = 10;
const FIRST_BLOCKS = 5;
const DISTURBED_BLOCKS = 2;

/** Processor time that a run with SAP may take [s]: so many times that of MuJoCo and a little, but never more than the most. */
const SLOWEST = 20;
const BUDGET_START = 2;
const MOST_SECONDS = 20;

/** Least processor time of a step of MuJoCo that ratios are taken of [s]: below it the clock decides. */
const SHORTEST_STEP = 1e-5;

/** Bases farther apart than this are looked at again with a start that is this much higher [m]: some motions are chaotic. */
export const FARTHEST = 5e-3;
const MOVED_START = 1e-3;

/** Bodies that move slower than this are at rest [m/s, rad/s]. */
const REST_SPEED = 2e-3;
const REST_SPIN = 0.02;

/** Contacts whose surfaces are this close touch [m]. */
const TOUCHING = 1e-4;

const CONTACTS_PER_WORLD = 512;

/** How a robot is run. */
export interface RunVariant {
	readonly keyframe?: string;
	readonly floating?: boolean;
}

/** What one solver came to. */
export interface SolverRun {
	readonly steps: number;
	/** Why the world could not go on; undefined when it could. */
	readonly fault?: string;
	/** Energy from nothing [J], and the step in which it came first; work of drives [J]. */
	readonly gain: number;
	readonly gainStep: number;
	readonly work: number;
	readonly isAtRest: boolean;
	readonly end: State;
	/** Positions of floating bases at the end [m], three numbers each. */
	readonly bases: readonly number[];
	/** Contacts of a step, on average. */
	readonly contacts: number;
	/** Processor time of blocks of steps [s]. */
	readonly blocks: readonly number[];
}

/** What became of a robot. */
export interface RobotRun {
	readonly dt: number;
	readonly lift: string;
	readonly sap: SolverRun;
	readonly mujoco: SolverRun;
	/** How deep bodies are in each other at the end of SAP's run [m]. */
	readonly penetration: number;
	readonly deepestPair: string;
	/** How many times slower than MuJoCo the slowest block of SAP was. */
	readonly ratio: number;
	/** How far bases are from where MuJoCo has them at the end, at most [m]. */
	readonly apart: number;
	/** The same for MuJoCo itself, from a start that is {@link MOVED_START} higher; 0 where it does not matter. */
	readonly ownSpread: number;
}

/** Why a file is no robot that moves. */
export interface NoRobot {
	readonly none: string;
}

/** Runs a robot with both solvers, or says why it is none. */
export async function runRobot(path: string, variant: RunVariant): Promise<RobotRun | NoRobot> {
	const asset = await openAsset(path, { roots: ['/'] });
	const opened = await modelOf(asset, variant);
	const { model, start, dt, sap: sapOptions } = opened;
	if (model.jointDofCount === 0) return { none: 'nothing in it moves' };
	const range = { start: 0, end: model.worldCount };
	const make = async (factory: WorldSolverFactory, options: unknown): Promise<WorldSolver> =>
		factory.create({ model, options, range, prepared: undefined });
	const mujoco = runSolver(await make(MUJOCO_WORLDS, {}), start, dt, Number.POSITIVE_INFINITY);
	const total = mujoco.blocks.reduce((sum, block) => sum + block, 0);
	const budget = Math.min(MOST_SECONDS, BUDGET_START + SLOWEST * total);
	const settings = { ...sapOptions, contactsPerWorld: CONTACTS_PER_WORLD };
	const sap = runSolver(await make(SAP_WORLDS, settings), start, dt, budget);
	let [penetration, deepestPair] = [0, ''];
	const parts = new MovingParts(model);
	for (const one of overlapsOf(model)(sap.end)) {
		const { shape0, shape1, depth } = one;
		if (depth <= penetration || !parts.canPart(one)) continue;
		penetration = depth;
		deepestPair = `${model.shapeLabels[shape0]} and ${model.shapeLabels[shape1]}`;
	}
	const lift = opened.report.toArray().find(({ code }) => code === 'WLD002')?.message ?? '';
	const apart = distance(sap, mujoco);
	let ownSpread = 0;
	if (apart > FARTHEST) {
		const moved = raised(model, start);
		ownSpread = distance(mujoco, runSolver(await make(MUJOCO_WORLDS, {}), moved, dt, Number.POSITIVE_INFINITY));
	}
	let ratio = slowestRatio(sap.blocks, mujoco.blocks);
	if (ratio > SLOWEST && sap.fault === undefined) {
		// a busy machine disturbs one run, a slow solver every one
		const again = runSolver(await make(SAP_WORLDS, settings), start, dt, budget);
		const other = runSolver(await make(MUJOCO_WORLDS, {}), start, dt, Number.POSITIVE_INFINITY);
		ratio = Math.min(ratio, slowestRatio(again.blocks, other.blocks));
	}
	return { dt, lift, sap, mujoco, penetration, deepestPair, ratio, apart, ownSpread };
}

function runSolver({ solver, collide }: WorldSolver, start: State, dt: number, budget: number): SolverRun {
	const { model } = solver;
	let [now, next] = [new State(model), new State(model)];
	now.assign(start);
	next.assign(start);
	const control = model.createControl();
	const mask = new Uint8Array(model.worldCount).fill(1);
	const work = new Float64Array(1);
	const books = { work: new Float64Array(1), energyGain: new Float64Array(1), energyGainStep: new Float64Array(1) };
	const account = new EnergyAccount(model, books);
	account.open(0, now);
	const blocks: number[] = [];
	let [contactTotal, spent, block, step] = [0, 0, 0, 0];
	let fault: string | undefined;
	for (; step < STEPS && fault === undefined; step++) {
		work.fill(0);
		const started = process.cpuUsage();
		const contacts = collide?.(now, mask, dt);
		solver.step(now, next, control, contacts, dt, { work });
		const { user, system } = process.cpuUsage(started);
		const seconds = (user + system) / 1e6;
		spent += seconds;
		block += seconds;
		if ((step + 1) % BLOCK === 0) {
			blocks.push(block);
			block = 0;
		}
		contactTotal += contacts === undefined ? solver.outcome.contactCount[0]! : touching(model, now, contacts);
		[now, next] = [next, now];
		if (solver.outcome.fault[0] !== WorldFault.NONE) fault = `diverged in step ${step}`;
		else account.enter(0, now, work[0]!, step);
		if (spent > budget) fault = `stopped after ${step + 1} steps that took ${spent.toFixed(1)} s of processor time`;
	}
	solver.dispose();
	return {
		steps: step,
		...(fault !== undefined && { fault }),
		gain: books.energyGain[0]!,
		gainStep: books.energyGainStep[0]!,
		work: books.work[0]!,
		isAtRest: isAtRest(model, now),
		end: now,
		bases: basesOf(model).flatMap((body) => Array.from(now.bodyQ.subarray(7 * body, 7 * body + 3))),
		contacts: contactTotal / Math.max(1, step),
		blocks,
	};
}

/** Contacts whose surfaces touch; others are found ahead of time. */
function touching(model: Model, state: State, contacts: Contacts): number {
	let count = 0;
	for (let row = 0; row < contacts.rigidCount; row++)
		if (contactDistance(model, state.bodyQ, contacts, row) <= TOUCHING) count++;
	return count;
}

/** A start with all floating bases a little higher. */
function raised(model: Model, start: State): State {
	const state = new State(model);
	state.assign(start);
	const up = 'xyz'.indexOf(model.upAxis);
	for (let joint = 0; joint < model.jointCount; joint++) {
		if (model.jointParent[joint] === -1 && model.jointType[joint] === JointType.FREE)
			state.jointQ[model.jointQStart[joint]! + up]! += MOVED_START;
	}
	new ArticulatedDynamics(model).forwardKinematics(state);
	return state;
}

/** Greatest distance of a base in two runs [m]. */
function distance(a: SolverRun, b: SolverRun): number {
	let far = 0;
	for (let i = 0; i < a.bases.length; i += 3)
		far = Math.max(far, Math.hypot(...[0, 1, 2].map((k) => a.bases[i + k]! - b.bases[i + k]!)));
	return far;
}

function basesOf(model: Model): number[] {
	const bases: number[] = [];
	for (let joint = 0; joint < model.jointCount; joint++) {
		if (model.jointParent[joint] === -1 && model.jointType[joint] === JointType.FREE)
			bases.push(model.jointChild[joint]!);
	}
	return bases;
}

function isAtRest(model: Model, state: State): boolean {
	for (let body = 0; body < model.bodyCount; body++) {
		const speed = Math.hypot(...state.bodyQd.subarray(6 * body, 6 * body + 3));
		const spin = Math.hypot(...state.bodyQd.subarray(6 * body + 3, 6 * body + 6));
		if (!(speed <= REST_SPEED && spin <= REST_SPIN)) return false;
	}
	return true;
}

/** The slowest block of one solver over the same or the median block of the other, without blocks that something disturbed. */
function slowestRatio(sap: readonly number[], mujoco: readonly number[]): number {
	const median = mujoco.toSorted((a, b) => a - b)[mujoco.length >> 1] ?? 0;
	const ratios = sap
		.map((time, i) => time / Math.max(mujoco[i] ?? 0, median, BLOCK * SHORTEST_STEP))
		.slice(sap.length > FIRST_BLOCKS ? FIRST_BLOCKS : 0)
		.sort((a, b) => b - a);
	return ratios[Math.min(DISTURBED_BLOCKS, ratios.length - 1)] ?? 0;
}
