/** In place of `threads.ts` in a page of one file: threads begin with a text that the page has unpacked. */

declare const manyworldsThread: string;

export function makeAssetThread(name: string): Worker {
	return thread('asset', name);
}

export function makeSimulationThread(name: string): Worker {
	return thread('simulation', name);
}

/** Languages are not in a page of one file: it would be twice as large. Who asks for help gets none. */
export function makeLanguageThread(): Worker {
	throw new Error('the language server is not in a page of one file');
}

function thread(kind: 'asset' | 'simulation', name: string): Worker {
	const text = `self.manyworldsKind = '${kind}';\n${manyworldsThread}`;
	const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
	// files of this machine may not start modules of their own
	const worker = new Worker(address, { name });
	// the thread has read it by its first message
	worker.addEventListener('message', () => URL.revokeObjectURL(address), { once: true });
	return worker;
}
