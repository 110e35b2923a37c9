import { Report } from '@manyworlds/core';
import { worldOffsets } from '@manyworlds/model/internal';
import { GitCache, SceneStore } from '@manyworlds/node';
import { toSlashes } from '@manyworlds/node/internal';
import { ControlPlayback, type LoadedScene, loadScene, readControl, SCENE_DEFAULTS } from '@manyworlds/scene';
import { createSceneDiagnostic } from '@manyworlds/scene/internal';
import { overlapsOf } from '@manyworlds/sim';
import { isAssetFailure } from '@manyworlds/usd';
import { reportStartOverlaps } from '@manyworlds/worlds/internal';
import type { CommandContext } from '../command-context.ts';
import { readInput } from '../files.ts';
import { rosPackages } from '../open-stage.ts';
import { storeSettings } from '../store-settings.ts';
import type { SimulationCommandOptions } from './open-simulation.ts';
import type { Simulation } from './simulation.ts';

/** Loads a scene; undefined, with diagnostics, when it cannot be simulated. */
export function openScene(
	context: CommandContext,
	file: string,
	options: SimulationCommandOptions,
): Simulation | undefined {
	const packages = rosPackages(context, options.package ?? []);
	const bytes = packages && readInput(context, file);
	if (bytes === undefined) return undefined;
	const path = toSlashes(context.absolute(file));
	const store = new SceneStore({
		...storeSettings(context),
		file: path,
		cwd: context.io.cwd,
		roots: (options.root ?? []).map((folder) => context.absolute(folder)),
		packages: packages!,
	});
	store.give(path, bytes);
	const found = new Report();
	const numWorlds = options.numWorlds ?? options.worlds;
	const { loaded } = loadScene(path, {
		store,
		report: found,
		strict: options.strict ?? true,
		checkout: gitCheckout(context, store),
		...(numWorlds !== undefined && { numWorlds }),
	});
	const playback = loaded && openPlayback(loaded, store, found);
	for (const one of found.toArray())
		context.report.add(one.file === undefined ? one : { ...one, file: context.display(one.file) });
	if (loaded === undefined || found.hasErrors) return undefined;
	const { model, settings, state } = loaded;
	playback?.applyInitialState(state);
	// where the scene has robots lifted, their overlaps are told already
	if (loaded.scene.ground.lift !== true) reportStartOverlaps(model, state, overlapsOf(model), context.findings);
	return {
		file: context.display(file),
		model,
		contactDefaults: settings.contactDefaults,
		start: state,
		dt: options.dt ?? settings.dt,
		...(playback && { playback }),
		stepper: {
			sap: settings.solver,
			...(settings.maxRigidContact !== undefined && { contactsPerWorld: settings.maxRigidContact }),
		},
	};
}

/** The targets that a scene plays, if it does. */
function openPlayback(loaded: LoadedScene, store: SceneStore, report: Report): ControlPlayback | undefined {
	const { scene, settings, model } = loaded;
	const file = settings.control?.file;
	if (file === undefined) return undefined;
	const content = store.bytes(file)!;
	if (isAssetFailure(content)) {
		const reason = content.failure === '' ? 'does not exist' : `cannot be read: ${content.failure}`;
		report.add(createSceneDiagnostic('CTL001', `the control file ${reason}`, { file }));
		return undefined;
	}
	const sequence = readControl(new TextDecoder().decode(content), { file, report });
	const loop = scene.control?.loop;
	const spacing = scene.replicate.spacing ?? SCENE_DEFAULTS.spacing;
	return (
		sequence &&
		ControlPlayback.create(sequence, model, {
			report,
			worldOffsets: worldOffsets(model.worldCount, model.worldCount > 1 ? spacing : [0, 0, 0], model.upAxis),
			...(loop !== undefined && { loop }),
		})
	);
}

/** Checks out git sources into the cache, which the scene may then read. */
function gitCheckout(context: CommandContext, store: SceneStore) {
	const { env, cwd } = context.io;
	const cache = new GitCache({ env, cwd, onFetch: (what) => context.progress.step(what) });
	return (source: Parameters<GitCache['checkout']>[0]): { folder: string } | { failure: string } => {
		const done = cache.checkout(source);
		if ('code' in done) return { failure: `${done.message} (${done.code})` };
		store.allow(done.folder);
		return { folder: toSlashes(done.folder) };
	};
}
