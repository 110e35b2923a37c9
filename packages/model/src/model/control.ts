import { type ArrayAllocator, copyArray } from './array-allocator.ts';
import type { AttributeValues } from './attribute-values.ts';
import type { Model } from './model.ts';

/** Options of {@link Control}. @public */
export interface ControlOptions {
	/** Where the arrays are kept; left out, in memory of their own. */
	readonly keep?: ArrayAllocator;
}

/** What drives a model. It shares no memory with the model. @public */
export class Control {
	/** Applied joint forces [N, N·m]; shape (dofs). */
	readonly jointF: Float64Array;
	/** Target coordinates [m, rad, quaternion]; shape (coordinates). */
	readonly jointTargetQ: Float64Array;
	/** Target velocities [m/s, rad/s]; shape (dofs). */
	readonly jointTargetQd: Float64Array;
	/** Feed-forward control [N, N·m]; shape (dofs). */
	readonly jointAct: Float64Array;
	/** Actuation of triangles; shape (triangles). */
	readonly triActivations: Float64Array;
	/** Actuation of tetrahedra; shape (tetrahedra). */
	readonly tetActivations: Float64Array;
	/** Custom attributes with owner `control`. */
	readonly attributes: AttributeValues;

	constructor(model: Model, options: ControlOptions = {}) {
		const keep = options.keep ?? copyArray;
		this.jointF = keep(model.jointF, 'jointF');
		this.jointTargetQ = keep(model.jointTargetQ, 'jointTargetQ');
		this.jointTargetQd = keep(model.jointTargetQd, 'jointTargetQd');
		this.jointAct = keep(model.jointAct, 'jointAct');
		this.triActivations = keep(model.triActivations, 'triActivations');
		this.tetActivations = keep(model.tetActivations, 'tetActivations');
		this.attributes = model.attributesOf('control').clone(keep);
	}

	/**
	 * Sets everything to zero, except target coordinates: those are the model's again, because zeros would be no rotation
	 * for ball and free joints.
	 */
	clear(model: Model): void {
		this.jointF.fill(0);
		this.jointTargetQd.fill(0);
		this.jointAct.fill(0);
		this.triActivations.fill(0);
		this.tetActivations.fill(0);
		this.jointTargetQ.set(model.jointTargetQ);
		this.attributes.zero();
	}
}
