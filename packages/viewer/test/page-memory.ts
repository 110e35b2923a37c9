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
	readonly #page: CDPSession;
	readonly #threads = new Set<string>();
	readonly #answers = new Map<string, (usage: HeapUsage) => void>();
	#asked = 0;

	private constructor(page: CDPSession) {
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
		const memory = new PageMemory(page);
		await page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
		return memory;
	}

	/** Bytes that the page and its threads have. */
	async bytes(): Promise<number> {
		await this.#page.send('HeapProfiler.collectGarbage');
		let sum = bytesOf((await this.#page.send('Runtime.getHeapUsage')) as unknown as HeapUsage);
		for (const thread of this.#threads) {
			await this.#ask(thread, 'HeapProfiler.collectGarbage');
			sum += bytesOf(await this.#ask(thread, 'Runtime.getHeapUsage'));
		}
		return sum;
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
