import type { Report } from '@manyworlds/core';
import { McapStreamReader } from '@mcap/core';
import type { RosBus } from '../bus/ros-bus.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { MCAP_DECOMPRESSORS } from './decompress-chunk.ts';

/** A message of a recording. */
interface Played {
	readonly topic: string;
	readonly bytes: Uint8Array;
	/** Simulated time that it comes at [ns]. */
	readonly time: bigint;
}

/** Times from here on are those of a clock on a wall, not of a simulation: three years [ns]. */
const WALL_TIME = 100_000_000_000_000_000n;

/**
 * Gives the subscriptions of a bus the messages that a recording has for them, each after the step that comes to its time. Times
 * of a wall clock count from the first message.
 */
export class McapPlayer {
	readonly #bus: RosBus;
	readonly #messages: readonly Played[];
	#next = 0;

	constructor(bus: RosBus, messages: readonly Played[]) {
		this.#bus = bus;
		this.#messages = messages;
	}

	/** Messages that there are. */
	get count(): number {
		return this.#messages.length;
	}

	afterStep(time: bigint): void {
		for (; this.#next < this.#messages.length && this.#messages[this.#next]!.time <= time; this.#next++) {
			const { topic, bytes } = this.#messages[this.#next]!;
			for (const subscription of this.#bus.subscriptions) if (subscription.name === topic) subscription.receive(bytes);
		}
	}

	reset(): void {
		this.#next = 0;
	}
}

/** Reads a recording for the subscriptions of a bus; undefined, with a diagnostic, when it is none. `file` is its name in messages. */
export function readCommands(bus: RosBus, bytes: Uint8Array, file: string, report: Report): McapPlayer | undefined {
	const refuse = (reason: string): undefined => {
		report.add(createDiagnostic('ROS006', `${reason}; nothing is played`, { file }));
		return undefined;
	};
	const messages: Played[] = [];
	try {
		const reader = new McapStreamReader({ decompressHandlers: MCAP_DECOMPRESSORS });
		reader.append(bytes);
		const channels = new Map<number, { readonly topic: string; readonly isWanted: boolean }>();
		const schemas = new Map<number, string>();
		for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
			if (record.type === 'Schema') schemas.set(record.id, record.name);
			else if (record.type === 'Channel') {
				const { id, topic, messageEncoding, schemaId } = record;
				const type = schemas.get(schemaId);
				const isWanted = bus.subscriptions.some(
					(one) => one.name === topic && one.type === type && messageEncoding === 'cdr',
				);
				channels.set(id, { topic, isWanted });
			} else if (record.type === 'Message') {
				const channel = channels.get(record.channelId);
				if (channel?.isWanted !== true) continue;
				messages.push({ topic: channel.topic, bytes: record.data.slice(), time: record.logTime });
			}
		}
	} catch (error) {
		return refuse(`it is no MCAP file that can be read: ${error instanceof Error ? error.message : String(error)}`);
	}
	if (messages.length === 0) return refuse('none of its topics is listened to');
	// those of one time stay in their order
	messages.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
	const first = messages[0]!.time;
	const shift = first >= WALL_TIME ? first : 0n;
	return new McapPlayer(
		bus,
		messages.map((message) => ({ ...message, time: message.time - shift })),
	);
}
