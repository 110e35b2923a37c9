import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConvertedRobot, convertRobot } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import { FileStore } from '@manyworlds/node';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { findRobots, type RobotFile } from '../run-robots/find-robots.ts';
import { judgeOutcome } from './judge-outcome.ts';

const JUDGE = fileURLToPath(new URL('../../../../shared/oracle/convert/judge_gltf.py', import.meta.url));

/** Python with the packages of the judges: MANYWORLDS_JUDGE_PYTHON, else the one of `~/judge-oracle`. */
const PYTHON = process.env['MANYWORLDS_JUDGE_PYTHON'] ?? join(homedir(), 'judge-oracle/bin/python');

/** Folder `node_modules` with gltf-validator and three.js: MANYWORLDS_JUDGE_NODE, else that of `~/judge-oracle`. */
const NODE_MODULES = process.env['MANYWORLDS_JUDGE_NODE'] ?? join(homedir(), 'judge-oracle/node_modules');

/** Seconds that the judge may take. */
const TIME_LIMIT = 300;

/** Robots as glTF. */
export const convertGltf: Suite = {
	name: 'convert/gltf',
	description: 'every robot of a folder (USD, URDF, MJCF) as GLB',
	defaultDir: '.',
	groups: [
		group(
			'converted',
			'every part of the source has one entry, and the same bytes come out the second time',
			'exact',
			({ ledger, files }, again) => {
				const names = new Set<string>();
				for (const { kind, outcome, losses, name } of ledger) {
					if (outcome === 'dropped' && losses.length === 0) return `${kind} ${name} is dropped without a reason`;
					names.add(kind);
				}
				if (!names.has('body')) return 'no link has an entry';
				return Buffer.compare(files[0]!.content as Uint8Array, again().files[0]!.content as Uint8Array) === 0
					? undefined
					: 'the bytes differ';
			},
		),
		group(
			'judged',
			'a judge that shares no code with us finds in the file what OpenUSD finds on the stage',
			'those of ../shared/spec/export.md, section 8',
			({ files }, _, robot) => {
				if (robot.format !== 'usd') return { excluded: 'the judge compares stages only' };
				const reason = judgeMissing();
				if (reason !== undefined) return { skipped: reason };
				const folder = mkdtempSync(join(tmpdir(), 'manyworlds-gltf-'));
				try {
					const output = join(folder, 'robot.glb');
					writeFileSync(output, files[0]!.content);
					return askJudge(robot.path, output);
				} finally {
					rmSync(folder, { recursive: true, force: true });
				}
			},
		),
	],
};

type Verdict = (converted: ConvertedRobot, again: () => ConvertedRobot, robot: RobotFile) => Outcome;

function group(name: string, description: string, tolerance: string, verdict: Verdict): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 600,
		*cases({ dir }: SuiteContext): Generator<Case> {
			for (const robot of findRobots(dir)) {
				yield {
					name: robot.name,
					run() {
						const convert = (): ConvertedRobot | undefined => {
							const store = new FileStore({ roots: [dir] });
							return convertRobot(robot.path, { store, to: 'glb', report: new Report() });
						};
						const converted = convert();
						if (converted === undefined || converted.model.bodies.length === 0)
							return { excluded: 'it holds no robot' };
						return verdict(converted, () => convert()!, robot);
					},
				};
			}
		},
	};
}

/** Why the judge cannot be asked; undefined when it can. */
function judgeMissing(): string | undefined {
	if (!existsSync(PYTHON)) return 'there is no Python with the judges; MANYWORLDS_JUDGE_PYTHON names one';
	if (!existsSync(NODE_MODULES)) return 'there is no gltf-validator; MANYWORLDS_JUDGE_NODE names its folder';
	return existsSync(JUDGE) ? undefined : 'the judges of ../shared/oracle/convert are not there';
}

function askJudge(stage: string, output: string): Outcome {
	const { stdout, stderr, error } = spawnSync(PYTHON, [JUDGE, stage, output, '--node-modules', NODE_MODULES], {
		encoding: 'utf8',
		timeout: 1000 * TIME_LIMIT,
		maxBuffer: 1 << 28,
	});
	if (error !== undefined) return error.message;
	return judgeOutcome(stdout, stderr);
}
