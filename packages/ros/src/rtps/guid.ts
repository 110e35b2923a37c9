/** Identifiers of entities that every participant has (RTPS 2.3, 9.3.1.5). */
export const EntityId = {
	UNKNOWN: 0,
	PARTICIPANT: 0x000001c1,
	SPDP_WRITER: 0x000100c2,
	SPDP_READER: 0x000100c7,
	PUBLICATIONS_WRITER: 0x000003c2,
	PUBLICATIONS_READER: 0x000003c7,
	SUBSCRIPTIONS_WRITER: 0x000004c2,
	SUBSCRIPTIONS_READER: 0x000004c7,
	MESSAGE_WRITER: 0x000200c2,
	MESSAGE_READER: 0x000200c7,
} as const;

/** Kinds of entities of users, the last byte of their identifier: without a key. */
export const USER_WRITER = 0x03;
export const USER_READER = 0x04;

/** Vendors that need answers of their own (RTPS 2.3, 9.4.5.1.3). */
export const Vendor = { FAST_DDS: 0x010f, CYCLONE: 0x0110 } as const;

/** The vendor that this implementation says it is: none that is registered. */
export const OWN_VENDOR = 0x017f;

/** Bytes as hexadecimal text: prefixes of participants are compared and kept as texts. */
export function toHex(bytes: Uint8Array): string {
	let text = '';
	for (const byte of bytes) text += HEX[byte]!;
	return text;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The bytes of hexadecimal text. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from({ length: text.length >> 1 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** The 16 bytes of an entity. */
export function guidBytes(prefix: string, entity: number): Uint8Array<ArrayBuffer> {
	return fromHex(prefix + entityHex(entity));
}

/** An entity among all: prefix and identifier as text. */
export function guidKey(prefix: string, entity: number): string {
	return prefix + entityHex(entity);
}

function entityHex(entity: number): string {
	return (entity >>> 0).toString(16).padStart(8, '0');
}
