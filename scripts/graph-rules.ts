import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { blankComments, lineOf, type SourceFile } from './source-files.ts';

/** The packages from the foundation up: a package may import only those that stand before it. */
export const PACKAGE_ORDER: readonly string[] = [
	'core',
	'usd',
	'mesh',
	'image',
	'formats',
	'model',
	'import',
	'convert',
	'rep158',
	'worlds',
	'sim',
	'mujoco',
	'sensors',
	'envs',
	'scene',
	'ros',
	'sweep',
	'lsp',
	'node',
	'manyworlds',
	'viewer',
];

/** Packages that may use a platform: what needs Node, the web application and the command. All others run anywhere. */
export const PLATFORM_PACKAGES: ReadonlySet<string> = new Set(['node', 'viewer', 'manyworlds']);

/** Packages that may use modules of Node. */
const NODE_PACKAGES: ReadonlySet<string> = new Set(['node', 'manyworlds']);

/**
 * The folders of packages, and of folders in them, from the foundation up: a file may import only from its own folder, from those
 * that stand before it, and from files beside the folders. Folders that are not listed are free.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
	core: ['json', 'math', 'frames', 'xml', 'format'],
	mesh: [
		'bvh',
		'create',
		'geometry',
		'mass',
		'subdivide',
		'hull',
		'topology',
		'bounds',
		'simplify',
		'read',
		'decompose',
	],
	image: ['decode', 'info', 'encode'],
	formats: ['mjcf', 'sdf', 'urdf'],
	model: ['model', 'kinematics', 'selection', 'snapshot', 'builder'],
	convert: ['model', 'from', 'rep-usd'],
	worlds: ['start', 'runner', 'record'],
	sim: ['wasm', 'collision', 'dynamics', 'sap', 'engine'],
	mujoco: ['convert', 'engine', 'save', 'solver'],
	envs: ['terms', 'serve', 'train'],
	ros: ['msg', 'bus', 'foxglove', 'mcap', 'rosbridge', 'rtps', 'robot'],
	sweep: ['expression', 'plan', 'runs', 'result', 'report', 'backend', 'simulate'],
	lsp: ['text', 'usda', 'xml', 'yaml'],
	manyworlds: ['threads', 'front', 'platform', 'command'],
	viewer: ['asset', 'files', 'view', 'simulation', 'language', 'control', 'panels'],
	usd: [
		'text',
		'sdf',
		'usda',
		'usdc',
		'usdz',
		'ar',
		'dependencies',
		'pcp',
		'schemas',
		'usd',
		'views',
		'inspect',
		'convert',
	],
	rep158: ['asset', 'context', 'geometry', 'ros', 'shading', 'rules', 'fix', 'report', 'config'],
	'rep158/fix': ['engine', 'frames', 'layers', 'prims', 'families'],
	import: ['mesh', 'urdf', 'mjcf', 'usd'],
	scene: ['schema', 'load', 'control'],
};

/** What the rules need to know about a package. */
export interface PackageFacts {
	readonly name: string;
	readonly dependencies: ReadonlySet<string>;
	/** `types` of its tsconfig and `lib` of the same, as written. */
	readonly types: readonly string[];
	readonly lib: readonly string[];
}

const SCOPE = '@manyworlds/';
/** The package without a scope. */
const FRONT_DOOR = 'manyworlds';
/** Entries beside the public one: what is written about codes, and what only our own packages, tools and suites use. */
const SIDE_ENTRIES: ReadonlySet<string> = new Set(['codes', 'config', 'internal', 'webp']);
const IMPORT =
	/(?<!['"`.\w$])(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1|(?<!['"`.\w$])import\s*\(?\s*(['"])(.+?)\3/g;
const FORBIDDEN =
	/(?<![.\w$]|\w-)(?:(?:process|Buffer|window|document|console|navigator|localStorage|require)\s*[.(]|globalThis\b|new Function\b|eval\s*\(|declare\s+global\b)|@ts-(?:ignore|expect-error|nocheck)|\/\/\/\s*<reference\b/g;

/** Checks one package: what its sources and tests import, and that nothing ties its sources to a platform. */
export function checkPackage(
	facts: PackageFacts,
	files: readonly SourceFile[],
	testDependencies: ReadonlySet<string>,
): string[] {
	const problems: string[] = [];
	const rank = PACKAGE_ORDER.indexOf(facts.name);
	const isPlatformFree = !PLATFORM_PACKAGES.has(facts.name);
	if (rank < 0) return [`packages/${facts.name}: not in PACKAGE_ORDER of scripts/graph-rules.ts`];
	if (isPlatformFree && (facts.types.length > 0 || facts.lib.some((lib) => !/^es\d+/i.test(lib)))) {
		problems.push(`packages/${facts.name}/tsconfig.json: a platform-free package has types [] and no lib but ES`);
	}

	for (const file of files) {
		const isTest = file.path.startsWith(`packages/${facts.name}/test/`);
		const allowed = isTest ? new Set([...facts.dependencies, ...testDependencies]) : facts.dependencies;
		for (const { specifier, line } of importsOf(file)) {
			const problem = checkImport({ facts, rank, file, isTest, allowed, specifier });
			if (problem !== undefined) problems.push(`${file.path}:${line}: ${problem}`);
		}
		if (isPlatformFree && !isTest) problems.push(...platformUses(file));
	}
	return problems;
}

/** Lists the modules that a file imports or re-exports, with line numbers. */
export function importsOf(file: SourceFile): { readonly specifier: string; readonly line: number }[] {
	const code = blankComments(file.text);
	return [...code.matchAll(IMPORT)].map((match) => ({
		specifier: match[2] ?? match[4] ?? '',
		line: lineOf(code, match.index),
	}));
}

/** Finds circles of imports between files that exist at run time; type-only imports do not count. */
export function findCycles(files: readonly SourceFile[]): string[] {
	const edges = new Map<string, string[]>();
	for (const file of files) {
		const code = blankComments(file.text).replace(/\b(?:import|export)\s+type\b[^'"`;]*?\bfrom\s*(['"]).+?\1/g, '');
		const targets = importsOf({ path: file.path, text: code }).filter((i) => i.specifier.startsWith('.'));
		edges.set(
			file.path,
			targets.map((i) => posix.join(posix.dirname(file.path), i.specifier)),
		);
	}
	const state = new Map<string, 'open' | 'done'>();
	const cycles: string[] = [];
	const visit = (path: string, trail: readonly string[]): void => {
		if (state.get(path) === 'done') return;
		if (state.get(path) === 'open') {
			cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
			return;
		}
		state.set(path, 'open');
		for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
		state.set(path, 'done');
	};
	for (const path of edges.keys()) visit(path, []);
	return cycles.map((cycle) => `import cycle: ${cycle}`);
}

interface ImportCase {
	readonly facts: PackageFacts;
	readonly rank: number;
	readonly file: SourceFile;
	readonly isTest: boolean;
	readonly allowed: ReadonlySet<string>;
	readonly specifier: string;
}

function checkImport({ facts, rank, file, isTest, allowed, specifier }: ImportCase): string | undefined {
	if (specifier.startsWith('.')) {
		const target = posix.join(posix.dirname(file.path), specifier);
		const home = isTest ? `packages/${facts.name}/` : `packages/${facts.name}/src/`;
		if (!target.startsWith(home)) return `'${specifier}' leaves ${home}`;
		return isTest ? undefined : wrongDirection(facts.name, file.path.slice(home.length), target.slice(home.length));
	}
	// names of the package's own import map
	if (specifier.startsWith('#')) return undefined;
	if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
		if (isTest || NODE_PACKAGES.has(facts.name)) return undefined;
		return `'${specifier}' ties a platform-free package to Node`;
	}
	const parts = specifier.split('/');
	const dependency = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
	if (dependency.startsWith(SCOPE) || dependency === FRONT_DOOR) {
		const other = dependency.replace(SCOPE, '');
		const entry = parts.slice(2).join('/');
		if (entry !== '' && !SIDE_ENTRIES.has(entry))
			return `'${specifier}' reaches into another package; import '${dependency}'`;
		if (other === facts.name) return isTest ? undefined : `'${specifier}' imports its own package`;
		if (PACKAGE_ORDER.indexOf(other) >= rank)
			return `'${specifier}' does not stand before ${facts.name} in the package order`;
	}
	return allowed.has(dependency) ? undefined : `'${dependency}' is not in the dependencies of packages/${facts.name}`;
}

/** Why a file must not import another one of its package; undefined when it may. Both are paths below `src`. */
function wrongDirection(name: string, from: string, to: string): string | undefined {
	const order = FOLDER_ORDER[name] ?? [];
	const [own, other] = [from, to].map((path) => path.slice(0, Math.max(path.indexOf('/'), 0))) as [string, string];
	const isWrong = order.includes(own) && order.indexOf(other) > order.indexOf(own);
	if (isWrong) return `the folder ${other} does not stand before ${own} in ${name}`;
	return own === other && own !== ''
		? wrongDirection(`${name}/${own}`, from.slice(own.length + 1), to.slice(own.length + 1))
		: undefined;
}

function platformUses(file: SourceFile): string[] {
	// comments stay in: compiler directives live there
	const code = blankComments(file.text);
	const problems: string[] = [];
	for (const match of file.text.matchAll(FORBIDDEN)) {
		const name = /^[a-zA-Z]\w*(?=\s*[.(]$)/.exec(match[0])?.[0];
		if (name !== undefined && declares(code, name)) continue;
		const isDirective = match[0].startsWith('@ts-') || match[0].startsWith('///');
		if (!isDirective && code.slice(match.index, match.index + match[0].length) !== match[0]) continue;
		problems.push(`${file.path}:${lineOf(file.text, match.index)}: '${match[0].trim()}' in a platform-free package`);
	}
	return problems;
}

/** Whether a file has a variable, parameter or import of its own with the name of a platform's global. */
function declares(code: string, name: string): boolean {
	return new RegExp(`\\b(?:const|let|function|class)\\s+${name}\\b|[({,]\\s*${name}\\s*[:,)}=?]`).test(code);
}
