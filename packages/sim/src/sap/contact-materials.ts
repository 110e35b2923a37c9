import type { Model, ModelBuilder } from '@manyworlds/model';
import type { SettledSapOptions } from './sap-options.ts';

/** Key of the shape attribute with the relaxation time of contact [s]; negative where a shape gives none. @public */
export const SAP_TAU_ATTRIBUTE = 'sap:tau';

/**
 * Declares the attributes that `SolverSap` reads from shapes: `sap:tau`, the relaxation time of contact [s]. Doing so again
 * changes nothing. Shapes then take a value by `attributes: { 'sap:tau': 0.01 }`. @public
 */
export function registerSapAttributes(builder: ModelBuilder): void {
	builder.defineAttribute({ namespace: 'sap', name: 'tau', type: 'f64', frequency: 'shape', default: -1 });
}

/** Contact materials of the shapes of a model, with fallbacks settled; one entry for each shape. */
export class ContactMaterials {
	readonly #model: Model;
	readonly #tau: Float64Array | undefined;
	readonly #fallbackTau: number;
	readonly #fallbackMu: number;
	readonly #fallbackStiffness: number;
	/** Results of {@link combine}. */
	mu = 0;
	stiffness = 0;
	tau = 0;
	/** Share of the second shape in the stiffness: where between the surfaces a contact acts. */
	share = 0.5;

	constructor(model: Model, options: SettledSapOptions) {
		this.#model = model;
		this.#tau = model.attributes.has(SAP_TAU_ATTRIBUTE)
			? (model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array)
			: undefined;
		this.#fallbackTau = options.contactTauD ?? this.#tau?.find((tau) => tau >= 0) ?? 0;
		let least = Number.POSITIVE_INFINITY;
		for (const mu of model.shapeMaterialMu) if (mu > 0 && mu < least) least = mu;
		this.#fallbackMu = options.fallbackMu ?? (least < Number.POSITIVE_INFINITY ? least : 0.1);
		this.#fallbackStiffness = options.fallbackStiffness;
	}

	/** Values of a pair: stiffness in series, relaxation times added, friction by the harmonic mean. */
	combine(shape0: number, shape1: number): void {
		const k0 = this.#stiffnessOf(shape0);
		const k1 = this.#stiffnessOf(shape1);
		const mu0 = this.#muOf(shape0);
		const mu1 = this.#muOf(shape1);
		this.stiffness = (k0 * k1) / (k0 + k1);
		this.share = k1 / (k0 + k1);
		this.tau = this.#tauOf(shape0) + this.#tauOf(shape1);
		this.mu = mu0 + mu1 > 1e-12 ? (2 * mu0 * mu1) / (mu0 + mu1) : 0;
	}

	#stiffnessOf(shape: number): number {
		const k = shape < 0 ? 0 : this.#model.shapeMaterialKe[shape]!;
		return k > 0 && k < Number.POSITIVE_INFINITY ? k : this.#fallbackStiffness;
	}

	#muOf(shape: number): number {
		return shape < 0 ? this.#fallbackMu : this.#model.shapeMaterialMu[shape]!;
	}

	#tauOf(shape: number): number {
		const tau = shape < 0 || this.#tau === undefined ? this.#fallbackTau : this.#tau[shape]!;
		return tau >= 0 && tau < Number.POSITIVE_INFINITY ? tau : this.#fallbackTau;
	}
}
