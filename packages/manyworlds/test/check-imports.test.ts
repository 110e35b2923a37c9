import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ROOT } from './run-cli.ts';

test('a check without a configuration loads neither zod nor yaml', async () => {
	const { metafile } = await build({
		absWorkingDir: ROOT,
		entryPoints: [join(ROOT, 'packages/manyworlds/src/command/commands/check.ts')],
		outdir: 'out',
		write: false,
		metafile: true,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		conditions: ['@manyworlds/source'],
		external: ['@mujoco/mujoco', '@jsquash/webp', '@foxglove/wasm-zstd'],
	});
	const entry = Object.keys(metafile.outputs).find((name) => metafile.outputs[name]!.entryPoint?.endsWith('check.ts'));
	const loaded = new Set<string>();
	const pending = [entry!];
	for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
		if (loaded.has(name)) continue;
		loaded.add(name);
		for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
			if (kind === 'import-statement') pending.push(path);
	}
	const inputs = [...loaded].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));
	expect(inputs.some((input) => input.includes('rep158/src/check-asset.ts'))).toBe(true);
	expect(inputs.filter((input) => /node_modules\/(?:zod|yaml)\//.test(input))).toEqual([]);
	// the schema is there all the same
	expect(Object.keys(metafile.inputs).some((input) => input.includes('node_modules/zod/'))).toBe(true);
});
