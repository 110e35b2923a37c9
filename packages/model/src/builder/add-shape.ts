import { transformPoint } from '@manyworlds/core/internal';
import { GeoType, ShapeFlags, WORLD } from '../enums.ts';
import { isHeightfield, type ShapeSource } from '../geometry.ts';
import { type TransformInput, toNumbers, toTransform } from '../geometry-inputs.ts';
import { describe, ModelError } from '../model-error.ts';
import { rotateInertia } from '../rotate-inertia.ts';
import { checkShapeConfig, type ShapeConfig, shapeFlags } from '../shape-config.ts';
import { shapeMassProperties } from '../shape-mass.ts';
import { addFilterPair, mayFilterParent } from './add-joint.ts';
import type { AttributeAssignments } from './attribute-set.ts';
import type { BuilderCore } from './builder-core.ts';

/** What all shapes have in common. @public */
export interface ShapeOptions {
	/** Pose in the body, or in the world for a static shape. */
	readonly xform?: TransformInput;
	/** Settings that differ from the builder's `defaultShapeConfig`. */
	readonly config?: Partial<ShapeConfig>;
	/** Red, green, blue from 0 to 1; left out, the source's colour or the next of a palette. */
	readonly color?: ArrayLike<number>;
	/** 1 is opaque. */
	readonly opacity?: number;
	readonly label?: string;
	readonly attributes?: AttributeAssignments;
}

/** A shape of any type, as the single-type methods of the builder describe it. */
export interface ShapeDescription {
	readonly type: GeoType;
	readonly body: number;
	readonly scale: ArrayLike<number>;
	readonly source?: ShapeSource | null;
	/** Adds no mass whatever its density. */
	readonly isMassless?: boolean;
}

/** Colours given in turn to shapes without one. */
const PALETTE: readonly (readonly [number, number, number])[] = [
	[68, 119, 170],
	[102, 204, 238],
	[34, 136, 51],
	[204, 187, 68],
	[238, 102, 119],
	[170, 51, 119],
	[238, 153, 51],
	[0, 153, 136],
];

/** Adds a shape: filters it against its body's neighbours, and adds its mass to the body. Shapes of one body never collide. */
export function addShape(
	core: BuilderCore,
	description: ShapeDescription,
	options: ShapeOptions,
	config: ShapeConfig,
	rigidGap: number,
): number {
	const { tables } = core;
	const { type, body } = description;
	const label = options.label || `shape_${tables.counts.shape}`;
	checkBody(core, body, label);
	checkShapeConfig(config, label);
	const scale = settleScale(type, description.scale, label, config.isSite);
	const xform = toTransform(options.xform, 'xform');
	const color = options.color === undefined ? undefined : toNumbers(options.color, 3, 'color', 'red, green, blue');
	core.attributes.check('shape', options.attributes);
	const source = description.source ?? null;
	const traits = source === null || isHeightfield(source) ? undefined : source;
	const weighs =
		!description.isMassless && config.density > 0 && body !== WORLD && tables.get('bodyLockInertia', body) === 0;
	// computed before anything is added: a refused shape leaves no trace
	const mass = weighs ? shapeMassProperties(type, scale, source, config, label, core.report) : undefined;

	const flags = shapeFlags(config);
	const hasVolume = type !== GeoType.PLANE && type !== GeoType.HFIELD;
	const shape = tables.addRows('shape');
	tables.set('shapeTransform', shape, ...xform);
	tables.set('shapeBody', shape, body);
	tables.set('shapeFlags', shape, hasVolume ? flags : flags & ~ShapeFlags.HYDROELASTIC);
	tables.set('shapeType', shape, type);
	tables.set('shapeScale', shape, ...scale);
	tables.set('shapeIsSolid', shape, config.isSolid ? 1 : 0);
	tables.set('shapeMargin', shape, config.margin);
	tables.set('shapeGap', shape, config.gap ?? rigidGap);
	tables.set('shapeMaterialKe', shape, config.ke);
	tables.set('shapeMaterialKd', shape, config.kd);
	tables.set('shapeMaterialKf', shape, config.kf);
	tables.set('shapeMaterialKa', shape, config.ka);
	tables.set('shapeMaterialMu', shape, config.mu);
	tables.set('shapeMaterialRestitution', shape, config.restitution);
	tables.set('shapeMaterialMuTorsional', shape, config.muTorsional);
	tables.set('shapeMaterialMuRolling', shape, config.muRolling);
	tables.set('shapeMaterialKh', shape, config.kh);
	tables.set('shapeColor', shape, ...(color ?? traits?.color ?? PALETTE[shape % PALETTE.length]!.map((c) => c / 255)));
	tables.set('shapeOpacity', shape, options.opacity ?? 1);
	tables.set('shapeCollisionGroup', shape, config.collisionGroup);
	tables.set('shapeFilterParent', shape, config.collisionFilterParent ? 1 : 0);
	tables.set('shapeWorld', shape, core.currentWorld);
	tables.labels.shape.push(label);
	core.shapeSources.push(source);

	if (mayFilterParent(core, shape)) filterNeighbours(core, body, shape);
	if (mass !== undefined) {
		const com = new Float64Array(3);
		transformPoint(com, xform, mass.com);
		addBodyMass(core, body, mass.mass, com, rotateInertia(mass.inertia, xform));
	}
	core.attributes.assign('shape', shape, options.attributes);
	return shape;
}

/**
 * Adds a mass to a body: its centre [m] in the body frame, its inertia [kg·m²] about that centre in body axes.
 * Both tensors move to the common centre of mass.
 */
export function addBodyMass(
	core: BuilderCore,
	body: number,
	mass: number,
	com: Float64Array,
	inertia: Float64Array,
): void {
	const { tables } = core;
	const masses = tables.column('bodyMass');
	const coms = tables.column('bodyCom').subarray(3 * body, 3 * body + 3);
	const tensor = tables.column('bodyInertia').subarray(9 * body, 9 * body + 9);
	const before = masses[body]!;
	const total = before + mass;
	if (total === 0) return;
	const center = new Float64Array(3);
	for (let i = 0; i < 3; i++) center[i] = (coms[i]! * before + com[i]! * mass) / total;
	addShifted(tensor, tensor, before, center, coms, true);
	addShifted(tensor, inertia, mass, center, com, false);
	coms.set(center);
	masses[body] = total;
}

/** Adds to `out` (or writes over it) a tensor moved from its own centre to `center`, by the parallel axis theorem. */
function addShifted(
	out: Float64Array,
	inertia: Float64Array,
	mass: number,
	center: Float64Array,
	own: Float64Array,
	overwrite: boolean,
): void {
	const x = center[0]! - own[0]!;
	const y = center[1]! - own[1]!;
	const z = center[2]! - own[2]!;
	const d = [y * y + z * z, -x * y, -x * z, -x * y, x * x + z * z, -y * z, -x * z, -y * z, x * x + y * y];
	for (let i = 0; i < 9; i++) out[i] = (overwrite ? 0 : out[i]!) + inertia[i]! + mass * d[i]!;
}

function checkBody(core: BuilderCore, body: number, label: string): void {
	const { counts } = core.tables;
	if (!Number.isInteger(body) || body < WORLD || body >= counts.body) {
		throw new ModelError('MODEL004', `shape '${label}' is on body ${body}, expected -1 to ${counts.body - 1}`, {
			kind: 'shape',
			label,
		});
	}
	if (body === WORLD) return;
	const world = core.tables.get('bodyWorld', body);
	// a shape of another world than its body would collide with worlds that never see the body move
	if (world !== core.currentWorld && world !== WORLD) {
		throw new ModelError(
			'MODEL006',
			`shape '${label}' would be in world ${core.currentWorld}, its ${describe('body', body, core.label('body', body))} is in world ${world}`,
			{ kind: 'shape', label },
		);
	}
}

/** The size of a symmetric shape has no sign; that of a mesh mirrors it. */
function settleScale(type: GeoType, input: ArrayLike<number>, label: string, isSite: boolean): Float64Array {
	const scale = toNumbers(input, 3, 'scale', 'three sizes');
	const subject = { kind: 'shape', label };
	if (type === GeoType.MESH || type === GeoType.CONVEX_MESH) return scale;
	if (type === GeoType.CONE && scale[1]! < 0) {
		throw new ModelError(
			'MODEL008',
			`cone '${label}' has half height ${scale[1]} m, expected >= 0: a negative one would swap tip and base`,
			subject,
		);
	}
	if (type === GeoType.HFIELD && (scale[0]! < 0 || scale[1]! < 0 || scale[2]! < 0)) {
		throw new ModelError(
			'MODEL008',
			`heightfield '${label}' has scale ${scale.join(' ')}, expected no negative number: heightfields cannot be mirrored`,
			subject,
		);
	}
	const settled = scale.map(Math.abs);
	// sites of MJCF keep three sizes whatever their type
	if (type === GeoType.CYLINDER && !isSite && settled[2] !== 0 && settled[2]! < settled[1]!) {
		throw new ModelError(
			'MODEL008',
			`cylinder '${label}' has barrel radius ${settled[2]} m, expected 0 or at least the half height ${settled[1]} m`,
			subject,
		);
	}
	return settled;
}

function filterNeighbours(core: BuilderCore, body: number, shape: number): void {
	for (const neighbour of [...core.parentsOf(body), ...core.childrenOf(body)]) {
		if (core.tables.get('jointFilterParent', neighbour.joint) === 0) continue;
		for (const other of core.shapesOf(neighbour.body)) {
			if (mayFilterParent(core, other)) addFilterPair(core, other, shape);
		}
	}
}
