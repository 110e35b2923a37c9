import type { Conversion } from '../convert/conversion.ts';

/**
 * How far the entities of a world lie behind those of the template world. Bodies and joints of several worlds all belong
 * to one (others are refused), so one number shifts them all; with a single world it is 0.
 */
export class WorldShift {
	readonly #starts: Readonly<Record<'body' | 'joint' | 'jointCoord' | 'jointDof', Int32Array>>;
	readonly #template: number;

	constructor({ model, template }: Conversion) {
		this.#template = template.world;
		this.#starts = {
			body: model.bodyWorldStart,
			joint: model.jointWorldStart,
			jointCoord: model.jointCoordWorldStart,
			jointDof: model.jointDofWorldStart,
		};
	}

	body(world: number): number {
		return this.#shift(this.#starts.body, world);
	}

	joint(world: number): number {
		return this.#shift(this.#starts.joint, world);
	}

	jointCoord(world: number): number {
		return this.#shift(this.#starts.jointCoord, world);
	}

	jointDof(world: number): number {
		return this.#shift(this.#starts.jointDof, world);
	}

	#shift(starts: Int32Array, world: number): number {
		return this.#template < 0 ? 0 : starts[world]! - starts[this.#template]!;
	}
}
