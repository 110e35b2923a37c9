import { type Layer, makeValue, type Path, type Prim, T, type Value, type Variability } from '@manyworlds/usd';
import { makeTimeSamples, type SpecSite, valuesEqual } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from './fix-session.ts';
import { isSampled } from './sampled-attributes.ts';
import { definingSite, propertySite } from './sites.ts';

/** What an attribute is to hold. `undefined` as value removes it. */
export interface ProposedValue {
	readonly rule: RepCode;
	readonly typeName: string;
	readonly variability?: Variability;
	readonly value: Value | undefined;
	/** Values by time of the stage, ascending. */
	readonly samples?: readonly (readonly [time: number, value: Value])[];
}

interface Proposal extends ProposedValue {
	readonly layer: Layer;
	/** Path of the attribute in the layer. */
	readonly path: Path;
	/** The prim of the stage it was made for. */
	readonly prim: Path;
	readonly toLayer: (time: number) => number;
}

/**
 * Values for attributes of composed prims, gathered before anything is edited, so that all variant selections and all users of a
 * shared layer are seen as they were. Two users that need different values of one spec get their own opinions in the root layer.
 */
export class Proposals {
	readonly #session: FixSession;
	readonly #bySpec = new Map<string, Proposal[]>();
	/** Prims of the stage that read a prim spec. */
	readonly #users = new Map<string, Set<Path>>();
	/** Numbers of layers, for keys. */
	readonly #layers = new Map<Layer, number>();

	constructor(session: FixSession) {
		this.#session = session;
	}

	/** Proposes a value of an attribute: where it is authored, else at `site`, else where the prim is defined. */
	set(prim: Prim, name: string, proposed: ProposedValue, site?: SpecSite): void {
		const at = propertySite(this.#session, prim, name) ?? site ?? definingSite(this.#session, prim);
		if (at === undefined) {
			this.#session.refuse(proposed.rule, `no layer that may be edited has an opinion about <${prim.path}>`, { prim });
			return;
		}
		if (proposed.value !== undefined && proposed.samples === undefined && isSampled(prim, name)) {
			this.#session.refuse(proposed.rule, `${name} changes over time`, { prim, layer: at.layer });
			return;
		}
		this.#add(at, at.path.appendProperty(name), prim, proposed);
	}

	/** Proposes to remove an attribute from every layer that has it. */
	remove(prim: Prim, name: string, rule: RepCode): void {
		for (const site of prim.specs()) {
			const path = site.path.appendProperty(name);
			if (!site.layer.has(path) || !this.#session.isEditable(site.layer)) continue;
			this.#add(site, path, prim, { rule, typeName: '', value: undefined });
		}
	}

	/** Notes that a prim of the stage reads its specs, whether anything is proposed for it or not. */
	see(prim: Prim): void {
		for (const { layer, path } of prim.specs()) {
			const key = this.#key(layer, path);
			const users = this.#users.get(key);
			if (users === undefined) this.#users.set(key, new Set([prim.path]));
			else users.add(prim.path);
		}
	}

	/** Makes the edits. */
	commit(): void {
		const session = this.#session;
		const apart = this.#usersApart();
		const byLayer = new Map<Layer, Proposal[]>();
		for (const proposals of this.#bySpec.values()) {
			for (const first of firstOfEachPrim(proposals)) {
				if (proposals.some((other) => other.prim === first.prim && !isSame(first, other))) {
					const message = `variants need different values of <${first.path}>, which they share`;
					session.refuse(first.rule, message, { prim: first.prim, layer: first.layer });
					continue;
				}
				const proposal = apart.has(first.prim) ? this.#atUser(first) : first;
				if (proposal === undefined) continue;
				const list = byLayer.get(proposal.layer);
				if (list === undefined) byLayer.set(proposal.layer, [proposal]);
				else list.push(proposal);
			}
		}
		for (const [layer, proposals] of byLayer) {
			const rules = new Set(proposals.map(({ rule }) => rule));
			for (const rule of rules) {
				session.edit(rule, layer, () => {
					for (const proposal of proposals) if (proposal.rule === rule) write(layer, proposal);
				});
			}
		}
	}

	/** Prims whose values cannot stand in the specs that they share: another user needs another value, or none. */
	#usersApart(): Set<Path> {
		const apart = new Set<Path>();
		for (const proposals of this.#bySpec.values()) {
			const { layer, path } = proposals[0]!;
			const users = this.#users.get(this.#key(layer, path.parent!)) ?? new Set<Path>();
			const proposers = new Set(proposals.map(({ prim }) => prim));
			const isMissing = [...users].some((user) => !proposers.has(user));
			const differs = proposals.some((other) => other.prim !== proposals[0]!.prim && !isSame(proposals[0]!, other));
			if (isMissing || differs) for (const prim of proposers) apart.add(prim);
		}
		return apart;
	}

	/** The opinion of one user of a shared spec, in the root layer at the path of the stage. */
	#atUser(proposal: Proposal): Proposal | undefined {
		// what others still need cannot be removed; it does nothing once no order lists it
		if (proposal.value === undefined && proposal.samples === undefined) return undefined;
		if (/^\/__Prototype_/.test(proposal.prim.toString())) {
			const message = `<${proposal.path.parent}> is shared by instances that need different values`;
			this.#session.refuse(proposal.rule, message, { layer: proposal.layer });
			return undefined;
		}
		const path = proposal.prim.appendProperty(proposal.path.name);
		return { ...proposal, layer: this.#session.rootLayer, path, toLayer: (time) => time };
	}

	#key(layer: Layer, path: Path): string {
		let number = this.#layers.get(layer);
		if (number === undefined) {
			number = this.#layers.size;
			this.#layers.set(layer, number);
		}
		return `${number} ${path}`;
	}

	#add(site: SpecSite, path: Path, prim: Prim, proposed: ProposedValue): void {
		const key = this.#key(site.layer, path);
		const { offset, scale } = site.offset;
		const toLayer = (time: number): number => (time - offset) / scale;
		const proposal = { ...proposed, layer: site.layer, path, prim: prim.path, toLayer };
		const known = this.#bySpec.get(key);
		if (known === undefined) this.#bySpec.set(key, [proposal]);
		else if (!known.some((other) => other.prim === proposal.prim && isSame(other, proposal))) known.push(proposal);
	}
}

function firstOfEachPrim(proposals: readonly Proposal[]): Proposal[] {
	const found = new Map<Path, Proposal>();
	for (const proposal of proposals) if (!found.has(proposal.prim)) found.set(proposal.prim, proposal);
	return [...found.values()];
}

function isSame(a: Proposal, b: Proposal): boolean {
	if ((a.value === undefined) !== (b.value === undefined)) return false;
	if (a.value !== undefined && !valuesEqual(a.value, b.value)) return false;
	const left = a.samples ?? [];
	const right = b.samples ?? [];
	return (
		left.length === right.length && left.every(([time, v], i) => time === right[i]![0] && valuesEqual(v, right[i]![1]))
	);
}

function write(layer: Layer, proposal: Proposal): void {
	const { path, typeName, value, samples } = proposal;
	if (value === undefined && samples === undefined) {
		layer.removeSpec(path);
		return;
	}
	if (!layer.has(path)) layer.createAttribute(path, typeName, { variability: proposal.variability ?? 'varying' });
	else if (layer.field(path, 'typeName')?.data !== typeName) {
		layer.setField(path, 'typeName', makeValue(T.token, typeName) as Value);
	}
	if (value !== undefined) layer.setField(path, 'default', value);
	else layer.eraseField(path, 'default');
	layer.eraseField(path, 'spline');
	if (samples === undefined) {
		layer.eraseField(path, 'timeSamples');
		return;
	}
	const times = Float64Array.from(samples, ([time]) => proposal.toLayer(time));
	const data = makeTimeSamples(
		times,
		samples.map(([, sample]) => sample),
	);
	layer.setField(path, 'timeSamples', makeValue(T.timeSamples, data) as Value);
}
