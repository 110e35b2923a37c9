/** A GLB without what nobody sees: names, and what programs note for themselves. */
export function unnamedGlb(glb: Uint8Array): Uint8Array {
	const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
	const end = HEADER + view.getUint32(12, true);
	const told = JSON.parse(new TextDecoder().decode(glb.subarray(HEADER, end))) as object;
	const text = JSON.stringify(told, (key, value: unknown) =>
		key === 'name' || key === 'extras' || key === 'asset' ? undefined : value,
	);
	const json = new TextEncoder().encode(text);
	const out = new Uint8Array(json.length + glb.length - end);
	out.set(json);
	out.set(glb.subarray(end), json.length);
	return out;
}

/** Bytes before the JSON: the header of the file, and that of its first chunk (glTF 2.0, section 4.4). */
const HEADER = 20;
