import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type MjcfFileContent, readMjcf, writeMjcf } from '@manyworlds/formats';
import type { MjModel } from '@manyworlds/mujoco';
import { BOOLEAN_FIELD_NAMES, boolField, numberField } from '@manyworlds/mujoco/internal';
import { expect, test } from 'vitest';
import { mujoco } from './support.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SHARED = join(ROOT, '../shared');

/** Models with what is hard to write: includes, default classes, tendons, loops. */
const MODELS = [
	join(ROOT, 'examples/robots/crane/crane.xml'),
	join(SHARED, 'assets/menagerie/shadow_hand/scene_right.xml'),
	join(SHARED, 'assets/menagerie/robotiq_2f85/2f85.xml'),
].filter((file) => existsSync(file));

const ASSETS: ReadonlySet<string> = new Set(['.xml', '.obj', '.stl', '.msh', '.png', '.bin', '.skn']);

/** What MuJoCo compiles a file to, with all that lies beside it; `text` in the place of the file itself. */
function compiled<T>(path: string, text: string | undefined, use: (mj: MjModel) => T): T {
	const { FS: files } = mujoco as unknown as {
		FS: { mkdirTree(path: string): void; writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
	};
	const root = `/rewritten-${basename(dirname(path))}`;
	const written: string[] = [];
	const write = (file: string, bytes: Uint8Array): void => {
		files.writeFile(file, bytes);
		written.push(file);
	};
	const copy = (from: string, to: string): void => {
		files.mkdirTree(to);
		for (const name of readdirSync(from)) {
			const file = join(from, name);
			if (statSync(file).isDirectory()) copy(file, `${to}/${name}`);
			else if (ASSETS.has(extname(name).toLowerCase())) write(`${to}/${name}`, readFileSync(file));
		}
	};
	copy(dirname(path), root);
	const main = `${root}/main-of-test.xml`;
	write(main, text === undefined ? readFileSync(path) : new TextEncoder().encode(text));
	let mj: MjModel | undefined;
	try {
		mj = mujoco.MjModel.from_xml_path(main);
		return use(mj);
	} finally {
		mj?.delete();
		for (const file of written) files.unlink(file);
	}
}

/** The bytes of every array of a compiled model, by name. */
function arraysOf(mj: MjModel): Map<string, Buffer> {
	const arrays = new Map<string, Buffer>();
	for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(mj))) {
		try {
			const view = BOOLEAN_FIELD_NAMES.has(name) ? boolField(mj, name) : numberField(mj, name);
			if (view === undefined) continue;
			const { buffer, byteOffset, byteLength } = view as Float64Array;
			arrays.set(name, Buffer.from(Buffer.from(buffer, byteOffset, byteLength)));
		} catch {
			// the package cannot give views of some boolean arrays
		}
	}
	return arrays;
}

test.each(MODELS)('MuJoCo compiles %s and what is written of it to the same arrays', (path) => {
	const load = (name: string, from: string): MjcfFileContent => {
		const file = join(dirname(from), name);
		return existsSync(file) ? { file, content: readFileSync(file) } : { file, failure: '' };
	};
	const document = readMjcf(readFileSync(path), { file: path, load });
	const expected = compiled(path, undefined, arraysOf);
	const found = compiled(path, writeMjcf(document), arraysOf);
	expect(expected.size).toBeGreaterThan(100);
	expect([...found.keys()].filter((name) => !found.get(name)!.equals(expected.get(name)!))).toEqual([]);
});
