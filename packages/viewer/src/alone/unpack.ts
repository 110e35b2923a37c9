/** Begins a page of one file: unpacks the application and the code of its threads, and starts it. */

async function unpack(id: string): Promise<string> {
	const packed = Uint8Array.from(atob(document.getElementById(id)!.textContent), (letter) => letter.charCodeAt(0));
	return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

async function start(): Promise<void> {
	const [page, thread] = await Promise.all([unpack('manyworlds-page'), unpack('manyworlds-thread')]);
	Object.assign(globalThis, { manyworldsThread: thread });
	const script = document.createElement('script');
	script.type = 'module';
	script.textContent = page;
	document.body.append(script);
}

void start();
