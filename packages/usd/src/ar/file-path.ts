/**
 * Arithmetic on file paths with forward slashes, for any platform: relative (`a/b`), absolute (`/a/b`, `C:/a/b`).
 */

/** The folder that a file is in, '' for the current one; keeps a leading slash. */
export function folderOf(file: string): string {
	const slash = file.lastIndexOf('/');
	return slash < 0 ? '' : file.slice(0, slash === 0 ? 1 : slash);
}

/** The last part of a path. */
export function baseName(file: string): string {
	return file.slice(file.lastIndexOf('/') + 1);
}

/** Whether a path starts at a root: `/a`, `C:/a`, `C:\a`. */
export function isAbsoluteFile(path: string): boolean {
	return /^(?:[A-Za-z]:)?[/\\]/.test(path);
}

/** Whether a path names a scheme, such as `https://host/a.usd` or `package://robot/a.usd`. Drive letters are none. */
export function isUri(path: string): boolean {
	return /^[A-Za-z][A-Za-z0-9+.-]+:/.test(path);
}

/** `path` seen from `folder`, without `.` and with `..` resolved where something precedes it. */
export function joinFile(folder: string, path: string): string {
	const text = isAbsoluteFile(path) || folder === '' ? path : `${folder}/${path}`;
	const root = /^(?:[A-Za-z]:)?\//.exec(text)?.[0] ?? '';
	const parts: string[] = [];
	for (const part of text.slice(root.length).split('/')) {
		if (part === '' || part === '.') continue;
		if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
		else if (part !== '..' || root === '') parts.push(part);
	}
	return root + parts.join('/');
}

/** How to name `file` from inside `folder`: `x/y`, `../x`. Both must start at the same place. */
export function relativeFile(folder: string, file: string): string {
	const from = folder.split('/').filter((part) => part !== '');
	const to = file.split('/').filter((part) => part !== '');
	let common = 0;
	while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
	return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
