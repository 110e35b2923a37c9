import { quatRotate, transformPoint } from '@manyworlds/core/internal';
import type { Simulation } from 'manyworlds';

/** How fast the spring of a pull swings [rad/s], and how much of that its damper takes. */
const RATE = 9;
const DAMPING = 0.9;

/** A spring from a point of a link to a place that a person drags. It acts as a force on the body, never on its state. */
export class LinkPull {
	/** Where the point is drawn to [m]. */
	readonly target: Float64Array = new Float64Array(3);
	/** Force of the last step [N]. */
	force = 0;
	readonly #simulation: Simulation;
	readonly #link: number;
	/** Point in the frame of the link [m]. */
	readonly #point: Float64Array;
	readonly #mass: number;

	constructor(simulation: Simulation, link: number, point: readonly number[]) {
		this.#simulation = simulation;
		this.#link = link;
		this.#point = Float64Array.from(point);
		const { bodyMass, bodyCount, worldCount } = simulation.model;
		const count = bodyCount / Math.max(1, worldCount);
		// a spring that can lift the whole robot
		this.#mass = bodyMass.subarray(0, count).reduce((sum, mass) => sum + mass, 0);
	}

	/** Sets the force on the body for the next step. */
	apply(): void {
		const { bodyPoses, bodyVelocities, state, model } = this.#simulation;
		const pose = bodyPoses.subarray(7 * this.#link, 7 * this.#link + 7);
		const at = transformPoint(new Float64Array(3), pose, this.#point);
		const center = model.bodyCom.subarray(3 * this.#link, 3 * this.#link + 3);
		const arm = quatRotate(
			new Float64Array(3),
			pose.subarray(3, 7),
			this.#point.map((value, i) => value - center[i]!),
		);
		const [vx, vy, vz, wx, wy, wz] = bodyVelocities.subarray(6 * this.#link, 6 * this.#link + 6) as unknown as number[];
		const [x, y, z] = arm as unknown as [number, number, number];
		const velocity = [vx! + wy! * z - wz! * y, vy! + wz! * x - wx! * z, vz! + wx! * y - wy! * x];
		const stiffness = this.#mass * RATE * RATE;
		const damping = 2 * DAMPING * this.#mass * RATE;
		const [fx, fy, fz] = velocity.map((own, i) => stiffness * (this.target[i]! - at[i]!) - damping * own) as [
			number,
			number,
			number,
		];
		this.force = Math.hypot(fx, fy, fz);
		state.bodyF.set([fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx], 6 * this.#link);
	}

	release(): void {
		this.#simulation.state.bodyF.fill(0, 6 * this.#link, 6 * this.#link + 6);
	}
}
