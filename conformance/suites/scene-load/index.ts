import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModelBuilder } from '@manyworlds/model';
import { type LoadedScene, loadScene, readScene } from '@manyworlds/scene';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import { isObject, type JsonObject } from '../../src/json.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { checkKeys } from '../sim-sap-problems/problem-file.ts';
import { type BuilderArrays, builderArrays } from './builder-arrays.ts';
import { compareEdits } from './compare-edits.ts';
import { compareConfig, compareLoad, reporter } from './compare-load.ts';
import { dumpDefaults, dumpLoaded } from './dump-loaded.ts';
import { groupShapes, mergeShapes } from './merge-parts.ts';
import { type FaultContext, shapeMeshes } from './reference-faults.ts';
import { sceneFiles } from './scene-files.ts';
import { urdfInertials } from './urdf-inertials.ts';

/** Load results of SAP Warp. */
export const sceneLoad: Suite = {
	name: 'scene/load',
	description: 'load results of SAP Warp: the parsed file, settings, labels, every array, every edit',
	defaultDir: 'oracle/golden/sap-warp',
	groups: [
		{
			name: 'load',
			description:
				'scenes loaded by us, compared field by field; faults of the reference are listed in reference-faults.ts',
			tolerance: '1e-5 of the largest number of a row and 1e-6 (1e-9 for mass and inertia): the reference has 32 bits',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (!/\.json(\.gz)?$/.test(path)) continue;
					const json = readJson(path);
					if (!isObject(json) || !('initial_fk' in json)) continue;
					yield { name: caseName(context.dir, path), run: () => checkLoad(context, path, json) };
				}
			},
		},
	],
};

function checkLoad(context: SuiteContext, path: string, golden: JsonObject): Outcome {
	const name = String(golden['scene']);
	const places = [join(dirname(path), name), join(context.assetsDir, '..', name)];
	const file = places.find((candidate) => existsSync(candidate));
	if (file === undefined) return { skipped: `the scene ${name} is neither beside the case nor beside the assets` };
	const snapshots: BuilderArrays[] = [];
	let meshes: ReadonlyMap<number, Float64Array> = new Map();
	let defaults: ModelBuilder | undefined;
	const { loaded, report } = loadScene(file, {
		...sceneFiles(context.inputs),
		newtonCompat: true,
		observe: (step, builder) => {
			if (step === 'initial_joint_q') meshes = shapeMeshes(builder);
			if (step === 'initial_joint_q' || typeof step === 'number') snapshots.push(builderArrays(builder));
			if (step === 'initial_joint_q') defaults = builder;
		},
	});
	if (loaded === undefined || defaults === undefined) {
		const error = report.toArray().find(({ severity }) => severity === 'error');
		return `the scene is refused: ${error?.code} ${error?.message}`;
	}
	const dump = dumpLoaded(loaded);
	const groups = groupShapes(golden['meshes'] as never, dump);
	const faults: FaultContext = {
		golden,
		loaded,
		before: snapshots[0]!,
		meshes,
		groups,
		inertials: urdfInertials(loaded),
	};
	const builder = dumpDefaults(loaded.scene, defaults, defaults.gravity);
	const lines = compareLoad(golden, { ...mergeShapes(dump, groups), builder }, faults);
	const add = reporter(faults, lines);
	compareConfig(golden['config'], readScene(readFileSync(file, 'utf8'), { file }).config, 'config', add);
	compareEdits(golden, snapshots, add);
	checkSettings(golden, loaded, lines);
	if (lines.length === 0) return undefined;
	const more = lines.length > 4 ? `; and ${lines.length - 4} more` : '';
	return lines.slice(0, 4).join('; ') + more;
}

/** Settings of the run, and whether the reference runs forward kinematics, which follows from the file. */
function checkSettings(golden: JsonObject, { scene, settings }: LoadedScene, lines: string[]): void {
	const simulation = checkKeys(golden['simulation'], 'simulation', 'dt max_rigid_contact num_worlds solver');
	const expect = (what: string, actual: unknown, expected: unknown): void => {
		if (actual !== expected) lines.push(`${what} is ${String(actual)}, expected ${String(expected)}`);
	};
	expect('simulation.dt', settings.dt, simulation['dt']);
	expect('simulation.max_rigid_contact', settings.maxRigidContact, simulation['max_rigid_contact']);
	expect('simulation.num_worlds', settings.numWorlds, simulation['num_worlds']);
	for (const [key, value] of Object.entries(simulation['solver'] as JsonObject)) {
		const option = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
		expect(`simulation.solver.${key}`, (settings.solver as Readonly<Record<string, unknown>>)[option], value);
	}
	const writes = scene.post_build.some(
		(edit) =>
			edit.op === 'set_joint_q' ||
			(edit.op === 'set_array' && /^joint_qd?$/.test(edit.array)) ||
			(edit.op === 'copy_array' && /^joint_qd?$/.test(edit.dst)),
	);
	expect('initial_fk', scene.initial_joint_q.length > 0 || writes, golden['initial_fk']);
}
