import { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { quaternionOfMatrix, removeScaleAndShear } from './factor-matrix.ts';
import { identityMatrix, invertMatrix, multiplyMatrices, quaternionMatrix } from './matrix.ts';
import type { PhysicsDof, PhysicsDrive, PhysicsJoint, PhysicsJointBase, PhysicsLimit } from './physics-descriptors.ts';
import { type PhysicsReader, WORLD } from './physics-reader.ts';
import { readText } from './read-values.ts';

const { fround } = Math;

/** Kinds of joints in the order in which the parser gives them. */
export const JOINT_KINDS: readonly PhysicsJoint['kind'][] = [
	'FixedJoint',
	'RevoluteJoint',
	'PrismaticJoint',
	'SphericalJoint',
	'DistanceJoint',
	'D6Joint',
	'CustomJoint',
];

const DOFS: readonly PhysicsDof[] = ['distance', 'transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'];
/** Limits beyond this are none. */
const UNLIMITED = fround(0.5e38);
const LARGEST_FLOAT = 3.4028234663852886e38;

/** What kind of joint a prim is; joints of other types are D6 joints. */
export function jointKind(
	prim: Prim,
	custom: readonly string[],
	aliases: ReadonlyMap<string, string> = new Map(),
): PhysicsJoint['kind'] {
	const alias = aliases.get(prim.typeName);
	for (const kind of JOINT_KINDS.slice(0, 5)) if (prim.isA(`Physics${kind}`) || alias === `Physics${kind}`) return kind;
	return custom.includes(prim.typeName) ? 'CustomJoint' : 'D6Joint';
}

/** The descriptor of a joint. */
export function readJoint(reader: PhysicsReader, prim: Prim, kind: PhysicsJoint['kind']): PhysicsJoint {
	const base = readBase(reader, prim);
	switch (kind) {
		case 'FixedJoint':
		case 'CustomJoint':
			return { ...base, kind };
		case 'RevoluteJoint':
		case 'PrismaticJoint': {
			const lower = reader.float(prim, 'physics:lowerLimit', Number.NEGATIVE_INFINITY);
			const upper = reader.float(prim, 'physics:upperLimit', Number.POSITIVE_INFINITY);
			const enabled = kind === 'RevoluteJoint' ? isLow(lower) && isHigh(upper) : isLow(lower) || isHigh(upper);
			const drive = readDrive(reader, prim, kind === 'RevoluteJoint' ? 'angular' : 'linear') ?? NO_DRIVE;
			return { ...base, kind, axis: reader.axis(prim, 'physics:axis'), limit: { enabled, lower, upper }, drive };
		}
		case 'SphericalJoint': {
			const angle0 = reader.float(prim, 'physics:coneAngle0Limit', -1);
			const angle1 = reader.float(prim, 'physics:coneAngle1Limit', -1);
			const enabled = Number.isFinite(angle0) && Number.isFinite(angle1) && angle0 >= 0 && angle1 >= 0;
			return { ...base, kind, axis: reader.axis(prim, 'physics:axis'), limit: { enabled, angle0, angle1 } };
		}
		case 'DistanceJoint': {
			const minDistance = reader.float(prim, 'physics:minDistance', -1);
			const maxDistance = reader.float(prim, 'physics:maxDistance', -1);
			return { ...base, kind, minDistance, maxDistance, minEnabled: minDistance >= 0, maxEnabled: maxDistance >= 0 };
		}
		case 'D6Joint': {
			const limits = new Map<PhysicsDof, PhysicsLimit>();
			const drives = new Map<PhysicsDof, PhysicsDrive>();
			for (const dof of DOFS) {
				const limit = readLimit(reader, prim, dof);
				if (limit !== undefined) limits.set(dof, limit);
				const drive = readDrive(reader, prim, dof);
				if (drive !== undefined) drives.set(dof, drive);
			}
			return { ...base, kind, limits, drives };
		}
	}
}

function readBase(reader: PhysicsReader, prim: Prim): PhysicsJointBase {
	const rel0 = reader.targets(prim, 'physics:body0')[0] ?? Path.empty;
	const rel1 = reader.targets(prim, 'physics:body1')[0] ?? Path.empty;
	const frame0 = readFrame(reader, prim, '0', rel0);
	const frame1 = readFrame(reader, prim, '1', rel1);
	return {
		primPath: prim.path,
		isValid: true,
		rel0,
		rel1,
		body0: frame0.body,
		body1: frame1.body,
		localPose0Position: frame0.position,
		localPose0Orientation: frame0.orientation,
		localPose1Position: frame1.position,
		localPose1Orientation: frame1.orientation,
		jointEnabled: reader.bool(prim, 'physics:jointEnabled', true),
		collisionEnabled: reader.bool(prim, 'physics:collisionEnabled', false),
		breakForce: reader.float(prim, 'physics:breakForce', LARGEST_FLOAT),
		breakTorque: reader.float(prim, 'physics:breakTorque', LARGEST_FLOAT),
		excludeFromArticulation: reader.bool(prim, 'physics:excludeFromArticulation', false),
	};
}

interface Frame {
	readonly body: Path;
	readonly position: Float32Array;
	readonly orientation: Float32Array;
}

/** The frame of a joint in one of its bodies; one that is given in another prim is moved into the body's space. */
function readFrame(reader: PhysicsReader, prim: Prim, side: '0' | '1', target: Path): Frame {
	let position = reader.poses ? reader.floats(prim, `physics:localPos${side}`, [0, 0, 0]) : new Float32Array(3);
	const stored = reader.poses ? reader.floats(prim, `physics:localRot${side}`, [0, 0, 0, 1]) : UNTURNED;
	let orientation = normalizedFloats(stored);
	if (target.isEmpty) return { body: WORLD, position, orientation };
	const at = target === Path.root ? reader.stage.pseudoRoot : target.isPrim ? reader.stage.prim(target) : undefined;
	if (at === undefined) {
		reader.warn(prim, `physics:body${side} names <${target}>, where there is no prim`);
	}
	const body = at === undefined ? undefined : bodyOf(reader, at);
	if (!reader.poses) return { body: body?.path ?? WORLD, position, orientation };
	if (at?.path !== body?.path) {
		const anchor = quaternionMatrix(orientation);
		anchor.set(position, 12);
		const world = at === undefined ? anchor : multiplyMatrices(anchor, reader.transforms.worldTransform(at));
		const bodyWorld = body === undefined ? identityMatrix() : reader.transforms.worldTransform(body);
		const local = removeScaleAndShear(multiplyMatrices(world, invertMatrix(bodyWorld).matrix));
		position = Float32Array.from(local.subarray(12, 15));
		orientation = normalizedFloats(Float32Array.from(quaternionOfMatrix(local)));
	}
	const scale = body === undefined ? undefined : reader.worldScale(body);
	if (scale !== undefined) {
		position = Float32Array.from(position);
		for (let i = 0; i < 3; i++) position[i] = position[i]! * fround(scale[i]!);
	}
	return { body: body?.path ?? WORLD, position, orientation };
}

const UNTURNED = Float32Array.of(0, 0, 0, 1);

/** A quaternion of floats made one of unit length, rounded at each step as floats are. */
function normalizedFloats(q: Float32Array): Float32Array {
	const [x, y, z, real] = q as unknown as [number, number, number, number];
	const imaginary = fround(fround(fround(x * x) + fround(y * y)) + fround(z * z));
	const length = fround(Math.sqrt(fround(fround(real * real) + imaginary)));
	if (!(length >= 1e-10)) return new Float32Array([0, 0, 0, 1]);
	const scale = 1 / length;
	return new Float32Array([x * scale, y * scale, z * scale, real / length]);
}

/** The nearest enabled body at or above a prim; else the uppermost collider. */
function bodyOf(reader: PhysicsReader, prim: Prim): Prim | undefined {
	let collider: Prim | undefined;
	for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		if (reader.isEnabledBody(at)) return at;
		if (at.hasSchema('PhysicsCollisionAPI')) collider = at;
	}
	return collider;
}

function readLimit(reader: PhysicsReader, prim: Prim, dof: PhysicsDof): PhysicsLimit | undefined {
	if (!prim.appliedSchemas.includes(`PhysicsLimitAPI:${dof}`)) return undefined;
	const lower = reader.float(prim, `limit:${dof}:physics:low`, Number.NEGATIVE_INFINITY);
	const upper = reader.float(prim, `limit:${dof}:physics:high`, Number.POSITIVE_INFINITY);
	return { enabled: isLow(lower) || isHigh(upper), lower, upper };
}

function readDrive(reader: PhysicsReader, prim: Prim, instance: string): PhysicsDrive | undefined {
	if (!prim.appliedSchemas.includes(`PhysicsDriveAPI:${instance}`)) return undefined;
	const number = (name: string, fallback: number): number =>
		reader.float(prim, `drive:${instance}:physics:${name}`, fallback);
	return {
		enabled: true,
		targetPosition: number('targetPosition', 0),
		targetVelocity: number('targetVelocity', 0),
		forceLimit: number('maxForce', LARGEST_FLOAT),
		stiffness: number('stiffness', 0),
		damping: number('damping', 0),
		acceleration: readText(prim, `drive:${instance}:physics:type`) === 'acceleration',
	};
}

function isLow(limit: number): boolean {
	return Number.isFinite(limit) && limit > -UNLIMITED;
}

function isHigh(limit: number): boolean {
	return Number.isFinite(limit) && limit < UNLIMITED;
}

const NO_DRIVE: PhysicsDrive = {
	enabled: false,
	targetPosition: 0,
	targetVelocity: 0,
	forceLimit: LARGEST_FLOAT,
	stiffness: 0,
	damping: 0,
	acceleration: false,
};
