import { UsageRangeError } from '@manyworlds/core';
import {
	type MassProperties,
	type PrimitiveShape,
	placeMass,
	primitiveMass,
	scaleMass,
	shellMass,
	solidMass,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { inertiaAbout, multiplyDensity, scaleMesh } from '@manyworlds/mesh/internal';
import type { PhysicsShape, Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { hasMassApi, inertiaTensor, type StatedMass, statedMass } from './mass-values.ts';
import { makePose, turnToAxis } from './poses.ts';
import { colliderShear, type Shear, stretchMesh } from './shear.ts';
import type { UsdMeshes } from './usd-mesh.ts';
import { isEnabledCollider } from './visuals.ts';

/** How a collider was added. */
export interface ColliderMaterial {
	/** That of the material or the default. */
	readonly density: number;
	readonly isSolid: boolean;
	readonly thickness: number;
}

/** What a collider weighs at density 1, in its own frame, with what it states itself. */
export interface RecordedCollider {
	readonly prim: Prim;
	readonly shape: PhysicsShape;
	readonly unit: MassProperties;
	readonly stated: StatedMass;
	/** Density that the shape was added with. */
	readonly density: number;
	/** Pose in the body of a mesh that is sheared; the others have it in `shape`. */
	readonly shear: Shear | undefined;
}

/** Makes a decision; see `ImportPartsOptions`. */
export type Decide = <T extends string | boolean>(decision: () => T) => T;

/** Keeps the mass of colliders of bodies that do not state all of their own. */
export class MassRecorder {
	/** Bodies with mass properties that colliders may have to give. */
	readonly bodies: ReadonlySet<string>;
	readonly #ctx: ImportContext;
	readonly #meshes: UsdMeshes;
	readonly #byBody = new Map<string, RecordedCollider[]>();

	constructor(ctx: ImportContext, meshes: UsdMeshes, decide: Decide) {
		this.#ctx = ctx;
		this.#meshes = meshes;
		// what a body weighs does not matter here, only whether it says so
		this.bodies = new Set(
			decide(() => [...bodiesOfInterest(ctx)].join('\n'))
				.split('\n')
				.filter((path) => path !== ''),
		);
	}

	/** The colliders of a body in the order in which they were added. */
	collidersOf(body: string): readonly RecordedCollider[] {
		return this.#byBody.get(body) ?? [];
	}

	/** Notes a collider, if its body wants to know. */
	record(shape: PhysicsShape, prim: Prim, material: ColliderMaterial): void {
		const body = shape.rigidBody.toString();
		if (!this.bodies.has(body) || !isEnabledCollider(prim)) return;
		const stated = statedMass(this.#ctx, prim);
		const isStated = stated.mass !== undefined && stated.diagonalInertia !== undefined;
		const owner = this.#ctx.stage.prim(shape.rigidBody);
		const shear = shape.kind === 'MeshShape' ? colliderShear(this.#ctx, prim, owner) : undefined;
		const unit = this.#unitMass(shape, prim, isStated ? { ...material, isSolid: true } : material, shear);
		if (unit === undefined) return;
		if (!(unit.mass > 0)) {
			this.#ctx.tell('IMP041', prim, 'the collider has no volume, so it adds nothing to the mass of its body');
			return;
		}
		const recorded = { prim, shape, unit, stated, density: material.density, shear };
		const known = this.#byBody.get(body);
		if (known === undefined) this.#byBody.set(body, [recorded]);
		else known.push(recorded);
	}

	#unitMass(
		shape: PhysicsShape,
		prim: Prim,
		material: ColliderMaterial,
		shear: Shear | undefined,
	): MassProperties | undefined {
		try {
			if (shape.kind === 'MeshShape') {
				const { mesh } = this.#meshes.load(prim)!;
				if (shear !== undefined) return unitMeshMass(stretchMesh(mesh, shear.stretch), UNIT_SCALE, material);
				return unitMeshMass(mesh, shape.meshScale, material);
			}
			const primitive = primitiveOf(shape);
			if (primitive === undefined) return undefined;
			return primitiveMass(primitive, material.isSolid ? {} : { thickness: material.thickness });
		} catch (error) {
			if (!(error instanceof UsageRangeError)) throw error;
			this.#ctx.tell('IMP041', prim, `the collider adds nothing to the mass of its body: ${error.message}`);
			return undefined;
		}
	}
}

/**
 * Mass of a collider in the frame of its body, by UsdPhysics: its own mass, or its volume times its own density, that of the
 * body, or the given one. A centre that it states, and moments beside a mass, replace those of its shape;
 * `takesInertiaAlone` lets moments count without a mass, as OpenUSD does.
 */
export function colliderMass(
	ctx: ImportContext,
	{ prim, shape, unit, stated, density: ownDensity, shear }: RecordedCollider,
	bodyDensity: number | undefined,
	fallbackDensity: number | undefined,
	takesInertiaAlone: boolean,
): MassProperties {
	const hasInertia = stated.diagonalInertia !== undefined && (stated.mass !== undefined || takesInertiaAlone);
	const density = stated.density ?? bodyDensity ?? fallbackDensity ?? ownDensity;
	const mass = stated.mass ?? unit.mass * density;
	let properties = multiplyDensity(unit, mass / unit.mass);
	if (hasInertia) {
		properties = { ...properties, inertia: inertiaTensor(stated.diagonalInertia!, stated.principalAxes) };
	}
	const pose = shear?.pose ?? turnToAxis(makePose(shape.localPos, shape.localRot), axisOf(shape));
	let placed = placeMass(properties, pose.subarray(0, 3), pose.subarray(3));
	if (hasInertia) {
		// moments are stated in the frame of the prim, not in that of a shape turned to its axis
		const inertia = placeMass({ ...properties, com: new Float64Array(3) }, [0, 0, 0], shape.localRot).inertia;
		placed = { ...placed, inertia };
	}
	if (stated.centerOfMass === undefined) return placed;
	const { scale } = ctx.factored(prim);
	const own = Float64Array.from(stated.centerOfMass, (part, i) => part * scale[i]!);
	const com = placeMass({ ...unit, com: own }, shape.localPos, shape.localRot).com;
	const inertia = hasInertia ? placed.inertia : inertiaAbout(placed, com);
	return { mass, com, inertia };
}

const UNIT_SCALE = Float32Array.of(1, 1, 1);

/** Bodies with MassAPI that leaves something open, or with a collider that has it. */
function bodiesOfInterest(ctx: ImportContext): ReadonlySet<string> {
	const found = new Set<string>();
	const heavy = new Set<string>();
	for (const { primPath, rigidBody } of ctx.physics.shapes) {
		const prim = ctx.stage.prim(primPath)!;
		if (hasMassApi(ctx, prim) && isEnabledCollider(prim)) heavy.add(rigidBody.toString());
	}
	for (const { primPath } of ctx.physics.bodies) {
		const path = primPath.toString();
		if (ctx.isIgnored(path)) continue;
		const { hasApi, mass, diagonalInertia, centerOfMass } = statedMass(ctx, ctx.stage.prim(primPath)!);
		const isWhole = mass !== undefined && diagonalInertia !== undefined && centerOfMass !== undefined;
		if (hasApi ? !isWhole : heavy.has(path)) found.add(path);
	}
	return found;
}

function unitMeshMass(
	mesh: TriangleMesh,
	scale: Float32Array,
	{ isSolid, thickness }: ColliderMaterial,
): MassProperties {
	const [x, y, z] = [scale[0]!, scale[1]!, scale[2]!];
	if (isSolid) return scaleMass(solidMass(mesh), x, y, z);
	return shellMass(scaleMesh(mesh, x, y, z), { thickness: 2 * thickness, method: 'wedge' });
}

function primitiveOf(shape: PhysicsShape): PrimitiveShape | undefined {
	switch (shape.kind) {
		case 'SphereShape':
			return { type: 'sphere', radius: shape.radius };
		case 'CubeShape': {
			const [x, y, z] = Array.from(shape.halfExtents, Math.abs) as [number, number, number];
			return { type: 'box', halfExtents: [x, y, z] };
		}
		case 'CapsuleShape':
			return { type: 'capsule', radius: shape.radius, halfHeight: shape.halfHeight };
		case 'CylinderShape':
			return { type: 'cylinder', radius: shape.radius, halfHeight: shape.halfHeight };
		case 'ConeShape':
			return { type: 'cone', radius: shape.radius, halfHeight: shape.halfHeight };
		default:
			return undefined;
	}
}

function axisOf(shape: PhysicsShape): 'X' | 'Y' | 'Z' {
	return shape.kind === 'CapsuleShape' || shape.kind === 'CylinderShape' || shape.kind === 'ConeShape'
		? shape.axis
		: 'Z';
}
