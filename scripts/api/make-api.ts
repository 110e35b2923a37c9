/** Writes the reference of all public entries to `docs/api`, from the doc comments. */
import { join } from 'node:path';
import { Application } from 'typedoc';
import { publishedPackages, ROOT } from '../source-files.ts';

const packages = publishedPackages().map((folder) => join(ROOT, folder));
const application = await Application.bootstrap({
	name: 'Manyworlds',
	entryPointStrategy: 'packages',
	entryPoints: packages,
	packageOptions: {
		entryPoints: ['src/index.ts'],
		excludeInternal: true,
		excludePrivate: true,
		// exports that only types of others mention are documented where they are
		validation: { notExported: false },
	},
	out: join(ROOT, 'docs/api'),
	readme: join(ROOT, 'README.md'),
	disableGit: true,
	sourceLinkTemplate: '{path}:{line}',
	githubPages: false,
	hideGenerator: true,
});
const project = await application.convert();
if (project === undefined || application.logger.hasErrors()) process.exit(1);
await application.generateDocs(project, join(ROOT, 'docs/api'));
console.log('docs/api/index.html');
