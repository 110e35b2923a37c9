import { FieldLayout } from './field-layout.ts';
import type { FieldSource, LayerData, SpecSource } from './layer-data.ts';
import type { Path } from './path.ts';
import type { SourceRanges } from './source-ranges.ts';
import { SpecType } from './spec-type.ts';
import type { Value } from './value.ts';

/** One spec: a type and a few fields. */
export class Spec {
	type: SpecType;
	/** Number of the source record, -1 without one. */
	source = -1;
	#layout: FieldLayout;
	#values: Value[];

	/** `values` belongs to the spec afterwards; it has one value for each name of the layout. */
	constructor(type: SpecType, layout: FieldLayout, values: Value[]) {
		this.type = type;
		this.#layout = layout;
		this.#values = values;
	}

	/** Names of the fields, in the order of their first setting. */
	get names(): readonly string[] {
		return this.#layout.names;
	}

	get(name: string): Value | undefined {
		const at = this.#layout.indexOf(name);
		return at < 0 ? undefined : this.#values[at];
	}

	set(name: string, value: Value): void {
		const at = this.#layout.indexOf(name);
		if (at >= 0) {
			this.#values[at] = value;
			return;
		}
		// an array that grows by itself would keep room for many more
		const count = this.#values.length;
		if (count < FEW_FIELDS) {
			const values = new Array<Value>(count + 1);
			for (let i = 0; i < count; i++) values[i] = this.#values[i]!;
			values[count] = value;
			this.#values = values;
		} else {
			this.#values.push(value);
		}
		this.#layout = this.#layout.with(name);
	}

	erase(name: string): void {
		const at = this.#layout.indexOf(name);
		if (at < 0) return;
		this.#layout = this.#layout.without(at);
		this.#values.splice(at, 1);
	}
}

/** Layer data held in memory: new layers, and what the text reader fills. */
export class MemoryData implements LayerData {
	readonly #specs = new Map<Path, Spec>();
	/** The last lookup: readers and writers ask for one field of a spec after the other. */
	#lastPath: Path | undefined;
	#lastSpec: Spec | undefined;
	/** The layout of a spec without fields. */
	readonly emptyLayout: FieldLayout = FieldLayout.empty();
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
		if (path !== this.#lastPath) {
			this.#lastSpec = this.#specs.get(path);
			this.#lastPath = path;
		}
		return this.#lastSpec;
	}

	/** Adds and returns a spec; an existing one at `path` is replaced. `values` belongs to it afterwards. */
	addSpec(path: Path, type: SpecType, layout: FieldLayout = this.emptyLayout, values: Value[] = []): Spec {
		const spec = new Spec(type, layout, values);
		this.#specs.set(path, spec);
		this.#lastPath = path;
		this.#lastSpec = spec;
		return spec;
	}

	has(path: Path): boolean {
		return this.spec(path) !== undefined;
	}

	specType(path: Path): SpecType {
		return this.spec(path)?.type ?? SpecType.unknown;
	}

	fieldNames(path: Path): readonly string[] {
		return this.spec(path)?.names ?? NO_NAMES;
	}

	field(path: Path, name: string): Value | undefined {
		return this.spec(path)?.get(name);
	}

	paths(): Iterable<Path> {
		return this.#specs.keys();
	}

	createSpec(path: Path, type: SpecType): void {
		const existing = this.spec(path);
		if (existing === undefined) this.addSpec(path, type);
		else existing.type = type;
	}

	eraseSpec(path: Path): void {
		this.#specs.delete(path);
		this.#lastPath = undefined;
		this.#lastSpec = undefined;
	}

	setField(path: Path, name: string, value: Value): void {
		const spec = this.spec(path);
		if (spec === undefined) throw new RangeError(`there is no spec at <${path}> to set '${name}' on`);
		spec.set(name, value);
	}

	eraseField(path: Path, name: string): void {
		this.spec(path)?.erase(name);
	}

	specSource(path: Path): SpecSource | undefined {
		const spec = this.spec(path);
		return spec === undefined || spec.source < 0 ? undefined : this.ranges?.spec(spec.source);
	}

	fieldSource(path: Path, name: string): FieldSource | undefined {
		const spec = this.spec(path);
		return spec === undefined || spec.source < 0 ? undefined : this.ranges?.field(spec.source, name);
	}
}

/** Fields up to which a spec holds no spare room. */
const FEW_FIELDS = 16;
const NO_NAMES: readonly string[] = Object.freeze([]);
