import { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { Model } from '../model/model.ts';
import { type OptionalStateArray, STATE_ARRAY_NAMES, State } from '../model/state.ts';
import { readSections } from './model-snapshot.ts';
import { hashSections, type SectionArray, type Sections, type SnapshotJson, toBytes, toJson } from './sections.ts';

/** What reading a snapshot of a state gave. @public */
export interface StateSnapshotResult {
	/** Undefined when the data is no whole snapshot of a state of this model. */
	readonly state: State | undefined;
	readonly report: Report;
}

/**
 * A state as an object that `JSON.stringify` keeps exactly.
 * @example
 * ```ts
 * const text = JSON.stringify(stateToJson(state));
 * ```
 * @public
 */
export function stateToJson(state: State): SnapshotJson {
	return toJson(collect(state));
}

/**
 * A state as bytes.
 * @example
 * ```ts
 * const bytes = stateToBytes(state);
 * ```
 * @public
 */
export function stateToBytes(state: State): Uint8Array {
	return toBytes(collect(state));
}

/** Sixteen hexadecimal digits that two states share if and only if all their numbers have the same bits. @public */
export function hashState(state: State): string {
	return hashSections(collect(state));
}

/**
 * Reads what {@link stateToJson} (as an object or as text) or {@link stateToBytes} gave, for the model it belongs to.
 * @example
 * ```ts
 * const { state } = readStateSnapshot(model, stateToBytes(model.createState()));
 * ```
 * @public
 */
export function readStateSnapshot(model: Model, data: unknown): StateSnapshotResult {
	const report = new Report();
	const sections = readSections(data);
	const state = typeof sections === 'string' ? sections : build(model, sections);
	if (typeof state !== 'string') return { state, report };
	report.add(createDiagnostic('MODEL041', state));
	return { state: undefined, report };
}

function collect(state: State): Sections {
	const arrays = new Map<string, SectionArray>();
	for (const name of STATE_ARRAY_NAMES) {
		const values = state[name];
		if (values !== undefined) arrays.set(name, values);
	}
	const texts: Record<string, readonly string[]> = {};
	for (const key of state.attributes.keys()) {
		const values = state.attributes.get(key);
		if (Array.isArray(values)) texts[key] = values;
		else arrays.set(`attribute/${key}`, values);
	}
	return { kind: 'state', facts: { texts }, arrays };
}

function build(model: Model, { kind, facts, arrays }: Sections): State | string {
	if (kind !== 'state') return `the snapshot is of a ${kind}, expected a state`;
	const include = (['bodyQdd', 'bodyParentF'] as const satisfies readonly OptionalStateArray[]).filter((name) =>
		arrays.has(name),
	);
	const state = new State(model, { include });
	const texts = (facts.texts ?? {}) as Readonly<Record<string, readonly string[]>>;
	for (const name of STATE_ARRAY_NAMES) {
		const target = state[name];
		if (target === undefined) continue;
		const fault = copy(name, target, arrays.get(name));
		if (fault !== undefined) return fault;
	}
	for (const key of state.attributes.keys()) {
		const target = state.attributes.get(key);
		if (!Array.isArray(target)) {
			const fault = copy(key, target, arrays.get(`attribute/${key}`));
			if (fault !== undefined) return fault;
			continue;
		}
		const source = texts[key];
		if (!Array.isArray(source) || source.length !== target.length)
			return `attribute '${key}' has another number of values than the model needs`;
		for (let i = 0; i < target.length; i++) target[i] = String(source[i]);
	}
	return state;
}

function copy(name: string, target: SectionArray, source: SectionArray | undefined): string | undefined {
	if (source === undefined) return `the snapshot has no '${name}'`;
	if (source.length !== target.length || source.constructor !== target.constructor) {
		return `'${name}' has ${source.length} numbers, the model needs ${target.length}`;
	}
	target.set(source);
	return undefined;
}
