import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../groups/damage-groups.ts';

const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url));
const LARGEST = 20_000;
const EACH = 5;

type UsdFormat = 'usda' | 'usdc' | 'usdz';

/** Small files that others wrote, spread over the shared folders; none when there are no such folders. */
export function sharedSamples(): Sample[] {
	const found: Record<UsdFormat, string[]> = { usda: [], usdc: [], usdz: [] };
	for (const folder of ['assets', 'conformance', 'oracle/golden/usd/crate']) {
		const root = join(SHARED, folder);
		if (!existsSync(root)) continue;
		for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
			const format = /\.(usd[acz])$/.exec(name)?.[1] as UsdFormat | undefined;
			const path = join(root, name);
			// names with 'bad' are meant not to be readable
			if (format === undefined || /bad/i.test(name)) continue;
			const { size } = statSync(path);
			if (size >= 400 && size <= LARGEST) found[format].push(path);
		}
	}
	return (Object.keys(found) as UsdFormat[]).flatMap((format) => {
		const paths = found[format].sort();
		const step = Math.max(1, Math.floor(paths.length / EACH));
		return paths
			.filter((_, index) => index % step === 0)
			.slice(0, EACH)
			.map((path) => ({ name: relative(SHARED, path), format, bytes: Uint8Array.from(readFileSync(path)) }));
	});
}
