import { COLUMN_NAMES, COLUMNS, type ColumnName, type Entity } from '../columns.ts';
import type { JointType } from '../enums.ts';
import { jointSizes } from './add-joint.ts';
import type { BuilderCore } from './builder-core.ts';

/** Rows that stay, in their new order; entities left out stay as they are. */
export interface Renumbering {
	readonly body?: readonly number[];
	readonly joint?: readonly number[];
	/** Where references to bodies go, by old index; left out, removed bodies become -1. */
	readonly bodyMap?: Int32Array;
}

/** Columns that are no references but follow from the order of joints: they are made anew. */
const REBUILT: ReadonlySet<ColumnName> = new Set<ColumnName>([
	'jointQStart',
	'jointQdStart',
	'jointConstraintStart',
	'articulationStart',
	'articulationEnd',
]);

/**
 * Removes or reorders bodies and joints. Degrees of freedom, coordinates, constraints, labels and custom attributes
 * follow their joint or body, references follow what they refer to, and articulations without joints vanish.
 * Gives the new index of each old articulation, -1 for those that vanished.
 */
export function renumber(core: BuilderCore, change: Renumbering): Int32Array {
	const { tables } = core;
	const keep = new Map<Entity, readonly number[]>();
	if (change.body !== undefined) keep.set('body', change.body);
	if (change.joint !== undefined) {
		keep.set('joint', change.joint);
		for (const [space, rows] of jointSpaceRows(core, change.joint)) keep.set(space, rows);
		const kept = new Uint8Array(tables.counts.articulation);
		const articulations = tables.column('jointArticulation');
		for (const joint of change.joint) if (articulations[joint]! >= 0) kept[articulations[joint]!] = 1;
		keep.set(
			'articulation',
			[...kept.keys()].filter((articulation) => kept[articulation] === 1),
		);
	}
	const maps = new Map<Entity, Int32Array>();
	for (const [entity, rows] of keep) {
		const map = new Int32Array(tables.counts[entity]).fill(-1);
		rows.forEach((row, i) => {
			map[row] = i;
		});
		maps.set(entity, entity === 'body' && change.bodyMap !== undefined ? change.bodyMap : map);
	}
	const articulationMap =
		maps.get('articulation') ?? Int32Array.from({ length: tables.counts.articulation }, (_, i) => i);

	for (const name of COLUMN_NAMES) {
		const { refers } = COLUMNS[name];
		const map = refers === undefined ? undefined : maps.get(refers);
		if (map === undefined || REBUILT.has(name)) continue;
		const values = tables.column(name);
		for (let i = 0; i < values.length; i++) if (values[i]! >= 0) values[i] = map[values[i]!]!;
	}
	for (const column of core.attributes.columns.values()) {
		const { frequency, references } = column.declaration;
		const rows = keep.get(frequency as Entity);
		if (rows !== undefined) column.keepRows(rows);
		const map = references === undefined ? undefined : maps.get(references as Entity);
		if (map !== undefined) column.mapReferences((value) => (value >= 0 ? (map[value] ?? -1) : value));
	}
	for (const column of core.attributes.columns.values()) {
		const by = column.declaration.referencesBy;
		const kinds = by && core.attributes.columns.get(by.attribute);
		if (by === undefined || kinds === undefined) continue;
		column.mapReferences((value, row) => {
			const map = maps.get(by.entities[Number(kinds.valueAt(row))] as Entity);
			return value < 0 || map === undefined ? value : (map[value] ?? -1);
		});
	}
	for (const [entity, rows] of keep) tables.keepRows(entity, rows);
	if (change.joint !== undefined) rebuildStarts(core);
	core.resetLookups();
	return articulationMap;
}

function jointSpaceRows(core: BuilderCore, joints: readonly number[]): [Entity, number[]][] {
	const { tables } = core;
	const rows: Record<'jointDof' | 'jointCoord' | 'jointConstraint', number[]> = {
		jointDof: [],
		jointCoord: [],
		jointConstraint: [],
	};
	for (const joint of joints) {
		const sizes = sizesOf(core, joint);
		for (let i = 0; i < sizes.dofs; i++) rows.jointDof.push(tables.get('jointQdStart', joint) + i);
		for (let i = 0; i < sizes.coords; i++) rows.jointCoord.push(tables.get('jointQStart', joint) + i);
		for (let i = 0; i < sizes.constraints; i++)
			rows.jointConstraint.push(tables.get('jointConstraintStart', joint) + i);
	}
	return Object.entries(rows) as [Entity, number[]][];
}

function rebuildStarts(core: BuilderCore): void {
	const { tables } = core;
	const articulations = tables.column('jointArticulation');
	const starts = tables.column('articulationStart').fill(-1);
	const ends = tables.column('articulationEnd');
	let coord = 0;
	let dof = 0;
	let constraint = 0;
	for (let joint = 0; joint < tables.counts.joint; joint++) {
		tables.set('jointQStart', joint, coord);
		tables.set('jointQdStart', joint, dof);
		tables.set('jointConstraintStart', joint, constraint);
		const sizes = sizesOf(core, joint);
		coord += sizes.coords;
		dof += sizes.dofs;
		constraint += sizes.constraints;
		const articulation = articulations[joint]!;
		if (articulation < 0) continue;
		if (starts[articulation] === -1) starts[articulation] = joint;
		ends[articulation] = joint + 1;
	}
}

function sizesOf(core: BuilderCore, joint: number): ReturnType<typeof jointSizes> {
	const dims = core.tables.column('jointDofDim');
	return jointSizes(core.tables.get('jointType', joint) as JointType, dims[2 * joint]! + dims[2 * joint + 1]!);
}
