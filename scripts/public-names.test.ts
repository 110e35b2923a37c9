import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PublicName, readPublicSurface } from './public-names.ts';
import { publishedPackages, ROOT } from './source-files.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const packages = publishedPackages().map((folder) => folder.slice('packages/'.length));
const surface = readPublicSurface(packages, read);
const keyOf = ({ file, name }: PublicName): string => `${file}#${name}`;
const shown = ({ owner, kind, name }: PublicName): string => `${owner}: ${kind} ${name}`;

/** Names that other packages, suites and programs import from each package. */
const imported = new Map<string, Set<string>>(packages.map((owner) => [owner, new Set()]));
/** Words of the programs and pieces of code that users are shown. */
const written = new Set<string>();

const files = execFileSync('git', ['ls-files', '*.ts', '*.md', '*.mjs', '*.html'], { cwd: ROOT, encoding: 'utf8' });
for (const file of files.trim().split('\n')) {
	const isForUsers = /^(?:docs\/guide|examples)\/|^(?:packages\/\w+\/)?README\.md$/.test(file);
	if (!existsSync(join(ROOT, file)) || !(isForUsers || file.endsWith('.ts'))) continue;
	const text = read(file);
	if (isForUsers) {
		// tables of READMEs name all there is, so that only their programs count
		const code = file.endsWith('README.md')
			? /^```[\s\S]*?^```/gm
			: file.endsWith('.md')
				? /^```[\s\S]*?^```|`[^`\n]+`/gm
				: /[\s\S]+/g;
		for (const part of text.match(code) ?? []) for (const word of part.match(/\w+/g) ?? []) written.add(word);
	}
	for (const [, names = '', specifier = ''] of text.matchAll(
		/\{([^{}]*)\}(?: from | = await import\()'((?:@manyworlds\/)?\w+)'/g,
	)) {
		const owner = specifier.replace('@manyworlds/', '');
		if (file.startsWith(`packages/${owner}/`)) continue;
		for (const name of names.split(',')) {
			imported.get(owner)?.add(
				name
					.trim()
					.replace(/^type /, '')
					.split(/ as |:/)[0]!
					.trim(),
			);
		}
	}
}

/** Whether somebody outside the package uses a name, or is shown how to. */
function isUsed({ owner, name }: PublicName): boolean {
	return imported.get(owner)!.has(name) || written.has(name);
}

describe('public entries', () => {
	test('export functions, classes and constants that somebody uses or is shown how to', () => {
		const unused = surface.names.filter((one) => {
			const { kind, name, doc, owner } = one;
			if (kind === 'type' || isUsed(one) || doc.includes('@example')) return false;
			// defaults stand beside the options that they are of
			if (kind === 'constant' && name.endsWith('_DEFAULTS')) return false;
			// the numbers of a closed set, whose type some signature has
			if (kind === 'constant' && surface.reachable.get(owner)!.has(keyOf(one))) return false;
			// errors are told apart by their class
			return !(kind === 'class' && name.endsWith('Error'));
		});
		expect(unused.map(shown)).toEqual([]);
	});

	test('export types that a public signature or a type in use leads to', () => {
		const fine = new Set([...surface.reachable.values()].flatMap((keys) => [...keys]));
		// a type that is in use brings its parts
		for (const one of surface.names) if (isUsed(one)) for (const key of [keyOf(one), ...one.mentions]) fine.add(key);
		const unused = surface.names.filter((one) => one.kind === 'type' && !fine.has(keyOf(one)));
		expect(unused.map(shown)).toEqual([]);
	});

	test('export the types of what public functions take and give', () => {
		const known = new Set(surface.names.map(keyOf));
		const missing = surface.names
			.filter(({ kind }) => kind === 'function')
			.flatMap((one) => [...one.mentions].filter((key) => !known.has(key)).map((key) => `${shown(one)}: ${key}`));
		expect(missing).toEqual([]);
	});

	test('export nothing without a doc comment', () => {
		expect(surface.names.filter(({ doc }) => doc === '').map(shown)).toEqual([]);
	});
});

test('signatures are followed, what is private or only inside is not', () => {
	const texts: Record<string, string> = {
		'packages/a/src/index.ts': "export { make, type Made } from './make.ts';\nexport type { Lost } from './types.ts';",
		'packages/a/src/make.ts': `import type { Hidden, Lost, Part } from './types.ts';
			/** Makes one. */
			export function make(options: Options = {}): Made { const inside: Lost = {}; return new Made(); }
			export interface Options { readonly part?: Part }
			/** What is made. */
			export class Made { #hidden: Hidden | undefined; readonly size: number = 0; }`,
		'packages/a/src/types.ts': `export interface Part { readonly x: number }
			export interface Hidden { readonly y: number }
			/** Nobody leads here. */
			export interface Lost { readonly z?: number }`,
	};
	const { names, reachable } = readPublicSurface(['a'], (path) => texts[path]!);
	expect(names.map(({ name, kind, doc }) => [name, kind, doc.trim()])).toEqual([
		['make', 'function', '* Makes one.'],
		['Made', 'type', '* What is made.'],
		['Lost', 'type', '* Nobody leads here.'],
	]);
	expect([...names[0]!.mentions]).toEqual(['packages/a/src/make.ts#Options', 'packages/a/src/make.ts#Made']);
	expect([...reachable.get('a')!].sort()).toEqual([
		'packages/a/src/make.ts#Made',
		'packages/a/src/make.ts#Options',
		'packages/a/src/types.ts#Part',
	]);
});
