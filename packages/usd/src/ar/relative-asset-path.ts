/**
 * The asset path that leads from the folder of one file to another, with `./` in front so that it is never searched for. Files that
 * share no folder keep the path that was written for them. `from` and `to` are absolute.
 * @public
 */
export function relativeAssetPath(from: string, to: string, written: string): string {
	if (!to.startsWith('/') || !from.startsWith('/')) return written;
	const base = from.split('/').slice(1, -1);
	const parts = to.split('/').slice(1);
	let shared = 0;
	while (shared < base.length && shared < parts.length - 1 && base[shared] === parts[shared]) shared++;
	if (shared === 0 && base.length > 0) return written;
	const up = base.length - shared;
	return `${up === 0 ? './' : '../'.repeat(up)}${parts.slice(shared).join('/')}`;
}
