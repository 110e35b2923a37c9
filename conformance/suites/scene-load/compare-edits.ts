import type { Json, JsonObject } from '../../src/json.ts';
import { checkKeys } from '../sim-sap-problems/problem-file.ts';
import type { BuilderArrays } from './builder-arrays.ts';
import { isClose } from './compare-load.ts';
import type { Difference } from './reference-faults.ts';

type Change = readonly [index: number, before: Json, after: Json];

interface Edit {
	readonly op: JsonObject;
	readonly changes: Readonly<Record<string, readonly Change[]>>;
}

/** Where the final values of arrays are in a load file. */
const FINAL: Readonly<Record<string, readonly [section: string, field: string]>> = {
	shape_collision_group: ['collision', 'shape_collision_group'],
	shape_labels: ['labels', 'shape'],
};

/**
 * Compares the operations of `post_build`: what the file says of each, every entry that the reference changed, and every entry
 * that ours changed, whose value the reference must then have as well, changed or not. `snapshots[i]` is what ours has before
 * operation i.
 */
export function compareEdits(
	golden: JsonObject,
	snapshots: readonly BuilderArrays[],
	report: (difference: Difference) => void,
): void {
	const edits = golden['post_build'] as unknown as readonly Edit[];
	const written = ((golden['config'] as JsonObject)['post_build'] ?? []) as readonly Json[];
	if (edits.length !== written.length || snapshots.length !== edits.length + 1) {
		report({ path: 'post_build', index: [], actual: snapshots.length - 1, expected: edits.length });
		return;
	}
	edits.forEach((edit, i) => {
		checkKeys(edit, `post_build[${i}]`, 'changes op');
		if (!isClose(edit.op, written[i]))
			report({ path: 'post_build.op', index: [i], actual: written[i], expected: edit.op });
		for (const [array, changes] of Object.entries(edit.changes)) {
			if (array === 'shape_colors' || array === 'shape_collision_radius') continue;
			const path = `post_build.${array}`;
			const own = snapshots[i + 1]![array];
			if (new Set(changes.map(([index]) => index)).size < changes.length) {
				report({ path, index: [], actual: 'an entry twice', expected: 'each entry once' });
			}
			for (const [index, before, after] of changes) {
				const earlier = snapshots[i]![array]?.[index] ?? null;
				if (!isClose(earlier, before)) report({ path, index: [index], actual: earlier, expected: before });
				if (!isClose(own?.[index], after)) report({ path, index: [index], actual: own?.[index], expected: after });
			}
		}
		for (const [array, after] of Object.entries(snapshots[i + 1]!)) {
			const before = snapshots[i]![array]!;
			after.forEach((value, index) => {
				if (index < before.length && isClose(value, before[index])) return;
				const theirs = valueAfter(golden, edits, i, array, index);
				if (theirs !== undefined && !isClose(value, theirs)) {
					report({ path: `post_build.${array}`, index: [index], actual: value, expected: theirs });
				}
			});
		}
	});
}

/** What the reference has in an entry after an operation: what it is before the next change, or in the end. */
function valueAfter(
	golden: JsonObject,
	edits: readonly Edit[],
	operation: number,
	array: string,
	index: number,
): Json | undefined {
	const own = edits[operation]!.changes[array]?.find(([at]) => at === index);
	if (own !== undefined) return own[2];
	for (const { changes } of edits.slice(operation + 1)) {
		const next = changes[array]?.find(([at]) => at === index);
		if (next !== undefined) return next[1];
	}
	const [section, field] = FINAL[array] ?? ['model', array];
	const values = (golden[section] as JsonObject | undefined)?.[field] as readonly Json[] | undefined;
	return values?.[index];
}
