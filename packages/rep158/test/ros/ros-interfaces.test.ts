import { QOS_DEFAULTS, readQos } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import { textStage } from '../text-stage.ts';

function topic(body: string): ReturnType<typeof readQos> {
	const stage = textStage(`def Xform "t" (prepend apiSchemas = ["RosTopicAPI"]) {\n${body}\n}`);
	return readQos(stage.prim('/t')!);
}

describe('quality of service', () => {
	it('has the declared defaults for what is not authored', () => {
		expect(topic('')).toEqual(QOS_DEFAULTS);
		expect(QOS_DEFAULTS).toEqual({
			reliability: 'system_default',
			durability: 'system_default',
			history: 'system_default',
			depth: 10,
			matchPublisher: false,
		});
	});

	it('has what is authored', () => {
		const qos = topic(
			'uniform token ros:topic:qos:history = "keep_last"\nuniform int ros:topic:qos:depth = 3\nuniform token ros:topic:qos:reliability = "reliable"',
		);
		expect(qos).toEqual({ ...QOS_DEFAULTS, history: 'keep_last', depth: 3, reliability: 'reliable' });
	});

	it('matches publishers for subscriptions only', () => {
		const match = 'uniform bool ros:topic:qos:match_publisher = true';
		expect(topic(`${match}\nuniform token ros:topic:role = "subscription"`).matchPublisher).toBe(true);
		expect(topic(`${match}\nuniform token ros:topic:role = "publisher"`).matchPublisher).toBe(false);
	});
});
