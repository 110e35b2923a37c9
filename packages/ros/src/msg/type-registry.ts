import type { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { STANDARD_DEFINITIONS } from './definitions/index.ts';
import { MessageCodec } from './message-codec.ts';
import type { MessageDefinition, MessageField } from './message-definition.ts';
import { parseDefinition, splitDefinition } from './parse-definition.ts';
import { describeType, type TypeDescription, typeHash } from './type-hash.ts';

/** An interface file: `my_msgs/msg/Bump` and its text. @public */
export interface InterfaceText {
	readonly type: string;
	readonly text: string;
}

/**
 * The types that messages, services and actions can have. Parts of services and actions are messages too:
 * `std_srvs/srv/Trigger_Request`, `control_msgs/action/FollowJointTrajectory_SendGoal_Request`.
 *
 * ```ts
 * const codec = TypeRegistry.standard.codec('std_msgs/msg/String');
 * codec.encode({ data: 'hello' });
 * ```
 * @public
 */
export class TypeRegistry {
	readonly #texts: ReadonlyMap<string, string>;
	readonly #definitions = new Map<string, MessageDefinition>();
	readonly #codecs = new Map<string, MessageCodec>();
	readonly #hashes = new Map<string, string>();
	static #standard: TypeRegistry | undefined;

	private constructor(texts: ReadonlyMap<string, string>) {
		this.#texts = texts;
	}

	/** Interfaces of common packages of ROS 2 Jazzy. */
	static get standard(): TypeRegistry {
		TypeRegistry.#standard ??= new TypeRegistry(standardTexts());
		return TypeRegistry.#standard;
	}

	/** A registry with more types. Lines of their texts that make no sense are told. */
	with(interfaces: Iterable<InterfaceText>, report?: Report): TypeRegistry {
		const texts = new Map(this.#texts);
		for (const { type, text } of interfaces) {
			texts.set(type, text);
			for (const [index, part] of splitDefinition(text).entries()) {
				const { problems } = parseDefinition(type, part);
				const where = index === 0 ? '' : ` (part ${index + 1})`;
				for (const problem of problems) report?.add(createDiagnostic('ROS002', `${problem}${where}`));
			}
		}
		return new TypeRegistry(texts);
	}

	/** Names of messages, services and actions, in order. */
	get names(): string[] {
		return [...this.#texts.keys()].sort();
	}

	/** Whether a message, service or action and all that it holds is known. */
	has(type: string): boolean {
		const kind = type.split('/')[1];
		if (kind === 'srv') return this.#isWhole(`${type}_Request`) && this.#isWhole(`${type}_Response`);
		if (kind === 'action') return ['Goal', 'Result', 'Feedback'].every((part) => this.#isWhole(`${type}_${part}`));
		return this.#isWhole(type);
	}

	/** A message or a part of a service or action; undefined when nobody defines it. */
	find(type: string): MessageDefinition | undefined {
		const known = this.#definitions.get(type);
		if (known !== undefined) return known;
		const made = this.#make(type);
		if (made !== undefined) this.#definitions.set(type, made);
		return made;
	}

	/** Writes and reads messages of a type; throws where the type is unknown. */
	codec(type: string): MessageCodec {
		let codec = this.#codecs.get(type);
		if (codec === undefined) {
			codec = new MessageCodec(type, (name) => this.find(name));
			this.#codecs.set(type, codec);
		}
		return codec;
	}

	/** The hash of REP 2016, `RIHS01_…`, of a message, a service or an action. */
	hash(type: string): string {
		let hash = this.#hashes.get(type);
		if (hash === undefined) {
			hash = typeHash(describeType(type, (name) => this.find(name)));
			this.#hashes.set(type, hash);
		}
		return hash;
	}

	/** What REP 2016 says of a type; throws where it is unknown. */
	describe(type: string): TypeDescription {
		return describeType(type, (name) => this.find(name));
	}

	/** The text of a message: its fields and constants. */
	text(type: string): string {
		const definition = this.find(type);
		return definition === undefined ? '' : messageText(definition);
	}

	/** The text of a message with the texts of all that it holds, as MCAP and Foxglove take it (`ros2msg`). */
	schemaText(type: string): string {
		const done: string[] = [];
		const open = [type];
		for (let name = open.shift(); name !== undefined; name = open.shift()) {
			if (done.includes(name)) continue;
			done.push(name);
			for (const { nested } of this.find(name)?.fields ?? []) if (nested !== undefined) open.push(nested);
		}
		const line = '='.repeat(80);
		return done
			.map(
				(name, i) => (i === 0 ? '' : `${line}\nMSG: ${name.replace('/msg/', '/')}\n`) + messageText(this.find(name)!),
			)
			.join('');
	}

	#isWhole(type: string, seen: Set<string> = new Set()): boolean {
		if (seen.has(type)) return true;
		seen.add(type);
		const definition = this.find(type);
		return definition?.fields.every(({ nested }) => nested === undefined || this.#isWhole(nested, seen)) ?? false;
	}

	#make(type: string): MessageDefinition | undefined {
		const text = this.#texts.get(type);
		const [packageName, kind, name] = type.split('/') as [string, string?, string?];
		if (kind === 'msg') return text === undefined ? undefined : parseDefinition(type, text).definition;
		if (name === undefined) return undefined;
		if (kind === 'srv') {
			const base = name.replace(/_(?:Request|Response|Event)$/, '');
			return this.#makeService(`${packageName}/srv/${base}`, this.#texts.get(`${packageName}/srv/${base}`), type);
		}
		if (kind === 'action') return this.#makeAction(packageName, name, type);
		return undefined;
	}

	#makeService(base: string, text: string | undefined, type: string): MessageDefinition | undefined {
		if (text === undefined) return undefined;
		const part = type.slice(base.length + 1);
		const texts = splitDefinition(text);
		if (part === 'Event') return eventOf(base);
		if (part === '') return undefined;
		return parseDefinition(type, texts[part === 'Request' ? 0 : 1] ?? '').definition;
	}

	#makeAction(packageName: string, name: string, type: string): MessageDefinition | undefined {
		const match =
			/^(.+?)_(Goal|Result|Feedback|FeedbackMessage|(?:SendGoal|GetResult)(?:_(?:Request|Response|Event))?)$/.exec(
				name,
			);
		const base = `${packageName}/action/${match?.[1]}`;
		const text = this.#texts.get(base);
		if (match === null || text === undefined) return undefined;
		const part = match[2]!;
		const texts = splitDefinition(text);
		const direct = ['Goal', 'Result', 'Feedback'].indexOf(part);
		if (direct >= 0) return parseDefinition(type, texts[direct] ?? '').definition;
		if (part.endsWith('_Event')) return eventOf(type.slice(0, -'_Event'.length));
		const lines = ACTION_PARTS[part];
		return lines === undefined ? undefined : parseDefinition(type, lines.replaceAll('BASE', base)).definition;
	}
}

/** What an action adds to its goal, result and feedback. */
const ACTION_PARTS: Readonly<Record<string, string>> = {
	SendGoal_Request: 'unique_identifier_msgs/UUID goal_id\nBASE_Goal goal',
	SendGoal_Response: 'bool accepted\nbuiltin_interfaces/Time stamp',
	GetResult_Request: 'unique_identifier_msgs/UUID goal_id',
	GetResult_Response: 'int8 status\nBASE_Result result',
	FeedbackMessage: 'unique_identifier_msgs/UUID goal_id\nBASE_Feedback feedback',
};

function eventOf(base: string): MessageDefinition {
	const text = `service_msgs/ServiceEventInfo info\n${base}_Request[<=1] request\n${base}_Response[<=1] response`;
	return parseDefinition(`${base}_Event`, text).definition;
}

function standardTexts(): Map<string, string> {
	const texts = new Map<string, string>();
	for (const [packageName, all] of Object.entries(STANDARD_DEFINITIONS)) {
		for (const entry of all.split(/^(?=(?:msg|srv|action)\/\w+:$)/m)) {
			const end = entry.indexOf(':\n');
			if (end > 0) texts.set(`${packageName}/${entry.slice(0, end)}`, entry.slice(end + 2));
		}
	}
	return texts;
}

function messageText({ fields, constants }: MessageDefinition): string {
	return [
		...constants.map(
			({ name, primitive, text }) => `${primitive} ${name}=${primitive === 'string' ? `"${text}"` : text}\n`,
		),
		...fields.map(
			(field) => `${fieldType(field)} ${field.name}${field.defaultText === undefined ? '' : ` ${field.defaultText}`}\n`,
		),
	].join('');
}

function fieldType({ primitive, nested, multiplicity, size, stringSize }: MessageField): string {
	const base =
		primitive === undefined ? nested!.replace('/msg/', '/') : primitive + (stringSize > 0 ? `<=${stringSize}` : '');
	if (multiplicity === 'one') return base;
	return `${base}[${multiplicity === 'bounded' ? '<=' : ''}${size > 0 ? size : ''}]`;
}
