import type { MjcfDocument } from '@manyworlds/formats';
import { type ModelBuilder, ShapeFlags, WORLD } from '@manyworlds/model';

/**
 * Which imported bodies move as one, and so which never collide by MuJoCo's rules: bodies of one weld, and those of a weld
 * with those of the weld that carries it, unless that is the world. Filters of joints alone know only direct neighbours.
 */
export class WeldedBodies {
	/** Whether neighbours are kept from colliding; a switch of the file. */
	readonly #filtersParents: boolean;
	readonly #weld: Map<number, number> = new Map();
	/** Weld that carries another one, by the first body of that. */
	readonly #carrier: Map<number, number> = new Map();
	readonly #members: Map<number, number[]> = new Map();

	constructor(document: MjcfDocument) {
		const flags = document.sections('option').flatMap((option) => option.childrenNamed('flag'));
		this.#filtersParents = flags.map((flag) => flag.get('filterparent')).findLast(Boolean) !== 'disable';
	}

	/** Notes a body with what carries it; `moves` says whether anything can move between the two. */
	add(body: number, parent: number, moves: boolean): void {
		const below = this.#weldOf(parent);
		const weld = moves ? body : below;
		this.#weld.set(body, weld);
		if (moves) this.#carrier.set(body, below);
		const members = this.#members.get(weld);
		if (members === undefined) this.#members.set(weld, [body]);
		else members.push(body);
	}

	/** Whether the joint between a moving body and what carries it keeps their shapes apart. */
	filtersJoint(parent: number): boolean {
		return this.#filtersParents && this.#weldOf(parent) !== WORLD;
	}

	/** Keeps the shapes apart that joints alone do not. */
	filter(builder: ModelBuilder): void {
		const flags = builder.column('shapeFlags');
		const shapesOf = (bodies: readonly number[]): number[] =>
			bodies
				.flatMap((body) => builder.edits.shapesOf(body))
				.filter((shape) => (flags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0);
		const bodyOf = builder.column('shapeBody');
		for (const [weld, members] of this.#members) {
			// what does not move never collides with what does not
			if (weld === WORLD) continue;
			const own = shapesOf(members);
			const carrier = this.#carrier.get(weld) ?? WORLD;
			const carried =
				carrier === WORLD || !this.#filtersParents ? [] : shapesOf(this.#members.get(carrier) ?? [carrier]);
			for (const [i, a] of own.entries()) {
				for (const b of own.slice(i + 1)) if (bodyOf[a] !== bodyOf[b]) builder.addCollisionFilterPair(a, b);
				for (const b of carried) builder.addCollisionFilterPair(a, b);
			}
		}
	}

	#weldOf(body: number): number {
		return this.#weld.get(body) ?? body;
	}
}
