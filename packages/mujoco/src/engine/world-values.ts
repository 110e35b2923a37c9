import { ModelFlags } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import { copiedRows, VALUE_TABLE } from '../convert/value-table.ts';
import type { CompiledModel } from './compiled-model.ts';
import { doubleField } from './mj-fields.ts';

/** What MuJoCo derives from the values of a world. */
const DERIVED_FIELDS: readonly string[] = [
	'body_subtreemass',
	'body_invweight0',
	'dof_invweight0',
	'dof_M0',
	'geom_rbound',
	'actuator_acc0',
	'actuator_length0',
	'actuator_lengthrange',
	'tendon_lengthspring',
	'tendon_length0',
	'tendon_invweight0',
];

/** Arrays of the compiled model that may differ between worlds. */
export const WORLD_FIELDS: readonly string[] = [
	...new Set(
		VALUE_TABLE.filter(({ isPerWorld, field }) => isPerWorld && !field.startsWith('opt.')).map(({ field }) => field),
	),
	...DERIVED_FIELDS,
];

const INERTIA_FIELDS: readonly number[] = ['body_ipos', 'body_iquat', 'body_mass', 'body_inertia'].map((name) =>
	WORLD_FIELDS.indexOf(name),
);

/** Options that may differ between worlds: numbers, then vectors, the gravity first. */
const SCALAR_OPTIONS = optionsOf((width) => width === 1);
const VECTOR_OPTIONS = optionsOf((width) => width === 3);

function optionsOf(isChosen: (width: number) => boolean): readonly string[] {
	return copiedRows('option').flatMap(({ width, field }) => (isChosen(width) ? [field.slice('opt.'.length)] : []));
}

/** Values of one array for one world. */
interface OwnField {
	/** Index into {@link WORLD_FIELDS}. */
	readonly field: number;
	readonly values: Float64Array;
}

/** What the compiled model holds for one world, where it is not what the template world has. */
interface Override {
	readonly fields: readonly OwnField[];
	readonly options: Float64Array;
	readonly meaninertia: number;
}

/** The arrays of {@link WORLD_FIELDS}, options and mean inertia. */
interface Values {
	readonly fields: readonly Float64Array[];
	readonly options: Float64Array;
	readonly meaninertia: number;
}

/**
 * Values of the compiled model for each world of a run. Worlds that agree with the template cost nothing; the others have their
 * own copies of the arrays that differ, derived ones included, which are written before they step.
 */
export class WorldValues {
	readonly #compiled: CompiledModel;
	readonly #template: number;
	readonly #worlds: IndexRange;
	readonly #engine: EngineValues;
	#base: readonly Float64Array[];
	#baseOptions: Float64Array;
	#baseMeaninertia: number;
	readonly #overrides: (Override | undefined)[];
	/** World whose values are in the compiled model. */
	#loaded: number;

	constructor(compiled: CompiledModel, worlds: IndexRange) {
		this.#compiled = compiled;
		this.#worlds = worlds;
		this.#template = Math.max(compiled.conversion.template.world, 0);
		this.#loaded = this.#template;
		this.#engine = new EngineValues(compiled);
		this.#base = this.#engine.fields.map((values) => values.slice());
		this.#baseOptions = this.#engine.readOptions();
		this.#baseMeaninertia = this.#engine.readMeaninertia();
		this.#overrides = Array.from({ length: worlds.end });
		this.#captureAll(ModelFlags.ALL);
	}

	/** Writes the values of a world into the compiled model. */
	load(world: number): void {
		if (this.#loaded === world) return;
		const previous = this.#overrides[this.#loaded];
		const own = this.#overrides[world];
		this.#loaded = world;
		if (previous === own) return;
		const { fields } = this.#engine;
		if (previous !== undefined) for (const { field } of previous.fields) fields[field]!.set(this.#base[field]!);
		if (own !== undefined) for (const { field, values } of own.fields) fields[field]!.set(values);
		this.#engine.setOptions(own?.options ?? this.#baseOptions);
		this.#engine.setMeaninertia(own?.meaninertia ?? this.#baseMeaninertia);
	}

	/**
	 * Takes over what changed in the model, of all worlds or of those of `worlds`. The cost is that of the values that the
	 * flags name, for each of these worlds.
	 */
	update(flags: number, worlds?: ArrayLike<number | boolean>): void {
		if (worlds === undefined || worlds[this.#template]) this.#updateTemplate(flags);
		this.#captureAll(flags, worlds);
	}

	/** Names of the arrays that differ from the template in some world. */
	get differing(): string[] {
		return WORLD_FIELDS.filter((_, index) =>
			this.#overrides.some((own) => own?.fields.some(({ field }) => field === index) === true),
		);
	}

	/** The values of an array for one world. */
	valuesOf(name: string, world: number): Float64Array {
		const index = WORLD_FIELDS.indexOf(name);
		return this.#overrides[world]?.fields.find(({ field }) => field === index)?.values ?? this.#base[index]!;
	}

	/** The others are told from the template: what they share with it and the flags do not name, they keep. */
	#updateTemplate(flags: number): void {
		this.load(this.#template);
		const { sync, written, maps, conversion } = this.#compiled;
		const old: Values = { fields: this.#base, options: this.#baseOptions, meaninertia: this.#baseMeaninertia };
		sync.writeWorld(this.#template, flags);
		for (const [id, body] of maps.body.entries()) if (body >= 0) written.note(conversion.model, id, body);
		this.#base = this.#engine.fields.map((values, i) =>
			isSame(values, old.fields[i]!) ? old.fields[i]! : values.slice(),
		);
		this.#baseOptions = this.#engine.readOptions();
		this.#baseMeaninertia = this.#engine.readMeaninertia();
		for (let world = this.#worlds.start; world < this.#worlds.end; world++) {
			if (world !== this.#template) this.#keep(world, old);
		}
	}

	/** Gives a world the old values of the template, where those changed and it has none of its own. */
	#keep(world: number, old: Values): void {
		const own = this.#overrides[world];
		const fields: OwnField[] = [];
		for (let field = 0; field < this.#base.length; field++) {
			const values = own?.fields.find((known) => known.field === field)?.values ?? old.fields[field]!;
			if (values !== this.#base[field]) fields.push({ field, values });
		}
		this.#setOverride(world, fields, own?.options ?? old.options, own?.meaninertia ?? old.meaninertia);
	}

	#setOverride(world: number, fields: readonly OwnField[], options: Float64Array, meaninertia: number): void {
		const isNone = fields.length === 0 && isSame(options, this.#baseOptions) && meaninertia === this.#baseMeaninertia;
		this.#overrides[world] = isNone ? undefined : { fields, options, meaninertia };
	}

	#captureAll(flags: number, worlds?: ArrayLike<number | boolean>): void {
		for (let world = this.#worlds.start; world < this.#worlds.end; world++) {
			if (world === this.#template || (worlds !== undefined && !worlds[world])) continue;
			this.#capture(world, flags);
		}
		this.load(this.#template);
	}

	/** Writes a world's values over those that it has, and remembers what is not as in the template. */
	#capture(world: number, flags: number): void {
		const { sync, conversion } = this.#compiled;
		if (flags === ModelFlags.MODEL_PROPERTIES) {
			// gravity alone needs nothing of the engine
			const own = this.#overrides[world];
			const options = (own?.options ?? this.#baseOptions).slice();
			options.set(conversion.model.gravityOf(world), SCALAR_OPTIONS.length);
			if (this.#loaded === world) this.load(this.#template);
			this.#setOverride(world, own?.fields ?? [], options, own?.meaninertia ?? this.#baseMeaninertia);
			return;
		}
		this.load(world);
		// inertias are only written where they are not the template's
		if (flags & ModelFlags.BODY_INERTIAL_PROPERTIES) {
			for (const field of INERTIA_FIELDS) this.#engine.fields[field]!.set(this.#base[field]!);
		}
		sync.writeWorld(world, flags);
		const fields: OwnField[] = [];
		for (const [field, values] of this.#engine.fields.entries()) {
			const base = this.#base[field]!;
			if (isSame(values, base)) continue;
			// zeros of another sign are no difference: the world takes those of the template
			if (isEqual(values, base)) values.set(base);
			else fields.push({ field, values: values.slice() });
		}
		this.#setOverride(world, fields, this.#engine.readOptions(), this.#engine.readMeaninertia());
		// the engine holds what was captured, whether or not that is an override
		if (this.#overrides[world] === undefined) this.#loaded = this.#template;
	}
}

/** The values of a compiled model that may differ between worlds, as the engine has them. */
class EngineValues {
	readonly #compiled: CompiledModel;
	#fields: readonly Float64Array[];
	#vectors: readonly Float64Array[];
	/** What the engine has of the options and of the mean inertia. */
	#options: Float64Array = new Float64Array(0);
	#meaninertia = Number.NaN;

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		this.#fields = this.#takeFields();
		this.#vectors = this.#takeVectors();
	}

	/** Live views of {@link WORLD_FIELDS}, taken again after the engine's memory grew. */
	get fields(): readonly Float64Array[] {
		this.#renew();
		return this.#fields;
	}

	/** Reads the options as one row: {@link SCALAR_OPTIONS}, then {@link VECTOR_OPTIONS}. */
	readOptions(): Float64Array {
		this.#renew();
		const { engineOptions } = this.#compiled;
		const row = new Float64Array(SCALAR_OPTIONS.length + 3 * VECTOR_OPTIONS.length);
		for (let i = 0; i < SCALAR_OPTIONS.length; i++) row[i] = Number(Reflect.get(engineOptions, SCALAR_OPTIONS[i]!));
		for (let i = 0; i < VECTOR_OPTIONS.length; i++) row.set(this.#vectors[i]!, SCALAR_OPTIONS.length + 3 * i);
		this.#options = row;
		return row;
	}

	readMeaninertia(): number {
		this.#meaninertia = this.#compiled.statistics.meaninertia;
		return this.#meaninertia;
	}

	/** Writes those options that the engine has otherwise. */
	setOptions(row: Float64Array): void {
		this.#renew();
		const { engineOptions } = this.#compiled;
		for (let i = 0; i < row.length; i++) {
			if (Object.is(this.#options[i], row[i])) continue;
			const name = SCALAR_OPTIONS[i];
			const component = i - SCALAR_OPTIONS.length;
			if (name !== undefined) Reflect.set(engineOptions, name, row[i]);
			else this.#vectors[Math.floor(component / 3)]![component % 3] = row[i]!;
		}
		this.#options = row;
	}

	setMeaninertia(value: number): void {
		if (value === this.#meaninertia) return;
		this.#meaninertia = value;
		this.#compiled.statistics.meaninertia = value;
	}

	/** An array without numbers cannot tell whether it is detached, the gravity can. */
	#renew(): void {
		if (this.#vectors[0]!.byteLength > 0) return;
		this.#fields = this.#takeFields();
		this.#vectors = this.#takeVectors();
	}

	#takeFields(): readonly Float64Array[] {
		return WORLD_FIELDS.map((name) => doubleField(this.#compiled.mj, name));
	}

	#takeVectors(): readonly Float64Array[] {
		return VECTOR_OPTIONS.map((name) => Reflect.get(this.#compiled.engineOptions, name) as Float64Array);
	}
}

/** Whether two arrays of one length hold equal numbers. */
function isEqual(a: Float64Array, b: Float64Array): boolean {
	for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
	return true;
}

/** Whether two arrays of one length hold the same numbers, the same in every bit. */
function isSame(a: Float64Array, b: Float64Array): boolean {
	if (a === b) return true;
	for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
	return true;
}
