import { MCAP_DECOMPRESSORS } from '@manyworlds/ros/internal';
import { McapIndexedReader } from '@mcap/core';
import { RobotTopics, TOPIC_TYPES, type TopicMoment } from './robot-topics.ts';

/** A moment of a recording. */
export interface RecordedMoment extends TopicMoment {
	/** Since the first message [s]. */
	readonly time: number;
}

/** Least time between two moments [s]: more than a picture shows. */
const LEAST_STEP = 0.01;

/** Moments of an MCAP file with ROS 2 messages. Throws an error with a sentence when it holds none that tell of a robot. */
export async function readMcap(bytes: Uint8Array, name: string): Promise<RecordedMoment[]> {
	try {
		return await readMoments(bytes, name);
	} catch (error) {
		// the reader knows no kinds of its own for what is wrong with a file
		const why = error instanceof Error ? error.message : String(error);
		throw why.startsWith("'") ? error : new Error(`'${name}' is no MCAP file that can be read: ${why}`);
	}
}

async function readMoments(bytes: Uint8Array, name: string): Promise<RecordedMoment[]> {
	const reader = await McapIndexedReader.Initialize({
		decompressHandlers: MCAP_DECOMPRESSORS,
		readable: {
			size: async () => BigInt(bytes.length),
			read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
		},
	});
	const types = new Map<number, { readonly topic: string; readonly type: string }>();
	for (const { id, topic, schemaId, messageEncoding } of reader.channelsById.values()) {
		const type = reader.schemasById.get(schemaId)?.name ?? '';
		if (messageEncoding === 'cdr' && TOPIC_TYPES.has(type)) types.set(id, { topic, type });
	}
	if (types.size === 0) {
		throw new Error(`'${name}' has no joint states, transforms or scans of ROS 2`);
	}
	const topics = new RobotTopics();
	const moments: RecordedMoment[] = [];
	let [first, last]: [bigint | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
	let isWaiting = false;
	const keep = (time: number): void => {
		moments.push({ time, ...topics.moment() });
		last = time;
		isWaiting = false;
	};
	let now = 0;
	for await (const { channelId, logTime, data } of reader.readMessages({
		topics: [...types.values()].map(({ topic }) => topic),
	})) {
		const channel = types.get(channelId);
		if (channel === undefined) continue;
		first ??= logTime;
		const time = Number(logTime - first) / 1e9;
		// what was said at one time belongs together
		if (time > now && isWaiting && now - last >= LEAST_STEP) keep(now);
		now = time;
		if (topics.take(channel.topic, channel.type, data)) isWaiting = true;
	}
	if (isWaiting) keep(now);
	return moments;
}
