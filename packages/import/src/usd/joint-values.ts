import { JOINT_AXIS_DEFAULTS, type JointAxisConfig, JointTargetMode } from '@manyworlds/model';
import type { PhysicsDrive, PhysicsLimit, Prim } from '@manyworlds/usd';
import type { Provenance } from '../ledger.ts';
import type { Conversion, ImportContext } from './context.ts';
import { originOf } from './origins.ts';
import { asNumber, authoredValue } from './plain-value.ts';
import type { Resolved } from './resolvers/resolver-set.ts';

/** Radians per degree: UsdPhysics has degrees, models have radians. */
export const DEGREE: number = Math.PI / 180;

/** How MuJoCo's limit settings were given, as `mujoco:solreflimit_mode` has it. */
export const SolrefMode = { FORCE_SPACE: 0, RAW: 1, MJCF_DEFAULT: 2 } as const;

/** Stiffness of a limit that is authored as infinitely hard. */
const HARD_LIMIT = 1e8;

/** A value of a degree of freedom that a resolver gave, for the ledger. */
export type DofCredit = readonly [resolved: Resolved, array: string, conversion: Conversion | undefined];

/** What is known of one degree of freedom, in radians or units of the stage. */
export interface DofValues {
	readonly source: DofSource;
	readonly config: Omit<JointAxisConfig, 'axis'>;
	readonly initialPosition: number | undefined;
	readonly initialVelocity: number | undefined;
	readonly solrefMode: number;
	readonly credits: readonly DofCredit[];
	/** Where the other numbers come from, by array. */
	readonly origins: readonly (readonly [array: string, provenance: Provenance])[];
}

/** What a degree of freedom is read from. */
export interface DofSource {
	readonly prim: Prim;
	readonly isAngular: boolean;
	/** Name of the axis in the resolvers' keys of limits: `linear`, `angular`, `transX`, `rotZ`. */
	readonly axis: string;
	/** Undefined where nothing limits the axis. */
	readonly limit: PhysicsLimit | undefined;
	readonly drive: PhysicsDrive | undefined;
	/** Whether it is an axis of a D6 joint or of merged ones, which have no effort limit without a drive. */
	readonly isCompound: boolean;
	readonly isD6: boolean;
}

/** Resolves limits, drive, passive properties and initial state of one degree of freedom. */
export function resolveDof(ctx: ImportContext, source: DofSource): DofValues {
	const { prim, isAngular } = source;
	const { builder, resolvers } = ctx;
	const perRadian = isAngular ? DEGREE : 1;
	const defaults = ctx.units.axisConfig(builder.defaultJointConfig, isAngular);
	const credits: DofCredit[] = [];
	const number = (key: string, array: string, fallback?: number, conversion?: Conversion): number | undefined => {
		const resolved = resolvers.resolve(prim, 'joint', key, fallback);
		if (resolved.source !== 'none') credits.push([resolved, array, conversion]);
		return asNumber(resolved.value);
	};
	const armature = number('armature', 'joint_armature', defaults.armature) ?? defaults.armature;
	const friction = number('friction', 'joint_friction', defaults.friction) ?? defaults.friction;
	const damping = resolveDamping(ctx, prim, isAngular, credits) ?? defaults.damping;
	const velocity = number(
		'velocity_limit',
		'joint_velocity_limit',
		undefined,
		isAngular ? DEGREES_PER_SECOND : undefined,
	);
	const gains = resolveLimitGains(ctx, source, defaults, credits);
	const initial = resolveState(ctx, source, credits);
	const limits = limitsOf(ctx, source, defaults);
	const drive = driveOf(ctx, source);
	return {
		source,
		config: {
			...JOINT_AXIS_DEFAULTS,
			...drive,
			...limits,
			limitKe: gains.ke / perRadian,
			limitKd: gains.kd / perRadian,
			armature,
			friction,
			damping,
			// infinite means unlimited, which the builder's default stands for
			velocityLimit:
				velocity === undefined || velocity === Number.POSITIVE_INFINITY ? defaults.velocityLimit : velocity * perRadian,
			effortLimit: drive.effortLimit ?? (source.isCompound ? Number.POSITIVE_INFINITY : defaults.effortLimit),
		},
		...initial,
		solrefMode: gains.solrefMode,
		credits,
		origins: ctx.options.keepLedger ? dofOrigins(source) : [],
	};
}

const DEGREES_PER_SECOND: Conversion = { from: 'degrees per second', to: 'radians per second' };
const PER_DEGREE: Conversion = { from: 'per degree', to: 'per radian' };
const DEGREES: Conversion = { from: 'degrees', to: 'radians' };

/**
 * Passive damping of the first resolver that reads any: MuJoCo has it per radian, the others per degree. Undefined when
 * nothing is authored.
 */
export function resolveDamping(
	ctx: ImportContext,
	prim: Prim,
	isAngular: boolean,
	credits: DofCredit[],
): number | undefined {
	for (const resolver of ctx.resolvers.resolvers) {
		for (const [key, unit] of [
			['damping', 1 / DEGREE],
			['damping_per_rad', 1],
		] as const) {
			const found = ctx.resolvers.authored(resolver, prim, 'joint', key);
			const value = asNumber(found?.value);
			if (found === undefined || value === undefined) continue;
			const isConverted = isAngular && key === 'damping';
			credits.push([found, 'joint_damping', isConverted ? PER_DEGREE : undefined]);
			return isAngular ? value * unit : value;
		}
	}
	return undefined;
}

interface LimitGain {
	readonly value: number;
	readonly source: 'authored' | 'builder' | 'mjc authored' | 'mjc default';
	readonly resolved?: Resolved;
}

interface LimitGains {
	/** Per degree on angular axes. */
	readonly ke: number;
	readonly kd: number;
	readonly solrefMode: number;
}

/**
 * Gains of limits. `newton:limitStiffness` and `newton:limitDamping` speak for all axes and win over gains of single axes:
 * minus infinity asks for the builder's default, infinity for a hard limit without damping.
 */
function resolveLimitGains(
	ctx: ImportContext,
	{ prim, axis, isAngular }: DofSource,
	defaults: JointAxisConfig,
	credits: DofCredit[],
): LimitGains {
	const perRadian = isAngular ? DEGREE : 1;
	const conversion = isAngular ? PER_DEGREE : undefined;
	const builderKe: LimitGain = { value: defaults.limitKe * perRadian, source: 'builder' };
	const builderKd: LimitGain = { value: defaults.limitKd * perRadian, source: 'builder' };
	let ke = axisGain(ctx, prim, `limit_${axis}_ke`, builderKe);
	let kd = axisGain(ctx, prim, `limit_${axis}_kd`, builderKd);
	const sharedKe = ctx.resolvers.resolve(prim, 'joint', 'limit_ke');
	const sharedKd = ctx.resolvers.resolve(prim, 'joint', 'limit_kd');
	const stiffness = asNumber(sharedKe.value);
	const damping = asNumber(sharedKd.value);
	const decided = (resolved: Resolved, value: number): LimitGain => ({ value, source: 'authored', resolved });
	if (stiffness === Number.NEGATIVE_INFINITY) ke = decided(sharedKe, builderKe.value);
	else if (stiffness === Number.POSITIVE_INFINITY) ke = decided(sharedKe, HARD_LIMIT);
	else if (stiffness !== undefined) ke = decided(sharedKe, stiffness);
	if (stiffness === Number.POSITIVE_INFINITY) kd = decided(sharedKe, 0);
	else if (damping === Number.POSITIVE_INFINITY) kd = decided(sharedKd, 0);
	else if (damping === Number.NEGATIVE_INFINITY) kd = decided(sharedKd, builderKd.value);
	else if (damping !== undefined) kd = decided(sharedKd, damping);
	for (const [gain, array] of [
		[ke, 'joint_limit_ke'],
		[kd, 'joint_limit_kd'],
	] as const) {
		const fallback: Resolved = { value: gain.value, source: 'importer default', prim, key: array };
		credits.push([gain.resolved ?? fallback, array, conversion]);
	}
	return { ke: ke.value, kd: kd.value, solrefMode: solrefModeOf(ctx, prim, ke, kd) };
}

/** The gain of one axis by the resolvers in order; what MuJoCo's `solreflimit` stands for counts unless Newton is followed. */
function axisGain(ctx: ImportContext, prim: Prim, key: string, fallback: LimitGain): LimitGain {
	const { resolvers, options } = ctx;
	for (const resolver of resolvers.resolvers) {
		const isMjc = resolver.name === 'mjc';
		if (isMjc && options.newtonCompat) continue;
		const found = resolvers.authored(resolver, prim, 'joint', key);
		const value = asNumber(found?.value);
		if (found !== undefined && value !== undefined) {
			return { value, source: isMjc ? 'mjc authored' : 'authored', resolved: found };
		}
		if (!isMjc || authoredValue(prim, 'mjc:solreflimit') === undefined) continue;
		// authored, but without gains of its own
		const value0 = hasApi(prim, 'MjcJointAPI') ? mjcDefault(ctx, key) : undefined;
		return { value: value0 ?? fallback.value, source: 'mjc authored' };
	}
	if (options.newtonCompat || !hasApi(prim, 'MjcJointAPI')) return fallback;
	const value = mjcDefault(ctx, key);
	return value === undefined ? fallback : { value, source: 'mjc default' };
}

function mjcDefault(ctx: ImportContext, key: string): number | undefined {
	const attribute = ctx.resolvers.resolvers.find(({ name }) => name === 'mjc')?.mapping.joint?.[key];
	if (attribute?.default === undefined) return undefined;
	return asNumber(attribute.transform === undefined ? attribute.default : attribute.transform(attribute.default));
}

/** Whether MuJoCo's own limit settings hold, or gains in force. */
function solrefModeOf(ctx: ImportContext, prim: Prim, ke: LimitGain, kd: LimitGain): number {
	const { resolvers, options, builder } = ctx;
	const mjc = resolvers.resolvers.find(({ name }) => name === 'mjc');
	if (!options.newtonCompat) {
		if (ke.source === 'mjc authored' && kd.source === 'mjc authored') return SolrefMode.RAW;
		return ke.source === 'mjc default' && kd.source === 'mjc default'
			? SolrefMode.MJCF_DEFAULT
			: SolrefMode.FORCE_SPACE;
	}
	if (mjc === undefined) return SolrefMode.FORCE_SPACE;
	if (prim.attribute('mjc:solreflimit').hasAuthoredValue) return SolrefMode.RAW;
	const { limitKe, limitKd } = builder.defaultJointConfig;
	const isUsual = limitKe === JOINT_AXIS_DEFAULTS.limitKe && limitKd === JOINT_AXIS_DEFAULTS.limitKd;
	const isDefault = hasApi(prim, 'MjcJointAPI') && ke.source === 'builder' && kd.source === 'builder' && isUsual;
	return isDefault ? SolrefMode.MJCF_DEFAULT : SolrefMode.FORCE_SPACE;
}

/** Whether an API schema is applied, known or not. */
export function hasApi(prim: Prim, schema: string): boolean {
	return prim.hasSchema(schema) || (prim.authoredSchemas?.includes(schema) ?? false);
}

function limitsOf(
	ctx: ImportContext,
	{ limit, isAngular, isD6 }: DofSource,
	defaults: JointAxisConfig,
): Pick<JointAxisConfig, 'limitLower' | 'limitUpper'> {
	const perRadian = isAngular ? DEGREE : 1;
	if (isD6 && limit?.enabled !== true) {
		const { limitLower, limitUpper } = defaults;
		const scale = ctx.has('d6-unlimited') ? perRadian : 1;
		return { limitLower: limitLower * scale, limitUpper: limitUpper * scale };
	}
	return { limitLower: limit!.lower * perRadian, limitUpper: limit!.upper * perRadian };
}

interface DriveConfig
	extends Pick<JointAxisConfig, 'targetPos' | 'targetVel' | 'targetKe' | 'targetKd' | 'actuatorMode'> {
	readonly effortLimit: number | undefined;
}

function driveOf(ctx: ImportContext, { drive, isAngular, isD6 }: DofSource): DriveConfig {
	if (drive?.enabled !== true) {
		return {
			targetPos: 0,
			targetVel: 0,
			targetKe: 0,
			targetKd: 0,
			effortLimit: undefined,
			actuatorMode: JointTargetMode.NONE,
		};
	}
	const perRadian = isAngular ? DEGREE : 1;
	const factor = isAngular ? ctx.jointDriveGainsScaling : 1;
	const scaling = isD6 && ctx.has('drive-scaling') ? 1 / factor : factor;
	return {
		targetPos: drive.targetPosition * perRadian,
		targetVel: drive.targetVelocity * perRadian,
		targetKe: (drive.stiffness / perRadian) * scaling,
		targetKd: (drive.damping / perRadian) * scaling,
		effortLimit: drive.forceLimit,
		actuatorMode: driveMode(drive, ctx.options.forcePositionVelocityActuation),
	};
}

function driveMode({ stiffness, damping }: PhysicsDrive, isForced: boolean): JointTargetMode {
	if (isForced && stiffness !== 0 && damping !== 0) return JointTargetMode.POSITION_VELOCITY;
	if (stiffness !== 0) return JointTargetMode.POSITION;
	return damping !== 0 ? JointTargetMode.VELOCITY : JointTargetMode.EFFORT;
}

/** Initial position and velocity: degrees on angular axes, as all angles of UsdPhysics. */
function resolveState(
	ctx: ImportContext,
	{ prim, axis, isAngular }: DofSource,
	credits: DofCredit[],
): Pick<DofValues, 'initialPosition' | 'initialVelocity'> {
	if (axis.startsWith('trans') && ctx.has('d6-linear-state')) {
		return { initialPosition: undefined, initialVelocity: undefined };
	}
	const position = ctx.resolvers.resolve(prim, 'joint', `${axis}_position`);
	const velocity = ctx.resolvers.resolve(prim, 'joint', `${axis}_velocity`);
	if (position.source === 'authored') credits.push([position, 'joint_q', isAngular ? DEGREES : undefined]);
	const isConverted = isAngular && !ctx.has('joint-velocity');
	if (velocity.source === 'authored')
		credits.push([velocity, 'joint_qd', isConverted ? DEGREES_PER_SECOND : undefined]);
	const scaled = (resolved: Resolved, isScaled: boolean): number | undefined => {
		const value = asNumber(resolved.value);
		return value === undefined || !isScaled ? value : value * DEGREE;
	};
	return { initialPosition: scaled(position, isAngular), initialVelocity: scaled(velocity, isConverted) };
}

/** Parts of a drive with the arrays that they go to. */
const DRIVE_PARTS: readonly (readonly [part: string, array: string])[] = [
	['stiffness', 'joint_target_ke'],
	['damping', 'joint_target_kd'],
	['targetPosition', 'joint_target_q'],
	['targetVelocity', 'joint_target_qd'],
	['maxForce', 'joint_effort_limit'],
];

/** Where limits and drive of a degree of freedom come from. */
function dofOrigins({ prim, axis, isD6, isAngular, limit, drive }: DofSource): [string, Provenance][] {
	const [low, high] = isD6
		? [`limit:${axis}:physics:low`, `limit:${axis}:physics:high`]
		: ['physics:lowerLimit', 'physics:upperLimit'];
	const unit = isAngular ? ', in degrees' : '';
	const free =
		limit === undefined ? `PhysicsLimitAPI:${axis} is not applied, so the axis is free` : 'no limit is authored';
	const found: [string, Provenance][] = [
		['joint_limit_lower', originOf(prim, low, `it limits the joint${unit}`, free)],
		['joint_limit_upper', originOf(prim, high, `it limits the joint${unit}`, free)],
	];
	for (const [part, array] of DRIVE_PARTS) {
		const name = `drive:${axis}:physics:${part}`;
		if (drive?.enabled === true) {
			found.push([
				array,
				originOf(prim, name, `it is part of the drive${unit}`, 'the drive leaves it at the default of the schema'),
			]);
		} else {
			const why = `PhysicsDriveAPI:${axis} is not applied, so there is no drive`;
			found.push([array, { source: 'importer default', path: prim.path.toString(), why }]);
		}
	}
	return found;
}
