import { ShapeFlags } from '@manyworlds/model';
import type { Path, Prim } from '@manyworlds/usd';
import { CollisionFilter } from '@manyworlds/usd/internal';
import type { ImportedArticulation } from './articulations.ts';
import type { ImportContext } from './context.ts';

/** Keeps shapes apart that never collide: by self-collision settings, collision groups and filtered pairs. */
export class CollisionPairs {
	readonly #ctx: ImportContext;
	readonly #parts: ReadonlyMap<number, readonly number[]>;
	readonly #known = new Set<string>();

	/** `parts` are the further shapes of decomposed colliders. */
	constructor(ctx: ImportContext, parts: ReadonlyMap<number, readonly number[]>) {
		this.#ctx = ctx;
		this.#parts = parts;
		const pairs = ctx.builder.column('filterPair');
		for (let i = 0; i < pairs.length; i += 2) this.#known.add(`${pairs[i]} ${pairs[i + 1]}`);
	}

	/** The same for a copy of what was imported. */
	fork(ctx: ImportContext): CollisionPairs {
		return new CollisionPairs(ctx, this.#parts);
	}

	/** Shapes that are switched off collide with nothing by their flags; pairs are only what Newton adds. */
	filterDisabled(shapes: readonly number[]): void {
		if (!this.#ctx.has('disabled-filter')) return;
		for (const shape of shapes) {
			for (let other = 0; other < this.#ctx.builder.shapeCount; other++) this.#add(shape, other);
		}
	}

	/** Links of articulations without self-collision. */
	filterArticulations(articulations: readonly ImportedArticulation[]): void {
		const { edits } = this.#ctx.builder;
		for (const { bodies, hasSelfCollisions } of articulations) {
			if (hasSelfCollisions) continue;
			bodies.forEach((body, i) => {
				for (const other of bodies.slice(i + 1)) this.#addAll(edits.shapesOf(body), edits.shapesOf(other));
			});
		}
	}

	/** Colliders whose groups filter each other, by UsdPhysics: also inverted, merged and several memberships. */
	filterGroups(): void {
		const ctx = this.#ctx;
		if (ctx.has('collision-groups')) return;
		const members = new Map<Path, number[]>();
		for (const { collisionGroups, primPath } of ctx.physics.shapes) {
			const shapes = this.#shapesOf(ctx.shapes.get(primPath.toString()));
			for (const group of collisionGroups) {
				const known = members.get(group);
				if (known === undefined) members.set(group, [...shapes]);
				else known.push(...shapes);
			}
		}
		const filter = new CollisionFilter(ctx.physics);
		const groups = [...members.keys()];
		groups.forEach((a, i) => {
			for (const b of groups.slice(i)) if (!filter.groupsCollide(a, b)) this.#addAll(members.get(a)!, members.get(b)!);
		});
		for (const { primPath } of ctx.physics.collisionGroups) ctx.mark(primPath.toString(), 'group');
	}

	/** Pairs that prims name: of colliders, bodies and articulations. */
	filterPairs(): void {
		const ctx = this.#ctx;
		const pairs = new Map<string, readonly [Prim, string]>();
		const sources = [
			...ctx.shapes.keys(),
			...ctx.bodies.keys(),
			...ctx.physics.articulations.map(({ primPath }) => primPath.toString()),
		];
		for (const from of sources) {
			const prim = ctx.stage.prim(from);
			if (prim === undefined) continue;
			for (const target of prim.relationship('physics:filteredPairs').targets()) {
				const to = target.toString();
				if (to !== from) pairs.set(from < to ? `${from}\n${to}` : `${to}\n${from}`, [prim, to]);
			}
		}
		for (const key of [...pairs.keys()].sort()) {
			const [prim, to] = pairs.get(key)!;
			const shapes = this.#shapesAt(prim.path.toString());
			const others = this.#shapesAt(to);
			if (shapes.length > 0 && others.length > 0) {
				this.#addAll(shapes, others);
				continue;
			}
			const empty = shapes.length === 0 ? prim.path.toString() : to;
			const why = ctx.stage.prim(empty) === undefined ? 'there is no such prim' : 'it has no imported shape';
			ctx.tell(
				'IMP050',
				prim,
				`the filtered pair with <${to}> is not imported: <${empty}>: ${why}`,
				'physics:filteredPairs',
			);
		}
	}

	/** Shapes that a path stands for: of a collider, a body or an articulation. */
	#shapesAt(path: string): readonly number[] {
		const ctx = this.#ctx;
		const shape = ctx.shapes.get(path);
		if (shape !== undefined) return this.#shapesOf(shape);
		const body = ctx.bodies.get(path);
		if (body !== undefined) return ctx.builder.edits.shapesOf(body);
		const articulation = ctx.physics.articulations.find(({ primPath }) => primPath.toString() === path);
		return (articulation?.articulatedBodies ?? []).flatMap((link) => {
			const index = ctx.bodies.get(link.toString());
			return index === undefined ? [] : [...ctx.builder.edits.shapesOf(index)];
		});
	}

	#shapesOf(shape: number | undefined): readonly number[] {
		return shape === undefined ? [] : [shape, ...(this.#parts.get(shape) ?? [])];
	}

	#addAll(shapes: readonly number[], others: readonly number[]): void {
		for (const a of shapes) for (const b of others) this.#add(a, b);
	}

	/** What cannot collide needs no pair; Newton lists it all the same. */
	#add(a: number, b: number): void {
		if (a === b) return;
		const { builder, options } = this.#ctx;
		const flags = builder.column('shapeFlags');
		const canCollide = (flags[a]! & flags[b]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
		if (!canCollide && !options.newtonCompat) return;
		const key = a < b ? `${a} ${b}` : `${b} ${a}`;
		if (this.#known.has(key)) return;
		this.#known.add(key);
		builder.addCollisionFilterPair(a, b);
	}
}
