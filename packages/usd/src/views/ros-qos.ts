import type { Prim } from '../usd/prim.ts';
import { authoredBool, authoredNumber, authoredText } from './authored-values.ts';

/** Quality of service of a topic as authored, with the declared defaults for what is not (REP 0158 §2.4). */
export interface RosQos {
	readonly reliability: string;
	readonly durability: string;
	readonly history: string;
	/** Size of the queue; it counts with the history `keep_last` only. */
	readonly depth: number;
	/** Whether a subscription takes the policies of the publisher that it meets. */
	readonly matchPublisher: boolean;
}

/** Values for what nobody authored. */
export const QOS_DEFAULTS: RosQos = {
	reliability: 'system_default',
	durability: 'system_default',
	history: 'system_default',
	depth: 10,
	matchPublisher: false,
};

/** Reads the quality of service of a topic. */
export function readQos(topic: Prim): RosQos {
	const text = (name: string, fallback: string): string => authoredText(topic, `ros:topic:qos:${name}`) ?? fallback;
	return {
		reliability: text('reliability', QOS_DEFAULTS.reliability),
		durability: text('durability', QOS_DEFAULTS.durability),
		history: text('history', QOS_DEFAULTS.history),
		depth: authoredNumber(topic, 'ros:topic:qos:depth') ?? QOS_DEFAULTS.depth,
		matchPublisher:
			authoredText(topic, 'ros:topic:role') !== 'publisher' &&
			(authoredBool(topic, 'ros:topic:qos:match_publisher') ?? QOS_DEFAULTS.matchPublisher),
	};
}
