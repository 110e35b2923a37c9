import type { CDPSession } from 'playwright-core';
import type { ViewerPage } from './open-page.ts';

/** What a thread has, as Chromium tells it [bytes]. */
interface HeapUsage {
	readonly usedSize: number;
	readonly embedderHeapUsedSize: number;
	readonly backingStorageSize: number;
}

/** The memory of a page and its threads, without what nobody refers to any more. */
export class PageMemory {
	readonly #viewer: ViewerPage;
	readonly #page: CDPSession;
	readonly #threads = new Set<string>();
	readonly #answers = new Map<string, (usage: HeapUsage) => void>();
	#asked = 0;

	private constructor(viewer: ViewerPage, page: CDPSession) {
		this.#viewer = viewer;
		this.#page = page;
		page.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
			if (targetInfo.type === 'worker') this.#threads.add(sessionId);
		});
		page.on('Target.detachedFromTarget', ({ sessionId }) => this.#threads.delete(sessionId));
		page.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
			const { id, result } = JSON.parse(message) as { id?: number; result?: HeapUsage };
			if (result !== undefined) this.#answers.get(`${sessionId} ${id}`)?.(result);
		});
	}

	static async of(viewer: ViewerPage): Promise<PageMemory> {
		const page = await viewer.page.context().newCDPSession(viewer.page);
		const memory = new PageMemory(viewer, page);
		await viewer.evaluate(NOTE_SHARED);
		await page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
		return memory;
	}

	/** Bytes that the page and its threads have; those that they share count once. */
	async bytes(): Promise<number> {
		await this.#page.send('HeapProfiler.collectGarbage');
		let sum = bytesOf((await this.#page.send('Runtime.getHeapUsage')) as unknown as HeapUsage);
		for (const thread of this.#threads) {
			await this.#ask(thread, 'HeapProfiler.collectGarbage');
			sum += bytesOf(await this.#ask(thread, 'Runtime.getHeapUsage'));
		}
		return sum + (await this.#viewer.evaluate<number>(SHARED_BYTES));
	}

	/** The same once threads have let go of what they were at work on: when it is below `most`, or has not come there in 5 s. */
	async bytesBelow(most: number): Promise<number> {
		let bytes = await this.bytes();
		for (let tries = 0; bytes >= most && tries < 50; tries++) {
			await new Promise((resolve) => setTimeout(resolve, 100));
			bytes = await this.bytes();
		}
		return bytes;
	}

	async #ask(sessionId: string, method: string): Promise<HeapUsage> {
		const id = ++this.#asked;
		const answer = new Promise<HeapUsage>((resolve) => this.#answers.set(`${sessionId} ${id}`, resolve));
		await this.#page.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
		return answer;
	}
}

function bytesOf({ usedSize, embedderHeapUsedSize, backingStorageSize }: HeapUsage): number {
	return usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** Chromium counts shared memory nowhere: the page notes what it makes of it from here on. */
const NOTE_SHARED = `(() => {
	if (globalThis.SharedArrayBuffer === undefined) return;
	window.sharedBuffers = [];
	globalThis.SharedArrayBuffer = new Proxy(SharedArrayBuffer, {
		construct: (made, given) => {
			const buffer = new made(...given);
			window.sharedBuffers.push(new WeakRef(buffer));
			return buffer;
		},
	});
})()`;

const SHARED_BYTES = '(window.sharedBuffers ?? []).reduce((sum, buffer) => sum + (buffer.deref()?.byteLength ?? 0), 0)';
