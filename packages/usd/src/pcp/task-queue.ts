import { comparePaths, type Path } from '../sdf/path.ts';
import type { IndexGraph } from './index-graph.ts';
import type { Node } from './node.ts';
import { compareStrength } from './strength-order.ts';

/** What is to be evaluated at a node; tasks with a lower number come first. */
export const TaskType = {
	relocations: 0,
	impliedRelocations: 1,
	references: 2,
	payloads: 3,
	inherits: 4,
	specializes: 5,
	impliedSpecializes: 6,
	impliedClasses: 7,
	ancestralVariantSets: 8,
	ancestralVariantAuthored: 9,
	ancestralVariantFallback: 10,
	ancestralVariantNone: 11,
	variantSets: 12,
	variantAuthored: 13,
	variantFallback: 14,
	variantNone: 15,
	unresolvedPrimPath: 16,
} as const;
export type TaskType = (typeof TaskType)[keyof typeof TaskType];

/** A variant set to select from. */
export interface VariantSetSite {
	readonly path: Path;
	readonly name: string;
	/** Place among the variant sets of the path. */
	readonly number: number;
}

export interface Task {
	readonly type: TaskType;
	readonly node: Node;
	readonly variantSet?: VariantSetSite;
}

const TYPE_COUNT = 17;

/** Open tasks of one index, by type. */
export class TaskQueue {
	readonly #graph: IndexGraph;
	readonly #byType: (Task[] | undefined)[] = new Array<undefined>(TYPE_COUNT);
	#first = TYPE_COUNT;

	constructor(graph: IndexGraph) {
		this.#graph = graph;
	}

	/** Adds a task. Tasks about implied arcs come in from many sides and are kept once. */
	add(task: Task): void {
		const { type } = task;
		const list = this.#byType[type];
		if (list === undefined) {
			this.#byType[type] = [task];
		} else {
			const isImplied = type === TaskType.impliedClasses || type === TaskType.impliedSpecializes;
			if (isImplied && list.some((other) => other.node === task.node)) return;
			list.push(task);
		}
		if (type < this.#first) this.#first = type;
	}

	pop(): Task | undefined {
		for (; this.#first < TYPE_COUNT; this.#first++) {
			const list = this.#byType[this.#first];
			if (list === undefined || list.length === 0) continue;
			let best = 0;
			for (let i = 1; i < list.length; i++) if (this.#isBefore(list[i]!, list[best]!)) best = i;
			const task = list[best]!;
			const last = list.pop()!;
			if (best < list.length) list[best] = last;
			return task;
		}
		return undefined;
	}

	/** Looks again at variant sets without an authored selection: new opinions may have brought one. */
	retryVariants(): void {
		this.#promote(TaskType.variantFallback, TaskType.variantAuthored);
		this.#promote(TaskType.variantNone, TaskType.variantAuthored);
		this.#promote(TaskType.ancestralVariantFallback, TaskType.ancestralVariantAuthored);
		this.#promote(TaskType.ancestralVariantNone, TaskType.ancestralVariantAuthored);
	}

	#promote(from: TaskType, to: TaskType): void {
		const list = this.#byType[from];
		if (list === undefined) return;
		for (const task of list.splice(0)) this.add({ ...task, type: to });
	}

	#isBefore(a: Task, b: Task): boolean {
		switch (a.type) {
			case TaskType.ancestralVariantAuthored:
			case TaskType.ancestralVariantFallback:
			case TaskType.variantAuthored:
			case TaskType.variantFallback: {
				// selections depend on what is stronger
				if (a.node !== b.node) return compareStrength(this.#graph.root, a.node, b.node) < 0;
				const order = comparePaths(a.variantSet!.path, b.variantSet!.path);
				return (order || a.variantSet!.number - b.variantSet!.number) < 0;
			}
			case TaskType.impliedClasses:
				// descendants before ancestors; otherwise the strongest origin gets the implied arc
				if (isBelow(a.node, b.node)) return true;
				if (isBelow(b.node, a.node)) return false;
				return compareStrength(this.#graph.root, a.node, b.node) < 0;
			default:
				return a.node.index < b.node.index;
		}
	}
}

function isBelow(node: Node, ancestor: Node): boolean {
	for (let at = node.parent; at !== null; at = at.parent) if (at === ancestor) return true;
	return false;
}
