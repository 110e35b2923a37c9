import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** A text file of the repository, its path relative to the root with forward slashes. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

/** The repository root. */
export const ROOT: string = join(import.meta.dirname, '..');

const SKIPPED = new Set(['node_modules', 'dist', '.tsbuild', '.git', 'golden', 'corpus']);

/** Reads every file below `folder` whose name ends with `ending`, sorted by path. */
export function readSourceFiles(folder: string, ending: string): SourceFile[] {
	const files: SourceFile[] = [];
	const visit = (directory: string): void => {
		for (const entry of readdirSync(directory, { withFileTypes: true })) {
			const path = join(directory, entry.name);
			if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
			else if (entry.isFile() && entry.name.endsWith(ending)) {
				files.push({ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') });
			}
		}
	};
	visit(join(ROOT, folder));
	return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Replaces comments by blanks of the same shape, leaving strings, so that line numbers stay true. */
export function blankComments(text: string): string {
	return text.replace(
		/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g,
		(match) => (match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match),
	);
}

/** Line number from 1 of an offset in a text. */
export function lineOf(text: string, offset: number): number {
	return text.slice(0, offset).split('\n').length;
}

/** Folders of the packages that are published, in the order of their names. */
export function publishedPackages(): string[] {
	const names = readdirSync(join(ROOT, 'packages')).sort();
	const isPrivate = (name: string): boolean =>
		(JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as { private?: boolean })
			.private === true;
	return names.filter((name) => !isPrivate(name)).map((name) => `packages/${name}`);
}
