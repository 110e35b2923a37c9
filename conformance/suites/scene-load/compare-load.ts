import { ShapeFlags } from '@manyworlds/model';
import { worldsAndGroupsCollide } from '@manyworlds/model/internal';
import { isObject, type Json, type JsonObject, shortJson } from '../../src/json.ts';
import { checkKeys } from '../sim-sap-problems/problem-file.ts';
import type { LoadDump } from './dump-loaded.ts';
import type { Difference, FaultContext } from './reference-faults.ts';
import { explainDifference } from './reference-faults.ts';

/** Relative to the largest number of a row, and absolute: the reference computes in 32 bits. */
const RELATIVE = 1e-5;
const ABSOLUTE = 1e-6;

/** Fields of a load file; those compared elsewhere or known to have no counterpart are told apart below. */
const SECTIONS =
	'builder collision collision_counts collision_state config control counts filter_pairs initial_fk labels meshes model post_build scene shape_colors simulation solver_order state unsupported_features';

/** Arrays for parts of the reference that no scene can reach; they hold the same number for every shape. */
const UNREACHABLE: Readonly<Record<string, number>> = { shape_heightfield_index: -1, shape_sdf_index: -1 };

/** Compares a load result with a dump of ours; lines about differences that no known fault of the reference explains. */
export function compareLoad(golden: JsonObject, ours: LoadDump, context: FaultContext): string[] {
	checkKeys(golden, 'the file', SECTIONS);
	const lines: string[] = [];
	const report = reporter(context, lines);
	for (const section of [
		'builder',
		'collision_state',
		'control',
		'counts',
		'labels',
		'model',
		'solver_order',
		'state',
	]) {
		compareFields(golden[section] as JsonObject, ours[section] as LoadDump, section, report);
	}
	compareFields(
		withoutVoxels(golden['collision'] as JsonObject, lines),
		ours['collision'] as LoadDump,
		'collision',
		report,
	);
	compareCounts(golden, ours, report);
	compareFilters(golden, ours, report);
	compareRows('meshes', golden['meshes']!, ours['meshes'], report);
	compareColors(golden['shape_colors'] as readonly Json[], ours['shape_colors'] as readonly Json[], report);
	compareRows('unsupported_features', golden['unsupported_features']!, ours['unsupported_features'], report);
	return lines;
}

/** Collects differences that no fault of the reference explains. */
export function reporter(context: FaultContext, lines: string[]): Report {
	return (difference) => {
		if (lines.length >= 50 || explainDifference(difference, context) !== undefined) return;
		const { path, index, actual, expected } = difference;
		const place = [path, ...index.map((i) => `[${i}]`)].join('');
		lines.push(`${place} is ${text(actual)}, expected ${text(expected)}`);
	};
}

function text(value: unknown): string {
	return value === undefined ? 'nothing' : shortJson(value as Json);
}

type Report = (difference: Difference) => void;

/** Every field of a section, by rows; a field that only one side has is a difference. */
function compareFields(golden: JsonObject, ours: LoadDump, section: string, report: Report): void {
	for (const key of new Set([...Object.keys(golden), ...Object.keys(ours)])) {
		const path = `${section}.${key}`;
		const expected = golden[key];
		const actual = ours[key];
		if (key in UNREACHABLE && actual === undefined && Array.isArray(expected)) {
			expected.forEach((value, i) => {
				if (value !== UNREACHABLE[key]) report({ path, index: [i], actual: UNREACHABLE[key], expected: value });
			});
		} else if (isObject(expected) && isObject(actual)) compareFields(expected, actual as LoadDump, path, report);
		else compareRows(path, expected, actual, report);
	}
}

/** Arrays by rows, other values as they are. Sets of pairs compare as sets. */
function compareRows(path: string, expected: Json | undefined, actual: unknown, report: Report): void {
	if (path.endsWith('shape_contact_pairs')) {
		comparePairs(path, expected as Json, actual, report);
		return;
	}
	if (!Array.isArray(expected) || !Array.isArray(actual) || path.startsWith('builder')) {
		if (!isClose(actual, expected)) report({ path, index: [], actual, expected });
		return;
	}
	if (expected.length !== actual.length) report({ path, index: [], actual: actual.length, expected: expected.length });
	for (let i = 0; i < Math.min(expected.length, actual.length); i++) {
		if (!isClose(actual[i], expected[i], largest(expected[i]), absoluteOf(path)))
			report({ path, index: [i], actual: actual[i], expected: expected[i] });
	}
}

function comparePairs(path: string, expected: Json, actual: unknown, report: Report): void {
	const key = (pair: Json): string => (pair as readonly number[]).toSorted((a, b) => a - b).join(' ');
	const theirs = new Map((expected as readonly Json[]).map((pair) => [key(pair), pair]));
	const own = new Map((actual as readonly Json[]).map((pair) => [key(pair), pair]));
	for (const [name, pair] of theirs) if (!own.has(name)) report({ path, index: [], actual: undefined, expected: pair });
	for (const [name, pair] of own) if (!theirs.has(name)) report({ path, index: [], actual: pair, expected: undefined });
}

function compareCounts(golden: JsonObject, ours: LoadDump, report: Report): void {
	const counts = checkKeys(
		golden['collision_counts'],
		'collision_counts',
		'filter_pair_count rigid_contact_max shape_contact_pair_count',
	);
	const own = ours['collision_counts'] as Readonly<Record<string, number>>;
	const expect = (key: string, actual: unknown): void => {
		if (counts[key] !== actual) report({ path: `collision_counts.${key}`, index: [], actual, expected: counts[key] });
	};
	expect('rigid_contact_max', own['rigid_contact_max']);
	// pairs themselves are compared one by one
	const { shape_contact_pairs: pairs } = golden['collision'] as Readonly<Record<string, readonly Json[]>>;
	expect('shape_contact_pair_count', pairs?.length);
	const filters = golden['filter_pairs'] as readonly Json[] | null;
	if (filters !== null) expect('filter_pair_count', filters.length);
}

/**
 * Pairs that are filtered there never touch here. Filters for shapes that never collide are not kept here, but those of the
 * reference must make sense: of shapes that could collide, every pair touches or is filtered.
 */
function compareFilters(golden: JsonObject, ours: LoadDump, report: Report): void {
	const filters = golden['filter_pairs'] as readonly (readonly [number, number])[] | null;
	if (filters === null) return;
	const key = ([a, b]: readonly number[]): string => `${Math.min(a!, b!)} ${Math.max(a!, b!)}`;
	const touching = (dump: Readonly<Record<string, unknown>>): Set<string> =>
		new Set((dump['shape_contact_pairs'] as readonly (readonly number[])[]).map(key));
	const own = touching(ours['collision'] as LoadDump);
	const collision = golden['collision'] as Readonly<Record<string, readonly number[]>>;
	const theirs = touching(collision);
	const filtered = new Set(filters.map(key));
	const fail = (pair: readonly number[], actual: string): void =>
		report({ path: 'filter_pairs', index: [], actual, expected: pair as Json });
	if (filtered.size < filters.length) fail([], 'a pair twice');
	for (const pair of filters) {
		// the reference filters visual shapes against all, themselves included
		const isSelf = pair[0] === pair[1] && (collision['shape_flags']![pair[0]]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
		if (isSelf || !pair.every((shape) => shape >= 0 && shape < collision['shape_flags']!.length)) {
			fail(pair, 'no pair of shapes');
		}
		if (own.has(key(pair))) fail(pair, 'a pair that touches');
	}
	const { shape_flags: flags, shape_world: worlds, shape_collision_group: groups } = collision;
	for (let a = 0; a < flags!.length; a++) {
		for (let b = a + 1; b < flags!.length; b++) {
			const mayTouch =
				(flags![a]! & flags![b]! & ShapeFlags.COLLIDE_SHAPES) !== 0 &&
				worldsAndGroupsCollide(worlds![a]!, worlds![b]!, groups![a]!, groups![b]!);
			if (mayTouch && theirs.has(key([a, b])) === filtered.has(key([a, b]))) fail([a, b], 'a pair that may touch');
		}
	}
}

/** The reference keeps colours only where the scene gives them. */
function compareColors(expected: readonly Json[], actual: readonly Json[], report: Report): void {
	if (expected.length !== actual.length) {
		report({ path: 'shape_colors', index: [], actual: actual.length, expected: expected.length });
	}
	expected.forEach((color, i) => {
		if (color !== null && !isClose(actual[i], color)) {
			report({ path: 'shape_colors', index: [i], actual: actual[i], expected: color });
		}
	});
}

/** Grids for the reduction of contacts on a GPU have no counterpart; they must at least be grids of 1 to 100 cells. */
function withoutVoxels(collision: JsonObject, lines: string[]): JsonObject {
	const { shape_voxel_resolution: grids, ...rest } = collision;
	for (const grid of grids as readonly (readonly number[])[]) {
		const cells = grid.reduce((product, side) => product * side, 1);
		if (grid.length !== 3 || !Number.isInteger(cells) || cells < 1 || cells > 100) {
			lines.push(`collision.shape_voxel_resolution has [${grid.join(', ')}], expected a grid of 1 to 100 cells`);
		}
	}
	return rest;
}

/** Compares the parsed file. YAML 1.1 has no number without a dot before an exponent, so that `5e4` is text for the reference. */
export function compareConfig(expected: Json | undefined, actual: unknown, path: string, report: Report): void {
	if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
		expected.forEach((part, i) => {
			compareConfig(part, actual[i], `${path}[${i}]`, report);
		});
		return;
	}
	if (isObject(expected) && actual !== null && typeof actual === 'object' && !Array.isArray(actual)) {
		for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
			compareConfig(expected[key], (actual as Readonly<Record<string, unknown>>)[key], `${path}.${key}`, report);
		}
		return;
	}
	const isNumber = typeof expected === 'string' && typeof actual === 'number' && Number(expected) === actual;
	if (actual !== expected && !isNumber) report({ path, index: [], actual, expected });
}

/** Whether two values agree: numbers within the tolerance of the largest of their row, quaternions of either sign. */
export function isClose(
	actual: unknown,
	expected: unknown,
	scale: number = largest(expected),
	absolute: number = ABSOLUTE,
): boolean {
	if (typeof expected === 'number' && typeof actual === 'number') {
		return Math.abs(actual - expected) <= absolute + RELATIVE * Math.max(scale, Math.abs(expected));
	}
	if (expected === 'nan') return Number.isNaN(actual);
	if (expected === 'inf' || expected === '-inf')
		return actual === (expected === 'inf' ? 1 : -1) * Number.POSITIVE_INFINITY;
	if (Array.isArray(expected) && Array.isArray(actual)) {
		if (expected.length !== actual.length) return false;
		if (expected.every((part, i) => isClose(actual[i], part, scale, absolute))) return true;
		return expected.length === 7 && isSamePose(actual, expected);
	}
	if (isObject(expected) && isObject(actual)) {
		const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
		return [...keys].every((key) => isClose(actual[key], expected[key]));
	}
	return actual === expected;
}

function isSamePose(actual: readonly unknown[], expected: readonly unknown[]): boolean {
	const turned = actual.map((part, i) => (i < 3 ? part : -(part as number)));
	return expected.every((part, i) => isClose(turned[i], part));
}

/** Masses and inertias of small parts are far below a millionth. */
function absoluteOf(path: string): number {
	return /body_(mass|inertia)$/.test(path) ? 1e-9 : ABSOLUTE;
}

function largest(value: unknown): number {
	if (typeof value === 'number') return Math.abs(value);
	return Array.isArray(value) ? value.reduce<number>((most, part) => Math.max(most, largest(part)), 0) : 0;
}
