import type { Qos } from '../bus/qos.ts';

/** A topic of a recording. */
export interface BagTopic {
	readonly name: string;
	readonly type: string;
	readonly qos: Qos;
	/** Hash of REP 2016. */
	readonly hash: string;
	readonly count: number;
}

/** What a recording holds. */
export interface BagContent {
	readonly topics: readonly BagTopic[];
	/** Times of the first and the last message [ns]. */
	readonly first: bigint;
	readonly last: bigint;
}

/** Quality of service as rosbag2 writes it: a list in YAML, with durations that have no end. */
export function qosProfile({ reliability, durability, depth }: Qos): string {
	const forever = '\n    sec: 9223372036\n    nsec: 854775807';
	return [
		`- history: ${depth === 0 ? 'keep_all' : 'keep_last'}`,
		`  depth: ${depth}`,
		`  reliability: ${reliability}`,
		`  durability: ${durability}`,
		`  deadline:${forever}`,
		`  lifespan:${forever}`,
		'  liveliness: automatic',
		`  liveliness_lease_duration:${forever}`,
		'  avoid_ros_namespace_conventions: false',
	].join('\n');
}

/** `metadata.yaml` (version 9) of a folder with one recording. Profiles are those of the file: readers compare them. */
export function bagMetadata(file: string, { topics, first, last }: BagContent): string {
	const total = topics.reduce((sum, { count }) => sum + count, 0);
	const indent = (text: string): string => text.replaceAll(/^/gm, '          ');
	const lines = [
		'rosbag2_bagfile_information:',
		'  version: 9',
		'  storage_identifier: mcap',
		`  duration:\n    nanoseconds: ${last - first}`,
		`  starting_time:\n    nanoseconds_since_epoch: ${first}`,
		`  message_count: ${total}`,
		topics.length === 0 ? '  topics_with_message_count: []' : '  topics_with_message_count:',
		...topics.map(({ name, type, qos, hash, count }) =>
			[
				'    - topic_metadata:',
				`        name: ${name}`,
				`        type: ${type}`,
				'        serialization_format: cdr',
				`        offered_qos_profiles:\n${indent(qosProfile(qos))}`,
				`        type_description_hash: ${hash}`,
				`      message_count: ${count}`,
			].join('\n'),
		),
		'  compression_format: ""',
		'  compression_mode: ""',
		`  relative_file_paths:\n    - ${file}`,
		`  files:\n    - path: ${file}`,
		`      starting_time:\n        nanoseconds_since_epoch: ${first}`,
		`      duration:\n        nanoseconds: ${last - first}`,
		`      message_count: ${total}`,
		'  custom_data: ~',
		'  ros_distro: jazzy',
	];
	return `${lines.join('\n')}\n`;
}
