import { check, openAsset, Simulation } from 'manyworlds';

/** Checks and simulates a robot from its files in base 64. */
async function use(texts: Record<string, string>): Promise<{ errors: number; poses: number }> {
	const decode = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
	const files = new Map(Object.entries(texts).map(([name, text]) => [name, decode(text)]));
	const robot = await openAsset({ files, entry: 'egret.usda' });
	const { report } = await check(robot);
	const simulation = await Simulation.create(robot, { worlds: 2 });
	await simulation.step(5);
	const poses = simulation.bodyPose('base_link', 1).length;
	await simulation.dispose();
	return { errors: report.counts.error, poses };
}

(globalThis as { use?: typeof use }).use = use;
