import type { Model } from '../model/model.ts';

/**
 * Where MJCF counts from: its coordinate of each degree of freedom is that of the model plus this (`ref`, in `mujoco:dof_ref`). Limits
 * and targets of a model are coordinates of MJCF. Undefined when all are zero. @public
 */
export function dofReferences(model: Model): Float64Array | undefined {
	if (!model.attributes.has('mujoco:dof_ref')) return undefined;
	const values = Float64Array.from(model.attributes.get('mujoco:dof_ref') as ArrayLike<number>);
	return values.some((value) => value !== 0) ? values : undefined;
}
