import { type ImportMjcfOptions, type ImportMjcfResult, importMjcf } from '@manyworlds/import';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';

/** An import of a text, with other files by name. */
export interface Imported extends ImportMjcfResult {
	readonly builder: ModelBuilder;
	readonly codes: readonly string[];
	model(): Model;
}

/** Imports a model; `main` is the content of `<mujoco>`, or a whole document when it begins with that. */
export function importText(
	main: string,
	options: ImportMjcfOptions & {
		readonly files?: Readonly<Record<string, string>>;
		readonly builder?: ModelBuilder;
	} = {},
): Imported {
	const { files = {}, builder = new ModelBuilder(), ...rest } = options;
	const text = main.trimStart().startsWith('<mujoco') ? main : `<mujoco>${main}</mujoco>`;
	const result = importMjcf(text, builder, {
		store: new MemoryStore(files),
		file: 'robot.xml',
		...rest,
	});
	const codes = result.report.toArray().map(({ code }) => code);
	return { ...result, builder, codes, model: () => builder.finalize() };
}

/** Numbers of a typed array as a list. */
export function list(values: ArrayLike<number>): number[] {
	return Array.from(values);
}
