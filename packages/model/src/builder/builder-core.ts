import { Report } from '@manyworlds/core';
import { WORLD } from '../enums.ts';
import type { ShapeSource } from '../geometry.ts';
import { type LabelledEntity, Tables } from '../tables.ts';
import { AttributeSet } from './attribute-set.ts';

/** A joint as seen from one of its bodies. */
export interface Neighbour {
	readonly body: number;
	readonly joint: number;
}

/**
 * What the parts of a builder work on: the tables, the custom attributes, the shape sources and the open world,
 * with lookups from bodies to their shapes and joints.
 */
export class BuilderCore {
	readonly tables: Tables = new Tables();
	readonly attributes: AttributeSet = new AttributeSet();
	/** One entry per shape. */
	readonly shapeSources: (ShapeSource | null)[] = [];
	/** Warnings about what was built. */
	readonly report: Report = new Report();
	currentWorld: number = WORLD;
	worldCount = 0;
	/** One entry per world. */
	readonly worldLabels: string[] = [];
	/** One gravity vector per world [m/s²]; undefined takes the builder's. */
	readonly worldGravity: (Float64Array | undefined)[] = [];

	readonly #bodyShapes = new Map<number, number[]>();
	readonly #jointsByChild = new Map<number, Neighbour[]>();
	readonly #jointsByParent = new Map<number, Neighbour[]>();
	#indexedShapes = 0;
	#indexedJoints = 0;

	label(entity: LabelledEntity, index: number): string {
		return this.tables.labels[entity][index] ?? '';
	}

	/** Shapes of a body in the order in which they were added; the world's for -1. */
	shapesOf(body: number): readonly number[] {
		const { counts } = this.tables;
		const bodies = this.tables.column('shapeBody');
		for (; this.#indexedShapes < counts.shape; this.#indexedShapes++) {
			listIn(this.#bodyShapes, bodies[this.#indexedShapes]!).push(this.#indexedShapes);
		}
		return this.#bodyShapes.get(body) ?? NONE;
	}

	/** Joints that move a body, with the bodies they hang on. */
	parentsOf(body: number): readonly Neighbour[] {
		this.#indexJoints();
		return this.#jointsByChild.get(body) ?? NONE;
	}

	/** Joints that hang on a body, with the bodies they move. */
	childrenOf(body: number): readonly Neighbour[] {
		this.#indexJoints();
		return this.#jointsByParent.get(body) ?? NONE;
	}

	/** Forgets the lookups after rows were removed or renumbered. */
	resetLookups(): void {
		this.#bodyShapes.clear();
		this.#jointsByChild.clear();
		this.#jointsByParent.clear();
		this.#indexedShapes = 0;
		this.#indexedJoints = 0;
	}

	#indexJoints(): void {
		const { counts } = this.tables;
		const parents = this.tables.column('jointParent');
		const children = this.tables.column('jointChild');
		for (; this.#indexedJoints < counts.joint; this.#indexedJoints++) {
			const joint = this.#indexedJoints;
			const parent = parents[joint]!;
			const child = children[joint]!;
			listIn(this.#jointsByChild, child).push({ body: parent, joint });
			listIn(this.#jointsByParent, parent).push({ body: child, joint });
		}
	}
}

const NONE: readonly never[] = Object.freeze([]);

function listIn<T>(map: Map<number, T[]>, key: number): T[] {
	let list = map.get(key);
	if (list === undefined) {
		list = [];
		map.set(key, list);
	}
	return list;
}
