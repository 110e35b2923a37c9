import { FieldLayout } from './field-layout.ts';
import type { FieldSource, LayerData, SpecSource } from './layer-data.ts';
import type { Path } from './path.ts';
import type { SourceRanges } from './source-ranges.ts';
import { SpecType } from './spec-type.ts';
import type { Value } from './value.ts';

/** One spec: a type and a few fields. Most have four at most, which need no list of their own. */
export class Spec {
	type: SpecType;
	/** Number of the source record, -1 without one. */
	source = -1;
	#layout: FieldLayout;
	#first: Value | undefined;
	#second: Value | undefined;
	#third: Value | undefined;
	#fourth: Value | undefined;
	/** The values after those. */
	#more: Value[] | undefined = undefined;

	/** There is one value for each name of the layout, which has four at most. */
	constructor(type: SpecType, layout: FieldLayout, first?: Value, second?: Value, third?: Value, fourth?: Value) {
		this.type = type;
		this.#layout = layout;
		this.#first = first;
		this.#second = second;
		this.#third = third;
		this.#fourth = fourth;
	}

	/** Names of the fields, in the order of their first setting. */
	get names(): readonly string[] {
		return this.#layout.names;
	}

	get(name: string): Value | undefined {
		const at = this.#layout.indexOf(name);
		return at < 0 ? undefined : this.valueAt(at);
	}

	/** The value of the field at a position of {@link names}. */
	valueAt(index: number): Value | undefined {
		switch (index) {
			case 0:
				return this.#first;
			case 1:
				return this.#second;
			case 2:
				return this.#third;
			case 3:
				return this.#fourth;
			default:
				return this.#more?.[index - INLINE];
		}
	}

	set(name: string, value: Value): void {
		const at = this.#layout.indexOf(name);
		if (at >= 0) {
			this.#put(at, value);
			return;
		}
		this.#put(this.#layout.names.length, value);
		this.#layout = this.#layout.with(name);
	}

	erase(name: string): void {
		const at = this.#layout.indexOf(name);
		if (at < 0) return;
		const last = this.#layout.names.length - 1;
		for (let i = at; i < last; i++) this.#put(i, this.valueAt(i + 1));
		if (last >= INLINE) this.#more?.pop();
		else this.#put(last, undefined);
		this.#layout = this.#layout.without(at);
	}

	#put(index: number, value: Value | undefined): void {
		if (index === 0) this.#first = value;
		else if (index === 1) this.#second = value;
		else if (index === 2) this.#third = value;
		else if (index === 3) this.#fourth = value;
		else if (this.#more === undefined) this.#more = [value!];
		else this.#more[index - INLINE] = value!;
	}
}

/** Values that a spec holds without a list. */
const INLINE = 4;

/** Numbers of layer data; 0 is nobody's. */
let lastNumber = 0;
/** Who took a path last, and how often that changed. */
let lastTaker = 0;
let changesOfTaker = 0;

/**
 * Layer data held in memory: new layers, and what the text reader fills.
 *
 * Every path remembers the data that took it last and the place of its spec there, so that finding a spec takes no lookup. Data
 * whose paths may have been taken by other data finds them in a map, which is made when it is first needed.
 */
export class MemoryData implements LayerData {
	readonly #number: number = ++lastNumber;
	/** Specs with their paths in the order in which they were added; undefined where one was erased. */
	#specs: (Spec | undefined)[] = [];
	#paths: Path[] = [];
	#count = 0;
	/** Places by path. */
	#places: Map<Path, number> | undefined;
	/** As long as this is the number of changes, nobody else took any path since the first one here. */
	#ownChange = 0;
	/** The layout of a spec without fields. */
	readonly emptyLayout: FieldLayout = FieldLayout.empty();
	/** Where specs were written, for data that came from text. */
	readonly ranges: SourceRanges | undefined;

	constructor(ranges?: SourceRanges) {
		this.ranges = ranges;
	}

	get specCount(): number {
		return this.#count;
	}

	/** The spec at `path`, to fill fields without a lookup for each. */
	spec(path: Path): Spec | undefined {
		if (path.holder === this.#number) return this.#specs[path.place];
		if (this.#ownChange === changesOfTaker) return undefined;
		const place = this.#lookUp(path);
		return place < 0 ? undefined : this.#specs[place];
	}

	#lookUp(path: Path): number {
		if (this.#count === 0) return -1;
		let places = this.#places;
		if (places === undefined) {
			places = new Map();
			for (let i = 0; i < this.#specs.length; i++) if (this.#specs[i] !== undefined) places.set(this.#paths[i]!, i);
			this.#places = places;
		}
		return places.get(path) ?? -1;
	}

	/** Adds and returns a spec; an existing one at `path` is replaced. There is one value for each name of the layout. */
	addSpec(
		path: Path,
		type: SpecType,
		layout: FieldLayout = this.emptyLayout,
		first?: Value,
		second?: Value,
		third?: Value,
		fourth?: Value,
	): Spec {
		const spec = new Spec(type, layout, first, second, third, fourth);
		if (lastTaker !== this.#number) this.#becomeTaker();
		let place = -1;
		if (path.holder === this.#number) place = path.place;
		else if (this.#ownChange !== changesOfTaker) place = this.#lookUp(path);
		if (place < 0) {
			place = this.#specs.length;
			this.#specs.push(spec);
			this.#paths.push(path);
			this.#places?.set(path, place);
			this.#count++;
		} else this.#specs[place] = spec;
		path.holder = this.#number;
		path.place = place;
		return spec;
	}

	#becomeTaker(): void {
		lastTaker = this.#number;
		changesOfTaker++;
		if (this.#count === 0) this.#ownChange = changesOfTaker;
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

	*paths(): Generator<Path> {
		const paths = this.#paths;
		const specs = this.#specs;
		for (let i = 0; i < paths.length; i++) {
			if (specs[i] === undefined) continue;
			const path = paths[i]!;
			// the lists are replaced when many specs were erased
			if (specs === this.#specs || this.has(path)) yield path;
		}
	}

	createSpec(path: Path, type: SpecType): void {
		const existing = this.spec(path);
		if (existing === undefined) this.addSpec(path, type);
		else existing.type = type;
	}

	eraseSpec(path: Path): void {
		const spec = this.spec(path);
		if (spec === undefined) return;
		const place = path.holder === this.#number ? path.place : this.#lookUp(path);
		this.#specs[place] = undefined;
		this.#places?.delete(path);
		if (path.holder === this.#number) path.holder = 0;
		this.#count--;
		if (this.#specs.length > MOST_GAPS + 2 * this.#count) this.#closeGaps();
	}

	#closeGaps(): void {
		const specs: Spec[] = [];
		const paths: Path[] = [];
		for (let i = 0; i < this.#specs.length; i++) {
			const spec = this.#specs[i];
			if (spec === undefined) continue;
			const path = this.#paths[i]!;
			if (path.holder === this.#number) path.place = specs.length;
			specs.push(spec);
			paths.push(path);
		}
		this.#specs = specs;
		this.#paths = paths;
		this.#places = undefined;
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

/** Places of erased specs that are kept in any case. */
const MOST_GAPS = 64;
const NO_NAMES: readonly string[] = Object.freeze([]);
