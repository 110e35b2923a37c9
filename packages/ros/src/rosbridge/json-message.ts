import { UsageTypeError } from '@manyworlds/core';
import type { RosMessage } from '../msg/message-codec.ts';
import type { MessageField } from '../msg/message-definition.ts';
import type { TypeRegistry } from '../msg/type-registry.ts';
import { fromBase64, toBase64 } from './base64.ts';

/** A message as JSON of rosbridge has it: bytes as base64, 64-bit integers as numbers, numbers that are not finite as null. */
export function toJsonMessage(types: TypeRegistry, type: string, message: RosMessage): Record<string, unknown> {
	const result: Record<string, unknown> = {};
	for (const field of types.find(type)?.fields ?? [])
		result[field.name] = toJsonField(types, field, message[field.name]);
	return result;
}

/** A message from JSON of rosbridge; throws where a field does not fit. Fields that are left out get their default. */
export function fromJsonMessage(types: TypeRegistry, type: string, value: unknown): RosMessage {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new UsageTypeError(`a ${type} is an object`);
	const given = value as Record<string, unknown>;
	const fields = types.find(type)?.fields ?? [];
	const odd = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
	if (odd !== undefined) throw new UsageTypeError(`${type} has no field '${odd}'`);
	const message: Record<string, unknown> = {};
	for (const field of fields) {
		const own = given[field.name];
		if (own !== undefined) message[field.name] = fromJsonField(types, type, field, own);
	}
	return message;
}

function toJsonField(types: TypeRegistry, field: MessageField, value: unknown): unknown {
	if (field.multiplicity === 'one') return toJsonValue(types, field, value);
	const values = value as ArrayLike<unknown>;
	if (field.primitive === 'uint8' || field.primitive === 'byte') return toBase64(values as ArrayLike<number>);
	return Array.from(values, (one) => toJsonValue(types, field, one));
}

function toJsonValue(types: TypeRegistry, { nested }: MessageField, value: unknown): unknown {
	if (nested !== undefined) return toJsonMessage(types, nested, value as RosMessage);
	if (typeof value === 'bigint') return Number(value);
	return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

function fromJsonField(types: TypeRegistry, type: string, field: MessageField, value: unknown): unknown {
	if (field.multiplicity === 'one') return fromJsonValue(types, type, field, value);
	if (typeof value === 'string' && (field.primitive === 'uint8' || field.primitive === 'byte')) {
		const bytes = fromBase64(value);
		if (bytes !== undefined) return bytes;
	}
	if (!Array.isArray(value)) throw new UsageTypeError(`'${field.name}' of ${type} is a list`);
	return value.map((one) => fromJsonValue(types, type, field, one));
}

function fromJsonValue(types: TypeRegistry, type: string, field: MessageField, value: unknown): unknown {
	const { nested, primitive, name } = field;
	if (nested !== undefined) return fromJsonMessage(types, nested, value);
	if (value === null && (primitive === 'float32' || primitive === 'float64')) return Number.NaN;
	const expected = primitive === 'string' ? 'string' : primitive === 'bool' ? 'boolean' : 'number';
	if (typeof value !== expected) throw new UsageTypeError(`'${name}' of ${type} is a ${expected}`);
	return primitive === 'int64' || primitive === 'uint64' ? BigInt(Math.trunc(value as number)) : value;
}
