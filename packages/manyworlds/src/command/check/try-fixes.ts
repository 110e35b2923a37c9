import type { Diagnostic } from '@manyworlds/core';
import { fixCommand, offerFixes } from '@manyworlds/rep158';
import { isPackageRelativePath } from '@manyworlds/usd/internal';
import { CommandContext } from '../command-context.ts';
import { openRootLayer } from '../open-stage.ts';
import { type CheckJob, silentIo } from './check-job.ts';

/** Findings with the command that removes them, where one does. By itself, so that a check that does not ask for it loads no fixer. */
export async function tryFixes(
	file: string,
	job: CheckJob,
	findings: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
	const { loadWebpCodec } = await import('#platform');
	const offers = offerFixes(
		findings,
		(files) => {
			const opened = openRootLayer(new CommandContext(silentIo(job)), file, job.stage, files);
			// what lies in a package cannot be written
			if (opened === undefined || isPackageRelativePath(opened.layer.identifier)) return undefined;
			return { root: opened.layer, store: opened.store };
		},
		{ check: job.check, codecs: { webp: await loadWebpCodec() } },
	);
	return findings.map((finding) => {
		const offer = offers.get(finding);
		if (offer === undefined) return finding;
		return { ...finding, fix: { title: fixCommand(offer), safety: offer.safety, edits: [] } };
	});
}
