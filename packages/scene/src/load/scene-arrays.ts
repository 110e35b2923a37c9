import { quatMultiply } from '@manyworlds/core/internal';
import { JointType, type ModelBuilder } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';

/** Columns of the builder by the names that scenes have for them. */
const COLUMNS = {
	shape_margin: 'shapeMargin',
	shape_gap: 'shapeGap',
	shape_material_ke: 'shapeMaterialKe',
	shape_material_mu: 'shapeMaterialMu',
	shape_material_restitution: 'shapeMaterialRestitution',
	shape_material_mu_torsional: 'shapeMaterialMuTorsional',
	shape_material_mu_rolling: 'shapeMaterialMuRolling',
	shape_material_kh: 'shapeMaterialKh',
	shape_collision_group: 'shapeCollisionGroup',
	shape_flags: 'shapeFlags',
	joint_q: 'jointQ',
	joint_qd: 'jointQd',
	joint_target_vel: 'jointTargetQd',
	joint_target_ke: 'jointTargetKe',
	joint_target_kd: 'jointTargetKd',
	joint_target_mode: 'jointTargetMode',
	joint_armature: 'jointArmature',
} as const;

/** Arrays that hold whole numbers, with the least and the greatest. */
const WHOLE: Readonly<Record<string, readonly [least: number, most: number]>> = {
	shape_collision_group: [-(2 ** 31), 2 ** 31 - 1],
	shape_flags: [0, 31],
	joint_target_mode: [0, 4],
};

/** Names of the arrays that `set_array` and `copy_array` know. */
export const SCENE_ARRAY_NAMES: readonly string[] = [...Object.keys(COLUMNS), 'shape_material_tau', 'joint_target_pos'];

/** An array of the builder as scenes see it. */
export interface SceneArray {
	readonly length: number;
	get(index: number): number;
	set(index: number, value: number): void;
	/** Why a value cannot be an entry. */
	refusal(value: number): string | undefined;
}

/** The arrays of a builder by the names that scenes have for them. */
export class SceneArrays {
	readonly #builder: ModelBuilder;
	readonly #targets: TargetPositions;

	constructor(builder: ModelBuilder) {
		this.#builder = builder;
		this.#targets = new TargetPositions(builder);
	}

	find(name: string): SceneArray | undefined {
		const builder = this.#builder;
		if (name === 'joint_target_pos') return this.#targets;
		if (name === 'shape_material_tau') {
			return {
				length: builder.shapeCount,
				get: (index) => Number(builder.edits.attributeAt(SAP_TAU_ATTRIBUTE, index)),
				set: (index, value) => builder.setAttributeValue(SAP_TAU_ATTRIBUTE, index, value),
				refusal: (value) => (value >= 0 ? undefined : `${value}, expected a number of at least 0`),
			};
		}
		if (!Object.hasOwn(COLUMNS, name)) return undefined;
		const column = builder.column(COLUMNS[name as keyof typeof COLUMNS]);
		const whole = WHOLE[name];
		return {
			length: column.length,
			get: (index) => column[index]!,
			set: (index, value) => {
				column[index] = value;
			},
			refusal: (value) => {
				if (whole === undefined) return undefined;
				const isFit = Number.isInteger(value) && value >= whole[0] && value <= whole[1];
				return isFit ? undefined : `${value}, expected a whole number from ${whole[0]} to ${whole[1]}`;
			},
		};
	}

	/** Sets the target of a joint to its coordinates. */
	targetCoordinates(joint: number): void {
		this.#targets.takeCoordinates(joint);
	}
}

/**
 * Target positions with an entry for each degree of freedom, as scenes have them; the builder has one for each coordinate.
 * The two agree except for ball and free joints, whose three angles turn about x, y, z, one inside the other, like the
 * angular axes of a D6 joint.
 */
class TargetPositions implements SceneArray {
	readonly length: number;
	readonly #builder: ModelBuilder;
	readonly #values: Float64Array;
	/** Joint of each degree of freedom. */
	readonly #joints: Int32Array;

	constructor(builder: ModelBuilder) {
		this.#builder = builder;
		this.length = builder.count('jointDof');
		this.#values = new Float64Array(this.length);
		this.#joints = new Int32Array(this.length);
		for (let joint = 0; joint < builder.jointCount; joint++) {
			const { coord, dof, dofs } = this.#rows(joint);
			this.#joints.fill(joint, dof, dof + dofs);
			this.#read(joint, builder.column('jointTargetQ').subarray(coord));
		}
	}

	get(index: number): number {
		return this.#values[index]!;
	}

	set(index: number, value: number): void {
		this.#values[index] = value;
		const joint = this.#joints[index]!;
		const { coord, dof, linear, isTurning } = this.#rows(joint);
		const targets = this.#builder.column('jointTargetQ');
		if (!isTurning || index < dof + linear) targets[coord + index - dof] = value;
		else targets.set(quaternionOf(this.#values.subarray(dof + linear, dof + linear + 3)), coord + linear);
	}

	refusal(): undefined {
		return undefined;
	}

	takeCoordinates(joint: number): void {
		const { coord, coords } = this.#rows(joint);
		const q = this.#builder.column('jointQ').subarray(coord, coord + coords);
		this.#builder.column('jointTargetQ').set(q, coord);
		this.#read(joint, q);
	}

	/** Takes the values of a joint from coordinates. */
	#read(joint: number, coordinates: Float64Array): void {
		const { dof, dofs, linear, isTurning } = this.#rows(joint);
		const plain = isTurning ? linear : dofs;
		this.#values.set(coordinates.subarray(0, plain), dof);
		if (isTurning) this.#values.set(anglesOf(coordinates.subarray(linear, linear + 4)), dof + linear);
	}

	#rows(joint: number): {
		coord: number;
		coords: number;
		dof: number;
		dofs: number;
		linear: number;
		isTurning: boolean;
	} {
		const builder = this.#builder;
		const row = (name: 'jointQStart' | 'jointQdStart', total: number): readonly [number, number] => {
			const starts = builder.column(name);
			return [starts[joint]!, (joint + 1 < starts.length ? starts[joint + 1]! : total) - starts[joint]!];
		};
		const [coord, coords] = row('jointQStart', builder.count('jointCoord'));
		const [dof, dofs] = row('jointQdStart', builder.count('jointDof'));
		const type = builder.column('jointType')[joint];
		const isTurning = type === JointType.BALL || type === JointType.FREE || type === JointType.DISTANCE;
		return { coord, coords, dof, dofs, linear: dofs - 3, isTurning };
	}
}

/** Rotation by three angles about x, y, z, the first outermost. */
function quaternionOf(angles: Float64Array): Float64Array {
	const out = Float64Array.of(0, 0, 0, 1);
	const turn = new Float64Array(4);
	angles.forEach((angle, i) => {
		turn.fill(0);
		turn[i] = Math.sin(angle / 2);
		turn[3] = Math.cos(angle / 2);
		quatMultiply(out, out, turn);
	});
	return out;
}

/** The three angles of {@link quaternionOf}. */
function anglesOf(q: Float64Array): Float64Array {
	const [x, y, z, w] = q as unknown as [number, number, number, number];
	const sine = Math.max(-1, Math.min(1, 2 * (x * z + w * y)));
	return Float64Array.of(
		Math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)),
		Math.asin(sine),
		Math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)),
	);
}
