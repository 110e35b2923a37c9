import type { DiagnosticDetails } from '@manyworlds/core';
import type { TriangleMesh } from '@manyworlds/mesh';
import {
	EqualityType,
	GeoType,
	isHeightfield,
	JOINT_AXIS_DEFAULTS,
	JointTargetMode,
	JointType,
	type Model,
	ShapeFlags,
	type ShapeMesh,
	UNLIMITED,
} from '@manyworlds/model';
import { dofReferences } from '@manyworlds/model/internal';
import { toLinear } from '../model/colour.ts';
import type {
	ConversionBody,
	ConversionCamera,
	ConversionFrame,
	ConversionGeometry,
	ConversionInterface,
	ConversionJoint,
	ConversionLight,
	ConversionMaterial,
	ConversionMesh,
	ConversionMimic,
	ConversionModel,
	ConversionOther,
	ConversionSensor,
	ConversionShape,
	JointFreedom,
	JointKind,
	SourceFormat,
} from '../model/conversion-model.ts';
import { compose, identityPose, inverse, motionOf } from '../model/pose.ts';
import { orderJoints } from './order-joints.ts';

/** Tables of a model that things of a source become rows of. */
export type RowKind = 'body' | 'joint' | 'shape' | 'mimic' | 'equality';

/** What the rows of a model are called and where they were written. */
export interface ModelNames {
	readonly body: (row: number) => string;
	/** Whether a body only stands between joints of another one. */
	readonly isInserted?: (row: number) => boolean;
	/** Whether the mass of a body comes from its shapes. */
	readonly isMassDerived?: (row: number) => boolean;
	readonly joint: (row: number) => string;
	/** Names of the freedoms of a joint that stands for several of the source, in the order of the model. */
	readonly freedoms?: (row: number) => readonly string[] | undefined;
	readonly shape: (row: number) => string;
	/** Where the thing behind a row of the model was written. */
	readonly place: (kind: RowKind, row: number) => DiagnosticDetails;
	/** What stands for a mesh that collides. */
	readonly approximation: (shape: number) => ConversionShape['approximation'];
	/** The shape of a row, where a model holds another than the source. */
	readonly geometry?: (shape: number) => ConversionGeometry | undefined;
	/** The mesh of a round shape that is stretched unequally, where a model holds the nearest round one. */
	readonly stretched?: (shape: number) => TriangleMesh | undefined;
	/** Whether a collider is seen too, where a model shows it for what it touches with only. */
	readonly isSeen?: (shape: number) => boolean;
	/** What a collider says beyond the rows of a model. */
	readonly touch?: (shape: number) => ShapeTouch;
}

/** Bits of a collider, and friction other than against sliding. */
export interface ShapeTouch {
	readonly masks?: readonly [number, number];
	readonly torsionalFriction?: number;
	readonly rollingFriction?: number;
}

/** What a source says beyond the rows of a model. */
export interface ModelExtras {
	readonly name: string;
	readonly format: SourceFormat;
	readonly frames: readonly ConversionFrame[];
	readonly filters: readonly (readonly [number, number])[];
	readonly lights: readonly ConversionLight[];
	readonly cameras: readonly ConversionCamera[];
	readonly sensors: readonly ConversionSensor[];
	readonly interfaces: readonly ConversionInterface[];
	readonly others: readonly ConversionOther[];
	readonly selfCollides?: boolean;
}

/**
 * The robot in a model that an importer filled without merging, renaming or leaving out anything: one row for each body, joint and
 * shape of the source. Importers know what masses, limits and units mean in their format; asking them keeps one answer.
 */
export function fromModel(model: Model, names: ModelNames, extras: ModelExtras): ConversionModel {
	return new ModelFront(model, names, extras).read();
}

class ModelFront {
	readonly #model: Model;
	readonly #names: ModelNames;
	readonly #extras: ModelExtras;
	readonly #references: Float64Array | undefined;
	readonly #meshes: ConversionMesh[] = [];
	readonly #meshOf = new Map<ShapeMesh, number>();
	readonly #materials: ConversionMaterial[] = [];
	readonly #materialOf = new Map<string, number>();
	readonly #others: ConversionOther[];

	constructor(model: Model, names: ModelNames, extras: ModelExtras) {
		this.#model = model;
		// joint frames and limits of USD say where its zero is; `mjc:ref` is a note of MuJoCo
		this.#references = extras.format === 'usd' ? undefined : dofReferences(model);
		this.#names = names;
		this.#extras = extras;
		this.#others = [...extras.others];
	}

	read(): ConversionModel {
		const model = this.#model;
		const rows = Array.from({ length: model.jointCount }, (_, row) => row);
		const isFree = (row: number): boolean => model.jointType[row] === JointType.FREE && model.jointParent[row]! < 0;
		const isTree = (row: number): boolean => model.jointArticulation[row]! >= 0;
		const held = new Set(rows.filter(isTree).map((row) => model.jointChild[row]!));
		const isLoop = (row: number): boolean => !isTree(row) && held.has(model.jointChild[row]!);
		const own = rows.filter((row) => !isFree(row));
		const made = new Map(own.map((row) => [row, this.#joint(row)]));
		const { joints, loops } = orderJoints(
			model.bodyCount,
			own.filter((row) => !isLoop(row)).map((row) => made.get(row)!),
			own.filter(isLoop).map((row) => made.get(row)!),
		);
		const indexOf = new Map(joints.map(({ name }, i) => [name, i]));
		const placeOf = new Map([...made].map(([row, { name }]) => [row, indexOf.get(name)]));
		const shapes = Array.from({ length: model.shapeCount }, (_, row) => row);
		const isSite = (row: number): boolean => (model.shapeFlags[row]! & ShapeFlags.SITE) !== 0;
		return {
			...this.#extras,
			bodies: Array.from({ length: model.bodyCount }, (_, row) => this.#body(row)),
			joints,
			loops: [...loops, ...this.#equalityLoops()],
			mimics: this.#mimics(placeOf),
			frames: [...this.#extras.frames, ...shapes.filter(isSite).map((row) => this.#frame(row))],
			shapes: shapes.filter((row) => !isSite(row)).flatMap((row) => this.#shapes(row)),
			meshes: this.#meshes,
			materials: this.#materials,
			others: this.#others,
		};
	}

	#body(row: number): ConversionBody {
		const { bodyMass, bodyCom, bodyInertia: I, bodyQ } = this.#model;
		const i = 9 * row;
		const mass = bodyMass[row]!;
		return {
			name: this.#names.body(row),
			inertia:
				mass > 0
					? {
							mass,
							center: [bodyCom[3 * row]!, bodyCom[3 * row + 1]!, bodyCom[3 * row + 2]!],
							tensor: [I[i]!, I[i + 4]!, I[i + 8]!, I[i + 1]!, I[i + 2]!, I[i + 5]!],
						}
					: undefined,
			pose: bodyQ.slice(7 * row, 7 * row + 7),
			...(this.#names.isInserted?.(row) === true ? { isInserted: true } : {}),
			...(this.#names.isMassDerived?.(row) === true ? { isMassDerived: true } : {}),
			from: this.#names.place('body', row),
		};
	}

	#joint(row: number): ConversionJoint {
		const model = this.#model;
		const freedoms = this.#freedoms(row);
		const names = freedoms.flatMap(({ name }) => name ?? []);
		if (model.jointType[row] === JointType.DISTANCE) {
			const from = this.#names.place('joint', row);
			const what = 'the distance that a joint keeps';
			this.#others.push({ kind: 'equality', name: this.#names.joint(row), code: 'joint-kind', what, from });
		}
		const only = freedoms.length === 1 ? freedoms[0] : undefined;
		const reference = only === undefined ? 0 : this.#reference(model.jointQdStart[row]!);
		const parentFrame = model.jointXP.slice(7 * row, 7 * row + 7);
		return {
			// none of the names of the source, as it is none of its joints
			name: names.length > 1 ? names.join('_') : this.#names.joint(row),
			kind: kindOf(model.jointType[row]!, freedoms),
			parent: model.jointParent[row]!,
			child: model.jointChild[row]!,
			// the model counts from the reference of MJCF, other formats from zero
			parentFrame: reference === 0 ? parentFrame : compose(parentFrame, motionOf(only!, -reference)),
			childFrame: model.jointXC.slice(7 * row, 7 * row + 7),
			freedoms,
			from: this.#names.place('joint', row),
		};
	}

	/** The coordinate of MJCF at which a degree of freedom of the model is zero. */
	#reference(dof: number): number {
		return this.#references?.[dof] ?? 0;
	}

	#freedoms(row: number): JointFreedom[] {
		const model = this.#model;
		const type = model.jointType[row]!;
		if (type !== JointType.REVOLUTE && type !== JointType.PRISMATIC && type !== JointType.D6) return [];
		const first = model.jointQdStart[row]!;
		const linear = model.jointDofDim[2 * row]!;
		const count = linear + model.jointDofDim[2 * row + 1]!;
		const names = this.#names.freedoms?.(row);
		return Array.from({ length: count }, (_, k) => {
			const freedom = this.#freedom(first + k, model.jointQStart[row]! + k, k < linear ? 'slide' : 'turn');
			return count > 1 && names?.length === count ? { ...freedom, name: names[k]! } : freedom;
		});
	}

	#freedom(dof: number, coordinate: number, motion: 'turn' | 'slide'): JointFreedom {
		const model = this.#model;
		const lower = model.jointLimitLower[dof]!;
		const upper = model.jointLimitUpper[dof]!;
		const [effort, velocity] = [model.jointEffortLimit[dof]!, model.jointVelocityLimit[dof]!];
		const [stiffness, damping] = [model.jointTargetKe[dof]!, model.jointTargetKd[dof]!];
		const isDriven =
			model.jointTargetMode[dof] !== JointTargetMode.NONE &&
			model.jointTargetMode[dof] !== JointTargetMode.EFFORT &&
			(stiffness > 0 || damping > 0);
		return {
			motion,
			axis: [model.jointAxis[3 * dof]!, model.jointAxis[3 * dof + 1]!, model.jointAxis[3 * dof + 2]!],
			lower: lower <= -UNLIMITED ? Number.NEGATIVE_INFINITY : lower,
			upper: upper >= UNLIMITED ? Number.POSITIVE_INFINITY : upper,
			...(effort < JOINT_AXIS_DEFAULTS.effortLimit ? { effort } : {}),
			...(velocity < JOINT_AXIS_DEFAULTS.velocityLimit ? { velocity } : {}),
			...(model.jointDamping[dof] === 0 ? {} : { damping: model.jointDamping[dof]! }),
			...(model.jointFriction[dof] === 0 ? {} : { friction: model.jointFriction[dof]! }),
			...(model.jointArmature[dof] === 0 ? {} : { armature: model.jointArmature[dof]! }),
			...(isDriven
				? {
						drive: {
							stiffness,
							damping,
							position: model.jointTargetQ[coordinate]!,
							velocity: model.jointTargetQd[dof]!,
						},
					}
				: {}),
			start: model.jointQ[coordinate]! + this.#reference(dof),
		};
	}

	#mimics(placeOf: ReadonlyMap<number, number | undefined>): ConversionMimic[] {
		const model = this.#model;
		const mimics: ConversionMimic[] = [];
		const add = (
			follower: number,
			leader: number,
			terms: readonly number[],
			from: DiagnosticDetails,
			what: string,
		): void => {
			const [a, b] = [placeOf.get(follower), placeOf.get(leader)];
			if (a === undefined || b === undefined) {
				this.#others.push({ kind: 'equality', name: what, code: 'equality', what: 'the constraint of a joint', from });
				return;
			}
			const [own, other] = [follower, leader].map((row) => this.#reference(model.jointQdStart[row]!)) as [
				number,
				number,
			];
			const [c0 = 0, c1 = 0, ...curve] = shiftedTerms(terms, other);
			mimics.push({
				follower: a,
				leader: b,
				multiplier: c1,
				offset: c0 + own,
				...(curve.some((term) => term !== 0) ? { curve } : {}),
				from,
			});
		};
		for (let row = 0; row < model.constraintMimicJoint0.length; row++) {
			add(
				model.constraintMimicJoint0[row]!,
				model.constraintMimicJoint1[row]!,
				[model.constraintMimicCoef0[row]!, model.constraintMimicCoef1[row]!],
				this.#names.place('mimic', row),
				lastPart(model.constraintMimicLabels[row]!),
			);
		}
		for (let row = 0; row < model.equalityConstraintType.length; row++) {
			if (model.equalityConstraintType[row] !== EqualityType.JOINT || this.#isOff(row)) continue;
			const terms = Array.from(model.equalityConstraintPolycoef.subarray(5 * row, 5 * row + 5));
			const [one, two] = [model.equalityConstraintJoint1[row]!, model.equalityConstraintJoint2[row]!];
			const label = model.equalityConstraintLabels[row]!;
			add(one, two, terms, this.#names.place('equality', row), lastPart(label));
		}
		return mimics;
	}

	/** Whether a constraint is switched off, which is noted. */
	#isOff(row: number): boolean {
		const model = this.#model;
		if (model.equalityConstraintEnabled[row] !== 0) return false;
		const name = lastPart(model.equalityConstraintLabels[row]!);
		const from = this.#names.place('equality', row);
		this.#others.push({
			kind: 'equality',
			name,
			code: 'joint-disabled',
			what: 'a constraint that is switched off',
			from,
		});
		return true;
	}

	/** Points and poses of two bodies that equality constraints hold together. */
	#equalityLoops(): ConversionJoint[] {
		const model = this.#model;
		const loops: ConversionJoint[] = [];
		for (let row = 0; row < model.equalityConstraintType.length; row++) {
			const type = model.equalityConstraintType[row];
			if (type === EqualityType.JOINT || this.#isOff(row)) continue;
			const [parent, child] = [model.equalityConstraintBody1[row]!, model.equalityConstraintBody2[row]!];
			const anchor = Float64Array.of(...model.equalityConstraintAnchor.subarray(3 * row, 3 * row + 3), 0, 0, 0, 1);
			const isWeld = type === EqualityType.WELD;
			loops.push({
				name: lastPart(model.equalityConstraintLabels[row]!) || `loop_${row}`,
				kind: isWeld ? 'fixed' : 'spherical',
				parent,
				child,
				parentFrame: isWeld ? this.#weldPose(row, parent, child) : anchor,
				childFrame: isWeld ? identityPose() : this.#anchorIn(parent, child, anchor),
				freedoms: [],
				from: this.#names.place('equality', row),
			});
		}
		return loops;
	}

	/** Where a weld holds its second body in the first; a quaternion of zeros means where it stands. */
	#weldPose(row: number, parent: number, child: number): Float64Array {
		const pose = this.#model.equalityConstraintRelpose.slice(7 * row, 7 * row + 7);
		return pose.subarray(3).some((value) => value !== 0) ? pose : this.#anchorIn(child, parent, identityPose());
	}

	/** A point of one body in another, as they stand at the start. */
	#anchorIn(from: number, to: number, anchor: Float64Array): Float64Array {
		const { bodyQ } = this.#model;
		const pose = (body: number): Float64Array => (body < 0 ? identityPose() : bodyQ.slice(7 * body, 7 * body + 7));
		return compose(inverse(pose(to)), compose(pose(from), anchor));
	}

	#frame(row: number): ConversionFrame {
		const model = this.#model;
		return {
			name: this.#names.shape(row),
			body: model.shapeBody[row]!,
			pose: model.shapeTransform.slice(7 * row, 7 * row + 7),
			from: this.#names.place('shape', row),
		};
	}

	/** A row that is seen and touched is two shapes. */
	#shapes(row: number): ConversionShape[] {
		const model = this.#model;
		const stretched = this.#stretched(row);
		const geometry = stretched ?? this.#names.geometry?.(row) ?? this.#geometry(row);
		if (geometry === undefined) return [];
		const flags = model.shapeFlags[row]!;
		const shared = {
			name: this.#names.shape(row),
			body: model.shapeBody[row]!,
			pose: model.shapeTransform.slice(7 * row, 7 * row + 7),
			geometry,
			...(stretched === undefined ? {} : { isStretched: true }),
			from: this.#names.place('shape', row),
		};
		const shapes: ConversionShape[] = [];
		const isSeen = (flags & ShapeFlags.VISIBLE) !== 0 || this.#names.isSeen?.(row) === true;
		if (isSeen) shapes.push({ ...shared, role: 'visual', material: this.#material(row) });
		if (flags & ShapeFlags.COLLIDE_SHAPES) {
			const mu = model.shapeMaterialMu[row]!;
			const { masks, ...friction } = this.#names.touch?.(row) ?? {};
			const own = stretched === undefined ? this.#names.approximation(row) : 'convexHull';
			const approximation = geometry.kind === 'mesh' ? own : undefined;
			shapes.push({
				...shared,
				role: 'collision',
				contact: {
					staticFriction: mu,
					dynamicFriction: mu,
					restitution: model.shapeMaterialRestitution[row]!,
					...friction,
				},
				...(masks === undefined ? {} : { masks }),
				...(approximation === undefined ? {} : { approximation }),
			});
		}
		return shapes;
	}

	#stretched(row: number): ConversionGeometry | undefined {
		const mesh = this.#names.stretched?.(row);
		if (mesh === undefined) return undefined;
		const index = this.#meshes.push({ name: this.#names.shape(row) || 'mesh', mesh, materials: new Map() }) - 1;
		return { kind: 'mesh', mesh: index, scale: [1, 1, 1] };
	}

	#geometry(row: number): ConversionGeometry | undefined {
		const { shapeType, shapeScale, shapeSources } = this.#model;
		const [x, y, z] = [0, 1, 2].map((k) => shapeScale[3 * row + k]!) as [number, number, number];
		switch (shapeType[row]) {
			case GeoType.BOX:
				return { kind: 'box', size: [2 * x, 2 * y, 2 * z] };
			case GeoType.SPHERE:
				return { kind: 'sphere', radius: x };
			case GeoType.ELLIPSOID:
				return { kind: 'ellipsoid', radii: [x, y, z] };
			case GeoType.CYLINDER:
				return { kind: 'cylinder', radius: x, length: 2 * y };
			case GeoType.CAPSULE:
				return { kind: 'capsule', radius: x, length: 2 * y };
			case GeoType.CONE:
				return { kind: 'cone', radius: x, length: 2 * y };
			case GeoType.PLANE:
				return { kind: 'plane', size: x > 0 && y > 0 ? [x, y] : undefined };
			case GeoType.MESH:
			case GeoType.CONVEX_MESH: {
				const source = shapeSources[row];
				if (source === null || source === undefined || isHeightfield(source)) return undefined;
				return { kind: 'mesh', mesh: this.#mesh(source, row), scale: [x, y, z] };
			}
			default:
				return undefined;
		}
	}

	#mesh(source: ShapeMesh, row: number): number {
		const known = this.#meshOf.get(source);
		if (known !== undefined) return known;
		const index = this.#meshes.length;
		this.#meshes.push({ name: source.name || this.#names.shape(row) || 'mesh', mesh: source, materials: new Map() });
		this.#meshOf.set(source, index);
		return index;
	}

	/** Index of the look of a shape; shapes that look the same share one. */
	#material(row: number): number {
		const { shapeColor, shapeOpacity, shapeSources } = this.#model;
		const source = shapeSources[row];
		const mesh = source !== null && source !== undefined && !isHeightfield(source) ? source : undefined;
		const color = [0, 1, 2].map((k) => toLinear(shapeColor[3 * row + k]!)) as [number, number, number];
		const opacity = shapeOpacity[row]!;
		const { metallic = 0, roughness = 0.5, texture } = mesh ?? {};
		const key = JSON.stringify([color, opacity, metallic, roughness, texture?.file]);
		const known = this.#materialOf.get(key);
		if (known !== undefined) return known;
		const index = this.#materials.length;
		this.#materials.push({
			name: `material_${index}`,
			color,
			opacity,
			metallic,
			roughness,
			...(texture === undefined ? {} : { texture: texture.file }),
			from: this.#names.place('shape', row),
		});
		this.#materialOf.set(key, index);
		return index;
	}
}

/** Terms of a polynomial of `x - by`, as terms of one of `x`. */
function shiftedTerms(terms: readonly number[], by: number): number[] {
	const shifted = [...terms];
	if (by === 0) return shifted;
	// Horner's rule, once for each term that is settled
	for (let first = 0; first < shifted.length - 1; first++) {
		for (let k = shifted.length - 2; k >= first; k--) shifted[k] = shifted[k]! - by * shifted[k + 1]!;
	}
	return shifted;
}

function lastPart(label: string): string {
	return label.split('/').at(-1) ?? '';
}

function kindOf(type: number, freedoms: readonly JointFreedom[]): JointKind {
	switch (type) {
		case JointType.FIXED:
			return 'fixed';
		case JointType.BALL:
			return 'spherical';
		case JointType.FREE:
		case JointType.DISTANCE:
			return 'floating';
		default:
			if (freedoms.length === 0) return 'fixed';
			if (freedoms.length > 1) return 'compound';
			return freedoms[0]!.motion === 'turn' ? 'revolute' : 'prismatic';
	}
}
