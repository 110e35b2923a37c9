/** Folders above a robot that are tried as the root of a package of another name. */
const MOST_ABOVE = 3;

/**
 * Paths for `package://name/file` from the folders above a file, the nearest first: those that are called exactly so, then any, as
 * copies of packages often have another name. What robots outside of a ROS workspace mean. The latter only where `renamed` says so.
 */
export function aroundPackage(path: string, file: string, renamed = true): string[] {
	const match = /^(?:package|model):\/\/([^/\\]+)[/\\](.+)$/.exec(path);
	if (match === null) return [];
	const folders = file.replaceAll('\\', '/').split('/').slice(0, -1);
	const below = (i: number): string => {
		const root = folders.slice(0, i + 1).join('/');
		return /^[/\\]|^[A-Za-z]:/.test(root)
			? `${root}/${match[2]}`
			: `${'../'.repeat(folders.length - i - 1) || './'}${match[2]}`;
	};
	const named: string[] = [];
	const others: string[] = [];
	for (let i = folders.length - 1; i >= 0; i--) {
		if (folders[i] === match[1]) named.push(below(i));
		else if (folders.length - i <= MOST_ABOVE && !/^(?:[A-Za-z]:)?$/.test(folders[i]!)) others.push(below(i));
	}
	return renamed ? [...named, ...others] : named;
}
