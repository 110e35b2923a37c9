import { stampOf } from './action-server.ts';
import type { Publisher, RosBus } from './ros-bus.ts';

/** Levels of `rcl_interfaces/msg/Log`. */
const LogLevel = { INFO: 20, WARN: 30 } as const;

/** What a node has to say, on `/rosout`. @public */
export class NodeLog {
	readonly #bus: RosBus;
	readonly #name: string;
	readonly #publisher: Publisher;

	/** `node` is the name of the node with its namespace. */
	constructor(bus: RosBus, node: string) {
		this.#bus = bus;
		this.#name = node.slice(1).replaceAll('/', '.');
		this.#publisher = bus.advertise({
			name: '/rosout',
			type: 'rcl_interfaces/msg/Log',
			qos: { durability: 'transient_local', depth: 1000, lifespan: 10 },
		});
	}

	info(message: string): void {
		this.#write(LogLevel.INFO, message);
	}

	warn(message: string): void {
		this.#write(LogLevel.WARN, message);
	}

	#write(level: number, msg: string): void {
		this.#publisher.publish({ stamp: stampOf(this.#bus.time), level, name: this.#name, msg });
	}
}
