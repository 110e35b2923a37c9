import { InternalError } from '@manyworlds/core';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { findRobots, keyframesOf, type RobotFile } from './find-robots.ts';
import {
	FARTHEST,
	type NoRobot,
	type RobotRun,
	type RunVariant,
	runRobot,
	type SolverRun,
	STEPS,
} from './run-robot.ts';

/** Deepest overlap of bodies at rest [m]. */
const DEEPEST = 2e-3;
/** How many times the contacts of one solver may be those of the other, and a step of SAP as long as one of MuJoCo. */
const MOST_CONTACTS = 3;
const SLOWEST = 20;

const ENERGY = 'there is not more energy than at the start and by the work of drives, actuators and springs';
const ENERGY_BOUND = '1 % of the energy that was turned over, and the weight times 1 mm';

/** Robots run by both solvers, from their default and from each keyframe. */
export const runRobots: Suite = {
	name: 'run/robots',
	description: `every robot of a folder (USD, URDF, MJCF), ${STEPS} steps with SAP and with MuJoCo from its default and from each keyframe`,
	defaultDir: '.',
	groups: [
		group('divergence', 'SAP gets to the end', 'every number finite', ({ sap }) => sap.fault),
		group('energy', ENERGY, ENERGY_BOUND, ({ sap }) => gainOf(sap)),
		group('mujoco-divergence', 'MuJoCo gets to the end', 'every number finite', ({ mujoco }) => mujoco.fault),
		group('mujoco-energy', `MuJoCo: ${ENERGY}`, ENERGY_BOUND, ({ mujoco }) => gainOf(mujoco)),
		group('penetration', 'bodies at rest with SAP are not in each other', `${1000 * DEEPEST} mm`, (run) => {
			if (!run.sap.isAtRest || run.sap.fault !== undefined) return { excluded: 'it moves at the end' };
			if (run.penetration <= DEEPEST) return undefined;
			return `${run.deepestPair} overlap by ${(1000 * run.penetration).toPrecision(3)} mm`;
		}),
		group(
			'base',
			'floating bases rest where MuJoCo has them',
			`${1000 * FARTHEST} mm, where MuJoCo itself rests there from a start 1 mm higher`,
			({ sap, mujoco, apart, ownSpread }) => {
				if (sap.fault !== undefined || mujoco.fault !== undefined) return { excluded: 'it did not get to the end' };
				if (!sap.isAtRest || !mujoco.isAtRest) return { excluded: 'it moves at the end' };
				if (sap.bases.length === 0) return { excluded: 'nothing floats' };
				if (ownSpread > FARTHEST) return { excluded: 'it rests elsewhere after any change' };
				return apart <= FARTHEST ? undefined : `${(1000 * apart).toPrecision(3)} mm apart`;
			},
		),
		group(
			'contacts',
			'as many contacts as MuJoCo, on average over the run',
			`a factor of ${MOST_CONTACTS}, one more or less`,
			({ sap, mujoco }) => {
				const [a, b] = [sap.contacts, mujoco.contacts];
				if (a <= MOST_CONTACTS * b + 1 && b <= MOST_CONTACTS * a + 1) return undefined;
				return `${a.toPrecision(3)} contacts, ${b.toPrecision(3)} in MuJoCo`;
			},
		),
		group(
			'time',
			'processor time of steps beside that of MuJoCo in the same run',
			`${SLOWEST} times, by the third slowest block of ten steps`,
			({ sap, ratio }) => {
				if (sap.fault?.startsWith('stopped')) return sap.fault;
				return ratio <= SLOWEST ? undefined : `${ratio.toPrecision(3)} times MuJoCo's`;
			},
		),
	],
};

type Verdict = (run: RobotRun) => Outcome;

function group(name: string, description: string, tolerance: string, verdict: Verdict): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 600,
		*cases(context: SuiteContext): Generator<Case> {
			for (const robot of robotsOf(context.dir)) {
				for (const variant of variantsOf(robot)) {
					yield {
						name: `${robot.name}${variantName(variant)}`,
						async run() {
							const run = await once(robot, variant, context.log);
							if (run instanceof Error) throw run;
							if ('refusal' in run) return { skipped: run.refusal };
							return 'none' in run ? { excluded: run.none } : verdict(run);
						},
					};
				}
			}
		},
	};
}

const robots = new Map<string, readonly RobotFile[]>();

function robotsOf(dir: string): readonly RobotFile[] {
	let found = robots.get(dir);
	if (found === undefined) {
		found = findRobots(dir);
		robots.set(dir, found);
	}
	return found;
}

/** What is tried with a robot besides its default: a floating base where the format leaves that open, and keyframes. */
function variantsOf(robot: RobotFile): RunVariant[] {
	if (robot.format === 'urdf') return [{}, { floating: true }];
	return [{}, ...keyframesOf(robot).map((keyframe) => ({ keyframe }))];
}

function variantName({ keyframe, floating }: RunVariant): string {
	if (keyframe !== undefined) return `#${keyframe}`;
	return floating === true ? '#floating' : '';
}

type Ran = RobotRun | NoRobot | { readonly refusal: string } | Error;

const runs = new Map<string, Ran>();

async function once(robot: RobotFile, variant: RunVariant, log: (line: string) => void): Promise<Ran> {
	const key = `${robot.path}${variantName(variant)}`;
	const known = runs.get(key);
	if (known !== undefined) return known;
	let run: Ran;
	try {
		run = await runRobot(robot.path, variant);
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		// a model that is refused has a code, a fault of ours has none
		const isRefused = 'code' in error && !(error instanceof InternalError);
		run = isRefused ? { refusal: error.message.split('\n')[0]! } : error;
	}
	runs.set(key, run);
	if (!(run instanceof Error) && 'sap' in run) log(`${robot.name}${variantName(variant)}: ${rowOf(run)}`);
	return run;
}

/** The figures of a run in one line: SAP's, then MuJoCo's. */
function rowOf({ sap, mujoco, dt, ratio, penetration, lift }: RobotRun): string {
	const pair = (text: (run: SolverRun) => string): string => `${text(sap)}/${text(mujoco)}`;
	return [
		`dt ${dt}`,
		`steps ${pair(({ steps }) => String(steps))}`,
		`gain ${pair(({ gain }) => gain.toPrecision(2))} J`,
		`work ${pair(({ work }) => work.toPrecision(3))} J`,
		`contacts ${pair(({ contacts }) => contacts.toFixed(1))}`,
		`rest ${pair(({ isAtRest }) => (isAtRest ? 'yes' : 'no'))}`,
		`deep ${(1000 * penetration).toFixed(2)} mm`,
		`time ${ratio.toFixed(1)}`,
		...(lift === '' ? [] : [lift]),
	].join(', ');
}

function gainOf({ gain, gainStep }: SolverRun): string | undefined {
	return gain > 0 ? `${gain.toPrecision(3)} J came from nothing, from step ${gainStep} on` : undefined;
}
