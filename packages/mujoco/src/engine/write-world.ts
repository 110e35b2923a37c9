import { eigenSymmetric3, mat3ToQuat, transformMultiply } from '@manyworlds/core/internal';
import { EqualityType, GeoType, isHeightfield, ModelFlags } from '@manyworlds/model';
import { axisInBody, bodyPoseInParent, isKinematic, KINEMATIC_ARMATURE } from '../convert/add-bodies.ts';
import { filledSize } from '../convert/add-geoms.ts';
import { targetDamping } from '../convert/add-target-actuators.ts';
import { copiedRows, type ValueKind } from '../convert/value-table.ts';
import type { CompiledModel } from './compiled-model.ts';
import { EQUALITY_DATA_SIZE } from './connect-anchors.ts';
import { doubleField, intField } from './mj-fields.ts';
import { inWorld, type MappedEntity } from './model-maps.ts';

/** Writes the values of one world that the flags name into the compiled model. Derived values are not touched. */
export function writeWorld(compiled: CompiledModel, world: number, flags: number): void {
	if (flags & ModelFlags.JOINT_PROPERTIES) writeJointFrames(compiled, world);
	for (const kind of COPIED_KINDS) writeCopies(compiled, world, kind, flags);
	if (flags & ModelFlags.JOINT_DOF_PROPERTIES) {
		writeTargetGains(compiled, world);
		writeReferences(compiled, world);
	}
	if (flags & (ModelFlags.JOINT_DOF_PROPERTIES | ModelFlags.BODY_PROPERTIES)) writeArmatures(compiled, world);
	if (flags & ModelFlags.BODY_INERTIAL_PROPERTIES) writeInertia(compiled, world);
	if (flags & ModelFlags.SHAPE_PROPERTIES) {
		writeGeomFrames(compiled, world);
		writeSites(compiled, world);
	}
	if (flags & ModelFlags.CONSTRAINT_PROPERTIES) writeEqualities(compiled, world);
	if (flags & ModelFlags.MODEL_PROPERTIES) writeOptions(compiled, world);
}

/** Kinds whose copies are rows of arrays. */
const COPIED_KINDS: readonly ArrayKind[] = ['joint', 'dof', 'body', 'geom', 'pair', 'equality', 'tendon', 'actuator'];
type ArrayKind = Exclude<ValueKind, 'option' | 'site' | 'mimic' | 'target'>;

/** Copies what the table has of a kind and the flags name. */
function writeCopies(compiled: CompiledModel, world: number, kind: ArrayKind, flags: number): void {
	const rows = copiedRows(kind);
	// one flag covers the copies of a kind
	if ((rows[0]!.flag & flags) === 0) return;
	const { mj, conversion } = compiled;
	const indices = indicesOf(compiled, kind, world);
	if (indices.length === 0) return;
	const types = kind === 'joint' ? intField(mj, 'jnt_type') : undefined;
	for (const { field, width, reader, isScalar, isPerWorld } of rows) {
		const read = isPerWorld ? reader!(conversion) : undefined;
		if (read === undefined) continue;
		const target = doubleField(mj, field);
		const stride = target.length / indices.length;
		const values = new Float64Array(width);
		for (let id = 0; id < indices.length; id++) {
			const index = indices[id]!;
			if (index < 0 || (isScalar && types![id]! <= BALL)) continue;
			if (read(index, values)) for (let i = 0; i < width; i++) target[stride * id + i] = values[i]!;
		}
	}
}

/** What each object of a kind stands for in a world, -1 for nothing. */
function indicesOf(compiled: CompiledModel, kind: ArrayKind, world: number): ArrayLike<number> {
	const { maps, conversion } = compiled;
	const mapped = (entity: MappedEntity, own: Int32Array): Int32Array =>
		own.map((index) => inWorld(conversion, entity, index, world));
	switch (kind) {
		case 'body':
			return mapped('body', maps.body);
		case 'joint':
			return mapped('jointDof', maps.jointDof);
		case 'dof':
			return mapped('jointDof', maps.dof);
		case 'geom':
			return mapped('shape', maps.geom);
		case 'equality':
			return mapped('equalityConstraint', maps.equality);
		case 'pair':
		case 'tendon':
		case 'actuator':
			return rowsInWorld(compiled, kind, world);
	}
}

/** Rows of a frequency of the namespace: those of a world follow each other as in the template world. */
function rowsInWorld({ conversion }: CompiledModel, kind: 'pair' | 'tendon' | 'actuator', world: number): number[] {
	const { attributes, template, model } = conversion;
	const perWorld = attributes.count(kind) / Math.max(model.worldCount, 1);
	const shift = template.world < 0 ? 0 : (world - template.world) * perWorld;
	const rows =
		kind === 'tendon'
			? conversion.tendons.map(({ row }) => row)
			: kind === 'actuator'
				? conversion.actuators.map(({ source, index }) => (source === 1 ? index : -1))
				: conversion.pairRows;
	return rows.map((row) => (row < 0 || attributes.number(`${kind}_world`, row) === -1 ? row : row + shift));
}

function writeJointFrames(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model } = conversion;
	const types = intField(mj, 'jnt_type');
	const bodies = intField(mj, 'jnt_bodyid');
	const jointPos = doubleField(mj, 'jnt_pos');
	const jointAxis = doubleField(mj, 'jnt_axis');
	const bodyPos = doubleField(mj, 'body_pos');
	const bodyQuat = doubleField(mj, 'body_quat');
	for (let id = 0; id < mj.njnt; id++) {
		if (types[id] === FREE || maps.joint[id]! < 0) continue;
		const joint = inWorld(conversion, 'joint', maps.joint[id]!, world);
		const dof = inWorld(conversion, 'jointDof', maps.jointDof[id]!, world);
		jointPos.set(conversion.plan.folded.frameOf(joint).subarray(0, 3), 3 * id);
		if (types[id] !== BALL) {
			jointAxis.set(axisInBody(conversion, joint, model.jointAxis.subarray(3 * dof, 3 * dof + 3)), 3 * id);
		}
		setPose(bodyPos, bodyQuat, bodies[id]!, bodyPoseInParent(conversion, joint));
	}
	// bodies without a joint of their own; those of fixed roots are placed by their mocap pose instead
	const mocap = intField(mj, 'body_mocapid');
	for (const own of [...conversion.plan.staticRoots, ...conversion.plan.tree]) {
		const joint = inWorld(conversion, 'joint', own, world);
		const id = maps.body.indexOf(model.jointChild[own]!);
		const isJointless = model.jointQdStart[joint + 1] === model.jointQdStart[joint];
		if (isJointless && id > 0 && mocap[id]! < 0) {
			setPose(bodyPos, bodyQuat, id, bodyPoseInParent(conversion, joint));
		}
	}
}

/** Mocap poses of one world: those of its fixed roots. */
export function writeMocapPoses(compiled: CompiledModel, world: number, pos: Float64Array, quat: Float64Array): void {
	const { maps, conversion } = compiled;
	for (let id = 0; id < maps.mocapJoint.length; id++) {
		if (maps.mocapJoint[id]! < 0) continue;
		setPose(pos, quat, id, bodyPoseInParent(conversion, inWorld(conversion, 'joint', maps.mocapJoint[id]!, world)));
	}
}

const FREE = 0;
const BALL = 1;

function setPose(pos: Float64Array, quat: Float64Array, id: number, pose: Float64Array): void {
	for (let i = 0; i < 3; i++) pos[3 * id + i] = pose[i]!;
	quat[4 * id] = pose[6]!;
	for (let i = 0; i < 3; i++) quat[4 * id + 1 + i] = pose[3 + i]!;
}

/** Armatures, those of kinematic bodies included. */
export function writeArmatures(compiled: CompiledModel, world: number, isLocking: boolean = true): void {
	const { mj, maps, conversion } = compiled;
	const bodies = intField(mj, 'dof_bodyid');
	const armature = doubleField(mj, 'dof_armature');
	for (let id = 0; id < mj.nv; id++) {
		const dof = inWorld(conversion, 'jointDof', maps.dof[id]!, world);
		const body = inWorld(conversion, 'body', maps.body[bodies[id]!]!, world);
		const isHeld = isLocking && body >= 0 && isKinematic(conversion, body);
		armature[id] = isHeld ? KINEMATIC_ARMATURE : conversion.model.jointArmature[dof]!;
	}
}

function writeTargetGains(compiled: CompiledModel, world: number): void {
	const { mj, conversion } = compiled;
	const { model } = conversion;
	const gain = doubleField(mj, 'actuator_gainprm');
	const bias = doubleField(mj, 'actuator_biasprm');
	const width = mj.nu === 0 ? 1 : gain.length / mj.nu;
	for (const [id, { source, index, row }] of conversion.actuators.entries()) {
		if (source !== 0) continue;
		const isPosition = index >= 0;
		const dof = inWorld(conversion, 'jointDof', isPosition ? index : -(index + 2), world);
		const kp = model.jointTargetKe[dof]!;
		const kd = model.jointTargetKd[dof]!;
		// a position actuator damps only where no velocity actuator stands beside it
		const damps = isPosition && model.jointTargetMode[dof] === POSITION_MODE;
		gain[width * id] = isPosition ? kp : kd;
		bias[width * id + 1] = isPosition ? -kp : 0;
		bias[width * id + 2] = isPosition ? (damps ? targetDamping(conversion, row, kd) : 0) : -kd;
	}
}

const POSITION_MODE = 1;

/** Reference and spring positions: of free joints the pose of the body, of balls none, of others their own. */
function writeReferences(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model, attributes } = conversion;
	const qpos0 = doubleField(mj, 'qpos0');
	const spring = doubleField(mj, 'qpos_spring');
	const types = intField(mj, 'jnt_type');
	const addresses = intField(mj, 'jnt_qposadr');
	for (let id = 0; id < mj.njnt; id++) {
		const at = addresses[id]!;
		const dof = inWorld(conversion, 'jointDof', maps.jointDof[id]!, world);
		if (types[id] === FREE) {
			const body = model.jointChild[inWorld(conversion, 'joint', maps.joint[id]!, world)]!;
			const [x, y, z, qx, qy, qz, qw] = model.bodyQ.subarray(7 * body, 7 * body + 7);
			for (const target of [qpos0, spring]) target.set([x!, y!, z!, qw!, qx!, qy!, qz!], at);
		} else if (types[id] !== BALL) {
			qpos0[at] = attributes.number('dof_ref', dof) ?? 0;
			spring[at] = attributes.number('dof_springref', dof) ?? 0;
		}
	}
}

/** Masses, centres of mass and inertias, of those bodies whose values are not the ones that were compiled or written last. */
function writeInertia(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model } = conversion;
	const centre = doubleField(mj, 'body_ipos');
	const mass = doubleField(mj, 'body_mass');
	const inertia = doubleField(mj, 'body_inertia');
	const frame = doubleField(mj, 'body_iquat');
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	const rotation = new Float64Array(9);
	const quat = new Float64Array(4);
	for (let id = 1; id < mj.nbody; id++) {
		const body = inWorld(conversion, 'body', maps.body[id]!, world);
		if (body < 0 || !compiled.written.isChanged(model, id, body)) continue;
		centre.set(model.bodyCom.subarray(3 * body, 3 * body + 3), 3 * id);
		mass[id] = model.bodyMass[body]!;
		const own = model.bodyInertia.subarray(9 * body, 9 * body + 9);
		// as the compiler does it: a diagonal tensor keeps the body's axes
		if (own[1] === 0 && own[2] === 0 && own[5] === 0) {
			for (let i = 0; i < 3; i++) inertia[3 * id + i] = own[4 * i]!;
			frame.set(IDENTITY, 4 * id);
			continue;
		}
		eigenSymmetric3(values, vectors, own);
		// MuJoCo keeps principal values in descending order; exchanging two axes turns the frame, so one is reversed
		for (let i = 0; i < 3; i++) {
			inertia[3 * id + i] = values[2 - i]!;
			for (let k = 0; k < 3; k++) rotation[3 * i + k] = (i === 2 ? -1 : 1) * vectors[3 * (2 - i) + k]!;
		}
		mat3ToQuat(quat, rotation);
		frame[4 * id] = quat[3]!;
		for (let i = 0; i < 3; i++) frame[4 * id + 1 + i] = quat[i]!;
	}
}

/** No rotation, w x y z. */
const IDENTITY = [1, 0, 0, 0];

function writeGeomFrames(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model } = conversion;
	const size = doubleField(mj, 'geom_size');
	const pos = doubleField(mj, 'geom_pos');
	const quat = doubleField(mj, 'geom_quat');
	const meshes = intField(mj, 'geom_dataid');
	const pose = new Float64Array(7);
	for (let id = 0; id < mj.ngeom; id++) {
		const shape = inWorld(conversion, 'shape', maps.geom[id]!, world);
		if (shape < 0) continue;
		const type = model.shapeType[shape]!;
		const isSized = type !== GeoType.MESH && type !== GeoType.CONVEX_MESH && type !== GeoType.HFIELD;
		const own = filledSize(model, shape);
		if (isSized && own !== undefined) size.set(own, 3 * id);
		pose.set(model.shapeTransform.subarray(7 * shape, 7 * shape + 7));
		const source = model.shapeSources[shape];
		if (source !== null && source !== undefined && isHeightfield(source)) pose[2]! += source.minZ;
		if (type === GeoType.MESH || type === GeoType.CONVEX_MESH) moveByMesh(compiled, pose, meshes[id]!);
		setPose(pos, quat, id, pose);
	}
}

/** MuJoCo moves a mesh to its centre of mass and principal axes; the geom's pose has to undo that. */
function moveByMesh(compiled: CompiledModel, pose: Float64Array, mesh: number): void {
	const pos = doubleField(compiled.mj, 'mesh_pos');
	const quat = doubleField(compiled.mj, 'mesh_quat');
	const moved = Float64Array.of(
		pos[3 * mesh]!,
		pos[3 * mesh + 1]!,
		pos[3 * mesh + 2]!,
		quat[4 * mesh + 1]!,
		quat[4 * mesh + 2]!,
		quat[4 * mesh + 3]!,
		quat[4 * mesh]!,
	);
	pose.set(transformMultiply(new Float64Array(7), pose, moved));
}

function writeSites(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const pos = doubleField(mj, 'site_pos');
	const quat = doubleField(mj, 'site_quat');
	for (let id = 0; id < mj.nsite; id++) {
		const shape = inWorld(conversion, 'shape', maps.site[id]!, world);
		if (shape >= 0) setPose(pos, quat, id, conversion.model.shapeTransform.subarray(7 * shape, 7 * shape + 7));
	}
}

function writeEqualities(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model } = conversion;
	const data = doubleField(mj, 'eq_data');
	const sites = conversion.attributes.numbers('equality_constraint_site1');
	for (let id = 0; id < mj.neq; id++) {
		const at = EQUALITY_DATA_SIZE * id;
		const mimic = inWorld(conversion, 'constraintMimic', maps.mimic[id]!, world);
		if (mimic >= 0) {
			data[at] = model.constraintMimicCoef0[mimic]!;
			data[at + 1] = model.constraintMimicCoef1[mimic]!;
			continue;
		}
		const row = inWorld(conversion, 'equalityConstraint', maps.equality[id]!, world);
		if (row < 0) continue;
		const type = model.equalityConstraintType[row]!;
		if (type === EqualityType.JOINT) {
			data.set(model.equalityConstraintPolycoef.subarray(5 * row, 5 * row + 5), at);
			continue;
		}
		if (sites?.[row] !== undefined && Number(sites[row]) >= 0) {
			// sites say where, only the scale of a weld is data
			if (type === EqualityType.WELD) data[at + 10] = model.equalityConstraintTorquescale[row]!;
			continue;
		}
		data.set(model.equalityConstraintAnchor.subarray(3 * row, 3 * row + 3), at);
		if (type !== EqualityType.WELD) continue;
		const [x, y, z, qx, qy, qz, qw] = model.equalityConstraintRelpose.subarray(7 * row, 7 * row + 7);
		data[at + 10] = model.equalityConstraintTorquescale[row]!;
		const norm = Math.hypot(qx!, qy!, qz!, qw!);
		// no rotation stands for the relative pose of the reference, which MuJoCo has put there
		if (norm > 0) data.set([x!, y!, z!, qw! / norm, qx! / norm, qy! / norm, qz! / norm], at + 3);
	}
}

/** Which equalities of one world are on. */
export function writeActive(compiled: CompiledModel, world: number, active: Uint8Array): void {
	const { mj, maps, conversion } = compiled;
	const { model } = conversion;
	for (let id = 0; id < mj.neq; id++) {
		const mimic = inWorld(conversion, 'constraintMimic', maps.mimic[id]!, world);
		const row = inWorld(conversion, 'equalityConstraint', maps.equality[id]!, world);
		if (mimic >= 0) active[id] = model.constraintMimicEnabled[mimic]!;
		else if (row >= 0) active[id] = model.equalityConstraintEnabled[row]!;
	}
}

function writeOptions({ engineOptions, conversion }: CompiledModel, world: number): void {
	for (const { field, width, reader } of copiedRows('option')) {
		const name = field.slice('opt.'.length);
		const values = new Float64Array(width);
		if (reader!(conversion)?.(world, values) !== true) continue;
		if (width > 1) (Reflect.get(engineOptions, name) as Float64Array).set(values);
		else Reflect.set(engineOptions, name, values[0]);
	}
}
