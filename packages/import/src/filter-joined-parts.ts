import { JointType, type ModelBuilder, ShapeFlags, WORLD } from '@manyworlds/model';

/** What {@link filterJoinedParts} looks at. */
export interface JoinedPartsRange {
	/** First body, joint and shape of the import. */
	readonly body: number;
	readonly joint: number;
	readonly shape: number;
	/** Whether bodies that are fixed to the world count as a part too; MuJoCo lets them touch what hangs on them. */
	readonly includesFixed: boolean;
}

/**
 * Bodies that a joint connects do not touch: neither, then, do the bodies that fixed joints hold together with them. A
 * builder filters the two bodies of a joint only, and a robot whose links are made of several fixed bodies would press
 * against itself at every joint.
 */
export function filterJoinedParts(builder: ModelBuilder, range: JoinedPartsRange): void {
	const { rigidOf, shapesOf } = partsOf(builder, range);
	const types = builder.column('jointType');
	const parents = builder.column('jointParent');
	const children = builder.column('jointChild');
	const filters = builder.column('jointFilterParent');
	for (let joint = range.joint; joint < builder.jointCount; joint++) {
		if (types[joint] === JointType.FIXED || filters[joint] === 0 || parents[joint]! < range.body) continue;
		const first = rigidOf.get(parents[joint]!) ?? WORLD;
		const second = rigidOf.get(children[joint]!) ?? WORLD;
		if (first === second || (first === WORLD && !range.includesFixed)) continue;
		for (const a of shapesOf.get(first) ?? []) {
			for (const b of shapesOf.get(second) ?? []) builder.addCollisionFilterPair(Math.min(a, b), Math.max(a, b));
		}
	}
}

interface Parts {
	/** First body of those that fixed joints hold together, -1 for those that they hold to the world. */
	readonly rigidOf: ReadonlyMap<number, number>;
	/** Colliders of each part. */
	readonly shapesOf: ReadonlyMap<number, readonly number[]>;
}

function partsOf(builder: ModelBuilder, range: JoinedPartsRange): Parts {
	const types = builder.column('jointType');
	const parents = builder.column('jointParent');
	const children = builder.column('jointChild');
	const holder = new Map<number, number>();
	for (let joint = range.joint; joint < builder.jointCount; joint++) {
		const child = children[joint]!;
		if (types[joint] === JointType.FIXED && !holder.has(child)) holder.set(child, parents[joint]!);
	}
	const rigidOf = new Map<number, number>();
	for (let body = range.body; body < builder.bodyCount; body++) {
		// what is known of bodies on the way is not looked for again: chains may be long
		let root = body;
		const way = new Set<number>();
		while (root >= range.body && holder.has(root) && !rigidOf.has(root) && !way.has(root)) {
			way.add(root);
			root = holder.get(root)!;
		}
		if (way.has(root)) {
			// a ring of bodies that hold each other: each is a part of its own
			for (let one = root; !rigidOf.has(one); one = holder.get(one)!) rigidOf.set(one, one);
		}
		const found = rigidOf.get(root) ?? root;
		for (const one of way) if (!rigidOf.has(one)) rigidOf.set(one, found);
		rigidOf.set(body, rigidOf.get(body) ?? found);
	}
	const shapesOf = new Map<number, number[]>();
	const bodies = builder.column('shapeBody');
	const flags = builder.column('shapeFlags');
	const filters = builder.column('shapeFilterParent');
	for (let shape = range.shape; shape < builder.shapeCount; shape++) {
		const part = rigidOf.get(bodies[shape]!);
		if (part === undefined || filters[shape] === 0 || (flags[shape]! & ShapeFlags.COLLIDE_SHAPES) === 0) continue;
		const shapes = shapesOf.get(part);
		if (shapes === undefined) shapesOf.set(part, [shape]);
		else shapes.push(shape);
	}
	return { rigidOf, shapesOf };
}
