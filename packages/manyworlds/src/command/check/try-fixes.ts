import type { Diagnostic } from '@manyworlds/core';
import type { RepCode } from '@manyworlds/rep158';
import { fixCommand, fixEdits, offerFixes } from '@manyworlds/rep158/internal';
import { isPackageRelativePath } from '@manyworlds/usd/internal';
import { CommandContext } from '../command-context.ts';
import { type OpenedRoot, openRootLayer, type ReplacedFile } from '../open-stage.ts';
import { type CheckJob, silentIo } from './check-job.ts';

/** Findings with the command that removes them, where one does. By itself, so that a check that does not ask for it loads no fixer. */
export async function tryFixes(
	file: string,
	job: CheckJob,
	findings: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
	const { loadWebpCodec } = await import('#platform');
	const open = (files: readonly ReplacedFile[] = []): OpenedRoot | undefined =>
		openRootLayer(new CommandContext(silentIo(job)), file, job.stage, files);
	const offers = offerFixes(
		findings,
		(files) => {
			const opened = open(files);
			// what lies in a package cannot be written
			if (opened === undefined || isPackageRelativePath(opened.layer.identifier)) return undefined;
			return { root: opened.layer, store: opened.store };
		},
		{ check: job.check, codecs: { webp: await loadWebpCodec() } },
	);
	const isEdited = new Set<string>();
	return findings.map((finding) => {
		const offer = offers.get(finding);
		if (offer === undefined) return finding;
		const fix = { title: fixCommand(offer), safety: offer.safety, edits: [] };
		// one change removes all findings of a rule: the first has it
		const isFirst = job.hasEdits === true && offer.option === undefined && !isEdited.has(finding.code);
		if (!isFirst) return { ...finding, fix };
		isEdited.add(finding.code);
		const asset = open();
		const edits = asset === undefined ? [] : fixEdits(asset.layer, asset.store, finding.code as RepCode, offer.safety);
		return { ...finding, fix: { ...fix, edits } };
	});
}
