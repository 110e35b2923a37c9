import { Layer } from '../src/sdf/layer.ts';
import type { Prim } from '../src/usd/prim.ts';
import { Stage, type StageOptions } from '../src/usd/stage.ts';
import { readClean } from './read-text.ts';

/** A stage of one layer given as text without the header line. */
export function stageOf(body: string, options: StageOptions = {}): Stage {
	return Stage.open(new Layer('test.usda', readClean(body)), options);
}

/** The prim at a path of a stage, which must exist. */
export function primAt(stage: Stage, path: string): Prim {
	const prim = stage.prim(path);
	if (prim === undefined) throw new Error(`there is no prim at ${path}`);
	return prim;
}

/** `CODE prim` of what the stage reported. */
export function reported(stage: Stage): string[] {
	return stage.report.toArray().map(({ code, prim }) => `${code} ${prim}`);
}
