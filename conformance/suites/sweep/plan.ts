import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Group, SuiteContext } from '../../src/suite.ts';
import { ROOT, run, tableHash } from './programs.ts';

const CRANE = join(ROOT, 'examples/robots/crane/crane.xml');

/** A plan of 48 runs that take a tenth of a second each. */
export function planText(duration = 2, count = 48): string {
	return `version: 1
name: crane
asset: ${JSON.stringify(CRANE)}
seed: 3
runs: {sampler: {kind: lhs, count: ${count}}}
parameters:
  upper: {path: "model:body_mass[upper]", scale: {range: [0.5, 2]}}
  lower: {path: "model:body_mass[lower]", scale: {range: [0.5, 2]}}
  solver: {option: solver, choices: [sap, mujoco], weights: [9, 1]}
simulate: {duration: ${duration}, noise: {joint_q: 0.1, joint_qd: 0.5}}
outputs: {metrics: {reach: {max_abs: "joint_q:elbow"}, e: {last: energy}}, series: {every: 0.05, quantities: [joint_q]}}
`;
}

/** Table of the plan, computed in one thread once. */
let reference: Promise<string> | undefined;

export function referenceHash(folder: string): Promise<string> {
	reference ??= (async () => {
		const out = join(folder, 'reference.sweep');
		const ended = await run(['sweep', writePlan(folder, 'reference.yaml', planText()), '--out', out, '--jobs', '1']);
		if (ended.code !== 0) throw new Error(`the reference ended with ${ended.code}: ${ended.stderr}`);
		return tableHash(out);
	})();
	return reference;
}

export function writePlan(folder: string, name: string, text: string): string {
	mkdirSync(folder, { recursive: true });
	const file = join(folder, name);
	writeFileSync(file, text);
	return file;
}

/** Whether what takes minutes is done as often as it can be. */
export const isLong: boolean = process.env['MANYWORLDS_LONG'] === '1';

/** A group whose cases share a folder, which is removed after the last one. */
export function group(
	name: string,
	tolerance: string,
	timeLimit: number,
	cases: (context: SuiteContext, folder: string) => Iterable<Case>,
): Group {
	return {
		name,
		description: 'as the names of the cases say',
		tolerance,
		timeLimit,
		*cases(context) {
			const folder = mkdtempSync(join(tmpdir(), 'manyworlds-sweep-'));
			reference = undefined;
			const all = [...cases(context, folder)];
			for (const [i, one] of all.entries()) {
				yield {
					name: one.name,
					run: async () => {
						try {
							return await one.run();
						} finally {
							if (i === all.length - 1) rmSync(folder, { recursive: true, force: true });
						}
					},
				};
			}
		},
	};
}
