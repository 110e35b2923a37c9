import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCompiled } from '../src/command/load-compiled.ts';

describe('compiled code of a bundled command', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'manyworlds-compiled-'));
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const write = (name: string, status: number): URL => {
		const file = join(folder, name);
		writeFileSync(file, `(function (module) { module.exports = { main: async (args) => args.length + ${status} }; })`);
		return pathToFileURL(file);
	};
	const kept = (): string[] => readdirSync(join(folder, 'kept'));

	it('is kept after the first run and taken in the next', async () => {
		const options = { folder: join(folder, 'kept'), leastTime: 0 };
		const bundle = write('tool-main-A.cjs', 3);
		expect(await loadCompiled(bundle, options)(['x', 'y'])).toBe(5);
		expect(kept()).toEqual([`tool-main-A-${process.version}-${process.arch}-5.bin`]);
		const { mtimeMs } = statSync(join(folder, 'kept', kept()[0]!));
		expect(await loadCompiled(bundle, options)(['x', 'y'])).toBe(5);
		expect(statSync(join(folder, 'kept', kept()[0]!)).mtimeMs).toBe(mtimeMs);
	});

	it('is kept again after the first run of each status', async () => {
		const options = { folder: join(folder, 'kept'), leastTime: 0 };
		const bundle = write('tool-main-A.cjs', 3);
		await loadCompiled(bundle, options)(['x', 'y']);
		expect(await loadCompiled(bundle, options)(['x'])).toBe(4);
		expect(kept()).toEqual([`tool-main-A-${process.version}-${process.arch}-45.bin`]);
	});

	it('gives way to that of another build', async () => {
		const options = { folder: join(folder, 'kept'), leastTime: 0 };
		await loadCompiled(write('tool-main-A.cjs', 3), options)([]);
		expect(await loadCompiled(write('tool-main-B.cjs', 7), options)([])).toBe(7);
		expect(kept()).toEqual([`tool-main-B-${process.version}-${process.arch}-7.bin`]);
	});

	it('is made anew when it is damaged', async () => {
		const options = { folder: join(folder, 'kept'), leastTime: 0 };
		const bundle = write('tool-main-A.cjs', 3);
		await loadCompiled(bundle, options)([]);
		writeFileSync(join(folder, 'kept', kept()[0]!), 'nonsense');
		expect(await loadCompiled(bundle, options)(['x'])).toBe(4);
	});

	it('is not kept of a short run, and a folder that cannot be written to is no failure', async () => {
		const bundle = write('tool-main-A.cjs', 3);
		expect(await loadCompiled(bundle, { folder: join(folder, 'kept'), leastTime: 1e9 })([])).toBe(3);
		expect(readdirSync(folder)).toEqual(['tool-main-A.cjs']);
		writeFileSync(join(folder, 'file'), '');
		expect(await loadCompiled(bundle, { folder: join(folder, 'file/kept'), leastTime: 0 })([])).toBe(3);
	});
});
