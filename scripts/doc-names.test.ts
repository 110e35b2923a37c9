import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedPackages, ROOT } from './source-files.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const tracked = (...patterns: string[]): string[] =>
	execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
		.trim()
		.split('\n')
		.filter((file) => existsSync(join(ROOT, file)));

interface Manifest {
	readonly name: string;
	readonly exports: Readonly<Record<string, { readonly '@manyworlds/source'?: string } | string>>;
}

/** Names that each entry of each package exports, by how it is imported. */
const entries = new Map<string, ReadonlySet<string>>();
for (const folder of publishedPackages()) {
	const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest;
	for (const [entry, target] of Object.entries(manifest.exports)) {
		if (typeof target === 'string' || target['@manyworlds/source'] === undefined) continue;
		const text = read(join(folder, target['@manyworlds/source']));
		entries.set(join(manifest.name, entry), new Set([...listedIn(text), ...declaredIn(text)]));
	}
}
/** Names that users may import. */
const known = new Set(
	[...entries].filter(([module]) => !module.endsWith('/internal')).flatMap(([, names]) => [...names]),
);

function listedIn(text: string): string[] {
	return [...text.matchAll(/export(?: type)? \{([^}]*)\}/g)].flatMap(([, list = '']) =>
		list.split(',').map((name) => nameOf(name, -1)),
	);
}

function declaredIn(text: string): string[] {
	const declarations = /^export (?:abstract )?(?:async )?(?:function|class|const|type|interface) (\w+)/gm;
	return [...text.matchAll(declarations)].map((match) => match[1]!);
}

/** The name of an entry of a list, as it is called inside (0) or outside (-1). */
function nameOf(item: string, side: 0 | -1): string {
	return item
		.trim()
		.replace(/^type /, '')
		.split(' as ')
		.at(side)!;
}

const pages = tracked('README.md', 'packages/*/README.md', 'docs/guide/*.md', 'examples/*.md');
const sources = tracked('packages/*/src/*.ts').map((file) => ({ file, text: read(file) }));
const words = new Set(sources.flatMap(({ text }) => text.match(/\w+/g) ?? []));
const methods = new Set(
	sources.flatMap(({ text }) => [...text.matchAll(/^\t(?:get |async )?(\w+)[(<]/gm)].map(([, name]) => name!)),
);

describe('names in documents', () => {
	test.each(pages)('%s imports what there is', (page) => {
		const wrong: string[] = [];
		for (const [block] of read(page).matchAll(/^```(?:ts|js|html)\n[\s\S]*?^```/gm)) {
			for (const [, list = '', module = ''] of block.matchAll(
				/import(?: type)? \{([^}]*)\} from '((?:@manyworlds\/|manyworlds)[^']*)'/g,
			)) {
				const names = entries.get(module);
				if (names === undefined) wrong.push(`there is no '${module}'`);
				for (const item of list.split(',')) {
					const name = nameOf(item, 0);
					if (name !== '' && names?.has(name) === false) wrong.push(`'${module}' has no ${name}`);
				}
			}
		}
		expect(wrong).toEqual([]);
	});

	test.each(pages.filter((page) => /^packages\/\w+\/README\.md$/.test(page)))(
		'%s names what its package has',
		(page) => {
			const folder = `${dirname(page)}/src/`;
			const declared = new Set(
				sources.filter(({ file }) => file.startsWith(folder)).flatMap(({ text }) => declaredIn(text)),
			);
			const isApplication = !publishedPackages().includes(dirname(page));
			const wrong = [
				...read(page)
					.replaceAll(/^```[\s\S]*?^```|^.*\/internal`.*$/gm, '')
					.matchAll(/`([A-Za-z]\w*)(?:\(\))?`/g),
			]
				.map((match) => match[1]!)
				.filter((name) => /[a-z][A-Z]|^[A-Z][a-z]|^[A-Z]+_[A-Z]/.test(name))
				// what is declared here must be for users; all else is the name of something at least
				.filter(
					(name) => !known.has(name) && (declared.has(name) ? !methods.has(name) && !isApplication : !words.has(name)),
				);
			expect([...new Set(wrong)]).toEqual([]);
		},
	);
});
