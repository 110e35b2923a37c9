import type { Report } from '@manyworlds/core';
import type { ModelBuilder } from '@manyworlds/model';
import {
	type Path,
	type PhysicsDescription,
	type PhysicsJoint,
	type Prim,
	type Stage,
	XformCache,
} from '@manyworlds/usd';
import { factorMatrix, MaterialBindings, type SourcePlaces } from '@manyworlds/usd/internal';
import { createDiagnostic, type ImportCode } from '../diagnostics.ts';
import { Ledger, type Provenance } from '../ledger.ts';
import type { IMPORT_USD_DEFAULTS, ImportUsdSettings, NewtonFault } from './options.ts';
import { originOf } from './origins.ts';
import { showValue } from './plain-value.ts';
import { identityPose, makePose, type Pose } from './poses.ts';
import type { Resolved, ResolverSet } from './resolvers/resolver-set.ts';
import { attributeNamesOf } from './resolvers/schema-resolver.ts';
import type { UnitScale } from './unit-scale.ts';

/** What a prim became. */
export type PrimRole =
	| 'scene'
	| 'body'
	| 'collider'
	| 'visual'
	| 'site'
	| 'joint'
	| 'material'
	| 'articulation'
	| 'group'
	| 'row';

/** How a value is converted between the asset and the model. */
export interface Conversion {
	readonly from: string;
	readonly to: string;
}

/** An entry of an array whose origin is known; it goes to the ledger of the context that settles it. */
interface Credit {
	readonly array: string;
	readonly index: number;
	/** A resolved value, whose origin is worked out when the credit is settled; else `provenance` is there. */
	readonly resolved: Resolved | undefined;
	readonly conversion: Conversion | undefined;
	readonly provenance: Provenance | undefined;
}

/** What the parts of an import share: the stage and its physics, the builder, what was made so far. */
export class ImportContext {
	readonly stage: Stage;
	readonly builder: ModelBuilder;
	readonly options: ImportUsdSettings & typeof IMPORT_USD_DEFAULTS;
	readonly report: Report;
	readonly ledger: Ledger;
	readonly resolvers: ResolverSet;
	readonly physics: PhysicsDescription;
	readonly units: UnitScale;
	/** Transforms that are known. */
	readonly transforms: XformCache;
	readonly bindings: MaterialBindings;
	readonly places: SourcePlaces | undefined;

	/** From the space of the stage to that of the builder, in units of the stage. */
	incoming: Pose = identityPose();
	/** The turn of the up axis alone. */
	axisPose: Pose = identityPose();
	jointDriveGainsScaling: number;

	readonly bodies: Map<string, number>;
	readonly joints: Map<string, number>;
	readonly shapes: Map<string, number>;
	readonly shapeScales: Map<string, readonly [number, number, number]>;
	/** Place of a joint among the degrees of freedom of the one it was merged into. */
	readonly mergedDofs: Map<string, number>;
	readonly jointsByPath: ReadonlyMap<string, PhysicsJoint>;
	/** Signs of scales in the world, by path. */
	readonly scaleSigns: Map<string, readonly number[]> = new Map();
	/** Bodies with something to see besides colliders. */
	readonly bodiesWithVisuals: Set<number> = new Set();
	readonly roles: Map<string, Set<PrimRole>> = new Map();

	/** Prims that are left out because nothing here imports them. */
	readonly excluded: Set<string>;
	/** Materials that gave shapes their looks. */
	readonly seenMaterials: Set<string> = new Set();
	/** Authored attributes: prim path and name. */
	readonly authored: (readonly [path: string, name: string])[] = [];

	readonly #ignore: readonly RegExp[];
	readonly #ignored = new Map<string, boolean>();
	readonly #faults: ReadonlySet<NewtonFault>;
	readonly #credits: Credit[];
	readonly #bodyPoses: Map<string, { readonly pose: Pose; readonly scale: Float64Array }>;

	/** A copy of what another context has placed so far comes with what that has read. */
	constructor(parts: ContextParts, from?: ImportContext) {
		this.stage = parts.stage;
		this.builder = parts.builder;
		this.options = parts.options;
		this.report = parts.report;
		this.ledger = parts.ledger;
		this.resolvers = parts.resolvers;
		this.physics = parts.physics;
		this.units = parts.units;
		this.transforms = from?.transforms ?? new XformCache({ report: parts.report, known: parts.transforms });
		this.bindings = from?.bindings ?? new MaterialBindings({ report: parts.report });
		this.places = parts.options.places;
		this.jointDriveGainsScaling = parts.options.jointDriveGainsScaling;
		this.jointsByPath =
			from?.jointsByPath ?? new Map(parts.physics.joints.map((joint) => [joint.primPath.toString(), joint]));
		this.#ignore = parts.options.ignorePaths.map(anchored);
		this.#faults = new Set(parts.options.reproduceFaults);
		this.#bodyPoses = from === undefined ? new Map() : from.#bodyPoses;
		this.bodies = new Map(from?.bodies);
		this.joints = new Map(from?.joints);
		this.shapes = new Map(from?.shapes);
		this.shapeScales = new Map(from?.shapeScales);
		this.mergedDofs = new Map(from?.mergedDofs);
		this.excluded = new Set(from?.excluded);
		this.#credits = from === undefined ? [] : [...from.#credits];
		if (from !== undefined) this.incoming = from.incoming;
	}

	/** A context that goes on from here in a copy of the builder. The ledger begins anew. */
	fork(builder: ModelBuilder): ImportContext {
		return new ImportContext({ ...this, builder, ledger: new Ledger() }, this);
	}

	/** Whether a fault of Newton is to be repeated. */
	has(fault: NewtonFault): boolean {
		return this.#faults.has(fault);
	}

	/** Whether a path begins as one of those that are left out. */
	isIgnored(path: string): boolean {
		if (this.excluded.has(path)) return true;
		if (this.#ignore.length === 0) return false;
		let found = this.#ignored.get(path);
		if (found === undefined) {
			found = this.#ignore.some((pattern) => pattern.test(path));
			this.#ignored.set(path, found);
		}
		return found;
	}

	/** Reports something about a prim, or about a property of it. */
	tell(code: ImportCode, prim: Prim, message: string, property?: string): void {
		tellAbout(this.report, this.places, code, prim, message, property);
	}

	/** Notes what a prim became. */
	mark(path: string, role: PrimRole): void {
		const roles = this.roles.get(path);
		if (roles === undefined) this.roles.set(path, new Set([role]));
		else roles.add(role);
	}

	/** Pose of a prim in the space of the stage and the scale that physics takes out of it. */
	factored(prim: Prim): { readonly pose: Pose; readonly scale: Float64Array } {
		const path = prim.path.toString();
		let found = this.#bodyPoses.get(path);
		if (found === undefined) {
			const { translation, rotation, scale } = factorMatrix(this.transforms.worldTransform(prim));
			found = { pose: makePose(translation, rotation), scale };
			this.#bodyPoses.set(path, found);
		}
		return found;
	}

	/** Notes that a resolved value gave an entry of an array; it goes to the ledger when indices are final. */
	credit(resolved: Resolved, array: string, index: number, conversion?: Conversion): void {
		if (!this.options.keepLedger) return;
		this.#credits.push({ array, index, resolved, conversion, provenance: undefined });
	}

	/** Notes where an entry of an array came from; it goes to the ledger when indices are final. */
	give(array: string, index: number, provenance: Provenance): void {
		if (!this.options.keepLedger) return;
		this.#credits.push({ array, index, resolved: undefined, conversion: undefined, provenance });
	}

	/** The same for what one attribute gives, which is looked at only if anybody wants to know. */
	giveOrigin(array: string, index: number, ...origin: Parameters<typeof originOf>): void {
		if (this.options.keepLedger) this.give(array, index, originOf(...origin));
	}

	/** Enters what was noted into the ledger; `place` maps indices to the final ones, undefined for entries that are gone. */
	settleCredits(place: (array: string, index: number) => number | undefined): void {
		for (const { array, index, resolved, conversion, provenance } of this.#credits) {
			const at = place(array, index);
			if (at === undefined) continue;
			if (resolved !== undefined) this.#enter(resolved, array, at, conversion);
			else if (provenance !== undefined) this.ledger.give(array, at, provenance);
		}
		this.#credits.length = 0;
	}

	/** Enters a resolved value into the ledger: what it gave, and why it was this one. */
	#enter(resolved: Resolved, array: string, index: number, conversion: Conversion | undefined): void {
		const { source, resolver, attribute, prim, value } = resolved;
		const target = `${array}[${index}]`;
		const path = prim.path.toString();
		if (source === 'authored') {
			for (const name of attributeNamesOf(attribute!)) {
				const outcome = { target, resolver: resolver!.name };
				if (conversion === undefined && attribute!.transform === undefined && attribute!.read === undefined) {
					this.ledger.use(path, name, outcome);
				} else {
					this.ledger.convert(path, name, { ...outcome, ...(conversion ?? { from: name, to: resolved.key }) });
				}
			}
		}
		this.ledger.give(array, index, this.#provenance(resolved, path, value));
	}

	#provenance({ source, resolver, attribute, key }: Resolved, path: string, value: Resolved['value']): Provenance {
		const shown = showValue(value);
		switch (source) {
			case 'authored':
				return {
					source,
					path,
					name: attribute!.name,
					resolver: resolver!.name,
					value: shown,
					why: `${attribute!.name} is authored and the resolver '${resolver!.name}' is the first that reads ${key} from this prim`,
				};
			case 'schema default':
				return {
					source,
					path,
					name: attribute!.name,
					resolver: resolver!.name,
					value: shown,
					why: `nothing is authored and the importer has no default of its own; the schema of ${attribute!.name} says ${shown}`,
				};
			default:
				return {
					source: 'importer default',
					path,
					value: shown,
					why: `no resolver finds ${key} authored on this prim`,
				};
		}
	}
}

/** What a context is made of. */
type ContextParts = Pick<
	ImportContext,
	'stage' | 'builder' | 'options' | 'report' | 'ledger' | 'resolvers' | 'physics' | 'units' | 'transforms'
>;

/** Reports something about a prim, at the line of the property or of the prim where that is known. */
export function tellAbout(
	report: Report,
	places: SourcePlaces | undefined,
	code: ImportCode,
	prim: Prim,
	message: string,
	property?: string,
): void {
	const spec = property === undefined ? prim.specs()[0] : prim.attribute(property).specs()[0];
	const site = spec ?? prim.specs()[0];
	const at: Path = property === undefined ? prim.path : prim.path.appendProperty(property);
	const place = site === undefined ? {} : (places?.spec(site.layer, site.path) ?? { file: site.layer.identifier });
	report.add(createDiagnostic(code, message, { prim: at.toString(), ...place }));
}

/** A pattern that counts from the beginning of a path only. */
function anchored(pattern: string | RegExp): RegExp {
	const [source, flags] =
		typeof pattern === 'string' ? [pattern, ''] : [pattern.source, pattern.flags.replace(/[gy]/g, '')];
	return new RegExp(`^(?:${source})`, flags);
}
