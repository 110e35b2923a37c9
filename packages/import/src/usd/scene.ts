import { quatRotate } from '@manyworlds/core/internal';
import type { UpAxis } from '@manyworlds/model';
import type { AttributeValue } from '@manyworlds/model/internal';
import { Attribute, type Prim } from '@manyworlds/usd';
import { toTransformArray } from '../transform-input.ts';
import type { ImportContext } from './context.ts';
import { declareCustomAttributes } from './custom-declarations.ts';
import { readableAttributes, readCustomValue } from './custom-values.ts';
import { asBool, asNumber, authoredValue, type PlainValue, plainValue } from './plain-value.ts';
import { axisTurn, composePoses, makePose } from './poses.ts';

/** What the scene says about the simulation. */
export interface SceneFacts {
	readonly prim: Prim | undefined;
	readonly attributes: Map<string, PlainValue | undefined>;
	/** [s] */
	readonly physicsDt: number | undefined;
	/** The same where the stage gives one. */
	readonly timestep: number | undefined;
	readonly maxSolverIterations: number | undefined;
	readonly collapsesFixedJoints: boolean;
}

/** Turns the stage to the builder's up axis and places it. */
export function placeStage(ctx: ImportContext, stageUp: UpAxis): void {
	const { builder, options, units } = ctx;
	if (options.applyUpAxisFromStage) builder.upAxis = stageUp;
	else ctx.axisPose = makePose([0, 0, 0], axisTurn(letter(stageUp), letter(builder.upAxis)));
	if (options.xform === undefined) {
		ctx.incoming = ctx.axisPose;
		return;
	}
	const given = toTransformArray(options.xform);
	for (let i = 0; i < 3; i++) given[i] = units.toStageLength(given[i]!);
	ctx.incoming = composePoses(given, ctx.axisPose);
}

/** Reads the first scene: custom declarations, time step, gravity, settings of the import itself. */
export function readScene(ctx: ImportContext, linearUnit: number): SceneFacts {
	const { physics, stage, options, resolvers } = ctx;
	const scene = physics.scenes[0];
	const attributes = new Map<string, PlainValue | undefined>();
	if (scene === undefined) {
		return {
			prim: undefined,
			attributes,
			physicsDt: undefined,
			timestep: undefined,
			maxSolverIterations: undefined,
			collapsesFixedJoints: options.collapseFixedJoints,
		};
	}
	const prim = stage.prim(scene.primPath)!;
	for (const other of physics.scenes.slice(1)) {
		ctx.tell(
			'IMP003',
			stage.prim(other.primPath)!,
			`the stage has ${physics.scenes.length} physics scenes; only <${scene.primPath}> counts`,
		);
	}
	for (const name of prim.propertyNames()) {
		const property = prim.property(name);
		if (!(property instanceof Attribute)) continue;
		const value = property.get();
		attributes.set(name, value === undefined ? undefined : plainValue(value));
	}
	declareCustomAttributes(ctx, prim);
	const path = prim.path.toString();
	ctx.mark(path, 'scene');
	const scaling = asNumber(authoredValue(prim, 'newton:joint_drive_gains_scaling'));
	if (scaling !== undefined && Number.isFinite(scaling)) {
		ctx.jointDriveGainsScaling = scaling;
		ctx.ledger.use(path, 'newton:joint_drive_gains_scaling', { note: 'multiplies drive gains' });
	}
	const collapses = asBool(authoredValue(prim, 'newton:collapse_fixed_joints'));
	if (collapses !== undefined)
		ctx.ledger.use(path, 'newton:collapse_fixed_joints', { note: 'decides whether fixed joints are merged' });
	const steps = resolvers.resolve(prim, 'scene', 'time_steps_per_second', 1000);
	const iterations = resolvers.resolve(prim, 'scene', 'max_solver_iterations');
	const isPulling = resolvers.resolve(prim, 'scene', 'gravity_enabled', true);
	ctx.credit(steps, 'physics_dt', 0, { from: 'steps per second', to: 'seconds' });
	ctx.credit(iterations, 'max_solver_iterations', 0);
	ctx.credit(isPulling, 'gravity', 0);
	for (const name of ['physics:gravityDirection', 'physics:gravityMagnitude']) {
		ctx.giveOrigin('gravity', 0, prim, name, 'it is a part of gravity', 'gravity is that of the earth, downwards');
	}
	const magnitude = gravityMagnitude(ctx, prim, scene.gravityMagnitude, linearUnit);
	setGravity(ctx, scene.gravityDirection, asBool(isPulling.value) === false ? 0 : magnitude);
	const rate = asNumber(steps.value) ?? 1000;
	const physicsDt = rate > 0 ? 1 / rate : 0.001;
	return {
		prim,
		attributes,
		physicsDt,
		timestep: steps.source === 'authored' ? physicsDt : undefined,
		maxSolverIterations: asNumber(iterations.value),
		collapsesFixedJoints: collapses ?? options.collapseFixedJoints,
	};
}

/** Reads values of attributes that exist once or once per world from the scene. */
export function readSceneValues(ctx: ImportContext, { prim, attributes }: SceneFacts): void {
	if (prim === undefined) return;
	ctx.resolvers.collect(prim);
	for (const attribute of readableAttributes(ctx)) {
		const { frequency, namespace } = attribute.declaration;
		if (frequency !== 'once' && frequency !== 'world') continue;
		if (namespace === 'mujoco' && !ctx.options.parseMujocoOptions) continue;
		const value = readCustomValue(ctx, prim, attribute);
		if (value === undefined) continue;
		attributes.set(attribute.key, value as PlainValue);
		ctx.builder.setAttribute(attribute.key, value as AttributeValue);
	}
}

/**
 * The magnitude in units of the stage. A negative one stands for that of the earth, by the schema; the parser knows only minus
 * infinity, and takes a stage without a unit to be in centimetres, which here is one in metres.
 */
function gravityMagnitude(ctx: ImportContext, prim: Prim, parsed: number, linearUnit: number): number {
	if (ctx.options.newtonCompat) return parsed;
	const authored = asNumber(authoredValue(prim, 'physics:gravityMagnitude'));
	return authored === undefined || !(authored >= 0) ? EARTH_GRAVITY / linearUnit : authored;
}

/** [m/s²] */
const EARTH_GRAVITY = 9.81;

function setGravity(ctx: ImportContext, direction: Float32Array, magnitude: number): void {
	const { builder, options, units } = ctx;
	const turn = options.overrideRootXform ? ctx.axisPose : ctx.incoming;
	const down = quatRotate(new Float64Array(3), turn, Float64Array.from(direction), 0, 3, 0);
	const gravity = down.map((part) => part * magnitude * units.length);
	if (builder.currentWorld >= 0) builder.edits.setWorldGravity(builder.currentWorld, gravity);
	else builder.gravity = gravity;
}

function letter(axis: UpAxis): 'X' | 'Y' | 'Z' {
	return axis.toUpperCase() as 'X' | 'Y' | 'Z';
}
