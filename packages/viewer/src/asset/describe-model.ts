import { principalInertia } from '@manyworlds/core/internal';
import type { TriangleMesh } from '@manyworlds/mesh';
import { flipMesh } from '@manyworlds/mesh/internal';
import { GeoType, isHeightfield, JointTargetMode, JointType, type Model, ShapeFlags } from '@manyworlds/model';
import { CollisionGeometry, type HeightGeometry, type HullGeometry } from '@manyworlds/sim/internal';
import type { OpenedModel } from 'manyworlds';
import type {
	FreedomRow,
	JointKind,
	JointRow,
	LinkRow,
	MeshArrays,
	RobotParts,
	ShapeKind,
	ShapeRow,
} from './asset-types.ts';
import { filteredLinks } from './filtered-links.ts';

/** Links, joints and shapes of the first world of a model, with what all worlds share, at the start. */
export function describeModel({ model, start: state, dt, keyframes = [] }: OpenedModel): RobotParts {
	const bodyCount = model.worldCount > 0 ? model.bodyWorldStart[1]! : model.bodyCount;
	const coordinateCount = model.worldCount > 0 ? model.jointCoordWorldStart[1]! : state.jointQ.length;
	const joints = describeJoints(model);
	const holder = new Map(joints.flatMap(({ child, isLoop }, index) => (isLoop ? [] : [[child, index] as const])));
	const links = Array.from({ length: bodyCount }, (_, body) => describeLink(model, body, holder.get(body) ?? -1));
	return {
		links,
		joints,
		...describeShapes(model, bodyCount),
		poses: Float32Array.from(state.bodyQ.subarray(0, 7 * bodyCount)),
		coordinates: state.jointQ.slice(0, coordinateCount),
		sensors: [],
		targets: model.jointTargetQ.slice(0, coordinateCount),
		filtered: filteredLinks(model, bodyCount),
		keyframes,
		dt,
		gravity: [...model.gravityOf(0)],
	};
}

function describeLink({ bodyLabels, bodyMass, bodyCom, bodyInertia }: Model, body: number, joint: number): LinkRow {
	const label = bodyLabels[body]!;
	const mass = bodyMass[body]!;
	const [x, y, z] = bodyCom.subarray(3 * body, 3 * body + 3);
	const { moments, axes } = principalInertia(bodyInertia.slice(9 * body, 9 * body + 9));
	// a box of mass m and half extents a b c has the moments m (b² + c²) / 3, and so on
	const sum = (moments[0]! + moments[1]! + moments[2]!) / 2;
	const half = Array.from(moments, (moment) => Math.sqrt(Math.max(0, (3 * (sum - moment)) / mass)));
	return {
		label,
		name: lastName(label),
		mass,
		center: [x!, y!, z!],
		joint,
		...(mass > 0 && { inertiaBox: { half, rotation: [...axes] } }),
	};
}

const JOINT_KINDS: Readonly<Record<number, JointKind>> = {
	[JointType.PRISMATIC]: 'slide',
	[JointType.REVOLUTE]: 'hinge',
	[JointType.BALL]: 'ball',
	[JointType.FIXED]: 'fixed',
	[JointType.FREE]: 'free',
	[JointType.DISTANCE]: 'distance',
	[JointType.D6]: 'several',
};

function describeJoints(model: Model): JointRow[] {
	const count = model.worldCount > 0 ? model.jointWorldStart[1]! : model.jointCount;
	const followers = new Set(model.constraintMimicJoint0.filter((_, i) => model.constraintMimicEnabled[i] !== 0));
	return Array.from({ length: count }, (_, joint) => {
		const label = model.jointLabels[joint]!;
		return {
			label,
			name: lastName(label),
			kind: JOINT_KINDS[model.jointType[joint]!] ?? 'several',
			parent: model.jointParent[joint]!,
			child: model.jointChild[joint]!,
			frame: [...model.jointXP.subarray(7 * joint, 7 * joint + 7)],
			freedoms: describeFreedoms(model, joint, followers.has(joint)),
			isLoop: model.jointArticulation[joint]! < 0,
		};
	});
}

/** All freedoms of the joints of the first world. */
export function freedomsOf(model: Model): FreedomRow[] {
	return describeJoints(model).flatMap(({ freedoms, isLoop }) => (isLoop ? [] : freedoms));
}

/** Whether a joint has one coordinate. */
export function isSingle({ jointQStart }: Model, joint: number): boolean {
	return jointQStart[joint + 1]! - jointQStart[joint]! === 1;
}

/** Freedoms with a coordinate of their own: not those of balls and free bodies. */
function describeFreedoms(model: Model, joint: number, isFollower: boolean): FreedomRow[] {
	const type = model.jointType[joint]!;
	if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) return [];
	const slides = model.jointDofDim[2 * joint]!;
	const first = model.jointQdStart[joint]!;
	return Array.from({ length: model.jointQdStart[joint + 1]! - first }, (_, way) => {
		const dof = first + way;
		const [x, y, z] = model.jointAxis.subarray(3 * dof, 3 * dof + 3);
		const bound = (value: number, end: number): number => (Math.abs(value) >= 1e9 ? end : value);
		return {
			motion: way < slides ? 'slide' : 'turn',
			axis: [x!, y!, z!],
			coordinate: model.jointQStart[joint]! + way,
			dof,
			lower: bound(model.jointLimitLower[dof]!, Number.NEGATIVE_INFINITY),
			upper: bound(model.jointLimitUpper[dof]!, Number.POSITIVE_INFINITY),
			isFollower,
			isDriven: model.jointTargetMode[dof] !== JointTargetMode.NONE && model.jointTargetKe[dof]! > 0,
		};
	});
}

const SHAPE_KINDS: Readonly<Record<number, ShapeKind>> = {
	[GeoType.PLANE]: 'plane',
	[GeoType.SPHERE]: 'sphere',
	[GeoType.CAPSULE]: 'capsule',
	[GeoType.ELLIPSOID]: 'ellipsoid',
	[GeoType.CYLINDER]: 'cylinder',
	[GeoType.BOX]: 'box',
	[GeoType.CONE]: 'cone',
	[GeoType.MESH]: 'mesh',
	[GeoType.CONVEX_MESH]: 'mesh',
	[GeoType.HFIELD]: 'mesh',
};

/** Shapes of the first world and those of none; meshes as the solver collides with them, else as they are seen. */
function describeShapes(model: Model, bodyCount: number): Pick<RobotParts, 'shapes' | 'meshes'> {
	const geometry = new CollisionGeometry(model);
	const meshes: MeshArrays[] = [];
	const known = new Map<object | string, number>();
	const meshOf = (key: object | string, make: () => MeshArrays): number => {
		let index = known.get(key);
		if (index === undefined) known.set(key, (index = meshes.push(make()) - 1));
		return index;
	};
	const names = new Map<object, number>();
	const shapes: ShapeRow[] = [];
	for (let shape = 0; shape < model.shapeCount; shape++) {
		if (model.shapeWorld[shape]! > 0 || model.shapeBody[shape]! >= bodyCount) continue;
		const kind = SHAPE_KINDS[model.shapeType[shape]!];
		const flags = model.shapeFlags[shape]!;
		if (kind === undefined || (flags & ShapeFlags.SITE) !== 0) continue;
		const [x, y, z] = model.shapeScale.subarray(3 * shape, 3 * shape + 3) as unknown as [number, number, number];
		const source = model.shapeSources[shape] ?? null;
		let mesh: number | undefined;
		if (source !== null) {
			const { hulls, meshes: soups, heights } = geometry;
			const [hull, soup, height] = [hulls[shape], soups[shape], heights[shape]];
			if (soup !== undefined) mesh = meshOf(soup, () => arraysOf(soup.mesh));
			else if (hull !== undefined) mesh = meshOf(hull, () => hullArrays(hull));
			else if (height !== undefined) mesh = meshOf(height, () => heightArrays(height));
			else if (!isHeightfield(source)) {
				if (!names.has(source)) names.set(source, names.size);
				mesh = meshOf(`${names.get(source)} ${x} ${y} ${z}`, () => arraysOf(source, [x, y, z]));
			}
			if (mesh === undefined) continue;
		}
		const [red, green, blue] = model.shapeColor.subarray(3 * shape, 3 * shape + 3);
		shapes.push({
			label: model.shapeLabels[shape]!,
			link: model.shapeBody[shape]!,
			pose: [...model.shapeTransform.subarray(7 * shape, 7 * shape + 7)],
			kind,
			scale: [x, y, z],
			...(mesh !== undefined && { mesh }),
			color: [red!, green!, blue!],
			opacity: model.shapeOpacity[shape]!,
			isVisible: (flags & ShapeFlags.VISIBLE) !== 0,
			collides: (flags & ShapeFlags.COLLIDE_SHAPES) !== 0,
		});
	}
	return { shapes, meshes };
}

function arraysOf(mesh: TriangleMesh, scale: readonly [number, number, number] = [1, 1, 1]): MeshArrays {
	const positions = Float32Array.from(mesh.vertices, (value, i) => value * scale[i % 3]!);
	// what is outside stays outside where the scale mirrors
	const { indices } = scale[0] * scale[1] * scale[2] < 0 ? flipMesh(mesh) : mesh;
	return { positions, indices: Uint32Array.from(indices) };
}

/** Faces of a hull as fans. */
function hullArrays({ vertices, faceStart, faceVertices }: HullGeometry): MeshArrays {
	const indices: number[] = [];
	for (let face = 0; face + 1 < faceStart.length; face++) {
		const first = faceVertices[faceStart[face]!]!;
		for (let k = faceStart[face]! + 1; k + 1 < faceStart[face + 1]!; k++) {
			indices.push(first, faceVertices[k]!, faceVertices[k + 1]!);
		}
	}
	return { positions: Float32Array.from(vertices), indices: Uint32Array.from(indices) };
}

/** A heightfield as two triangles for each of its squares. */
function heightArrays({ rows, columns, hx, hy, heights }: HeightGeometry): MeshArrays {
	const positions = new Float32Array(3 * rows * columns);
	const indices: number[] = [];
	for (let row = 0; row < rows; row++) {
		for (let column = 0; column < columns; column++) {
			const at = row * columns + column;
			positions.set([-hx + (2 * hx * column) / (columns - 1), -hy + (2 * hy * row) / (rows - 1), heights[at]!], 3 * at);
			if (row + 1 === rows || column + 1 === columns) continue;
			indices.push(at, at + 1, at + columns, at + 1, at + columns + 1, at + columns);
		}
	}
	return { positions, indices: Uint32Array.from(indices) };
}

/** The last name of a path. */
export function lastName(label: string): string {
	return label.slice(label.lastIndexOf('/') + 1);
}
