import { JointType } from '@manyworlds/model';
import type { Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { DEGREE, hasApi } from './joint-values.ts';
import { asBool, asNumber, attributeValue, authoredValue } from './plain-value.ts';

/** What a joint follows. */
export interface MimicSettings {
	/** Path of the joint that leads; undefined when none is named. */
	readonly leader: string | undefined;
	/** In the follower's coordinate. */
	readonly coef0: number;
	readonly coef1: number;
}

/** Attributes of a schema for mimic joints: q = offset + ratio * qLeader, the offset in degrees where the joint turns. */
interface MimicNames {
	readonly schema: string;
	readonly joint: string;
	readonly offset: string;
	readonly ratio: string;
	readonly enabled: string;
}

const NEWTON: MimicNames = {
	schema: 'NewtonMimicAPI',
	joint: 'newton:mimicJoint',
	offset: 'newton:mimicCoef0',
	ratio: 'newton:mimicCoef1',
	enabled: 'newton:mimicEnabled',
};

/** The schema of REP 158. */
const EXTENDED: MimicNames = {
	schema: 'ExtendedPhysicsMimicAPI',
	joint: 'ext_physics:mimic:joint',
	offset: 'ext_physics:mimic:offset',
	ratio: 'ext_physics:mimic:multiplier',
	enabled: 'ext_physics:mimic:enabled',
};

/**
 * Reads a mimic schema, with the older `mjc` names as a fallback, which have their offset in radians. Left out, it is the
 * one that names a joint, that of Newton before that of REP 158.
 */
export function readMimic(ctx: ImportContext, prim: Prim, names: MimicNames = namesOf(prim)): MimicSettings {
	const path = prim.path.toString();
	const authored = prim.relationship(names.joint).targets();
	const targets = authored.length > 0 ? authored : prim.relationship('mjc:target').targets();
	const isRevolute = ctx.jointsByPath.get(path)?.kind === 'RevoluteJoint';
	const offset = asNumber(authoredValue(prim, names.offset));
	const ratio = asNumber(authoredValue(prim, names.ratio));
	return {
		leader: targets[0]?.makeAbsolute(prim.path.parent ?? prim.path).toString(),
		coef0:
			offset === undefined ? (asNumber(authoredValue(prim, 'mjc:coef0')) ?? 0) : offset * (isRevolute ? DEGREE : 1),
		coef1: ratio ?? asNumber(authoredValue(prim, 'mjc:coef1')) ?? 1,
	};
}

function namesOf(prim: Prim): MimicNames {
	const isNamed = ({ joint }: MimicNames): boolean => prim.relationship(joint).targets().length > 0;
	return !isNamed(NEWTON) && isNamed(EXTENDED) ? EXTENDED : NEWTON;
}

/** Adds constraints for joints that follow others, by the PhysX and the Newton schema. */
export function addMimicConstraints(ctx: ImportContext, joints: ReadonlyMap<string, number>): void {
	const followers: [Prim, string, number][] = [];
	for (const [path, joint] of joints) {
		const prim = ctx.stage.prim(path);
		if (prim === undefined || hasApi(prim, 'MjcEqualityJointAPI')) continue;
		followers.push([prim, path, joint]);
	}
	for (const [prim, path, joint] of followers) {
		const isOther = hasApi(prim, NEWTON.schema) || hasApi(prim, EXTENDED.schema);
		if (!isOther) addPhysxMimic(ctx, joints, prim, path, joint);
	}
	for (const [prim, path, joint] of followers) {
		if (hasApi(prim, NEWTON.schema)) addLinearMimic(ctx, joints, prim, path, joint, NEWTON);
		else if (hasApi(prim, EXTENDED.schema)) addLinearMimic(ctx, joints, prim, path, joint, EXTENDED);
	}
}

/** PhysX has q + gearing * qRef + offset = 0, here q = coef0 + coef1 * qRef. */
function addPhysxMimic(
	ctx: ImportContext,
	joints: ReadonlyMap<string, number>,
	prim: Prim,
	path: string,
	joint: number,
): void {
	for (const schema of prim.authoredSchemas ?? []) {
		const [name, axis] = schema.split(':');
		if (name !== 'PhysxMimicJointAPI' || axis === undefined) continue;
		const prefix = `physxMimicJoint:${axis}`;
		const target = prim.relationship(`${prefix}:referenceJoint`).targets()[0];
		if (target === undefined) continue;
		const leader = joints.get(target.makeAbsolute(prim.path.parent ?? prim.path).toString());
		if (leader === undefined) {
			ctx.tell('IMP060', prim, `the joint mimics <${target}>, which is not imported`, `${prefix}:referenceJoint`);
			continue;
		}
		const gearing = asNumber(attributeValue(prim, `${prefix}:gearing`)) ?? 1;
		const offset = asNumber(attributeValue(prim, `${prefix}:offset`)) ?? 0;
		const unit = axis.startsWith('rot') && !ctx.has('mimic-offset') ? DEGREE : 1;
		const row = ctx.builder.addConstraintMimic({
			joint0: joint,
			joint1: leader,
			coef0: -offset * unit,
			coef1: -gearing,
			label: path,
		});
		ctx.ledger.convert(path, `${prefix}:gearing`, {
			target: `constraint_mimic_coef1[${row}]`,
			from: 'gearing',
			to: '-gearing',
		});
		ctx.ledger.convert(path, `${prefix}:offset`, {
			target: `constraint_mimic_coef0[${row}]`,
			from: 'offset',
			to: '-offset',
		});
	}
}

function addLinearMimic(
	ctx: ImportContext,
	joints: ReadonlyMap<string, number>,
	prim: Prim,
	path: string,
	joint: number,
	names: MimicNames,
): void {
	if (asBool(authoredValue(prim, names.enabled)) === false) {
		ctx.ledger.use(path, names.enabled, { note: 'switches the constraint off' });
		return;
	}
	const { leader, coef0, coef1 } = readMimic(ctx, prim, names);
	if (leader === undefined) {
		ctx.tell('IMP060', prim, `${names.schema} is applied, but ${names.joint} names no joint`, names.joint);
		return;
	}
	const index = joints.get(leader);
	if (index === undefined) {
		ctx.tell('IMP060', prim, `the joint mimics <${leader}>, which is not imported`, names.joint);
		return;
	}
	const kind = ctx.jointsByPath.get(path)?.kind;
	const isSingle = kind === 'RevoluteJoint' || kind === 'PrismaticJoint';
	if (!isSingle) {
		const what = `${names.offset} has no unit on a joint of type ${prim.typeName}`;
		ctx.tell('IMP061', prim, `${what}; it is taken as it is, for every degree of freedom`, names.offset);
	} else if (ctx.builder.column('jointType')[joint] === JointType.D6) {
		const what = 'the joint was merged with others';
		ctx.tell('IMP061', prim, `${what}, so the constraint holds for every degree of freedom of all of them`);
	}
	const row = ctx.builder.addConstraintMimic({ joint0: joint, joint1: index, coef0, coef1, label: path });
	const target = `constraint_mimic_coef0[${row}]`;
	if (kind === 'RevoluteJoint') ctx.ledger.convert(path, names.offset, { target, from: 'degrees', to: 'radians' });
	else ctx.ledger.use(path, names.offset, { target });
	ctx.ledger.use(path, names.ratio, { target: `constraint_mimic_coef1[${row}]` });
	ctx.ledger.use(path, names.enabled, {});
}
