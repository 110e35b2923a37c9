/** Message of a thread that holds its lock. */
const ALIVE = 'manyworlds alive';

/** A thread of the page. Its end is told, whatever it died of; a name tells threads apart. */
export function startWorker(make: (name: string) => Worker, onEnd: (why: string) => void): Worker {
	const name = `manyworlds ${performance.now()} ${++started}`;
	const worker = make(name);
	let isOver = false;
	const end = (why: string): void => {
		if (isOver) return;
		isOver = true;
		onEnd(why);
	};
	worker.addEventListener('error', (event) => {
		event.preventDefault();
		worker.terminate();
		end(event.message || 'it ran out of memory');
	});
	worker.addEventListener('message', ({ data }) => {
		// whoever gets the lock of a thread outlived it
		if (data === ALIVE) void navigator.locks?.request(name, () => end('it ran out of memory or was stopped'));
	});
	return worker;
}

let started = 0;

/** Lets the page know when this thread ends: it holds a lock as long as it lives. Pages without locks are told of errors only. */
export function holdLife(): void {
	void navigator.locks?.request(self.name, () => {
		postMessage(ALIVE);
		return new Promise(() => {});
	});
}
