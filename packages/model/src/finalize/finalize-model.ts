import { Report } from '@manyworlds/core';
import type { AttributeColumn } from '../attribute-column.ts';
import type { AttributeArray, AttributeOwner } from '../attribute-types.ts';
import { isOwnFrequency } from '../builder/attribute-set.ts';
import type { BuilderCore } from '../builder/builder-core.ts';
import { COLUMN_NAMES, COLUMNS, type ColumnName, type Entity } from '../columns.ts';
import type { ContactDefaultsName } from '../contact-defaults.ts';
import { GeoType, ShapeFlags } from '../enums.ts';
import type { UpAxis } from '../geometry-inputs.ts';
import { type AttributeEntry, AttributeValues } from '../model/attribute-values.ts';
import { MODEL_SETTINGS_DEFAULTS, Model, type ModelSettings } from '../model/model.ts';
import type { ModelArrayData } from '../model/model-arrays.ts';
import { ModelError } from '../model-error.ts';
import { LABELLED_ENTITIES, type LabelledEntity } from '../tables.ts';
import { carryWeight } from './carry-weight.ts';
import { checkJoints, checkStructure, warnOfGaps } from './check-structure.ts';
import { checkWorldOrder } from './check-worlds.ts';
import { findContactPairs, settleFilterPairs } from './contact-pairs.ts';
import { correctInertias, invertInertias } from './correct-inertia.ts';
import { firstLateParent, jointAncestors, reportJointOrdering } from './joint-tree.ts';
import { ShapeBounds } from './shape-bounds.ts';
import { shareSources } from './share-sources.ts';
import { jointSpaceStarts, worldStarts } from './world-starts.ts';

/** Options of `ModelBuilder.finalize`. @public */
export interface FinalizeOptions {
	/** Puts the arrays of the model into shared memory, for workers. */
	readonly shared?: boolean;
	/** Gives global entities a gravity of their own, the builder's, as Newton 1.6 does, instead of that of world 0. */
	readonly newtonCompat?: boolean;
	/** Leaves out the checks of joints and references; the grouping by world is always checked. */
	readonly skipValidation?: boolean;
	/** Warns of articulations whose joints are not in depth-first order, although parents come first. */
	readonly validateJointOrdering?: boolean;
	/** Keeps masses and inertias as they were given, also where no real body has them. */
	readonly keepInertia?: boolean;
	readonly settings?: Partial<ModelSettings>;
}

/** What `finalize` reads from a builder beside its rows. */
export interface FinalizeSettings {
	readonly upAxis: UpAxis;
	readonly gravity: Float64Array;
	readonly boundMass: number | undefined;
	readonly boundInertia: number | undefined;
	readonly balanceInertia: boolean;
	readonly rigidContactsPerWorld: number | undefined;
	readonly contactDefaults: ContactDefaultsName;
}

/** Makes a model of what a builder holds; the builder does not change. */
export function finalizeModel(core: BuilderCore, settings: FinalizeSettings, options: FinalizeOptions): Model {
	const report = new Report();
	report.addAll(core.report);
	const filterPairs = settleFilterPairs(core.tables.column('filterPair'), core.tables.counts.shape);
	checkWorldOrder(core);
	if (!options.skipValidation) {
		checkJoints(core);
		checkStructure(core);
		checkParentsFirst(core);
		warnOfGaps(core, report);
	}
	if (options.validateJointOrdering) reportJointOrdering(core, report);
	const worldCount = Math.max(1, core.worldCount);
	const allocate = new Allocator(options.shared ?? false);
	const labels = Object.fromEntries(
		LABELLED_ENTITIES.map((entity) => [entity, core.tables.labels[entity].slice()]),
	) as Record<LabelledEntity, string[]>;
	const arrays = {
		...authoredArrays(core, allocate),
		...massArrays(core, settings, options, report, allocate),
		...shapeArrays(core, worldCount, filterPairs, allocate),
		...jointArrays(core, allocate),
		...startArrays(core, worldCount, allocate),
		gravity: allocate.float(gravityRows(core, settings, worldCount)),
	} as unknown as ModelArrayData;
	carryWeight(arrays, settings.contactDefaults);
	return new Model({
		arrays,
		upAxis: settings.upAxis,
		worldCount,
		worldLabels: core.worldCount === 0 ? [''] : core.worldLabels.slice(),
		labels,
		shapeSources: shareSources(core.shapeSources),
		attributes: attributeValues(core, worldCount),
		frequencyCounts: new Map(core.attributes.rowCounts),
		ownGlobalGravity: options.newtonCompat && core.worldCount > 0 ? settings.gravity.slice() : undefined,
		rigidContactMax: (settings.rigidContactsPerWorld ?? 0) * worldCount,
		settings: { ...MODEL_SETTINGS_DEFAULTS, ...options.settings },
		report,
	});
}

/** Makes arrays of the model, in shared memory when asked. */
class Allocator {
	readonly #isShared: boolean;

	constructor(isShared: boolean) {
		this.#isShared = isShared;
	}

	float(source: ArrayLike<number>): Float64Array {
		const out = new Float64Array(this.#memory(source.length, 8));
		out.set(source);
		return out;
	}

	int(source: ArrayLike<number>): Int32Array {
		const out = new Int32Array(this.#memory(source.length, 4));
		out.set(source);
		return out;
	}

	bool(source: ArrayLike<number>): Uint8Array {
		const out = new Uint8Array(this.#memory(source.length, 1));
		out.set(source);
		return out;
	}

	#memory(count: number, bytes: number): ArrayBufferLike {
		return this.#isShared ? new SharedArrayBuffer(count * bytes) : new ArrayBuffer(count * bytes);
	}
}

type Arrays = Record<string, Float64Array | Int32Array | Uint8Array>;

/** Authored columns that the model holds corrected or with a closing entry. */
const COMPUTED: ReadonlySet<ColumnName> = new Set<ColumnName>([
	'bodyMass',
	'bodyInertia',
	'jointQStart',
	'jointQdStart',
	'articulationStart',
]);

function authoredArrays(core: BuilderCore, allocate: Allocator): Arrays {
	const arrays: Arrays = {};
	for (const name of COLUMN_NAMES) {
		const { newton, type } = COLUMNS[name];
		if (newton !== '' && !COMPUTED.has(name)) arrays[name] = allocate[type](core.tables.column(name));
	}
	return arrays;
}

function massArrays(
	core: BuilderCore,
	settings: FinalizeSettings,
	options: FinalizeOptions,
	report: Report,
	allocate: Allocator,
): Arrays {
	const { tables } = core;
	const masses = allocate.float(tables.column('bodyMass'));
	const inertias = allocate.float(tables.column('bodyInertia'));
	if (!options.keepInertia) {
		const bounds = { ...settings, newtonCompat: options.newtonCompat ?? false };
		correctInertias(masses, inertias, tables.labels.body, bounds, report);
	}
	const inverseMasses = allocate.float(new Float64Array(masses.length));
	const inverses = allocate.float(new Float64Array(inertias.length));
	invertInertias(masses, inertias, inverseMasses, inverses);
	const particles = tables.column('particleMass');
	return {
		bodyMass: masses,
		bodyInertia: inertias,
		bodyInvMass: inverseMasses,
		bodyInvInertia: inverses,
		particleInvMass: allocate.float(particles.map((mass) => (mass > 0 ? 1 / mass : 0))),
	};
}

function shapeArrays(core: BuilderCore, worldCount: number, filterPairs: Int32Array, allocate: Allocator): Arrays {
	const { tables } = core;
	const count = tables.counts.shape;
	const bounds = new ShapeBounds(count);
	const types = tables.column('shapeType');
	const scales = tables.column('shapeScale');
	const flags = tables.column('shapeFlags');
	for (let shape = 0; shape < count; shape++) {
		const s = 3 * shape;
		// the third size of a site that is a cylinder bulges nothing
		const isPlain = types[shape] === GeoType.CYLINDER && (flags[shape]! & ShapeFlags.SITE) !== 0;
		bounds.find(
			shape,
			types[shape] as GeoType,
			scales[s]!,
			scales[s + 1]!,
			isPlain ? 0 : scales[s + 2]!,
			core.shapeSources[shape] ?? null,
		);
	}
	const worlds = tables.column('shapeWorld');
	const pairs = findContactPairs({
		flags: tables.column('shapeFlags'),
		groups: tables.column('shapeCollisionGroup'),
		worlds,
		bodies: tables.column('shapeBody'),
		worldStarts: worldStarts(worlds, worldCount),
		filterPairs,
	});
	return {
		shapeCollisionRadius: allocate.float(bounds.radii),
		shapeCollisionAabbLower: allocate.float(bounds.lower),
		shapeCollisionAabbUpper: allocate.float(bounds.upper),
		shapeCollisionFilterPairs: allocate.int(filterPairs),
		shapeContactPairs: allocate.int(pairs),
	};
}

function jointArrays(core: BuilderCore, allocate: Allocator): Arrays {
	const { tables } = core;
	const { counts } = tables;
	const closed = (name: ColumnName, total: number): Int32Array =>
		allocate.int(withLast(tables.column(name) as Int32Array, total));
	return {
		jointQStart: closed('jointQStart', counts.jointCoord),
		jointQdStart: closed('jointQdStart', counts.jointDof),
		jointConstraintStart: closed('jointConstraintStart', counts.jointConstraint),
		articulationStart: closed('articulationStart', counts.joint),
		jointAncestor: allocate.int(
			jointAncestors(
				tables.column('jointParent'),
				tables.column('jointChild'),
				tables.column('jointArticulation'),
				counts.body,
			),
		),
	};
}

function startArrays(core: BuilderCore, worldCount: number, allocate: Allocator): Arrays {
	const { tables } = core;
	const { counts } = tables;
	const starts = (name: ColumnName): Int32Array =>
		allocate.int(worldStarts(tables.column(name) as Int32Array, worldCount));
	const joints = starts('jointWorld');
	const spaces = (name: ColumnName, total: number): Int32Array =>
		allocate.int(jointSpaceStarts(joints, withLast(tables.column(name) as Int32Array, total)));
	return {
		particleWorldStart: starts('particleWorld'),
		bodyWorldStart: starts('bodyWorld'),
		shapeWorldStart: starts('shapeWorld'),
		jointWorldStart: joints,
		articulationWorldStart: starts('articulationWorld'),
		equalityConstraintWorldStart: starts('equalityConstraintWorld'),
		constraintMimicWorldStart: starts('constraintMimicWorld'),
		jointCoordWorldStart: spaces('jointQStart', counts.jointCoord),
		jointDofWorldStart: spaces('jointQdStart', counts.jointDof),
		jointConstraintWorldStart: spaces('jointConstraintStart', counts.jointConstraint),
	};
}

function withLast(values: Int32Array, last: number): Int32Array {
	const out = new Int32Array(values.length + 1);
	out.set(values);
	out[values.length] = last;
	return out;
}

function gravityRows(core: BuilderCore, settings: FinalizeSettings, worldCount: number): Float64Array {
	const rows = new Float64Array(3 * worldCount);
	for (let world = 0; world < worldCount; world++) rows.set(core.worldGravity[world] ?? settings.gravity, 3 * world);
	return rows;
}

function attributeValues(core: BuilderCore, worldCount: number): Record<AttributeOwner, AttributeValues> {
	const entries: Record<AttributeOwner, AttributeEntry[]> = { model: [], state: [], control: [], contacts: [] };
	for (const column of core.attributes.columns.values()) {
		const values: AttributeArray = column.build(rowCount(core, column, worldCount));
		entries[column.owner].push({ declaration: column.declaration, values });
	}
	return {
		model: new AttributeValues(entries.model),
		state: new AttributeValues(entries.state),
		control: new AttributeValues(entries.control),
		contacts: new AttributeValues(entries.contacts),
	};
}

function rowCount(core: BuilderCore, column: AttributeColumn, worldCount: number): number {
	const { frequency } = column.declaration;
	if (frequency === 'once') return 1;
	if (frequency === 'world') return worldCount;
	if (isOwnFrequency(frequency)) return core.attributes.rowCounts.get(frequency) ?? 0;
	return core.tables.counts[frequency as Entity];
}

function checkParentsFirst(core: BuilderCore): void {
	const joint = firstLateParent(core);
	if (joint < 0) return;
	const label = core.label('joint', joint);
	throw new ModelError(
		'MODEL034',
		`joint ${joint} '${label}' moves a body that an earlier joint of its articulation hangs on: add joints from parent to child, or call sortJoints()`,
		{ kind: 'joint', index: joint, label },
	);
}
