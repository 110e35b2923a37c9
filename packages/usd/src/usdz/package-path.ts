/**
 * Paths of files inside packages: `robot.usdz[meshes/arm.usd]`, and for a package in a package
 * `outer.usdz[inner.usdz[arm.usd]]`. Brackets that belong to a name are escaped with a backslash, as in OpenUSD's Ar.
 */

/** Whether `path` names a file inside a package. */
export function isPackageRelativePath(path: string): boolean {
	return path.endsWith(']') && openingOf(path, path.length - 1) >= 0;
}

/**
 * Joins the path of a package and the paths of members, each inside the one before. Empty pieces are left out.
 *
 * `joinPackageRelativePath('a.usdz', 'b.usdz', 'c.usd')` is `a.usdz[b.usdz[c.usd]]`.
 */
export function joinPackageRelativePath(...pieces: readonly string[]): string {
	const [first, ...rest] = pieces.filter((piece) => piece !== '');
	if (first === undefined) return '';
	let path = first;
	let at = path.length;
	while (path[at - 1] === ']') at--;
	for (const piece of rest) {
		const inserted = `[${escapePackagePart(piece)}]`;
		path = path.slice(0, at) + inserted + path.slice(at);
		at += inserted.length - 1;
	}
	return path;
}

/** The outermost package and the path inside it: `a.usdz[b.usdz[c]]` gives `a.usdz` and `b.usdz[c]`. The second is '' for other paths. */
export function splitPackageRelativePathOuter(path: string): [packagePath: string, packagedPath: string] {
	const open = path.endsWith(']') ? openingOf(path, path.length - 1) : -1;
	if (open < 0) return [path, ''];
	return [path.slice(0, open), unescapePackagePart(path.slice(open + 1, -1))];
}

/** The innermost member and the package it is in: `a.usdz[b.usdz[c]]` gives `a.usdz[b.usdz]` and `c`. The second is '' for other paths. */
export function splitPackageRelativePathInner(path: string): [packagePath: string, packagedPath: string] {
	const close = innermostClose(path);
	const open = close < 0 ? -1 : openingOf(path, close);
	if (open < 0) return [path, ''];
	return [path.slice(0, open) + path.slice(close + 1), unescapePackagePart(path.slice(open + 1, close))];
}

/** Index of the innermost closing bracket at the end of `path`, -1 without one. */
function innermostClose(path: string): number {
	if (!path.endsWith(']')) return -1;
	let at = path.length;
	while (path[at - 1] === ']') at--;
	// an escaped bracket belongs to the name
	return path[at - 1] === '\\' && at + 1 < path.length ? at + 1 : path[at - 1] === '\\' ? -1 : at;
}

/** Index of the bracket that the one at `close` closes, -1 without one. */
function openingOf(path: string, close: number): number {
	let needed = 1;
	for (let i = close - 1; i >= 0; i--) {
		const character = path[i];
		if ((character !== '[' && character !== ']') || path[i - 1] === '\\') continue;
		needed += character === '[' ? -1 : 1;
		if (needed === 0) return i;
	}
	return -1;
}

/** Escapes brackets of the part in front of a packaged path, whose own brackets are escaped already. */
function escapePackagePart(path: string): string {
	const end = packagePartEnd(path);
	return path.slice(0, end).replaceAll('[', '\\[').replaceAll(']', '\\]') + path.slice(end);
}

function unescapePackagePart(path: string): string {
	const end = packagePartEnd(path);
	return path.slice(0, end).replaceAll('\\[', '[').replaceAll('\\]', ']') + path.slice(end);
}

function packagePartEnd(path: string): number {
	const open = path.endsWith(']') ? openingOf(path, path.length - 1) : -1;
	return open < 0 ? path.length : open;
}
