/** A point of a trajectory: numbers of each joint, in the order of the controller [m, rad, s]. */
export interface TrajectoryPoint {
	/** Time since the start [s]. */
	readonly time: number;
	readonly positions: Float64Array;
	readonly velocities: Float64Array | undefined;
	readonly accelerations: Float64Array | undefined;
}

/** What is wanted of joints at a time. */
export interface DesiredState {
	readonly positions: Float64Array;
	readonly velocities: Float64Array;
	/** Index of the point that is ahead; the number of points after the last. */
	readonly index: number;
}

/** Goes through points: straight between positions, cubic where velocities are given, quintic where accelerations are too. */
export class Trajectory {
	readonly points: readonly TrajectoryPoint[];

	/** Starts at the first point, which is where the joints are. */
	constructor(points: readonly TrajectoryPoint[]) {
		this.points = points;
	}

	/** Time of the last point [s]. */
	get duration(): number {
		return this.points.at(-1)!.time;
	}

	at(time: number): DesiredState {
		const { points } = this;
		const ahead = points.findIndex((point) => point.time > time);
		const last = points.at(-1)!;
		if (ahead < 0)
			return { positions: last.positions, velocities: new Float64Array(last.positions.length), index: points.length };
		const count = last.positions.length;
		if (ahead === 0) return { positions: points[0]!.positions, velocities: new Float64Array(count), index: 0 };
		const positions = new Float64Array(count);
		const velocities = new Float64Array(count);
		const [a, b] = [points[ahead - 1]!, points[ahead]!];
		for (let i = 0; i < count; i++) [positions[i], velocities[i]] = between(a, b, i, time - a.time);
		return { positions, velocities, index: ahead };
	}
}

/** Position and velocity of a joint between two points, a time after the first. */
function between(a: TrajectoryPoint, b: TrajectoryPoint, joint: number, t: number): [number, number] {
	const span = b.time - a.time;
	const p0 = a.positions[joint]!;
	const p1 = b.positions[joint]!;
	if (b.velocities === undefined || a.velocities === undefined) {
		const rate = (p1 - p0) / span;
		return [p0 + rate * t, rate];
	}
	const v0 = a.velocities[joint]!;
	const v1 = b.velocities[joint]!;
	if (b.accelerations === undefined || a.accelerations === undefined) {
		const c2 = (3 * (p1 - p0)) / span ** 2 - (2 * v0 + v1) / span;
		const c3 = (-2 * (p1 - p0)) / span ** 3 + (v0 + v1) / span ** 2;
		return [p0 + t * (v0 + t * (c2 + t * c3)), v0 + t * (2 * c2 + 3 * t * c3)];
	}
	const a0 = a.accelerations[joint]!;
	const a1 = b.accelerations[joint]!;
	const d = p1 - p0;
	const c2 = a0 / 2;
	const c3 = (20 * d - (8 * v1 + 12 * v0) * span - (3 * a0 - a1) * span ** 2) / (2 * span ** 3);
	const c4 = (-30 * d + (14 * v1 + 16 * v0) * span + (3 * a0 - 2 * a1) * span ** 2) / (2 * span ** 4);
	const c5 = (12 * d - 6 * (v1 + v0) * span + (a1 - a0) * span ** 2) / (2 * span ** 5);
	return [
		p0 + t * (v0 + t * (c2 + t * (c3 + t * (c4 + t * c5)))),
		v0 + t * (2 * c2 + t * (3 * c3 + t * (4 * c4 + 5 * t * c5))),
	];
}
