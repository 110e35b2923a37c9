/** A client in a page: starts the server in a worker, opens a layer that refers to another, and gives what is found. */
export async function findInWorker(source, text) {
	const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
	const found = [];
	const answers = new Map();
	let next = 1;
	const files = { 'file:///robot/part.usda': '#usda 1.0\n(\n    defaultPrim = "P"\n)\ndef "P"\n{\n}\n' };
	worker.onmessage = ({ data }) => {
		if (data.method === 'manyworlds/listFiles') {
			worker.postMessage({ jsonrpc: '2.0', id: data.id, result: { uris: Object.keys(files) } });
		} else if (data.method === 'manyworlds/readFile') {
			const content = files[data.params.uri];
			if (content !== undefined) found.push(`${data.params.uri.split('/').at(-1)} was read`);
			worker.postMessage({
				jsonrpc: '2.0',
				id: data.id,
				result: content === undefined ? {} : { base64: btoa(content) },
			});
		} else if (data.method === undefined) answers.get(data.id)(data.result);
		else if (data.id !== undefined) worker.postMessage({ jsonrpc: '2.0', id: data.id, result: null });
	};
	const request = (method, params) =>
		new Promise((resolve) => {
			answers.set(next, resolve);
			worker.postMessage({ jsonrpc: '2.0', id: next++, method, params });
		});
	await request('initialize', {
		processId: null,
		rootUri: null,
		workspaceFolders: [{ uri: 'file:///robot', name: 'robot' }],
		capabilities: { textDocument: { diagnostic: {} } },
	});
	const uri = 'file:///robot/a.usda';
	worker.postMessage({
		jsonrpc: '2.0',
		method: 'textDocument/didOpen',
		params: { textDocument: { uri, languageId: 'usda', version: 1, text } },
	});
	const { items } = await request('textDocument/diagnostic', { textDocument: { uri } });
	worker.terminate();
	return [...found, ...items.map(({ code }) => code)];
}
