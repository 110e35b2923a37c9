import { quote, Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { joinPackageRelativePath, splitPackageRelativePathOuter } from './package-path.ts';
import { type ReadUsdzOptions, readUsdz, USDZ_LIMITS, type UsdzEntry, type UsdzPackage } from './read-usdz.ts';

/** Packages inside packages that are opened on the way to one member. */
const DEEPEST_NESTING = 32;

/**
 * Finds a file of a package by its path inside it, through packages inside the package if need be:
 * `openPackaged(pkg, 'parts/arm.usdz[meshes/hand.usdc]')`. A path that ends at a package gives the package file itself.
 * Undefined, with a diagnostic, when there is no such file.
 */
export function openPackaged(
	container: UsdzPackage,
	packagedPath: string,
	options: ReadUsdzOptions = {},
): UsdzEntry | undefined {
	const report = options.report ?? new Report();
	let current = container;
	let file = options.file ?? '';
	let rest = packagedPath;
	// one allowance for all packages on the way
	let totalBytes = options.limits?.totalBytes ?? USDZ_LIMITS.totalBytes;
	for (let depth = 0; depth < DEEPEST_NESTING; depth++) {
		const [name, inner] = splitPackageRelativePathOuter(rest);
		const entry = current.find(name);
		if (entry === undefined) {
			const where = file === '' ? {} : { file };
			report.add(createDiagnostic('USDZ017', `there is no member ${quote(name)} in the package`, where));
			return undefined;
		}
		if (inner === '') return entry;
		file = joinPackageRelativePath(file, name);
		current = readUsdz(entry.bytes, { ...options, file, report, limits: { ...options.limits, totalBytes } });
		totalBytes -= current.expandedBytes;
		rest = inner;
	}
	const message = `the path leads through more than ${DEEPEST_NESTING} packages`;
	report.add(createDiagnostic('USDZ004', message, file === '' ? {} : { file }));
	return undefined;
}
