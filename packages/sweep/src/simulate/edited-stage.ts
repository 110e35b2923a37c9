import { quote, Report } from '@manyworlds/core';
import { type Decide, instanceLayer, layUnder } from '@manyworlds/import/internal';
import {
	type AssetStore,
	EditTarget,
	isAssetFailure,
	Layer,
	makeValue,
	Path,
	type Prim,
	SpecType,
	Stage,
	T,
	type Value,
} from '@manyworlds/usd';
import { boundMaterial, MemoryData } from '@manyworlds/usd/internal';
import type { ParameterTarget, ParameterValue } from '../sample/parameter.ts';
import { RefusedRun } from './sweep-asset.ts';

/** A property that a parameter changes. */
export type PropertyTarget = Extract<ParameterTarget, { kind: 'property' }>;

/** A decision of some work, with how it came out. */
type Decision = readonly [decision: () => string | boolean, value: string | boolean];

/** What some work made, and what it depends on. */
interface Kept {
	readonly value: unknown;
	readonly inputs: readonly unknown[];
	readonly depends: ReadonlyMap<string, unknown>;
	readonly decisions: readonly Decision[];
}

/** A composed asset with a session layer over it, which holds what the parameters of a run say. */
export class EditedStage {
	readonly stage: Stage;
	readonly #session = new SessionData();
	/** Properties by the text of their target. */
	readonly #found = new Map<string, { readonly path: string; readonly base: Value | undefined }>();
	readonly #kept = new Map<string, Kept>();

	/** Composes an asset with variants selected: `[prim, set, variant]`. */
	constructor(store: AssetStore, identifier: string, variants: readonly (readonly [string, string, string])[]) {
		const layer = store.layer(identifier);
		if (layer === undefined || isAssetFailure(layer))
			throw new RefusedRun(
				`${quote(store.name(identifier))} cannot be opened: ${layer?.failure ?? 'it is not loaded'}`,
				['SWP025'],
			);
		const session = new Layer(`${identifier}-sweep-session.usda`, this.#session);
		const open = (): Stage => {
			const stage = Stage.open(layer, { store, sessionLayer: session });
			stage.editTarget = EditTarget.forLayer(session);
			return stage;
		};
		const plain = open();
		for (const [prim, set, variant] of variants) plain.editor.selectVariant(prim, set, variant);
		const instances = instanceLayer(plain.pseudoRoot, new Report());
		if (instances !== undefined) layUnder(this.#session, instances.layer.data);
		this.stage = instances === undefined ? plain : open();
	}

	/**
	 * What some work makes of the stage and of `inputs`, as it was made last time under that name unless another input is given, a property
	 * has changed that the work asked for, or a decision that it made comes out otherwise. Every property that is ever changed must have
	 * been set before the first time.
	 */
	keep<R>(name: string, inputs: readonly unknown[], work: (stage: Stage, decide: Decide) => R): R {
		const kept = this.#kept.get(name);
		if (kept !== undefined && this.#isValid(kept, inputs)) return kept.value as R;
		const read = new Set<string>();
		const decisions: Decision[] = [];
		const watcher = (path: string): void => {
			read.add(path);
		};
		const decide: Decide = (decision) => {
			this.#session.watcher = undefined;
			const value = decision();
			this.#session.watcher = watcher;
			decisions.push([decision, value]);
			return value;
		};
		this.#session.watcher = watcher;
		try {
			const value = work(this.stage, decide);
			this.#session.watcher = undefined;
			const depends = new Map([...read].map((path) => [path, this.#valueAt(path)]));
			this.#kept.set(name, { value, inputs, depends, decisions });
			return value;
		} finally {
			this.#session.watcher = undefined;
		}
	}

	#isValid({ inputs, depends, decisions }: Kept, now: readonly unknown[]): boolean {
		return (
			inputs.every((input, i) => input === now[i]) &&
			[...depends].every(([path, value]) => Object.is(this.#valueAt(path), value)) &&
			decisions.every(([decision, value]) => decision() === value)
		);
	}

	/** The value that the session layer has. */
	#valueAt(path: string): unknown {
		return this.#session.field(Path.parse(path)!, 'default')?.data;
	}

	/** The text of the session layer's subject: where a target leads, and the value there before any edit. */
	find(target: PropertyTarget): { readonly path: string; readonly base: Value | undefined } | string {
		const key = `${target.of} ${target.prim} ${target.property}`;
		const known = this.#found.get(key);
		if (known !== undefined) return known;
		const prim = this.stage.prim(target.prim);
		if (prim === undefined) return `there is no prim <${target.prim}>`;
		const owner = ownerOf(prim, target);
		if (typeof owner === 'string') return owner;
		const path = `${owner.path}.${target.property}`;
		const attribute = this.stage.attribute(path);
		if (attribute === undefined || attribute.valueType === undefined)
			return `<${owner.path}> has no attribute ${quote(target.property)}`;
		const found = { path, base: attribute.get() };
		this.#found.set(key, found);
		return found;
	}

	/** Changes a property in the session layer; gives why that cannot be done. */
	set(target: PropertyTarget, apply: 'set' | 'scale' | 'add', value: ParameterValue): string | undefined {
		const found = this.find(target);
		if (typeof found === 'string') return found;
		const type = this.stage.attribute(found.path)!.valueType!;
		const typed = typedValue(type as typeof T.double, apply, found.base, value);
		if (typeof typed === 'string') return `<${found.path}> ${typed}`;
		this.stage.editor.setValue(found.path, typed);
		// an opinion of a session layer wins, except where the prim is part of an instance
		const now = this.stage.attribute(found.path)?.get()?.data;
		return Object.is(now, typed.data) ? undefined : `<${found.path}> cannot be changed: it is part of an instance`;
	}
}

/**
 * The session layer is stronger than all others, so that nothing can learn the value of a property that is set there without asking
 * its data.
 */
class SessionData extends MemoryData {
	/** Told the path of each property spec that is looked at. */
	watcher: ((path: string) => void) | undefined;

	constructor() {
		super();
		this.createSpec(Path.root, SpecType.pseudoRoot);
	}

	override spec(path: Path): ReturnType<MemoryData['spec']> {
		const spec = super.spec(path);
		if (this.watcher !== undefined && spec !== undefined && path.isProperty) this.watcher(path.toString());
		return spec;
	}
}

function ownerOf(prim: Prim, { of, property }: PropertyTarget): Prim | string {
	if (of === 'prim' || prim.typeName === 'Material') return prim;
	const material = boundMaterial(prim, 'physics')?.material;
	return material ?? `no material is bound to <${prim.path}>, whose ${property} could be changed`;
}

const NUMBERS = new Set<unknown>([T.double, T.float, T.half]);
const WHOLES = new Set<unknown>([T.int, T.uint, T.uchar]);
const TEXTS = new Set<unknown>([T.string, T.token]);

/** A value of a type, made of a parameter and, where that changes it, of the value before. */
function typedValue(
	type: typeof T.double,
	apply: 'set' | 'scale' | 'add',
	base: Value | undefined,
	value: ParameterValue,
): Value | string {
	if (TEXTS.has(type)) {
		if (apply !== 'set' || typeof value !== 'string') return `holds ${type.name}, expected choices of texts`;
		return makeValue(type as never, value as never) as Value;
	}
	if ((type as unknown) === T.bool) {
		if (apply !== 'set' || typeof value !== 'boolean') return 'holds bool, expected choices of true and false';
		return makeValue(type as never, value as never) as Value;
	}
	if (!NUMBERS.has(type) && !WHOLES.has(type)) return `holds ${type.name}, expected a number, bool, string or token`;
	if (typeof value !== 'number') return `holds ${type.name}, found ${quote(String(value))}`;
	let number: number = value;
	if (apply !== 'set') {
		if (base === undefined) return `has no value that could be ${apply === 'scale' ? 'scaled' : 'added to'}`;
		number = apply === 'scale' ? (base.data as number) * value : (base.data as number) + value;
	}
	if (WHOLES.has(type)) number = Math.round(number);
	if ((type as unknown) === T.float) number = Math.fround(number);
	return makeValue(type, number) as Value;
}
