import { UsageRangeError } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';

/** Bodies and joints of a world by name: the whole label, or its last part where only one label ends with it. */
export class WorldNames {
	readonly bodies: readonly string[];
	readonly joints: readonly string[];
	readonly #model: Model;
	readonly #bodyOf: ReadonlyMap<string, number>;
	readonly #jointOf: ReadonlyMap<string, number>;

	constructor(model: Model) {
		this.#model = model;
		const world = (starts: Int32Array, labels: readonly string[]): readonly string[] =>
			labels.slice(starts[0]!, starts[1] ?? labels.length);
		this.bodies = world(model.bodyWorldStart, model.bodyLabels);
		this.joints = world(model.jointWorldStart, model.jointLabels);
		this.#bodyOf = byName(this.bodies);
		this.#jointOf = byName(this.joints);
	}

	/** The body of a name in a world. */
	bodyIn(name: string, world: number): number {
		return this.#start(this.#model.bodyWorldStart, world) + indexOf(this.#bodyOf, 'body', name);
	}

	/** The joint of a name in a world, or in all of them. */
	jointsIn(name: string, world: number | undefined): number[] {
		const { jointWorldStart, worldCount } = this.#model;
		const index = indexOf(this.#jointOf, 'joint', name);
		if (world !== undefined) return [this.#start(jointWorldStart, world) + index];
		return Array.from({ length: Math.max(1, worldCount) }, (_, each) => jointWorldStart[each]! + index);
	}

	#start(starts: Int32Array, world: number): number {
		const worlds = Math.max(1, this.#model.worldCount);
		if (!(Number.isInteger(world) && world >= 0 && world < worlds)) {
			throw new UsageRangeError(`world ${world} of ${worlds}`);
		}
		return starts[world]!;
	}
}

/** Positions by label and by last part; a part that several labels end with names none of them. */
function byName(labels: readonly string[]): ReadonlyMap<string, number> {
	const found = new Map<string, number>();
	const several = new Set<string>();
	for (const [index, label] of labels.entries()) {
		const last = label.slice(label.lastIndexOf('/') + 1);
		if (found.has(last)) several.add(last);
		found.set(last, index);
	}
	for (const name of several) found.delete(name);
	for (const [index, label] of labels.entries()) found.set(label, index);
	return found;
}

function indexOf(names: ReadonlyMap<string, number>, kind: string, name: string): number {
	const index = names.get(name);
	if (index !== undefined) return index;
	throw new UsageRangeError(`unknown ${kind} '${name}', expected one of ${[...names.keys()].join(', ')}`);
}
