import { RobotTopics, TOPIC_TYPES, type TopicMoment } from './robot-topics.ts';

/** Protocols of servers that are understood, the preferred one first. */
const PROTOCOLS = ['foxglove.sdk.v1', 'foxglove.websocket.v1'];
/** Binary messages of servers. */
const MESSAGE = 1;

/** What a connection tells. */
export interface LiveListener {
	readonly onMoment: (time: number, moment: TopicMoment) => void;
	/** Why it ended; undefined when it was asked to. */
	readonly onEnd: (problem: string | undefined) => void;
}

/** Listens to a Foxglove server, such as `manyworlds serve --foxglove`: joint states, transforms and scans. */
export class FoxgloveClient {
	readonly #socket: WebSocket;
	readonly #listener: LiveListener;
	readonly #topics = new RobotTopics();
	/** Channels by the number of their subscription. */
	readonly #channels = new Map<number, { readonly topic: string; readonly type: string }>();
	#next = 1;
	#first: bigint | undefined;
	#frame = 0;
	#time = 0;
	#isOpen = false;
	#isClosed = false;

	constructor(address: string, listener: LiveListener) {
		this.#listener = listener;
		this.#socket = new WebSocket(address, PROTOCOLS);
		this.#socket.binaryType = 'arraybuffer';
		this.#socket.addEventListener('open', () => {
			this.#isOpen = true;
		});
		this.#socket.addEventListener('message', ({ data }) =>
			typeof data === 'string' ? this.#takeText(data) : this.#takeBytes(data as ArrayBuffer),
		);
		this.#socket.addEventListener('close', () => {
			cancelAnimationFrame(this.#frame);
			const what = this.#isOpen ? `'${address}' ended the connection` : `there is no Foxglove server at '${address}'`;
			listener.onEnd(this.#isClosed ? undefined : what);
		});
	}

	/** Topics that are listened to. */
	get topics(): string[] {
		return [...this.#channels.values()].map(({ topic }) => topic).sort();
	}

	close(): void {
		this.#isClosed = true;
		this.#socket.close();
	}

	#takeText(text: string): void {
		const message = JSON.parse(text) as { readonly op: string; readonly channels?: readonly Channel[] };
		if (message.op !== 'advertise') return;
		const subscriptions: { readonly id: number; readonly channelId: number }[] = [];
		for (const { id: channelId, topic, encoding, schemaName } of message.channels ?? []) {
			if (encoding !== 'cdr' || !TOPIC_TYPES.has(schemaName)) continue;
			const id = this.#next++;
			this.#channels.set(id, { topic, type: schemaName });
			subscriptions.push({ id, channelId });
		}
		if (subscriptions.length > 0) this.#socket.send(JSON.stringify({ op: 'subscribe', subscriptions }));
	}

	#takeBytes(data: ArrayBuffer): void {
		const view = new DataView(data);
		if (data.byteLength < 13 || view.getUint8(0) !== MESSAGE) return;
		const channel = this.#channels.get(view.getUint32(1, true));
		if (channel === undefined) return;
		const stamp = view.getBigUint64(5, true);
		this.#first ??= stamp;
		this.#time = Number(stamp - this.#first) / 1e9;
		if (!this.#topics.take(channel.topic, channel.type, new Uint8Array(data, 13))) return;
		// one moment for a picture, however many messages come
		if (this.#frame !== 0) return;
		this.#frame = requestAnimationFrame(() => {
			this.#frame = 0;
			this.#listener.onMoment(this.#time, this.#topics.moment());
		});
	}
}

interface Channel {
	readonly id: number;
	readonly topic: string;
	readonly encoding: string;
	readonly schemaName: string;
}
