import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { FileStore } from '@manyworlds/node';
import { type AssetCheck, checkAsset } from '@manyworlds/rep158';
import type { Layer } from '@manyworlds/usd';
import { BUNDLED_COMMAND, bundleCommand } from '../files/bundled-command.ts';
import { makeRobot, robotPrims } from '../files/check-robots.ts';
import type { BenchSuite, BenchTask, Contender, Rate } from '../harness/task.ts';

const PRIMS: Rate = { fact: 'prims', unit: 'prims/s' };
const ASSETS: Rate = { fact: 'assets', unit: 'assets/s' };
/** Links of the robot that is checked from a cold start, and in a batch. */
const LINKS = 50;
/** Limbs of the robots that grow: about 1,000, 10,000 and 100,000 prims. */
const SIZES: readonly number[] = [166, 1666, 16_666];
/** Assets of the batch. */
const BATCH = 200;

/** `manyworlds check`: one robot from a cold start, many in one process, one that grows. */
export const suite: BenchSuite = {
	name: 'rep158',
	prepare: async ({ folder }) => {
		bundleCommand();
		makeRobot(join(folder, 'check/chain'), 1, LINKS);
		for (const limbs of SIZES) makeRobot(join(folder, `check/star-${limbs}`), limbs, 1);
		return `a robot of ${LINKS} links, and robots of ${SIZES.map((limbs) => robotPrims(limbs, 1)).join(', ')} prims`;
	},
	tasks: [coldTask(), batchTask(), ...SIZES.map(sizeTask)],
};

function coldTask(): BenchTask {
	return {
		kind: 'task',
		name: 'checkCold',
		title: `start a process that opens a robot of ${LINKS} links; ours also checks it`,
		rates: [],
		contenders: [
			processContender('manyworlds', () => [
				process.execPath,
				[BUNDLED_COMMAND, 'check', '--quiet', '--fail-on', 'never'],
			]),
			processContender('OpenUSD opens it', (python) => [python ?? '', ['-c', OPEN]]),
		],
		outside: [],
	};
}

const OPEN = 'import sys; from pxr import Usd; Usd.Stage.Open(sys.argv[1])';

/** Somebody who starts a program on the robot. */
function processContender(
	name: string,
	command: (python: string | undefined) => readonly [string, readonly string[]],
): Contender {
	return {
		name,
		prepare: ({ folder, openUsdPython }) => {
			const [program, args] = command(openUsdPython);
			const file = join(folder, 'check/chain/robot.usda');
			return {
				run: () => spawnSync(program, [...args, file], { encoding: 'utf8' }),
				check: (result) => {
					const { status, stderr } = result as { status: number | null; stderr: string };
					if (status !== 0) throw new Error(`exit status ${status}: ${stderr.slice(0, 200)}`);
					return { prims: robotPrims(1, LINKS) };
				},
			};
		},
	};
}

function batchTask(): BenchTask {
	return ours('checkBatch', `check ${BATCH} robots of ${LINKS} links, each read anew`, [ASSETS], (folder) => {
		const file = join(folder, 'check/chain/robot.usda');
		return {
			run: () => Array.from({ length: BATCH }, () => check(file)),
			check: (results) => {
				for (const result of results as AssetCheck[]) expectRobot(result, 1, LINKS);
				return { assets: BATCH };
			},
		};
	});
}

function sizeTask(limbs: number): BenchTask {
	const prims = robotPrims(limbs, 1);
	return ours(`check${prims}`, `check a robot of ${prims} prims`, [PRIMS], (folder) => {
		const file = join(folder, `check/star-${limbs}/robot.usda`);
		return {
			run: () => check(file),
			check: (result) => {
				expectRobot(result as AssetCheck, limbs, 1);
				return { prims };
			},
		};
	});
}

function ours(
	name: string,
	title: string,
	rates: readonly Rate[],
	prepare: (folder: string) => ReturnType<Contender['prepare']>,
): BenchTask {
	const contender = { name: 'manyworlds', prepare: ({ folder }: { readonly folder: string }) => prepare(folder) };
	return { kind: 'task', name, title, rates, contenders: [contender], outside: [] };
}

/** The robots have one finding for each visual scope, and one about collision filtering. */
function expectRobot({ report, primCount }: AssetCheck, limbs: number, links: number): void {
	if (primCount !== robotPrims(limbs, links))
		throw new Error(`${primCount} prims, expected ${robotPrims(limbs, links)}`);
	const { error, warning } = report.counts;
	if (error !== 0 || warning !== limbs * links + 1) throw new Error(`${error} errors and ${warning} warnings`);
}

function check(file: string): AssetCheck {
	const store = new FileStore({ roots: ['/'] });
	return checkAsset(store.layer(file) as Layer, store, { excerpts: false });
}
