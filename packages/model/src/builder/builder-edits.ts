import type { AttributeValue } from '../attribute-types.ts';
import type { GeoType } from '../enums.ts';
import type { ShapeSource } from '../geometry.ts';
import { type TransformInput, toNumbers, toTransform } from '../geometry-inputs.ts';
import { describe, ModelError } from '../model-error.ts';
import { checkJoint } from './add-articulation.ts';
import { checkKinematicRoot } from './add-joint.ts';
import type { BuilderCore } from './builder-core.ts';

/** What a shape is made of; parts left out stay as they are. @public */
export interface ShapeReplacement {
	readonly type?: GeoType;
	/** Sizes as the type has them. */
	readonly scale?: ArrayLike<number>;
	readonly xform?: TransformInput;
	readonly source?: ShapeSource | null;
}

/** Changes to what a builder holds already, as importers make them. @public */
export class BuilderEdits {
	readonly #core: BuilderCore;

	constructor(core: BuilderCore) {
		this.#core = core;
	}

	/** Shapes of a body in the order in which they were added; those of the world for -1. */
	shapesOf(body: number): readonly number[] {
		return this.#core.shapesOf(body);
	}

	/** The mesh or heightfield of a shape; null for the others. */
	shapeSource(shape: number): ShapeSource | null {
		return this.#core.shapeSources[shape] ?? null;
	}

	/** Changes the geometry of a shape. Mass and inertia of its body stay: they are those of the shape that was added. */
	replaceShape(shape: number, replacement: ShapeReplacement): void {
		const { tables, shapeSources } = this.#core;
		if (!(shape >= 0 && shape < tables.counts.shape)) {
			throw new ModelError('MODEL004', `shape is ${shape}, expected 0 to ${tables.counts.shape - 1}`, {
				kind: 'shape',
				index: shape,
			});
		}
		const { type, scale, xform, source } = replacement;
		if (scale !== undefined) tables.set('shapeScale', shape, ...toNumbers(scale, 3, 'scale', 'three sizes'));
		if (xform !== undefined) tables.set('shapeTransform', shape, ...toTransform(xform, 'xform'));
		if (type !== undefined) tables.set('shapeType', shape, type);
		if (source !== undefined) shapeSources[shape] = source;
	}

	/** The value of a custom attribute of one entity or row. */
	attributeAt(key: string, row: number): AttributeValue {
		const column = this.#core.attributes.columns.get(key);
		if (column === undefined) {
			throw new ModelError('MODEL024', `attribute '${key}' is not declared: call defineAttribute() first`, {
				kind: 'attribute',
				label: key,
			});
		}
		return column.valueAt(row);
	}

	/** Gravity of a world [m/s²]. */
	setWorldGravity(world: number, gravity: ArrayLike<number>): void {
		if (!(world >= 0 && world < this.#core.worldCount)) {
			throw new ModelError('MODEL009', `world is ${world}, expected 0 to ${this.#core.worldCount - 1}`, {
				kind: 'world',
				index: world,
			});
		}
		this.#core.worldGravity[world] = toNumbers(gravity, 3, 'gravity', 'an acceleration');
	}

	/** The articulation that moves a body: that of the joint whose child it is; -1 without one. */
	articulationOf(body: number): number {
		for (const { joint } of this.#core.parentsOf(body)) {
			const articulation = this.#core.tables.get('jointArticulation', joint);
			if (articulation >= 0) return articulation;
		}
		return -1;
	}

	/** Adds joints to the articulation that was made last; no other joint may lie between its own and these. */
	extendArticulation(articulation: number, joints: readonly number[]): void {
		const { tables } = this.#core;
		const label = this.#core.label('articulation', articulation);
		const fault = (message: string): ModelError =>
			new ModelError('MODEL012', message, { kind: 'articulation', index: articulation, label });
		const name = describe('articulation', articulation, label);
		if (articulation !== tables.counts.articulation - 1) {
			throw fault(`joints cannot be added to ${name}: articulation ${tables.counts.articulation - 1} was made last`);
		}
		const end = tables.get('articulationEnd', articulation);
		joints.forEach((joint, i) => {
			checkJoint(this.#core, 'member', joint);
			if (joint === end + i) {
				checkKinematicRoot(this.#core, joint);
				return;
			}
			throw fault(`joint ${end + i} lies between the joints of ${name} and joint ${joint}, expected none`);
		});
		if (joints.length === 0) return;
		for (const joint of joints) tables.set('jointArticulation', joint, articulation);
		tables.set('articulationEnd', articulation, end + joints.length);
	}
}
