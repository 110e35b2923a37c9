import { type AttributeAssignments, type MujocoAttribute, ShapeFlags } from '@manyworlds/model';
import { type MujocoTokenRule, parseMujocoToken } from '@manyworlds/model/internal';
import type { Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { SolrefMode } from './joint-values.ts';
import { asNumber, attributeValue, authoredValue, showValue } from './plain-value.ts';

/** Kinds of what an actuator drives, in Newton's order. */
export const TRANSMISSION = { JOINT: 0, TENDON: 2, SITE: 3 } as const;
const AUTO = 2;

/** The value of a `mujoco` attribute that is more than one USD attribute's. */
export function applyMujocoRule(
	ctx: ImportContext,
	prim: Prim,
	attribute: MujocoAttribute,
): AttributeAssignments[string] | undefined {
	const { usdRule, usdSource = '', usdName, key } = attribute;
	const path = prim.path.toString();
	switch (usdRule) {
		case 'solrefMode':
			return prim.attribute(usdSource).hasAuthoredValue ? SolrefMode.RAW : SolrefMode.MJCF_DEFAULT;
		case 'solreflimitMode':
			return prim.attribute(usdSource).hasAuthoredValue ? SolrefMode.RAW : undefined;
		case 'jointDofLabel':
			return jointDofLabels(ctx, prim);
		case 'primPath':
			return path;
		case 'targetPath':
			return actuatorTarget(prim, usdSource);
		case 'transmission':
			return transmissionOf(ctx, actuatorTarget(prim, usdSource));
		case 'limited':
			return readLimited(ctx, prim, usdSource, key) ?? AUTO;
		case 'ctrlLimited':
			return readLimited(ctx, prim, usdSource, key) ?? (inheritedRange(ctx, prim) === undefined ? AUTO : 1);
		case 'range':
			return readRange(ctx, prim, usdSource, key);
		case 'ctrlRange':
			return readRange(ctx, prim, usdSource, key) ?? inheritedRange(ctx, prim);
		case 'hasRange':
			return readRange(ctx, prim, usdSource, key) === undefined ? 0 : 1;
		case 'hasCtrlRange':
			return (readRange(ctx, prim, usdSource, key) ?? inheritedRange(ctx, prim)) === undefined ? 0 : 1;
		case 'tendonJointAdr':
			return ctx.builder.rowCount('mujoco:tendon_joint');
		case 'tendonJointNum':
			return tendonJoints(ctx, prim).length;
		case undefined:
			return undefined;
		default:
			return readToken(ctx, prim, usdName, usdRule, key);
	}
}

/** The only target of an actuator; undefined when there is none or there are several. */
export function actuatorTarget(prim: Prim, relationship: string = 'mjc:target'): string | undefined {
	const targets = prim.relationship(relationship).targets();
	return targets.length === 1 ? targets[0]!.toString() : undefined;
}

/** A joint of a fixed tendon with its factor. */
export interface TendonJoint {
	readonly joint: number;
	readonly coefficient: number;
}

/** The joints of a fixed tendon in the order of its path; what leads nowhere is reported and left out. */
export function tendonJoints(ctx: ImportContext, prim: Prim): readonly TendonJoint[] {
	const type = attributeValue(prim, 'mjc:type');
	if (typeof type !== 'string' || type.toLowerCase() !== 'fixed') {
		ctx.tell(
			'IMP082',
			prim,
			`the tendon is of type ${showValue(type)}; only those of type 'fixed' are imported`,
			'mjc:type',
		);
		return [];
	}
	const targets = prim.relationship('mjc:path').targets();
	const authored = attributeValue(prim, 'mjc:path:indices');
	const indices = Array.isArray(authored) && authored.length > 0 ? authored : targets.map((_, i) => i);
	const factors = attributeValue(prim, 'mjc:path:coef');
	const found: TendonJoint[] = [];
	indices.forEach((index, i) => {
		const target = targets[asNumber(index) ?? -1];
		if (target === undefined) {
			ctx.tell(
				'IMP082',
				prim,
				`mjc:path:indices has ${showValue(index)} for a path of ${targets.length} targets`,
				'mjc:path:indices',
			);
			return;
		}
		const joint = ctx.joints.get(target.toString());
		if (joint === undefined) {
			ctx.tell('IMP082', prim, `mjc:path names <${target}>, which is no imported joint`, 'mjc:path');
			return;
		}
		found.push({ joint, coefficient: (Array.isArray(factors) ? asNumber(factors[i]) : undefined) ?? 1 });
	});
	return found;
}

function jointDofLabels(ctx: ImportContext, prim: Prim): readonly string[] | undefined {
	const path = prim.path.toString();
	const joint = ctx.jointsByPath.get(path);
	switch (joint?.kind) {
		case 'RevoluteJoint':
		case 'PrismaticJoint':
			return [path];
		case 'SphericalJoint':
			return ['rotX', 'rotY', 'rotZ'].map((axis) => `${path}:${axis}`);
		case 'D6Joint':
			return (['transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'] as const)
				.filter((axis) => {
					const limit = joint.limits.get(axis);
					if (limit === undefined) return !ctx.has('d6-lock');
					return !limit.enabled || limit.lower < limit.upper;
				})
				.map((axis) => `${path}:${axis}`);
		default:
			return undefined;
	}
}

/** What actuators may drive, by label. */
interface Drivable {
	readonly dofs: ReadonlySet<string>;
	readonly tendons: Set<string>;
	readonly sites: ReadonlySet<string>;
}

const drivables = new WeakMap<ImportContext, Drivable>();

/** Tells later actuators of a tendon. */
export function noteTendon(ctx: ImportContext, label: string): void {
	drivable(ctx).tendons.add(label);
}

function drivable(ctx: ImportContext): Drivable {
	let known = drivables.get(ctx);
	if (known === undefined) {
		const { builder } = ctx;
		const flags = builder.column('shapeFlags');
		known = {
			dofs: new Set(builder.attributeValues('mujoco:joint_dof_label') as string[]),
			tendons: new Set(builder.attributeValues('mujoco:tendon_label') as string[]),
			sites: new Set(builder.labels('shape').filter((_, shape) => (flags[shape]! & ShapeFlags.SITE) !== 0)),
		};
		drivables.set(ctx, known);
	}
	return known;
}

function transmissionOf(ctx: ImportContext, target: string | undefined): number {
	if (target === undefined) return TRANSMISSION.JOINT;
	const { dofs, tendons, sites } = drivable(ctx);
	if (dofs.has(target)) return TRANSMISSION.JOINT;
	if (tendons.has(target)) return TRANSMISSION.TENDON;
	return sites.has(target) ? TRANSMISSION.SITE : TRANSMISSION.JOINT;
}

function readLimited(ctx: ImportContext, prim: Prim, name: string, key: string): number | undefined {
	return authoredValue(prim, name) === undefined ? undefined : readToken(ctx, prim, name, 'tristate', key);
}

function readToken(
	ctx: ImportContext,
	prim: Prim,
	name: string,
	rule: MujocoTokenRule,
	key: string,
): number | undefined {
	const authored = authoredValue(prim, name);
	if (authored === undefined) return undefined;
	const number = Array.isArray(authored) ? undefined : parseMujocoToken(rule, String(authored));
	if (number === undefined)
		ctx.tell('IMP071', prim, `${name} is ${showValue(authored)}, expected a token of ${rule}`, name);
	else ctx.ledger.convert(prim.path.toString(), name, { target: key, from: 'token', to: 'number' });
	return number;
}

/** A pair of attributes; where one is missing it is 0, as in the schema. */
function readRange(ctx: ImportContext, prim: Prim, name: string, key: string): readonly number[] | undefined {
	const least = authoredValue(prim, `${name}:min`);
	const most = authoredValue(prim, `${name}:max`);
	if (least === undefined && most === undefined) return undefined;
	const path = prim.path.toString();
	ctx.ledger.keep(path, `${name}:min`, { target: key });
	ctx.ledger.keep(path, `${name}:max`, { target: key });
	return [asNumber(least) ?? 0, asNumber(most) ?? 0];
}

/** The range of the target joint, widened about its middle by `mjc:inheritRange`. */
function inheritedRange(ctx: ImportContext, prim: Prim): readonly number[] | undefined {
	const factor = asNumber(authoredValue(prim, 'mjc:inheritRange'));
	const target = actuatorTarget(prim);
	const joint = target === undefined ? undefined : ctx.joints.get(target);
	if (factor === undefined || !(factor > 0) || joint === undefined) return undefined;
	const dof = ctx.builder.column('jointQdStart')[joint]! + (ctx.mergedDofs.get(target!) ?? 0);
	const lower = ctx.builder.column('jointLimitLower')[dof];
	const upper = ctx.builder.column('jointLimitUpper')[dof];
	if (lower === undefined || upper === undefined || !(lower < upper)) return undefined;
	ctx.ledger.convert(prim.path.toString(), 'mjc:inheritRange', {
		target: 'mujoco:actuator_ctrlrange',
		from: 'share of the joint range',
		to: 'range',
	});
	const middle = (upper + lower) / 2;
	const reach = ((upper - lower) / 2) * factor;
	return [middle - reach, middle + reach];
}
