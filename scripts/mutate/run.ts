/** `npm run mutate -- PACKAGE`: changes the sources of a package in small ways and lists the changes that no test notices. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, readSourceFiles } from '../source-files.ts';
import { bundleTests, needsOutside } from './bundle-tests.ts';
import { copyTree } from './copy-tree.ts';
import { draw } from './draw.ts';
import { isAbout, readEquivalents } from './equivalent.ts';
import { findMutants } from './find-mutants.ts';
import { judgeMutants } from './judge-mutants.ts';
import { formatReport, toJson } from './report.ts';

const USAGE =
	'npm run mutate -- PACKAGE [--files GLOB] [--count N] [--seed N] [--tests GLOB] [--budget SECONDS] [--jobs N] [--json]';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		files: { type: 'string', default: 'src/**' },
		count: { type: 'string', default: '200' },
		seed: { type: 'string', default: '1' },
		tests: { type: 'string' },
		budget: { type: 'string', default: '15' },
		jobs: { type: 'string', default: String(availableParallelism()) },
		json: { type: 'boolean', default: false },
	},
});
const [name] = positionals;
if (name === undefined || positionals.length !== 1) {
	console.error(USAGE);
	process.exit(2);
}

const log = (line: string): void => console.error(line);
const equivalents = readEquivalents();

const folder = `packages/${name}`;
const sources = readSourceFiles(`${folder}/src`, '.ts').filter(({ path }) =>
	matchesGlob(path, `${folder}/${values.files}`),
);
const candidates = sources.map(({ path, text }) => {
	const lines = text.split('\n');
	return findMutants(path, text).filter((mutant) => !equivalents.some((entry) => isAbout(entry, mutant, lines)));
});
const drawn = draw(candidates, Number(values.count), Number(values.seed)).map((mutant, i) => ({
	...mutant,
	id: i + 1,
}));
log(`${drawn.length} of ${candidates.flat().length} mutants in ${sources.length} files, seed ${values.seed}`);

// a folder of its own, so that nothing lies beside the copy
const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'mutate-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
const root = join(scratch, 'tree');
copyTree(ROOT, root);
const mutated = new Set(drawn.map(({ file }) => file));
// tests of other packages would notice more, but a package should hold by itself
const testGlobs = values.tests === undefined ? [`${folder}/test/**`, 'conformance/test/**'] : [values.tests];
const all = ['packages', 'conformance', 'scripts']
	.flatMap((place) => readSourceFiles(place, '.test.ts'))
	.map(({ path }) => path)
	.filter((path) => testGlobs.some((glob) => matchesGlob(path, glob)));
const bundle = await bundleTests(root, all, drawn);
const tests = bundle.tests.filter(
	(test) => !needsOutside(test) && [...test.inputs].some((input) => mutated.has(input)),
);
const verdicts = await judgeMutants({
	root,
	bundle,
	tests,
	mutants: drawn,
	jobs: Number(values.jobs),
	budget: Number(values.budget) * 1000,
	log,
});
console.log(values.json ? JSON.stringify(toJson(verdicts), null, '\t') : formatReport(verdicts));
process.exit(0);
