import type { Report } from '@manyworlds/core';
import type {
	AttributeArray,
	AttributeDeclaration,
	AttributeHandle,
	AttributeType,
	AttributeValue,
} from './attribute-types.ts';
import { type ArticulationOptions, addArticulation } from './builder/add-articulation.ts';
import { addConstraintMimic, addEqualityConstraint } from './builder/add-constraint.ts';
import { addFilterPair, addJoint, type JointOptions, placeFreeJoint } from './builder/add-joint.ts';
import { addEdge, addParticle, addSpring, addTetrahedron, addTriangle } from './builder/add-particle.ts';
import { addShape, type ShapeDescription, type ShapeOptions } from './builder/add-shape.ts';
import { BuilderCore } from './builder/builder-core.ts';
import { BuilderEdits } from './builder/builder-edits.ts';
import {
	type AddBuilderOptions,
	type AddWorldOptions,
	type AxisJointOptions,
	type BallJointOptions,
	type BodyOptions,
	type D6JointOptions,
	type DistanceJointOptions,
	type EdgeOptions,
	type EqualityOptions,
	type MeshShapeOptions,
	type MimicOptions,
	MODEL_BUILDER_DEFAULTS,
	type ModelBuilderOptions,
	type ParticleOptions,
	type PlaneOptions,
	type ReplicateOptions,
	type RoundOptions,
	type SiteCapableOptions,
	type SpringOptions,
	type TetrahedronOptions,
	type TriangleOptions,
	type WorldOptions,
} from './builder/builder-options.ts';
import { type CollapseResult, collapseFixedJoints } from './builder/collapse-fixed-joints.ts';
import { type Copy, mergeCopies, worldOffsets } from './builder/merge.ts';
import { renumber } from './builder/renumber.ts';
import type { ColumnArray, ColumnName, Entity } from './columns.ts';
import { CONTACT_DEFAULTS, type ContactDefaultsName } from './contact-defaults.ts';
import { BodyFlags, GeoType, JointType, WORLD } from './enums.ts';
import { type FinalizeOptions, finalizeModel } from './finalize/finalize-model.ts';
import { misorderedArticulations, reportJointOrdering } from './finalize/joint-tree.ts';
import type { Heightfield } from './geometry.ts';
import { axisIndex, planeFrame, type TransformInput, toNumbers, toTransform, type UpAxis } from './geometry-inputs.ts';
import { JOINT_AXIS_DEFAULTS, type JointAxisConfig, unlimitedAxis } from './joint-axis-config.ts';
import type { Model } from './model/model.ts';
import { ModelError } from './model-error.ts';
import { SHAPE_CONFIG_DEFAULTS, type ShapeConfig, siteConfig } from './shape-config.ts';

/** Magnitude of the default gravity [m/s²]. */
const STANDARD_GRAVITY = 9.81;

const GROUND_COLOR = [0.125, 0.125, 0.15];

/**
 * Collects bodies, joints, shapes and constraints, in one world or many, and makes a {@link Model} of them.
 *
 * Whatever is added between `beginWorld` and `endWorld` belongs to that world; what is added before the first or after the
 * last world is global (world -1) and meets every world. SI units and radians; quaternions x y z w.
 *
 * ```ts
 * const builder = new ModelBuilder();
 * builder.addGroundPlane();
 * builder.withWorld({}, () => {
 *   const ball = builder.addBody({ xform: { p: [0, 0, 1] } });
 *   builder.addShapeSphere(ball, { radius: 0.1 });
 * });
 * const model = builder.finalize();
 * ```
 * @public
 */
export class ModelBuilder {
	upAxis: UpAxis;
	/** Gap of shapes that give none [m]. */
	rigidGap: number;
	defaultShapeConfig: ShapeConfig;
	defaultJointConfig: JointAxisConfig;
	boundMass: number | undefined;
	boundInertia: number | undefined;
	balanceInertia: boolean;
	rigidContactsPerWorld: number | undefined;
	readonly #core = new BuilderCore();
	/** Changes to what is there already. */
	readonly edits: BuilderEdits = new BuilderEdits(this.#core);
	#gravity: Float64Array | undefined;
	#contactDefaults: ContactDefaultsName;

	constructor(options: ModelBuilderOptions = {}) {
		this.upAxis = options.upAxis ?? MODEL_BUILDER_DEFAULTS.upAxis;
		this.#contactDefaults = options.contactDefaults ?? MODEL_BUILDER_DEFAULTS.contactDefaults;
		const { ke, kd, gap } = CONTACT_DEFAULTS[this.#contactDefaults];
		this.rigidGap = options.rigidGap ?? gap;
		this.defaultShapeConfig = { ...SHAPE_CONFIG_DEFAULTS, ke, kd, ...options.defaultShapeConfig };
		this.defaultJointConfig = { ...JOINT_AXIS_DEFAULTS, ...options.defaultJointConfig };
		this.boundMass = options.boundMass;
		this.boundInertia = options.boundInertia;
		this.balanceInertia = options.balanceInertia ?? MODEL_BUILDER_DEFAULTS.balanceInertia;
		this.rigidContactsPerWorld = options.rigidContactsPerWorld;
		if (options.gravity !== undefined) this.gravity = options.gravity;
	}

	/** Gravity of worlds that give none, and of a model without worlds [m/s²]. A fresh array each time. */
	get gravity(): Float64Array {
		if (this.#gravity !== undefined) return this.#gravity.slice();
		const down = new Float64Array(3);
		down[axisIndex(this.upAxis)] = -STANDARD_GRAVITY;
		return down;
	}

	set gravity(value: ArrayLike<number>) {
		this.#gravity = toNumbers(value, 3, 'gravity', 'an acceleration');
	}

	/** Name of the contact that shapes get which say nothing about it. */
	get contactDefaults(): ContactDefaultsName {
		return this.#contactDefaults;
	}

	/** Chooses the contact of shapes that are added from now on and say nothing about it. */
	useContactDefaults(name: ContactDefaultsName): void {
		const { ke, kd, gap } = CONTACT_DEFAULTS[name];
		this.#contactDefaults = name;
		this.rigidGap = gap;
		this.defaultShapeConfig = { ...this.defaultShapeConfig, ke, kd };
	}

	/** Warnings about what was built so far. */
	get report(): Report {
		return this.#core.report;
	}

	/** The world that added entities go to; -1 outside of worlds. */
	get currentWorld(): number {
		return this.#core.currentWorld;
	}

	get worldCount(): number {
		return this.#core.worldCount;
	}

	get bodyCount(): number {
		return this.count('body');
	}

	get shapeCount(): number {
		return this.count('shape');
	}

	get jointCount(): number {
		return this.count('joint');
	}

	get articulationCount(): number {
		return this.count('articulation');
	}

	count(entity: Entity): number {
		return this.#core.tables.counts[entity];
	}

	/** The present rows of an authored array, to read or to change in place; rows added later are not in it. */
	column<N extends ColumnName>(name: N): ColumnArray<N> {
		return this.#core.tables.column(name);
	}

	labels(
		entity: 'body' | 'shape' | 'joint' | 'articulation' | 'equalityConstraint' | 'constraintMimic',
	): readonly string[] {
		return this.#core.tables.labels[entity];
	}

	/** Opens a world. Worlds do not nest. */
	beginWorld(options: WorldOptions = {}): number {
		const core = this.#core;
		if (core.currentWorld !== WORLD) {
			throw new ModelError(
				'MODEL009',
				`world ${core.currentWorld} is still open: call endWorld() before the next beginWorld()`,
				{
					kind: 'world',
					index: core.currentWorld,
				},
			);
		}
		const gravity =
			options.gravity === undefined ? undefined : toNumbers(options.gravity, 3, 'gravity', 'an acceleration');
		core.currentWorld = core.worldCount++;
		core.worldLabels.push(options.label ?? '');
		core.worldGravity.push(gravity);
		return core.currentWorld;
	}

	/** Closes the open world; what follows is global. */
	endWorld(): void {
		if (this.#core.currentWorld === WORLD)
			throw new ModelError('MODEL009', 'no world is open: call beginWorld() first', { kind: 'world' });
		this.#core.currentWorld = WORLD;
	}

	/** Runs `build` inside a new world and closes it, also when `build` throws. Gives the world's index. */
	withWorld(options: WorldOptions, build: (builder: this) => void): number {
		const world = this.beginWorld(options);
		try {
			build(this);
		} finally {
			this.#core.currentWorld = WORLD;
		}
		return world;
	}

	/** A body without a joint. Give it one, or use {@link addBody}. */
	addLink(options: BodyOptions = {}): number {
		const { tables, attributes, currentWorld } = this.#core;
		const xform = toTransform(options.xform, 'xform');
		const com = toNumbers(options.com ?? [0, 0, 0], 3, 'com', 'a point in the body frame');
		const inertia = toNumbers(options.inertia ?? new Float64Array(9), 9, 'inertia', 'a 3x3 tensor');
		const mass = options.mass ?? 0;
		if (!(mass >= 0 && mass < Number.POSITIVE_INFINITY)) {
			const label = options.label || `body_${tables.counts.body}`;
			throw new ModelError('MODEL002', `mass of body '${label}' is ${mass} kg, expected a finite number >= 0`, {
				kind: 'body',
				label,
			});
		}
		attributes.check('body', options.attributes);
		const body = tables.addRows('body');
		tables.set('bodyQ', body, ...xform);
		tables.set('bodyCom', body, ...com);
		tables.set('bodyMass', body, mass);
		tables.set('bodyInertia', body, ...inertia);
		tables.set('bodyFlags', body, options.isKinematic ? BodyFlags.KINEMATIC : BodyFlags.DYNAMIC);
		tables.set('bodyLockInertia', body, options.lockInertia ? 1 : 0);
		tables.set('bodyWorld', body, currentWorld);
		tables.labels.body.push(options.label || `body_${body}`);
		attributes.assign('body', body, options.attributes);
		return body;
	}

	/** A body that floats: a link with a free joint to the world and an articulation of its own. */
	addBody(options: BodyOptions = {}): number {
		const body = this.addLink(options);
		const { label } = options;
		const joint = this.addJointFree({ child: body, ...(label ? { label: `${label}_free_joint` } : {}) });
		this.addArticulation([joint], label ? { label: `${label}_articulation` } : {});
		return body;
	}

	addJointRevolute(options: AxisJointOptions): number {
		return addJoint(this.#core, JointType.REVOLUTE, options, [], [this.#axis(options)]);
	}

	addJointPrismatic(options: AxisJointOptions): number {
		return addJoint(this.#core, JointType.PRISMATIC, options, [this.#axis(options)], []);
	}

	addJointBall(options: BallJointOptions): number {
		const { armature, friction, damping } = { ...this.defaultJointConfig, ...defined(options) };
		const shared = { armature, friction, damping, actuatorMode: options.actuatorMode };
		const axes = (['x', 'y', 'z'] as const).map((axis) => ({ ...JOINT_AXIS_DEFAULTS, ...shared, axis }));
		return addJoint(this.#core, JointType.BALL, options, [], axes);
	}

	addJointFixed(options: JointOptions): number {
		return addJoint(this.#core, JointType.FIXED, options, [], []);
	}

	/** Its coordinates start so that forward kinematics gives the child's pose. */
	addJointFree(options: JointOptions): number {
		const axes = (['x', 'y', 'z'] as const).map(unlimitedAxis);
		const joint = addJoint(this.#core, JointType.FREE, options, axes, axes);
		placeFreeJoint(this.#core, joint);
		return joint;
	}

	/** Keeps two points within a range of distances. */
	addJointDistance(options: DistanceJointOptions): number {
		const distance = {
			...JOINT_AXIS_DEFAULTS,
			limitLower: options.minDistance ?? -1,
			limitUpper: options.maxDistance ?? 1,
		};
		const angular = (['x', 'y', 'z'] as const).map(unlimitedAxis);
		return addJoint(this.#core, JointType.DISTANCE, options, [distance, angular[1]!, angular[2]!], angular);
	}

	/** Up to three linear and three angular axes. Angular axes turn one inside the other, the first outermost. */
	addJointD6(options: D6JointOptions): number {
		const withDefaults = (axis: Partial<JointAxisConfig>): JointAxisConfig => ({
			...JOINT_AXIS_DEFAULTS,
			...defined(axis),
		});
		const linear = (options.linearAxes ?? []).map(withDefaults);
		const angular = (options.angularAxes ?? []).map(withDefaults);
		if (linear.length > 3 || angular.length > 3) {
			throw new ModelError(
				'MODEL005',
				`D6 joint has ${linear.length} linear and ${angular.length} angular axes, expected at most 3 each`,
				{
					kind: 'joint',
					...(options.label ? { label: options.label } : {}),
				},
			);
		}
		return addJoint(this.#core, JointType.D6, options, linear, angular);
	}

	/** Makes a tree of consecutive joints one articulation. */
	addArticulation(joints: readonly number[], options: ArticulationOptions = {}): number {
		return addArticulation(this.#core, joints, options);
	}

	/** q0 = coef0 + coef1 · q1 for every coordinate of two joints. */
	addConstraintMimic(options: MimicOptions): number {
		return addConstraintMimic(this.#core, options);
	}

	/** Holds two bodies together in a point (connect) or wholly (weld), or couples two joints. */
	addEqualityConstraint(options: EqualityOptions): number {
		return addEqualityConstraint(this.#core, options);
	}

	addParticle(options: ParticleOptions): number {
		return addParticle(this.#core, options);
	}

	/** A spring between two particles, at rest at their present distance. */
	addSpring(i: number, j: number, options: SpringOptions = {}): number {
		return addSpring(this.#core, i, j, options);
	}

	/** A triangle of three particles, at rest in its present shape. */
	addTriangle(particles: readonly [number, number, number], options: TriangleOptions = {}): number {
		return addTriangle(this.#core, particles, options);
	}

	/** A bending edge: two opposite particles (-1 for none), then the two of the edge. */
	addEdge(particles: readonly [number, number, number, number], options: EdgeOptions = {}): number {
		return addEdge(this.#core, particles, options);
	}

	/** A tetrahedron of four particles, at rest in its present shape. */
	addTetrahedron(particles: readonly [number, number, number, number], options: TetrahedronOptions = {}): number {
		return addTetrahedron(this.#core, particles, options);
	}

	/** Radius [m]. */
	addShapeSphere(body: number, options: SiteCapableOptions & { readonly radius?: number } = {}): number {
		return this.#addShape({ type: GeoType.SPHERE, body, scale: [options.radius ?? 1, 0, 0] }, options);
	}

	/** Half extents [m]. */
	addShapeBox(body: number, options: SiteCapableOptions & { readonly halfExtents?: ArrayLike<number> } = {}): number {
		return this.#addShape({ type: GeoType.BOX, body, scale: options.halfExtents ?? [0.5, 0.5, 0.5] }, options);
	}

	/** Along z; `halfHeight` is half the length of the cylindrical part [m]. */
	addShapeCapsule(body: number, options: SiteCapableOptions & RoundOptions = {}): number {
		return this.#addShape(
			{ type: GeoType.CAPSULE, body, scale: [options.radius ?? 1, options.halfHeight ?? 0.5, 0] },
			options,
		);
	}

	/** Along z. A `barrelRadius` bulges the side: 0, or at least the half height [m]. */
	addShapeCylinder(
		body: number,
		options: SiteCapableOptions & RoundOptions & { readonly barrelRadius?: number } = {},
	): number {
		const scale = [options.radius ?? 1, options.halfHeight ?? 0.5, options.barrelRadius ?? 0];
		return this.#addShape({ type: GeoType.CYLINDER, body, scale }, options);
	}

	/** Along z, tip at +halfHeight. */
	addShapeCone(body: number, options: SiteCapableOptions & RoundOptions = {}): number {
		return this.#addShape(
			{ type: GeoType.CONE, body, scale: [options.radius ?? 1, options.halfHeight ?? 0.5, 0] },
			options,
		);
	}

	/** Semi-axes [m]. */
	addShapeEllipsoid(body: number, options: SiteCapableOptions & { readonly radii?: ArrayLike<number> } = {}): number {
		return this.#addShape({ type: GeoType.ELLIPSOID, body, scale: options.radii ?? [1, 0.75, 0.5] }, options);
	}

	/** A negative factor of the scale mirrors the mesh. */
	addShapeMesh(body: number, options: MeshShapeOptions): number {
		return this.#addShape(
			{ type: GeoType.MESH, body, scale: options.scale ?? [1, 1, 1], source: options.mesh },
			options,
		);
	}

	/** The mesh is taken as convex; make one with `convexHull` of @manyworlds/mesh. */
	addShapeConvex(body: number, options: MeshShapeOptions): number {
		return this.#addShape(
			{ type: GeoType.CONVEX_MESH, body, scale: options.scale ?? [1, 1, 1], source: options.mesh },
			options,
		);
	}

	/** Static, and always part of the world body. */
	addShapeHeightfield(
		options: ShapeOptions & { readonly heightfield: Heightfield; readonly scale?: ArrayLike<number> },
	): number {
		const { heightfield, scale } = options;
		return this.#addShape(
			{ type: GeoType.HFIELD, body: WORLD, scale: scale ?? [1, 1, 1], source: heightfield, isMassless: true },
			options,
		);
	}

	/** Massless. Without `plane` or `xform`, the plane z = 0. */
	addShapePlane(options: PlaneOptions = {}): number {
		const scale = [options.width ?? 10, options.length ?? 10, 0];
		const xform = options.xform ?? planeFrame(options.plane ?? [0, 0, 1, 0]);
		return this.#addShape(
			{ type: GeoType.PLANE, body: options.body ?? WORLD, scale, isMassless: true },
			{ ...options, xform },
		);
	}

	/** An infinite plane at `height` along the up axis [m]. */
	addGroundPlane(options: ShapeOptions & { readonly height?: number } = {}): number {
		const plane = [0, 0, 0, -(options.height ?? 0)];
		plane[axisIndex(this.upAxis)] = 1;
		return this.addShapePlane({
			label: 'ground_plane',
			color: GROUND_COLOR,
			...options,
			plane,
			width: 0,
			length: 0,
		});
	}

	/** A mark on a body: no contact, no mass, hidden unless asked for. */
	addSite(
		body: number,
		options: ShapeOptions & {
			readonly type?: GeoType;
			readonly scale?: ArrayLike<number>;
			readonly visible?: boolean;
		} = {},
	): number {
		const config = { ...siteConfig(SHAPE_CONFIG_DEFAULTS), isVisible: options.visible ?? false, ...options.config };
		const description = { type: options.type ?? GeoType.SPHERE, body, scale: options.scale ?? [0.01, 0.01, 0.01] };
		return addShape(this.#core, description, options, config, this.rigidGap);
	}

	/** Two shapes that never collide. */
	addCollisionFilterPair(shapeA: number, shapeB: number): void {
		addFilterPair(this.#core, shapeA, shapeB);
	}

	/** Declares a custom attribute; declaring the same again changes nothing. */
	defineAttribute<T extends AttributeType>(
		declaration: AttributeDeclaration & { readonly type: T },
	): AttributeHandle<T> {
		return this.#core.attributes.declare(declaration);
	}

	/** Declares a frequency of the user's own, whose rows are added by {@link addRow}. */
	defineFrequency(options: { readonly namespace: string; readonly name: string }): `${string}:${string}` {
		return this.#core.attributes.declareFrequency(options.namespace, options.name);
	}

	/** The declared custom attributes, in the order of declaration. */
	attributeDeclarations(): readonly AttributeDeclaration[] {
		return this.#core.attributes.declarations();
	}

	/** The present values of a custom attribute, defaults filled in; a copy. */
	attributeValues(key: string): AttributeArray {
		return this.#core.attributes.valuesOf(key, (entity) => this.count(entity), this.#core.worldCount);
	}

	/** Number of rows of a frequency of the user's own; 0 when it is not declared. */
	rowCount(frequency: string): number {
		return this.#core.attributes.rowCounts.get(frequency) ?? 0;
	}

	/** Changes the value of a custom attribute of one entity or row that exists already. */
	setAttributeValue(key: string, index: number, value: AttributeValue): void {
		this.#core.attributes.setValue(key, index, value);
	}

	/** Adds one row of values to a frequency of the user's own. */
	addRow(frequency: string, values: Readonly<Record<string, AttributeValue>>): number {
		return this.#core.attributes.addRow(frequency, values);
	}

	/** Gives the value of an attribute that exists once, or once for each world. */
	setAttribute(key: string, value: AttributeValue, options: { readonly world?: number } = {}): void {
		const { attributes } = this.#core;
		const frequency = attributes.columns.get(key)?.declaration.frequency === 'world' ? 'world' : 'once';
		const row = frequency === 'world' ? (options.world ?? Math.max(0, this.currentWorld)) : 0;
		attributes.assign(frequency, row, { [key]: value });
	}

	/** Adds everything of another builder to the open world, or globally. The other builder does not change. */
	addBuilder(source: ModelBuilder, options: AddBuilderOptions = {}): void {
		const world = this.#core.currentWorld;
		const copy = this.#copyTo(world, options.xform, options.labelPrefix);
		this.#checkMerge(source);
		mergeCopies(this.#core, source.#core, [copy]);
		// a gravity given to beginWorld stays
		if (world === WORLD) this.#gravity = source.#gravity?.slice();
		else this.#core.worldGravity[world] ??= source.gravity;
	}

	/** Adds another builder as a new world and gives its index. */
	addWorld(source: ModelBuilder, options: AddWorldOptions = {}): number {
		const copy = this.#copyTo(this.#core.worldCount, options.xform, options.labelPrefix);
		this.#checkMerge(source);
		const gravity =
			options.gravity === 'inherit' ? this.gravity : options.gravity === 'source' ? source.gravity : options.gravity;
		const world = this.beginWorld({ label: options.label ?? '', gravity: gravity ?? source.gravity });
		mergeCopies(this.#core, source.#core, [copy]);
		this.endWorld();
		return world;
	}

	/** Adds copies of another builder, a world each. The same as calling {@link addWorld} for each, and faster. */
	replicate(source: ModelBuilder, options: ReplicateOptions): void {
		const core = this.#core;
		const { count, xforms } = options;
		if (!Number.isInteger(count))
			throw new ModelError('MODEL001', `count is ${count}, expected a whole number of worlds`, { kind: 'world' });
		if (xforms !== undefined && xforms.length !== count) {
			throw new ModelError('MODEL010', `${xforms.length} transforms were given for ${count} worlds`, { kind: 'world' });
		}
		if (core.currentWorld !== WORLD) {
			throw new ModelError('MODEL009', `world ${core.currentWorld} is still open: call endWorld() before replicate()`, {
				kind: 'world',
				index: core.currentWorld,
			});
		}
		if (count <= 0) return;
		this.#checkMerge(source);
		const spacing = toNumbers(options.spacing ?? [0, 0, 0], 3, 'spacing', 'a distance for each axis');
		const offsets = worldOffsets(count, spacing, this.upAxis);
		const first = core.worldCount;
		const copies = Array.from({ length: count }, (_, i) => {
			const xform = xforms?.[i] ?? { p: offsets.subarray(3 * i, 3 * i + 3) };
			return this.#copyTo(first + i, xform, options.labelPrefix?.(i));
		});
		const gravity = source.gravity;
		for (let i = 0; i < count; i++) {
			core.worldLabels.push('');
			core.worldGravity.push(gravity.slice());
		}
		core.worldCount += count;
		mergeCopies(core, source.#core, copies);
	}

	/** Merges bodies that fixed joints hold together. */
	collapseFixedJoints(options: { readonly jointsToKeep?: readonly (string | number)[] } = {}): CollapseResult {
		return collapseFixedJoints(this.#core, new Set(options.jointsToKeep ?? []));
	}

	/** Whether the joints of every articulation go depth first from parent to child; those that do not are reported. */
	validateJointOrdering(): boolean {
		return reportJointOrdering(this.#core, this.#core.report);
	}

	/** Puts the joints of every articulation into depth-first order from parent to child. What belongs to a joint moves with it. */
	sortJoints(): void {
		const order = Array.from({ length: this.count('joint') }, (_, joint) => joint);
		for (const { articulation, expected } of misorderedArticulations(this.#core)) {
			const start = this.#core.tables.get('articulationStart', articulation);
			expected.forEach((joint, i) => {
				order[start + i] = joint;
			});
		}
		renumber(this.#core, { joint: order });
	}

	/** Makes the model. The builder does not change and can be used further. */
	finalize(options: FinalizeOptions = {}): Model {
		return finalizeModel(this.#core, this, options);
	}

	#addShape(description: ShapeDescription, options: SiteCapableOptions): number {
		const base = options.asSite ? siteConfig(this.defaultShapeConfig) : this.defaultShapeConfig;
		return addShape(this.#core, description, options, { ...base, ...defined(options.config ?? {}) }, this.rigidGap);
	}

	#axis(options: AxisJointOptions): JointAxisConfig {
		return { ...this.defaultJointConfig, ...defined(options) };
	}

	#copyTo(world: number, xform: TransformInput | undefined, labelPrefix: string | undefined): Copy {
		const placed = toTransform(xform, 'xform');
		const isIdentity = placed.every((value, i) => value === (i === 6 ? 1 : 0));
		return { world, xform: isIdentity ? undefined : placed, labelPrefix };
	}

	#checkMerge(source: ModelBuilder): void {
		if (source === this)
			throw new ModelError('MODEL011', 'a builder cannot be merged into itself', { kind: 'builder' });
		if (source.upAxis !== this.upAxis) {
			throw new ModelError('MODEL011', `up axis of the merged builder is ${source.upAxis}, expected ${this.upAxis}`, {
				kind: 'builder',
			});
		}
		this.#core.attributes.checkMerge(source.#core.attributes);
	}
}

/** The entries of an object that have a value. */
function defined<T extends object>(options: T): Partial<T> {
	const out: Partial<T> = {};
	for (const key of Object.keys(options) as (keyof T)[]) if (options[key] !== undefined) out[key] = options[key];
	return out;
}
