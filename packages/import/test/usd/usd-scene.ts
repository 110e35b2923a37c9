import { Report } from '@manyworlds/core';
import { type Model, ModelBuilder, type ModelBuilderOptions } from '@manyworlds/model';
import { Layer, readUsda, Stage, type StageOptions } from '@manyworlds/usd';
import { type ImportUsdOptions, type ImportUsdResult, importUsd } from '../../src/index.ts';

/** Texts of layers as a stage; the first is the root. They name each other by their keys. */
export function openUsd(texts: Readonly<Record<string, string>> | string): Stage {
	const files = typeof texts === 'string' ? { 'root.usda': texts } : texts;
	const layers = new Map<string, Layer>();
	for (const [name, text] of Object.entries(files)) {
		const report = new Report();
		// statements end with their line, which short tests spare
		const source = (text.startsWith('#usda') ? text : `#usda 1.0\n(\n\tmetersPerUnit = 1\n)\n${text}`)
			.replace(/ \}/g, '\n}')
			.replace(/\}(?=\})/g, '}\n');
		const data = readUsda(new TextEncoder().encode(source), { file: name, report });
		if (report.hasErrors) throw new Error(`${name}: ${report.toArray()[0]!.message}`);
		layers.set(name, new Layer(name, data));
	}
	const store: NonNullable<StageOptions['store']> = {
		identify: (assetPath) => ({ identifier: assetPath.replace(/^\.\//, '') }),
		layer: (identifier) => layers.get(identifier) ?? { failure: 'there is no such layer' },
		exists: (identifier) => layers.has(identifier),
	};
	return Stage.open([...layers.values()][0]!, { store });
}

/** An imported stage with its builder. */
export interface Imported {
	readonly builder: ModelBuilder;
	readonly result: ImportUsdResult;
	/** Codes and prims of diagnostics: `IMP040 /Body.physics:mass`. */
	readonly findings: readonly string[];
	model(): Model;
}

/** Imports texts into a new builder. */
export function importText(
	texts: Readonly<Record<string, string>> | string,
	options: ImportUsdOptions = {},
	builderOptions: ModelBuilderOptions = {},
): Imported {
	const builder = new ModelBuilder(builderOptions);
	const result = importUsd(openUsd(texts), builder, options);
	const findings = result.report.toArray().map(({ code, prim }) => (prim === undefined ? code : `${code} ${prim}`));
	return { builder, result, findings, model: () => builder.finalize() };
}
