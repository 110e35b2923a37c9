import type { Qos } from '../bus/qos.ts';
import type { BusSink, Publisher, Service, Subscription } from '../bus/ros-bus.ts';
import { CDR_HEADER_SIZE } from '../msg/cdr.ts';
import type { TypeRegistry } from '../msg/type-registry.ts';
import type { EndpointQos } from './endpoint-data.ts';
import { EntityId, guidBytes, Vendor } from './guid.ts';
import { ParameterWriter, Pid } from './parameter-list.ts';
import type { RtpsParticipant } from './participant.ts';
import type { RtpsReader, Sample } from './rtps-reader.ts';
import type { RtpsWriter, WriteOptions } from './rtps-writer.ts';

/** Options of {@link RtpsSink}. */
export interface RtpsSinkOptions {
	readonly types: TypeRegistry;
	/** Name of the node that everything belongs to. */
	readonly nodeName: string;
	/** Its namespace: `/` or `/robot_1`. */
	readonly nodeNamespace: string;
}

/** The topic in which ROS tells which node has which writers and readers. */
const GRAPH_TOPIC = 'ros_discovery_info';
const GRAPH_TYPE = 'rmw_dds_common/msg/ParticipantEntitiesInfo';
const LATCHED: EndpointQos = { isReliable: true, isTransientLocal: true, depth: 1 };
const REQUESTS: EndpointQos = { isReliable: true, isTransientLocal: false, depth: 10 };
/** Answers that are kept until clients have them. */
const REPLIES: EndpointQos = { isReliable: true, isTransientLocal: false, depth: 200 };
/** Bytes that Cyclone puts before requests and replies: who asked, and the number of the question. */
const CYCLONE_HEADER = 16;

interface ServiceEnds {
	readonly reader: RtpsReader;
	readonly writer: RtpsWriter;
}

/** Carries the topics and services of one domain over RTPS, as the middlewares of ROS 2 do. */
export class RtpsSink implements BusSink {
	readonly #participant: RtpsParticipant;
	readonly #options: RtpsSinkOptions;
	readonly #writers = new Map<Publisher, RtpsWriter>();
	readonly #readers = new Map<Subscription, RtpsReader>();
	readonly #services = new Map<Service, ServiceEnds>();
	readonly #graph: RtpsWriter;
	#isGraphDue = true;

	constructor(participant: RtpsParticipant, options: RtpsSinkOptions) {
		this.#participant = participant;
		this.#options = options;
		this.#graph = participant.createWriter(GRAPH_TOPIC, ddsType(GRAPH_TYPE), LATCHED, options.types.hash(GRAPH_TYPE));
	}

	/** Does what is due; to be called at least every 50 ms. */
	tick(): void {
		if (this.#isGraphDue) this.#tellGraph();
		this.#participant.tick();
	}

	/** Messages of topics that a listener wanted and did not get, because it is too slow for what is kept; topics without any are left out. */
	get lost(): Map<string, number> {
		const all = [...this.#writers].map(([{ name }, { lost }]) => [name, lost] as const);
		return new Map(all.filter(([, lost]) => lost > 0));
	}

	/** Tells all that it is gone. */
	close(): void {
		this.#participant.close();
	}

	addPublisher(publisher: Publisher): void {
		const { name, type, domain, qos } = publisher;
		if (domain !== this.#participant.domain) return;
		const hash = this.#options.types.hash(type);
		this.#writers.set(publisher, this.#participant.createWriter(`rt${name}`, ddsType(type), endpointQos(qos), hash));
		this.#isGraphDue = true;
	}

	removePublisher(publisher: Publisher): void {
		const writer = this.#writers.get(publisher);
		if (writer === undefined) return;
		this.#writers.delete(publisher);
		this.#participant.removeWriter(writer);
		this.#isGraphDue = true;
	}

	publish(publisher: Publisher, bytes: Uint8Array): void {
		this.#writers.get(publisher)?.write(bytes);
	}

	addSubscription(subscription: Subscription): void {
		const { name, type, domain, qos } = subscription;
		if (domain !== this.#participant.domain) return;
		const take = ({ payload, isKey }: Sample): void => {
			if (!isKey) subscription.receive(payload);
		};
		const hash = this.#options.types.hash(type);
		const reader = this.#participant.createReader(`rt${name}`, ddsType(type), endpointQos(qos), take, hash);
		this.#readers.set(subscription, reader);
		this.#isGraphDue = true;
	}

	removeSubscription(subscription: Subscription): void {
		const reader = this.#readers.get(subscription);
		if (reader === undefined) return;
		this.#readers.delete(subscription);
		this.#participant.removeReader(reader);
		this.#isGraphDue = true;
	}

	addService(service: Service): void {
		const { name, type, domain } = service;
		if (domain !== this.#participant.domain) return;
		const { types } = this.#options;
		const answers = `${type}_Response`;
		const writer = this.#participant.createWriter(`rr${name}Reply`, ddsType(answers), REPLIES, types.hash(answers));
		const take = (sample: Sample): void => this.#answer(service, writer, sample);
		const hash = types.hash(`${type}_Request`);
		const reader = this.#participant.createReader(`rq${name}Request`, ddsType(`${type}_Request`), REQUESTS, take, hash);
		this.#services.set(service, { reader, writer });
		this.#isGraphDue = true;
	}

	removeService(service: Service): void {
		const ends = this.#services.get(service);
		if (ends === undefined) return;
		this.#services.delete(service);
		this.#participant.removeReader(ends.reader);
		this.#participant.removeWriter(ends.writer);
		this.#isGraphDue = true;
	}

	/** Vendors differ in how an answer is told from others: by parameters of the sample, or by bytes before the message. */
	#answer(service: Service, writer: RtpsWriter, sample: Sample): void {
		if (sample.isKey) return;
		const { payload, source } = sample;
		if (this.#participant.vendorOf(source) === Vendor.CYCLONE) {
			const start = CDR_HEADER_SIZE + CYCLONE_HEADER;
			if (payload.length < start) return;
			const header = payload.slice(0, start);
			const request = new Uint8Array(payload.length - CYCLONE_HEADER);
			request.set(payload.subarray(0, CDR_HEADER_SIZE));
			request.set(payload.subarray(start), CDR_HEADER_SIZE);
			service.call(request, (reply) => {
				const bytes = new Uint8Array(reply.length + CYCLONE_HEADER);
				bytes.set(header);
				bytes.set(reply.subarray(0, CDR_HEADER_SIZE));
				bytes.set(reply.subarray(CDR_HEADER_SIZE), start);
				writer.write(bytes, { target: source });
			});
			return;
		}
		const options: WriteOptions = { inlineQos: relatedSample(sample), target: source };
		service.call(payload, (reply) => writer.write(reply, options));
	}

	#tellGraph(): void {
		this.#isGraphDue = false;
		const { types, nodeName, nodeNamespace } = this.#options;
		const gid = (entity: number): { data: Uint8Array } => ({ data: guidBytes(this.#participant.prefix, entity) });
		const services = [...this.#services.values()];
		const readers = [...this.#readers.values(), ...services.map(({ reader }) => reader)];
		const writers = [...this.#writers.values(), ...services.map(({ writer }) => writer)];
		const bytes = types.codec(GRAPH_TYPE).encode({
			gid: gid(EntityId.PARTICIPANT),
			node_entities_info_seq: [
				{
					node_namespace: nodeNamespace,
					node_name: nodeName,
					reader_gid_seq: readers.map(({ entity }) => gid(entity)),
					writer_gid_seq: writers.map(({ entity }) => gid(entity)),
				},
			],
		});
		this.#graph.write(bytes);
	}
}

/** The name that a type has on the wire: `sensor_msgs::msg::dds_::Imu_`. */
export function ddsType(type: string): string {
	const [packageName, kind, name] = type.split('/');
	return `${packageName}::${kind}::dds_::${name}_`;
}

function endpointQos({ reliability, durability, depth, lifespan }: Qos): EndpointQos {
	return {
		isReliable: reliability === 'reliable',
		isTransientLocal: durability === 'transient_local',
		depth,
		...(lifespan !== undefined && { lifespan }),
	};
}

/** The question that an answer belongs to: the reader of the client, and the number of the request. */
function relatedSample({ inlineQos, source, writer, sequence }: Sample): Uint8Array {
	const given = inlineQos.find(({ id }) => id === Pid.RELATED_SAMPLE || id === Pid.RELATED_SAMPLE_OLD)?.value;
	const value = new Uint8Array(24);
	value.set(given !== undefined && given.length >= 16 ? given.subarray(0, 16) : guidBytes(source, writer));
	const view = new DataView(value.buffer);
	view.setInt32(16, Math.floor(sequence / 2 ** 32), true);
	view.setUint32(20, sequence >>> 0, true);
	return new ParameterWriter().add(Pid.RELATED_SAMPLE, value).add(Pid.RELATED_SAMPLE_OLD, value).end();
}
