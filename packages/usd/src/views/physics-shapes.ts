import type { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { factorMatrix } from './factor-matrix.ts';
import { geomSubsets } from './geom-subset.ts';
import { invertMatrix, multiplyMatrices } from './matrix.ts';
import type { PhysicsAxis, PhysicsShape, PhysicsShapeBase } from './physics-descriptors.ts';
import { type PhysicsReader, WORLD } from './physics-reader.ts';
import { readBool, readNumber, readText, readTuples } from './read-values.ts';

const { abs, fround, max } = Math;

/** Kinds of shapes in the order in which the parser gives them. */
export const SHAPE_KINDS: readonly PhysicsShape['kind'][] = [
	'SphereShape',
	'CubeShape',
	'CapsuleShape',
	'Capsule1Shape',
	'CylinderShape',
	'Cylinder1Shape',
	'ConeShape',
	'PlaneShape',
	'MeshShape',
	'SpherePointsShape',
	'CustomShape',
];

const KIND_BY_TYPE: readonly (readonly [type: string, kind: PhysicsShape['kind']])[] = [
	['Mesh', 'MeshShape'],
	['Cube', 'CubeShape'],
	['Sphere', 'SphereShape'],
	['Capsule', 'CapsuleShape'],
	['Capsule_1', 'Capsule1Shape'],
	['Cylinder', 'CylinderShape'],
	['Cylinder_1', 'Cylinder1Shape'],
	['Cone', 'ConeShape'],
	['Plane', 'PlaneShape'],
	['Points', 'SpherePointsShape'],
];

/** What kind of shape a collider is; undefined when it has none. */
export function shapeKind(
	prim: Prim,
	custom: readonly string[],
): { kind: PhysicsShape['kind']; token: string } | undefined {
	const token = custom.find((name) => prim.appliedSchemas.includes(name) || prim.typeName === name);
	if (token !== undefined) return { kind: 'CustomShape', token };
	if (!prim.isA('Gprim')) return undefined;
	for (const [type, kind] of KIND_BY_TYPE) if (prim.isA(type)) return { kind, token: '' };
	return undefined;
}

/** The descriptor of a collider. `body` is the prim of the body that it belongs to, if any. */
export function readShape(
	reader: PhysicsReader,
	prim: Prim,
	{ kind, token }: { kind: PhysicsShape['kind']; token: string },
	body: Prim | undefined,
	collisionGroups: readonly Path[],
): PhysicsShape {
	const base = readBase(reader, prim, body, collisionGroups);
	const scale = reader.worldScale(prim);
	const number = (name: string): number => readNumber(prim, name) ?? 0;
	const along = (axis: PhysicsAxis): number => scale['XYZ'.indexOf(axis)]!;
	const across = (axis: PhysicsAxis): number => {
		const others = [0, 1, 2].filter((i) => i !== 'XYZ'.indexOf(axis));
		return max(...others.map((i) => abs(fround(scale[i]!))));
	};
	const halfHeight = (axis: PhysicsAxis): number =>
		abs(fround(fround(fround(number('height')) * 0.5) * fround(along(axis))));
	const radius = (name: string, axis: PhysicsAxis): number => abs(fround(fround(number(name)) * across(axis)));
	const largest = max(abs(fround(scale[0]!)), abs(fround(scale[1]!)), abs(fround(scale[2]!)));
	switch (kind) {
		case 'SphereShape':
			return { ...base, kind, radius: abs(fround(largest * fround(number('radius')))) };
		case 'CubeShape': {
			const half = fround(abs(number('size')) * 0.5);
			return { ...base, kind, halfExtents: Float32Array.from(scale, (s) => fround(s) * half) };
		}
		case 'CapsuleShape':
		case 'CylinderShape':
		case 'ConeShape': {
			const axis = reader.axis(prim, 'axis');
			return { ...base, kind, axis, radius: radius('radius', axis), halfHeight: halfHeight(axis) };
		}
		case 'Capsule1Shape':
		case 'Cylinder1Shape': {
			const axis = reader.axis(prim, 'axis');
			const topRadius = radius('radiusTop', axis);
			return {
				...base,
				kind,
				axis,
				topRadius,
				bottomRadius: radius('radiusBottom', axis),
				halfHeight: halfHeight(axis),
			};
		}
		case 'MeshShape':
			return {
				...base,
				kind,
				approximation:
					(prim.hasSchema('PhysicsMeshCollisionAPI') ? readText(prim, 'physics:approximation') : undefined) ?? 'none',
				meshScale: Float32Array.from(scale),
				doubleSided: readBool(prim, 'doubleSided') ?? false,
				materials: [...subsetMaterials(reader, prim), ...base.materials],
			};
		case 'PlaneShape':
			return { ...base, kind, axis: reader.axis(prim, 'axis') };
		case 'SpherePointsShape':
			return readSpherePoints(reader, prim, base, largest);
		case 'CustomShape':
			return { ...base, kind, token };
	}
}

function readBase(
	reader: PhysicsReader,
	prim: Prim,
	body: Prim | undefined,
	collisionGroups: readonly Path[],
): PhysicsShapeBase {
	const material = reader.material(prim);
	return {
		primPath: prim.path,
		isValid: true,
		rigidBody: body?.path ?? WORLD,
		...readPose(reader, prim, body),
		materials: material === undefined ? [] : [material],
		simulationOwners: reader.targets(prim, 'physics:simulationOwner'),
		filteredCollisions: reader.filteredPairs(prim),
		collisionGroups,
		collisionEnabled: reader.bool(prim, 'physics:collisionEnabled', true),
	};
}

/** The pose in the body. Bodies have no scale in physics, so that of the body goes into the position. */
function readPose(
	reader: PhysicsReader,
	prim: Prim,
	body: Prim | undefined,
): Pick<PhysicsShapeBase, 'localPos' | 'localRot' | 'localScale'> {
	if (body?.path === prim.path) {
		return {
			localPos: new Float32Array(3),
			localRot: new Float32Array([0, 0, 0, 1]),
			localScale: new Float32Array([1, 1, 1]),
		};
	}
	const world = reader.transforms.worldTransform(prim);
	const matrix =
		body === undefined ? world : multiplyMatrices(world, invertMatrix(reader.transforms.worldTransform(body)).matrix);
	const { translation, rotation, scale } = factorMatrix(matrix);
	const bodyScale = body === undefined ? undefined : reader.worldScale(body);
	return {
		localPos: Float32Array.of(
			fround(translation[0]!) * fround(bodyScale?.[0] ?? 1),
			fround(translation[1]!) * fround(bodyScale?.[1] ?? 1),
			fround(translation[2]!) * fround(bodyScale?.[2] ?? 1),
		),
		localRot: Float32Array.from(rotation),
		localScale: Float32Array.from(scale),
	};
}

function subsetMaterials(reader: PhysicsReader, prim: Prim): Path[] {
	return geomSubsets(prim, { elementType: 'face' }).flatMap(({ prim: subset }) => reader.material(subset) ?? []);
}

function readSpherePoints(reader: PhysicsReader, prim: Prim, base: PhysicsShapeBase, scale: number): PhysicsShape {
	const widths = readTuples(prim, 'widths', 1) ?? new Float32Array();
	const points = readTuples(prim, 'points', 3) ?? new Float32Array();
	const isValid = widths.length > 0 && points.length === widths.length * 3;
	if (!isValid) reader.warn(prim, `there are ${widths.length} widths for ${points.length / 3} points of a collider`);
	const spheres = new Float32Array(isValid ? widths.length * 4 : 0);
	for (let i = 0; i * 4 < spheres.length; i++) {
		for (let k = 0; k < 3; k++) spheres[i * 4 + k] = points[i * 3 + k]!;
		spheres[i * 4 + 3] = fround(scale * widths[i]!) * 0.5;
	}
	return { ...base, kind: 'SpherePointsShape', isValid, spheres };
}
