import { EqualityType, WORLD } from '../enums.ts';
import { toNumbers, toTransform } from '../geometry-inputs.ts';
import { ModelError } from '../model-error.ts';
import { checkJoint } from './add-articulation.ts';
import type { BuilderCore } from './builder-core.ts';
import type { EqualityOptions, MimicOptions } from './builder-options.ts';

const EQUALITY_TYPES = { connect: EqualityType.CONNECT, weld: EqualityType.WELD, joint: EqualityType.JOINT } as const;

/** Couples the coordinates of two joints of the open world. */
export function addConstraintMimic(core: BuilderCore, options: MimicOptions): number {
	const { tables, attributes, currentWorld } = core;
	checkJoint(core, 'follower', options.joint0);
	checkJoint(core, 'leader', options.joint1);
	attributes.check('constraintMimic', options.attributes);
	const row = tables.addRows('constraintMimic');
	tables.set('constraintMimicJoint0', row, options.joint0);
	tables.set('constraintMimicJoint1', row, options.joint1);
	tables.set('constraintMimicCoef0', row, options.coef0 ?? 0);
	tables.set('constraintMimicCoef1', row, options.coef1 ?? 1);
	tables.set('constraintMimicEnabled', row, (options.enabled ?? true) ? 1 : 0);
	tables.set('constraintMimicWorld', row, currentWorld);
	tables.labels.constraintMimic.push(options.label ?? '');
	attributes.assign('constraintMimic', row, options.attributes);
	return row;
}

/** Adds an equality constraint; what it refers to is checked when the model is made. */
export function addEqualityConstraint(core: BuilderCore, options: EqualityOptions): number {
	const { tables, attributes, currentWorld } = core;
	const type = EQUALITY_TYPES[options.type];
	if (type === undefined) {
		throw new ModelError(
			'MODEL001',
			`type of the equality constraint is '${options.type}', expected connect, weld or joint`,
			{
				kind: 'equalityConstraint',
			},
		);
	}
	const anchor = toNumbers(options.anchor ?? [0, 0, 0], 3, 'anchor', 'a point');
	const relpose = toTransform(options.relpose, 'relpose');
	// without coefficients one joint follows the other
	const identity = [0, type === EqualityType.JOINT ? 1 : 0, 0, 0, 0];
	const polycoef = toNumbers(options.polycoef ?? identity, 5, 'polycoef', 'the coefficients of a quartic');
	attributes.check('equalityConstraint', options.attributes);
	const row = tables.addRows('equalityConstraint');
	tables.set('equalityConstraintType', row, type);
	tables.set('equalityConstraintBody1', row, options.body1 ?? WORLD);
	tables.set('equalityConstraintBody2', row, options.body2 ?? WORLD);
	tables.set('equalityConstraintAnchor', row, ...anchor);
	tables.set('equalityConstraintTorquescale', row, options.torquescale ?? (type === EqualityType.WELD ? 1 : 0));
	tables.set('equalityConstraintRelpose', row, ...relpose);
	tables.set('equalityConstraintJoint1', row, options.joint1 ?? -1);
	tables.set('equalityConstraintJoint2', row, options.joint2 ?? -1);
	tables.set('equalityConstraintPolycoef', row, ...polycoef);
	tables.set('equalityConstraintEnabled', row, (options.enabled ?? true) ? 1 : 0);
	tables.set('equalityConstraintWorld', row, currentWorld);
	tables.labels.equalityConstraint.push(options.label ?? '');
	attributes.assign('equalityConstraint', row, options.attributes);
	return row;
}
