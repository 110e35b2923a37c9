/** Where datagrams go: an IPv4 address and a port. */
export interface Locator {
	readonly address: string;
	readonly port: number;
}

/** Kind of a locator: UDP over IPv4. */
const UDP_V4 = 1;
const LOCATOR_SIZE = 24;

export function locatorBytes({ address, port }: Locator): number[] {
	const word = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
	return [...word(UDP_V4), ...word(port), ...new Array<number>(12).fill(0), ...address.split('.').map(Number)];
}

/** Reads a locator; undefined for other kinds, such as shared memory. */
export function readLocator(bytes: Uint8Array, isLittle: boolean): Locator | undefined {
	if (bytes.length < LOCATOR_SIZE) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const port = view.getUint32(4, isLittle);
	if (view.getInt32(0, isLittle) !== UDP_V4 || port < 1 || port > 0xffff) return undefined;
	return { address: bytes.subarray(20, 24).join('.'), port };
}

/**
 * The one of several places of a peer to send to: an address of this machine, which is the peer's when it runs here too, else
 * one of a network that this machine is in, else the first.
 */
export function chooseLocator(locators: readonly Locator[], own: readonly string[]): Locator | undefined {
	const network = (address: string): string => address.slice(0, address.lastIndexOf('.'));
	const networks = new Set(own.map(network));
	return (
		locators.find(({ address }) => own.includes(address)) ??
		locators.find(({ address }) => networks.has(network(address))) ??
		locators.find(({ address }) => !address.startsWith('127.')) ??
		locators[0]
	);
}
