import type { Path } from '../sdf/path.ts';
import type { PhysicsDescription } from './parse-physics.ts';
import type { PhysicsShape } from './physics-descriptors.ts';

/**
 * Which colliders may touch, by UsdPhysics: not those of one body, of bodies that a joint keeps apart, of filtered
 * pairs, or of groups that filter each other.
 */
export class CollisionFilter {
	readonly #groupIndex = new Map<Path, number>();
	/** For each pair of merged groups whether they collide. */
	readonly #table: Uint8Array;
	readonly #groupCount: number;
	readonly #pairs = new Map<Path, Set<Path>>();
	readonly #articulationOf = new Map<Path, Path[]>();

	constructor(description: PhysicsDescription) {
		const { collisionGroups, joints, shapes, bodies, articulations } = description;
		collisionGroups.forEach(({ primPath, mergedGroups }, i) => {
			for (const path of [primPath, ...mergedGroups]) this.#groupIndex.set(path, i);
		});
		const count = collisionGroups.length;
		this.#groupCount = count;
		this.#table = new Uint8Array(count * count).fill(1);
		collisionGroups.forEach(({ filteredGroups, invertFilteredGroups }, a) => {
			const named = new Set(filteredGroups.map((path) => this.#groupIndex.get(path)));
			for (let b = 0; b < count; b++) if (named.has(b) !== invertFilteredGroups) this.#separate(a, b);
		});
		for (const { primPath, filteredCollisions } of [...shapes, ...bodies, ...articulations]) {
			for (const other of filteredCollisions) this.#filter(primPath, other);
		}
		for (const { body0, body1, collisionEnabled, jointEnabled } of joints) {
			if (jointEnabled && !collisionEnabled && !body0.isEmpty && !body1.isEmpty) this.#filter(body0, body1);
		}
		for (const { primPath, articulatedBodies } of articulations) {
			for (const body of articulatedBodies) {
				if (body.isEmpty) continue;
				this.#articulationOf.set(body, [...(this.#articulationOf.get(body) ?? []), primPath]);
			}
		}
	}

	/** Whether two groups collide, merged ones included; unknown groups do. */
	groupsCollide(a: Path, b: Path): boolean {
		const i = this.#groupIndex.get(a);
		const j = this.#groupIndex.get(b);
		return i === undefined || j === undefined || this.#table[i * this.#groupCount + j] === 1;
	}

	/** Whether two colliders may touch. */
	collides(a: PhysicsShape, b: PhysicsShape): boolean {
		if (!a.isValid || !b.isValid || !a.collisionEnabled || !b.collisionEnabled) return false;
		if (a.primPath === b.primPath || a.rigidBody === b.rigidBody) return false;
		for (const owner of this.#owners(a)) {
			const others = this.#pairs.get(owner);
			if (others !== undefined && this.#owners(b).some((other) => others.has(other))) return false;
		}
		for (const group of a.collisionGroups) {
			for (const other of b.collisionGroups) if (!this.groupsCollide(group, other)) return false;
		}
		return true;
	}

	/** What a filtered pair may name to mean a collider: itself, its body, the articulation of that. */
	#owners({ primPath, rigidBody }: PhysicsShape): Path[] {
		if (rigidBody.isEmpty) return [primPath];
		return [primPath, rigidBody, ...(this.#articulationOf.get(rigidBody) ?? [])];
	}

	#separate(a: number, b: number): void {
		this.#table[a * this.#groupCount + b] = 0;
		this.#table[b * this.#groupCount + a] = 0;
	}

	#filter(a: Path, b: Path): void {
		for (const [from, to] of [
			[a, b],
			[b, a],
		] as const) {
			const others = this.#pairs.get(from);
			if (others === undefined) this.#pairs.set(from, new Set([to]));
			else others.add(to);
		}
	}
}
