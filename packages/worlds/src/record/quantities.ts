import { quote, UsageRangeError } from '@manyworlds/core';
import { JointType, type Model, type State } from '@manyworlds/model';
import { type Energy, energyOf } from '../energy/energy.ts';
import type { WorldStatistics } from '../runner/world-statistics.ts';
import { worldRows } from '../world-rows.ts';
import { jointNumbersOf } from './joint-numbers.ts';
import { QUANTITY_GROUPS, type QuantityGroup } from './quantity-groups.ts';

/** What is recorded unless something else is asked for. @public */
export const DEFAULT_QUANTITIES: readonly QuantityGroup[] = ['energy', 'contacts', 'height', 'position'];

/** One number of a world over time. @public */
export interface Quantity {
	readonly name: string;
	readonly group: QuantityGroup;
	/** Unit of its values; empty for counts, rotations and other plain numbers. */
	readonly unit: string;
	readonly read: (sample: Sample) => number;
}

/** A world at one time. @public */
export class Sample {
	readonly state: State;
	readonly world: number;
	/** What became of the worlds in the step that led here; undefined at the start. */
	readonly statistics: WorldStatistics | undefined;
	readonly #model: Model;
	#energy: Energy | undefined;

	constructor(model: Model, state: State, world: number, statistics?: WorldStatistics) {
		this.#model = model;
		this.state = state;
		this.world = world;
		this.statistics = statistics;
	}

	get energy(): Energy {
		this.#energy ??= energyOf(this.#model, this.state, this.world);
		return this.#energy;
	}
}

/**
 * The quantities of a world that a selection names: kinds, each with a part of a label if only some are meant, as
 * `position:knee`. Throws for a selection that means nothing. @public
 */
export function chooseQuantities(model: Model, world: number, selection: readonly string[]): Quantity[] {
	const chosen = new Map<string, Quantity>();
	for (const item of selection) {
		const [group = '', ...rest] = item.split(':');
		const part = rest.join(':');
		if (!Object.hasOwn(QUANTITY_GROUPS, group))
			throw new UsageRangeError(
				`unknown quantity ${quote(group)}, expected ${Object.keys(QUANTITY_GROUPS).join(', ')}`,
			);
		const all = quantitiesOf(model, world, group as QuantityGroup);
		const matching = all.filter(({ name }) => name.includes(part));
		// a robot on a stand has no height to tell
		if (matching.length === 0 && part !== '') {
			throw new UsageRangeError(
				`no quantity of kind ${group} has ${quote(part)} in its name, expected a part of ${listed(all)}`,
			);
		}
		for (const quantity of matching) chosen.set(`${group} ${quantity.name}`, quantity);
	}
	return [...chosen.values()];
}

function listed(quantities: readonly Quantity[]): string {
	const names = quantities.slice(0, 5).map(({ name }) => quote(name));
	return names.length === 0 ? 'nothing: there are none' : `${names.join(', ')}${quantities.length > 5 ? ', …' : ''}`;
}

function quantitiesOf(model: Model, world: number, group: QuantityGroup): Quantity[] {
	const one = (read: Quantity['read']): Quantity[] => [{ name: group, group, unit: QUANTITY_GROUPS[group], read }];
	switch (group) {
		case 'energy':
			return one(({ energy }) => energy.kinetic + energy.potential);
		case 'kinetic':
			return one(({ energy }) => energy.kinetic);
		case 'potential':
			return one(({ energy }) => energy.potential);
		case 'contacts':
			return one(({ statistics }) => statistics?.contactCount[world] ?? 0);
		case 'iterations':
			return one(({ statistics }) => statistics?.iterationCount[world] ?? 0);
		case 'residual':
			return one(({ statistics }) => statistics?.residual[world] ?? 0);
		case 'height':
			return heights(model, world);
		case 'body':
			return bodyPositions(model, world);
		case 'position':
			return jointNumbers(model, world, group, model.jointQStart, ({ state }) => state.jointQ);
		case 'velocity':
			return jointNumbers(model, world, group, model.jointQdStart, ({ state }) => state.jointQd);
	}
}

/** Heights of the bodies that float. */
function heights(model: Model, world: number): Quantity[] {
	const up = 'xyz'.indexOf(model.upAxis);
	const list: Quantity[] = [];
	const { start, end } = worldRows(model, 'joint', world);
	for (let joint = start; joint < end; joint++) {
		if (model.jointParent[joint] !== -1 || model.jointType[joint] !== JointType.FREE) continue;
		const body = model.jointChild[joint]!;
		const name = `height of ${model.bodyLabels[body]}`;
		list.push({ name, group: 'height', unit: 'm', read: ({ state }) => state.bodyQ[7 * body + up]! });
	}
	return list;
}

function bodyPositions(model: Model, world: number): Quantity[] {
	const list: Quantity[] = [];
	const { start, end } = worldRows(model, 'body', world);
	for (let body = start; body < end; body++) {
		for (let axis = 0; axis < 3; axis++) {
			const name = `${'xyz'[axis]} of ${model.bodyLabels[body]}`;
			list.push({ name, group: 'body', unit: 'm', read: ({ state }) => state.bodyQ[7 * body + axis]! });
		}
	}
	return list;
}

/** Coordinates or velocities of joints, named by their joint. */
function jointNumbers(
	model: Model,
	world: number,
	group: 'position' | 'velocity',
	starts: Int32Array,
	values: (sample: Sample) => Float64Array,
): Quantity[] {
	const list: Quantity[] = [];
	const prefix = group === 'velocity' ? 'velocity of ' : '';
	const { start, end } = worldRows(model, 'joint', world);
	for (let joint = start; joint < end; joint++) {
		const first = starts[joint]!;
		for (const [i, { suffix, unit }] of jointNumbersOf(model, joint, group).entries()) {
			const name = `${prefix}${model.jointLabels[joint]}${suffix}`;
			list.push({ name, group, unit, read: (sample) => values(sample)[first + i]! });
		}
	}
	return list;
}
