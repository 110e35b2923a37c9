import { GeoType, JOINT_AXIS_DEFAULTS, MODEL_BUILDER_DEFAULTS } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import { isKinematic } from './add-bodies.ts';
import type { Conversion } from './conversion.ts';
import type { ShapePlan } from './shape-plan.ts';
import { about, subjectOf } from './subject.ts';
import { listLabels } from './template-world.ts';

/** Tells what the compiled world has that MuJoCo does not: velocity limits, gaps, hollows of meshes, held armatures. */
export function reportUnrepresented(conversion: Conversion, shapes: ShapePlan): void {
	const { model, options, plan } = conversion;
	const joints = plan.tree.filter((joint) =>
		dofsOf(conversion, joint).some((dof) => model.jointVelocityLimit[dof]! < JOINT_AXIS_DEFAULTS.velocityLimit),
	);
	tell(conversion, joints, model.jointLabels, (count, names) => `velocity limits of ${count} (${names})`, 'joint');
	const held = plan.tree.filter(
		(joint) =>
			isKinematic(conversion, model.jointChild[joint]!) &&
			dofsOf(conversion, joint).some((dof) => model.jointArmature[dof] !== 0),
	);
	tell(
		conversion,
		held,
		model.jointLabels,
		(count, names) => `armatures of ${count} of kinematic bodies (${names}), which are held by a larger one,`,
		'joint',
	);
	const colliding = [...shapes.contype.keys()].filter((shape) => conversion.geomNames.has(shape));
	if (!options.newtonCompat && !options.forwardGap) {
		// a gap that the builder gave to shapes without one was not asked for
		const gaps = colliding.filter(
			(shape) => model.shapeGap[shape]! > 0 && model.shapeGap[shape] !== MODEL_BUILDER_DEFAULTS.rigidGap,
		);
		tell(conversion, gaps, model.shapeLabels, (count, names) => `gaps of ${count} (${names})`, 'shape');
	}
	const hollow = colliding.filter((shape) => model.shapeType[shape] === GeoType.MESH);
	if (options.useMujocoContacts && hollow.length > 0) {
		conversion.report.add(
			createDiagnostic(
				'MJC018',
				`${countOf(hollow.length, 'mesh', 'meshes')} (${listLabels(hollow, model.shapeLabels)}) collide by the convex hull that MuJoCo makes`,
			),
		);
	}
}

function tell(
	conversion: Conversion,
	found: readonly number[],
	labels: readonly string[],
	what: (count: string, names: string) => string,
	kind: string,
): void {
	if (found.length === 0) return;
	const message = what(countOf(found.length, kind, `${kind}s`), listLabels(found, labels));
	conversion.report.add(createDiagnostic('MJC018', `${message} are left out: MuJoCo has no such thing`));
}

function countOf(count: number, one: string, several: string): string {
	return `${count} ${count === 1 ? one : several}`;
}

/** Degrees of freedom of a joint. */
function dofsOf({ model }: Conversion, joint: number): number[] {
	const start = model.jointQdStart[joint]!;
	return Array.from({ length: model.jointQdStart[joint + 1]! - start }, (_, i) => start + i);
}

/**
 * Tells what a joint that closes a loop has beyond its kinematics: MuJoCo closes loops by constraints, which neither
 * drive nor stop nor brake.
 */
export function reportIgnoredOnLoop(conversion: Conversion, joint: number): void {
	const { model } = conversion;
	const dofs = dofsOf(conversion, joint);
	const has = (values: ArrayLike<number>, isPresent: (value: number) => boolean): boolean =>
		dofs.some((dof) => isPresent(values[dof]!));
	const parts = [
		has(model.jointTargetMode, (mode) => mode !== 0 && mode !== 4) ? 'drive' : '',
		has(model.jointLimitLower, (limit) => limit > JOINT_AXIS_DEFAULTS.limitLower) ||
		has(model.jointLimitUpper, (limit) => limit < JOINT_AXIS_DEFAULTS.limitUpper)
			? 'limits'
			: '',
		has(model.jointArmature, (value) => value !== 0) ? 'armature' : '',
		has(model.jointFriction, (value) => value !== 0) ? 'friction' : '',
		has(model.jointDamping, (value) => value !== 0) ? 'damping' : '',
		has(model.jointEffortLimit, (limit) => limit < JOINT_AXIS_DEFAULTS.effortLimit) ? 'effort limit' : '',
		has(model.jointVelocityLimit, (limit) => limit < JOINT_AXIS_DEFAULTS.velocityLimit) ? 'velocity limit' : '',
	].filter((part) => part !== '');
	if (parts.length === 0) return;
	conversion.report.add(
		createDiagnostic(
			'MJC018',
			`${parts.join(', ')} of loop joint '${model.jointLabels[joint]}' are left out: MuJoCo closes loops by constraints`,
			about(subjectOf(model, 'joint', joint)),
		),
	);
}
