import { quatRotate } from '@manyworlds/core/internal';
import type { RayScene } from './ray-scene.ts';
import { normalNoise } from './seeded-noise.ts';

/** Beams of a lidar: rings of different elevation, each with beams all around. @public */
export interface LidarOptions {
	/** Angles about z of the first and the last beam of a ring, from x [rad]. */
	readonly angleMin?: number;
	readonly angleMax?: number;
	/** Beams of a ring. */
	readonly beams?: number;
	/** Angles above the xy plane of the rings [rad]. */
	readonly elevations?: readonly number[];
	/** What is nearer or farther is not measured [m]. */
	readonly rangeMin?: number;
	readonly rangeMax?: number;
	/** Deviation of normal noise [m]. */
	readonly sigma?: number;
	readonly seed?: number;
	/** Number of the sensor, so that two do not have the same noise. */
	readonly sensor?: number;
	/** Row of the body that is not seen: the one that carries it; none unless given. */
	readonly ignore?: number;
}

/** Values of {@link LidarOptions} that are used when absent: a flat ring of a beam for each degree. @public */
export const LIDAR_DEFAULTS: Required<LidarOptions> = {
	angleMin: -Math.PI,
	angleMax: Math.PI * (1 - 2 / 360),
	beams: 360,
	elevations: [0],
	rangeMin: 0.1,
	rangeMax: 30,
	sigma: 0,
	seed: 0,
	sensor: 0,
	ignore: -2,
};

/** Measures distances along beams. @public */
export class Lidar {
	readonly options: Required<LidarOptions>;

	constructor(options: LidarOptions = {}) {
		this.options = { ...LIDAR_DEFAULTS, ...options };
	}

	/** Angle between two beams of a ring [rad]. */
	get angleIncrement(): number {
		const { angleMin, angleMax, beams } = this.options;
		return beams > 1 ? (angleMax - angleMin) / (beams - 1) : 0;
	}

	/**
	 * Distances [m] ring by ring from a pose in the world [m, quaternion x y z w]: +∞ where nothing is in reach, -∞ where it is too near
	 * (REP 117). `sample` counts the scans, for the noise.
	 */
	scan(scene: RayScene, pose: Float64Array, sample: number): Float32Array {
		const { angleMin, beams, elevations, rangeMin, rangeMax, sigma, seed, sensor, ignore } = this.options;
		const ranges = new Float32Array(beams * elevations.length);
		const local = new Float64Array(3);
		const direction = new Float64Array(3);
		for (const [ring, elevation] of elevations.entries()) {
			const [flat, up] = [Math.cos(elevation), Math.sin(elevation)];
			for (let beam = 0; beam < beams; beam++) {
				const angle = angleMin + beam * this.angleIncrement;
				local.set([Math.cos(angle) * flat, Math.sin(angle) * flat, up]);
				quatRotate(direction, pose, local, 0, 3);
				const index = ring * beams + beam;
				const distance = scene.cast(pose, direction, rangeMax, ignore);
				if (distance < rangeMin) ranges[index] = Number.NEGATIVE_INFINITY;
				else if (distance === Number.POSITIVE_INFINITY) ranges[index] = distance;
				else ranges[index] = distance + (sigma > 0 ? sigma * normalNoise(seed, sensor, sample, index) : 0);
			}
		}
		return ranges;
	}

	/** Points [m] of a scan in the frame of the sensor, x y z; beams without a return are left out. */
	points(ranges: Float32Array): Float32Array {
		const { angleMin, beams, elevations } = this.options;
		const points: number[] = [];
		for (const [index, range] of ranges.entries()) {
			if (!Number.isFinite(range)) continue;
			const elevation = elevations[Math.floor(index / beams)]!;
			const angle = angleMin + (index % beams) * this.angleIncrement;
			const flat = Math.cos(elevation) * range;
			points.push(Math.cos(angle) * flat, Math.sin(angle) * flat, Math.sin(elevation) * range);
		}
		return Float32Array.from(points);
	}
}
