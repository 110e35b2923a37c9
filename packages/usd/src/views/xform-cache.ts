import type { Report } from '@manyworlds/core';
import type { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { type FactoredMatrix, factorMatrix } from './factor-matrix.ts';
import { identityMatrix, invertMatrix, multiplyMatrices } from './matrix.ts';
import type { ViewOptions } from './view-report.ts';
import { type LocalTransform, localTransform } from './xformable.ts';

/**
 * Transforms of the prims of a stage at one time, each computed once.
 *
 * ```ts
 * const transforms = new XformCache();
 * const [x, y, z] = transforms.worldTransform(stage.prim('/Robot/arm')!).subarray(12, 15);
 * ```
 *
 * It does not follow edits by itself: `clear` it after them, or see `followStage`.
 */
export class XformCache {
	readonly report: Report | undefined;
	#time: number | undefined;
	readonly #local = new Map<Path, LocalTransform>();
	readonly #world = new Map<Path, Float64Array>();
	readonly #known: XformCache | undefined;

	/** Transforms that `known`, a cache of the same stage and time, has are taken from there; it is not filled. */
	constructor(options: ViewOptions & { readonly known?: XformCache } = {}) {
		this.#time = options.time;
		this.report = options.report;
		this.#known = options.known;
	}

	/** The time at which transforms are taken; undefined is the default time. */
	get time(): number | undefined {
		return this.#time;
	}

	set time(time: number | undefined) {
		if (time === this.#time) return;
		this.#time = time;
		this.clear();
	}

	/** Forgets everything. */
	clear(): void {
		this.#local.clear();
		this.#world.clear();
	}

	/** The transform to the parent. Must not be changed. */
	localTransform(prim: Prim): LocalTransform {
		let found = (this.#known ?? this).#local.get(prim.path) ?? this.#local.get(prim.path);
		if (found === undefined) {
			found = localTransform(prim, { time: this.#time, report: this.report });
			this.#local.set(prim.path, found);
		}
		return found;
	}

	/** The transform to the space of the stage, 16 doubles. Must not be changed. */
	worldTransform(prim: Prim): Float64Array {
		// up to what is known, then down again: depth costs no stack
		const chain: Prim[] = [];
		let world: Float64Array | undefined;
		for (let at: Prim | undefined = prim; at !== undefined && world === undefined; at = at.parent) {
			world = (this.#known ?? this).#world.get(at.path) ?? this.#world.get(at.path);
			if (world !== undefined) break;
			chain.push(at);
			if (this.localTransform(at).resetsXformStack) break;
		}
		let result = world;
		for (let i = chain.length - 1; i >= 0; i--) {
			const at = chain[i]!;
			const { matrix, resetsXformStack } = this.localTransform(at);
			if (at.isPseudoRoot) result = identityMatrix();
			else result = result === undefined || resetsXformStack ? matrix : multiplyMatrices(matrix, result);
			this.#world.set(at.path, result);
		}
		return result!;
	}

	/** The transform of the parent to the space of the stage. */
	parentToWorld(prim: Prim): Float64Array {
		const { parent } = prim;
		return parent === undefined ? identityMatrix() : this.worldTransform(parent);
	}

	/** The transform from one prim's space to another's. */
	relativeTransform(prim: Prim, ancestor: Prim): Float64Array {
		return multiplyMatrices(this.worldTransform(prim), invertMatrix(this.worldTransform(ancestor)).matrix);
	}

	/** Translation, rotation and scale of a prim in the space of the stage. */
	worldPose(prim: Prim): FactoredMatrix {
		return factorMatrix(this.worldTransform(prim));
	}
}
