import type { JointAxisConfig, ModelBuilder, ShapeConfig } from '@manyworlds/model';
import { JointType, UNLIMITED } from '@manyworlds/model';
import type { ColumnName } from '@manyworlds/model/internal';

/** Powers of length and mass that a quantity has. */
interface Dimension {
	readonly length: number;
	readonly mass: number;
}

const LENGTH: Dimension = { length: 1, mass: 0 };
const MASS: Dimension = { length: 0, mass: 1 };
const INERTIA: Dimension = { length: 2, mass: 1 };
const FORCE: Dimension = { length: 1, mass: 1 };
const DENSITY: Dimension = { length: -3, mass: 1 };
/** Force per volume of overlap. */
const VOLUME_STIFFNESS: Dimension = { length: -2, mass: 1 };

/** How a builder's counts were before rows were added. */
export type RowCounts = Readonly<Record<'body' | 'shape' | 'joint' | 'equalityConstraint' | 'constraintMimic', number>>;

/** Quantities of shapes with one number each. */
const SHAPE_COLUMNS: readonly (readonly [ColumnName, Dimension])[] = [
	['shapeMargin', LENGTH],
	['shapeGap', LENGTH],
	['shapeMaterialKe', MASS],
	['shapeMaterialKd', MASS],
	['shapeMaterialKf', MASS],
	['shapeMaterialKa', LENGTH],
	['shapeMaterialMuTorsional', LENGTH],
	['shapeMaterialMuRolling', LENGTH],
	['shapeMaterialKh', VOLUME_STIFFNESS],
];

const SHAPE_CONFIG: readonly (readonly [keyof ShapeConfig, Dimension])[] = [
	['density', DENSITY],
	['ke', MASS],
	['kd', MASS],
	['kf', MASS],
	['ka', LENGTH],
	['muTorsional', LENGTH],
	['muRolling', LENGTH],
	['margin', LENGTH],
	['gap', LENGTH],
	['kh', VOLUME_STIFFNESS],
];

/** Quantities of degrees of freedom: of linear and of angular ones. */
const DOF_COLUMNS: readonly (readonly [ColumnName, linear: Dimension, angular: Dimension | undefined])[] = [
	['jointQd', LENGTH, undefined],
	['jointTargetQd', LENGTH, undefined],
	['jointLimitLower', LENGTH, undefined],
	['jointLimitUpper', LENGTH, undefined],
	['jointVelocityLimit', LENGTH, undefined],
	['jointTargetKe', MASS, INERTIA],
	['jointTargetKd', MASS, INERTIA],
	['jointDamping', MASS, INERTIA],
	['jointLimitKe', MASS, INERTIA],
	['jointLimitKd', MASS, INERTIA],
	['jointArmature', MASS, INERTIA],
	['jointEffortLimit', FORCE, INERTIA],
	['jointFriction', FORCE, INERTIA],
];

const LIMIT_COLUMNS: ReadonlySet<ColumnName> = new Set(['jointLimitLower', 'jointLimitUpper']);
const STATE_COLUMNS: ReadonlySet<ColumnName> = new Set(['jointQd']);

/** Joints whose other numbers are the builder's own, in SI; by type. */
const AUTHORED_COLUMNS: Readonly<Record<number, ReadonlySet<ColumnName>>> = {
	[JointType.FREE]: STATE_COLUMNS,
	[JointType.DISTANCE]: new Set(['jointQd', 'jointLimitLower', 'jointLimitUpper']),
	[JointType.BALL]: new Set(['jointDamping', 'jointArmature', 'jointFriction']),
};

const AXIS_CONFIG: readonly (readonly [keyof JointAxisConfig, linear: Dimension, angular: Dimension | undefined])[] = [
	['limitKe', MASS, INERTIA],
	['limitKd', MASS, INERTIA],
	['damping', MASS, INERTIA],
	['armature', MASS, INERTIA],
	['effortLimit', FORCE, INERTIA],
	['velocityLimit', LENGTH, undefined],
	['friction', FORCE, INERTIA],
];

/**
 * Converts what was imported from the units of a stage to metres and kilograms. The importer works in units of the stage
 * throughout, with the builder's defaults expressed in them; at the end every imported row is converted by its dimension,
 * which gives defaults back unchanged.
 */
export class UnitScale {
	/** Metres and kilograms per unit. */
	readonly length: number;
	readonly mass: number;

	constructor(length: number, mass: number) {
		this.length = length;
		this.mass = mass;
	}

	get isIdentity(): boolean {
		return this.length === 1 && this.mass === 1;
	}

	/** Settings of shapes in units of the stage. */
	shapeConfig(config: ShapeConfig): ShapeConfig {
		if (this.isIdentity) return config;
		const out: Record<string, unknown> = { ...config };
		for (const [name, dimension] of SHAPE_CONFIG) {
			const value = config[name];
			if (typeof value === 'number') out[name] = value / this.#factor(dimension);
		}
		return out as unknown as ShapeConfig;
	}

	/** Settings of a linear or angular axis in units of the stage. */
	axisConfig(config: JointAxisConfig, isAngular: boolean): JointAxisConfig {
		if (this.isIdentity) return config;
		const out: Record<string, unknown> = { ...config };
		for (const [name, linear, angular] of AXIS_CONFIG) {
			const dimension = isAngular ? angular : linear;
			if (dimension !== undefined) out[name] = (config[name] as number) / this.#factor(dimension);
		}
		return out as unknown as JointAxisConfig;
	}

	/** A length of the builder in units of the stage. */
	toStageLength(metres: number): number {
		return metres / this.length;
	}

	/** Converts the rows that were added since `first`. Settings of the axes of joints `inSi` are in SI already. */
	convert(builder: ModelBuilder, first: RowCounts, inSi: ReadonlySet<number>): void {
		if (this.isIdentity) return;
		this.#bodies(builder, first.body);
		this.#shapes(builder, first.shape);
		this.#joints(builder, first.joint, inSi);
		this.#constraints(builder, first);
	}

	/** Converts mimic constraints from row `first` on: offsets of joints that slide are lengths. */
	convertMimics(builder: ModelBuilder, first: number): void {
		if (this.isIdentity) return;
		const isLinear = linearJoints(builder);
		const followers = builder.column('constraintMimicJoint0');
		const leaders = builder.column('constraintMimicJoint1');
		const offsets = builder.column('constraintMimicCoef0');
		const ratios = builder.column('constraintMimicCoef1');
		for (let row = first; row < followers.length; row++) {
			const follower = isLinear(followers[row]!) ? this.length : 1;
			offsets[row] = offsets[row]! * follower;
			ratios[row] = (ratios[row]! * follower) / (isLinear(leaders[row]!) ? this.length : 1);
		}
	}

	#bodies(builder: ModelBuilder, first: number): void {
		this.#scale(builder.column('bodyQ'), 7, 0, 3, first, LENGTH);
		this.#scale(builder.column('bodyQd'), 6, 0, 3, first, LENGTH);
		this.#scale(builder.column('bodyCom'), 3, 0, 3, first, LENGTH);
		this.#scale(builder.column('bodyMass'), 1, 0, 1, first, MASS);
		this.#scale(builder.column('bodyInertia'), 9, 0, 9, first, INERTIA);
	}

	#shapes(builder: ModelBuilder, first: number): void {
		this.#scale(builder.column('shapeTransform'), 7, 0, 3, first, LENGTH);
		this.#scale(builder.column('shapeScale'), 3, 0, 3, first, LENGTH);
		for (const [name, dimension] of SHAPE_COLUMNS) {
			this.#scale(builder.column(name) as Float64Array, 1, 0, 1, first, dimension);
		}
	}

	#joints(builder: ModelBuilder, first: number, inSi: ReadonlySet<number>): void {
		this.#scale(builder.column('jointXP'), 7, 0, 3, first, LENGTH);
		this.#scale(builder.column('jointXC'), 7, 0, 3, first, LENGTH);
		const types = builder.column('jointType');
		const sizes = builder.column('jointDofDim');
		const dofStarts = builder.column('jointQdStart');
		const coordStarts = builder.column('jointQStart');
		const coordinates = [builder.column('jointQ'), builder.column('jointTargetQ')];
		const columns = DOF_COLUMNS.map(
			([name, linear, angular]) => [name, builder.column(name) as Float64Array, linear, angular] as const,
		);
		for (let joint = first; joint < types.length; joint++) {
			const linear = sizes[2 * joint]!;
			const count = linear + sizes[2 * joint + 1]!;
			const known = inSi.has(joint) ? STATE_COLUMNS : AUTHORED_COLUMNS[types[joint]!];
			for (let i = 0; i < count; i++) {
				const dof = dofStarts[joint]! + i;
				for (const [name, column, linearDimension, angularDimension] of columns) {
					const dimension = i < linear ? linearDimension : angularDimension;
					if (dimension === undefined || (known !== undefined && !known.has(name))) continue;
					if (LIMIT_COLUMNS.has(name) && Math.abs(column[dof]!) >= UNLIMITED) continue;
					column[dof] = column[dof]! * this.#factor(dimension);
				}
			}
			if (types[joint] === JointType.BALL) continue;
			for (const column of coordinates) {
				for (let i = 0; i < linear; i++) {
					const at = coordStarts[joint]! + i;
					column[at] = column[at]! * this.length;
				}
			}
		}
	}

	#constraints(builder: ModelBuilder, first: RowCounts): void {
		this.#scale(builder.column('equalityConstraintAnchor'), 3, 0, 3, first.equalityConstraint, LENGTH);
		this.#scale(builder.column('equalityConstraintRelpose'), 7, 0, 3, first.equalityConstraint, LENGTH);
		this.convertMimics(builder, first.constraintMimic);
		const isLinear = linearJoints(builder);
		const joint1 = builder.column('equalityConstraintJoint1');
		const joint2 = builder.column('equalityConstraintJoint2');
		const coefficients = builder.column('equalityConstraintPolycoef');
		for (let row = first.equalityConstraint; row < joint1.length; row++) {
			const follower = isLinear(joint1[row]!) ? this.length : 1;
			const leader = isLinear(joint2[row]!) ? this.length : 1;
			for (let i = 0; i < 5; i++) coefficients[5 * row + i] = (coefficients[5 * row + i]! * follower) / leader ** i;
		}
	}

	#scale(
		column: Float64Array,
		width: number,
		from: number,
		count: number,
		firstRow: number,
		dimension: Dimension,
	): void {
		const factor = this.#factor(dimension);
		for (let row = firstRow * width; row < column.length; row += width) {
			for (let i = from; i < from + count; i++) column[row + i] = column[row + i]! * factor;
		}
	}

	#factor({ length, mass }: Dimension): number {
		return this.length ** length * this.mass ** mass;
	}
}

/** Whether a joint has linear axes only. */
function linearJoints(builder: ModelBuilder): (joint: number) => boolean {
	const sizes = builder.column('jointDofDim');
	return (joint) => joint >= 0 && sizes[2 * joint]! > 0 && sizes[2 * joint + 1] === 0;
}
