import type { Report } from '@manyworlds/core';
import { GeoType, type Model, ShapeFlags, WORLD } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import type { ConvertSettings } from '../solver-options.ts';
import { compileCollisionMasks, FilterPairs, masksCoverFilters } from './collision-masks.ts';
import type { MujocoAttributes } from './mujoco-attributes.ts';
import type { TemplateWorld } from './template-world.ts';

/** Which shapes are converted and how their collisions are filtered. */
export interface ShapePlan {
	readonly selected: ReadonlySet<number>;
	/** Shapes that tendons, actuators or contact pairs need, whatever else says. */
	readonly required: ReadonlySet<number>;
	/** Shapes that explicit contact pairs name. */
	readonly pairShapes: ReadonlySet<number>;
	/** Masks of the shapes that collide. */
	readonly contype: ReadonlyMap<number, number>;
	readonly conaffinity: ReadonlyMap<number, number>;
	/** Pairs of bodies whose shapes never collide. */
	readonly excludes: readonly (readonly [number, number])[];
	readonly zeroMargins: boolean;
}

/** Kinds of transmission of `mujoco:actuator_trntype`; the numbers are not MuJoCo's own. */
export const TransmissionType = { JOINT: 0, JOINT_IN_PARENT: 1, TENDON: 2, SITE: 3, BODY: 4, SLIDERCRANK: 5 } as const;

/** Value of `mujoco:contype` that stands for none, and of the mask domain. */
const MASK_UNSET = -(2 ** 63);
const DOMAIN_UNSET = -1;

export function planShapes(
	model: Model,
	template: TemplateWorld,
	attributes: MujocoAttributes,
	options: ConvertSettings,
	report: Report,
): ShapePlan {
	const selected = new Set(template.shapes);
	const colliding = template.shapes.filter((shape) => (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0);
	const excludes = excludedBodies(model, template, new Set(colliding), options);
	const masks = chooseMasks(model, colliding, attributes, excludes, options, report);
	const pairShapes = namedByPairs(template, attributes, selected);
	const required = new Set([
		...pairShapes,
		...namedByTendons(template, attributes),
		...namedByActuators(model, template, attributes),
		...namedByEqualities(template, attributes),
		...template.shapes.filter((shape) => 'fluidshape' in attributes.written('geom', shape)),
	]);
	const hasBox = model.shapeType.includes(GeoType.BOX);
	const hasMesh = model.shapeType.includes(GeoType.MESH) || model.shapeType.includes(GeoType.CONVEX_MESH);
	return {
		selected,
		required,
		pairShapes,
		...masks,
		excludes,
		zeroMargins: options.newtonCompat && (hasBox || (options.enableMulticcd && hasMesh)),
	};
}

/** Pairs of bodies all of whose colliding shapes are filtered, also those without any. */
function excludedBodies(
	model: Model,
	template: TemplateWorld,
	colliding: ReadonlySet<number>,
	options: Pick<ConvertSettings, 'newtonCompat'>,
): (readonly [number, number])[] {
	const shapesOf = Array.from(template.bodies, (body) => model.shapesOf(body).filter((shape) => colliding.has(shape)));
	const filters = new FilterPairs(model);
	const excludes: (readonly [number, number])[] = [];
	for (let a = 0; a < template.bodies.length; a++) {
		for (let b = a + 1; b < template.bodies.length; b++) {
			const collides = shapesOf[a]!.some((first) => shapesOf[b]!.some((second) => !filters.has(first, second)));
			if (!collides) excludes.push([template.bodies[a]!, template.bodies[b]!]);
		}
	}
	if (options.newtonCompat) return excludes;
	const still = model.shapesOf(WORLD).filter((shape) => colliding.has(shape));
	if (still.length === 0) return excludes;
	for (const [i, body] of template.bodies.entries()) {
		const own = shapesOf[i]!;
		const collides = own.length === 0 || still.some((first) => own.some((second) => !filters.has(first, second)));
		if (!collides) excludes.push([WORLD, body]);
	}
	return excludes;
}

/** The masks of an imported file where they still hold, else masks made from groups and filters. */
function chooseMasks(
	model: Model,
	colliding: Int32Array,
	attributes: MujocoAttributes,
	excludes: readonly (readonly [number, number])[],
	options: ConvertSettings,
	report: Report,
): Pick<ShapePlan, 'contype' | 'conaffinity'> {
	const contype = attributes.numbers('contype');
	const conaffinity = attributes.numbers('conaffinity');
	const domain = attributes.numbers('collision_mask_domain');
	if (contype !== undefined && conaffinity !== undefined && domain !== undefined) {
		const excluded = new Set(excludes.map(([a, b]) => `${a} ${b}`));
		const areExcluded = (a: number, b: number): boolean => excluded.has(`${Math.min(a, b)} ${Math.max(a, b)}`);
		const domains = new Set(Array.from(colliding, (shape) => Number(domain[shape])));
		const isKept =
			domains.size <= 1 &&
			!domains.has(DOMAIN_UNSET) &&
			colliding.every((shape) => Number(contype[shape]) !== MASK_UNSET && Number(conaffinity[shape]) !== MASK_UNSET) &&
			masksCoverFilters(model, colliding, contype, conaffinity, areExcluded);
		if (isKept) {
			return {
				contype: new Map(Array.from(colliding, (shape) => [shape, Number(contype[shape]) | 0])),
				conaffinity: new Map(Array.from(colliding, (shape) => [shape, Number(conaffinity[shape]) | 0])),
			};
		}
	}
	const masks = compileCollisionMasks(model, colliding);
	if (masks.wrongPairs > 0) {
		report.add(
			createDiagnostic(
				'MJC014',
				`${masks.wrongPairs} pairs of shapes collide although groups or filters forbid it: 32 mask bits do not suffice for ${colliding.length} shapes`,
			),
		);
	}
	const isOff = (shape: number): boolean => model.shapeCollisionGroup[shape] === 0;
	// a shape that nothing collides with keeps a bit that nothing answers to: without one it would be a visual shape
	const bit = options.newtonCompat ? 0 : freeBit(masks.conaffinity);
	return {
		contype: new Map(
			Array.from(colliding, (shape, i) => {
				const isAlone = masks.contype[i] === 0 && masks.conaffinity[i] === 0;
				return [shape, isOff(shape) ? 0 : isAlone ? bit : masks.contype[i]!];
			}),
		),
		conaffinity: new Map(Array.from(colliding, (shape, i) => [shape, isOff(shape) ? 0 : masks.conaffinity[i]!])),
	};
}

/** The lowest bit that no mask has, 0 when all are taken. */
function freeBit(masks: Int32Array): number {
	let taken = 0;
	for (const mask of masks) taken |= mask;
	for (let bit = 0; bit < 31; bit++) if ((taken & (1 << bit)) === 0) return 1 << bit;
	return 0;
}

/** Whether a row of the namespace belongs to the compiled world. */
export function isInTemplate(template: TemplateWorld, world: number | undefined): boolean {
	return template.worldCount === 1 || world === undefined || world < 0 || world === template.world;
}

function namedByPairs(
	template: TemplateWorld,
	attributes: MujocoAttributes,
	selected: ReadonlySet<number>,
): ReadonlySet<number> {
	const shapes = new Set<number>();
	for (let row = 0; row < attributes.count('pair'); row++) {
		if (!isInTemplate(template, attributes.number('pair_world', row))) continue;
		for (const name of ['pair_geom1', 'pair_geom2']) {
			const shape = attributes.number(name, row) ?? -1;
			if (selected.has(shape)) shapes.add(shape);
		}
	}
	return shapes;
}

function namedByEqualities(template: TemplateWorld, attributes: MujocoAttributes): ReadonlySet<number> {
	const shapes = new Set<number>();
	for (const row of template.equalities) {
		for (const name of ['equality_constraint_site1', 'equality_constraint_site2']) {
			const shape = attributes.number(name, row) ?? -1;
			if (shape >= 0) shapes.add(shape);
		}
	}
	return shapes;
}

function namedByTendons(template: TemplateWorld, attributes: MujocoAttributes): ReadonlySet<number> {
	const shapes = new Set<number>();
	for (let row = 0; row < attributes.count('tendon'); row++) {
		if (!isInTemplate(template, attributes.number('tendon_world', row))) continue;
		const start = attributes.number('tendon_wrap_adr', row) ?? 0;
		const count = attributes.number('tendon_wrap_num', row) ?? 0;
		for (let wrap = start; wrap < start + count; wrap++) {
			for (const name of ['tendon_wrap_shape', 'tendon_wrap_sidesite']) {
				const shape = attributes.number(name, wrap) ?? -1;
				if (shape >= 0) shapes.add(shape);
			}
		}
	}
	return shapes;
}

function namedByActuators(model: Model, template: TemplateWorld, attributes: MujocoAttributes): ReadonlySet<number> {
	const shapes = new Set<number>();
	const labels = attributes.texts('actuator_target_label');
	const sites = new Map<string, number>();
	for (const shape of template.shapes) {
		if ((model.shapeFlags[shape]! & ShapeFlags.SITE) !== 0) sites.set(model.shapeLabels[shape]!, shape);
	}
	for (let row = 0; row < attributes.count('actuator'); row++) {
		if (!isInTemplate(template, attributes.number('actuator_world', row))) continue;
		const type = attributes.number('actuator_trntype', row);
		if (type === TransmissionType.SITE || type === TransmissionType.SLIDERCRANK) {
			for (const shape of attributes.row('actuator_trnid', row, 2) ?? []) if (shape >= 0) shapes.add(shape);
		}
		const labelled = sites.get(labels?.[row] ?? '');
		if (labelled !== undefined) shapes.add(labelled);
	}
	return shapes;
}
