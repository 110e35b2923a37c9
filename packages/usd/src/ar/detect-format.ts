/** Formats that can be told from the first bytes of a file. @public */
export type DetectedFormat = 'usda' | 'usdc' | 'usdz' | 'unknown';

/** Tells the format of a file from its first bytes, whatever its extension says. @public */
export function detectFormat(bytes: Uint8Array): DetectedFormat {
	if (startsWith(bytes, 'PXR-USDC')) return 'usdc';
	if (startsWith(bytes, 'PK\u0003\u0004') || startsWith(bytes, 'PK\u0005\u0006')) return 'usdz';
	// files of before 2016 have the second header
	return startsWith(bytes, '#usda') || startsWith(bytes, '#sdf') ? 'usda' : 'unknown';
}

/** Says in a few words what bytes that are no USD file seem to be. */
export function nameContent(bytes: Uint8Array): string {
	if (bytes.length === 0) return 'nothing (0 bytes)';
	for (const [start, name] of KNOWN_STARTS) if (startsWith(bytes, start)) return name;
	return isZero(bytes) ? 'only zero bytes' : 'binary data of an unknown kind';
}

/** Whether bytes that no format claims look like text. */
export function looksLikeText(bytes: Uint8Array): boolean {
	if (bytes.length === 0 || KNOWN_STARTS.some(([start]) => startsWith(bytes, start))) return false;
	return bytes.subarray(0, 512).every(isTextByte);
}

/** First bytes, one character each, of files that are mistaken for USD files. */
const KNOWN_STARTS: readonly (readonly [string, string])[] = [
	['\u0089PNG', 'a PNG image'],
	['\u00ff\u00d8\u00ff', 'a JPEG image'],
	['GIF8', 'a GIF image'],
	['glTF', 'binary glTF'],
	['<?xml', 'XML'],
	['<robot', 'URDF'],
	['<mujoco', 'MJCF'],
	['<sdf', 'SDFormat'],
	['solid ', 'an STL mesh'],
	['Kaydara FBX', 'an FBX scene'],
	['\u001f\u008b', 'gzip data'],
	['\u007fELF', 'an executable'],
	['%PDF', 'a PDF document'],
	['version https://git-lfs', 'a Git LFS pointer: the file itself was not downloaded'],
	['PXR-', 'a crate whose header is cut off'],
];

function startsWith(bytes: Uint8Array, start: string): boolean {
	if (bytes.length < start.length) return false;
	for (let i = 0; i < start.length; i++) if (bytes[i] !== start.charCodeAt(i)) return false;
	return true;
}

function isZero(bytes: Uint8Array): boolean {
	for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false;
	return true;
}

function isTextByte(byte: number): boolean {
	return byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
