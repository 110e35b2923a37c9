import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, findCycles, type PackageFacts } from './graph-rules.ts';
import { ROOT, readSourceFiles } from './source-files.ts';

interface Manifest {
	readonly dependencies?: Record<string, string>;
	readonly peerDependencies?: Record<string, string>;
	readonly devDependencies?: Record<string, string>;
}

interface Project {
	readonly compilerOptions?: { readonly types?: string[]; readonly lib?: string[] };
}

function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
}

function readFacts(name: string): PackageFacts {
	const manifest = readJson<Manifest>(`packages/${name}/package.json`);
	const base = readJson<Project>('tsconfig.base.json').compilerOptions;
	const own = readJson<Project>(`packages/${name}/tsconfig.json`).compilerOptions;
	return {
		name,
		dependencies: new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })),
		types: own?.types ?? base?.types ?? ['(all)'],
		lib: own?.lib ?? base?.lib ?? ['(default)'],
	};
}

const testDependencies = new Set(Object.keys(readJson<Manifest>('package.json').devDependencies ?? {}));
const problems: string[] = [];
let fileCount = 0;
for (const name of readdirSync(join(ROOT, 'packages')).sort()) {
	const sources = readSourceFiles(`packages/${name}/src`, '.ts');
	const tests = readSourceFiles(`packages/${name}/test`, '.ts');
	fileCount += sources.length + tests.length;
	const own = Object.keys(readJson<Manifest>(`packages/${name}/package.json`).devDependencies ?? {});
	const forTests = new Set([...testDependencies, ...own]);
	problems.push(...checkPackage(readFacts(name), [...sources, ...tests], forTests), ...findCycles(sources));
}
for (const problem of problems) console.error(problem);
console.log(`import graph: ${fileCount} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
