/** Quality of service of a topic, in the words of ROS. @public */
export interface Qos {
	readonly reliability: 'reliable' | 'best_effort';
	readonly durability: 'volatile' | 'transient_local';
	/** Messages that are kept; 0: all. */
	readonly depth: number;
	/** How long messages are good for [s]; left out, for ever. */
	readonly lifespan?: number;
}

/** What topics have unless something else is said. @public */
export const QOS_DEFAULTS: Qos = { reliability: 'reliable', durability: 'volatile', depth: 10 };

/** What readings of sensors have (REP 2003). @public */
export const QOS_SENSOR: Qos = { reliability: 'best_effort', durability: 'volatile', depth: 10 };

/**
 * What is sent once and kept for those who come late.
 * @example
 * ```ts
 * bus.advertise({ name: '/robot_description', type: 'std_msgs/msg/String', qos: QOS_LATCHED });
 * ```
 * @public
 */
export const QOS_LATCHED: Qos = { reliability: 'reliable', durability: 'transient_local', depth: 1 };
