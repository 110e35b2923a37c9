import { type Report, UsageRangeError } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { convexHull } from '../hull/convex-hull.ts';
import { splitComponents } from '../topology/connected-components.ts';
import { meshTopology } from '../topology/mesh-topology.ts';
import { weldVertices } from '../topology/weld-vertices.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { hullVolume } from './hull-volume.ts';
import { mergeParts } from './merge-parts.ts';
import { type Part, SolidSplitter } from './solid-splitter.ts';
import { voxelShell } from './voxel-shell.ts';

/** Options of {@link decomposeConvex}. @public */
export interface DecomposeOptions {
	/** Most convex parts. */
	readonly maxHulls?: number;
	/** A part is convex enough when its hull has at most this share of volume that the part has not. */
	readonly threshold?: number;
	/** Vertex budget of each hull, see {@link ConvexHullOptions}; hulls with a budget may not cover the mesh entirely. */
	readonly maxVerticesPerHull?: number;
	/** Cells along the longest side for components that are not closed. */
	readonly voxelResolution?: number;
	/** Receives warnings about components that are not closed. */
	readonly report?: Report;
}

/** Values of {@link DecomposeOptions} that are used when absent. @public */
export const DECOMPOSE_DEFAULTS: Required<Omit<DecomposeOptions, 'report'>> = {
	maxHulls: 32,
	threshold: 0.05,
	maxVerticesPerHull: 64,
	voxelResolution: 48,
};

/** A set of convex parts in place of a mesh. @public */
export interface ConvexDecomposition {
	/** Closed convex meshes, the largest first. Their union covers the solid when no vertex budget cuts in. */
	readonly parts: readonly TriangleMesh[];
	/** Volume of the hulls, without the vertex budget and counted one by one, and of the solid that they stand for. */
	readonly hullVolume: number;
	readonly solidVolume: number;
}

/**
 * Divides a solid into convex parts for collision. Each connected component is cut by planes along the axes: of many planes
 * that one is taken after which the hulls of the two sides have the least volume, and the part with the most excess is cut
 * next, until all are convex enough. The hull of a cut side is exact: that of the clipped surface and the cut corners inside.
 * Parts are joined again as long as their common hull is convex enough, then, cheapest first, down to `maxHulls`.
 * A component that is not closed is replaced by the cells of a grid that it fills, which is reported.
 * The same input gives the same parts.
 * @public
 */
export function decomposeConvex(mesh: TriangleMesh, options: DecomposeOptions = {}): ConvexDecomposition {
	const { maxHulls, threshold, maxVerticesPerHull, voxelResolution } = checkOptions(options);
	const welded = weldVertices(mesh, { dropDegenerate: true }).mesh;
	const parts: Part[] = [];
	// excess below a share of the whole is not worth a cut
	const tiny = 1e-4 * hullVolume(welded.vertices);
	const components = splitComponents(welded);
	const cutLimit = Math.max(Math.ceil((3 * maxHulls) / Math.max(components.length, 1)), 2);
	let open = 0;
	for (const component of components) {
		if (convexHull(component.vertices).dimension < 3) {
			parts.push({ points: component.vertices, hullVolume: 0, volume: 0 });
			continue;
		}
		const isClosed = meshTopology(component).isWatertight;
		if (!isClosed) open++;
		const solid = isClosed ? component : voxelShell(component, voxelResolution);
		parts.push(...new SolidSplitter(solid).split({ threshold, tiny, maxParts: cutLimit }));
	}
	if (open > 0) {
		const message = `${open} of ${components.length} components are not closed and were filled on a grid of ${voxelResolution} cells`;
		options.report?.add(createDiagnostic('MESH021', message));
	}
	const merged = mergeParts(parts, { threshold, tiny, maxParts: maxHulls });
	merged.sort((a, b) => b.hullVolume - a.hullVolume);
	return {
		parts: merged.map((part) => convexHull(part.points, { maxVertices: maxVerticesPerHull }).mesh),
		hullVolume: merged.reduce((sum, part) => sum + part.hullVolume, 0),
		solidVolume: merged.reduce((sum, part) => sum + part.volume, 0),
	};
}

function checkOptions(options: DecomposeOptions): Required<Omit<DecomposeOptions, 'report'>> {
	const { report: _, ...given } = options;
	const checked = { ...DECOMPOSE_DEFAULTS, ...given };
	const { maxHulls, threshold, maxVerticesPerHull, voxelResolution } = checked;
	if (!(maxHulls >= 1)) throw new UsageRangeError(`maxHulls is ${maxHulls}, expected 1 or more`);
	if (!(threshold >= 0 && threshold <= 1)) throw new UsageRangeError(`threshold is ${threshold}, expected 0 to 1`);
	if (!(maxVerticesPerHull >= 4)) {
		throw new UsageRangeError(`maxVerticesPerHull is ${maxVerticesPerHull}, expected 4 or more`);
	}
	if (!(Number.isInteger(voxelResolution) && voxelResolution >= 4 && voxelResolution <= 512)) {
		throw new UsageRangeError(`voxelResolution is ${voxelResolution}, expected a whole number from 4 to 512`);
	}
	return checked;
}
