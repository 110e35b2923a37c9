import type { Report } from '@manyworlds/core';
import type { BuilderCore } from '../builder/builder-core.ts';
import { COLUMN_NAMES, COLUMNS, type ColumnName, type Entity } from '../columns.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { BodyFlags, ShapeFlags, WORLD } from '../enums.ts';
import { describe, ModelError } from '../model-error.ts';
import { LABELLED_ENTITIES, type LabelledEntity } from '../tables.ts';

/** Names in a message; the rest is counted. */
const NAMED = 5;

/** Columns of references whose values may not be negative. */
const REQUIRED: ReadonlySet<ColumnName> = new Set<ColumnName>([
	'jointChild',
	'springIndices',
	'triIndices',
	'tetIndices',
]);

/** Throws when an array refers to nothing, a joint moves its own parent, or an articulation is no run of joints. */
export function checkStructure(core: BuilderCore): void {
	const { tables } = core;
	checkFlags(core);
	for (const name of COLUMN_NAMES) checkReferences(core, name);
	const parents = tables.column('jointParent');
	const children = tables.column('jointChild');
	for (let joint = 0; joint < parents.length; joint++) {
		if (parents[joint] === children[joint]) {
			fail(
				core,
				'joint',
				joint,
				`joint_parent and joint_child of ${entityName(core, 'joint', joint)} are both body ${parents[joint]}`,
			);
		}
	}
	const starts = tables.column('articulationStart');
	const ends = tables.column('articulationEnd');
	for (let i = 0; i < starts.length; i++) {
		const next = i + 1 < starts.length ? starts[i + 1]! : tables.counts.joint;
		if (starts[i]! < ends[i]! && ends[i]! <= next) continue;
		fail(
			core,
			'articulation',
			i,
			`${entityName(core, 'articulation', i)} spans joints ${starts[i]} to ${ends[i]}, expected a run that ends before ${next + 1}`,
		);
	}
}

/** Throws for joints that no articulation moves and that do not close a loop. */
export function checkJoints(core: BuilderCore): void {
	const { tables } = core;
	const parents = tables.column('jointParent');
	const children = tables.column('jointChild');
	const articulations = tables.column('jointArticulation');
	const reached = new Uint8Array(tables.counts.body);
	for (let joint = 0; joint < articulations.length; joint++) {
		if (articulations[joint]! < 0) continue;
		if (parents[joint]! >= 0) reached[parents[joint]!] = 1;
		reached[children[joint]!] = 1;
	}
	const orphans: number[] = [];
	for (let joint = 0; joint < articulations.length; joint++) {
		if (articulations[joint]! < 0 && parents[joint] !== WORLD && reached[children[joint]!] === 0) orphans.push(joint);
	}
	const first = orphans[0];
	if (first === undefined) return;
	const names = orphans.slice(0, NAMED).map((joint) => entityName(core, 'joint', joint));
	throw new ModelError(
		'MODEL014',
		`${orphans.length} joint(s) belong to no articulation: ${names.join(', ')}${orphans.length > NAMED ? ', …' : ''}; call addArticulation() with the joints of each tree`,
		{ kind: 'joint', index: first, label: core.label('joint', first) },
	);
}

/** Warns of colliding shapes with a negative gap. */
export function warnOfGaps(core: BuilderCore, report: Report): void {
	const gaps = core.tables.column('shapeGap');
	const flags = core.tables.column('shapeFlags');
	const collides = ShapeFlags.COLLIDE_SHAPES | ShapeFlags.COLLIDE_PARTICLES;
	const bad: number[] = [];
	for (let shape = 0; shape < gaps.length; shape++) {
		if (gaps[shape]! < 0 && (flags[shape]! & collides) !== 0) bad.push(shape);
	}
	if (bad.length === 0) return;
	const names = bad.slice(0, NAMED).map((shape) => `${entityName(core, 'shape', shape)} (gap ${gaps[shape]} m)`);
	report.add(
		createDiagnostic(
			'MODEL031',
			`${bad.length} shape(s) have a gap below 0: ${names.join(', ')}${bad.length > NAMED ? ', …' : ''}`,
			{ prim: core.label('shape', bad[0]!), data: { shapes: bad } },
		),
	);
}

function checkFlags(core: BuilderCore): void {
	const flags = core.tables.column('bodyFlags');
	for (let body = 0; body < flags.length; body++) {
		if (flags[body] === BodyFlags.DYNAMIC || flags[body] === BodyFlags.KINEMATIC) continue;
		fail(
			core,
			'body',
			body,
			`body_flags of ${entityName(core, 'body', body)} is ${flags[body]}, expected 1 (dynamic) or 2 (kinematic)`,
		);
	}
}

function checkReferences(core: BuilderCore, name: ColumnName): void {
	const { entity, width, refers, newton } = COLUMNS[name];
	// starts of joints may lie at the end; filter pairs have an error of their own
	if (refers === undefined || name === 'filterPair') return;
	const isStart =
		name === 'articulationEnd' || refers === 'jointCoord' || refers === 'jointDof' || refers === 'jointConstraint';
	const limit = core.tables.counts[refers] + (isStart ? 1 : 0);
	const lowest = REQUIRED.has(name) || isStart ? 0 : -1;
	const values = core.tables.column(name) as Int32Array;
	for (let i = 0; i < values.length; i++) {
		const value = values[i]!;
		if (value >= lowest && value < limit) continue;
		const row = Math.floor(i / width);
		fail(
			core,
			entity,
			row,
			`${newton || name} of ${entityName(core, entity, row)} is ${value}, expected ${lowest} to ${limit - 1}`,
		);
	}
}

function fail(core: BuilderCore, entity: Entity, index: number, message: string): never {
	const label = isLabelled(entity) ? core.label(entity, index) : '';
	throw new ModelError('MODEL015', message, { kind: entity, index, ...(label === '' ? {} : { label }) });
}

function entityName(core: BuilderCore, entity: Entity, index: number): string {
	return describe(entity, index, isLabelled(entity) ? core.label(entity, index) : undefined);
}

function isLabelled(entity: Entity): entity is LabelledEntity {
	return (LABELLED_ENTITIES as readonly string[]).includes(entity);
}
