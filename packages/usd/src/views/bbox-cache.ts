import type { Report } from '@manyworlds/core';
import type { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { type AlignedBox, BoundingBox, unionBoxes } from './bounding-box.ts';
import { authoredExtent, computeShapeExtent, emptyBox, isBoundable } from './extent.ts';
import { computePurposeInfo, inheritPurpose, isImageable, PURPOSES, type PurposeInfo } from './imageable.ts';
import { invertMatrix, multiplyMatrices } from './matrix.ts';
import { pointInstances } from './point-instancer.ts';
import { readText, readTuples } from './read-values.ts';
import type { ViewOptions } from './view-report.ts';
import { XformCache } from './xform-cache.ts';

/** What bounds are made of. */
export interface BBoxOptions extends ViewOptions {
	/** Purposes of the geometry that counts. */
	readonly purposes?: readonly string[];
	/** Whether the `extentsHint` of models stands for what is below them. */
	readonly useExtentsHint?: boolean;
	/** Whether hidden geometry counts too. */
	readonly ignoreVisibility?: boolean;
}

/** Values of {@link BBoxOptions} that are used when absent. */
export const BBOX_DEFAULTS: Required<Omit<BBoxOptions, keyof ViewOptions>> = {
	purposes: ['default'],
	useExtentsHint: false,
	ignoreVisibility: false,
};

type Boxes = Map<string, BoundingBox>;

interface Task {
	readonly prim: Prim;
	readonly purpose: PurposeInfo;
	/** From the space of the stage to that of the enclosing component. */
	readonly inverseComponent: Float64Array;
	readonly children: Task[];
	/** Whether the children are those of a prototype, in its own space. */
	readonly isInstance: boolean;
	boxes: Boxes | undefined;
}

/**
 * Bounds of prims at one time, each computed once. Boxes are put together in the space of the nearest component or
 * subcomponent, as in OpenUSD. It does not follow edits by itself: `clear` it after them, or see
 * `followStage`.
 */
export class BBoxCache {
	readonly purposes: readonly string[];
	readonly useExtentsHint: boolean;
	readonly ignoreVisibility: boolean;
	readonly report: Report | undefined;
	readonly transforms: XformCache;
	/** Boxes by path; below prototypes also by the purpose that the instance passes on. */
	readonly #boxes = new Map<string, Map<Path, Boxes>>();

	constructor(options: BBoxOptions = {}) {
		const { purposes, useExtentsHint, ignoreVisibility } = { ...BBOX_DEFAULTS, ...options };
		this.purposes = purposes;
		this.useExtentsHint = useExtentsHint;
		this.ignoreVisibility = ignoreVisibility;
		this.report = options.report;
		this.transforms = new XformCache(options);
	}

	get time(): number | undefined {
		return this.transforms.time;
	}

	/** Forgets everything. */
	clear(): void {
		this.transforms.clear();
		this.#boxes.clear();
	}

	/** The bound of a prim and what is below it, in the space of the stage. */
	worldBound(prim: Prim): BoundingBox {
		return this.untransformedBound(prim).transformed(this.transforms.worldTransform(prim));
	}

	/** The bound in the space of the prim's parent. */
	localBound(prim: Prim): BoundingBox {
		return this.untransformedBound(prim).transformed(this.transforms.localTransform(prim).matrix);
	}

	/** The bound in the space of an ancestor. */
	relativeBound(prim: Prim, ancestor: Prim): BoundingBox {
		return this.untransformedBound(prim).transformed(this.transforms.relativeTransform(prim, ancestor));
	}

	/** The bound in the prim's own space. */
	untransformedBound(prim: Prim): BoundingBox {
		const boxes = this.#resolve(prim);
		let combined = BoundingBox.empty;
		for (const purpose of this.purposes) {
			const box = boxes.get(purpose);
			if (box !== undefined && !box.isEmpty) combined = combined.combined(box);
		}
		return combined;
	}

	#resolve(prim: Prim): Boxes {
		const component = nearestComponent(prim);
		const inverse = invertMatrix(this.transforms.worldTransform(component)).matrix;
		return this.#resolveTree(prim, computePurposeInfo(prim), inverse);
	}

	/** Collects prims from the top, then adds their boxes up from the bottom: depth costs no stack. */
	#resolveTree(prim: Prim, purpose: PurposeInfo, inverseComponent: Float64Array): Boxes {
		const root = this.#makeTask(prim, purpose, inverseComponent);
		const tasks = [root];
		for (let at = 0; at < tasks.length; at++) {
			const task = tasks[at]!;
			if (task.boxes === undefined) this.#expand(task);
			for (const child of task.children) tasks.push(child);
		}
		for (let at = tasks.length - 1; at >= 0; at--) {
			const task = tasks[at]!;
			if (task.boxes !== undefined) continue;
			task.boxes = this.#addUp(task);
			this.#remember(task, task.boxes);
		}
		return root.boxes!;
	}

	#makeTask(prim: Prim, purpose: PurposeInfo, inverseComponent: Float64Array): Task {
		const boxes = this.#boxes.get(contextOf(prim, purpose))?.get(prim.path);
		return { prim, purpose, inverseComponent, children: [], isInstance: prim.isInstance, boxes };
	}

	#remember({ prim, purpose }: Task, boxes: Boxes): void {
		const context = contextOf(prim, purpose);
		let known = this.#boxes.get(context);
		if (known === undefined) this.#boxes.set(context, (known = new Map()));
		known.set(prim.path, boxes);
	}

	/** Gives a task its own boxes when it covers what is below it, else its children. */
	#expand(task: Task): void {
		const { prim, purpose } = task;
		const own = this.#ownBoxes(prim, purpose);
		if (own !== undefined) {
			task.boxes = own;
			this.#remember(task, own);
			return;
		}
		const source = task.isInstance ? prim.prototype! : prim;
		// inside a prototype there is no enclosing component but its own
		const inverse = isComponent(prim)
			? invertMatrix(this.transforms.worldTransform(prim)).matrix
			: task.inverseComponent;
		const childInverse = task.isInstance ? invertMatrix(this.transforms.worldTransform(source)).matrix : inverse;
		for (const child of source.children()) {
			if (!child.isActive || !child.isDefined || child.isAbstract || !this.#isIncluded(child)) continue;
			task.children.push(this.#makeTask(child, inheritPurpose(child, purpose), childInverse));
		}
	}

	#ownBoxes(prim: Prim, { purpose }: PurposeInfo): Boxes | undefined {
		const { time, report } = this;
		if (this.useExtentsHint && prim.isModel && !prim.isPseudoRoot) {
			const hint = readTuples(prim, 'extentsHint', 3, time);
			if (hint !== undefined && hint.length >= 6) return boxesOfHint(hint);
		}
		if (!isBoundable(prim)) return undefined;
		const options: ViewOptions = { time, report };
		const extent =
			authoredExtent(prim, options) ??
			(prim.isA('PointInstancer') ? this.#instancerExtent(prim) : computeShapeExtent(prim, options));
		if (extent === undefined) return new Map();
		return new Map([[purpose, new BoundingBox(extent.min, extent.max)]]);
	}

	#instancerExtent(prim: Prim): AlignedBox | undefined {
		const { time, report } = this;
		const all = pointInstances(prim, { time, report });
		if (all === undefined) return undefined;
		const cache = new BBoxCache({ time, report, purposes: ['default', 'proxy', 'render'] });
		const bounds = all.prototypes.map((path) => {
			const prototype = prim.stage.prim(path);
			// a prototype that holds its own instancer has no bound
			return prototype === undefined || prim.path.hasPrefix(path)
				? BoundingBox.empty
				: cache.untransformedBound(prototype);
		});
		let extent = emptyBox();
		for (let i = 0; i < all.prototypeIndices.length; i++) {
			const bound = bounds[all.prototypeIndices[i]!]!;
			if (bound.isEmpty) continue;
			extent = unionBoxes(extent, bound.transformed(all.transforms.subarray(i * 16, i * 16 + 16)).aligned());
		}
		return { min: extent.min.map(Math.fround), max: extent.max.map(Math.fround) };
	}

	/** Children that the bound of their parent takes in. */
	#isIncluded(prim: Prim): boolean {
		if (prim.typeName === '' || prim.stage.schemas.find(prim.typeName) === undefined) return true;
		if (this.ignoreVisibility) return true;
		if (!isImageable(prim)) return false;
		return readText(prim, 'visibility', this.time) !== 'invisible';
	}

	#addUp({ prim, children, inverseComponent, isInstance }: Task): Boxes {
		const boxes: Boxes = new Map();
		if (children.every(({ boxes: found }) => found === undefined || found.size === 0)) return boxes;
		const { transforms } = this;
		const inverse = isComponent(prim) ? invertMatrix(transforms.worldTransform(prim)).matrix : inverseComponent;
		const toComponent = multiplyMatrices(transforms.worldTransform(prim), inverse);
		const sums = new Map<string, AlignedBox>();
		for (const child of children) {
			if (child.boxes === undefined || child.boxes.size === 0) continue;
			const matrix = isInstance
				? multiplyMatrices(transforms.localTransform(child.prim).matrix, toComponent)
				: multiplyMatrices(transforms.worldTransform(child.prim), inverse);
			for (const [purpose, box] of child.boxes) {
				const sum = sums.get(purpose) ?? emptyBox();
				// OpenUSD 26.11 lets inside-out extents, such as that of a cube of negative size, widen the sum
				sums.set(purpose, box.isEmpty ? sum : unionBoxes(sum, box.transformed(matrix).aligned()));
			}
		}
		const toLocal = invertMatrix(toComponent).matrix;
		for (const [purpose, { min, max }] of sums) boxes.set(purpose, new BoundingBox(min, max, toLocal));
		return boxes;
	}
}

/** `extentsHint` holds a box for each purpose in turn. */
function boxesOfHint(hint: ArrayLike<number>): Boxes {
	const boxes: Boxes = new Map();
	PURPOSES.forEach((purpose, i) => {
		if ((i + 1) * 6 > hint.length) return;
		const numbers = Float64Array.from({ length: 6 }, (_, at) => hint[i * 6 + at]!);
		boxes.set(purpose, new BoundingBox(numbers.slice(0, 3), numbers.slice(3)));
	});
	return boxes;
}

/** Below prototypes the purpose that comes down from the instance tells boxes of one prim apart. */
function contextOf(prim: Prim, { purpose, isInheritable }: PurposeInfo): string {
	const isShared = prim.data.path === prim.path && prim.path.toString().startsWith('/__Prototype_');
	return isShared && isInheritable ? purpose : '';
}

function isComponent({ kind }: Prim): boolean {
	return kind === 'component' || kind === 'subcomponent';
}

function nearestComponent(prim: Prim): Prim {
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) if (isComponent(at)) return at;
	return prim.stage.pseudoRoot;
}
