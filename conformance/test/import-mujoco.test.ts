import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readJson } from '../src/files.ts';
import type { Json } from '../src/json.ts';
import { checkBodies } from '../suites/import-mujoco/check-bodies.ts';
import { checkControls } from '../suites/import-mujoco/check-controls.ts';
import { checkJoints } from '../suites/import-mujoco/check-joints.ts';
import { checkGeoms, checkSites } from '../suites/import-mujoco/check-shapes.ts';
import { checkStates } from '../suites/import-mujoco/check-states.ts';
import { COMPARED } from '../suites/import-mujoco/fields.ts';
import { type MujocoDump, parseDump } from '../suites/import-mujoco/mujoco-dump.ts';
import { importRobot, type Robot } from '../suites/import-mujoco/robot.ts';

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));
const DUMPS = join(SHARED, 'oracle/golden/mujoco');
const isThere = existsSync(DUMPS);
if (!isThere) console.warn('skipped: the dumps of MuJoCo are not there');

/** Arrays of which the last numbers of rows say nothing: ranges of limits that are off, data that a type does not have. */
const SILENT =
	/^actuator_(act|ctrl|force)range$|^jnt_actfrcrange$|^tendon_range$|^geom_(size|dataid)$|^eq_data$|^key_qvel$/;

function verdict(dump: MujocoDump, robot: Robot): string | undefined {
	for (const check of [checkBodies, checkJoints, checkGeoms, checkSites, checkStates, checkControls]) {
		const found = check(dump, robot);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** The dump with the last number of a row of an array changed. */
function changed(dump: MujocoDump, name: string, row: number): MujocoDump {
	const copy = structuredClone(dump.arrays[name]!) as Json[];
	const list = (Array.isArray(copy[row]) ? copy[row] : copy) as Json[];
	const at = list === copy ? row : list.length - 1;
	list[at] = typeof list[at] === 'boolean' ? !list[at] : Number(list[at]) + 1;
	return { ...dump, arrays: { ...dump.arrays, [name]: copy } };
}

/** Whether a change of one of several rows is noticed: those of free joints and meshes hold numbers that mean nothing. */
function isNoticed(dump: MujocoDump, robot: Robot, name: string): boolean {
	const count = dump.arrays[name]!.length;
	const rows = Array.from({ length: Math.min(12, count) }, (_, i) => Math.floor((i * count) / Math.min(12, count)));
	return rows.some((row) => verdict(changed(dump, name, row), robot) !== undefined);
}

describe.skipIf(!isThere)('dumps of MuJoCo', () => {
	test.each([
		['robotiq_2f85', 'menagerie/robotiq_2f85/2f85.xml'],
		['constraints', 'newton-tests/constraints.xml'],
	])('a changed array of %s is noticed', (name, file) => {
		const dump = parseDump(readJson(join(DUMPS, `dump_${name}.json.gz`)) as Json);
		const robot = importRobot(join(SHARED, 'assets', file));
		expect(verdict(dump, robot)).toBeUndefined();
		const missed = Object.keys(dump.arrays).filter(
			(array) => COMPARED.has(array) && !SILENT.test(array) && !isNoticed(dump, robot, array),
		);
		expect(missed).toEqual([]);
	});

	test('changed names, sizes and states are noticed, unknown fields refused', () => {
		const json = readJson(join(DUMPS, 'dump_tabletop.json.gz')) as Record<string, Json>;
		const dump = parseDump(json);
		const robot = importRobot(join(SHARED, 'assets/newton-examples/tabletop.xml'));
		expect(verdict(dump, robot)).toBeUndefined();
		const body = [...dump.names.body!];
		body[2] = 'other';
		expect(verdict({ ...dump, names: { ...dump.names, body } }, robot)).toContain('other');
		const states = structuredClone(dump.states) as { xpos: number[][] }[];
		states[1]!.xpos[3]![0]! += 1e-6;
		expect(verdict({ ...dump, states: states as never }, robot)).toContain('state 1');
		expect(verdict({ ...dump, sizes: { ...dump.sizes, nkey: 3 } }, robot)).toContain('keyframes');
		expect(() => parseDump({ ...json, extra: 1 })).toThrow('extra');
	});
});
