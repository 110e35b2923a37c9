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
 * that stand before it, and from files beside the folders. Every folder is listed; those of codes are the same in all packages:
 * see {@link foldersOf}.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
	core: ['json', 'math', 'frames', 'xml', 'format'],
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
	'usd/usda': ['patch'],
	'usd/schemas': ['tables'],
	'usd/usd': ['clips', 'edit'],
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
	'image/decode': ['jpeg'],
	formats: ['mjcf', 'sdf', 'urdf'],
	model: ['model', 'kinematics', 'selection', 'snapshot', 'builder', 'finalize', 'namespaces'],
	import: ['mesh', 'urdf', 'mjcf', 'usd'],
	'import/usd': ['resolvers'],
	convert: ['model', 'write', 'gltf', 'from', 'rep-usd'],
	rep158: ['asset', 'geometry', 'ros', 'context', 'shading', 'rules', 'fix', 'report', 'config', 'examples', 'pages'],
	'rep158/fix': ['engine', 'frames', 'layers', 'prims', 'families'],
	'rep158/fix/families': ['f01', 'f05', 'f06', 'f14', 'f32'],
	worlds: ['energy', 'start', 'runner', 'record'],
	sim: ['wasm', 'collision', 'dynamics', 'sap', 'engine'],
	mujoco: ['convert', 'engine', 'save', 'solver'],
	envs: ['terms', 'serve', 'train'],
	scene: ['schema', 'load', 'control'],
	ros: ['msg', 'bus', 'foxglove', 'mcap', 'rosbridge', 'rtps', 'spec', 'controllers', 'robot'],
	'ros/msg': ['definitions'],
	sweep: ['expression', 'sample', 'plan', 'runs', 'result', 'report', 'backend', 'simulate'],
	lsp: ['text', 'outline', 'workspace', 'usda', 'xml', 'yaml'],
	node: ['sweep'],
	manyworlds: ['threads', 'front', 'platform', 'command'],
	'manyworlds/command': ['run', 'check', 'host', 'lsp', 'serve', 'sweep', 'commands'],
	viewer: ['recording', 'files', 'asset', 'view', 'simulation', 'language', 'control', 'panels', 'alone'],
};

/** The folders in a package or in a folder of it, from the foundation up; codes stand before all that reports them. */
export function foldersOf(owner: string): readonly string[] {
	if (owner.endsWith('/codes')) return ['help'];
	const own = FOLDER_ORDER[owner] ?? [];
	return owner.includes('/') ? own : ['codes', ...own];
}

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
	const home = `packages/${facts.name}/src/`;
	problems.push(
		...checkFolders(
			facts.name,
			files.filter((file) => file.path.startsWith(home)),
		),
	);
	return problems;
}

/**
 * Finds folders of a package that are not listed, and folders that lead to one that stands later through files beside them. The files
 * are those below `src`.
 */
export function checkFolders(name: string, files: readonly SourceFile[]): string[] {
	const home = `packages/${name}/src`;
	const imports = new Map(
		files.map((file) => [
			file.path,
			importsOf(file)
				.filter(({ specifier }) => specifier.startsWith('.'))
				.map(({ specifier }) => posix.join(posix.dirname(file.path), specifier)),
		]),
	);
	const found = new Set<string>();
	for (const { path } of files) {
		for (let folder = posix.dirname(path); folder.length > home.length; folder = posix.dirname(folder))
			found.add(folder);
	}
	const problems: string[] = [];
	for (const folder of [...found].sort()) {
		const parent = posix.dirname(folder);
		const order = foldersOf(name + parent.slice(home.length));
		const rank = order.indexOf(posix.basename(folder));
		if (rank < 0) {
			problems.push(`${folder}: not in FOLDER_ORDER of scripts/graph-rules.ts`);
			continue;
		}
		for (const [target, way] of reachedBeside(folder, imports)) {
			if (order.indexOf(target) > rank)
				problems.push(`${folder}: leads to ${target}, which does not stand before it, by ${way.join(', ')}`);
		}
	}
	return problems;
}

/** Folders that a folder leads to through files beside it, with the first way to each. */
function reachedBeside(folder: string, imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
	const parent = posix.dirname(folder);
	const reached = new Map<string, string[]>();
	const seen = new Set<string>();
	const visit = (way: readonly string[]): void => {
		const file = way.at(-1)!;
		for (const target of imports.get(file) ?? []) {
			if (!target.startsWith(`${parent}/`)) continue;
			const [child, ...rest] = target.slice(parent.length + 1).split('/');
			if (rest.length > 0) {
				if (way.length > 1 && !reached.has(child!)) reached.set(child!, [...way, target]);
			} else if (!seen.has(target)) {
				seen.add(target);
				visit([...way, target]);
			}
		}
	};
	for (const file of imports.keys()) if (file.startsWith(`${folder}/`)) visit([file]);
	return reached;
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
	const order = foldersOf(name);
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
