import type { FieldSource, LayerData, SpecSource } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import type { Value } from '../sdf/value.ts';
import type { ArrayStatistics } from './array-reader.ts';
import { type CrateVersion, FIELD_SET_END } from './crate-format.ts';
import type { CrateReporter, CrateStructure } from './crate-structure.ts';
import { ValueReader } from './value-reader.ts';

/** Values of at least this many bytes are remembered only while someone else holds them. */
const LARGE_VALUE = 4096;

/** A spec that was edited: its type and fields, of which those not set since are field numbers of the file. */
interface EditedSpec {
	type: SpecType;
	readonly names: string[];
	readonly values: (Value | number)[];
}

/** What a crate data is made of. */
export interface CrateDataParts {
	readonly bytes: Uint8Array;
	readonly structure: CrateStructure;
	readonly reporter: CrateReporter;
	readonly maxArrayBytes: number;
}

/**
 * Layer data read from a crate file. The structure is in memory, values are decoded when they are asked for, and arrays are
 * views of the file where they can be. Edits are kept apart from the file.
 */
export class CrateData implements LayerData {
	readonly structure: CrateStructure;
	/** The file. It must not change while the data is in use. */
	readonly bytes: Uint8Array;
	readonly #reader: ValueReader;
	/** Spec number of each path. */
	readonly #specs = new Map<Path, number>();
	/** Number of each field name; fields hold the number of their name. */
	readonly #nameNumbers = new Map<string, number>();
	readonly #fieldNames: Uint32Array;
	readonly #names: string[] = [];
	readonly #nameLists = new Map<number, readonly string[]>();
	readonly #values: (Value | WeakRef<Value> | null | undefined)[];
	/** Edited specs; null for an erased one. */
	readonly #edits = new Map<Path, EditedSpec | null>();
	#specCount = 0;

	constructor(parts: CrateDataParts) {
		this.structure = parts.structure;
		this.bytes = parts.bytes;
		this.#reader = new ValueReader(parts);
		this.#fieldNames = this.#numberNames();
		this.#values = new Array(this.#fieldNames.length);
		this.#indexSpecs(parts.reporter);
	}

	/** Version of the file. */
	get version(): CrateVersion {
		return this.structure.version;
	}

	/** How much array data was decoded or viewed so far. */
	get statistics(): Readonly<ArrayStatistics> {
		return this.#reader.statistics;
	}

	get specCount(): number {
		return this.#specCount;
	}

	has(path: Path): boolean {
		const edited = this.#edits.get(path);
		return edited === undefined ? this.#specs.has(path) : edited !== null;
	}

	specType(path: Path): SpecType {
		const edited = this.#edits.get(path);
		if (edited !== undefined) return edited?.type ?? SpecType.unknown;
		const spec = this.#specs.get(path);
		return spec === undefined ? SpecType.unknown : (this.structure.specTypes[spec] as SpecType);
	}

	fieldNames(path: Path): readonly string[] {
		const edited = this.#edits.get(path);
		if (edited !== undefined) return edited?.names ?? NO_NAMES;
		const spec = this.#specs.get(path);
		return spec === undefined ? NO_NAMES : this.#nameList(this.structure.specFieldSets[spec]!);
	}

	field(path: Path, name: string): Value | undefined {
		if (this.#edits.size > 0) {
			const edited = this.#edits.get(path);
			if (edited !== undefined) {
				const value = edited?.values[edited.names.indexOf(name)];
				return typeof value === 'number' ? this.#value(value, path) : value;
			}
		}
		const field = this.#findField(path, name);
		return field < 0 ? undefined : this.#value(field, path);
	}

	*paths(): Generator<Path> {
		const { paths, pathOrder } = this.structure;
		for (let i = 0; i < pathOrder.length; i++) {
			const path = paths[pathOrder[i]!];
			if (path !== undefined && this.#specs.has(path) && this.#edits.get(path) !== null) yield path;
		}
		for (const [path, edited] of this.#edits) if (edited !== null && !this.#specs.has(path)) yield path;
	}

	createSpec(path: Path, type: SpecType): void {
		const edited = this.#edit(path);
		if (edited !== undefined) {
			edited.type = type;
		} else {
			this.#edits.set(path, { type, names: [], values: [] });
			this.#specCount++;
		}
	}

	eraseSpec(path: Path): void {
		if (!this.has(path)) return;
		this.#specCount--;
		if (this.#specs.has(path)) this.#edits.set(path, null);
		else this.#edits.delete(path);
	}

	setField(path: Path, name: string, value: Value): void {
		const edited = this.#edit(path);
		if (edited === undefined) throw new RangeError(`there is no spec at <${path}> to set '${name}' on`);
		const at = edited.names.indexOf(name);
		if (at >= 0) {
			edited.values[at] = value;
		} else {
			edited.names.push(name);
			edited.values.push(value);
		}
	}

	eraseField(path: Path, name: string): void {
		if (!this.fieldNames(path).includes(name)) return;
		const edited = this.#edit(path);
		const at = edited?.names.indexOf(name) ?? -1;
		if (at < 0) return;
		edited?.names.splice(at, 1);
		edited?.values.splice(at, 1);
	}

	specSource(): SpecSource | undefined {
		return undefined;
	}

	fieldSource(): FieldSource | undefined {
		return undefined;
	}

	/** The spec at `path` as an edited one, made so if it is not yet; undefined when there is none. */
	#edit(path: Path): EditedSpec | undefined {
		const edited = this.#edits.get(path);
		if (edited !== undefined) return edited ?? undefined;
		const spec = this.#specs.get(path);
		if (spec === undefined) return undefined;
		const start = this.structure.specFieldSets[spec]!;
		const made: EditedSpec = {
			type: this.structure.specTypes[spec] as SpecType,
			names: [...this.#nameList(start)],
			values: this.#fieldList(start),
		};
		this.#edits.set(path, made);
		return made;
	}

	#findField(path: Path, name: string): number {
		const spec = this.#specs.get(path);
		const wanted = this.#nameNumbers.get(name);
		if (spec === undefined || wanted === undefined) return -1;
		const { fieldSets } = this.structure;
		const names = this.#fieldNames;
		for (let at = this.structure.specFieldSets[spec]!; ; at++) {
			const field = fieldSets[at]!;
			if (field === FIELD_SET_END) return -1;
			if (names[field] === wanted) return field;
		}
	}

	/** Fields of a field set, without those that the file does not have. */
	#fieldList(start: number): number[] {
		const { fieldSets } = this.structure;
		const fields: number[] = [];
		for (let at = start; fieldSets[at] !== FIELD_SET_END; at++) {
			if (fieldSets[at]! < this.#fieldNames.length) fields.push(fieldSets[at]!);
		}
		return fields;
	}

	#nameList(start: number): readonly string[] {
		let list = this.#nameLists.get(start);
		if (list === undefined) {
			list = this.#fieldList(start).map((field) => this.#names[this.#fieldNames[field]!]!);
			this.#nameLists.set(start, list);
		}
		return list;
	}

	#value(field: number, path: Path): Value | undefined {
		let known = this.#values[field];
		if (known instanceof WeakRef) known = known.deref();
		if (known !== undefined) return known ?? undefined;
		const { fieldReps } = this.structure;
		const what = `field '${this.#names[this.#fieldNames[field]!]}' of <${path}>`;
		const value = this.#reader.tryRead(fieldReps[2 * field]!, fieldReps[2 * field + 1]!, what, path);
		this.#values[field] = value === undefined ? null : isLarge(value) ? new WeakRef(value) : value;
		return value;
	}

	/** Gives each field the number of its name, equal names the same one. */
	#numberNames(): Uint32Array {
		const { fieldNames, tokens } = this.structure;
		const numbers = new Uint32Array(fieldNames.length);
		const byToken = new Map<number, number>();
		for (let i = 0; i < fieldNames.length; i++) {
			const token = fieldNames[i]!;
			let number = byToken.get(token);
			if (number === undefined) {
				const name = tokens[token] ?? '';
				number = this.#nameNumbers.get(name);
				if (number === undefined) {
					number = this.#names.length;
					this.#names.push(name);
					this.#nameNumbers.set(name, number);
				}
				byToken.set(token, number);
			}
			numbers[i] = number;
		}
		return numbers;
	}

	#indexSpecs(reporter: CrateReporter): void {
		const { specPaths, specFieldSets, specTypes, paths, fieldSets } = this.structure;
		const start = this.structure.sections.find((section) => section.name === 'SPECS')?.start ?? 0;
		const specs = this.#specs;
		let faults = 0;
		for (let i = 0; i < specPaths.length; i++) {
			const path = paths[specPaths[i]!];
			const type = specTypes[i]!;
			let problem: string | undefined;
			if (path === undefined) problem = `path ${specPaths[i]} of ${paths.length}`;
			else if (path === Path.empty) problem = `path ${specPaths[i]}, which could not be built`;
			else if (specFieldSets[i]! >= fieldSets.length) problem = `field set ${specFieldSets[i]} of ${fieldSets.length}`;
			else if (type < 1 || type > SpecType.variantSet) problem = `spec type ${type}, expected 1 to 11`;
			else if (specs.size === specs.set(path, i).size) problem = `path <${path}>, which another spec has too`;
			if (problem === undefined) continue;
			if (faults++ < 16) reporter.add('USDC008', `spec ${i} has ${problem}`, start);
		}
		this.#specCount = specs.size;
	}
}

const NO_NAMES: readonly string[] = Object.freeze([]);

function isLarge(value: Value): boolean {
	const { data } = value;
	return ArrayBuffer.isView(data) ? data.byteLength >= LARGE_VALUE : Array.isArray(data) && data.length > LARGE_VALUE;
}
