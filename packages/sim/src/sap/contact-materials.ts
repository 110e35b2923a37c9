import type { Model, ModelBuilder } from '@manyworlds/model';
import type { SapSettings } from './sap-options.ts';

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
	/** Longest relaxation time of a shape [s]. */
	readonly longestTau: number;
	/** Largest friction of a shape. */
	readonly largestMu: number;
	/** Results of {@link combine}. */
	mu = 0;
	stiffness = 0;
	tau = 0;
	/** Share of the second shape in the stiffness: where between the surfaces a contact acts. */
	share = 0.5;

	constructor(model: Model, options: SapSettings) {
		this.#model = model;
		this.#tau = model.attributes.has(SAP_TAU_ATTRIBUTE)
			? (model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array)
			: undefined;
		this.#fallbackTau = options.contactTauD ?? this.#tau?.find((tau) => tau >= 0) ?? 0;
		let longest = this.#fallbackTau;
		for (const tau of this.#tau ?? []) if (tau > longest && tau < Number.POSITIVE_INFINITY) longest = tau;
		this.longestTau = longest;
		let least = Number.POSITIVE_INFINITY;
		let largest = 0;
		for (const mu of model.shapeMaterialMu) {
			if (mu > 0 && mu < least) least = mu;
			if (mu > largest && mu < Number.POSITIVE_INFINITY) largest = mu;
		}
		this.#fallbackMu = options.fallbackMu ?? (least < Number.POSITIVE_INFINITY ? least : 0.1);
		this.largestMu = Math.max(largest, this.#fallbackMu);
		this.#fallbackStiffness = options.fallbackStiffness;
	}

	/** Values of a pair: stiffness in series, relaxation times added, friction by the harmonic mean. */
	combine(shape0: number, shape1: number): void {
		this.#read(shape0);
		const k0 = this.stiffness;
		const mu0 = this.mu;
		const tau0 = this.tau;
		this.#read(shape1);
		const k1 = this.stiffness;
		const mu1 = this.mu;
		this.stiffness = (k0 * k1) / (k0 + k1);
		this.share = k1 / (k0 + k1);
		this.tau += tau0;
		this.mu = mu0 + mu1 > 1e-12 ? (2 * mu0 * mu1) / (mu0 + mu1) : 0;
	}

	/** Takes the values of one shape, which travel in the fields: numbers that calls give back are boxed. */
	#read(shape: number): void {
		this.stiffness = this.#fallbackStiffness;
		this.mu = this.#fallbackMu;
		this.tau = this.#fallbackTau;
		if (shape < 0) return;
		const model = this.#model;
		const k = model.shapeMaterialKe[shape]!;
		if (k > 0 && k < Number.POSITIVE_INFINITY) this.stiffness = k;
		this.mu = model.shapeMaterialMu[shape]!;
		if (this.#tau === undefined) return;
		const tau = this.#tau[shape]!;
		if (tau >= 0 && tau < Number.POSITIVE_INFINITY) this.tau = tau;
	}
}
