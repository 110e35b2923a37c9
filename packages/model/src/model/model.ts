import type { Report } from '@manyworlds/core';
import type { AttributeOwner } from '../attribute-types.ts';
import { WORLD } from '../enums.ts';
import type { ShapeSource } from '../geometry.ts';
import { toNumbers, type UpAxis } from '../geometry-inputs.ts';
import { ModelError } from '../model-error.ts';
import type { LabelledEntity } from '../tables.ts';
import { arrayOfNewtonName, MODEL_ARRAYS } from './array-table.ts';
import type { AttributeValues } from './attribute-values.ts';
import { Contacts, type ContactsOptions } from './contacts.ts';
import { Control, type ControlOptions } from './control.ts';
import { type ModelArrayData, type ModelArrayName, ModelArrays } from './model-arrays.ts';
import { State, type StateOptions } from './state.ts';
import { WorldLayout } from './world-layout.ts';

/** Everything that a model is made of, as `finalize` or a snapshot gives it. */
export interface ModelParts {
	readonly arrays: ModelArrayData;
	readonly upAxis: UpAxis;
	readonly worldCount: number;
	readonly worldLabels: readonly string[];
	readonly labels: Readonly<Record<LabelledEntity, readonly string[]>>;
	readonly shapeSources: readonly (ShapeSource | null)[];
	readonly attributes: Readonly<Record<AttributeOwner, AttributeValues>>;
	/** Rows of each frequency of the user's own. */
	readonly frequencyCounts: ReadonlyMap<string, number>;
	/** Gravity of global entities where it is not that of world 0. */
	readonly ownGlobalGravity: Float64Array | undefined;
	readonly rigidContactMax: number;
	readonly settings: ModelSettings;
	readonly report: Report;
}

/** Numbers that hold for a whole model. @public */
export interface ModelSettings {
	/** Speed that particles are kept below [m/s]. */
	readonly particleMaxVelocity: number;
	/** Contact of particles among themselves: stiffness [N/m], damping [N·s/m], friction gain [N·s/m], friction, cohesion [m], adhesion [m]. */
	readonly particleKe: number;
	readonly particleKd: number;
	readonly particleKf: number;
	readonly particleMu: number;
	readonly particleCohesion: number;
	readonly particleAdhesion: number;
	/** Contact of particles with shapes: stiffness [N/m], damping [N·s/m], friction gain [N·s/m], friction, restitution. */
	readonly softContactKe: number;
	readonly softContactKd: number;
	readonly softContactKf: number;
	readonly softContactMu: number;
	readonly softContactRestitution: number;
}

/** Newton's values. @public */
export const MODEL_SETTINGS_DEFAULTS: ModelSettings = {
	particleMaxVelocity: 1e5,
	particleKe: 1e3,
	particleKd: 1e2,
	particleKf: 1e2,
	particleMu: 0.5,
	particleCohesion: 0,
	particleAdhesion: 0,
	softContactKe: 1e3,
	softContactKd: 10,
	softContactKf: 1e3,
	softContactMu: 0.5,
	softContactRestitution: 0,
};

/**
 * A finished model: every array of every world, with labels, shapes and custom attributes. Made by `ModelBuilder.finalize`.
 *
 * ```ts
 * const state = model.createState();
 * const { start, end } = model.worlds.range('body', 1);
 * state.bodyQ.subarray(7 * start, 7 * end); // poses of world 1
 * ```
 * @public
 */
export class Model extends ModelArrays {
	readonly upAxis: UpAxis;
	readonly worldCount: number;
	/** Which rows belong to which world. */
	readonly worlds: WorldLayout;
	readonly bodyLabels: readonly string[];
	readonly shapeLabels: readonly string[];
	readonly jointLabels: readonly string[];
	readonly articulationLabels: readonly string[];
	readonly equalityConstraintLabels: readonly string[];
	readonly constraintMimicLabels: readonly string[];
	/** Mesh or heightfield of each shape, `null` for the others. Equal shapes share one object. */
	readonly shapeSources: readonly (ShapeSource | null)[];
	/** Custom attributes with owner `model`. */
	readonly attributes: AttributeValues;
	/** Most rigid contacts that the builder asked room for; 0 leaves it to the solver. */
	readonly rigidContactMax: number;
	readonly settings: ModelSettings;
	/** Most tree joints, and most degrees of freedom, of one articulation. */
	readonly maxJointsPerArticulation: number;
	readonly maxDofsPerArticulation: number;
	/** Warnings of the builder and of `finalize`. */
	readonly report: Report;
	readonly #parts: ModelParts;
	#shapesByBody: { readonly start: Int32Array; readonly shapes: Int32Array } | undefined;

	constructor(parts: ModelParts) {
		super(parts.arrays);
		this.#parts = parts;
		this.upAxis = parts.upAxis;
		this.worldCount = parts.worldCount;
		this.worlds = new WorldLayout(parts.worldCount, parts.worldLabels, {
			particle: this.particleWorldStart,
			body: this.bodyWorldStart,
			shape: this.shapeWorldStart,
			joint: this.jointWorldStart,
			jointDof: this.jointDofWorldStart,
			jointCoord: this.jointCoordWorldStart,
			jointConstraint: this.jointConstraintWorldStart,
			articulation: this.articulationWorldStart,
			equalityConstraint: this.equalityConstraintWorldStart,
			constraintMimic: this.constraintMimicWorldStart,
		});
		this.bodyLabels = parts.labels.body;
		this.shapeLabels = parts.labels.shape;
		this.jointLabels = parts.labels.joint;
		this.articulationLabels = parts.labels.articulation;
		this.equalityConstraintLabels = parts.labels.equalityConstraint;
		this.constraintMimicLabels = parts.labels.constraintMimic;
		this.shapeSources = parts.shapeSources;
		this.attributes = parts.attributes.model;
		this.rigidContactMax = parts.rigidContactMax;
		this.settings = parts.settings;
		this.report = parts.report;
		[this.maxJointsPerArticulation, this.maxDofsPerArticulation] = largestArticulation(this);
	}

	get particleCount(): number {
		return this.particleWorld.length;
	}

	get springCount(): number {
		return this.springRestLength.length;
	}

	get triCount(): number {
		return this.triAreas.length;
	}

	get edgeCount(): number {
		return this.edgeRestAngle.length;
	}

	get tetCount(): number {
		return this.tetActivations.length;
	}

	get bodyCount(): number {
		return this.bodyWorld.length;
	}

	get shapeCount(): number {
		return this.shapeWorld.length;
	}

	get jointCount(): number {
		return this.jointWorld.length;
	}

	get jointDofCount(): number {
		return this.jointQd.length;
	}

	get jointCoordCount(): number {
		return this.jointQ.length;
	}

	get jointConstraintCount(): number {
		return this.jointConstraintStart[this.jointCount]!;
	}

	get articulationCount(): number {
		return this.articulationWorld.length;
	}

	get equalityConstraintCount(): number {
		return this.equalityConstraintWorld.length;
	}

	get constraintMimicCount(): number {
		return this.constraintMimicWorld.length;
	}

	get shapeContactPairCount(): number {
		return this.shapeContactPairs.length / 2;
	}

	/** Radius of the largest particle [m], 0 without particles. */
	get particleMaxRadius(): number {
		let most = 0;
		for (const radius of this.particleRadius) most = Math.max(most, radius);
		return most;
	}

	/** Gravity of global entities [m/s²]: that of world 0, unless the model was made with `newtonCompat`. */
	get globalGravity(): Float64Array {
		return this.#parts.ownGlobalGravity ?? this.gravity.subarray(0, 3);
	}

	/** An array by Newton's name, such as `body_q`. */
	array(newtonName: string): Float64Array | Int32Array | Uint8Array {
		return this[this.#arrayName(newtonName)];
	}

	/** Dimensions of an array by Newton's name: rows, then the numbers of each. */
	arrayShape(newtonName: string): number[] {
		const name = this.#arrayName(newtonName);
		const { dims } = MODEL_ARRAYS[name];
		const width = dims.reduce((product, size) => product * size, 1);
		return [this[name].length / width, ...dims];
	}

	/** Shapes of a body in index order, static ones for -1. A view, not a copy. */
	shapesOf(body: number): Int32Array {
		if (!Number.isInteger(body) || body < WORLD || body >= this.bodyCount) {
			throw new ModelError('MODEL004', `body ${body} does not exist, expected -1 to ${this.bodyCount - 1}`, {
				kind: 'body',
				index: body,
			});
		}
		this.#shapesByBody ??= groupShapes(this.shapeBody, this.bodyCount);
		const { start, shapes } = this.#shapesByBody;
		return shapes.subarray(start[body + 1]!, start[body + 2]!);
	}

	/** Whether two shapes never collide because they were told so, or because they sit on the same body. */
	isCollisionFiltered(shapeA: number, shapeB: number): boolean {
		if (this.shapeBody[shapeA] === this.shapeBody[shapeB]) return true;
		const first = Math.min(shapeA, shapeB);
		const second = Math.max(shapeA, shapeB);
		const pairs = this.shapeCollisionFilterPairs;
		let low = 0;
		let high = pairs.length / 2;
		while (low < high) {
			const middle = (low + high) >> 1;
			const a = pairs[2 * middle]!;
			if (a < first || (a === first && pairs[2 * middle + 1]! < second)) low = middle + 1;
			else high = middle;
		}
		return pairs[2 * low] === first && pairs[2 * low + 1] === second;
	}

	/**
	 * Sets gravity [m/s²]: one vector for all worlds or for one, or a vector for each world.
	 * World -1 stands for global entities; without `newtonCompat` they share the gravity of world 0.
	 */
	setGravity(gravity: ArrayLike<number>, options: { readonly world?: number } = {}): void {
		const { world } = options;
		if (world !== undefined) {
			if (!Number.isInteger(world) || world < WORLD || world >= this.worldCount) {
				throw new ModelError('MODEL004', `world ${world} does not exist, expected -1 to ${this.worldCount - 1}`, {
					kind: 'world',
					index: world,
				});
			}
			const vector = toNumbers(gravity, 3, 'gravity', 'an acceleration');
			if (world === WORLD) this.globalGravity.set(vector);
			else this.gravity.set(vector, 3 * world);
			return;
		}
		if (gravity.length === 3) {
			const vector = toNumbers(gravity, 3, 'gravity', 'an acceleration');
			for (let row = 0; row < this.worldCount; row++) this.gravity.set(vector, 3 * row);
			this.globalGravity.set(vector);
			return;
		}
		const rows =
			this.#parts.ownGlobalGravity !== undefined && gravity.length === 3 * (this.worldCount + 1)
				? this.worldCount + 1
				: this.worldCount;
		const vectors = toNumbers(gravity, 3 * rows, 'gravity', 'one acceleration, or one for each world');
		this.gravity.set(vectors.subarray(0, this.gravity.length));
		if (rows > this.worldCount) this.globalGravity.set(vectors.subarray(this.gravity.length));
	}

	/** Gravity of a world, of global entities for -1. A view, not a copy. */
	gravityOf(world: number): Float64Array {
		return world === WORLD ? this.globalGravity : this.gravity.subarray(3 * world, 3 * world + 3);
	}

	createState(options: StateOptions = {}): State {
		return new State(this, options);
	}

	createControl(options: ControlOptions = {}): Control {
		return new Control(this, options);
	}

	createContacts(options: ContactsOptions = {}): Contacts {
		return new Contacts(this, options);
	}

	/** The custom attributes of an owner, with the values that new states, controls and contacts start from. */
	attributesOf(owner: AttributeOwner): AttributeValues {
		return this.#parts.attributes[owner];
	}

	/** Rows of a frequency of the user's own. */
	frequencyCount(frequency: string): number {
		const count = this.#parts.frequencyCounts.get(frequency);
		if (count === undefined) {
			throw new ModelError('MODEL021', `frequency '${frequency}' is not declared`, {
				kind: 'frequency',
				label: frequency,
			});
		}
		return count;
	}

	/** Frequencies of the user's own, in the order of declaration. */
	get frequencies(): string[] {
		return [...this.#parts.frequencyCounts.keys()];
	}

	labels(entity: LabelledEntity): readonly string[] {
		return this.#parts.labels[entity];
	}

	/** The parts that a snapshot keeps. */
	get parts(): ModelParts {
		return this.#parts;
	}

	#arrayName(newtonName: string): ModelArrayName {
		const name = arrayOfNewtonName(newtonName);
		if (name === undefined) {
			throw new ModelError('MODEL040', `model has no array '${newtonName}'`, { kind: 'array', label: newtonName });
		}
		return name;
	}
}

/** Shapes by body, the world first: `start[b + 1]` to `start[b + 2]` are those of body b. */
function groupShapes(bodies: Int32Array, bodyCount: number): { start: Int32Array; shapes: Int32Array } {
	const start = new Int32Array(bodyCount + 2);
	for (const body of bodies) start[body + 2] = start[body + 2]! + 1;
	for (let i = 1; i < start.length; i++) start[i] = start[i]! + start[i - 1]!;
	const next = start.slice();
	const shapes = new Int32Array(bodies.length);
	for (let shape = 0; shape < bodies.length; shape++) {
		const slot = bodies[shape]! + 1;
		shapes[next[slot]!] = shape;
		next[slot] = next[slot]! + 1;
	}
	return { start, shapes };
}

function largestArticulation(model: Model): [joints: number, dofs: number] {
	let joints = 0;
	let dofs = 0;
	for (let i = 0; i < model.articulationCount; i++) {
		const start = model.articulationStart[i]!;
		const end = model.articulationEnd[i]!;
		joints = Math.max(joints, end - start);
		dofs = Math.max(dofs, model.jointQdStart[end]! - model.jointQdStart[start]!);
	}
	return [joints, dofs];
}
