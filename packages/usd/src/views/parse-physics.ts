import type { Report } from '@manyworlds/core';
import { comparePaths, Path } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';
import type { Stage } from '../usd/stage.ts';
import { toPath } from '../usd/to-path.ts';
import { isUsualPrim, traverse } from '../usd/traverse.ts';
import { collectionMembership } from './collection.ts';
import { factorMatrix } from './factor-matrix.ts';
import { ArticulationFinder } from './physics-articulations.ts';
import type {
	PhysicsArticulation,
	PhysicsCollisionGroup,
	PhysicsJoint,
	PhysicsMaterial,
	PhysicsRigidBody,
	PhysicsScene,
	PhysicsShape,
} from './physics-descriptors.ts';
import { JOINT_KINDS, jointKind, readJoint } from './physics-joints.ts';
import { PhysicsReader } from './physics-reader.ts';
import { readShape, SHAPE_KINDS, shapeKind } from './physics-shapes.ts';
import { readText } from './read-values.ts';
import type { XformCache } from './xform-cache.ts';

/** What is read from a stage. */
export interface ParsePhysicsOptions {
	/** Subtrees that are read. */
	readonly include?: readonly (Path | string)[];
	/** Subtrees that are left out. */
	readonly exclude?: readonly (Path | string)[];
	/** Whether colliders are read; without them there are no shapes, and bodies have no collisions. */
	readonly colliders?: boolean;
	/**
	 * Whether poses and scales of bodies and frames of joints are worked out; without that they are those of a prim at the
	 * origin. Shapes always have theirs.
	 */
	readonly poses?: boolean;
	/** Types or API schemas of colliders that the caller knows by itself. */
	readonly customShapes?: readonly string[];
	/** Types of joints that the caller knows by itself. */
	readonly customJoints?: readonly string[];
	/** Types of instancers, below which nothing is read. */
	readonly customInstancers?: readonly string[];
	/**
	 * Whether a physics material bound above a collider counts although MaterialBindingAPI is not applied to the collider,
	 * as UsdShade's rules have it. OpenUSD's parser says no.
	 */
	readonly inheritMaterials?: boolean;
	/**
	 * Scenes whose part of the physics is read; the empty path (`''`) stands for what names no owner. Everything is read when the
	 * list is empty. A collider of a body belongs to the owners of the body, a joint or articulation to those that own all its
	 * bodies. Collision groups and materials are always read.
	 */
	readonly simulationOwners?: readonly (Path | string)[];
	/**
	 * Whether colliders and joints belong to disabled bodies as to others, as in OpenUSD before 26.11. Otherwise what is on
	 * a disabled body belongs to the next enabled one above, or to the world.
	 */
	readonly disabledBodies?: boolean;
	/** Types that no schema defines, with the joint types they are read as. */
	readonly typeAliases?: ReadonlyMap<string, string>;
	/** Filled with the transforms that were needed. */
	readonly transforms?: XformCache;
	readonly report?: Report;
}

/** Values of {@link ParsePhysicsOptions} that are used when absent; the report is the stage's. */
export const PARSE_PHYSICS_DEFAULTS: Required<Omit<ParsePhysicsOptions, 'report' | 'transforms'>> = {
	include: ['/'],
	exclude: [],
	colliders: true,
	poses: true,
	customShapes: [],
	customJoints: [],
	customInstancers: [],
	inheritMaterials: false,
	simulationOwners: [],
	disabledBodies: false,
	typeAliases: new Map(),
};

/** Everything physical on a stage. Within a kind descriptors stand in the order of the stage. */
export interface PhysicsDescription {
	readonly scenes: readonly PhysicsScene[];
	readonly collisionGroups: readonly PhysicsCollisionGroup[];
	readonly materials: readonly PhysicsMaterial[];
	/** Grouped by kind: spheres, cubes, capsules, cylinders, cones, planes, meshes, points, custom ones. */
	readonly shapes: readonly PhysicsShape[];
	readonly articulations: readonly PhysicsArticulation[];
	readonly bodies: readonly PhysicsRigidBody[];
	/** Grouped by kind: fixed, revolute, prismatic, spherical, distance, D6, custom ones. */
	readonly joints: readonly PhysicsJoint[];
}

/**
 * Reads the physics of a stage as OpenUSD's parser does, at the default time, instances included.
 *
 * ```ts
 * const { bodies, joints } = parsePhysics(stage);
 * ```
 */
export function parsePhysics(stage: Stage, options: ParsePhysicsOptions = {}): PhysicsDescription {
	const settings = { ...PARSE_PHYSICS_DEFAULTS, ...options };
	const reader = new PhysicsReader(
		stage,
		options.report,
		settings.inheritMaterials,
		settings.disabledBodies,
		options.transforms,
		settings.poses,
	);
	const prims = collectPrims(stage, settings);

	const groups = readGroups(reader, prims.groups);
	const joints = prims.joints.map((prim) =>
		readJoint(reader, prim, jointKind(prim, settings.customJoints, settings.typeAliases)),
	);
	const enabledBodies = new Map(
		prims.bodies.filter((prim) => reader.isEnabledBody(prim)).map((prim) => [prim.path, prim]),
	);
	const shapes: PhysicsShape[] = [];
	for (const prim of settings.colliders ? prims.colliders : []) {
		const kind = shapeKind(prim, settings.customShapes);
		if (kind === undefined) {
			reader.warn(prim, `a collider is on a prim of type '${prim.typeName}', which has no shape`);
			continue;
		}
		const inGroups = groups.members.filter(([, isMember]) => isMember(prim.path)).map(([path]) => path);
		shapes.push(readShape(reader, prim, kind, bodyAbove(prim, enabledBodies), inGroups));
	}
	shapes.sort(compareShapeKinds);
	joints.sort(compareJointKinds);

	const collisions = new Map<Path, Path[]>();
	for (const { rigidBody, primPath, isValid } of shapes) {
		if (rigidBody.isEmpty || !isValid) continue;
		const found = collisions.get(rigidBody);
		if (found === undefined) collisions.set(rigidBody, [primPath]);
		else found.push(primPath);
	}
	const bodies = prims.bodies.map((prim) => readBody(reader, prim, collisions.get(prim.path) ?? []));
	const finder = new ArticulationFinder(
		reader,
		new Map(bodies.map((body) => [body.primPath, body])),
		new Map(joints.map((joint) => [joint.primPath, joint])),
	);
	const description: PhysicsDescription = {
		scenes: prims.scenes.map((prim) => readScene(reader, prim)),
		collisionGroups: groups.descriptors,
		materials: prims.materials.map((prim) => readMaterial(reader, prim)),
		shapes,
		articulations: prims.articulations.map((prim) => finder.find(prim)),
		bodies,
		joints,
	};
	const owners = settings.simulationOwners.map((owner) => (owner === '' ? Path.empty : toPath(owner)));
	return owners.length === 0 ? description : ownedPart(description, new Set(owners));
}

// functions of the module: V8 compiles those that calls make again whenever no call holds one
function compareShapeKinds(a: PhysicsShape, b: PhysicsShape): number {
	return SHAPE_KINDS.indexOf(a.kind) - SHAPE_KINDS.indexOf(b.kind);
}

function compareJointKinds(a: PhysicsJoint, b: PhysicsJoint): number {
	return JOINT_KINDS.indexOf(a.kind) - JOINT_KINDS.indexOf(b.kind);
}

/** The part of a description that some scenes simulate. */
function ownedPart(description: PhysicsDescription, owners: ReadonlySet<Path>): PhysicsDescription {
	const isOwned = (own: readonly Path[]): boolean =>
		own.length === 0 ? owners.has(Path.empty) : own.some((owner) => owners.has(owner));
	const bodies = description.bodies.filter(({ simulationOwners }) => isOwned(simulationOwners));
	const kept = new Set(bodies.map(({ primPath }) => primPath));
	const isKept = (body: Path): boolean => body.isEmpty || kept.has(body);
	return {
		...description,
		scenes: description.scenes.filter(({ primPath }) => owners.has(primPath)),
		shapes: description.shapes.filter(({ rigidBody, simulationOwners }) =>
			rigidBody.isEmpty ? isOwned(simulationOwners) : kept.has(rigidBody),
		),
		articulations: description.articulations.filter(({ articulatedBodies }) => articulatedBodies.every(isKept)),
		bodies,
		joints: description.joints.filter(({ body0, body1 }) => isKept(body0) && isKept(body1)),
	};
}

interface PhysicsPrims {
	readonly scenes: Prim[];
	readonly groups: Prim[];
	readonly materials: Prim[];
	readonly joints: Prim[];
	readonly colliders: Prim[];
	readonly bodies: Prim[];
	readonly articulations: Prim[];
}

function collectPrims(
	stage: Stage,
	options: Required<Omit<ParsePhysicsOptions, 'report' | 'transforms'>>,
): PhysicsPrims {
	const prims: PhysicsPrims = {
		scenes: [],
		groups: [],
		materials: [],
		joints: [],
		colliders: [],
		bodies: [],
		articulations: [],
	};
	const excluded = new Set(options.exclude.map(toPath));
	const closed = new Set<Path>();
	const sort = (prim: Prim): boolean => {
		if (!isUsualPrim(prim) || excluded.has(prim.path)) return false;
		if (prim.path.parent !== null && closed.has(prim.path.parent)) return false;
		// what instancers hold is placed by them
		if (prim.isA('PointInstancer') || options.customInstancers.includes(prim.typeName)) closed.add(prim.path);
		sortPrim(prim, prims, options.typeAliases);
		return true;
	};
	for (const path of options.include.map(toPath)) {
		const start = path === Path.root ? stage.pseudoRoot : stage.prim(path);
		if (start === undefined || (!start.isPseudoRoot && !sort(start))) continue;
		for (const _prim of traverse(start, { instanceProxies: true, predicate: sort }));
	}
	return prims;
}

function sortPrim(prim: Prim, prims: PhysicsPrims, aliases: ReadonlyMap<string, string>): void {
	const schemas = prim.appliedSchemas;
	const isCollider = schemas.includes('PhysicsCollisionAPI');
	const isBody = schemas.includes('PhysicsRigidBodyAPI');
	const isArticulation = schemas.includes('PhysicsArticulationRootAPI');
	if (prim.isA('PhysicsScene')) prims.scenes.push(prim);
	else if (prim.isA('PhysicsCollisionGroup')) prims.groups.push(prim);
	else if (isMaterialFirst(schemas)) prims.materials.push(prim);
	else if (prim.isA('PhysicsJoint') || aliases.has(prim.typeName)) {
		prims.joints.push(prim);
		if (isArticulation) prims.articulations.push(prim);
	} else {
		if (isCollider) prims.colliders.push(prim);
		if (isBody) prims.bodies.push(prim);
		if (isArticulation) prims.articulations.push(prim);
	}
}

const SCHEMAS_BEFORE_MATERIAL = ['PhysicsCollisionAPI', 'PhysicsRigidBodyAPI', 'PhysicsArticulationRootAPI'] as const;

/** A prim is a physics material unless another physics schema is applied before that. */
function isMaterialFirst(schemas: readonly string[]): boolean {
	const material = schemas.indexOf('PhysicsMaterialAPI');
	if (material < 0) return false;
	for (const name of SCHEMAS_BEFORE_MATERIAL) {
		const at = schemas.indexOf(name);
		if (at >= 0 && at < material) return false;
	}
	return true;
}

function bodyAbove(prim: Prim, bodies: ReadonlyMap<Path, Prim>): Prim | undefined {
	for (let at: Path | null = prim.path; at !== null; at = at.parent) {
		const body = bodies.get(at);
		if (body !== undefined) return body;
	}
	return undefined;
}

const EARTH_GRAVITY = Math.fround(9.81);

function readScene(reader: PhysicsReader, prim: Prim): PhysicsScene {
	const { stage } = reader;
	let direction = reader.floats(prim, 'physics:gravityDirection', [0, 0, 0]);
	const [x, y, z] = direction as unknown as [number, number, number];
	const { fround } = Math;
	const length = fround(Math.sqrt(fround(fround(fround(x * x) + fround(y * y)) + fround(z * z))));
	if (x !== 0 || y !== 0 || z !== 0) {
		const scale = 1 / Math.max(length, 1e-10);
		direction = direction.map((part) => part * scale);
	} else {
		const up = dataOf(stage.metadata('upAxis'), T.token) ?? 'Y';
		direction = new Float32Array(3);
		direction[up === 'X' ? 0 : up === 'Y' ? 1 : 2] = -1;
	}
	let magnitude = reader.float(prim, 'physics:gravityMagnitude', Number.NEGATIVE_INFINITY);
	if (magnitude < Math.fround(-0.5e38)) {
		const unit = dataOf(stage.metadata('metersPerUnit'), T.double) ?? 0.01;
		magnitude = Math.fround(EARTH_GRAVITY / Math.fround(unit));
	}
	return {
		kind: 'Scene',
		primPath: prim.path,
		isValid: true,
		gravityDirection: direction,
		gravityMagnitude: magnitude,
	};
}

function readMaterial(reader: PhysicsReader, prim: Prim): PhysicsMaterial {
	return {
		kind: 'RigidBodyMaterial',
		primPath: prim.path,
		isValid: true,
		staticFriction: reader.float(prim, 'physics:staticFriction', 0),
		dynamicFriction: reader.float(prim, 'physics:dynamicFriction', 0),
		restitution: reader.float(prim, 'physics:restitution', 0),
		density: reader.float(prim, 'physics:density', 0),
	};
}

function readBody(reader: PhysicsReader, prim: Prim, collisions: readonly Path[]): PhysicsRigidBody {
	const { translation, rotation, scale } = reader.poses
		? factorMatrix(reader.transforms.worldTransform(prim))
		: AT_ORIGIN;
	return {
		kind: 'RigidBody',
		primPath: prim.path,
		isValid: true,
		collisions,
		position: Float32Array.from(translation),
		rotation: Float32Array.from(rotation),
		scale: Float32Array.from(scale),
		rigidBodyEnabled: reader.bool(prim, 'physics:rigidBodyEnabled', true),
		kinematicBody: reader.bool(prim, 'physics:kinematicEnabled', false),
		startsAsleep: reader.bool(prim, 'physics:startsAsleep', false),
		linearVelocity: reader.floats(prim, 'physics:velocity', [0, 0, 0]),
		angularVelocity: reader.floats(prim, 'physics:angularVelocity', [0, 0, 0]),
		simulationOwners: reader.targets(prim, 'physics:simulationOwner'),
		filteredCollisions: reader.filteredPairs(prim),
	};
}

const AT_ORIGIN = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] } as const;

interface Groups {
	readonly descriptors: PhysicsCollisionGroup[];
	/** Sorted by path. */
	readonly members: (readonly [group: Path, isMember: (path: Path) => boolean])[];
}

/**
 * Groups of one merge name count as the first of them. The parser takes a merged group out of its list by putting the
 * last one in its place, which decides the order and which group comes first.
 */
function readGroups(reader: PhysicsReader, prims: readonly Prim[]): Groups {
	const rest = [...prims];
	const firsts = new Map<string, Prim>();
	const merged = new Map<Prim, Prim[]>();
	for (let i = 0; i < rest.length; i++) {
		const prim = rest[i]!;
		const name = readText(prim, 'physics:mergeGroup') ?? '';
		const first = firsts.get(name);
		if (name === '') continue;
		if (first === undefined) {
			firsts.set(name, prim);
			merged.set(prim, [prim]);
			continue;
		}
		merged.get(first)!.push(prim);
		rest[i] = rest[rest.length - 1]!;
		rest.pop();
		i--;
	}
	const descriptors: PhysicsCollisionGroup[] = [];
	const members: Groups['members'] = [];
	for (const prim of rest) {
		const parts = merged.get(prim) ?? [prim];
		descriptors.push({
			kind: 'CollisionGroup',
			primPath: prim.path,
			isValid: true,
			filteredGroups: parts.flatMap((part) => reader.targets(part, 'physics:filteredGroups')),
			invertFilteredGroups: reader.bool(prim, 'physics:invertFilteredGroups', false),
			mergeGroupName: readText(prim, 'physics:mergeGroup') ?? '',
			mergedGroups: merged.has(prim) ? parts.map(({ path }) => path) : [],
		});
		const memberships = parts.map((part) => collectionMembership(part, 'colliders', { report: reader.report }));
		members.push([prim.path, (path) => memberships.some((membership) => membership.includes(path))]);
	}
	members.sort(([a], [b]) => comparePaths(a, b));
	return { descriptors, members };
}
