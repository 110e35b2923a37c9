import { type FolderList, fetched } from './fetch-folder.ts';

/** Time between two looks [ms]. */
const PAUSE = 700;

/** What changed in a folder: bytes by path; undefined for files that are gone. */
export type FolderChanges = ReadonlyMap<string, Uint8Array | undefined>;

/**
 * Tells of files that change in a folder that a server lists with a stamp for each. It looks as long as the page is
 * open; a server that does not answer is asked again. `stamps` are those of the files that the page has.
 */
export async function watchFolder(
	listAddress: string,
	stamps: ReadonlyMap<string, string>,
	onChange: (changes: FolderChanges) => Promise<void>,
): Promise<void> {
	let known = stamps;
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, PAUSE));
		try {
			const found = await stampsOf(listAddress);
			const changes = await changesOf(listAddress, known, found);
			known = found;
			if (changes.size > 0) await onChange(changes);
		} catch {
			// the server may come back
		}
	}
}

async function stampsOf(listAddress: string): Promise<Map<string, string>> {
	const { files, stamps = [] } = (await (await fetched(listAddress)).json()) as FolderList;
	return new Map(files.map((file, i) => [file, stamps[i] ?? '']));
}

async function changesOf(
	listAddress: string,
	before: ReadonlyMap<string, string>,
	after: ReadonlyMap<string, string>,
): Promise<FolderChanges> {
	const changes = new Map<string, Uint8Array | undefined>();
	for (const path of before.keys()) if (!after.has(path) || after.get(path) === '') changes.set(path, undefined);
	for (const [path, stamp] of after) {
		if (stamp === '' || before.get(path) === stamp) continue;
		const address = new URL(path.split('/').map(encodeURIComponent).join('/'), new URL(listAddress, location.href));
		changes.set(path, new Uint8Array(await (await fetched(address.href)).arrayBuffer()));
	}
	return changes;
}
