import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

/** An entry of `packages` in package-lock.json. */
export interface LockEntry {
	version?: string;
	integrity?: string;
	cpu?: string[];
	os?: string[];
	libc?: string[];
	dev?: boolean;
	optional?: boolean;
	optionalDependencies?: Record<string, string>;
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = 'arm64 arm x64 ia32 ppc64 s390x riscv64 loong64 mips64el wasm32'.split(' ');

/**
 * Adds the platform packages that the registry did not offer when the lock was written. A registry that mirrors one platform makes npm
 * leave the others out, and `npm ci` then takes the lock for stale, on that platform too. Gives the names added.
 */
export function completeLock(packages: Record<string, LockEntry>): string[] {
	const added: string[] = [];
	for (const [path, entry] of Object.entries(packages)) {
		for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
			const platform = platformOf(name);
			const key = `node_modules/${name}`;
			if (platform === undefined || packages[key] !== undefined || packages[`${path}/${key}`] !== undefined) continue;
			packages[key] = sortKeys({ version, ...platform, ...(entry.dev === true && { dev: true }), optional: true });
			added.push(name);
		}
	}
	return added;
}

/** Reads system and processor from a package name such as `@scope/cli-linux-x64-musl`; undefined when it names none. */
export function platformOf(name: string): Pick<LockEntry, 'cpu' | 'os' | 'libc'> | undefined {
	const words = name.split(/[/-]/);
	const os = words.find((word) => SYSTEMS.includes(word));
	const cpu = words.find((word) => PROCESSORS.includes(word));
	if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
	const libc = words.includes('musl') ? 'musl' : os === 'linux' && words.includes('gnu') ? 'glibc' : undefined;
	return { cpu: [cpu], ...(os !== undefined && { os: [os] }), ...(libc !== undefined && { libc: [libc] }) };
}

/** As npm writes an entry: the version, then the rest by name. */
function sortKeys({ version, ...rest }: LockEntry): LockEntry {
	const sorted = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
	return { ...(version !== undefined && { version }), ...Object.fromEntries(sorted) };
}

if (process.argv[1] === import.meta.filename) {
	const path = join(ROOT, 'package-lock.json');
	const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockEntry> };
	const added = completeLock(lock.packages);
	const isCheck = process.argv.includes('--check');
	if (added.length > 0 && !isCheck) {
		lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
		writeFileSync(path, `${JSON.stringify(lock, null, '\t')}\n`);
	}
	if (added.length > 0 && isCheck) process.exitCode = 1;
	const state = !isCheck ? 'added' : added.length > 0 ? 'missing, run npm run fix:lock' : 'missing';
	console.log(`package-lock.json: ${added.length} platform packages ${state}`);
}
