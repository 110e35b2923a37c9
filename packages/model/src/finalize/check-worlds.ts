import type { BuilderCore } from '../builder/builder-core.ts';
import { COLUMNS, WORLD_COLUMNS } from '../columns.ts';
import { WORLD } from '../enums.ts';
import { ModelError } from '../model-error.ts';

/**
 * Throws unless entities are grouped by world: global ones first or last, worlds ascending, and no world without any
 * entity before one that has some.
 */
export function checkWorldOrder(core: BuilderCore): void {
	const worldCount = Math.max(1, core.worldCount);
	const used = new Uint8Array(worldCount);
	let last = -1;
	for (const { column } of WORLD_COLUMNS) {
		const worlds = core.tables.column(column) as Int32Array;
		checkColumn(COLUMNS[column].newton, worlds, worldCount);
		for (const world of worlds) {
			if (world < 0) continue;
			used[world] = 1;
			if (world > last) last = world;
		}
	}
	for (let world = 0; world < last; world++) {
		if (used[world] === 0) {
			throw new ModelError(
				'MODEL013',
				`worlds are not contiguous: world ${world} is empty and world ${last} is not; leave empty worlds out or put something into them`,
				{ kind: 'world', index: world },
			);
		}
	}
}

function checkColumn(name: string, worlds: Int32Array, worldCount: number): void {
	let highest = WORLD;
	// first global entity behind a world, -1 for none
	let tail = -1;
	for (let i = 0; i < worlds.length; i++) {
		const world = worlds[i]!;
		const subject = { kind: name, index: i };
		if (world < WORLD || world >= worldCount) {
			throw new ModelError('MODEL013', `${name}[${i}] is world ${world}, expected -1 to ${worldCount - 1}`, subject);
		}
		if (world === WORLD) {
			if (highest >= 0 && tail < 0) tail = i;
			continue;
		}
		if (tail >= 0) {
			throw new ModelError(
				'MODEL013',
				`${name}[${tail}] is global (world -1) between worlds ${highest} and ${world} (index ${i}): add it before the first world or after the last`,
				{ kind: name, index: tail },
			);
		}
		if (world < highest) {
			throw new ModelError(
				'MODEL013',
				`${name} is not monotonic: ${name}[${i}] is world ${world} after world ${highest}`,
				subject,
			);
		}
		highest = world;
	}
}
