import type { RosMessage } from '../msg/message-codec.ts';
import { stampOf } from './action-server.ts';
import type { Publisher, RosBus } from './ros-bus.ts';

/** A value of a parameter. @public */
export type ParameterValue = boolean | bigint | number | string;

/** A parameter that a node has. @public */
export interface ParameterOptions {
	readonly name: string;
	readonly value: ParameterValue;
	readonly description?: string;
	/** Takes a new value over; gives the reason to refuse. Left out, the parameter is read-only. */
	readonly set?: (value: ParameterValue) => string | undefined;
}

const ParameterType = { NOT_SET: 0, BOOL: 1, INTEGER: 2, DOUBLE: 3, STRING: 4 } as const;

interface Entry extends ParameterOptions {
	current: ParameterValue;
}

/** The parameters of a node, with the services that `ros2 param` asks. Whole numbers of ROS are bigints here. @public */
export class ParameterServer {
	readonly #bus: RosBus;
	readonly #node: string;
	readonly #entries = new Map<string, Entry>();
	readonly #events: Publisher;

	/** `node` is the name of the node with its namespace. */
	constructor(bus: RosBus, node: string, parameters: readonly ParameterOptions[]) {
		this.#bus = bus;
		this.#node = node;
		for (const parameter of parameters) this.#entries.set(parameter.name, { ...parameter, current: parameter.value });
		this.#events = bus.advertise({
			name: '/parameter_events',
			type: 'rcl_interfaces/msg/ParameterEvent',
			qos: { depth: 1000 },
		});
		const names = (request: RosMessage): Entry[] =>
			(request['names'] as string[]).map((name) => this.#entries.get(name) ?? UNKNOWN);
		const serve = (name: string, type: string, answer: (request: RosMessage) => RosMessage): void => {
			bus.serve({ name: `${node}/${name}`, type: `rcl_interfaces/srv/${type}` }, answer);
		};
		serve('get_parameters', 'GetParameters', (request) => ({ values: names(request).map(toMessage) }));
		serve('get_parameter_types', 'GetParameterTypes', (request) => ({
			types: names(request).map(({ current }) => typeOf(current)),
		}));
		serve('describe_parameters', 'DescribeParameters', (request) => ({ descriptors: names(request).map(describe) }));
		serve('list_parameters', 'ListParameters', (request) => ({ result: this.#list(request) }));
		serve('set_parameters', 'SetParameters', (request) => ({
			results: (request['parameters'] as RosMessage[]).map((parameter) => this.#set([parameter])),
		}));
		serve('set_parameters_atomically', 'SetParametersAtomically', (request) => ({
			result: this.#set(request['parameters'] as RosMessage[]),
		}));
	}

	get names(): readonly string[] {
		return [...this.#entries.keys()];
	}

	get(name: string): ParameterValue | undefined {
		return this.#entries.get(name)?.current;
	}

	/** Sets a parameter; gives the reason when it is refused. */
	set(name: string, value: ParameterValue): string | undefined {
		const entry = this.#entries.get(name);
		const reason = this.#refusal(entry, name, value) ?? entry!.set!(value);
		if (reason !== undefined) return reason;
		entry!.current = value;
		this.#events.publish({
			stamp: stampOf(this.#bus.time),
			node: this.#node,
			changed_parameters: [{ name, value: toMessage(entry!) }],
		});
		return undefined;
	}

	#refusal(entry: Entry | undefined, name: string, value: ParameterValue): string | undefined {
		if (entry === undefined) return `there is no parameter '${name}'`;
		if (entry.set === undefined) return `'${name}' is read-only`;
		if (typeOf(value) !== typeOf(entry.current)) return `'${name}' is a ${typeof entry.current}, not a ${typeof value}`;
		return undefined;
	}

	/** All of them, or none. */
	#set(parameters: readonly RosMessage[]): RosMessage {
		const wanted = parameters.map((parameter) => ({
			name: parameter['name'] as string,
			value: fromMessage(parameter['value'] as RosMessage),
		}));
		for (const { name, value } of wanted) {
			const entry = this.#entries.get(name);
			const reason = value === undefined ? `'${name}' cannot be that` : this.#refusal(entry, name, value);
			if (reason !== undefined) return { successful: false, reason };
		}
		for (const { name, value } of wanted) {
			const reason = this.set(name, value!);
			if (reason !== undefined) return { successful: false, reason };
		}
		return { successful: true, reason: '' };
	}

	#list(request: RosMessage): RosMessage {
		const prefixes = request['prefixes'] as string[];
		const names = this.names.filter(
			(name) => prefixes.length === 0 || prefixes.some((start) => name === start || name.startsWith(`${start}.`)),
		);
		return { names, prefixes: [] };
	}
}

const UNKNOWN: Entry = { name: '', value: '', current: undefined as unknown as string };

function typeOf(value: ParameterValue | undefined): number {
	if (value === undefined) return ParameterType.NOT_SET;
	if (typeof value === 'boolean') return ParameterType.BOOL;
	if (typeof value === 'bigint') return ParameterType.INTEGER;
	return typeof value === 'number' ? ParameterType.DOUBLE : ParameterType.STRING;
}

function toMessage({ current }: Entry): RosMessage {
	const type = typeOf(current);
	const field = VALUE_FIELDS[type];
	return field === undefined ? { type } : { type, [field]: current };
}

function fromMessage(value: RosMessage): ParameterValue | undefined {
	const field = VALUE_FIELDS[value['type'] as number];
	return field === undefined ? undefined : (value[field] as ParameterValue);
}

const VALUE_FIELDS: Readonly<Record<number, string>> = {
	[ParameterType.BOOL]: 'bool_value',
	[ParameterType.INTEGER]: 'integer_value',
	[ParameterType.DOUBLE]: 'double_value',
	[ParameterType.STRING]: 'string_value',
};

function describe({ name, description = '', set, current }: Entry): RosMessage {
	return { name, type: typeOf(current), description, read_only: name !== '' && set === undefined };
}
