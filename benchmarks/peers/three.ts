import { readFileSync } from 'node:fs';
import { USDAParser } from 'three/addons/loaders/usd/USDAParser.js';
import { USDCParser } from 'three/addons/loaders/usd/USDCParser.js';

/** Specs by path, as three's parsers give them. */
export interface ThreeLayer {
	readonly specsByPath: Readonly<Record<string, unknown>>;
}

const CRATE_MAGIC = 'PXR-USDC';

/** Reads a file with three's USD parsers, picked by content as three's loader does. They decode everything at once. */
export function readWithThree(path: string): ThreeLayer {
	return parseWithThree(readFileSync(path));
}

/** Parses the bytes of a file with three's USD parsers. */
export function parseWithThree(bytes: Uint8Array): ThreeLayer {
	if (isCrate(bytes)) {
		const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
		const buffer = whole ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
		return new USDCParser().parseData(buffer);
	}
	return new USDAParser().parseData(new TextDecoder().decode(bytes));
}

/** Number of specs that three found; throws when it found none. */
export function countThreeSpecs(layer: ThreeLayer): number {
	const count = Object.keys(layer.specsByPath).length;
	if (count < 2) throw new Error('found nothing in the file');
	return count;
}

/** Whether the bytes are a crate file. */
export function isCrate(bytes: Uint8Array): boolean {
	for (let i = 0; i < CRATE_MAGIC.length; i++) {
		if (bytes[i] !== CRATE_MAGIC.charCodeAt(i)) return false;
	}
	return true;
}
