import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ConvertedRobot, convertRobot, type TargetFormat } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import { FileStore, RosPackages } from '@manyworlds/node';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { findRobots, type RobotFile } from '../run-robots/find-robots.ts';
import { checkFiles } from './check-files.ts';
import { askJudge, judgeMissing } from './judge.ts';
import { packageFolders } from './package-folders.ts';

/** Robots as URDF, SDF, MJCF and USD. */
export const convertUrdf: Suite = suite('urdf', 'URDF');
export const convertSdf: Suite = suite('sdf', 'SDF');
export const convertMjcf: Suite = suite('mjcf', 'MJCF');
export const convertUsd: Suite = suite('rep', 'USD of REP 0158', 'usd', [
	group(
		'checked',
		'our checker finds nothing at any level in any variant selection, but what the source itself lacks',
		'exact',
		'rep',
		({ files, model }) => checkFiles(files, model),
	),
]);

function suite(to: TargetFormat, name: string, judge: string = to, more: readonly Group[] = []): Suite {
	return {
		name: `convert/${judge}`,
		description: `every robot of a folder (USD, URDF, MJCF, SDF) as ${name}`,
		defaultDir: '.',
		groups: [
			group(
				'converted',
				'every part of the source has one entry, and the same bytes come out the second time',
				'exact',
				to,
				({ ledger, model, files }, again) => {
					const { joints, loops, mimics, frames, shapes, materials, meshes, filters } = model;
					const bodies = model.bodies.filter(({ isInserted }) => isInserted !== true);
					const { lights, cameras, sensors, interfaces, others } = model;
					// several joints of the source that are one of the model have an entry each
					const stacked = joints.reduce((sum, { freedoms }) => {
						const named = freedoms.filter((freedom) => freedom.name !== undefined).length;
						return sum + Math.max(0, named - 1);
					}, 0);
					const drives = joints.filter(({ freedoms }) => freedoms.some(({ drive }) => drive !== undefined));
					const parts = [
						...[bodies, joints, loops, mimics, frames, shapes, materials, meshes, filters, drives],
						...[lights, cameras, sensors, interfaces, others],
					];
					const expected = parts.reduce((sum, { length }) => sum + length, stacked);
					if (ledger.length !== expected) return `${ledger.length} entries for ${expected} parts`;
					const second = again().files;
					const different = files.find(({ content }, i) => !isSame(content, second[i]!.content));
					return different === undefined ? undefined : `${different.path} differs`;
				},
			),
			group(
				'judged',
				'a judge that shares no code with us accepts it',
				'those of ../shared/spec/export.md, section 8',
				to,
				({ files, ledger }, _, robot, dir) => {
					const folder = mkdtempSync(join(tmpdir(), 'manyworlds-convert-'));
					try {
						for (const { path, content } of files) {
							const file = join(folder, path);
							mkdirSync(dirname(file), { recursive: true });
							writeFileSync(file, content);
						}
						return askJudge(judge, robot.path, join(folder, files[0]!.path), ledger, dir);
					} finally {
						rmSync(folder, { recursive: true, force: true });
					}
				},
				judgeMissing,
			),
			...more,
		],
	};
}

type Verdict = (converted: ConvertedRobot, again: () => ConvertedRobot, robot: RobotFile, dir: string) => Outcome;

function group(
	name: string,
	description: string,
	tolerance: string,
	to: TargetFormat,
	verdict: Verdict,
	unable: () => string | undefined = () => undefined,
): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 600,
		*cases({ dir }: SuiteContext): Generator<Case> {
			const robots = findRobots(dir, true);
			const packages = new RosPackages({ folders: packageFolders(robots) });
			for (const robot of robots) {
				yield {
					name: robot.name,
					run() {
						const reason = unable();
						if (reason !== undefined) return { skipped: reason };
						const convert = (): ConvertedRobot | undefined => {
							const store = new FileStore({ roots: [dir], packages });
							return convertRobot(robot.path, { store, to, report: new Report() });
						};
						const converted = convert();
						if (converted === undefined) return { excluded: 'it holds no robot' };
						return verdict(converted, () => convert()!, robot, dir);
					},
				};
			}
		},
	};
}

function isSame(a: Uint8Array | string, b: Uint8Array | string): boolean {
	return typeof a === 'string' || typeof b === 'string' ? a === b : Buffer.compare(a, b) === 0;
}
