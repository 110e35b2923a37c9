import { eigenSymmetric3 } from '@manyworlds/core/internal';
import {
	BodyFlags,
	GeoType,
	JointTargetMode,
	JointType,
	type Model,
	ShapeFlags,
	UNLIMITED,
	WORLD,
} from '@manyworlds/model';
import { enumName } from '@manyworlds/model/internal';
import type { Ledger, LedgerEntry, LedgerTotals } from './ledger.ts';

/** What a model holds, for people and programs to look at. Lengths in metres, angles in radians, masses in kilograms. @public */
export interface ModelInspection {
	readonly version: 1;
	readonly file: string;
	readonly format: string;
	readonly upAxis: string;
	/** [m/s²]. */
	readonly gravity: readonly number[];
	/** Numbers of entities. */
	readonly counts: Readonly<Record<string, number>>;
	/** Sum of the masses of all bodies [kg]. */
	readonly mass: number;
	readonly bodies: readonly InspectedBody[];
	readonly joints: readonly InspectedJoint[];
	readonly shapes: readonly InspectedShape[];
	readonly constraints: readonly InspectedConstraint[];
	/** Custom attributes by key, with the number of their values. */
	readonly attributes: Readonly<Record<string, number>>;
	readonly ledger: {
		readonly totals: LedgerTotals;
		/** Attributes that have no effect, with the reason. */
		readonly ignored: readonly LedgerEntry[];
	};
}

/** A body. @public */
export interface InspectedBody {
	readonly index: number;
	readonly label: string;
	readonly mass: number;
	readonly com: readonly number[];
	/** Principal moments about the centre of mass, ascending [kg·m²]. */
	readonly principalInertia: readonly number[];
	readonly shapes: readonly number[];
	readonly isKinematic: boolean;
}

/** A joint with its axes. @public */
export interface InspectedJoint {
	readonly index: number;
	readonly label: string;
	readonly type: string;
	/** Labels; `world` for the world. */
	readonly parent: string;
	readonly child: string;
	readonly articulation: number;
	readonly axes: readonly InspectedAxis[];
}

/** A degree of freedom with its drive; bounds that do not exist are null. @public */
export interface InspectedAxis {
	readonly dof: number;
	readonly axis: readonly number[];
	readonly isAngular: boolean;
	readonly lower: number | null;
	readonly upper: number | null;
	readonly effort: number | null;
	readonly velocity: number | null;
	readonly mode: string;
	readonly targetKe: number;
	readonly targetKd: number;
	readonly damping: number;
	readonly friction: number;
	readonly armature: number;
}

/** A shape. @public */
export interface InspectedShape {
	readonly index: number;
	readonly label: string;
	/** Label; `world` for static shapes. */
	readonly body: string;
	readonly type: string;
	readonly scale: readonly number[];
	readonly collides: boolean;
	readonly isVisible: boolean;
	readonly isSite: boolean;
	readonly vertices?: number;
	readonly triangles?: number;
}

/** A mimic or an equality constraint. @public */
export interface InspectedConstraint {
	readonly kind: 'mimic' | 'equality';
	readonly index: number;
	readonly label: string;
}

/** Looks at a model and at the ledger of its import. @public */
export function inspectModel(
	model: Model,
	ledger: Ledger,
	source: { readonly file: string; readonly format: string },
): ModelInspection {
	return {
		version: 1,
		...source,
		upAxis: model.upAxis,
		gravity: [...model.gravity.subarray(0, 3)],
		counts: {
			bodies: model.bodyCount,
			joints: model.jointCount,
			degreesOfFreedom: model.jointDofCount,
			articulations: model.articulationCount,
			shapes: model.shapeCount,
			contactPairs: model.shapeContactPairCount,
			mimicConstraints: model.constraintMimicCount,
			equalityConstraints: model.equalityConstraintCount,
		},
		mass: model.bodyMass.reduce((sum, mass) => sum + mass, 0),
		bodies: Array.from({ length: model.bodyCount }, (_, i) => inspectBody(model, i)),
		joints: Array.from({ length: model.jointCount }, (_, i) => inspectJoint(model, i)),
		shapes: Array.from({ length: model.shapeCount }, (_, i) => inspectShape(model, i)),
		constraints: [
			...model.constraintMimicLabels.map((label, index) => ({ kind: 'mimic' as const, index, label })),
			...model.equalityConstraintLabels.map((label, index) => ({ kind: 'equality' as const, index, label })),
		],
		attributes: attributeCounts(model),
		ledger: { totals: ledger.totals(), ignored: ledger.entries().filter((entry) => entry.class === 'ignored') },
	};
}

function inspectBody(model: Model, index: number): InspectedBody {
	const moments = new Float64Array(3);
	eigenSymmetric3(
		moments,
		new Float64Array(9),
		Float64Array.from(model.bodyInertia.subarray(9 * index, 9 * index + 9)),
	);
	return {
		index,
		label: model.bodyLabels[index]!,
		mass: model.bodyMass[index]!,
		com: [...model.bodyCom.subarray(3 * index, 3 * index + 3)],
		principalInertia: [...moments].sort((a, b) => a - b),
		shapes: [...model.shapesOf(index)],
		isKinematic: (model.bodyFlags[index]! & BodyFlags.KINEMATIC) !== 0,
	};
}

function inspectJoint(model: Model, index: number): InspectedJoint {
	const start = model.jointQdStart[index]!;
	const end = model.jointQdStart[index + 1]!;
	const linear = model.jointDofDim[2 * index]!;
	return {
		index,
		label: model.jointLabels[index]!,
		type: enumName(JointType, model.jointType[index]!),
		parent: bodyLabel(model, model.jointParent[index]!),
		child: bodyLabel(model, model.jointChild[index]!),
		articulation: model.jointArticulation[index]!,
		axes: Array.from({ length: end - start }, (_, i) => inspectAxis(model, start + i, i >= linear)),
	};
}

function inspectAxis(model: Model, dof: number, isAngular: boolean): InspectedAxis {
	return {
		dof,
		axis: [...model.jointAxis.subarray(3 * dof, 3 * dof + 3)],
		isAngular,
		lower: bound(model.jointLimitLower[dof]!),
		upper: bound(model.jointLimitUpper[dof]!),
		effort: bound(model.jointEffortLimit[dof]!, 1e6),
		velocity: bound(model.jointVelocityLimit[dof]!, 1e6),
		mode: enumName(JointTargetMode, model.jointTargetMode[dof]!),
		targetKe: model.jointTargetKe[dof]!,
		targetKd: model.jointTargetKd[dof]!,
		damping: model.jointDamping[dof]!,
		friction: model.jointFriction[dof]!,
		armature: model.jointArmature[dof]!,
	};
}

/** Newton writes no bound as a large number. */
function bound(value: number, unlimited = UNLIMITED): number | null {
	return Math.abs(value) >= unlimited ? null : value;
}

function inspectShape(model: Model, index: number): InspectedShape {
	const flags = model.shapeFlags[index]!;
	const source = model.shapeSources[index] ?? null;
	const isMesh = source !== null && 'vertices' in source;
	return {
		index,
		label: model.shapeLabels[index]!,
		body: bodyLabel(model, model.shapeBody[index]!),
		type: enumName(GeoType, model.shapeType[index]!),
		scale: [...model.shapeScale.subarray(3 * index, 3 * index + 3)],
		collides: (flags & ShapeFlags.COLLIDE_SHAPES) !== 0,
		isVisible: (flags & ShapeFlags.VISIBLE) !== 0,
		isSite: (flags & ShapeFlags.SITE) !== 0,
		...(isMesh ? { vertices: source.vertices.length / 3, triangles: source.indices.length / 3 } : {}),
	};
}

function attributeCounts(model: Model): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const owner of ['model', 'state', 'control', 'contacts'] as const) {
		for (const { declaration, values } of model.attributesOf(owner).entries()) {
			const key = declaration.namespace ? `${declaration.namespace}:${declaration.name}` : declaration.name;
			if (values.length > 0) counts[key] = values.length;
		}
	}
	return counts;
}

/** Label of a body, `world` for the world. */
export function bodyLabel(model: Model, body: number): string {
	return body === WORLD ? 'world' : model.bodyLabels[body]!;
}
