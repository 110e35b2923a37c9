import { quote, type Report } from '@manyworlds/core';
import { type Path, PathKind } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';
import type { Relationship } from '../usd/relationship.ts';
import { type CollectionMembership, collectionMembership } from './collection.ts';
import { geomSubsets } from './geom-subset.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

/** What a prim is bound to. */
export interface BoundMaterial {
	readonly material: Prim;
	/** The relationship that won. */
	readonly binding: Relationship;
}

/** A material bound to a part of a prim. */
export interface BoundSubset {
	readonly subset: Prim;
	readonly indices: Int32Array;
	readonly bound: BoundMaterial | undefined;
}

const BINDING = 'material:binding';
const COLLECTION = `${BINDING}:collection`;
/** The purpose of bindings that serve any purpose without one of its own. */
const ALL_PURPOSE = '';

interface DirectBinding {
	readonly relationship: Relationship;
	readonly material: Path;
	readonly isStronger: boolean;
}

interface CollectionBinding extends DirectBinding {
	readonly collection: Path;
}

interface PrimBindings {
	readonly direct: DirectBinding | undefined;
	readonly collections: readonly CollectionBinding[];
}

/**
 * Materials that prims are bound to (UsdShade's rules): the nearest binding wins unless one above is
 * `strongerThanDescendants`; on one prim collections win over the direct binding; a purpose without any binding takes
 * that of all purposes. Bindings and collections are read once: `clear` it after edits,
 * or see `followStage`.
 */
export class MaterialBindings {
	readonly report: Report | undefined;
	readonly #bindings = new Map<string, Map<Path, PrimBindings>>();
	readonly #memberships = new Map<Path, CollectionMembership | undefined>();

	constructor(options: ViewOptions = {}) {
		this.report = options.report;
	}

	/** Forgets everything. */
	clear(): void {
		this.#bindings.clear();
		this.#memberships.clear();
	}

	/** The material of a prim for a purpose: `''` for all, `preview`, `full`, `physics` or another. */
	boundMaterial(prim: Prim, purpose: string = ALL_PURPOSE): BoundMaterial | undefined {
		const { report } = this;
		for (const at of purpose === ALL_PURPOSE ? [ALL_PURPOSE] : [purpose, ALL_PURPOSE]) {
			const winner = this.#winner(prim, at);
			if (winner === undefined) continue;
			const material = prim.stage.prim(winner.material);
			if (material?.isA('Material') === true) return { material, binding: winner.relationship };
			const what = material === undefined ? 'does not exist' : 'is not a material';
			const text = quote(winner.material.toString());
			reportFinding('VIEW003', winner.relationship.prim, `${text} ${what}`, { report }, winner.relationship.path);
			return undefined;
		}
		return undefined;
	}

	/** The materials of the subsets of the family `materialBind`. */
	boundSubsets(prim: Prim, purpose: string = ALL_PURPOSE, time?: number): BoundSubset[] {
		return geomSubsets(prim, { time, familyName: 'materialBind' }).map(({ prim: subset, indices }) => ({
			subset,
			indices,
			bound: this.boundMaterial(subset, purpose),
		}));
	}

	#winner(prim: Prim, purpose: string): DirectBinding | undefined {
		let winner: DirectBinding | undefined;
		for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
			const { direct, collections } = this.#bindingsOf(at, purpose);
			if (direct !== undefined && (winner === undefined || direct.isStronger)) winner = direct;
			for (const binding of collections) {
				if (this.#membership(prim, binding.collection)?.includes(prim.path) !== true) continue;
				if (winner !== undefined && winner.relationship.prim.path !== at.path && !binding.isStronger) continue;
				winner = binding;
				break;
			}
		}
		return winner;
	}

	#bindingsOf(prim: Prim, purpose: string): PrimBindings {
		let known = this.#bindings.get(purpose);
		if (known === undefined) this.#bindings.set(purpose, (known = new Map()));
		let found = known.get(prim.path);
		if (found === undefined) known.set(prim.path, (found = readBindings(prim, purpose)));
		return found;
	}

	#membership(prim: Prim, path: Path): CollectionMembership | undefined {
		if (this.#memberships.has(path)) return this.#memberships.get(path);
		const owner = prim.stage.prim(path.parent!);
		const name = path.name.slice('collection:'.length);
		const membership = owner === undefined ? undefined : collectionMembership(owner, name, { report: this.report });
		this.#memberships.set(path, membership);
		return membership;
	}
}

/** The material of a prim for a purpose; see {@link MaterialBindings} for many prims. */
export function boundMaterial(
	prim: Prim,
	purpose: string = ALL_PURPOSE,
	options: ViewOptions = {},
): BoundMaterial | undefined {
	return new MaterialBindings(options).boundMaterial(prim, purpose);
}

function readBindings(prim: Prim, purpose: string): PrimBindings {
	const names = prim.data.index.propertyNames().some((name) => name.startsWith(BINDING))
		? prim.authoredPropertyNames().filter((name) => name.startsWith(BINDING))
		: [];
	if (names.length === 0) return NO_BINDINGS;
	const directName = purpose === ALL_PURPOSE ? BINDING : `${BINDING}:${purpose}`;
	const direct = names.includes(directName) ? readDirect(prim.relationship(directName)) : undefined;
	const collections: CollectionBinding[] = [];
	const prefix = purpose === ALL_PURPOSE ? `${COLLECTION}:` : `${COLLECTION}:${purpose}:`;
	for (const name of names) {
		if (!name.startsWith(prefix) || name.includes(':', prefix.length)) continue;
		const binding = readCollectionBinding(prim.relationship(name));
		if (binding !== undefined) collections.push(binding);
	}
	return { direct, collections };
}

function readDirect(relationship: Relationship): DirectBinding | undefined {
	const targets = relationship.forwardedTargets();
	const [material] = targets;
	if (targets.length !== 1 || material?.isPrim !== true) return undefined;
	return { relationship, material, isStronger: isStronger(relationship) };
}

/** A collection binding names the collection and the material, in any order. */
function readCollectionBinding(relationship: Relationship): CollectionBinding | undefined {
	const targets = relationship.forwardedTargets();
	if (targets.length !== 2) return undefined;
	const material = targets.find(({ isPrim }) => isPrim);
	const collection = targets.find(({ kind, name }) => kind === PathKind.property && name.startsWith('collection:'));
	if (material === undefined || collection === undefined) return undefined;
	return { relationship, material, collection, isStronger: isStronger(relationship) };
}

function isStronger(relationship: Relationship): boolean {
	return dataOf(relationship.metadata('bindMaterialAs'), T.token) === 'strongerThanDescendants';
}

const NO_BINDINGS: PrimBindings = { direct: undefined, collections: [] };
