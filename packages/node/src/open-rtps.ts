import { randomBytes } from 'node:crypto';
import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { lookup as lookupName } from 'node:dns';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type ParticipantOptions, type RtpsHost, RtpsParticipant } from '@manyworlds/ros';
import { discoveryPort, MULTICAST_ADDRESS, unicastPort } from '@manyworlds/ros/internal';

/** Options of {@link openRtps}. */
export interface OpenRtpsOptions extends Omit<ParticipantOptions, 'prefix'> {
	/** Addresses of the interfaces to join; all of IPv4 that are not the loopback unless given. */
	readonly interfaces?: readonly string[];
	/** Whether the next datagram, out or in, is dropped: for tests of networks that lose some. */
	readonly isLost?: () => boolean;
}

/** A participant with its sockets. */
export interface OpenedRtps {
	readonly participant: RtpsParticipant;
	/** Addresses that it announces. */
	readonly addresses: readonly string[];
	readonly port: number;
	/** Closes the sockets, after what was sent is on its way. */
	close(): Promise<void>;
}

/** Participants of one machine and domain. */
const MOST_PARTICIPANTS = 120;
/** Wanted size of socket buffers [bytes]; the system may give less. */
const BUFFER_SIZE = 4 << 20;
const LOOPBACK = '127.0.0.1';

/** Opens the sockets of a participant of a domain. Rejects where no port is free. */
export async function openRtps(options: OpenRtpsOptions): Promise<OpenedRtps> {
	const { domain, isLost = () => false } = options;
	const interfaces = options.interfaces ?? ownAddresses();
	const joined = interfaces.length === 0 ? [LOOPBACK] : interfaces;
	const shared = createSocket({ type: 'udp4', reuseAddr: true, lookup });
	await bind(shared, discoveryPort(domain));
	for (const address of joined) {
		try {
			shared.addMembership(MULTICAST_ADDRESS, address);
		} catch {
			// an interface without multicast: peers are told one by one
		}
	}
	const own = await bindOwn(domain);
	enlarge(own);
	const { port } = own.address();
	let multicastTo = joined[0]!;
	own.setMulticastInterface(multicastTo);
	own.setMulticastLoopback(true);
	const addresses = [...new Set([...joined, LOOPBACK])];
	const host: RtpsHost = {
		addresses,
		port,
		send: (bytes, to) => {
			if (isLost()) return;
			if (to.address !== MULTICAST_ADDRESS) {
				own.send(bytes, to.port, to.address, ignore);
				return;
			}
			for (const address of joined) {
				if (address !== multicastTo) own.setMulticastInterface(address);
				multicastTo = address;
				own.send(bytes, to.port, to.address, ignore);
			}
		},
		now: () => performance.now(),
		wallTime: () => Date.now(),
		soon: (work) => queueMicrotask(work),
		after: (milliseconds, work) => void setTimeout(work, milliseconds),
	};
	// the first bytes are the vendor's
	const prefix = `017f${randomBytes(10).toString('hex')}`;
	const participant = new RtpsParticipant(host, { ...options, prefix });
	const receive = (bytes: Uint8Array): void => {
		if (!isLost()) participant.receive(bytes);
	};
	shared.on('message', receive);
	own.on('message', receive);
	for (const socket of [shared, own]) socket.on('error', ignore);
	return {
		participant,
		addresses,
		port,
		close: async () => {
			await new Promise((resolve) => setTimeout(resolve, 50));
			await Promise.all([shared, own].map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
		},
	};
}

function ignore(): void {}

/** Addresses need no question; the usual way asks for each datagram. */
const lookup: SocketOptions['lookup'] = (name, options, done) => {
	if (isIPv4(name)) done(null, name, 4);
	else lookupName(name, options, done);
};

function ownAddresses(): string[] {
	return Object.values(networkInterfaces())
		.flatMap((entries) => entries ?? [])
		.filter(({ family, internal }) => family === 'IPv4' && !internal)
		.map(({ address }) => address);
}

async function bind(socket: Socket, port: number): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		socket.once('error', reject);
		socket.bind(port, () => {
			socket.off('error', reject);
			resolve();
		});
	});
}

async function bindOwn(domain: number): Promise<Socket> {
	for (let index = 0; ; index++) {
		const socket = createSocket({ type: 'udp4', lookup });
		try {
			await bind(socket, unicastPort(domain, index));
			return socket;
		} catch (error) {
			socket.close();
			if (index + 1 >= MOST_PARTICIPANTS) throw error;
		}
	}
}

function enlarge(socket: Socket): void {
	try {
		socket.setRecvBufferSize(BUFFER_SIZE);
		socket.setSendBufferSize(BUFFER_SIZE);
	} catch {
		// the system's own size stays
	}
}
