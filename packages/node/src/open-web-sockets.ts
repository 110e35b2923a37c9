import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** A client that is connected. */
export interface WebSocketClient {
	send(data: string | Uint8Array): void;
	readonly bufferedAmount: number;
}

/** What becomes of what a client sends. */
export interface WebSocketReceiver {
	receive(data: string | Uint8Array): void;
	close(): void;
}

/** Options of {@link openWebSockets}. */
export interface OpenWebSocketsOptions {
	readonly port: number;
	/** Address to listen at; the loopback unless given. */
	readonly host?: string;
	/** Subprotocols, the preferred one first; a client that names none of them is refused. Left out, any client is taken. */
	readonly protocols?: readonly string[];
	/** Origins of pages that may connect besides those of this machine; `*` for all. */
	readonly origins?: readonly string[];
	/** What clients must give as `?token=`; none unless given. */
	readonly token?: string;
	readonly connect: (client: WebSocketClient) => WebSocketReceiver;
}

/** A server that listens. */
export interface OpenedWebSockets {
	readonly port: number;
	close(): Promise<void>;
}

/** Largest message that a client may send [bytes]. */
const MOST_PAYLOAD = 64 << 20;

/** Listens for WebSockets. Rejects where the port is taken. */
export async function openWebSockets(options: OpenWebSocketsOptions): Promise<OpenedWebSockets> {
	const { protocols } = options;
	const http = createServer((_, response) => response.writeHead(426).end());
	const server = new WebSocketServer({
		server: http,
		maxPayload: MOST_PAYLOAD,
		verifyClient: ({ req }: { req: IncomingMessage }) => isAllowed(req, options),
		...(protocols !== undefined && {
			handleProtocols: (offered: Set<string>) => protocols.find((protocol) => offered.has(protocol)) ?? false,
		}),
	});
	server.on('error', () => {});
	server.on('connection', (socket: WebSocket) => {
		socket.binaryType = 'nodebuffer';
		const receiver = options.connect({
			send: (data) => {
				if (socket.readyState === socket.OPEN) socket.send(data);
			},
			get bufferedAmount() {
				return socket.bufferedAmount;
			},
		});
		socket.on('message', (data: Buffer, isBinary: boolean) =>
			receiver.receive(isBinary ? data : data.toString('utf8')),
		);
		socket.on('close', () => receiver.close());
		// a broken frame ends this client alone
		socket.on('error', () => socket.terminate());
	});
	await new Promise<void>((resolve, reject) => {
		http.once('error', reject);
		http.listen(options.port, options.host ?? '127.0.0.1', () => {
			http.off('error', reject);
			resolve();
		});
	});
	const address = http.address();
	return {
		port: typeof address === 'object' && address !== null ? address.port : options.port,
		close: async () => {
			for (const client of server.clients) client.terminate();
			await new Promise<void>((resolve) => server.close(() => http.close(() => resolve())));
		},
	};
}

/** Whether a client may connect: its page is of this machine or allowed, and it knows the token. */
function isAllowed(request: IncomingMessage, { origins = [], token, protocols }: OpenWebSocketsOptions): boolean {
	const { origin } = request.headers;
	if (origin !== undefined && !origins.includes('*') && !origins.includes(origin) && !isLocal(origin)) return false;
	if (protocols !== undefined) {
		const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
		if (!protocols.some((protocol) => offered.includes(protocol))) return false;
	}
	if (token === undefined) return true;
	const given = Buffer.from(new URL(request.url ?? '/', 'http://localhost').searchParams.get('token') ?? '');
	const expected = Buffer.from(token);
	return given.length === expected.length && timingSafeEqual(given, expected);
}

function isLocal(origin: string): boolean {
	try {
		return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
	} catch {
		return false;
	}
}
