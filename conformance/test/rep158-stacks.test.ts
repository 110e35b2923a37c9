import { compareSnapshots, takeSnapshot } from '@manyworlds/rep158/internal';
import { type Prim, Stage, XformCache } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { random, robot } from '../src/random-robots.ts';
import { type AssetFiles, fixFiles, openFiles } from '../suites/rep158-fix/fixed-asset.ts';

const HEADER =
	'#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    upAxis = "Z"\n)\n';

function stageOf(files: AssetFiles): Stage {
	const { layer, store } = openFiles(files, 'a.usda');
	return Stage.open(layer, { store });
}

function worldMatrices(files: AssetFiles): Map<string, { prim: Prim; matrix: Float64Array }> {
	const cache = new XformCache();
	const found = new Map<string, { prim: Prim; matrix: Float64Array }>();
	for (const prim of stageOf(files).traverse())
		found.set(prim.path.toString(), { prim, matrix: cache.worldTransform(prim) });
	return found;
}

/** Of the linear part of a transform. */
function determinant(m: Float64Array): number {
	return (
		m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
		m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
		m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!)
	);
}

describe('F2 and F3 on random stacks', () => {
	it('keep every leaf, joint and centre of mass where it is, stacks of which many mirror and shear', () => {
		const next = random(158);
		const robots = 40;
		let stacks = 0;
		for (let round = 0; round < 6; round++) {
			let text = `${HEADER}def Xform "R" {\n`;
			for (let i = 0; i < robots; i++) text += robot(i, next);
			stacks += robots * 6;
			const before = new Map([['a.usda', new TextEncoder().encode(`${text}}\n`)]]);
			const { files: after, report } = fixFiles(before, 'a.usda', { only: ['F2', 'F3'], verify: false });
			const messages = report.toArray().map(({ message }) => message);
			const old = worldMatrices(before);
			const now = worldMatrices(after);
			const mirrored = [...old].filter(([path, { matrix }]) => /\/(?:a|b)$/.test(path) && determinant(matrix) < 0);
			expect(messages.filter((message) => !/R1\.1\.6: its transform mirrored/.test(message))).toEqual([]);
			expect(messages).toHaveLength(mirrored.length);
			let error = 0;
			for (const [path, { matrix }] of now) {
				if (!/\/(?:box|ball|mesh)$/.test(path)) continue;
				const was = old.get(path)!.matrix;
				const size = Math.max(1, ...was.map(Math.abs));
				for (let k = 0; k < 16; k++) error = Math.max(error, Math.abs(matrix[k]! - was[k]!) / size);
			}
			expect(error).toBeLessThan(1e-9);
			const wrong: string[] = [];
			for (const [path, { prim }] of now) {
				const order = (prim.attribute('xformOpOrder').get()?.data ?? []) as string[];
				const isBody = /\/(?:a|b)$/.test(path);
				if (isBody && order.join() !== 'xformOp:translate,xformOp:orient') wrong.push(path);
				if (order.some((name) => /rotate|transform/.test(name))) wrong.push(path);
				if (prim.typeName === 'Xform' && order.some((name) => /scale/.test(name))) wrong.push(path);
			}
			expect(wrong).toEqual([]);
			const differences = compareSnapshots(
				takeSnapshot(stageOf(before)),
				takeSnapshot(stageOf(after)),
				// joint frames are stored in single precision
				{ tolerance: 1e-5 },
			);
			expect(differences).toEqual([]);
			if (round % 20 > 0) continue;
			expect(fixFiles(after, 'a.usda', { only: ['F2', 'F3'] }).plan.items).toEqual([]);
		}
		expect(stacks).toBe(1440);
	});
});
