import { eigenSymmetric3, mat3ToQuat, transformMultiply } from '@manyworlds/core';
import { EqualityType, GeoType, isHeightfield, ModelFlags } from '@manyworlds/model';
import { axisInBody, bodyPoseInParent, isKinematic, KINEMATIC_ARMATURE } from '../convert/add-bodies.ts';
import { filledSize, geomSolref } from '../convert/add-geoms.ts';
import { targetDamping } from '../convert/add-target-actuators.ts';
import type { CompiledModel } from './compiled-model.ts';
import { EQUALITY_DATA_SIZE } from './connect-anchors.ts';
import { doubleField, intField } from './mj-fields.ts';
import { inWorld } from './model-maps.ts';

/** Writes the values of one world that the flags name into the compiled model. Derived values are not touched. */
export function writeWorld(compiled: CompiledModel, world: number, flags: number): void {
	if (flags & ModelFlags.JOINT_PROPERTIES) writeJointFrames(compiled, world);
	if (flags & ModelFlags.JOINT_DOF_PROPERTIES) {
		writeDofs(compiled, world);
		writeJoints(compiled, world);
		writeTargetGains(compiled, world);
		writeReferences(compiled, world);
	}
	if (flags & ModelFlags.BODY_PROPERTIES) writeArmatures(compiled, world);
	if (flags & ModelFlags.BODY_INERTIAL_PROPERTIES) writeInertia(compiled, world);
	if (flags & ModelFlags.SHAPE_PROPERTIES) {
		writeGeoms(compiled, world);
		writeSites(compiled, world);
		writeRows(compiled, world, 'pair', PAIR_FIELDS);
	}
	if (flags & ModelFlags.CONSTRAINT_PROPERTIES) writeEqualities(compiled, world);
	if (flags & ModelFlags.TENDON_PROPERTIES) writeRows(compiled, world, 'tendon', TENDON_FIELDS);
	if (flags & ModelFlags.ACTUATOR_PROPERTIES) writeRows(compiled, world, 'actuator', ACTUATOR_FIELDS);
	if (flags & ModelFlags.MODEL_PROPERTIES) writeOptions(compiled, world);
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
		jointPos.set(model.jointXC.subarray(7 * joint, 7 * joint + 3), 3 * id);
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

function writeDofs(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model, attributes } = conversion;
	const damping = doubleField(mj, 'dof_damping');
	const friction = doubleField(mj, 'dof_frictionloss');
	const solref = doubleField(mj, 'dof_solref');
	const solimp = doubleField(mj, 'dof_solimp');
	for (let id = 0; id < mj.nv; id++) {
		const dof = inWorld(conversion, 'jointDof', maps.dof[id]!, world);
		damping[id] = model.jointDamping[dof]!;
		friction[id] = model.jointFriction[dof]!;
		const ownSolref = attributes.row('solreffriction', dof, 2);
		const ownSolimp = attributes.row('solimpfriction', dof, 5);
		if (ownSolref !== undefined) solref.set(ownSolref, 2 * id);
		if (ownSolimp !== undefined) solimp.set(ownSolimp, 5 * id);
	}
	writeArmatures(compiled, world);
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

function writeJoints(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model, attributes } = conversion;
	const types = intField(mj, 'jnt_type');
	const range = doubleField(mj, 'jnt_range');
	const effort = doubleField(mj, 'jnt_actfrcrange');
	const stiffness = doubleField(mj, 'jnt_stiffness');
	const margin = doubleField(mj, 'jnt_margin');
	const solimp = doubleField(mj, 'jnt_solimp');
	for (let id = 0; id < mj.njnt; id++) {
		if (maps.jointDof[id]! < 0) continue;
		const dof = inWorld(conversion, 'jointDof', maps.jointDof[id]!, world);
		const own = attributes.row('solimplimit', dof, 5);
		if (own !== undefined) solimp.set(own, 5 * id);
		stiffness[id] = attributes.number('dof_passive_stiffness', dof) ?? stiffness[id]!;
		margin[id] = attributes.number('limit_margin', dof) ?? margin[id]!;
		if (types[id] === FREE || types[id] === BALL) continue;
		range[2 * id] = model.jointLimitLower[dof]!;
		range[2 * id + 1] = model.jointLimitUpper[dof]!;
		effort[2 * id] = -model.jointEffortLimit[dof]!;
		effort[2 * id + 1] = model.jointEffortLimit[dof]!;
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
	const { model, attributes } = conversion;
	const centre = doubleField(mj, 'body_ipos');
	const mass = doubleField(mj, 'body_mass');
	const inertia = doubleField(mj, 'body_inertia');
	const frame = doubleField(mj, 'body_iquat');
	const gravcomp = doubleField(mj, 'body_gravcomp');
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	const rotation = new Float64Array(9);
	const quat = new Float64Array(4);
	for (let id = 1; id < mj.nbody; id++) {
		const body = inWorld(conversion, 'body', maps.body[id]!, world);
		if (body >= 0) gravcomp[id] = attributes.number('gravcomp', body) ?? gravcomp[id]!;
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

function writeGeoms(compiled: CompiledModel, world: number): void {
	const { mj, maps, conversion } = compiled;
	const { model, attributes, options } = conversion;
	const friction = doubleField(mj, 'geom_friction');
	const solref = doubleField(mj, 'geom_solref');
	const solimp = doubleField(mj, 'geom_solimp');
	const solmix = doubleField(mj, 'geom_solmix');
	const size = doubleField(mj, 'geom_size');
	const margin = doubleField(mj, 'geom_margin');
	const gap = doubleField(mj, 'geom_gap');
	const pos = doubleField(mj, 'geom_pos');
	const quat = doubleField(mj, 'geom_quat');
	const meshes = intField(mj, 'geom_dataid');
	const pose = new Float64Array(7);
	for (let id = 0; id < mj.ngeom; id++) {
		const shape = inWorld(conversion, 'shape', maps.geom[id]!, world);
		if (shape < 0) continue;
		const type = model.shapeType[shape]!;
		friction[3 * id] = model.shapeMaterialMu[shape]!;
		friction[3 * id + 1] = model.shapeMaterialMuTorsional[shape]!;
		friction[3 * id + 2] = model.shapeMaterialMuRolling[shape]!;
		solref.set(Array.from(geomSolref(conversion, shape)), 2 * id);
		const ownSolimp = attributes.row('geom_solimp', shape, 5);
		if (ownSolimp !== undefined) solimp.set(ownSolimp, 5 * id);
		solmix[id] = attributes.number('geom_solmix', shape) ?? solmix[id]!;
		if (!conversion.zeroMargins || !options.useMujocoContacts) margin[id] = model.shapeMargin[shape]!;
		gap[id] = options.newtonCompat || options.forwardGap ? model.shapeGap[shape]! : 0;
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
	const { model, attributes } = conversion;
	const data = doubleField(mj, 'eq_data');
	const solref = doubleField(mj, 'eq_solref');
	const solimp = doubleField(mj, 'eq_solimp');
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
		const ownSolref = attributes.row('eq_solref', row, 2);
		const ownSolimp = attributes.row('eq_solimp', row, 5);
		if (ownSolref !== undefined) solref.set(ownSolref, 2 * id);
		if (ownSolimp !== undefined) solimp.set(ownSolimp, 5 * id);
		const type = model.equalityConstraintType[row]!;
		if (type === EqualityType.JOINT) {
			data.set(model.equalityConstraintPolycoef.subarray(5 * row, 5 * row + 5), at);
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

/** MuJoCo array, attribute of the namespace, numbers of each row. */
type RowField = readonly [field: string, attribute: string, width: number];

const PAIR_FIELDS: readonly RowField[] = [
	['pair_solref', 'pair_solref', 2],
	['pair_solreffriction', 'pair_solreffriction', 2],
	['pair_solimp', 'pair_solimp', 5],
	['pair_margin', 'pair_margin', 1],
	['pair_gap', 'pair_gap', 1],
	['pair_friction', 'pair_friction', 5],
];

const TENDON_FIELDS: readonly RowField[] = [
	['tendon_stiffness', 'tendon_stiffness', 1],
	['tendon_damping', 'tendon_damping', 1],
	['tendon_frictionloss', 'tendon_frictionloss', 1],
	['tendon_range', 'tendon_range', 2],
	['tendon_margin', 'tendon_margin', 1],
	['tendon_armature', 'tendon_armature', 1],
	['tendon_actfrcrange', 'tendon_actuator_force_range', 2],
	['tendon_solref_lim', 'tendon_solref_limit', 2],
	['tendon_solimp_lim', 'tendon_solimp_limit', 5],
	['tendon_solref_fri', 'tendon_solref_friction', 2],
	['tendon_solimp_fri', 'tendon_solimp_friction', 5],
];

const ACTUATOR_FIELDS: readonly RowField[] = [
	['actuator_gainprm', 'actuator_gainprm', 10],
	['actuator_biasprm', 'actuator_biasprm', 10],
	['actuator_dynprm', 'actuator_dynprm', 10],
	['actuator_gear', 'actuator_gear', 6],
	['actuator_cranklength', 'actuator_cranklength', 1],
	['actuator_ctrlrange', 'actuator_ctrlrange', 2],
	['actuator_forcerange', 'actuator_forcerange', 2],
	['actuator_actrange', 'actuator_actrange', 2],
];

/** Rows of a frequency of the namespace: those of a world follow each other as in the template world. */
function writeRows(
	compiled: CompiledModel,
	world: number,
	kind: 'pair' | 'tendon' | 'actuator',
	fields: readonly RowField[],
): void {
	const { mj, conversion } = compiled;
	const { attributes, template, model } = conversion;
	const rows = rowsOf(compiled, kind);
	const perWorld = attributes.count(kind) / Math.max(model.worldCount, 1);
	const shift = template.world < 0 ? 0 : (world - template.world) * perWorld;
	for (const [field, attribute, width] of fields) {
		if (field === 'pair_margin' && conversion.zeroMargins && conversion.options.useMujocoContacts) continue;
		const target = doubleField(mj, field);
		const stride = rows.length === 0 ? width : target.length / rows.length;
		for (const [id, row] of rows.entries()) {
			if (row < 0) continue;
			// ranges that were not authored stay as the compiler left them
			if (RANGES.test(field) && attributes.number(attribute.replace('actuator_', 'actuator_has_'), row) === 0) continue;
			const own = attributes.row(attribute, attributes.number(`${kind}_world`, row) === -1 ? row : row + shift, width);
			if (own !== undefined) target.set(own, stride * id);
		}
	}
}

const RANGES = /^actuator_(ctrl|force|act)range$/;

/** Row of the model of each MuJoCo object of a kind, -1 for those that have none. */
function rowsOf(compiled: CompiledModel, kind: 'pair' | 'tendon' | 'actuator'): readonly number[] {
	const { conversion } = compiled;
	if (kind === 'tendon') return conversion.tendons.map(({ row }) => row);
	if (kind === 'actuator') return conversion.actuators.map(({ source, index }) => (source === 1 ? index : -1));
	return conversion.pairRows;
}

function writeOptions(compiled: CompiledModel, world: number): void {
	const { engineOptions: opt, conversion } = compiled;
	const { worlds } = conversion.resolved;
	(opt.gravity as Float64Array).set(conversion.model.gravityOf(world));
	opt.impratio = worlds.impratio[world]!;
	opt.tolerance = worlds.tolerance[world]!;
	opt.ls_tolerance = worlds.lsTolerance[world]!;
	opt.ccd_tolerance = worlds.ccdTolerance[world]!;
	opt.sleep_tolerance = worlds.sleepTolerance[world]!;
	opt.density = worlds.density[world]!;
	opt.viscosity = worlds.viscosity[world]!;
	(opt.wind as Float64Array).set(worlds.wind.subarray(3 * world, 3 * world + 3));
	(opt.magnetic as Float64Array).set(worlds.magnetic.subarray(3 * world, 3 * world + 3));
}
