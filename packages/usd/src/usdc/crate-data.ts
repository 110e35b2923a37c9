import { quote } from '@manyworlds/core';
import type { FieldSource, LayerData, SpecSource } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import type { Value } from '../sdf/value.ts';
import type { ArrayStatistics } from './array-reader.ts';
import { type CrateVersion, FIELD_SET_END, type KnownSection } from './crate-format.ts';
import { type CrateLimits, crateLimits } from './crate-limits.ts';
import { quotePath } from './crate-paths.ts';
import type { CrateReporter, CrateStructure } from './crate-structure.ts';
import { ValueReader } from './value-reader.ts';

/** Values of at least this many bytes are remembered only while someone else holds them. */
const LARGE_VALUE = 4096;

/** Most problems of one kind that are reported one by one. */
const MAX_FAULTS = 16;

/** Field sets with more fields than this are searched by name with a map. */
const LONG_FIELD_SET = 64;

/** Number of the name of a field that has none. */
const NO_NAME = 0xffffffff;

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
	/** Most bytes that values may decode to in all, each counted once. */
	readonly maxValueBytes: number;
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
	/** Number of the spec at each path of the file, -1 for none. */
	readonly #specOfPath: Int32Array;
	/** The same by path. Made when it is first needed: whoever walks over all specs does without. */
	#specs: Map<Path, number> | undefined;
	/** The spec that was looked at last: fields are mostly read one spec after the other. */
	#lastPath: Path = Path.empty;
	#lastSpec = -1;
	/** Number of each field name; fields hold the number of their name. */
	readonly #nameNumbers = new Map<string, number>();
	readonly #fieldNames: Uint32Array;
	readonly #names: string[] = [];
	readonly #nameLists = new Map<number, readonly string[]>();
	/** For each name, the number of the last list of a field set that has it; and the number of such lists. */
	readonly #lastSets: Uint32Array;
	#setsListed = 0;
	/** Fields by name, for long field sets. */
	#fieldMaps: Map<number, ReadonlyMap<number, number>> | undefined;
	readonly #values: (Value | WeakRef<Value> | null | undefined)[];
	/** Edited specs; null for an erased one. */
	readonly #edits = new Map<Path, EditedSpec | null>();
	#specCount = 0;

	constructor(parts: CrateDataParts) {
		this.structure = parts.structure;
		this.bytes = parts.bytes;
		this.#reader = new ValueReader(parts);
		this.#fieldNames = this.#numberNames(parts.reporter);
		this.#lastSets = new Uint32Array(this.#names.length);
		this.#values = new Array(this.#fieldNames.length);
		this.#specOfPath = this.#indexSpecs(parts.reporter, crateLimits(parts.bytes.length));
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
		const edited = this.#edited(path);
		return edited === undefined ? this.#spec(path) >= 0 : edited !== null;
	}

	specType(path: Path): SpecType {
		const edited = this.#edited(path);
		if (edited !== undefined) return edited?.type ?? SpecType.unknown;
		const spec = this.#spec(path);
		return spec < 0 ? SpecType.unknown : (this.structure.specTypes[spec] as SpecType);
	}

	fieldNames(path: Path): readonly string[] {
		const edited = this.#edited(path);
		if (edited !== undefined) return edited?.names ?? NO_NAMES;
		const spec = this.#spec(path);
		return spec < 0 ? NO_NAMES : this.#nameList(this.structure.specFieldSets[spec]!);
	}

	field(path: Path, name: string): Value | undefined {
		const edited = this.#edited(path);
		if (edited !== undefined) {
			const value = edited?.values[edited.names.indexOf(name)];
			return typeof value === 'number' ? this.#value(value, path) : value;
		}
		const field = this.#findField(path, name);
		return field < 0 ? undefined : this.#value(field, path);
	}

	*paths(): Generator<Path> {
		const { paths, pathOrder } = this.structure;
		for (let i = 0; i < pathOrder.length; i++) {
			const spec = this.#specOfPath[pathOrder[i]!] ?? -1;
			if (spec < 0) continue;
			const path = paths[pathOrder[i]!]!;
			if (this.#edited(path) === null) continue;
			this.#lastPath = path;
			this.#lastSpec = spec;
			yield path;
		}
		for (const [path, edited] of this.#edits) if (edited !== null && this.#spec(path) < 0) yield path;
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
		if (this.#spec(path) >= 0) this.#edits.set(path, null);
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

	/** A number by which `recall` finds the spec at `path` again without a search. */
	locate(path: Path): number {
		return this.#spec(path);
	}

	/** Makes the next look at `path` fast, given the number that `locate` gave for it. */
	recall(path: Path, located: number): void {
		this.#lastPath = path;
		this.#lastSpec = located;
	}

	/** The spec at `path` as an edited one, made so if it is not yet; undefined when there is none. */
	#edit(path: Path): EditedSpec | undefined {
		const edited = this.#edits.get(path);
		if (edited !== undefined) return edited ?? undefined;
		const spec = this.#spec(path);
		if (spec < 0) return undefined;
		const start = this.structure.specFieldSets[spec]!;
		const made: EditedSpec = {
			type: this.structure.specTypes[spec] as SpecType,
			names: [...this.#nameList(start)],
			values: this.#fieldList(start),
		};
		this.#edits.set(path, made);
		return made;
	}

	#edited(path: Path): EditedSpec | null | undefined {
		return this.#edits.size === 0 ? undefined : this.#edits.get(path);
	}

	/** Number of the spec that the file has at `path`, -1 for none. */
	#spec(path: Path): number {
		if (path === this.#lastPath) return this.#lastSpec;
		this.#specs ??= this.#specsByPath();
		this.#lastPath = path;
		this.#lastSpec = this.#specs.get(path) ?? -1;
		return this.#lastSpec;
	}

	#specsByPath(): Map<Path, number> {
		const specs = new Map<Path, number>();
		const { paths } = this.structure;
		for (let i = 0; i < this.#specOfPath.length; i++) {
			const spec = this.#specOfPath[i]!;
			if (spec >= 0) specs.set(paths[i]!, spec);
		}
		return specs;
	}

	#findField(path: Path, name: string): number {
		const spec = this.#spec(path);
		const wanted = this.#nameNumbers.get(name);
		if (spec < 0 || wanted === undefined) return -1;
		const { fieldSets } = this.structure;
		const names = this.#fieldNames;
		const start = this.structure.specFieldSets[spec]!;
		for (let at = start; at < start + LONG_FIELD_SET; at++) {
			const field = fieldSets[at]!;
			if (field === FIELD_SET_END) return -1;
			if (names[field] === wanted) return field;
		}
		return this.#fieldMap(start).get(wanted) ?? -1;
	}

	#fieldMap(start: number): ReadonlyMap<number, number> {
		this.#fieldMaps ??= new Map();
		const known = this.#fieldMaps.get(start);
		if (known !== undefined) return known;
		const made = new Map<number, number>();
		// the first of several with one name counts
		for (const field of this.#fieldList(start).reverse()) made.set(this.#fieldNames[field]!, field);
		this.#fieldMaps.set(start, made);
		return made;
	}

	/** Fields of a field set, each name once, without those that the file does not have. */
	#fieldList(start: number): number[] {
		const { fieldSets } = this.structure;
		const stamp = ++this.#setsListed;
		const fields: number[] = [];
		for (let at = start; fieldSets[at] !== FIELD_SET_END; at++) {
			const field = fieldSets[at]!;
			const name = this.#fieldNames[field] ?? NO_NAME;
			if (name === NO_NAME) continue;
			if (this.#lastSets[name] === stamp) {
				const text = `field set ${start} has the field ${quote(this.#names[name]!)} more than once`;
				this.#reader.reporter.add('USDC008', text, this.#start('FIELDSETS'));
				continue;
			}
			this.#lastSets[name] = stamp;
			fields.push(field);
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
		const name = this.#names[this.#fieldNames[field]!]!;
		const value = this.#reader.tryRead(fieldReps[2 * field]!, fieldReps[2 * field + 1]!, name, path);
		this.#values[field] = value === undefined ? null : isLarge(value) ? new WeakRef(value) : value;
		return value;
	}

	/** Gives each field the number of its name, equal names the same one. */
	#numberNames(reporter: CrateReporter): Uint32Array {
		const { fieldNames, tokens } = this.structure;
		let faults = 0;
		const numbers = new Uint32Array(fieldNames.length);
		for (let i = 0; i < fieldNames.length; i++) {
			const token = fieldNames[i]!;
			const name = tokens[token];
			if (name === undefined) {
				numbers[i] = NO_NAME;
				if (faults++ < MAX_FAULTS) {
					reporter.add('USDC008', `field ${i} has the name token ${token} of ${tokens.length}`, this.#start('FIELDS'));
				}
				continue;
			}
			let number = this.#nameNumbers.get(name);
			if (number === undefined) {
				number = this.#names.length;
				this.#names.push(name);
				this.#nameNumbers.set(name, number);
			}
			numbers[i] = number;
		}
		return numbers;
	}

	/** Checks the specs and gives the number of the spec at each path. */
	#indexSpecs(reporter: CrateReporter, limits: CrateLimits): Int32Array {
		const { specPaths, specFieldSets, specTypes, paths, fieldSets, fieldNames } = this.structure;
		const start = this.#start('SPECS');
		const specOfPath = new Int32Array(paths.length).fill(-1);
		// a small file cannot have too many fields, whatever its specs share
		const isBounded = specPaths.length * fieldSets.length <= limits.specFields;
		const sizes = isBounded ? undefined : fieldSetSizes(fieldSets);
		let faults = 0;
		let fields = 0;
		for (let i = 0; i < specPaths.length; i++) {
			const index = specPaths[i]!;
			const set = specFieldSets[i]!;
			const type = specTypes[i]!;
			// A set begins where the one before it has ended.
			const isSet = set === 0 ? fieldSets.length > 0 : fieldSets[set - 1] === FIELD_SET_END && set < fieldSets.length;
			if (
				isSet &&
				index < paths.length &&
				paths[index] !== Path.empty &&
				type >= 1 &&
				type <= SpecType.variantSet &&
				specOfPath[index]! < 0
			) {
				if (sizes !== undefined) fields += sizes[set]!;
				if (fields <= limits.specFields) {
					specOfPath[index] = i;
					this.#specCount++;
					continue;
				}
			}
			if (faults++ >= MAX_FAULTS) continue;
			let problem: string;
			if (index >= paths.length) problem = `path ${index} of ${paths.length}`;
			else if (paths[index] === Path.empty) problem = `path ${index}, which could not be built`;
			else if (set >= fieldSets.length) problem = `field set ${set} of ${fieldSets.length}`;
			else if (!isSet) problem = `field set ${set}, where none begins`;
			else if (type < 1 || type > SpecType.variantSet) problem = `spec type ${type}, expected 1 to 11`;
			else if (specOfPath[index]! >= 0) problem = `path ${quotePath(paths[index]!)}, which another spec has too`;
			else problem = `field set ${set}, with which specs have more than the ${limits.specFields} fields allowed in all`;
			reporter.add('USDC008', `spec ${i} has ${problem}`, start);
		}
		for (let i = 0; i < fieldSets.length; i++) {
			const field = fieldSets[i]!;
			if (field < fieldNames.length || field === FIELD_SET_END) continue;
			reporter.add('USDC008', `a field set has field ${field} of ${fieldNames.length}`, start);
			break;
		}
		return specOfPath;
	}

	/** Where a section begins. */
	#start(name: KnownSection): number {
		return this.structure.sections.find((section) => section.name === name)?.start ?? 0;
	}
}

/** For the beginning of each field set, how many fields it has. */
function fieldSetSizes(fieldSets: Uint32Array): Uint32Array {
	const sizes = new Uint32Array(fieldSets.length);
	for (let start = 0, at = 0; at < fieldSets.length; at++) {
		if (fieldSets[at] !== FIELD_SET_END) continue;
		sizes[start] = at - start;
		start = at + 1;
	}
	return sizes;
}

const NO_NAMES: readonly string[] = Object.freeze([]);

function isLarge(value: Value): boolean {
	const { data } = value;
	return ArrayBuffer.isView(data) ? data.byteLength >= LARGE_VALUE : Array.isArray(data) && data.length > LARGE_VALUE;
}
