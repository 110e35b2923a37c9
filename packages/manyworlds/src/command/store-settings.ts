import type { FileStoreOptions } from '@manyworlds/node';
import type { CommandContext } from './command-context.ts';

/** What stores of all commands have in common: how files are named, where findings go, what refusals advise. */
export function storeSettings(context: CommandContext): Omit<FileStoreOptions, 'roots'> {
	return {
		report: context.findings,
		displayName: (file) => context.display(file),
		hints: {
			outside: '; --root DIR allows one more',
			unknownPackage: (name) => `; name its folder with --package ${name || 'NAME'}=DIR`,
		},
		onRead: (file, size) => context.progress.step(`reading ${context.display(file)}`, size),
	};
}
