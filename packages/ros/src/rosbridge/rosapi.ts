import type { RosBus } from '../bus/ros-bus.ts';

type Answer = (bus: RosBus, args: Readonly<Record<string, unknown>>, node: string) => Record<string, unknown>;

const typeOfTopic = (bus: RosBus, name: unknown): string =>
	[...bus.publishers, ...bus.subscriptions].find((topic) => topic.name === name)?.type ?? '';

function topics(bus: RosBus): { topics: string[]; types: string[] } {
	const all = new Map([...bus.publishers, ...bus.subscriptions].map(({ name, type }) => [name, type]));
	return { topics: [...all.keys()], types: [...all.values()] };
}

/** The services of rosapi that clients of rosbridge ask, by name. */
export const ROSAPI: Readonly<Record<string, Answer>> = {
	topics,
	topics_for_type: (bus, { type }) => {
		const all = topics(bus);
		return { topics: all.topics.filter((_, i) => all.types[i] === type) };
	},
	topic_type: (bus, { topic }) => ({ type: typeOfTopic(bus, topic) }),
	services: (bus) => ({ services: bus.services.map(({ name }) => name) }),
	services_for_type: (bus, { type }) => ({
		services: bus.services.filter((one) => one.type === type).map(({ name }) => name),
	}),
	service_type: (bus, { service }) => ({ type: bus.services.find(({ name }) => name === service)?.type ?? '' }),
	nodes: (_, __, node) => ({ nodes: [node] }),
	publishers: (bus, { topic }, node) => ({
		publishers: bus.publishers.some(({ name }) => name === topic) ? [node] : [],
	}),
	subscribers: (bus, { topic }, node) => ({
		subscribers: bus.subscriptions.some(({ name }) => name === topic) ? [node] : [],
	}),
	get_time: (bus) => ({ time: { sec: Number(bus.time / 1_000_000_000n), nanosec: Number(bus.time % 1_000_000_000n) } }),
	message_details: (bus, { type }) => ({ typedefs: typedefs(bus, String(type)) }),
};

function typedefs(bus: RosBus, type: string): Record<string, unknown>[] {
	const done = new Set<string>();
	const result: Record<string, unknown>[] = [];
	const open = [type.split('/').length === 2 ? type.replace('/', '/msg/') : type];
	for (let name = open.shift(); name !== undefined; name = open.shift()) {
		const definition = bus.types.find(name);
		if (definition === undefined || done.has(name)) continue;
		done.add(name);
		const { fields, constants } = definition;
		result.push({
			type: name,
			fieldnames: fields.map((field) => field.name),
			fieldtypes: fields.map(({ primitive, nested }) => primitive ?? nested),
			fieldarraylen: fields.map(({ multiplicity, size }) =>
				multiplicity === 'one' ? -1 : multiplicity === 'array' ? size : 0,
			),
			examples: [],
			constnames: constants.map((constant) => constant.name),
			constvalues: constants.map(({ text }) => text),
		});
		for (const { nested } of fields) if (nested !== undefined) open.push(nested);
	}
	return result;
}
