import { ModelError } from '../model-error.ts';
import { type ArrayAllocator, copyArray } from './array-allocator.ts';
import type { AttributeValues } from './attribute-values.ts';
import type { Model } from './model.ts';

/** Arrays that a state holds only on request. @public */
export type OptionalStateArray = 'bodyQdd' | 'bodyParentF';

/** Options of {@link Model.createState}. @public */
export interface StateOptions {
	/** Arrays beyond the usual ones. */
	readonly include?: readonly OptionalStateArray[];
	/** Where the arrays are kept; left out, in memory of their own. */
	readonly keep?: ArrayAllocator;
}

/** Names of the arrays of a state. @public */
export type StateArrayName =
	| 'particleQ'
	| 'particleQd'
	| 'particleF'
	| 'bodyQ'
	| 'bodyQd'
	| 'bodyF'
	| 'jointQ'
	| 'jointQd'
	| OptionalStateArray;

/** Every array that a state can hold, in a fixed order. */
export const STATE_ARRAY_NAMES: readonly StateArrayName[] = [
	'particleQ',
	'particleQd',
	'particleF',
	'bodyQ',
	'bodyQd',
	'bodyF',
	'jointQ',
	'jointQd',
	'bodyQdd',
	'bodyParentF',
];

const OPTIONAL: readonly OptionalStateArray[] = ['bodyQdd', 'bodyParentF'];

/** What changes while a model moves. It shares no memory with the model or with other states. @public */
export class State {
	/** Position [m]; shape (particles, 3). */
	readonly particleQ: Float64Array;
	/** Velocity [m/s]; shape (particles, 3). */
	readonly particleQd: Float64Array;
	/** Applied force [N]; shape (particles, 3). */
	readonly particleF: Float64Array;
	/** Pose of the body frame in the world [m, quaternion x y z w]; shape (bodies, 7). */
	readonly bodyQ: Float64Array;
	/** Velocity of the centre of mass [m/s], angular velocity [rad/s], in world axes; shape (bodies, 6). */
	readonly bodyQd: Float64Array;
	/** Applied force [N], torque about the centre of mass [N·m], in world axes; shape (bodies, 6). */
	readonly bodyF: Float64Array;
	/** Joint coordinates [m, rad, quaternion]; shape (coordinates). */
	readonly jointQ: Float64Array;
	/** Joint velocities [m/s, rad/s]; shape (dofs). */
	readonly jointQd: Float64Array;
	/** Acceleration of the centre of mass [m/s²], angular acceleration [rad/s²]; shape (bodies, 6). On request. */
	readonly bodyQdd: Float64Array | undefined;
	/** Force [N] and torque [N·m] of the parent joint on the body at its centre of mass; shape (bodies, 6). On request. */
	readonly bodyParentF: Float64Array | undefined;
	/** Custom attributes with owner `state`. */
	readonly attributes: AttributeValues;

	constructor(model: Model, options: StateOptions = {}) {
		const keep = options.keep ?? copyArray;
		const zeros = (name: StateArrayName, count: number): Float64Array => keep(new Float64Array(count), name);
		this.particleQ = keep(model.particleQ, 'particleQ');
		this.particleQd = keep(model.particleQd, 'particleQd');
		this.particleF = zeros('particleF', model.particleQ.length);
		this.bodyQ = keep(model.bodyQ, 'bodyQ');
		this.bodyQd = keep(model.bodyQd, 'bodyQd');
		this.bodyF = zeros('bodyF', model.bodyQd.length);
		this.jointQ = keep(model.jointQ, 'jointQ');
		this.jointQd = keep(model.jointQd, 'jointQd');
		const include = options.include ?? [];
		const unknown = include.find((name) => !OPTIONAL.includes(name));
		if (unknown !== undefined) {
			throw new ModelError(
				'MODEL040',
				`a state has no optional array '${unknown}', expected one of ${OPTIONAL.join(', ')}`,
				{
					kind: 'array',
					label: unknown,
				},
			);
		}
		this.bodyQdd = include.includes('bodyQdd') ? zeros('bodyQdd', model.bodyQd.length) : undefined;
		this.bodyParentF = include.includes('bodyParentF') ? zeros('bodyParentF', model.bodyQd.length) : undefined;
		this.attributes = model.attributesOf('state').clone(keep);
	}

	/** Copies every array of another state of the same model. Throws, before anything is copied, when one side lacks an array. */
	assign(other: State): void {
		for (const name of STATE_ARRAY_NAMES) {
			const own = this[name]?.length;
			const others = other[name]?.length;
			if (own !== others) {
				throw new ModelError(
					'MODEL042',
					`state array '${name}' has ${own ?? 'no'} numbers here and ${others ?? 'none'} in the other state`,
					{
						kind: 'state',
						label: name,
					},
				);
			}
		}
		this.attributes.checkSame(other.attributes);
		for (const name of STATE_ARRAY_NAMES) {
			const source = other[name];
			if (source !== undefined) this[name]!.set(source);
		}
		this.attributes.assign(other.attributes);
	}

	/** Sets applied forces to zero. */
	clearForces(): void {
		this.particleF.fill(0);
		this.bodyF.fill(0);
	}
}
