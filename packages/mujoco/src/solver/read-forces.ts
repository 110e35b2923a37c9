import type { State } from '@manyworlds/model';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { doubleField, intField } from '../engine/mj-fields.ts';
import { inWorld } from '../engine/model-maps.ts';

/** Accelerations of bodies and forces of their parent joints, where the state has room for them. */
export function readForces(compiled: CompiledModel, world: number, state: State): void {
	const { bodyQdd, bodyParentF } = state;
	if (bodyQdd === undefined && bodyParentF === undefined) return;
	const { module, mj, data, maps, conversion, engineOptions } = compiled;
	module.mj_rnePostConstraint(mj, data);
	const roots = intField(mj, 'body_rootid');
	const centres = doubleField(data, 'xipos');
	const subtrees = doubleField(data, 'subtree_com');
	const cvel = doubleField(data, 'cvel');
	const cacc = doubleField(data, 'cacc');
	const cfrc = doubleField(data, 'cfrc_int');
	const gravity = engineOptions.gravity as Float64Array;
	for (let id = 1; id < mj.nbody; id++) {
		const body = inWorld(conversion, 'body', maps.body[id]!, world);
		if (body < 0) continue;
		// MuJoCo's spatial vectors are angular first, at the centre of mass of the tree
		const offset = [0, 1, 2].map((k) => centres[3 * id + k]! - subtrees[3 * roots[id]! + k]!);
		const at = 6 * id;
		if (bodyQdd !== undefined) {
			const spin = cvel.subarray(at, at + 3);
			const speed = minusCross(cvel.subarray(at + 3, at + 6), offset, spin);
			const linear = minusCross(cacc.subarray(at + 3, at + 6), offset, cacc.subarray(at, at + 3));
			const turned = cross(spin, speed);
			for (let k = 0; k < 3; k++) {
				bodyQdd[6 * body + k] = linear[k]! + turned[k]! + gravity[k]!;
				bodyQdd[6 * body + 3 + k] = cacc[at + k]!;
			}
		}
		if (bodyParentF !== undefined) {
			const force = cfrc.subarray(at + 3, at + 6);
			const torque = minusCross(cfrc.subarray(at, at + 3), offset, force);
			for (let k = 0; k < 3; k++) {
				bodyParentF[6 * body + k] = force[k]!;
				bodyParentF[6 * body + 3 + k] = torque[k]!;
			}
		}
	}
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

/** `v - a × b`. */
function minusCross(v: ArrayLike<number>, a: ArrayLike<number>, b: ArrayLike<number>): number[] {
	return cross(a, b).map((component, k) => v[k]! - component);
}
