import type { Report } from '@manyworlds/core';
import { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import type { Stage } from '../usd/stage.ts';
import { factorMatrix } from './factor-matrix.ts';
import { MaterialBindings } from './material-binding.ts';
import type { PhysicsAxis } from './physics-descriptors.ts';
import { readBool, readNumber, readText, readTuple } from './read-values.ts';
import { reportFinding } from './view-report.ts';
import { XformCache } from './xform-cache.ts';

/** What the parts of the physics parser share: caches, and reading with the parser's fallbacks. */
export class PhysicsReader {
	readonly stage: Stage;
	readonly report: Report;
	readonly transforms: XformCache;
	readonly bindings: MaterialBindings;
	/** Whether materials bound above a collider count without MaterialBindingAPI on the collider. */
	readonly inheritMaterials: boolean;
	/** Whether colliders and joints belong to disabled bodies too. */
	readonly disabledBodies: boolean;
	/** Whether poses of bodies and frames of joints are worked out. */
	readonly poses: boolean;
	readonly #scales = new Map<Path, Float64Array>();

	constructor(
		stage: Stage,
		report: Report | undefined,
		inheritMaterials: boolean,
		disabledBodies: boolean = false,
		transforms?: XformCache,
		poses: boolean = true,
	) {
		this.stage = stage;
		this.report = report ?? stage.report;
		this.inheritMaterials = inheritMaterials;
		this.disabledBodies = disabledBodies;
		this.poses = poses;
		this.transforms = transforms ?? new XformCache({ report: this.report });
		this.bindings = new MaterialBindings({ report: this.report });
	}

	warn(prim: Prim, message: string): void {
		reportFinding('VIEW004', prim, message, { report: this.report });
	}

	/** A float attribute; the fallback stands when there is no value. */
	float(prim: Prim, name: string, fallback: number): number {
		return Math.fround(readNumber(prim, name) ?? fallback);
	}

	bool(prim: Prim, name: string, fallback: boolean): boolean {
		return readBool(prim, name) ?? fallback;
	}

	axis(prim: Prim, name: string): PhysicsAxis {
		const axis = readText(prim, name);
		return axis === 'Y' || axis === 'Z' ? axis : 'X';
	}

	floats(prim: Prim, name: string, fallback: readonly number[]): Float32Array {
		return Float32Array.from(readTuple(prim, name, fallback.length) ?? fallback);
	}

	targets(prim: Prim, name: string): readonly Path[] {
		return prim.relationship(name).targets();
	}

	/** Whether colliders and joints belong to a prim: a body that moves, or any body when disabled ones count. */
	isEnabledBody(prim: Prim): boolean {
		if (!prim.hasSchema('PhysicsRigidBodyAPI')) return false;
		return this.disabledBodies || this.bool(prim, 'physics:rigidBodyEnabled', true);
	}

	/** Pairs that must not collide, if the API is applied. */
	filteredPairs(prim: Prim): readonly Path[] {
		return prim.hasSchema('PhysicsFilteredPairsAPI') ? this.targets(prim, 'physics:filteredPairs') : [];
	}

	/** The scale of a prim in the space of the stage, as its transform factors. */
	worldScale(prim: Prim): Float64Array {
		let scale = this.#scales.get(prim.path);
		if (scale === undefined) {
			scale = factorMatrix(this.transforms.worldTransform(prim)).scale;
			this.#scales.set(prim.path, scale);
		}
		return scale;
	}

	/**
	 * The physics material of a prim: bound for `physics`, and made for it. OpenUSD's parser asks for MaterialBindingAPI
	 * on the prim itself, even where the binding is on an ancestor.
	 */
	material(prim: Prim): Path | undefined {
		const material = this.bindings.boundMaterial(prim, 'physics')?.material;
		if (material?.hasSchema('PhysicsMaterialAPI') !== true) return undefined;
		if (this.inheritMaterials || prim.hasSchema('MaterialBindingAPI')) return material.path;
		const message = `the physics material <${material.path}> does not count: MaterialBindingAPI is not applied to the collider`;
		reportFinding('VIEW004', prim, message, { report: this.report });
		return undefined;
	}
}

/** The path of the world. */
export const WORLD: Path = Path.empty;
