import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAssetFailure, MemoryStore, Path } from '../src/index.ts';
import { CompositionCache } from '../src/internal.ts';

const FOLDER = fileURLToPath(new URL('../../../../shared/oracle/golden/usd/endless', import.meta.url));

describe('a composition that OpenUSD does not finish', () => {
	it.skipIf(!existsSync(FOLDER))(
		'ends with an error, and its other prims compose',
		() => {
			const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.usda'));
			const files = names.map((name) => [name, new Uint8Array(readFileSync(join(FOLDER, name)))] as const);
			const store = new MemoryStore(new Map(files));
			const rootLayer = store.open('root.usda');
			if (isAssetFailure(rootLayer)) throw new Error(rootLayer.failure);
			const cache = new CompositionCache({ rootLayer, store });
			const kinds = new Set<string>();
			let count = 0;
			const open = [Path.root];
			for (let path = open.pop(); path !== undefined; path = open.pop()) {
				const index = cache.primIndex(path);
				count++;
				for (const { kind } of index.errors) kinds.add(kind);
				for (const name of index.childNames().names) open.push(path.appendChild(name));
				if (count > 50_000) break;
			}
			expect(kinds).toContain('CapacityExceeded');
			expect(count).toBeLessThan(50_000);
		},
		60_000,
	);
});
