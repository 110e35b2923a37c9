import { mat3ToQuat } from '@manyworlds/core/internal';
import {
	boundingSphere,
	type ConvexHull,
	convexHull,
	decomposeConvex,
	orientedBox,
	simplifyMesh,
} from '@manyworlds/mesh';
import { triangleCount } from '@manyworlds/mesh/internal';
import { type AttributeAssignments, GeoType, ShapeFlags, type ShapeMesh } from '@manyworlds/model';
import { rowOf } from '../row-of.ts';
import type { Approximation, PendingApproximation } from './colliders.ts';
import type { ImportContext } from './context.ts';
import { readableAttributes } from './custom-values.ts';
import { composePoses, makePose } from './poses.ts';
import { visualConfig } from './visuals.ts';

/** Share of its excess volume up to which a part of a decomposition is convex enough. */
const CONCAVITY = 0.05;
/** Share of triangles that simplification leaves. */
const SIMPLIFIED_SHARE = 0.5;

/**
 * Replaces mesh colliders by what `physics:approximation` asks for. A mesh that is also seen stays, as a second shape that
 * only looks. Gives the further convex parts of each decomposed shape.
 */
export function approximateColliders(
	ctx: ImportContext,
	pending: readonly PendingApproximation[],
): ReadonlyMap<number, readonly number[]> {
	const parts = new Map<number, number[]>();
	const filtered = filteredShapes(ctx);
	const hulls = new Hulls();
	for (const method of new Set(pending.map((item) => item.method))) {
		const items = pending.filter((item) => item.method === method);
		const seen = items.filter(({ keepsVisual }) => keepsVisual);
		for (const { shape } of seen) keepVisual(ctx, shape);
		const rest = items.filter(({ keepsVisual }) => !keepsVisual);
		const primitives: number[] = [];
		for (const item of [...seen, ...rest])
			if (approximate(ctx, item, method, parts, filtered, hulls)) primitives.push(item.shape);
		hideCovered(ctx, primitives);
	}
	return parts;
}

/** Shapes that each shape never collides with. */
type FilteredShapes = ReadonlyMap<number, readonly number[]>;

function filteredShapes({ builder }: ImportContext): FilteredShapes {
	const found = new Map<number, number[]>();
	const add = (shape: number, other: number): void => {
		const list = found.get(shape);
		if (list === undefined) found.set(shape, [other]);
		else list.push(other);
	};
	const pairs = builder.column('filterPair');
	for (let i = 0; i < pairs.length; i += 2) {
		add(pairs[i]!, pairs[i + 1]!);
		add(pairs[i + 1]!, pairs[i]!);
	}
	return found;
}

/** Adds a shape that shows the mesh as authored, and hides the collider. */
function keepVisual(ctx: ImportContext, shape: number): void {
	const { builder } = ctx;
	const copy = builder.addShapeMesh(builder.column('shapeBody')[shape]!, {
		mesh: builder.edits.shapeSource(shape) as ShapeMesh,
		scale: rowOf(builder.column('shapeScale'), 3, shape),
		xform: rowOf(builder.column('shapeTransform'), 7, shape),
		config: {
			...visualConfig(ctx),
			isVisible: true,
			margin: builder.column('shapeMargin')[shape]!,
			isSolid: builder.column('shapeIsSolid')[shape] === 1,
		},
		color: rowOf(builder.column('shapeColor'), 3, shape),
		opacity: builder.column('shapeOpacity')[shape]!,
		label: `${builder.labels('shape')[shape]}_visual`,
		attributes: attributesOf(ctx, shape),
	});
	const flags = builder.column('shapeFlags');
	flags[shape] = flags[shape]! & ~ShapeFlags.VISIBLE;
	flags[copy] = ShapeFlags.VISIBLE;
}

/** Hulls of points, each once: colliders share meshes. */
class Hulls {
	readonly #known = new Map<Float64Array, { readonly maxVertices: number; readonly hull: ConvexHull }>();

	of(points: Float64Array, maxVertices: number): ConvexHull {
		let known = this.#known.get(points);
		if (known?.maxVertices !== maxVertices) {
			known = { maxVertices, hull: convexHull(points, { maxVertices }) };
			this.#known.set(points, known);
		}
		return known.hull;
	}
}

/** Replaces one shape; whether a primitive took its place. */
function approximate(
	ctx: ImportContext,
	{ shape, prim }: PendingApproximation,
	method: Approximation,
	parts: Map<number, number[]>,
	filtered: FilteredShapes,
	hulls: Hulls,
): boolean {
	const { builder } = ctx;
	const mesh = builder.edits.shapeSource(shape) as ShapeMesh;
	const limit = mesh.maxHullVertices ?? -1;
	const maxVertices = limit > 0 ? Math.max(4, limit) : Number.POSITIVE_INFINITY;
	switch (method) {
		case 'convexDecomposition': {
			const pieces = decomposeConvex(bare(mesh), {
				threshold: CONCAVITY,
				...(limit > 0 ? { maxVerticesPerHull: Math.max(4, limit) } : {}),
				report: ctx.report,
			}).parts;
			if (pieces.length === 0) {
				ctx.tell(
					'IMP034',
					prim,
					'the mesh could not be divided into convex parts; its hull is used',
					'physics:approximation',
				);
				return approximate(
					ctx,
					{ shape, prim, method: 'convexHull', keepsVisual: false },
					'convexHull',
					parts,
					filtered,
					hulls,
				);
			}
			builder.edits.replaceShape(shape, { type: GeoType.CONVEX_MESH, source: { ...looks(mesh), ...pieces[0]! } });
			parts.set(shape, addParts(ctx, shape, pieces.slice(1), filtered));
			return false;
		}
		case 'convexHull': {
			const { mesh: hull, dimension } = hulls.of(mesh.vertices, maxVertices);
			if (dimension < 3) {
				ctx.tell(
					'IMP034',
					prim,
					'the points of the mesh have no hull with a volume; a box around them is used',
					'physics:approximation',
				);
				return approximate(
					ctx,
					{ shape, prim, method: 'boundingCube', keepsVisual: false },
					'boundingCube',
					parts,
					filtered,
					hulls,
				);
			}
			builder.edits.replaceShape(shape, { type: GeoType.CONVEX_MESH, source: { ...looks(mesh), ...hull } });
			return false;
		}
		case 'meshSimplification': {
			const count = triangleCount(mesh);
			const { mesh: simple } = simplifyMesh(bare(mesh), { targetTriangles: Math.ceil(count * SIMPLIFIED_SHARE) });
			builder.edits.replaceShape(shape, { source: { ...looks(mesh), ...simple } });
			return false;
		}
		case 'boundingSphere':
			replaceBySphere(ctx, shape, mesh);
			return true;
		case 'boundingCube':
			replaceByBox(ctx, shape, mesh);
			return true;
	}
}

/** A sphere: the smallest one, or about the mean of the vertices as Newton has it. */
function replaceBySphere(ctx: ImportContext, shape: number, mesh: ShapeMesh): void {
	const { builder } = ctx;
	const points = scaledPoints(ctx, shape, mesh);
	const { center, radius } = ctx.options.newtonCompat ? meanSphere(points) : boundingSphere(points);
	const xform = rowOf(builder.column('shapeTransform'), 7, shape);
	builder.edits.replaceShape(shape, {
		type: GeoType.SPHERE,
		source: null,
		scale: [radius, 0, 0],
		xform: composePoses(xform, makePose(center, [0, 0, 0, 1])),
	});
}

function replaceByBox(ctx: ImportContext, shape: number, mesh: ShapeMesh): void {
	const { builder } = ctx;
	const { center, halfExtents, axes } = orientedBox(scaledPoints(ctx, shape, mesh));
	const rotation = mat3ToQuat(new Float64Array(4), axes);
	const xform = rowOf(builder.column('shapeTransform'), 7, shape);
	builder.edits.replaceShape(shape, {
		type: GeoType.BOX,
		source: null,
		scale: halfExtents,
		xform: composePoses(xform, makePose(center, rotation)),
	});
}

function scaledPoints(ctx: ImportContext, shape: number, { vertices }: ShapeMesh): Float64Array {
	const scale = rowOf(ctx.builder.column('shapeScale'), 3, shape);
	return vertices.map((part, i) => part * scale[i % 3]!);
}

function meanSphere(points: Float64Array): { center: Float64Array; radius: number } {
	const center = new Float64Array(3);
	const count = points.length / 3;
	for (let i = 0; i < points.length; i++) center[i % 3] = center[i % 3]! + points[i]! / count;
	let radius = 0;
	for (let i = 0; i < points.length; i += 3) {
		radius = Math.max(
			radius,
			Math.hypot(points[i]! - center[0]!, points[i + 1]! - center[1]!, points[i + 2]! - center[2]!),
		);
	}
	return { center, radius };
}

/** Adds convex parts beside the first one, with its material, its filters and no mass. */
function addParts(ctx: ImportContext, shape: number, hulls: readonly ShapeMesh[], filtered: FilteredShapes): number[] {
	const { builder } = ctx;
	const number = (
		name:
			| 'shapeMaterialKe'
			| 'shapeMaterialKd'
			| 'shapeMaterialKf'
			| 'shapeMaterialKa'
			| 'shapeMaterialMu'
			| 'shapeMaterialRestitution'
			| 'shapeMaterialMuTorsional'
			| 'shapeMaterialMuRolling'
			| 'shapeMaterialKh'
			| 'shapeMargin'
			| 'shapeGap',
	): number => builder.column(name)[shape]!;
	const flags = builder.column('shapeFlags')[shape]!;
	const body = builder.column('shapeBody')[shape]!;
	const bodies = builder.column('shapeBody');
	const others = [...new Set(filtered.get(shape))].filter((other) => bodies[other] !== body).sort((a, b) => a - b);
	return hulls.map((hull, i) => {
		const part = builder.addShapeConvex(body, {
			mesh: hull,
			scale: rowOf(builder.column('shapeScale'), 3, shape),
			xform: rowOf(builder.column('shapeTransform'), 7, shape),
			config: {
				ke: number('shapeMaterialKe'),
				kd: number('shapeMaterialKd'),
				kf: number('shapeMaterialKf'),
				ka: number('shapeMaterialKa'),
				mu: number('shapeMaterialMu'),
				restitution: number('shapeMaterialRestitution'),
				muTorsional: number('shapeMaterialMuTorsional'),
				muRolling: number('shapeMaterialMuRolling'),
				kh: number('shapeMaterialKh'),
				margin: number('shapeMargin'),
				gap: number('shapeGap'),
				isSolid: builder.column('shapeIsSolid')[shape] === 1,
				density: 0,
				collisionGroup: builder.column('shapeCollisionGroup')[shape]!,
				collisionFilterParent: false,
			},
			color: rowOf(builder.column('shapeColor'), 3, shape),
			opacity: builder.column('shapeOpacity')[shape]!,
			label: `${builder.labels('shape')[shape]}_convex_${i + 1}`,
			attributes: attributesOf(ctx, shape),
		});
		builder.column('shapeFlags')[part] = flags;
		for (const other of others) builder.addCollisionFilterPair(other, part);
		return part;
	});
}

/** Primitives show no material, so they are hidden where the body has something else to see. */
function hideCovered(ctx: ImportContext, shapes: readonly number[]): void {
	const { builder } = ctx;
	const flags = builder.column('shapeFlags');
	const bodies = builder.column('shapeBody');
	const visible = new Map<number, number>();
	bodies.forEach((body, shape) => {
		if ((flags[shape]! & ShapeFlags.VISIBLE) !== 0) visible.set(body, (visible.get(body) ?? 0) + 1);
	});
	for (const shape of shapes) {
		const count = visible.get(bodies[shape]!) ?? 0;
		if ((flags[shape]! & ShapeFlags.VISIBLE) === 0 || count <= 1) continue;
		flags[shape] = flags[shape]! & ~ShapeFlags.VISIBLE;
		visible.set(bodies[shape]!, count - 1);
	}
}

/** Custom values of a shape, for a copy of it. */
function attributesOf(ctx: ImportContext, shape: number): AttributeAssignments {
	const out: Record<string, AttributeAssignments[string]> = {};
	for (const { key, declaration } of readableAttributes(ctx)) {
		if (declaration.frequency === 'shape') out[key] = ctx.builder.edits.attributeAt(key, shape);
	}
	return out;
}

/** Triangles alone. */
function bare({ vertices, indices }: ShapeMesh): ShapeMesh {
	return { vertices, indices };
}

/** A mesh without what belongs to its vertices. */
function looks({
	normals: _normals,
	uvs: _uvs,
	groups: _groups,
	faceAttributes: _attributes,
	...rest
}: ShapeMesh): ShapeMesh {
	return rest;
}
