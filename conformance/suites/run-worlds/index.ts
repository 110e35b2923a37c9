import { InternalError } from '@manyworlds/core';
import type { Model, State } from '@manyworlds/model';
import { CollisionPipeline, SolverSap, type SolverSapOptions } from '@manyworlds/sim';
import { openAsset } from 'manyworlds';
import { modelOf } from 'manyworlds/internal';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { findRobots, type RobotFile } from '../run-robots/find-robots.ts';

/** Worlds that stand side by side; the last shares no lane with the first. */
const WORLDS = 3;
const STEPS = 25;
const CONTACTS_PER_WORLD = 512;
/** Speeds that worlds but the first begin with [m/s, rad/s]. */
const SPEED = 0.5;
/** How far velocities of the engine and the reference may be apart after one step, as a part of the largest. */
const MOST_APART = 1e-9;
/** Worlds of more trees are solved island by island, each to the tolerance of the solver with steps of its own. */
const MOST_TREES = 8;
const MOST_APART_OF_ISLANDS = 1e-5;

const ARRAYS = ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const;

/** What a robot came to, or why it was not tried. */
type Ran = RobotRun | { readonly refusal: string } | { readonly none: string } | Error;

interface RobotRun {
	/** The first world that did something else beside others than alone. */
	readonly stray: string | undefined;
	/** What steps these worlds, and why, when it is not the engine. */
	readonly engine: string;
	readonly note: string | undefined;
	/** How far apart engine and reference are after one step, and whether they took as many steps of Newton. */
	readonly apart: number;
	readonly counts: string | undefined;
	/** Whether the engine solves these worlds island by island. */
	readonly hasIslands: boolean;
}

/** Real robots in several worlds, and by both engines of SAP. */
export const runWorlds: Suite = {
	name: 'run/worlds',
	description: `every robot of a folder (USD, URDF, MJCF) in ${WORLDS} worlds that move differently, ${STEPS} steps with SAP`,
	defaultDir: '.',
	groups: [
		group('alone', 'a world does what it does alone', 'equal bits', ({ stray }) => stray),
		group(
			'engine',
			'one step by the engine is that by the reference, with as many steps of Newton',
			`${MOST_APART} of the largest velocity; ${MOST_APART_OF_ISLANDS} and any number of steps for more than ${MOST_TREES} trees`,
			({ engine, note, apart, counts, hasIslands }) => {
				if (engine === 'reference') return { excluded: note ?? 'it is stepped by the reference' };
				if (counts !== undefined && !hasIslands) return counts;
				const most = hasIslands ? MOST_APART_OF_ISLANDS : MOST_APART;
				return apart <= most ? undefined : `velocities are ${apart.toPrecision(3)} apart`;
			},
		),
	],
};

function group(name: string, description: string, tolerance: string, verdict: (run: RobotRun) => Outcome): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 600,
		*cases({ dir, log }: SuiteContext): Generator<Case> {
			for (const robot of findRobots(dir)) {
				yield {
					name: robot.name,
					async run() {
						const run = await once(robot, log);
						if (run instanceof Error) throw run;
						if ('refusal' in run) return { skipped: run.refusal };
						return 'none' in run ? { excluded: run.none } : verdict(run);
					},
				};
			}
		},
	};
}

const runs = new Map<string, Ran>();

async function once({ name, path }: RobotFile, log: (line: string) => void): Promise<Ran> {
	const known = runs.get(path);
	if (known !== undefined) return known;
	let run: Ran;
	try {
		run = await runRobot(path);
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		// a model that is refused has a code, a fault of ours has none
		const isRefused = 'code' in error && !(error instanceof InternalError);
		run = isRefused ? { refusal: error.message.split('\n')[0]! } : error;
	}
	runs.set(path, run);
	if (!(run instanceof Error) && 'engine' in run) log(`${name}: ${run.engine}, apart ${run.apart.toPrecision(2)}`);
	return run;
}

async function runRobot(path: string): Promise<Exclude<Ran, Error>> {
	const asset = await openAsset(path, { roots: ['/'] });
	const one = await modelOf(asset);
	if (one.model.jointDofCount === 0) return { none: 'nothing in it moves' };
	// at one place: elsewhere coordinates have other last digits
	const many = await modelOf(asset, { worlds: WORLDS, spacing: [0, 0, 0] });
	const { dt, sap } = many;
	const start = many.model.createState();
	start.assign(many.start);
	pushWorlds(many.model, start);
	const together = new Track(many.model, sap);
	const end = together.run(start, dt);
	const alone = new Track(one.model, sap);
	let stray: string | undefined;
	let apart = 0;
	let counts: string | undefined;
	for (let world = 0; world < WORLDS; world++) {
		const own = one.model.createState();
		copyWorld(start, own, world);
		const first = alone.run(own, dt);
		stray ??= strayOf(first, end, world);
		const reference = new Track(one.model, { ...sap, engine: 'reference' });
		const found = alone.step(first, dt);
		const expected = reference.step(first, dt);
		apart = Math.max(apart, distance(found.jointQd, expected.jointQd));
		const [a, b] = [alone.solver.outcome, reference.solver.outcome];
		if (a.iterations[0] !== b.iterations[0])
			counts ??= `${a.iterations[0]} steps of Newton in world ${world}, ${b.iterations[0]} by the reference`;
	}
	const { engine, engineNote: note } = together.solver;
	const trees = one.model.jointParent.filter((parent) => parent < 0).length;
	return { stray, engine, note, apart, counts, hasIslands: trees > MOST_TREES };
}

/** A solver with what finds its contacts. */
class Track {
	readonly solver: SolverSap;
	readonly #model: Model;
	readonly #pipeline: CollisionPipeline;
	readonly #contacts: ReturnType<CollisionPipeline['createContacts']>;

	constructor(model: Model, options: SolverSapOptions) {
		this.#model = model;
		this.solver = new SolverSap(model, options);
		this.#pipeline = new CollisionPipeline(model);
		this.#contacts = this.#pipeline.createContacts({ perWorld: CONTACTS_PER_WORLD });
	}

	/** The state after {@link STEPS} steps. */
	run(start: State, dt: number): State {
		let now = start;
		for (let step = 0; step < STEPS; step++) now = this.step(now, dt);
		return now;
	}

	step(now: State, dt: number): State {
		const next = this.#model.createState();
		next.assign(now);
		this.#pipeline.collide(now, this.#contacts, this.solver.lookAhead(dt));
		this.solver.step(now, next, undefined, this.#contacts, dt);
		return next;
	}
}

/** Gives every world but the first a motion of its own. */
function pushWorlds({ jointDofCount }: Model, { jointQd }: State): void {
	const dofs = jointDofCount / WORLDS;
	for (let i = dofs; i < jointDofCount; i++) jointQd[i]! += SPEED * Math.sin(1 + 12.9898 * i);
}

/** Copies a world of many to a state of one. */
function copyWorld(from: State, to: State, world: number): void {
	for (const name of ARRAYS) {
		const { length } = to[name];
		to[name].set(from[name].subarray(world * length, (world + 1) * length));
	}
}

/** The first number of a world that is not the one that it has alone. */
function strayOf(alone: State, together: State, world: number): string | undefined {
	for (const name of ARRAYS) {
		const { length } = alone[name];
		for (let i = 0; i < length; i++) {
			const found = together[name][world * length + i];
			if (!Object.is(found, alone[name][i]))
				return `${name}[${i}] of world ${world} is ${found}, alone ${alone[name][i]}`;
		}
	}
	return undefined;
}

/** Largest difference as a part of the largest entry; infinite where numbers are none. */
function distance(found: Float64Array, expected: Float64Array): number {
	let [largest, most] = [0, 0];
	for (const [i, value] of expected.entries()) {
		largest = Math.max(largest, Math.abs(value));
		most = Math.max(most, Math.abs(found[i]! - value));
	}
	if (!(most < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
	return most === 0 ? 0 : most / largest;
}
