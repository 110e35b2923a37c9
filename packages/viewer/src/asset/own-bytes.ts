/** Bytes in a buffer of their own. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
	return (bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()) as Uint8Array<ArrayBuffer>;
}
