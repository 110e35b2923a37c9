import { quatRotate } from '@manyworlds/core/internal';
import { EqualityType, type ErrorSubject, JointType } from '@manyworlds/model';
import { enumName } from '@manyworlds/model/internal';
import { createDiagnostic } from '../diagnostics.ts';
import type { Conversion } from './conversion.ts';
import { EqualityTargetKind } from './joint-plan.ts';
import { reportIgnoredOnLoop } from './report-unrepresented.ts';
import { isInTemplate } from './shape-plan.ts';
import { about, nameOf, rowSubject, standFor, subjectOf } from './subject.ts';
import { copiedAttributes } from './value-table.ts';

/** Distance of the second anchor of a hinge closed by two connects [m]. */
const HINGE_ANCHOR_DISTANCE = 0.1;

/** Adds equality rows, then loop closures, then mimics. What a row already stands for is not added twice. */
export function addEqualities(conversion: Conversion): void {
	const { attributes, template, plan } = conversion;
	const projected = { [EqualityTargetKind.JOINT]: new Set<number>(), [EqualityTargetKind.MIMIC]: new Set<number>() };
	for (const row of template.equalities) {
		const kind = attributes.number('equality_constraint_target_kind', row) ?? EqualityTargetKind.NONE;
		const target = attributes.number('equality_constraint_target', row) ?? -1;
		if (kind !== EqualityTargetKind.NONE && target >= 0) {
			projected[kind as typeof EqualityTargetKind.JOINT]?.add(target);
		}
		addEqualityRow(conversion, row);
	}
	for (const joint of plan.loops)
		if (!projected[EqualityTargetKind.JOINT].has(joint)) addLoopClosure(conversion, joint);
	for (const mimic of template.mimics) if (!projected[EqualityTargetKind.MIMIC].has(mimic)) addMimic(conversion, mimic);
}

function addEqualityRow(conversion: Conversion, row: number): void {
	const { model } = conversion;
	const section = conversion.sections.equality;
	const subject = rowSubject('equality', row, model.equalityConstraintLabels[row]);
	const type = model.equalityConstraintType[row]!;
	const common = {
		active: model.equalityConstraintEnabled[row] === 1,
		...copiedAttributes(conversion, 'equality', row),
	};
	if (type === EqualityType.JOINT) {
		const first = jointName(conversion, model.equalityConstraintJoint1[row]!);
		const second = jointName(conversion, model.equalityConstraintJoint2[row]!);
		if (first === undefined) {
			leaveOut(
				conversion,
				subject,
				`its joint ${model.equalityConstraintJoint1[row]} is not a scalar joint of the tree`,
			);
			return;
		}
		standFor(
			conversion,
			section.add('joint', {
				joint1: first,
				joint2: second,
				polycoef: model.equalityConstraintPolycoef.subarray(5 * row, 5 * row + 5),
				...common,
			}),
			subject,
		);
	} else {
		const body1 = conversion.bodyNames.get(model.equalityConstraintBody1[row]!);
		const body2 = conversion.bodyNames.get(model.equalityConstraintBody2[row]!);
		if (body1 === undefined || body2 === undefined) {
			leaveOut(conversion, subject, 'one of its bodies is not in the converted model');
			return;
		}
		const anchor = model.equalityConstraintAnchor.subarray(3 * row, 3 * row + 3);
		const sites = equalitySites(conversion, row);
		if (sites !== undefined) {
			const isWeld = type === EqualityType.WELD;
			const torquescale = isWeld ? model.equalityConstraintTorquescale[row]! : undefined;
			standFor(conversion, section.add(isWeld ? 'weld' : 'connect', { ...sites, torquescale, ...common }), subject);
		} else if (type === EqualityType.CONNECT)
			standFor(conversion, section.add('connect', { body1, body2, anchor, ...common }), subject);
		else {
			const [x, y, z, qx, qy, qz, qw] = model.equalityConstraintRelpose.subarray(7 * row, 7 * row + 7);
			standFor(
				conversion,
				section.add('weld', {
					body1,
					body2,
					anchor,
					relpose: [x!, y!, z!, qw!, qx!, qy!, qz!],
					torquescale: model.equalityConstraintTorquescale[row]!,
					...common,
				}),
				subject,
			);
		}
	}
	conversion.equalities.push({ kind: 'equality', index: row });
}

/** Names of the sites that a row brings together, undefined where it holds bodies. */
function equalitySites(
	{ attributes, siteNames }: Conversion,
	row: number,
): { readonly site1: string; readonly site2: string } | undefined {
	const site1 = siteNames.get(attributes.number('equality_constraint_site1', row) ?? -1);
	const site2 = siteNames.get(attributes.number('equality_constraint_site2', row) ?? -1);
	return site1 === undefined || site2 === undefined ? undefined : { site1, site2 };
}

/** Adds the equalities between lengths of tendons, after the tendons. */
export function addTendonEqualities(conversion: Conversion): void {
	const { attributes, template, tendons } = conversion;
	for (let row = 0; row < attributes.count('tendon_equality'); row++) {
		if (!isInTemplate(template, attributes.number('tendon_equality_world', row))) continue;
		const subject = rowSubject('equality', row, attributes.texts('tendon_equality_label')?.[row]);
		const nameOfTendon = (end: 1 | 2): string | undefined => {
			const own = attributes.number(`tendon_equality_tendon${end}`, row);
			return tendons.find((tendon) => tendon.row === own)?.name;
		};
		const [tendon1, tendon2] = [nameOfTendon(1), nameOfTendon(2)];
		const isAlone = (attributes.number('tendon_equality_tendon2', row) ?? -1) < 0;
		if (tendon1 === undefined || (tendon2 === undefined && !isAlone)) {
			leaveOut(conversion, subject, 'one of its tendons is not in the converted model');
			continue;
		}
		standFor(
			conversion,
			conversion.sections.equality.add('tendon', {
				tendon1,
				tendon2,
				polycoef: attributes.row('tendon_equality_polycoef', row, 5),
				active: attributes.number('tendon_equality_enabled', row) !== 0,
				solref: attributes.row('tendon_equality_solref', row, 2),
				solimp: attributes.row('tendon_equality_solimp', row, 5),
			}),
			subject,
		);
		conversion.equalities.push({ kind: 'tendon', index: row });
	}
}

/** The MuJoCo joint of a joint with one axis. */
function jointName(conversion: Conversion, joint: number): string | undefined {
	const { model } = conversion;
	if (joint < 0 || !conversion.jointNames.has(joint)) return undefined;
	const start = model.jointQdStart[joint]!;
	return model.jointQdStart[joint + 1]! - start === 1 ? conversion.dofNames.get(start) : undefined;
}

function leaveOut(conversion: Conversion, subject: ErrorSubject, why: string): void {
	conversion.report.add(createDiagnostic('MJC013', `${nameOf(subject)} is left out: ${why}`, about(subject)));
}

function addLoopClosure(conversion: Conversion, joint: number): void {
	const { model } = conversion;
	const section = conversion.sections.equality;
	const linear = model.jointDofDim[2 * joint]!;
	const angular = model.jointDofDim[2 * joint + 1]!;
	const bodies = {
		body1: conversion.bodyNames.get(model.jointParent[joint]!),
		body2: conversion.bodyNames.get(model.jointChild[joint]!),
	};
	const subject = subjectOf(model, 'joint', joint);
	const anchor = model.jointXP.slice(7 * joint, 7 * joint + 3);
	if (model.jointType[joint] === JointType.FIXED) {
		// a zero relative pose lets MuJoCo take that of the reference configuration
		standFor(conversion, section.add('weld', { ...bodies, anchor, relpose: [0, 0, 0, 0, 0, 0, 0] }), subject);
		conversion.equalities.push({ kind: 'joint', index: joint });
		return;
	}
	if (linear === 0 && (angular === 1 || angular === 3)) {
		standFor(conversion, section.add('connect', { ...bodies, anchor }), subject);
		conversion.equalities.push({ kind: 'joint', index: joint, isAxisPoint: false });
		if (angular === 1) {
			standFor(conversion, section.add('connect', { ...bodies, anchor: hingeAxisPoint(conversion, joint) }), subject);
			conversion.equalities.push({ kind: 'joint', index: joint, isAxisPoint: true });
		}
		reportIgnoredOnLoop(conversion, joint);
		return;
	}
	conversion.report.add(
		createDiagnostic(
			'MJC012',
			`joint '${model.jointLabels[joint]}' (${enumName(JointType, model.jointType[joint]!)}, ${linear} linear and ${angular} angular axes) closes a loop that MuJoCo cannot close`,
			about(subject),
		),
	);
}

/** A point of the parent body on the axis of a hinge, away from its anchor. */
export function hingeAxisPoint(conversion: Pick<Conversion, 'model'>, joint: number): Float64Array {
	const { model } = conversion;
	const point = model.jointXP.slice(7 * joint, 7 * joint + 3);
	const dof = model.jointQdStart[joint]!;
	const axis = quatRotate(new Float64Array(3), model.jointXP, model.jointAxis, 0, 7 * joint + 3, 3 * dof);
	for (let i = 0; i < 3; i++) point[i]! += HINGE_ANCHOR_DISTANCE * axis[i]!;
	return point;
}

function addMimic(conversion: Conversion, mimic: number): void {
	const { model } = conversion;
	const subject = rowSubject('mimic', mimic, model.constraintMimicLabels[mimic]);
	const follower = model.constraintMimicJoint0[mimic]!;
	const leader = model.constraintMimicJoint1[mimic]!;
	for (const joint of [follower, leader]) {
		const type = model.jointType[joint]!;
		const isScalar = type === JointType.REVOLUTE || type === JointType.PRISMATIC;
		if (isScalar && conversion.jointNames.has(joint)) continue;
		const why = isScalar
			? 'is not in the converted tree'
			: `is of type ${enumName(JointType, type)}, expected REVOLUTE or PRISMATIC`;
		leaveOut(conversion, subject, `joint '${model.jointLabels[joint]}' ${why}`);
		return;
	}
	standFor(
		conversion,
		conversion.sections.equality.add('joint', {
			joint1: jointName(conversion, follower),
			joint2: jointName(conversion, leader),
			polycoef: [model.constraintMimicCoef0[mimic]!, model.constraintMimicCoef1[mimic]!, 0, 0, 0],
			active: model.constraintMimicEnabled[mimic] === 1,
		}),
		subject,
	);
	conversion.equalities.push({ kind: 'mimic', index: mimic });
}
