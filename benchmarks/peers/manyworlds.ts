import { readFileSync } from 'node:fs';
import { Report } from '@manyworlds/core';
import { type LayerData, readUsda, readUsdc, SpecType } from '@manyworlds/usd';
import { isCrate } from './three.ts';

/** Reads a layer file with our readers; throws when they report an error, as the bench files have none. */
export function readLayer(path: string): LayerData {
	return parseLayer(readFileSync(path), path);
}

/** Reads a layer from the bytes of a file. */
export function parseLayer(bytes: Uint8Array, file: string): LayerData {
	const report = new Report();
	const data = isCrate(bytes) ? readUsdc(bytes, { file, report }) : readUsda(bytes, { file, report });
	if (report.hasErrors) throw new Error(report.toArray()[0]?.message ?? 'unknown error');
	return data;
}

/** Reads every field of every spec; the number of values, those of time samples included. */
export function decodeEverything(data: LayerData): number {
	let values = 0;
	for (const path of data.paths()) {
		for (const name of data.fieldNames(path)) {
			const value = data.field(path, name);
			if (value === undefined) throw new Error(`<${path}> has no '${name}'`);
			values++;
		}
	}
	return values;
}

/** Number of specs, without those of targets and connections: crates do not store them. */
export function countSpecs(data: LayerData): number {
	let count = 0;
	for (const path of data.paths()) {
		const type = data.specType(path);
		if (type !== SpecType.relationshipTarget && type !== SpecType.connection) count++;
	}
	return count;
}
