import { type Diagnostic, SEVERITIES, type Severity } from '@manyworlds/core';
import { type CheckOptions, checkAsset } from '@manyworlds/rep158';
import type { AssetResult } from '@manyworlds/rep158/internal';
import { CommandContext } from '../command-context.ts';
import type { CliIo } from '../io.ts';
import { openRootLayer, type StageCommandOptions } from '../open-stage.ts';

/** What checking files needs, as plain data that a thread can be given. */
export interface CheckJob {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stage: StageCommandOptions;
	readonly check: Omit<CheckOptions, 'onStep'>;
}

/** Checks one asset. What is wrong with its files is among the diagnostics; nothing is thrown for it. */
export function checkFile(file: string, job: CheckJob, onStep: (what: string) => void = () => {}): AssetResult {
	const context = new CommandContext(silentIo(job));
	const opened = openRootLayer(context, file, job.stage);
	if (opened === undefined) return toResult(context.display(file), context, undefined);
	onStep(`checking ${opened.file}`);
	const check = checkAsset(opened.layer, opened.store, {
		...job.check,
		onStep: (what) => onStep(`${opened.file}: ${what}`),
	});
	return toResult(opened.file, context, check);
}

function toResult(
	asset: string,
	{ report, findings }: CommandContext,
	check: ReturnType<typeof checkAsset> | undefined,
): AssetResult {
	const diagnostics: Diagnostic[] = [];
	const omitted: Partial<Record<Severity, number>> = {};
	for (const from of check === undefined ? [report, findings] : [report, findings, check.report]) {
		const kept = from.toArray();
		diagnostics.push(...kept);
		for (const severity of SEVERITIES) {
			const more = from.counts[severity] - kept.filter((at) => at.severity === severity).length;
			if (more > 0) omitted[severity] = (omitted[severity] ?? 0) + more;
		}
	}
	const { primCount = 0, layerCount = 0, selectionCount = 0 } = check ?? {};
	return { asset, diagnostics, omitted, primCount, layerCount, selectionCount };
}

function silentIo({ cwd, env }: CheckJob): CliIo {
	const nowhere = { write: () => true };
	return { stdout: nowhere, stderr: nowhere, env, cwd, now: () => 0 };
}
