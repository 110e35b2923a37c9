import { Report } from '@manyworlds/core';
import { EqualityType, JointTargetMode, type Model, SHAPE_CONFIG_DEFAULTS, ShapeFlags } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { LinearActuators } from './linear-actuators.ts';
import type { SapSettings } from './sap-options.ts';

/** What of a model the solver leaves out, one warning for each kind. */
export function reportUnsupported(structure: TreeStructure, options: SapSettings, actuators: LinearActuators): Report {
	const { model } = structure;
	const report = new Report();
	const warn = (count: number, what: string): void => {
		if (count > 0)
			report.add(createDiagnostic('SIM001', `SolverSap does not simulate ${what}: ${count} in this model`));
	};
	warn(model.particleCount, 'particles, cloth and soft bodies');
	warn(
		countOf(model.shapeMaterialRestitution, (value) => value > 0),
		'restitution of shapes',
	);
	warn(
		countOf(model.shapeMaterialMuTorsional, (value) => value > 0 && value !== SHAPE_CONFIG_DEFAULTS.muTorsional),
		'torsional friction of shapes other than the default',
	);
	warn(
		countOf(model.shapeMaterialMuRolling, (value) => value > 0 && value !== SHAPE_CONFIG_DEFAULTS.muRolling),
		'rolling friction of shapes other than the default',
	);
	warn(
		countOf(model.shapeFlags, (flags) => (flags & ShapeFlags.HYDROELASTIC) !== 0),
		'hydroelastic contact (point contact takes its place)',
	);
	warn(
		countOf(
			model.equalityConstraintTorquescale,
			(scale, i) => model.equalityConstraintType[i] === EqualityType.WELD && scale !== 1,
		),
		'the torque scale of weld constraints other than 1',
	);
	warn(countDriven(model, structure.loopJoints), 'drives, damping and friction of joints that close loops');
	warn(
		countOf(
			model.jointEnabled,
			(enabled, joint) => enabled === 0 && structure.moverOf[model.jointChild[joint]!] === joint,
		),
		'disabled joints of articulations (they stay enabled)',
	);
	const limited = countOf(model.jointVelocityLimit, (limit) => limit > 0 && limit < 1e6);
	if (limited > 0 && !options.enforceVelocityLimits) {
		const message = `velocity limits are not enforced: ${limited} in this model; the option enforceVelocityLimits does`;
		report.add(createDiagnostic('SIM003', message));
	}
	reportMassless(structure, report);
	reportActuators(actuators, report);
	return report;
}

/** Actuators and tendons that do nothing here, and those that only push at the start of a step. */
function reportActuators({ left, explicit }: LinearActuators, report: Report): void {
	for (const [what, labels] of left) {
		const message = `SolverSap does not simulate ${what}: ${labels.length} in this model (${firstOf(labels)})`;
		report.add(createDiagnostic('SIM001', message));
	}
	if (explicit.length > 0) {
		const message = `${explicit.length} actuators push away from where they are (${firstOf(explicit)}), so they act as forces at the start of a step, not as drives`;
		report.add(createDiagnostic('SIM004', message));
	}
}

function firstOf(labels: readonly string[]): string {
	const shown = labels.slice(0, 3).map((label) => `'${label}'`);
	return labels.length > 3 ? `${shown.join(', ')}, …` : shown.join(', ');
}

function countOf(values: ArrayLike<number>, test: (value: number, index: number) => boolean): number {
	let count = 0;
	for (let i = 0; i < values.length; i++) if (test(values[i]!, i)) count++;
	return count;
}

function countDriven(model: Model, joints: Int32Array): number {
	return countOf(joints, (joint) => {
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
			const isDriven =
				model.jointTargetMode[dof] !== JointTargetMode.NONE &&
				model.jointTargetKe[dof]! + model.jointTargetKd[dof]! > 0;
			if (isDriven || model.jointDamping[dof]! > 0 || model.jointFriction[dof]! > 0) return true;
		}
		return false;
	});
}

/** Joints that move nothing with mass: the whole subtree must be without it, and the joint without armature. */
function reportMassless(structure: TreeStructure, report: Report): void {
	const { model, dofAt, bodyAt } = structure;
	const hasMass = (body: number): boolean => {
		if (model.bodyMass[body]! > 0) return true;
		for (let k = 0; k < 9; k += 4) if (model.bodyInertia[9 * body + k]! > 0) return true;
		return false;
	};
	const below = massBelow(structure, hasMass);
	for (let p = 0; p < dofAt.length; p++) {
		const dof = dofAt[p]!;
		if (below[bodyAt[p]!] === 1 || model.jointArmature[dof]! > 0) continue;
		const joint = structure.moverOf[bodyAt[p]!]!;
		const label = model.jointLabels[joint] || `joint ${joint}`;
		report.add(createDiagnostic('SIM002', `'${label}' moves nothing that has mass and stays at rest`));
	}
}

/** 1 for bodies that carry mass, themselves or by what hangs on them. */
function massBelow(structure: TreeStructure, hasMass: (body: number) => boolean): Uint8Array {
	const { model, joints } = structure;
	const out = Uint8Array.from({ length: model.bodyCount }, (_, body) => (hasMass(body) ? 1 : 0));
	for (let i = joints.length - 1; i >= 0; i--) {
		const parent = model.jointParent[joints[i]!]!;
		if (parent >= 0 && out[model.jointChild[joints[i]!]!] === 1) out[parent] = 1;
	}
	return out;
}
