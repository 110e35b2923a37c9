import { UsageRangeError } from '@manyworlds/core';
import { sha256Hex } from '@manyworlds/core/internal';
import { type MessageDefinition, type MessageField, PRIMITIVES } from './message-definition.ts';

/** What REP 2016 says of a type: itself, and all types that it holds. */
export interface TypeDescription {
	readonly type: IndividualType;
	/** Sorted by name. */
	readonly referenced: readonly IndividualType[];
}

/** The fields of a type. */
export interface IndividualType {
	readonly name: string;
	readonly fields: readonly DescribedField[];
}

/** A field as `type_description_interfaces` has it. */
export interface DescribedField {
	readonly name: string;
	readonly typeId: number;
	readonly capacity: number;
	readonly stringCapacity: number;
	readonly nested: string;
}

/** Steps between the identifiers of one value, arrays, bounded sequences and sequences. */
const ARRAY_STEPS = { one: 0, array: 48, bounded: 96, sequence: 144 } as const;
/** Identifiers of a message and of a text with a limit. */
const NESTED = 1;
const BOUNDED_STRING = 21;

type Find = (type: string) => MessageDefinition | undefined;

/** Describes a message, service or action with all that it holds. */
export function describeType(type: string, find: Find): TypeDescription {
	const described = individual(type, find);
	const referenced = new Map<string, IndividualType>();
	const open = described.fields.map(({ nested }) => nested);
	for (let name = open.pop(); name !== undefined; name = open.pop()) {
		if (name === '' || referenced.has(name)) continue;
		const found = individual(name, find);
		referenced.set(name, found);
		for (const { nested } of found.fields) open.push(nested);
	}
	const sorted = [...referenced.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
	return { type: described, referenced: sorted };
}

/** `RIHS01_` and the SHA-256 of the description as JSON with the separators that REP 2016 gives. */
export function typeHash({ type, referenced }: TypeDescription): string {
	const text = `{"type_description": ${individualText(type)}, "referenced_type_descriptions": [${referenced
		.map(individualText)
		.join(', ')}]}`;
	return `RIHS01_${sha256Hex(new TextEncoder().encode(text))}`;
}

function individualText({ name, fields }: IndividualType): string {
	const texts = fields.map(
		(field) =>
			`{"name": "${field.name}", "type": {"type_id": ${field.typeId}, "capacity": ${field.capacity}, "string_capacity": ${field.stringCapacity}, "nested_type_name": "${field.nested}"}}`,
	);
	return `{"type_name": "${name}", "fields": [${texts.join(', ')}]}`;
}

function individual(type: string, find: Find): IndividualType {
	const parts = partsOf(type, find);
	if (parts !== undefined) {
		return { name: type, fields: parts.map(([name, nested]) => nestedField(name, nested)) };
	}
	const definition = find(type);
	if (definition === undefined) throw new UsageRangeError(`the type '${type}' is unknown`);
	const fields = definition.fields.map(describeField);
	return { name: type, fields: fields.length === 0 ? [EMPTY_FIELD] : fields };
}

/** The members that the description of a service or an action has. */
function partsOf(type: string, find: Find): [string, string][] | undefined {
	const [, kind] = type.split('/');
	if (kind === 'msg' || find(type) !== undefined) return undefined;
	if (find(`${type}_Request`) !== undefined) {
		return [
			['request_message', `${type}_Request`],
			['response_message', `${type}_Response`],
			['event_message', `${type}_Event`],
		];
	}
	if (kind !== 'action' || find(`${type}_Goal`) === undefined) return undefined;
	return [
		['goal', `${type}_Goal`],
		['result', `${type}_Result`],
		['feedback', `${type}_Feedback`],
		['send_goal_service', `${type}_SendGoal`],
		['get_result_service', `${type}_GetResult`],
		['feedback_message', `${type}_FeedbackMessage`],
	];
}

function nestedField(name: string, nested: string): DescribedField {
	return { name, typeId: NESTED, capacity: 0, stringCapacity: 0, nested };
}

/** IDL has no empty structure: this member stands in for it. */
export const EMPTY_FIELD: DescribedField = {
	name: 'structure_needs_at_least_one_member',
	typeId: PRIMITIVES.uint8.id,
	capacity: 0,
	stringCapacity: 0,
	nested: '',
};

function describeField({ name, primitive, nested, multiplicity, size, stringSize }: MessageField): DescribedField {
	let id: number = primitive === undefined ? NESTED : PRIMITIVES[primitive].id;
	if (stringSize > 0) id = primitive === 'wstring' ? BOUNDED_STRING + 1 : BOUNDED_STRING;
	return {
		name,
		typeId: id + ARRAY_STEPS[multiplicity],
		capacity: size,
		stringCapacity: stringSize,
		nested: nested ?? '',
	};
}
