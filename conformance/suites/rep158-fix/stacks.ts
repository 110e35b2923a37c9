import { compareSnapshots, takeSnapshot } from '@manyworlds/rep158/internal';
import { Stage, XformCache } from '@manyworlds/usd';
import { random, robot } from '../../src/random-robots.ts';
import type { Case, Group, Outcome } from '../../src/suite.ts';
import { type AssetFiles, fixFiles, openFiles } from './fixed-asset.ts';

const ENTRY = 'a.usda';
const ROBOTS = 40;
const ROUNDS = 42;
const HEADER =
	'#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    upAxis = "Z"\n)\n';

/** F2 and F3 on more than 10000 random stacks: matrices, Euler angles in all orders, pivots, inverses, scales that mirror and shear. */
export const stacks: Group = {
	name: 'stacks',
	description: `${ROBOTS * ROUNDS * 6} random stacks of transform operations, ${ROBOTS * 6} in each case`,
	tolerance:
		'matrices of shapes to the world agree to 1e-9 of their size, joint frames to 1e-5 (they are single precision)',
	timeLimit: 60,
	*cases(): Iterable<Case> {
		const next = random(158);
		for (let round = 0; round < ROUNDS; round++) {
			let text = `${HEADER}def Xform "R" {\n`;
			for (let i = 0; i < ROBOTS; i++) text += robot(i, next);
			const files = new Map([[ENTRY, new TextEncoder().encode(`${text}}\n`)]]);
			yield { name: `round ${String(round).padStart(2, '0')}`, run: () => runRound(files) };
		}
	},
};

function runRound(before: AssetFiles): Outcome {
	const { files: after, report } = fixFiles(before, ENTRY, { only: ['F2', 'F3'], verify: false });
	// mirrored bodies are put right and noted
	const refusal = report.toArray().find(({ code, message }) => code !== 'FIX003' || !message.startsWith('R1.1.6: '));
	if (refusal !== undefined) return refusal.message;
	const [old, now] = [open(before), open(after)];
	const [transformsBefore, transformsAfter] = [new XformCache(), new XformCache()];
	for (const prim of now.traverse()) {
		const order = (prim.attribute('xformOpOrder').get()?.data ?? []) as readonly string[];
		const isBody = prim.hasSchema('PhysicsRigidBodyAPI');
		if (isBody && order.join() !== 'xformOp:translate,xformOp:orient') return `${prim.path} has ${order.join(', ')}`;
		if (order.some((name) => /rotate|transform/.test(name))) return `${prim.path} has ${order.join(', ')}`;
		if (prim.typeName === 'Xform' && order.some((name) => /scale/.test(name))) return `${prim.path} scales`;
		if (!prim.isA('Gprim')) continue;
		const was = transformsBefore.worldTransform(old.prim(prim.path)!);
		const is = transformsAfter.worldTransform(prim);
		const size = Math.max(1, ...was.map(Math.abs));
		for (let k = 0; k < 16; k++) {
			const error = Math.abs(is[k]! - was[k]!) / size;
			if (!(error <= 1e-9)) return `${prim.path} moved by ${error} of its size`;
		}
	}
	const [difference] = compareSnapshots(takeSnapshot(old), takeSnapshot(now), { tolerance: 1e-5 });
	return difference;
}

function open(files: AssetFiles): Stage {
	const { layer, store } = openFiles(files, ENTRY);
	return Stage.open(layer, { store });
}
