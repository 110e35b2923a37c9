import { JointTargetMode } from '@manyworlds/model';
import { type AttributeValue, MUJOCO_TOKENS, resolveMujocoOwners } from '@manyworlds/model/internal';
import type { Prim } from '@manyworlds/usd';
import { isUsualPrim, traverse } from '@manyworlds/usd/internal';
import type { ImportContext } from './context.ts';
import { hasAttribute, readableAttributes, readCustomValue } from './custom-values.ts';
import { actuatorTarget, noteTendon, TRANSMISSION, tendonJoints } from './mujoco-rules.ts';

/** Where an actuator takes its control from, and what kind it is. */
const ControlSource = { JOINT_TARGET: 0 } as const;
const ControlType = { POSITION: 0, VELOCITY: 1 } as const;

/** Whether a stage has actuators or tendons of MuJoCo. */
export function hasMujocoRows(root: Prim): boolean {
	for (const { typeName } of [root, ...traverse(root, { instanceProxies: true, predicate: isUsualPrim })]) {
		if (typeName === 'MjcActuator' || typeName === 'MjcTendon') return true;
	}
	return false;
}

/** Adds rows for the actuators and tendons of the MuJoCo schema, if the builder has a place for them. */
export function addMujocoRows(ctx: ImportContext, root: Prim): void {
	const unplaced: Prim[] = [];
	for (const prim of [root, ...traverse(root, { instanceProxies: true, predicate: isUsualPrim })]) {
		const path = prim.path.toString();
		const isActuator = prim.typeName === 'MjcActuator';
		if ((!isActuator && prim.typeName !== 'MjcTendon') || ctx.isIgnored(path)) continue;
		const frequency = isActuator ? 'mujoco:actuator' : 'mujoco:tendon';
		if (!hasAttribute(ctx, isActuator ? 'mujoco:actuator_label' : 'mujoco:tendon_label')) {
			unplaced.push(prim);
			continue;
		}
		if (isActuator && actuatorTarget(prim) === undefined) {
			const count = prim.relationship('mjc:target').targets().length;
			ctx.tell('IMP083', prim, `mjc:target names ${count} prims, expected one; the actuator is left out`, 'mjc:target');
			continue;
		}
		const values = rowValues(ctx, prim, frequency);
		ctx.builder.addRow(frequency, values);
		ctx.mark(path, 'row');
		if (isActuator) continue;
		noteTendon(ctx, path);
		for (const { joint, coefficient } of tendonJoints(ctx, prim)) {
			ctx.builder.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': joint, 'mujoco:tendon_coef': coefficient });
		}
		for (const name of ['mjc:type', 'mjc:path:indices', 'mjc:path:coef'])
			ctx.ledger.use(path, name, { target: 'mujoco:tendon_joint' });
	}
	if (unplaced.length > 0) {
		const count = `${unplaced.length} actuators and tendons of MuJoCo`;
		ctx.tell(
			'IMP082',
			unplaced[0]!,
			`${count} are left out, as the builder has no rows for them: call registerMujocoAttributes() before the import`,
		);
	}
	convertActuators(ctx);
	if (!ctx.options.newtonCompat) resolveTargets(ctx);
	if (hasAttribute(ctx, 'mujoco:actuator_articulation')) resolveMujocoOwners(ctx.builder);
}

function rowValues(ctx: ImportContext, prim: Prim, frequency: string): Record<string, AttributeValue> {
	const values: Record<string, AttributeValue> = {};
	for (const attribute of readableAttributes(ctx)) {
		if (attribute.declaration.frequency !== frequency) continue;
		const value = readCustomValue(ctx, prim, attribute);
		if (value !== undefined) values[attribute.key] = value as AttributeValue;
	}
	return values;
}

/**
 * Actuators that push a joint towards a target position or velocity, and do nothing else, become the joint's own target.
 * Those with another transmission, dynamics or gear stay controlled by themselves.
 */
function convertActuators(ctx: ImportContext): void {
	const { builder } = ctx;
	if (!hasAttribute(ctx, 'mujoco:actuator_target_label')) return;
	const rows = builder.rowCount('mujoco:actuator');
	const column = (name: string): ArrayLike<number> => builder.attributeValues(`mujoco:${name}`) as Float64Array;
	const labels = builder.attributeValues('mujoco:actuator_target_label') as string[];
	const [bias, dynamics, gain] = [column('actuator_biastype'), column('actuator_dyntype'), column('actuator_gaintype')];
	const [gears, gains, biases] = [column('actuator_gear'), column('actuator_gainprm'), column('actuator_biasprm')];
	for (let row = 0; row < rows; row++) {
		const dof = dofOf(ctx, labels[row]!);
		const isPlain =
			bias[row] === MUJOCO_TOKENS.biastype['affine'] &&
			dynamics[row] === MUJOCO_TOKENS.dyntype['none'] &&
			gain[row] === MUJOCO_TOKENS.gaintype['fixed'] &&
			isNear(gears[6 * row]!, 1) &&
			[1, 2, 3, 4, 5].every((i) => isNear(gears[6 * row + i]!, 0));
		const kp = gains[10 * row]!;
		if (dof === undefined || !isPlain || !(kp > 0)) continue;
		const [b0, b1, b2] = [biases[10 * row]!, biases[10 * row + 1]!, biases[10 * row + 2]!];
		const isPosition = isNear(b0, 0) && isNear(b1, -kp) && b2 <= 0;
		const isVelocity = isNear(b0, 0) && isNear(b1, 0) && isNear(b2, -kp);
		if (!isPosition && !isVelocity) continue;
		if (isPosition) drivePosition(ctx, dof, kp, b2);
		else driveVelocity(ctx, dof, kp);
		builder.setAttributeValue('mujoco:ctrl_source', row, ControlSource.JOINT_TARGET);
		builder.setAttributeValue('mujoco:actuator_trnid', row, [dof, 0]);
		builder.setAttributeValue('mujoco:ctrl_type', row, isPosition ? ControlType.POSITION : ControlType.VELOCITY);
	}
}

/** Finds what actuators that are controlled by themselves act on; Newton leaves that to its solver. */
function resolveTargets(ctx: ImportContext): void {
	const { builder } = ctx;
	if (!hasAttribute(ctx, 'mujoco:actuator_target_label')) return;
	const texts = (name: string): readonly string[] => builder.attributeValues(`mujoco:${name}`) as string[];
	const labels = texts('actuator_target_label');
	const targets = builder.attributeValues('mujoco:actuator_trnid') as Int32Array;
	const kinds = builder.attributeValues('mujoco:actuator_trntype') as Int32Array;
	const [dofs, tendons, shapes] = [texts('joint_dof_label'), texts('tendon_label'), builder.labels('shape')];
	for (const [row, label] of labels.entries()) {
		if (label === '' || targets[2 * row]! >= 0) continue;
		const kind = kinds[row];
		const found =
			kind === TRANSMISSION.TENDON
				? tendons.indexOf(label)
				: kind === TRANSMISSION.SITE
					? shapes.indexOf(label)
					: (dofOf(ctx, label) ?? dofs.indexOf(label));
		if (found >= 0) builder.setAttributeValue('mujoco:actuator_trnid', row, [found, -1]);
	}
}

function dofOf(ctx: ImportContext, path: string): number | undefined {
	const joint = ctx.joints.get(path);
	return joint === undefined ? undefined : ctx.builder.column('jointQdStart')[joint]! + (ctx.mergedDofs.get(path) ?? 0);
}

/** Modes of drives; one without gains is no drive beside an actuator, which Newton takes for one of efforts. */
function settledModes({ builder, options }: ImportContext, dof: number): Int32Array {
	const modes = builder.column('jointTargetMode');
	if (!options.newtonCompat && modes[dof] === JointTargetMode.EFFORT) modes[dof] = JointTargetMode.NONE;
	return modes;
}

function drivePosition(ctx: ImportContext, dof: number, kp: number, bias: number): void {
	const { builder } = ctx;
	const modes = settledModes(ctx, dof);
	builder.column('jointTargetKe')[dof] = kp;
	if (modes[dof] === JointTargetMode.VELOCITY) modes[dof] = JointTargetMode.POSITION_VELOCITY;
	else if (modes[dof] === JointTargetMode.NONE) {
		modes[dof] = JointTargetMode.POSITION;
		builder.column('jointTargetKd')[dof] = bias === 0 ? 0 : -bias;
	}
}

function driveVelocity(ctx: ImportContext, dof: number, kp: number): void {
	const { builder } = ctx;
	const modes = settledModes(ctx, dof);
	builder.column('jointTargetKd')[dof] = kp;
	if (modes[dof] === JointTargetMode.POSITION) modes[dof] = JointTargetMode.POSITION_VELOCITY;
	else if (modes[dof] === JointTargetMode.NONE) modes[dof] = JointTargetMode.VELOCITY;
}

/** Equal up to rounding in single precision. */
function isNear(a: number, b: number): boolean {
	return Math.abs(a - b) <= 1e-8 + 1e-5 * Math.abs(b);
}
