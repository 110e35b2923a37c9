import { quatRotate, transformPoint } from '@manyworlds/core/internal';
import { Imu, RayScene } from '@manyworlds/sensors';
import { RandomDraws } from '../random-draws.ts';
import type { ObservationTerm } from './observation-term.ts';

const AXES = ['x', 'y', 'z'] as const;

/** Size of the force that contacts put on bodies in the last step of the simulation [N]. @public */
export function contactForces(bodies: readonly string[]): ObservationTerm {
	return {
		needsContacts: true,
		bind(worlds) {
			const rows = worlds.bodyRows(bodies);
			return {
				fields: bodies.map((name) => ({ name: `contact force on ${name}`, unit: 'N', lower: 0 })),
				read(world, out, at) {
					const force = worlds.bodyContactF;
					for (let i = 0; i < bodies.length; i++) {
						const f = 6 * rows[world * bodies.length + i]!;
						out[at + i] = Math.sqrt(force[f]! ** 2 + force[f + 1]! ** 2 + force[f + 2]! ** 2);
					}
				},
			};
		},
	};
}

/** A ray from a place of a body. @public */
export interface BodyRay {
	/** Where it begins, in the frame of the body [m]. */
	readonly origin: readonly [number, number, number];
	/** Where it points to, in the frame of the body; any length. */
	readonly direction: readonly [number, number, number];
}

/** Options of {@link rayDistances}. @public */
export interface RayDistanceOptions {
	/** Farthest that a ray looks [m], and what it tells when it meets nothing; 10 unless given. */
	readonly most?: number;
}

/** Distances [m] along rays that a body carries to the collision shapes of other bodies. @public */
export function rayDistances(
	body: string,
	rays: readonly BodyRay[],
	{ most = 10 }: RayDistanceOptions = {},
): ObservationTerm {
	return {
		bind(worlds) {
			const rows = worlds.bodyRows([body]);
			const { bodyQ } = worlds.state;
			const scenes = Array.from({ length: worlds.worldCount }, (_, world) => new RayScene(worlds.model, { world }));
			const origins = rays.map((ray) => Float64Array.from(ray.origin));
			const directions = rays.map(({ direction: [x, y, z] }) => {
				const length = Math.sqrt(x * x + y * y + z * z);
				return Float64Array.of(x / length, y / length, z / length);
			});
			const origin = new Float64Array(3);
			const direction = new Float64Array(3);
			return {
				fields: rays.map((_, i) => ({ name: `ray ${i} of ${body}`, unit: 'm', lower: 0, upper: most })),
				read(world, out, at) {
					const scene = scenes[world]!;
					const row = rows[world]!;
					scene.update(worlds.state);
					for (let i = 0; i < rays.length; i++) {
						transformPoint(origin, bodyQ, origins[i]!, 0, 7 * row, 0);
						quatRotate(direction, bodyQ, directions[i]!, 0, 7 * row + 3);
						out[at + i] = Math.min(most, scene.cast(origin, direction, most, row));
					}
				},
			};
		},
	};
}

/** Where an IMU sits. @public */
export interface ImuPlace {
	/** Pose in the body [m, quaternion x y z w]; that of the body unless given. */
	readonly pose?: ArrayLike<number>;
}

/** Angular velocity [rad/s] and specific force [m/s²] of an IMU on a body, in its own axes. @public */
export function imuReadings(body: string, place: ImuPlace = {}): ObservationTerm {
	return {
		bind(worlds) {
			const pose = Float64Array.from(place.pose ?? [0, 0, 0, 0, 0, 0, 1]);
			const imus = Array.from(worlds.bodyRows([body]), (row) => new Imu(worlds.model, row, pose));
			return {
				fields: [
					...AXES.map((axis) => ({ name: `gyroscope ${axis} of ${body}`, unit: 'rad/s' })),
					...AXES.map((axis) => ({ name: `accelerometer ${axis} of ${body}`, unit: 'm/s²' })),
				],
				read(world, out, at) {
					const { angularVelocity, specificForce } = imus[world]!.read(worlds.state);
					for (let k = 0; k < 3; k++) {
						out[at + k] = angularVelocity[k]!;
						out[at + 3 + k] = specificForce[k]!;
					}
				},
				afterStep() {
					for (const imu of imus) imu.update(worlds.state, worlds.dt);
				},
				reset(world) {
					imus[world]!.reset();
				},
			};
		},
	};
}

/** Another term with normal noise of a deviation on every number, seeded. @public */
export function noisy(term: ObservationTerm, deviation: number): ObservationTerm {
	return {
		...(term.needsContacts === true && { needsContacts: true }),
		bind(worlds) {
			const bound = term.bind(worlds);
			const { fields } = bound;
			const draws = new RandomDraws(worlds.seed, `noise of ${fields.map(({ name }) => name).join(', ')}`);
			return {
				...bound,
				fields: fields.map(({ name, unit }) => ({ name, unit })),
				read(world, out, at) {
					bound.read(world, out, at);
					draws.begin(worlds.seed, worlds.stream[world]!, worlds.episode[world]!, worlds.steps[world]!);
					for (let i = 0; i < fields.length; i++) out[at + i] = out[at + i]! + draws.normal(0, deviation);
				},
			};
		},
	};
}
