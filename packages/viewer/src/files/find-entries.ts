/** Endings of files that can be opened. */
const OPENABLE = /\.(usda|usdc|usd|usdz|urdf|sdf|xml|mjcf|yaml|yml|json)$/i;
/** Layers that others are made of are seldom what is meant. */
const PART =
	/(^|\/)(base|physics|colliders|materials|ros|geometry|payload[^/]*|parts|layers|meshes|textures|configuration|props)(\/|\.)/i;

/** Files of a folder that can be opened, those first that are most likely meant: near its top, not parts of others. */
export function findEntries(files: ReadonlyMap<string, Uint8Array>): string[] {
	const found = [...files].flatMap(([path, bytes]) => (OPENABLE.test(path) && isOpenable(path, bytes) ? [path] : []));
	const rank = (path: string): number =>
		path.split('/').length + (PART.test(path) ? 100 : 0) + (path.startsWith('.') ? 200 : 0);
	return found.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Files of some kinds are told by what they begin with. */
function isOpenable(path: string, bytes: Uint8Array): boolean {
	if (!/\.(xml|yaml|yml|json)$/i.test(path)) return true;
	const start = new TextDecoder().decode(bytes.subarray(0, 4096));
	if (/\.xml$/i.test(path)) return /<mujoco\b|<robot\b|<sdf\b/.test(start);
	return /schema_version/.test(start);
}
