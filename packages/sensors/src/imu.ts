import { quatMultiply, quatRotate, quatRotateInverse } from '@manyworlds/core/internal';
import type { Model, State } from '@manyworlds/model';

/** What an IMU reads, in its own frame. @public */
export interface ImuReading {
	/** Orientation in the world (x y z w). */
	readonly orientation: Float64Array;
	/** [rad/s] */
	readonly angularVelocity: Float64Array;
	/** Acceleration less gravity [m/s²]: at rest it points up, in free fall it is zero. */
	readonly specificForce: Float64Array;
}

/** An IMU fixed to a body. Its acceleration is the change of velocity over the last step. @public */
export class Imu {
	readonly #model: Model;
	readonly #body: number;
	readonly #offset: Float64Array;
	readonly #velocity: Float64Array = new Float64Array(3);
	readonly #acceleration: Float64Array = new Float64Array(3);
	#hasVelocity = false;

	/** `offset` is its pose in the body [m, quaternion x y z w]; -1 is the world. */
	constructor(model: Model, body: number, offset: Float64Array) {
		this.#model = model;
		this.#body = body;
		this.#offset = offset;
	}

	/** Looks at the state after each step of `dt` [s]. */
	update(state: State, dt: number): void {
		const velocity = this.#pointVelocity(state);
		for (let i = 0; i < 3; i++) {
			this.#acceleration[i] = this.#hasVelocity ? (velocity[i]! - this.#velocity[i]!) / dt : 0;
			this.#velocity[i] = velocity[i]!;
		}
		this.#hasVelocity = true;
	}

	/** Forgets the last velocity: the state has jumped. */
	reset(): void {
		this.#hasVelocity = false;
		this.#acceleration.fill(0);
	}

	read(state: State): ImuReading {
		const body = this.#body;
		const orientation =
			body < 0
				? this.#offset.slice(3, 7)
				: quatMultiply(new Float64Array(4), state.bodyQ, this.#offset, 0, 7 * body + 3, 3);
		const world = body < 0 ? 0 : Math.max(0, this.#model.bodyWorld[body]!);
		const gravity = this.#model.gravityOf(world);
		const force = this.#acceleration.map((value, i) => value - gravity[i]!);
		const spin = body < 0 ? new Float64Array(3) : state.bodyQd.slice(6 * body + 3, 6 * body + 6);
		return {
			orientation,
			angularVelocity: quatRotateInverse(new Float64Array(3), orientation, spin),
			specificForce: quatRotateInverse(new Float64Array(3), orientation, force),
		};
	}

	/** Velocity of the place of the sensor, in the world. */
	#pointVelocity(state: State): Float64Array {
		const body = this.#body;
		if (body < 0) return new Float64Array(3);
		const local = new Float64Array(3);
		for (let i = 0; i < 3; i++) local[i] = this.#offset[i]! - this.#model.bodyCom[3 * body + i]!;
		const arm = quatRotate(new Float64Array(3), state.bodyQ, local, 0, 7 * body + 3);
		const [vx, vy, vz, wx, wy, wz] = state.bodyQd.subarray(6 * body, 6 * body + 6) as unknown as [
			number,
			number,
			number,
			number,
			number,
			number,
		];
		return Float64Array.from([
			vx + wy * arm[2]! - wz * arm[1]!,
			vy + wz * arm[0]! - wx * arm[2]!,
			vz + wx * arm[1]! - wy * arm[0]!,
		]);
	}
}
