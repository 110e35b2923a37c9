import { ArcType } from '../pcp/arc-type.ts';
import type { Node } from '../pcp/node.ts';
import type { PrimIndex, SpecSite } from '../pcp/prim-index.ts';
import type { PrimDefinition } from '../schemas/prim-definition.ts';
import type { SchemaRegistry } from '../schemas/schema-registry.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf, IDENTITY_OFFSET } from '../sdf/value.ts';
import { type Specifier, T } from '../sdf/value-type.ts';
import type { ClipSet } from './clips/clip-set.ts';
import { applyListItems, composeListItems } from './metadata.ts';
import type { Prototype } from './prototype.ts';

/** What is known about a prim without asking its layers, as bits. */
export const PrimFlags = {
	active: 1,
	loaded: 2,
	model: 4,
	group: 8,
	abstract: 16,
	defined: 32,
	definingSpecifier: 64,
	payload: 128,
	instance: 256,
	inPrototype: 512,
	prototype: 1024,
	dead: 2048,
	mayHaveClips: 4096,
} as const;

/** A composed prim. Handles (`Prim`) point at it; prims of a prototype are shared by all its instances. */
export class PrimData {
	/** Path on the stage; `/__Prototype_1/...` in a prototype. */
	readonly path: Path;
	/** What composes it; in a prototype the index of one of the instances. */
	readonly index: PrimIndex;
	readonly parent: PrimData | null;
	flags = 0;
	children: PrimData[] = NO_CHILDREN;
	/** The prototype of an instance. */
	prototype: Prototype | undefined = undefined;
	/** Value clips that apply to the prim, its own first. */
	clips: readonly ClipSet[] | undefined = undefined;
	#specs: readonly SpecSite[] | undefined = undefined;
	#typeName: string | undefined = undefined;
	#definition: PrimDefinition | undefined = undefined;
	/** Null for a prim to which no layer applies any. */
	#authoredSchemas: readonly string[] | null | undefined = undefined;

	constructor(path: Path, index: PrimIndex, parent: PrimData | null) {
		this.path = path;
		this.index = index;
		this.parent = parent;
	}

	has(flag: number): boolean {
		return (this.flags & flag) !== 0;
	}

	get isPseudoRoot(): boolean {
		return this.parent === null && !this.has(PrimFlags.prototype);
	}

	/** The specs of the prim, strongest first. The root of a prototype has none: each instance has its own. */
	get specs(): readonly SpecSite[] {
		this.#specs ??= this.has(PrimFlags.prototype) ? NO_SPECS : settled(this.index.primStack());
		return this.#specs;
	}

	/** The strongest type name that is not empty. */
	get typeName(): string {
		if (this.#typeName === undefined) {
			this.#typeName = '';
			for (const { layer, path } of this.specs) {
				const name = dataOf(layer.data.field(path, 'typeName'), T.token);
				if (name === undefined || name === '' || name === ANY_TYPE) continue;
				this.#typeName = name;
				break;
			}
		}
		return this.#typeName;
	}

	definition(schemas: SchemaRegistry): PrimDefinition {
		this.#definition ??= schemas.primDefinition(
			this.typeName,
			applyListItems(this.specs, 'apiSchemas', T.tokenListOp) ?? [],
		);
		return this.#definition;
	}

	/** API schemas that layers apply, known or not; undefined without an opinion. */
	get authoredSchemas(): readonly string[] | undefined {
		if (this.#authoredSchemas === undefined)
			this.#authoredSchemas = composeListItems(this.specs, 'apiSchemas', T.tokenListOp) ?? null;
		return this.#authoredSchemas ?? undefined;
	}

	get specifier(): Specifier {
		return this.isPseudoRoot || this.has(PrimFlags.prototype) ? 'def' : composeSpecifier(this.specs);
	}

	get kind(): string | undefined {
		return strongest(this.specs, 'kind');
	}

	/** Forgets what it read from its layers; its place in the namespace stays. */
	forget(): void {
		this.#specs = undefined;
		this.#typeName = undefined;
		this.#definition = undefined;
		this.#authoredSchemas = undefined;
	}
}

/** The composed prim of a path that sets its flags from its specs and its parent. */
export function composeFlags(data: PrimData, parent: PrimData, isPayloadLoaded: boolean): void {
	const { index, specs } = data;
	const active = isActive(specs);
	let flags = parent.flags & (PrimFlags.inPrototype | PrimFlags.abstract | PrimFlags.mayHaveClips);
	if (parent.has(PrimFlags.prototype)) flags |= PrimFlags.inPrototype;
	if (index.hasPayloads) flags |= PrimFlags.payload;
	if (active) {
		flags |= PrimFlags.active;
		if (index.hasPayloads ? isPayloadLoaded : parent.has(PrimFlags.loaded)) flags |= PrimFlags.loaded;
		if (index.isInstance) flags |= PrimFlags.instance;
	}
	if (parent.has(PrimFlags.group)) {
		const { kind } = data;
		if (kind !== undefined) {
			if (GROUPS.has(kind)) flags |= PrimFlags.group | PrimFlags.model;
			else if (MODELS.has(kind)) flags |= PrimFlags.model;
		}
	}
	const specifier = composeSpecifier(specs);
	if (specifier === 'class') flags |= PrimFlags.abstract;
	if (specifier !== 'over') {
		flags |= PrimFlags.definingSpecifier;
		if (parent.has(PrimFlags.defined)) flags |= PrimFlags.defined;
	}
	data.flags = flags;
}

/** Flags of the pseudo-root. */
export const ROOT_FLAGS: number =
	PrimFlags.active |
	PrimFlags.loaded |
	PrimFlags.model |
	PrimFlags.group |
	PrimFlags.defined |
	PrimFlags.definingSpecifier;

/** Kinds whose children may be models. */
const GROUPS: ReadonlySet<string> = new Set(['group', 'assembly']);
const MODELS: ReadonlySet<string> = new Set(['model', 'component']);
/** A type name that stands for none. */
const ANY_TYPE = '__AnyType__';

function strongest(specs: readonly SpecSite[], field: string): string | undefined {
	for (const { layer, path } of specs) {
		const value = dataOf(layer.data.field(path, field), T.token);
		if (value !== undefined) return value;
	}
	return undefined;
}

/** Whether the strongest opinion about it leaves a prim active. */
export function isActive(specs: readonly SpecSite[]): boolean {
	for (let i = 0; i < specs.length; i++) {
		const { layer, path } = specs[i]!;
		const value = dataOf(layer.data.field(path, 'active'), T.bool);
		if (value !== undefined) return value;
	}
	return true;
}

/** A defining specifier beats `over`, and `class` from an inherit of the prim itself is the weakest of the defining ones. */
function composeSpecifier(specs: readonly SpecSite[]): Specifier {
	let result: Specifier = 'over';
	for (let i = 0; i < specs.length; i++) {
		const { layer, path, node } = specs[i]!;
		const specifier = dataOf(layer.data.field(path, 'specifier'), T.specifier);
		if (specifier === undefined || specifier === 'over') continue;
		if (specifier === 'def' || !isFromOwnInherit(node)) return specifier;
		result = 'class';
	}
	return result;
}

function isFromOwnInherit(start: Node): boolean {
	for (let node: Node | null = start; node !== null; node = node.parent) {
		if (node.arcType === ArcType.inherit && !node.isDueToAncestor) return true;
	}
	return false;
}

/** Offsets as close to none as this are none, as in OpenUSD: they come from rounding. */
const CLOSE = 1e-6;

/** The specs with offsets that are none but for rounding taken out. */
function settled(specs: SpecSite[]): SpecSite[] {
	for (let i = 0; i < specs.length; i++) {
		const { offset } = specs[i]!;
		const isRough = offset !== IDENTITY_OFFSET && Math.abs(offset.offset) < CLOSE && Math.abs(offset.scale - 1) < CLOSE;
		if (isRough) specs[i] = { ...specs[i]!, offset: IDENTITY_OFFSET };
	}
	return specs;
}

const NO_SPECS: readonly SpecSite[] = [];
const NO_CHILDREN: PrimData[] = [];
