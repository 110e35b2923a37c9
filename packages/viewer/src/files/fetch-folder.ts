/** A folder that a server offers: which file is meant, and all that may be read. */
export interface FolderList {
	readonly entry: string;
	readonly files: readonly string[];
	/** Changes with each file, where the folder is watched. */
	readonly stamps?: readonly string[];
}

/** Fetches the files of a folder that a server lists at an address. */
export async function fetchFolder(
	listAddress: string,
	tell: (done: number, all: number) => void = () => {},
): Promise<{
	readonly entry: string;
	readonly files: Map<string, Uint8Array>;
	readonly stamps: ReadonlyMap<string, string>;
}> {
	const { entry, files, stamps = [] } = (await (await fetched(listAddress)).json()) as FolderList;
	const base = new URL(listAddress, location.href);
	const out = new Map<string, Uint8Array>();
	let done = 0;
	const queue = [...files];
	const work = async (): Promise<void> => {
		for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
			const address = new URL(path.split('/').map(encodeURIComponent).join('/'), base);
			out.set(path, new Uint8Array(await (await fetched(address.href)).arrayBuffer()));
			tell(++done, files.length);
		}
	};
	await Promise.all(Array.from({ length: 6 }, work));
	// in the order of the list, whichever came first
	return {
		entry,
		files: new Map(files.map((path) => [path, out.get(path)!])),
		stamps: new Map(files.map((path, i) => [path, stamps[i] ?? ''])),
	};
}

/** One file behind an address of the web. */
export async function fetchFile(
	address: string,
): Promise<{ readonly entry: string; readonly files: Map<string, Uint8Array> }> {
	const url = new URL(address, location.href);
	if (!/^https?:$/.test(url.protocol)) throw new Error(`'${address}' is not an address that begins with http`);
	const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)) || 'robot';
	const bytes = new Uint8Array(await (await fetched(url.href)).arrayBuffer());
	return { entry: name, files: new Map([[name, bytes]]) };
}

/** What is behind an address; rejects with a sentence when there is nothing. */
export async function fetched(address: string): Promise<Response> {
	let answer: Response;
	try {
		answer = await fetch(address, { credentials: 'omit' });
	} catch {
		throw new Error(
			`'${address}' cannot be fetched: there is no answer, or the server does not let other sites read it (CORS)`,
		);
	}
	if (!answer.ok) throw new Error(`'${address}' cannot be fetched: ${answer.status} ${answer.statusText}`);
	return answer;
}
