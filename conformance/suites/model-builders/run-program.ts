import type { TriangleMesh } from '@manyworlds/mesh';
import { createTriangleMesh } from '@manyworlds/mesh/internal';
import {
	type CollapseResult,
	type EqualityOptions,
	GeoType,
	type JointAxisConfig,
	JointTargetMode,
	type Model,
	ModelBuilder,
	ModelError,
} from '@manyworlds/model';
import type { AttributeDeclaration } from '@manyworlds/model/internal';
import { isObject, type Json, type JsonObject } from '../../src/json.ts';
import { fields } from '../../src/newton/expected-model.ts';
import { frequencyOf, typeOf } from '../../src/newton/names.ts';
import type { Program, ProgramOp } from './golden.ts';

/** What one call gave. */
export type OpOutcome = { readonly result: Json | CollapseResult } | { readonly error: ModelError };

/** What a program gave: an outcome for each call, and a model or the error of `finalize`. */
export interface ProgramRun {
	readonly outcomes: ReadonlyMap<string, readonly OpOutcome[]>;
	readonly model: Model | undefined;
	readonly finalizeError: ModelError | undefined;
	/** Warnings that each call added. */
	readonly warnings: ReadonlyMap<string, readonly number[]>;
}

/** Runs a program with our builder, Newton 1.6's gravity of global entities included. */
export function runProgram(program: Program): ProgramRun {
	const meshes = new Map(Object.entries(program.meshes).map(([name, mesh]) => [name, createTriangleMesh(mesh)]));
	const builders = new Map<string, ModelBuilder>();
	const outcomes = new Map<string, OpOutcome[]>();
	const warnings = new Map<string, number[]>();
	let main: ModelBuilder | undefined;
	for (const { name, settings, ops } of program.builders) {
		const builder = new ModelBuilder(builderOptions(settings));
		main = builder;
		const caller = new Caller(builder, builders, meshes);
		const counts: number[] = [];
		outcomes.set(
			name,
			ops.map((op) => {
				const before = builder.report.counts.warning;
				const outcome = attempt(() => caller.call(op));
				counts.push(builder.report.counts.warning - before);
				return outcome;
			}),
		);
		warnings.set(name, counts);
		builders.set(name, builder);
	}
	if (main === undefined) throw new TypeError('the program has no builder');
	try {
		return { outcomes, warnings, model: main.finalize({ newtonCompat: true }), finalizeError: undefined };
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		return { outcomes, warnings, model: undefined, finalizeError: error };
	}
}

function attempt(run: () => Json | CollapseResult): OpOutcome {
	try {
		return { result: run() };
	} catch (error) {
		// anything but a refusal is a fault of the builder
		if (!(error instanceof ModelError)) throw error;
		return { error };
	}
}

const JOINT_KEYS = [
	'attributes',
	'child',
	'childXform',
	'collisionFilterParent',
	'enabled',
	'label',
	'parent',
	'parentXform',
];
const AXIS_KEYS = [
	'actuatorMode',
	'armature',
	'axis',
	'damping',
	'effortLimit',
	'friction',
	'limitKd',
	'limitKe',
	'limitLower',
	'limitUpper',
	'targetKd',
	'targetKe',
	'targetPos',
	'targetVel',
	'velocityLimit',
];
const BODY_KEYS = ['attributes', 'com', 'inertia', 'isKinematic', 'label', 'lockInertia', 'mass', 'xform'];
const SHAPE_KEYS = ['attributes', 'body', 'color', 'config', 'label', 'xform'];
const CONFIG_KEYS = [
	'collisionFilterParent',
	'collisionGroup',
	'density',
	'gap',
	'hasShapeCollision',
	'isSolid',
	'isVisible',
	'kd',
	'ke',
	'margin',
	'mu',
	'restitution',
];

/** Calls of one builder, by the names of the format. Arguments that are not known are errors. */
class Caller {
	readonly #builder: ModelBuilder;
	readonly #others: ReadonlyMap<string, ModelBuilder>;
	readonly #meshes: ReadonlyMap<string, TriangleMesh>;

	constructor(
		builder: ModelBuilder,
		others: ReadonlyMap<string, ModelBuilder>,
		meshes: ReadonlyMap<string, TriangleMesh>,
	) {
		this.#builder = builder;
		this.#others = others;
		this.#meshes = meshes;
	}

	call({ op, args }: ProgramOp): Json | CollapseResult {
		const b = this.#builder;
		switch (op) {
			case 'addLink':
				return b.addLink(take(args, BODY_KEYS));
			case 'addBody':
				return b.addBody(take(args, BODY_KEYS));
			case 'addJointRevolute':
				return b.addJointRevolute(take(args, [...JOINT_KEYS, ...AXIS_KEYS]));
			case 'addJointPrismatic':
				return b.addJointPrismatic(take(args, [...JOINT_KEYS, ...AXIS_KEYS]));
			case 'addJointBall':
				return b.addJointBall(take(args, [...JOINT_KEYS, 'armature', 'friction']));
			case 'addJointFixed':
				return b.addJointFixed(take(args, JOINT_KEYS));
			case 'addJointFree':
				return b.addJointFree(take(args, JOINT_KEYS));
			case 'addJointDistance':
				return b.addJointDistance(take(args, [...JOINT_KEYS, 'maxDistance', 'minDistance']));
			case 'addJointD6': {
				const { linearAxes, angularAxes, ...rest } = take(args, [...JOINT_KEYS, 'angularAxes', 'linearAxes']) as {
					linearAxes?: JsonObject[];
					angularAxes?: JsonObject[];
				};
				const axes = (list: JsonObject[] | undefined): Partial<JointAxisConfig>[] =>
					(list ?? []).map((axis) => take(axis, AXIS_KEYS) as Partial<JointAxisConfig>);
				return b.addJointD6({
					...(rest as object),
					linearAxes: axes(linearAxes),
					angularAxes: axes(angularAxes),
				} as never);
			}
			case 'addArticulation': {
				const { joints, ...rest } = take(args, ['attributes', 'joints', 'label']) as { joints: number[] };
				return b.addArticulation(joints, rest);
			}
			case 'addCollisionFilterPair':
				b.addCollisionFilterPair(args.shapeA as number, args.shapeB as number);
				return null;
			case 'addConstraintMimic':
				return b.addConstraintMimic(take(args, ['coef0', 'coef1', 'enabled', 'joint0', 'joint1', 'label']));
			case 'addEqualityConstraint':
				// the format fills in zeros, MuJoCo's default would be that the first joint follows the second
				return b.addEqualityConstraint({ polycoef: [0, 0, 0, 0, 0], ...take<EqualityOptions>(args, EQUALITY_KEYS) });
			case 'declareAttribute':
				b.defineAttribute(declaration(args));
				return null;
			case 'declareFrequency':
				b.defineFrequency(take(args, ['name', 'namespace']));
				return null;
			case 'addRow': {
				const { frequency, values } = take(args, ['frequency', 'values']) as {
					frequency: string;
					values: Record<string, never>;
				};
				return b.addRow(frequency, values);
			}
			case 'beginWorld':
				b.beginWorld(take(args, ['gravity', 'label']));
				return null;
			case 'endWorld':
				fields(args, op, []);
				b.endWorld();
				return null;
			case 'addWorld':
			case 'addBuilder': {
				const { builder, ...rest } = take(args, ['builder', 'labelPrefix', 'xform']) as { builder: string };
				if (op === 'addWorld') b.addWorld(this.#other(builder), rest);
				else b.addBuilder(this.#other(builder), rest);
				return null;
			}
			case 'replicate': {
				const { builder, worldCount, ...rest } = take(args, ['builder', 'spacing', 'worldCount', 'xforms']) as {
					builder: string;
					worldCount: number;
				};
				b.replicate(this.#other(builder), { ...rest, count: worldCount });
				return null;
			}
			case 'collapseFixedJoints':
				return b.collapseFixedJoints(take(args, ['jointsToKeep']));
			case 'setJointQ':
			case 'setJointQd': {
				const { start, values } = take(args, ['start', 'values']) as { start: number; values: number[] };
				const column = b.column(op === 'setJointQ' ? 'jointQ' : 'jointQd');
				column.set(values.slice(0, Math.max(0, column.length - start)), Math.min(start, column.length));
				return null;
			}
			default:
				return this.#addShape(op, args);
		}
	}

	#addShape(op: string, args: JsonObject): number {
		const b = this.#builder;
		const own = SHAPE_SIZES[op];
		if (own === undefined) throw new TypeError(`unknown call '${op}'`);
		const taken = take(args, [...SHAPE_KEYS, ...own]) as { body: number } & Record<string, never>;
		const { body, ...rest } = taken;
		switch (op) {
			case 'addShapeSphere':
				return b.addShapeSphere(body, rest);
			case 'addShapeBox': {
				const { hx, hy, hz } = args as Record<string, number | undefined>;
				return b.addShapeBox(body, { ...rest, halfExtents: [hx ?? 0.5, hy ?? 0.5, hz ?? 0.5] });
			}
			case 'addShapeCapsule':
				return b.addShapeCapsule(body, rest);
			case 'addShapeCylinder':
				return b.addShapeCylinder(body, rest);
			case 'addShapeCone':
				return b.addShapeCone(body, rest);
			case 'addShapeEllipsoid': {
				const { rx, ry, rz } = args as Record<string, number | undefined>;
				return b.addShapeEllipsoid(body, { ...rest, radii: [rx ?? 1, ry ?? 0.75, rz ?? 0.5] });
			}
			case 'addShapeMesh':
			case 'addShapeConvexHull': {
				const mesh = this.#meshes.get(args.mesh as string);
				if (mesh === undefined) throw new TypeError(`unknown mesh '${String(args.mesh)}'`);
				const options = { ...(rest as object), mesh };
				return op === 'addShapeMesh' ? b.addShapeMesh(body, options) : b.addShapeConvex(body, options);
			}
			case 'addShapePlane':
				return b.addShapePlane(taken);
			case 'addGroundPlane':
				return b.addGroundPlane(rest);
			default:
				return b.addSite(body, {
					...(rest as object),
					...(args.type === undefined ? {} : { type: shapeType(args.type) }),
				});
		}
	}

	#other(name: string): ModelBuilder {
		const other = this.#others.get(name);
		if (other === undefined) throw new TypeError(`unknown builder '${name}'`);
		return other;
	}
}

const EQUALITY_KEYS = [
	'anchor',
	'body1',
	'body2',
	'enabled',
	'joint1',
	'joint2',
	'label',
	'polycoef',
	'relpose',
	'torquescale',
	'type',
];

const SHAPE_SIZES: Readonly<Record<string, readonly string[]>> = {
	addShapeSphere: ['radius'],
	addShapeBox: ['hx', 'hy', 'hz'],
	addShapeCapsule: ['halfHeight', 'radius'],
	addShapeCylinder: ['barrelRadius', 'halfHeight', 'radius'],
	addShapeCone: ['halfHeight', 'radius'],
	addShapeEllipsoid: ['rx', 'ry', 'rz'],
	addShapeMesh: ['mesh', 'scale'],
	addShapeConvexHull: ['mesh', 'scale'],
	addShapePlane: ['length', 'plane', 'width'],
	addGroundPlane: ['height'],
	addSite: ['scale', 'type'],
};

/** Arguments under our names, after a check that each is known. */
function take<T>(args: JsonObject, keys: readonly string[]): T {
	const out: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(args)) {
		const name = key === 'customAttributes' ? 'attributes' : key === 'cfg' ? 'config' : key;
		if (!keys.includes(name)) throw new TypeError(`unknown argument '${key}'`);
		if (value === null) continue;
		if (name === 'attributes') out[name] = attributes(value as JsonObject);
		else if (name === 'config') out[name] = fields(value, 'cfg', CONFIG_KEYS, CONFIG_KEYS);
		else if (name === 'actuatorMode') out[name] = JointTargetMode[value as keyof typeof JointTargetMode];
		else out[name] = value;
	}
	return out as T;
}

/** Values by index are written as objects with numbers as keys. */
function attributes(values: JsonObject): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(values).map(([key, value]) => [
			key,
			isObject(value) ? new Map(Object.entries(value).map(([index, item]) => [Number(index), item])) : value,
		]),
	);
}

function shapeType(name: Json): GeoType {
	const type = GeoType[name as keyof typeof GeoType];
	if (type === undefined) throw new TypeError(`unknown shape type '${String(name)}'`);
	return type;
}

function builderOptions(settings: JsonObject): ConstructorParameters<typeof ModelBuilder>[0] {
	const keys = [
		'balanceInertia',
		'boundInertia',
		'boundMass',
		'defaultJointCfg',
		'defaultShapeCfg',
		'gravity',
		'rigidGap',
		'upAxis',
	];
	const { defaultShapeCfg, defaultJointCfg, upAxis, ...rest } = fields(settings, 'settings', keys, keys);
	return {
		...(rest as object),
		...(upAxis === undefined ? {} : { upAxis: (upAxis as string).toLowerCase() as 'x' | 'y' | 'z' }),
		...(defaultShapeCfg === undefined
			? {}
			: { defaultShapeConfig: fields(defaultShapeCfg, 'defaultShapeCfg', CONFIG_KEYS, CONFIG_KEYS) }),
		...(defaultJointCfg === undefined ? {} : { defaultJointConfig: take(defaultJointCfg as JsonObject, AXIS_KEYS) }),
	};
}

function declaration(args: JsonObject): AttributeDeclaration {
	const keys = ['assignment', 'default', 'frequency', 'name', 'namespace', 'references', 'type'];
	const { assignment, frequency, type, ...rest } = fields(args, 'declareAttribute', keys, keys);
	return {
		...(rest as object),
		type: typeOf(type as string),
		frequency: frequencyOf(frequency as string),
		...(assignment === undefined ? {} : { owner: (assignment === 'contact' ? 'contacts' : assignment) as 'model' }),
	} as AttributeDeclaration;
}
