import type { FieldSource, LayerData, SpecSource } from './layer-data.ts';
import type { Path } from './path.ts';
import type { SourceRanges } from './source-ranges.ts';
import { SpecType } from './spec-type.ts';
import type { Value } from './value.ts';

/** One spec: a type and fields as parallel lists. Specs have few fields, so a walk beats a map in time and memory. */
export class Spec {
	type: SpecType;
	readonly names: string[];
	readonly values: Value[];
	/** Number of the source record, -1 without one. */
	source = -1;

	/** The lists are taken over, not copied. */
	constructor(type: SpecType, names: string[] = [], values: Value[] = []) {
		this.type = type;
		this.names = names;
		this.values = values;
	}

	get(name: string): Value | undefined {
		const at = this.names.indexOf(name);
		return at < 0 ? undefined : this.values[at];
	}

	set(name: string, value: Value): void {
		const at = this.names.indexOf(name);
		if (at >= 0) {
			this.values[at] = value;
		} else {
			this.names.push(name);
			this.values.push(value);
		}
	}

	erase(name: string): void {
		const at = this.names.indexOf(name);
		if (at < 0) return;
		this.names.splice(at, 1);
		this.values.splice(at, 1);
	}
}

/** Layer data held in memory: new layers, and what the text reader fills. */
export class MemoryData implements LayerData {
	readonly #specs = new Map<Path, Spec>();
	/** Where specs were written, for data that came from text. */
	readonly ranges: SourceRanges | undefined;

	constructor(ranges?: SourceRanges) {
		this.ranges = ranges;
	}

	get specCount(): number {
		return this.#specs.size;
	}

	/** The spec at `path`, to fill fields without a lookup for each. */
	spec(path: Path): Spec | undefined {
		return this.#specs.get(path);
	}

	/** Adds and returns a spec; an existing one at `path` is replaced. */
	addSpec(path: Path, type: SpecType, names?: string[], values?: Value[]): Spec {
		const spec = new Spec(type, names, values);
		this.#specs.set(path, spec);
		return spec;
	}

	has(path: Path): boolean {
		return this.#specs.has(path);
	}

	specType(path: Path): SpecType {
		return this.#specs.get(path)?.type ?? SpecType.unknown;
	}

	fieldNames(path: Path): readonly string[] {
		return this.#specs.get(path)?.names ?? NO_NAMES;
	}

	field(path: Path, name: string): Value | undefined {
		return this.#specs.get(path)?.get(name);
	}

	paths(): Iterable<Path> {
		return this.#specs.keys();
	}

	createSpec(path: Path, type: SpecType): void {
		const existing = this.#specs.get(path);
		if (existing === undefined) this.addSpec(path, type);
		else existing.type = type;
	}

	eraseSpec(path: Path): void {
		this.#specs.delete(path);
	}

	setField(path: Path, name: string, value: Value): void {
		const spec = this.#specs.get(path);
		if (spec === undefined) throw new RangeError(`there is no spec at <${path}> to set '${name}' on`);
		spec.set(name, value);
	}

	eraseField(path: Path, name: string): void {
		this.#specs.get(path)?.erase(name);
	}

	specSource(path: Path): SpecSource | undefined {
		const spec = this.#specs.get(path);
		return spec === undefined || spec.source < 0 ? undefined : this.ranges?.spec(spec.source);
	}

	fieldSource(path: Path, name: string): FieldSource | undefined {
		const spec = this.#specs.get(path);
		return spec === undefined || spec.source < 0 ? undefined : this.ranges?.field(spec.source, name);
	}
}

const NO_NAMES: readonly string[] = Object.freeze([]);
