import { existsSync } from 'node:fs';
import { formatText, Report } from '@manyworlds/core';
import type { Model, State } from '@manyworlds/model';
import { ControlPlayback, type LoadedScene, type LoadSceneOptions, loadScene, readControl } from '@manyworlds/scene';
import { SAP_WORLDS } from '@manyworlds/sim';
import { withIdentify } from '@manyworlds/usd/internal';
import { WorldRunner } from '@manyworlds/worlds';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import { isObject } from '../../src/json.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { sceneFiles } from '../scene-load/scene-files.ts';

/** Steps of each scene. */
const FRAMES = 1000;

/** Nothing in a scene of robots gets this far away [m] or this fast [m/s, rad/s]: beyond, the scene has blown up. */
const FARTHEST = 100;
const FASTEST = 1000;

/** Line searches with a tolerance of the cost may end a step a little above the tolerance of the gradient, 1e-6. */
const LARGEST_RESIDUAL = 1e-5;

/** Scenes in YAML or JSON, loaded and run. */
export const sceneRun: Suite = {
	name: 'scene/run',
	description: 'scenes loaded strictly and run with their own time step and solver settings',
	defaultDir: 'assets/sap-scenes',
	groups: [
		{
			name: 'run',
			description: `${FRAMES} frames in one world: nothing diverges, flies away or is left unsolved`,
			tolerance: `every number finite, bodies within ${FARTHEST} m and below ${FASTEST} m/s, residuals at most ${LARGEST_RESIDUAL}`,
			timeLimit: 120,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (!/\.(?:ya?ml|json)$/.test(path)) continue;
					yield { name: caseName(context.dir, path), run: () => runScene(context, path) };
				}
			},
		},
	],
};

async function runScene(context: SuiteContext, path: string): Promise<Outcome> {
	if (path.endsWith('.json') && !isScene(readJson(path))) return { excluded: 'it has neither bodies nor assets' };
	const missing = new Set<string>();
	const files = withMissing(sceneFiles(context.inputs), path, missing);
	const report = new Report();
	const { loaded } = loadScene(path, { ...files, report, numWorlds: 1 });
	if (missing.size > 0) return { skipped: `${[...missing].join(', ')} not below ${context.assetsDir}` };
	if (loaded === undefined) return formatText(report);
	const playback = playbackOf(loaded, files.store, report);
	if (report.hasErrors) return formatText(report);
	playback?.applyInitialState(loaded.state);
	const { model, settings, state } = loaded;
	const perWorld = settings.maxRigidContact;
	const runner = await WorldRunner.create(model, {
		solver: 'sap',
		solvers: { sap: async () => SAP_WORLDS },
		solverOptions: { ...settings.solver, ...(perWorld !== undefined && { contactsPerWorld: perWorld }) },
	});
	try {
		runner.state.assign(state);
		for (let frame = 0; frame < FRAMES; frame++) {
			playback?.apply(runner.control, frame, settings.dt);
			await runner.step(settings.dt);
			const problem = problemOf(runner) ?? strayBody(model, runner.state);
			if (problem !== undefined) return `frame ${frame}: ${problem}`;
		}
		return undefined;
	} finally {
		await runner.dispose();
	}
}

type SceneFiles = Pick<LoadSceneOptions, 'store' | 'checkout'>;

/** The same files; names of assets that are nowhere are kept. */
function withMissing({ store, checkout }: SceneFiles, scene: string, missing: Set<string>): SceneFiles {
	return {
		store: withIdentify(store, (assetPath, anchor) => {
			const found = store.identify(assetPath, anchor);
			// what an asset itself refers to is its own affair
			if (anchor === scene && !existsSync(found.identifier)) missing.add(assetPath);
			return found;
		}),
		checkout: (source) => {
			const done = checkout?.(source) ?? { failure: '' };
			if ('failure' in done) missing.add(source.path);
			return done;
		},
	};
}

/** Other JSON files lie beside scenes, such as control sequences. */
function isScene(json: unknown): boolean {
	return isObject(json) && ('bodies' in json || 'assets' in json);
}

function playbackOf(
	loaded: LoadedScene,
	store: LoadSceneOptions['store'],
	report: Report,
): ControlPlayback | undefined {
	const file = loaded.settings.control?.file;
	if (file === undefined) return undefined;
	const content = store.bytes(file);
	if (!(content instanceof Uint8Array)) throw new Error(`there is no ${file}`);
	const sequence = readControl(new TextDecoder().decode(content), { file, report });
	const loop = loaded.scene.control?.loop;
	return sequence && ControlPlayback.create(sequence, loaded.model, { report, ...(loop !== undefined && { loop }) });
}

function problemOf({ failures, statistics }: WorldRunner): string | undefined {
	if (failures.length > 0) return failures[0]!.reason;
	if (statistics.droppedContactTotal[0]! > 0) return 'contacts had no room';
	if (statistics.residual[0]! > LARGEST_RESIDUAL) return `the step ended with the residual ${statistics.residual[0]}`;
	return undefined;
}

function strayBody(model: Model, state: State): string | undefined {
	for (let body = 0; body < model.bodyCount; body++) {
		const far = Math.hypot(...state.bodyQ.subarray(7 * body, 7 * body + 3));
		const fast = Math.hypot(...state.bodyQd.subarray(6 * body, 6 * body + 6));
		if (far <= FARTHEST && fast <= FASTEST) continue;
		return `body '${model.bodyLabels[body]}' is ${far} m away and moves at ${fast} m/s and rad/s`;
	}
	return undefined;
}
