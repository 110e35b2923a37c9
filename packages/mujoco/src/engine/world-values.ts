import { type IndexRange, ModelFlags } from '@manyworlds/model';
import type { CompiledModel } from './compiled-model.ts';
import { doubleField } from './mj-fields.ts';

/** Arrays of the compiled model that may differ between worlds. */
export const WORLD_FIELDS: readonly string[] = [
	'qpos0',
	'qpos_spring',
	...['pos', 'quat', 'ipos', 'iquat', 'mass', 'subtreemass', 'inertia', 'invweight0', 'gravcomp'].map(
		(n) => `body_${n}`,
	),
	...['solref', 'solimp', 'pos', 'axis', 'stiffness', 'range', 'actfrcrange', 'margin'].map((n) => `jnt_${n}`),
	...['armature', 'damping', 'invweight0', 'frictionloss', 'solimp', 'solref', 'M0'].map((n) => `dof_${n}`),
	...['solmix', 'solref', 'solimp', 'size', 'rbound', 'pos', 'quat', 'friction', 'margin', 'gap'].map(
		(n) => `geom_${n}`,
	),
	'site_pos',
	'site_quat',
	...['solref', 'solimp', 'data'].map((n) => `eq_${n}`),
	...['gainprm', 'biasprm', 'dynprm', 'ctrlrange', 'forcerange', 'actrange', 'gear', 'cranklength', 'acc0'].map(
		(n) => `actuator_${n}`,
	),
	...['length0', 'lengthrange'].map((n) => `actuator_${n}`),
	...['solref', 'solreffriction', 'solimp', 'margin', 'gap', 'friction'].map((n) => `pair_${n}`),
	...['solref_lim', 'solimp_lim', 'solref_fri', 'solimp_fri', 'range', 'actfrcrange', 'margin'].map(
		(n) => `tendon_${n}`,
	),
	...['stiffness', 'damping', 'armature', 'frictionloss', 'lengthspring', 'length0', 'invweight0'].map(
		(n) => `tendon_${n}`,
	),
];

/** Options that may differ between worlds. */
const SCALAR_OPTIONS = [
	'impratio',
	'tolerance',
	'ls_tolerance',
	'ccd_tolerance',
	'sleep_tolerance',
	'density',
	'viscosity',
] as const;
const VECTOR_OPTIONS = ['gravity', 'wind', 'magnetic'] as const;

/** What the compiled model holds for one world, where it is not what the template world has. */
interface Override {
	readonly fields: readonly { readonly name: string; readonly values: Float64Array }[];
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
	#base: ReadonlyMap<string, Float64Array>;
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
		this.#base = this.#snapshot();
		this.#baseOptions = this.#optionNumbers();
		this.#baseMeaninertia = compiled.mj.stat.meaninertia;
		this.#overrides = Array.from({ length: worlds.end });
		this.#captureAll();
	}

	/** Writes the values of a world into the compiled model. */
	load(world: number): void {
		if (this.#loaded === world) return;
		const previous = this.#overrides[this.#loaded];
		if (previous !== undefined) this.#restore(previous.fields);
		const own = this.#overrides[world];
		if (own !== undefined) for (const { name, values } of own.fields) doubleField(this.#compiled.mj, name).set(values);
		if (own !== undefined || previous !== undefined) {
			this.#setOptions(own?.options ?? this.#baseOptions);
			this.#compiled.mj.stat.meaninertia = own?.meaninertia ?? this.#baseMeaninertia;
		}
		this.#loaded = world;
	}

	/** Takes over what changed in the model, for the template and then for every other world. */
	update(flags: number): void {
		this.load(this.#template);
		const { sync, mj } = this.#compiled;
		sync.writeWorld(this.#template, flags);
		const { written, maps, conversion } = this.#compiled;
		for (const [id, body] of maps.body.entries()) if (body >= 0) written.note(conversion.model, id, body);
		this.#base = this.#snapshot();
		this.#baseOptions = this.#optionNumbers();
		this.#baseMeaninertia = mj.stat.meaninertia;
		this.#captureAll();
	}

	/** Names of the arrays that differ from the template in some world. */
	get differing(): string[] {
		return WORLD_FIELDS.filter((name) =>
			this.#overrides.some((own) => own?.fields.some((field) => field.name === name) === true),
		);
	}

	/** The values of an array for one world. */
	valuesOf(name: string, world: number): Float64Array {
		return this.#overrides[world]?.fields.find((field) => field.name === name)?.values ?? this.#base.get(name)!;
	}

	#captureAll(): void {
		for (let world = this.#worlds.start; world < this.#worlds.end; world++) {
			if (world !== this.#template) this.#capture(world, ModelFlags.ALL);
		}
		this.load(this.#template);
	}

	#capture(world: number, flags: number): void {
		const { sync, mj } = this.#compiled;
		for (const [name, values] of this.#base) doubleField(mj, name).set(values);
		this.#setOptions(this.#baseOptions);
		sync.writeWorld(world, flags);
		const fields: { name: string; values: Float64Array }[] = [];
		for (const [name, base] of this.#base) {
			const values = doubleField(mj, name);
			if (values.some((value, i) => !Object.is(value, base[i]))) fields.push({ name, values: values.slice() });
		}
		const options = this.#optionNumbers();
		const isSame =
			fields.length === 0 &&
			options.every((value, i) => Object.is(value, this.#baseOptions[i])) &&
			mj.stat.meaninertia === this.#baseMeaninertia;
		this.#overrides[world] = isSame ? undefined : { fields, options, meaninertia: mj.stat.meaninertia };
		this.#loaded = this.#template;
		for (const [name, values] of this.#base) doubleField(mj, name).set(values);
		this.#setOptions(this.#baseOptions);
		mj.stat.meaninertia = this.#baseMeaninertia;
	}

	#restore(fields: Override['fields']): void {
		for (const { name } of fields) doubleField(this.#compiled.mj, name).set(this.#base.get(name)!);
	}

	#snapshot(): ReadonlyMap<string, Float64Array> {
		const { mj } = this.#compiled;
		return new Map(
			WORLD_FIELDS.map((name) => [name, doubleField(mj, name).slice()] as const).filter(([, v]) => v.length > 0),
		);
	}

	#optionNumbers(): Float64Array {
		const { opt } = this.#compiled.mj;
		return Float64Array.from([
			...SCALAR_OPTIONS.map((name) => opt[name]),
			...VECTOR_OPTIONS.flatMap((name) => [...(opt[name] as Float64Array)]),
		]);
	}

	#setOptions(numbers: Float64Array): void {
		const { opt } = this.#compiled.mj;
		for (const [i, name] of SCALAR_OPTIONS.entries()) opt[name] = numbers[i]!;
		for (const [i, name] of VECTOR_OPTIONS.entries()) {
			const at = SCALAR_OPTIONS.length + 3 * i;
			(opt[name] as Float64Array).set(numbers.subarray(at, at + 3));
		}
	}
}
