import { type Diagnostic, Report } from '@manyworlds/core';
import {
	type AttributeArray,
	type AttributeDeclaration,
	type AttributeOwner,
	attributeKey,
} from '../attribute-types.ts';
import { COLUMNS, type ColumnName, type Entity } from '../columns.ts';
import { createDiagnostic } from '../diagnostics.ts';
import type { Heightfield, ShapeSource } from '../geometry.ts';
import type { UpAxis } from '../geometry-inputs.ts';
import { MODEL_ARRAY_NAMES, MODEL_ARRAYS } from '../model/array-table.ts';
import { type AttributeEntry, AttributeValues } from '../model/attribute-values.ts';
import { Model, type ModelSettings } from '../model/model.ts';
import type { ModelArrayData, ModelArrayName } from '../model/model-arrays.ts';
import { LABELLED_ENTITIES, type LabelledEntity } from '../tables.ts';
import {
	fromBytes,
	fromJson,
	fromJsonNumber,
	hashSections,
	type SectionArray,
	type Sections,
	type SnapshotJson,
	toBytes,
	toJson,
	toJsonNumber,
} from './sections.ts';

/** What reading a snapshot of a model gave. @public */
export interface ModelSnapshotResult {
	/** Undefined when the data is no whole snapshot of a model. */
	readonly model: Model | undefined;
	readonly report: Report;
}

/**
 * A model as an object that `JSON.stringify` keeps exactly.
 * @example
 * ```ts
 * const text = JSON.stringify(modelToJson(model));
 * const { model: same } = readModelSnapshot(JSON.parse(text));
 * ```
 * @public
 */
export function modelToJson(model: Model): SnapshotJson {
	return toJson(collect(model));
}

/** A model as bytes. @public */
export function modelToBytes(model: Model): Uint8Array {
	return toBytes(collect(model));
}

/** Sixteen hexadecimal digits that two models share if and only if all their arrays, labels, meshes, attributes and warnings are equal. @public */
export function hashModel(model: Model): string {
	return hashSections(collect(model));
}

/** Options of {@link readModelSnapshot}. @public */
export interface ReadModelSnapshotOptions {
	/**
	 * Whether the arrays of the model are views of the given bytes instead of copies, so that threads share one model. The
	 * bytes must begin at a multiple of eight in their buffer; without bytes it means nothing.
	 */
	readonly inPlace?: boolean;
}

/** Reads what {@link modelToJson} (as an object or as text) or {@link modelToBytes} gave. @public */
export function readModelSnapshot(data: unknown, options: ReadModelSnapshotOptions = {}): ModelSnapshotResult {
	const report = new Report();
	const sections = readSections(data, options.inPlace);
	const model = typeof sections === 'string' ? sections : build(sections);
	if (typeof model !== 'string') return { model, report };
	report.add(createDiagnostic('MODEL041', model));
	return { model: undefined, report };
}

/** Sections of bytes, text or an object. */
export function readSections(data: unknown, isInPlace: boolean = false): Sections | string {
	if (data instanceof Uint8Array) return fromBytes(data, isInPlace);
	if (typeof data !== 'string') return fromJson(data);
	try {
		return fromJson(JSON.parse(data));
	} catch {
		return 'the text is no JSON';
	}
}

const OWNERS: readonly AttributeOwner[] = ['model', 'state', 'control', 'contacts'];

/** A custom attribute without its numbers. */
interface AttributeFacts {
	readonly owner: AttributeOwner;
	/** Numbers of the default that JSON lacks are texts. */
	readonly declaration: Omit<AttributeDeclaration, 'default'> & { readonly default?: unknown };
	readonly texts?: readonly string[];
}

/** A mesh or heightfield without its numbers. */
type SourceFacts = Omit<Heightfield, 'data'> | { readonly name?: string; readonly groups?: readonly unknown[] };

function collect(model: Model): Sections {
	const { parts } = model;
	const arrays = new Map<string, SectionArray>();
	for (const name of MODEL_ARRAY_NAMES) arrays.set(`array/${name}`, model[name]);
	if (parts.ownGlobalGravity !== undefined) arrays.set('globalGravity', parts.ownGlobalGravity);
	const attributes = OWNERS.flatMap((owner) =>
		[...parts.attributes[owner].entries()].map(({ declaration, values }): AttributeFacts => {
			const plain = {
				...declaration,
				...(isList(declaration.default) ? { default: Array.from(declaration.default, toJsonNumber) } : {}),
			};
			if (Array.isArray(values)) return { owner, declaration: plain, texts: values };
			arrays.set(`attribute/${attributeKey(declaration)}`, values);
			return { owner, declaration: plain };
		}),
	);
	const sources = [...new Set(parts.shapeSources.filter((source) => source !== null))];
	const facts = sources.map((source, i) => sourceFacts(source, i, arrays));
	const index = new Map(sources.map((source, i) => [source, i] as const));
	arrays.set(
		'sourceOfShape',
		Int32Array.from(parts.shapeSources, (source) => (source === null ? -1 : index.get(source)!)),
	);
	return {
		kind: 'model',
		facts: {
			upAxis: parts.upAxis,
			worldCount: parts.worldCount,
			worldLabels: parts.worldLabels,
			labels: parts.labels,
			sources: facts,
			attributes,
			frequencies: [...parts.frequencyCounts],
			rigidContactMax: parts.rigidContactMax,
			settings: parts.settings,
			diagnostics: parts.report.toArray(),
		},
		arrays,
	};
}

function sourceFacts(source: ShapeSource, i: number, arrays: Map<string, SectionArray>): SourceFacts {
	const facts: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(source)) {
		if (ArrayBuffer.isView(value)) arrays.set(`source/${i}/${key}`, value as SectionArray);
		else facts[key] = value;
	}
	return facts as SourceFacts;
}

/** A declaration whose default has its infinite numbers back. */
function withNumbers(facts: AttributeFacts['declaration']): AttributeDeclaration {
	const declaration = facts as AttributeDeclaration;
	const { default: value } = declaration;
	return Array.isArray(value)
		? { ...declaration, default: value.map((item) => fromJsonNumber(item) ?? 0) }
		: declaration;
}

function isList(value: unknown): value is ArrayLike<number> {
	return typeof value === 'object' && value !== null && 'length' in value;
}

interface ModelFacts {
	readonly upAxis: UpAxis;
	readonly worldCount: number;
	readonly worldLabels: readonly string[];
	readonly labels: Readonly<Record<LabelledEntity, readonly string[]>>;
	readonly sources: readonly SourceFacts[];
	readonly attributes: readonly AttributeFacts[];
	readonly frequencies: readonly (readonly [string, number])[];
	readonly rigidContactMax: number;
	readonly settings: ModelSettings;
	readonly diagnostics: readonly Diagnostic[];
}

function build(sections: Sections): Model | string {
	if (sections.kind !== 'model') return `the snapshot is of a ${sections.kind}, expected a model`;
	const facts = sections.facts as unknown as ModelFacts;
	const fault = checkFacts(facts) ?? checkArrays(sections, facts);
	if (fault !== undefined) return fault;
	const { arrays } = sections;
	const data = Object.fromEntries(MODEL_ARRAY_NAMES.map((name) => [name, arrays.get(`array/${name}`)]));
	const sources = facts.sources.map((source, i) => {
		const views: Record<string, unknown> = { ...source };
		const prefix = `source/${i}/`;
		for (const [name, values] of arrays) if (name.startsWith(prefix)) views[name.slice(prefix.length)] = values;
		return views as unknown as ShapeSource;
	});
	const sourceOfShape = arrays.get('sourceOfShape')!;
	const report = new Report();
	for (const diagnostic of facts.diagnostics) report.add(diagnostic);
	const entries: Record<AttributeOwner, AttributeEntry[]> = { model: [], state: [], control: [], contacts: [] };
	for (const { owner, declaration, texts } of facts.attributes) {
		const values = texts?.slice() ?? arrays.get(`attribute/${attributeKey(declaration)}`);
		if (values === undefined) return `attribute '${attributeKey(declaration)}' has no values`;
		entries[owner].push({ declaration: withNumbers(declaration), values: values as AttributeArray });
	}
	return new Model({
		arrays: data as unknown as ModelArrayData,
		upAxis: facts.upAxis,
		worldCount: facts.worldCount,
		worldLabels: facts.worldLabels,
		labels: facts.labels,
		shapeSources: Array.from(sourceOfShape, (index) => (index < 0 ? null : (sources[index] ?? null))),
		attributes: Object.fromEntries(OWNERS.map((owner) => [owner, new AttributeValues(entries[owner])])) as Record<
			AttributeOwner,
			AttributeValues
		>,
		frequencyCounts: new Map(facts.frequencies),
		ownGlobalGravity: arrays.get('globalGravity') as Float64Array | undefined,
		rigidContactMax: facts.rigidContactMax,
		settings: facts.settings,
		report,
	});
}

function checkFacts(facts: ModelFacts): string | undefined {
	const lists = {
		worldLabels: facts.worldLabels,
		sources: facts.sources,
		attributes: facts.attributes,
		frequencies: facts.frequencies,
		diagnostics: facts.diagnostics,
	};
	for (const [name, list] of Object.entries(lists))
		if (!Array.isArray(list)) return `the snapshot has no list '${name}'`;
	if (!(Number.isInteger(facts.worldCount) && facts.worldCount >= 1))
		return `worldCount is ${facts.worldCount}, expected 1 or more`;
	if (!['x', 'y', 'z'].includes(facts.upAxis)) return `upAxis is ${facts.upAxis}, expected x, y or z`;
	const missing = LABELLED_ENTITIES.find((entity) => !Array.isArray(facts.labels?.[entity]));
	return missing === undefined ? undefined : `the snapshot has no labels of '${missing}'`;
}

const CONSTRUCTORS = { float: Float64Array, int: Int32Array, bool: Uint8Array } as const;

/** Arrays with one more entry than their entity has rows. */
const CLOSED: ReadonlySet<string> = new Set([
	'jointQStart',
	'jointQdStart',
	'jointConstraintStart',
	'articulationStart',
]);

function checkArrays({ arrays }: Sections, facts: ModelFacts): string | undefined {
	const rows = new Map<Entity, number>();
	for (const name of MODEL_ARRAY_NAMES) {
		const { type, dims } = MODEL_ARRAYS[name];
		const values = arrays.get(`array/${name}`);
		if (!(values instanceof CONSTRUCTORS[type])) return `array '${name}' is missing or of another type than ${type}`;
		const width = dims.reduce((product, size) => product * size, 1);
		const count = values.length / width;
		const entity = entityOf(name);
		const expected = name.endsWith('WorldStart')
			? facts.worldCount + 2
			: name === 'gravity'
				? facts.worldCount
				: entity && rows.get(entity);
		const own = CLOSED.has(name) ? count - 1 : count;
		if (expected !== undefined && own !== expected) return `array '${name}' has ${own} rows, expected ${expected}`;
		if (entity !== undefined) rows.set(entity, own);
	}
	const shapes = arrays.get('sourceOfShape');
	return shapes?.length === rows.get('shape')
		? undefined
		: 'sourceOfShape has another number of rows than there are shapes';
}

function entityOf(name: ModelArrayName): Entity | undefined {
	return COLUMNS[name as ColumnName]?.entity;
}
