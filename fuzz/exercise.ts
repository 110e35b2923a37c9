import { convertRobot, translateSdf } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import { importAsset, importMjcf, importUrdf } from '@manyworlds/import';
import { ModelBuilder, ModelError } from '@manyworlds/model';
import {
	type LayerData,
	MemoryStore,
	readUsda,
	readUsdc,
	readUsdz,
	T,
	type UsdzPackage,
	type Value,
	writeUsda,
} from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { ALL_CODES } from '../packages/manyworlds/src/all-codes.ts';
import type { FuzzCase } from './fuzz-case.ts';

const DEEPEST_PACKAGE = 4;

/** Reads an input as its format, decodes every field of every spec and writes the result as text. Throws what they throw. */
export function exercise(input: FuzzCase): Report {
	const report = new Report();
	const file = `fuzz.${input.format}`;
	if (input.format === 'urdf') exerciseUrdf(input.bytes, report, file);
	else if (input.format === 'mjcf') exerciseMjcf(input.bytes, report, file);
	else if (input.format === 'sdf') exerciseSdf(input.bytes, report, file);
	else if (input.format === 'usdz') exercisePackage(readUsdz(input.bytes, { file, report }), report, file, 0);
	else exerciseLayer(input.bytes, input.format === 'usdc', report, file);
	return report;
}

/** Why the outcome of a case is not as it should be; undefined when it is. */
export function findFault(input: FuzzCase, report: Report): string | undefined {
	const { error, warning } = report.counts;
	const first = report.toArray()[0];
	switch (input.expects) {
		case 'error':
			if (error === 0) return 'no error was reported, but the damage can be seen';
			break;
		case 'told':
			if (error + warning === 0) return 'nothing was reported, but the damage can be seen';
			break;
		case 'clean':
			if (error > 0) return `an error was reported for sound content: ${first?.code} ${first?.message}`;
			break;
		case 'any':
			break;
	}
	for (const { code, message, file, range, severity } of report.toArray()) {
		if (!Object.hasOwn(ALL_CODES, code)) return `the code '${code}' is not registered`;
		if (message.trim() === '' || message.length > 2000) return `${code} has a message of ${message.length} characters`;
		if (file === undefined) return `${code} names no file`;
		// a file without a robot has no line that says so
		if (code === 'CNV003') continue;
		if (severity === 'error' && isText(input) && range === undefined) return `${code} has no line and column`;
	}
	return undefined;
}

function isText({ format }: FuzzCase): boolean {
	return format === 'usda' || format === 'urdf' || format === 'mjcf' || format === 'sdf';
}

/** Imports a robot and makes its model; a model that does not pass its checks is a refusal, not a fault. */
function exerciseUrdf(bytes: Uint8Array, report: Report, file: string): void {
	const builder = new ModelBuilder();
	const { ledger } = importUrdf(bytes, builder, { report, file });
	const { total, used, converted, kept, ignored } = ledger.totals();
	if (used + converted + kept + ignored !== total) throw new Error('attributes are lost');
	try {
		builder.finalize();
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
	}
}

/** Imports a model in both ways; what the builder refuses to make a model of is an answer too. */
function exerciseMjcf(bytes: Uint8Array, report: Report, file: string): void {
	for (const newtonCompat of [false, true]) {
		const builder = new ModelBuilder();
		const { ledger } = importMjcf(bytes, builder, { report, file, newtonCompat, keyframe: 0 });
		const { used, converted, kept, ignored, total } = ledger.totals();
		if (used + converted + kept + ignored !== total) throw new Error('the ledger does not add up');
		try {
			builder.finalize();
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
		}
	}
}

/** Imports the models, and writes them in one of the formats, another for each length of the text. */
function exerciseSdf(bytes: Uint8Array, report: Report, file: string): void {
	const store = new MemoryStore({ [file]: bytes });
	const robot = convertRobot(file, { store, to: SDF_TARGETS[bytes.length % SDF_TARGETS.length]!, report });
	for (const { kind, name, outcome, losses } of robot?.ledger ?? []) {
		if (outcome === 'dropped' && losses.length === 0) throw new Error(`${kind} ${name} is lost without a reason`);
	}
	for (const { path } of robot?.files ?? []) {
		if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`'${path}' is outside of the folder`);
	}
	const builder = new ModelBuilder();
	try {
		importAsset(file, builder, { store, report: new Report(), translateSdf });
		builder.finalize();
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
	}
}

const SDF_TARGETS = ['mjcf', 'urdf', 'sdf', 'glb', 'rep'] as const;

function exercisePackage(container: UsdzPackage, report: Report, file: string, depth: number): void {
	for (const { name, bytes } of container.entries) {
		const memberUri = `${file}[${name}]`;
		if (/\.usd[ac]?$/.test(name)) exerciseLayer(bytes, isCrate(bytes), report, memberUri);
		else if (name.endsWith('.usdz') && depth < DEEPEST_PACKAGE) {
			exercisePackage(readUsdz(bytes, { file: memberUri, report }), report, memberUri, depth + 1);
		}
	}
}

function exerciseLayer(bytes: Uint8Array, crate: boolean, report: Report, file: string): void {
	const layer = crate ? readUsdc(bytes, { file, report }) : readUsda(bytes, { file, report });
	decodeEverything(layer);
	writeUsda(layer);
}

/** Reads all there is; the number of values, so that nothing is optimised away. */
export function decodeEverything(layer: LayerData): number {
	let count = 0;
	for (const path of layer.paths()) {
		layer.specType(path);
		for (const name of layer.fieldNames(path)) {
			const value = layer.field(path, name);
			if (value !== undefined) count += touch(value);
		}
	}
	return count;
}

function touch(value: Value): number {
	const samples = dataOf(value, T.timeSamples);
	if (samples === undefined) return 1;
	let count = 1;
	for (let i = 0; i < samples.times.length; i++) {
		if (samples.valueAt(i).type !== undefined) count++;
	}
	return count;
}

function isCrate(bytes: Uint8Array): boolean {
	return bytes[0] === 0x50 && bytes[1] === 0x58 && bytes[2] === 0x52;
}
