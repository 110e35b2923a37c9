import { dirname } from 'node:path';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import type { Json } from '../../src/json.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { checkBodies } from './check-bodies.ts';
import { checkControls } from './check-controls.ts';
import { checkJoints } from './check-joints.ts';
import { checkGeoms, checkSites } from './check-shapes.ts';
import { checkStates } from './check-states.ts';
import { COMPARED, reasonNotCompared } from './fields.ts';
import { type MujocoDump, parseDump } from './mujoco-dump.ts';
import { importRobot, type Robot } from './robot.ts';

/** MJCF robots as MuJoCo compiles them. */
export const importMujoco: Suite = {
	name: 'import/mujoco',
	description: 'dump_NAME.json.gz dumps of compiled models (mujoco-dump/1) of MJCF files that they name',
	defaultDir: 'oracle/golden/mujoco',
	groups: [
		group('bodies', 'tree, poses, masses, centres of mass and inertia tensors', checkBodies),
		group('joints', 'axes, anchors, ranges, passive forces and limit parameters', checkJoints),
		group('geoms', 'bodies, poses, sizes, masks and contact parameters', checkGeoms),
		group('sites', 'bodies, poses and sizes', checkSites),
		group('states', 'poses of bodies, centres of mass and sites in several states', checkStates),
		group('controls', 'actuators, tendons, equalities, pairs, keyframes and options', checkControls),
	],
};

function group(
	name: string,
	description: string,
	check: (dump: MujocoDump, robot: Robot) => string | undefined,
): Group {
	return {
		name,
		description,
		tolerance:
			'1e-9 of the largest entry; inertia from meshes 2e-7, poses of meshes 1e-6: the compiler has them in single precision and finds principal axes to 1e-12',
		timeLimit: 120,
		*cases(context: SuiteContext): Generator<Case> {
			for (const path of walkFiles(context.dir)) {
				const file = path.slice(path.lastIndexOf('/') + 1);
				if (!/^dump_.*\.json(\.gz)?$/.test(file)) continue;
				const label = caseName(context.dir, path).replace(/\.json(\.gz)?$/, '');
				yield { name: label, run: () => run(path, context, check) };
			}
		},
	};
}

const robots = new Map<string, Robot>();

function run(
	path: string,
	context: SuiteContext,
	check: (dump: MujocoDump, robot: Robot) => string | undefined,
): Outcome {
	const dump = parseDump(readJson(path) as Json);
	if (!dump.model.endsWith('.xml')) return { skipped: `${dump.model} is no MJCF file` };
	const odd = Object.keys(dump.arrays).find((name) => !COMPARED.has(name) && reasonNotCompared(name) === undefined);
	if (odd !== undefined) return `the array '${odd}' is not known`;
	const input = context.inputs.find(dump.model, dirname(path));
	if ('problem' in input) throw new Error(input.problem);
	let robot = robots.get(input.path);
	if (robot === undefined) {
		robot = importRobot(input.path);
		robots.set(input.path, robot);
	}
	return check(dump, robot);
}
