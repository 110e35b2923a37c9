import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { MetadataRegistry } from '@manyworlds/usd/internal';
import { readBytes } from '../../src/files.ts';
import { BAD_NAME, listLayers, parsingFolders } from '../../src/layer-files.ts';
import { registryOf } from '../../src/plug-info.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { textDifference } from '../../src/text-difference.ts';
import { loadClean, toText } from '../../src/usd-io.ts';

/** Inputs that must be read without an error and written as the reference writes them. */
export const parsingGood: Group = {
	name: 'sdf-parsing/good',
	description:
		'text layers are written byte for byte like baseline/NAME, from line 2 on; our own text is a fixed point',
	tolerance: 'none; line 1 is the header, which names the format of its time',
	timeLimit: 30,
	*cases(context: SuiteContext): Generator<Case> {
		const folders = parsingFolders(context.dir);
		for (const layer of listLayers(context.dir)) {
			const folder = dirname(layer.path);
			if (!folders.has(folder) || BAD_NAME.test(basename(layer.path)) || layer.kind !== 'text') continue;
			yield { name: layer.name, run: () => mustRewrite(layer.path, registryOf(folder)) };
		}
	},
};

function mustRewrite(path: string, registry: MetadataRegistry): Outcome {
	const written = toText(loadClean(readBytes(path), path, registry));
	const again = toText(loadClean(written, `${path} (written)`, registry));
	const drift = textDifference(written, again);
	if (drift !== undefined) return `what was written is written otherwise when read again: ${drift}`;
	// OpenUSD keeps no re-write of inputs that its own test left out
	const baseline = join(dirname(path), 'baseline', basename(path));
	if (!existsSync(baseline)) return undefined;
	return textDifference(afterFirstLine(written), afterFirstLine(readBytes(baseline)), 2);
}

function afterFirstLine(bytes: Uint8Array): Uint8Array {
	const end = bytes.indexOf(0x0a);
	return end < 0 ? new Uint8Array(0) : bytes.subarray(end + 1);
}
