import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LayerData, T } from '@manyworlds/usd';
import { valueIs } from '@manyworlds/usd/internal';
import { readBytes, readJson } from '../../src/files.ts';
import { BAD_NAME, listLayers, parsingFolders } from '../../src/layer-files.ts';
import { registryOf } from '../../src/plug-info.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { describe, firstError, loadLayer, toText } from '../../src/usd-io.ts';

/** Inputs that must be refused with the line and column of an error. */
export const parsingBad: Group = {
	name: 'sdf-parsing/bad',
	description: 'text layers with _bad_ in the name give an error with line and column',
	tolerance: 'none; inputs that OpenUSD itself accepts by now may go either way (data/either-verdict.json)',
	timeLimit: 10,
	*cases(context: SuiteContext): Generator<Case> {
		const folders = parsingFolders(context.dir);
		for (const layer of listLayers(context.dir)) {
			const folder = dirname(layer.path);
			if (!folders.has(folder) || !BAD_NAME.test(basename(layer.path)) || layer.kind !== 'text') continue;
			yield { name: layer.name, run: () => mustRefuse(layer.path, folder) };
		}
	},
};

function mustRefuse(path: string, folder: string): Outcome {
	const registry = registryOf(folder);
	const { data, report } = loadLayer(readBytes(path), path, registry);
	const error = firstError(report);
	if (error !== undefined) {
		const start = error.range?.start;
		if (start !== undefined && start.line >= 1 && start.column >= 1) return undefined;
		return `an error without line and column: ${describe(error)}`;
	}
	if (basename(path).includes('_badwrite_')) {
		// the input may load, but there is no text for it
		try {
			toText(data);
		} catch {
			return undefined;
		}
		return 'was read and written without an error';
	}
	if (mayGoEitherWay(data)) return undefined;
	return 'was read without an error';
}

interface EitherVerdict {
	readonly unregisteredField: string;
	readonly reason: string;
}

/** Whether the layer holds what made the input bad once and is legal by now. */
function mayGoEitherWay(data: LayerData): boolean {
	const list = readJson(fileURLToPath(new URL('../../data/either-verdict.json', import.meta.url))) as EitherVerdict[];
	for (const path of data.paths()) {
		for (const { unregisteredField } of list) {
			if (valueIs(data.field(path, unregisteredField), T.unregistered)) return true;
		}
	}
	return false;
}
