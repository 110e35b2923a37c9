/** Names of field types that are no messages. @public */
export type PrimitiveName = keyof typeof PRIMITIVES;

/** Field types that are no messages: the identifier of REP 2016 and the size in CDR [bytes], 0 for texts. */
export const PRIMITIVES = {
	int8: { id: 2, size: 1 },
	uint8: { id: 3, size: 1 },
	int16: { id: 4, size: 2 },
	uint16: { id: 5, size: 2 },
	int32: { id: 6, size: 4 },
	uint32: { id: 7, size: 4 },
	int64: { id: 8, size: 8 },
	uint64: { id: 9, size: 8 },
	float32: { id: 10, size: 4 },
	float64: { id: 11, size: 8 },
	bool: { id: 15, size: 1 },
	byte: { id: 16, size: 1 },
	string: { id: 17, size: 0 },
	wstring: { id: 18, size: 0 },
} as const;

/** How many values a field holds. @public */
export type Multiplicity = 'one' | 'array' | 'bounded' | 'sequence';

/** A field of a message. @public */
export interface MessageField {
	readonly name: string;
	/** A primitive; undefined for a message. */
	readonly primitive: PrimitiveName | undefined;
	/** `geometry_msgs/msg/Pose`; undefined for a primitive. */
	readonly nested: string | undefined;
	readonly multiplicity: Multiplicity;
	/** Length of an array, most entries of a bounded sequence; 0 for others. */
	readonly size: number;
	/** Most characters of a text; 0 where there is no limit. */
	readonly stringSize: number;
	/** What stands behind the name: the value of a new message. */
	readonly defaultText: string | undefined;
}

/** A constant of a message. @public */
export interface MessageConstant {
	readonly name: string;
	readonly primitive: PrimitiveName;
	readonly text: string;
}

/** A message, or a half of a service, or a part of an action. @public */
export interface MessageDefinition {
	/** `sensor_msgs/msg/Imu`, `std_srvs/srv/Trigger_Request`. */
	readonly type: string;
	readonly fields: readonly MessageField[];
	readonly constants: readonly MessageConstant[];
}
