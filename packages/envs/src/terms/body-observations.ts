import { quatConjugate, quatMultiply, quatRotateInverse } from '@manyworlds/core/internal';
import type { ObservationTerm } from './observation-term.ts';

const AXES = ['x', 'y', 'z'] as const;
const QUATERNION = ['x', 'y', 'z', 'w'] as const;

/** Options of terms about the pose of a body. @public */
export interface RelativeOptions {
	/** Body whose frame the numbers are in; the world unless given. */
	readonly from?: string;
}

/** Position of the frame of a body [m], in the world or in the frame of another body. @public */
export function bodyPosition(body: string, options: RelativeOptions = {}): ObservationTerm {
	return {
		bind(worlds) {
			const rows = worlds.bodyRows([body]);
			const bases = options.from === undefined ? undefined : worlds.bodyRows([options.from]);
			const { bodyQ } = worlds.state;
			const difference = new Float64Array(3);
			const where = options.from === undefined ? '' : ` from ${options.from}`;
			return {
				fields: AXES.map((axis) => ({ name: `${axis} of ${body}${where}`, unit: 'm' })),
				read(world, out, at) {
					const row = 7 * rows[world]!;
					const base = bases === undefined ? -1 : 7 * bases[world]!;
					for (let k = 0; k < 3; k++) difference[k] = bodyQ[row + k]! - (base < 0 ? 0 : bodyQ[base + k]!);
					if (base >= 0) quatRotateInverse(difference, bodyQ, difference, 0, base + 3);
					for (let k = 0; k < 3; k++) out[at + k] = difference[k]!;
				},
			};
		},
	};
}

/** Rotation of a body (x y z w, w not negative), in the world or from the frame of another body. @public */
export function bodyRotation(body: string, options: RelativeOptions = {}): ObservationTerm {
	return {
		bind(worlds) {
			const rows = worlds.bodyRows([body]);
			const bases = options.from === undefined ? undefined : worlds.bodyRows([options.from]);
			const { bodyQ } = worlds.state;
			const inverse = Float64Array.of(0, 0, 0, 1);
			const rotation = new Float64Array(4);
			const where = options.from === undefined ? '' : ` from ${options.from}`;
			return {
				fields: QUATERNION.map((part) => ({
					name: `rotation ${part} of ${body}${where}`,
					unit: '1',
					lower: -1,
					upper: 1,
				})),
				read(world, out, at) {
					if (bases !== undefined) quatConjugate(inverse, bodyQ, 0, 7 * bases[world]! + 3);
					quatMultiply(rotation, inverse, bodyQ, 0, 0, 7 * rows[world]! + 3);
					// a quaternion and its negative are the same rotation
					const sign = rotation[3]! < 0 ? -1 : 1;
					for (let k = 0; k < 4; k++) out[at + k] = sign * rotation[k]!;
				},
			};
		},
	};
}

/** Options of {@link bodyVelocity}. @public */
export interface BodyVelocityOptions {
	/** Axes of the numbers; those of the body unless given. */
	readonly axes?: 'body' | 'world';
}

/** Linear [m/s] and angular [rad/s] velocity of a body at its centre of mass. @public */
export function bodyVelocity(body: string, options: BodyVelocityOptions = {}): ObservationTerm {
	return {
		bind(worlds) {
			const rows = worlds.bodyRows([body]);
			const { bodyQ, bodyQd } = worlds.state;
			const inBody = options.axes !== 'world';
			const vector = new Float64Array(3);
			return {
				fields: [
					...AXES.map((axis) => ({ name: `velocity ${axis} of ${body}`, unit: 'm/s' })),
					...AXES.map((axis) => ({ name: `turning ${axis} of ${body}`, unit: 'rad/s' })),
				],
				read(world, out, at) {
					const row = rows[world]!;
					for (let part = 0; part < 6; part += 3) {
						for (let k = 0; k < 3; k++) vector[k] = bodyQd[6 * row + part + k]!;
						if (inBody) quatRotateInverse(vector, bodyQ, vector, 0, 7 * row + 3);
						for (let k = 0; k < 3; k++) out[at + part + k] = vector[k]!;
					}
				},
			};
		},
	};
}

/** Direction of gravity in the frame of a body, of length 1: how it is tilted, without its heading. @public */
export function gravityDirection(body: string): ObservationTerm {
	return {
		bind(worlds) {
			const rows = worlds.bodyRows([body]);
			const { bodyQ } = worlds.state;
			const { gravity } = worlds.model;
			const vector = new Float64Array(3);
			return {
				fields: AXES.map((axis) => ({ name: `gravity ${axis} in ${body}`, unit: '1', lower: -1, upper: 1 })),
				read(world, out, at) {
					const g = 3 * world;
					const length = Math.sqrt(gravity[g]! ** 2 + gravity[g + 1]! ** 2 + gravity[g + 2]! ** 2);
					for (let k = 0; k < 3; k++) vector[k] = length > 0 ? gravity[g + k]! / length : 0;
					quatRotateInverse(vector, bodyQ, vector, 0, 7 * rows[world]! + 3);
					for (let k = 0; k < 3; k++) out[at + k] = vector[k]!;
				},
			};
		},
	};
}
