import type { Diagnostic, Severity } from '@manyworlds/core';
import { SEVERITIES } from '@manyworlds/core/internal';
import { type AssetResult, checkAsset } from '@manyworlds/rep158';
import { AVAILABLE_FIXES } from '@manyworlds/rep158/internal';
import { CommandContext } from '../command-context.ts';
import { openRootLayer } from '../open-stage.ts';
import { type CheckJob, silentIo } from './check-job.ts';

/** Checks one asset. What is wrong with its files is among the diagnostics; nothing is thrown for it. */
export async function checkFile(
	file: string,
	job: CheckJob,
	onStep: (what: string) => void = () => {},
): Promise<AssetResult> {
	const context = new CommandContext(silentIo(job));
	const opened = openRootLayer(context, file, job.stage);
	if (opened === undefined) return toResult(context.display(file), context, undefined);
	onStep(`checking ${opened.file}`);
	const check = checkAsset(opened.layer, opened.store, {
		...job.check,
		onStep: (what) => onStep(`${opened.file}: ${what}`),
	});
	const result = toResult(opened.file, context, check);
	if (job.triesFixes === 'no' || (job.triesFixes === 'small' && result.primCount > MOST_TRIED_PRIMS)) return result;
	if (!result.diagnostics.some(({ code }) => AVAILABLE_FIXES.has(code))) return { ...result, hasTriedFixes: true };
	onStep(`${opened.file}: trying fixes`);
	const { tryFixes } = await import('./try-fixes.ts');
	return { ...result, diagnostics: await tryFixes(file, job, result.diagnostics), hasTriedFixes: true };
}

/** Prims up to which an asset is small enough to be fixed on trial without being asked to. */
const MOST_TRIED_PRIMS = 5000;

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
