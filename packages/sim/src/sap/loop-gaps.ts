import { quatToRotationVector, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import { TreeStructure } from '../dynamics/tree-structure.ts';
import { COUPLER, type Loop, loopsOf, placeFrame, rotate } from './loops.ts';

/** How far loops of a world are open: what equality constraints, couplers and joints that close loops hold together. */
export class LoopGaps {
	readonly #model: Model;
	readonly #loops: readonly Loop[];
	/** Numbers that {@link LoopGaps.write} gives. */
	readonly count: number;

	constructor(model: Model, world = 0) {
		this.#model = model;
		const all = loopsOf(model, new TreeStructure(model).loopJoints);
		this.#loops = all.filter((loop) => loop.isEnabled() && (loop.world === world || loop.world < 0));
		this.count = this.#loops.reduce((sum, loop) => sum + gapCount(loop), 0);
	}

	/** Writes gaps along all that is held [m, rad]: zero where loops are closed. */
	write(out: Float64Array, bodyQ: Float64Array, jointQ: Float64Array): Float64Array {
		const pose = new Float64Array(14);
		const [inverse, relative] = [new Float64Array(7), new Float64Array(7)];
		const [angle, direction] = [new Float64Array(3), new Float64Array(3)];
		let at = 0;
		for (const loop of this.#loops) {
			if (loop.kind === COUPLER) {
				out[at++] = jointQ[loop.coord0]! - polynomial(loop.coefficients, loop.coord1 < 0 ? 0 : jointQ[loop.coord1]!);
				continue;
			}
			placeFrame(pose, 0, bodyQ, loop.body0, loop.frame0);
			placeFrame(pose, 7, bodyQ, loop.body1, loop.frame1);
			if (loop.distance >= 0) {
				out[at++] = this.#distanceGap(loop.distance, pose);
				continue;
			}
			// rotation from frame 0 to frame 1 in world axes
			transformInvert(inverse, pose, 0, 0);
			transformMultiply(relative, pose, inverse, 0, 7, 0);
			quatToRotationVector(angle, relative, 0, 3);
			// by their place: a weld has one and the same list of axes for both
			for (const [isLinear, list] of [loop.angular, loop.linear].entries()) {
				for (let i = 0; i < list.length; i += 3) {
					rotate(direction, pose, 3, list, i);
					let gap = 0;
					for (let k = 0; k < 3; k++) gap += direction[k]! * (isLinear === 1 ? pose[7 + k]! - pose[k]! : angle[k]!);
					out[at++] = gap;
				}
			}
		}
		return out;
	}

	/** How far two points are beyond the distances that a joint allows. */
	#distanceGap(joint: number, pose: Float64Array): number {
		const { jointQdStart, jointLimitLower, jointLimitUpper } = this.#model;
		const length = Math.hypot(pose[7]! - pose[0]!, pose[8]! - pose[1]!, pose[9]! - pose[2]!);
		const [lower, upper] = [jointLimitLower[jointQdStart[joint]!]!, jointLimitUpper[jointQdStart[joint]!]!];
		if (lower >= 0 && length < lower) return length - lower;
		return upper >= 0 && length > upper ? length - upper : 0;
	}
}

function gapCount({ kind, distance, linear, angular }: Loop): number {
	return kind === COUPLER || distance >= 0 ? 1 : (linear.length + angular.length) / 3;
}

function polynomial(coefficients: ArrayLike<number>, x: number): number {
	let value = 0;
	for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i]!;
	return value;
}
