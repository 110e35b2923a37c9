/**
 * Paths for `package://name/file` from the folders above a file that are called exactly so, the nearest first: what robots
 * outside of a ROS workspace mean.
 */
export function aroundPackage(path: string, file: string): string[] {
	const match = /^(?:package|model):\/\/([^/\\]+)[/\\](.+)$/.exec(path);
	if (match === null) return [];
	const folders = file.replaceAll('\\', '/').split('/').slice(0, -1);
	const found: string[] = [];
	for (let i = folders.length - 1; i >= 0; i--) {
		if (folders[i] !== match[1]) continue;
		const root = folders.slice(0, i + 1).join('/');
		found.push(
			/^[/\\]|^[A-Za-z]:/.test(root)
				? `${root}/${match[2]}`
				: `${'../'.repeat(folders.length - i - 1) || './'}${match[2]}`,
		);
	}
	return found;
}
