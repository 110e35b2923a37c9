import { Report } from '@manyworlds/core';
import {
	compareLayers,
	convertFile,
	inspectFile,
	Layer,
	type LayerData,
	makeValue,
	readUsda,
	readUsdc,
	readUsdz,
	T,
	writeUsda,
	writeUsdc,
	writeUsdz,
} from '@manyworlds/usd';

/** Named results: hashes of bytes and plain facts. */
export type Results = Record<string, string>;

/**
 * Reads, edits and writes all three formats and gives the hashes of what it wrote. Runs in Node and in a browser, which
 * must agree. `files` holds the example robot by path.
 */
export async function runProgram(files: Readonly<Record<string, Uint8Array>>): Promise<Results> {
	const results: Results = {};
	const report = new Report();
	for (const [name, bytes] of Object.entries(files)) {
		if (!name.endsWith('.usda')) continue;
		const data = readUsda(bytes, { file: name, report });
		const text = writeUsda(data);
		const crate = writeUsdc(data);
		results[`${name} usda`] = await hash(text);
		results[`${name} usdc`] = await hash(crate);
		results[`${name} from crate`] = differences(data, readUsdc(crate, { file: name, report }));
	}

	const root = 'heron/heron.usda';
	const edited = edit(readUsda(files[root]!, { file: root, report }));
	const crate = writeUsdc(edited.data);
	results['edited usda'] = await hash(writeUsda(edited.data));
	results['edited usdc'] = await hash(crate);
	const container = writeUsdz([
		{ name: 'heron.usdc', bytes: crate },
		{ name: 'textures/hazard.png', bytes: files['heron/layers/textures/hazard.png']! },
	]);
	results['edited usdz'] = await hash(container);
	const members = readUsdz(container, { file: 'heron.usdz', report });
	results['usdz members'] = members.entries.map((entry) => `${entry.name} ${entry.bytes.length}`).join(', ');
	results['usdz content'] = differences(edited.data, readUsdc(members.rootLayer!.bytes, { report }));

	const read = (path: string) => files[path];
	const whole = convertFile(files[root]!, { file: root, output: 'heron.usdz', format: 'usdz', read, report });
	results['packed robot'] = await hash(whole!);
	results['summary'] = await hash(
		new TextEncoder().encode(JSON.stringify(inspectFile(whole!, { file: 'heron.usdz' }))),
	);
	results['bad text'] = codesOf(readBad('#usda 1.0\ndef Xform "a" {\n    double x = \n}\n'));
	results['findings'] = String(report.size);
	return results;
}

/** Fetches the example robot and runs the program on it. */
export async function runInPage(names: readonly string[]): Promise<Results> {
	const files: Record<string, Uint8Array> = {};
	for (const name of names) {
		const response = await fetch(`/examples/robots/${name}`);
		if (!response.ok) throw new Error(`${name}: status ${response.status}`);
		files[name] = new Uint8Array(await response.arrayBuffer());
	}
	return runProgram(files);
}

function edit(data: LayerData): Layer {
	const layer = new Layer('heron.usda', data);
	layer.createPrim('/heron/lamp', { specifier: 'def', typeName: 'SphereLight' });
	layer.createAttribute('/heron/lamp.inputs:intensity', 'float');
	layer.setField('/heron/lamp.inputs:intensity', 'default', makeValue(T.float, 1500));
	layer.createAttribute('/heron/lamp.points', 'point3f[]');
	layer.setField(
		'/heron/lamp.points',
		'default',
		makeValue(T.float3.array, Float32Array.of(0, 0.5, 1, 1e-7, -2.25, 1e9)),
	);
	layer.moveSpec('/heron/lamp', '/heron/light');
	return layer;
}

function readBad(text: string): Report {
	const report = new Report();
	readUsda(new TextEncoder().encode(text), { file: 'bad.usda', report });
	return report;
}

function codesOf(report: Report): string {
	return report
		.toArray()
		.map((found) => `${found.code} ${found.range?.start.line}:${found.range?.start.column} ${found.message}`)
		.join('; ');
}

function differences(a: LayerData, b: LayerData): string {
	return `${compareLayers(a, b).length} differences in ${a.specCount} specs`;
}

async function hash(bytes: Uint8Array): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
