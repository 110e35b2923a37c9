import type { RosMessage } from '../msg/message-codec.ts';
import type { IndividualType } from '../msg/type-hash.ts';
import type { RosBus } from './ros-bus.ts';

interface Request {
	readonly type_name: string;
	readonly type_hash: string;
	readonly include_type_sources: boolean;
}

/** Tells others what the types of a node are made of: `get_type_description` of REP 2016. */
export function serveTypeDescriptions(bus: RosBus, node: string): void {
	const type = 'type_description_interfaces/srv/GetTypeDescription';
	bus.serve<Request & RosMessage>({ name: `${node}/get_type_description`, type }, (request) => {
		const { type_name: name, type_hash: hash } = request;
		const { types } = bus;
		const refuse = (reason: string): RosMessage => ({ successful: false, failure_reason: reason });
		if (!types.has(name)) return refuse(`the type '${name}' is unknown`);
		if (hash !== '' && hash !== types.hash(name)) return refuse(`'${name}' has the hash ${types.hash(name)}`);
		const description = types.describe(name);
		const all = [description.type, ...description.referenced];
		const sources = request.include_type_sources ? all.filter((one) => one.name.split('/')[1] === 'msg') : [];
		return {
			successful: true,
			type_description: {
				type_description: individual(description.type),
				referenced_type_descriptions: description.referenced.map(individual),
			},
			type_sources: sources.map((one) => ({
				type_name: one.name,
				encoding: 'msg',
				raw_file_contents: types.text(one.name),
			})),
		};
	});
}

function individual({ name, fields }: IndividualType): RosMessage {
	return {
		type_name: name,
		fields: fields.map((field) => ({
			name: field.name,
			type: {
				type_id: field.typeId,
				capacity: BigInt(field.capacity),
				string_capacity: BigInt(field.stringCapacity),
				nested_type_name: field.nested,
			},
		})),
	};
}
