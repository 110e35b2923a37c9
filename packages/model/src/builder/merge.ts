import { quatRotate, transformInvert, transformMultiply, transformPoint } from '@manyworlds/core/internal';
import { type Entity, WORLD_COLUMNS } from '../columns.ts';
import { JointType, WORLD } from '../enums.ts';
import { axisIndex, type UpAxis } from '../geometry-inputs.ts';
import { LABELLED_ENTITIES } from '../tables.ts';
import type { BuilderCore } from './builder-core.ts';

/** One copy of a builder. */
export interface Copy {
	/** World that the copy goes to, -1 for none. */
	readonly world: number;
	/** Where it goes; undefined keeps every number as it is. */
	readonly xform: Float64Array | undefined;
	readonly labelPrefix: string | undefined;
}

/** Appends copies of one builder to another. Nothing is refused here: the caller has checked. */
export function mergeCopies(target: BuilderCore, source: BuilderCore, copies: readonly Copy[]): void {
	const sourceCounts = { ...source.tables.counts };
	const base = target.tables.appendCopies(source.tables, copies.length);
	for (const { entity, column } of WORLD_COLUMNS) {
		const worlds = target.tables.column(column);
		copies.forEach((copy, i) => {
			const start = base[entity] + i * sourceCounts[entity];
			worlds.fill(copy.world, start, start + sourceCounts[entity]);
		});
	}
	for (const copy of copies) {
		for (const entity of LABELLED_ENTITIES) {
			const labels = target.tables.labels[entity];
			const prefix = copy.labelPrefix ? `${copy.labelPrefix}/` : '';
			for (const label of source.tables.labels[entity]) labels.push(label === '' ? label : prefix + label);
		}
		for (const shapeSource of source.shapeSources) target.shapeSources.push(shapeSource);
	}
	copies.forEach((copy, i) => {
		if (copy.xform === undefined) return;
		const start = (entity: Entity): number => base[entity] + i * sourceCounts[entity];
		moveCopy(target, sourceCounts, start, copy.xform);
	});
	target.attributes.merge(source.attributes, {
		base,
		sourceCounts,
		firstWorld: copies[0]?.world ?? WORLD,
		copies: copies.length,
	});
}

/** Moves everything of one copy that is placed in the world: bodies, static shapes, root joints, particles, velocities. */
function moveCopy(
	core: BuilderCore,
	counts: Readonly<Record<Entity, number>>,
	start: (entity: Entity) => number,
	xform: Float64Array,
): void {
	const { tables } = core;
	const poses = tables.column('bodyQ');
	const velocities = tables.column('bodyQd');
	for (let body = start('body'), end = body + counts.body; body < end; body++) {
		transformMultiply(poses, xform, poses, 7 * body, 0, 7 * body);
		rotatePair(velocities, 6 * body, xform);
	}
	const shapes = tables.column('shapeTransform');
	const bodies = tables.column('shapeBody');
	for (let shape = start('shape'), end = shape + counts.shape; shape < end; shape++) {
		if (bodies[shape] === WORLD) transformMultiply(shapes, xform, shapes, 7 * shape, 0, 7 * shape);
	}
	const parents = tables.column('jointParent');
	for (let joint = start('joint'), end = joint + counts.joint; joint < end; joint++) {
		if (parents[joint] === WORLD) moveRootJoint(core, joint, xform);
	}
	const positions = tables.column('particleQ');
	const speeds = tables.column('particleQd');
	for (let particle = start('particle'), end = particle + counts.particle; particle < end; particle++) {
		transformPoint(positions, xform, positions, 3 * particle, 0, 3 * particle);
		quatRotate(speeds, xform, speeds, 3 * particle, 3, 3 * particle);
	}
}

/**
 * A free joint keeps its frame and moves by its coordinates, other joints move by their frame.
 * With the parent frame P the coordinates become (P⁻¹ X P) q, and velocities turn with P⁻¹ X P too.
 */
function moveRootJoint(core: BuilderCore, joint: number, xform: Float64Array): void {
	const { tables } = core;
	const frames = tables.column('jointXP');
	if (tables.get('jointType', joint) !== JointType.FREE) {
		transformMultiply(frames, xform, frames, 7 * joint, 0, 7 * joint);
		return;
	}
	const local = new Float64Array(7);
	transformInvert(local, frames, 0, 7 * joint);
	transformMultiply(local, local, xform);
	transformMultiply(local, local, frames, 0, 0, 7 * joint);
	const q = tables.column('jointQ');
	const qStart = tables.get('jointQStart', joint);
	transformMultiply(q, local, q, qStart, 0, qStart);
	rotatePair(tables.column('jointQd'), tables.get('jointQdStart', joint), local);
}

/** Turns a linear and an angular velocity by the rotation of a transform. */
function rotatePair(values: Float64Array, at: number, xform: Float64Array): void {
	quatRotate(values, xform, values, at, 3, at);
	quatRotate(values, xform, values, at + 3, 3, at + 3);
}

/**
 * Where replicated worlds stand: a line for one nonzero spacing, a grid for two or three, the first nonzero axis running fastest.
 * Centred, except along the up axis. Three numbers for each world [m].
 */
export function worldOffsets(count: number, spacing: ArrayLike<number>, upAxis: UpAxis): Float64Array {
	const axes = [0, 1, 2].filter((axis) => spacing[axis] !== 0);
	const out = new Float64Array(3 * count);
	if (axes.length === 0 || count === 0) return out;
	const side = sideLength(count, axes.length);
	for (let world = 0; world < count; world++) {
		let rest = world;
		axes.forEach((axis, i) => {
			const isLast = i === axes.length - 1;
			out[3 * world + axis] = (isLast ? rest : rest % side) * spacing[axis]!;
			rest = Math.floor(rest / side);
		});
	}
	for (const axis of axes) {
		if (axis === axisIndex(upAxis)) continue;
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let world = 0; world < count; world++) {
			low = Math.min(low, out[3 * world + axis]!);
			high = Math.max(high, out[3 * world + axis]!);
		}
		for (let world = 0; world < count; world++) out[3 * world + axis] = out[3 * world + axis]! - (low + high) / 2;
	}
	return out;
}

/** The least whole number whose `dimensions`-th power reaches `count`. */
function sideLength(count: number, dimensions: number): number {
	let side = Math.max(1, Math.floor(count ** (1 / dimensions)));
	while (side ** dimensions < count) side++;
	while (side > 1 && (side - 1) ** dimensions >= count) side--;
	return side;
}
