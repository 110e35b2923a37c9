import { SHAPE_CONFIG_DEFAULTS } from '@manyworlds/model';
import { type Path, T } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ContactMaterial, SourceFormat } from '../model/conversion-model.ts';
import type { LayerBuilder } from './layer-builder.ts';
import { SCOPES } from './stage-layout.ts';

/** How surfaces rub and bounce: one material for each (REP 1.3.4). */
export class PhysicsMaterials {
	readonly #physics: LayerBuilder;
	readonly #scope: Path;
	readonly #format: SourceFormat;
	readonly #ledger: ConversionLedger;
	readonly #known = new Map<string, Path>();

	constructor(physics: LayerBuilder, root: Path, format: SourceFormat, ledger: ConversionLedger) {
		this.#physics = physics;
		this.#scope = root.appendChild(SCOPES.surfaces);
		this.#format = format;
		this.#ledger = ledger;
	}

	/** The material of a collider; the usual one where the source says nothing. */
	pathOf(contact: ContactMaterial | undefined, collider: number): Path {
		if (contact === undefined) {
			const message = `${this.#format.toUpperCase()} says nothing of friction; ${USUAL.staticFriction} is written`;
			this.#ledger.approximate('collider', collider, 'friction', message);
		}
		const { staticFriction, dynamicFriction, restitution } = contact ?? USUAL;
		const values = [staticFriction, Math.min(dynamicFriction, staticFriction), Math.min(1, Math.max(0, restitution))];
		const key = values.join(' ');
		let path = this.#known.get(key);
		if (path === undefined) {
			path = this.#scope.appendChild(`surface_${this.#known.size}`);
			this.#known.set(key, path);
			this.#write(path, values);
		}
		return path;
	}

	#write(path: Path, [still, moving, bounce]: readonly number[]): void {
		const physics = this.#physics;
		if (!physics.layer.has(this.#scope)) physics.define(this.#scope, 'Scope');
		physics.define(path, 'Material');
		physics.apply(path, ['PhysicsMaterialAPI']);
		physics.attribute(path, 'physics:dynamicFriction', T.float, Math.fround(moving!));
		physics.attribute(path, 'physics:restitution', T.float, Math.fround(bounce!));
		physics.attribute(path, 'physics:staticFriction', T.float, Math.fround(still!));
	}
}

/** What importers take where a file says nothing, so that a robot rubs as before. */
const USUAL: ContactMaterial = {
	staticFriction: SHAPE_CONFIG_DEFAULTS.mu,
	dynamicFriction: SHAPE_CONFIG_DEFAULTS.mu,
	restitution: SHAPE_CONFIG_DEFAULTS.restitution,
};
