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

/** Numbers of the material of a pair. The share of the second shape in the stiffness is where between the surfaces a contact acts. */
export const MaterialPart = { MU: 0, STIFFNESS: 1, TAU: 2, SHARE: 3, COUNT: 4 } as const;

/** Contact materials of the shapes of a model, with fallbacks settled; one entry for each shape. */
export class ContactMaterials {
	readonly #model: Model;
	/** Relaxation times by shape, where the model has them [s]. */
	readonly taus: Float64Array | undefined;
	/** What shapes have that leave something out, see {@link MaterialPart}; fields that hold numbers are boxed where they are read. */
	readonly fallback: Float64Array = new Float64Array(MaterialPart.COUNT);
	/** Longest relaxation time of a shape [s]. */
	readonly longestTau: number;
	/** Largest friction of a shape. */
	readonly largestMu: number;
	constructor(model: Model, options: SapSettings) {
		this.#model = model;
		this.taus = model.attributes.has(SAP_TAU_ATTRIBUTE)
			? (model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array)
			: undefined;
		const fallbackTau = options.contactTauD ?? this.taus?.find((tau) => tau >= 0) ?? 0;
		let longest = fallbackTau;
		for (const tau of this.taus ?? []) if (tau > longest && tau < Number.POSITIVE_INFINITY) longest = tau;
		this.longestTau = longest;
		let least = Number.POSITIVE_INFINITY;
		let largest = 0;
		for (const mu of model.shapeMaterialMu) {
			if (mu > 0 && mu < least) least = mu;
			if (mu > largest && mu < Number.POSITIVE_INFINITY) largest = mu;
		}
		const fallbackMu = options.fallbackMu ?? (least < Number.POSITIVE_INFINITY ? least : 0.1);
		this.largestMu = Math.max(largest, fallbackMu);
		this.fallback[MaterialPart.MU] = fallbackMu;
		this.fallback[MaterialPart.STIFFNESS] = options.fallbackStiffness;
		this.fallback[MaterialPart.TAU] = fallbackTau;
	}

	/**
	 * Writes the values of a pair to `out`, see {@link MaterialPart}: stiffness in series, relaxation times added, friction by the harmonic
	 * mean. Numbers that calls give back are boxed, so all is settled in place.
	 */
	combine(shape0: number, shape1: number, out: Float64Array, at: number): void {
		const { shapeMaterialKe, shapeMaterialMu } = this.#model;
		const taus = this.taus;
		const fallback = this.fallback;
		let k0 = fallback[MaterialPart.STIFFNESS]!;
		let k1 = k0;
		let mu0 = fallback[MaterialPart.MU]!;
		let mu1 = mu0;
		let tau0 = fallback[MaterialPart.TAU]!;
		let tau1 = tau0;
		if (shape0 >= 0) {
			const k = shapeMaterialKe[shape0]!;
			if (k > 0 && k < Number.POSITIVE_INFINITY) k0 = k;
			mu0 = shapeMaterialMu[shape0]!;
			const tau = taus === undefined ? -1 : taus[shape0]!;
			if (tau >= 0 && tau < Number.POSITIVE_INFINITY) tau0 = tau;
		}
		if (shape1 >= 0) {
			const k = shapeMaterialKe[shape1]!;
			if (k > 0 && k < Number.POSITIVE_INFINITY) k1 = k;
			mu1 = shapeMaterialMu[shape1]!;
			const tau = taus === undefined ? -1 : taus[shape1]!;
			if (tau >= 0 && tau < Number.POSITIVE_INFINITY) tau1 = tau;
		}
		out[at + MaterialPart.MU] = mu0 + mu1 > 1e-12 ? (2 * mu0 * mu1) / (mu0 + mu1) : 0;
		out[at + MaterialPart.STIFFNESS] = (k0 * k1) / (k0 + k1);
		out[at + MaterialPart.TAU] = tau1 + tau0;
		out[at + MaterialPart.SHARE] = k1 / (k0 + k1);
	}
}
