import { type Layer, makeValue, Path, type Prim, type Spline, T, type Value } from '@manyworlds/usd';
import { dataOf, valuesEqual } from '@manyworlds/usd/internal';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { Proposals } from '../engine/proposals.ts';
import { definingSite } from '../engine/sites.ts';
import { type AttributeSpec, mapNumbers, mapValues, type SpecOwners, specOwners } from '../engine/spec-values.ts';
import { SIZES, unitPowers } from './f05/unit-powers.ts';

/** F5, the safe part: kilogramsPerUnit is 1 unless somebody says otherwise, so saying it changes nothing. */
export const MASS_UNIT: Fixer = {
	family: 'F5',
	title: 'kilogramsPerUnit said where it is 1 anyway',
	rules: ['R1.1.2'],
	safety: 'safe',
	apply(session) {
		const { rootLayer } = session;
		if (rootLayer.field(Path.root, 'kilogramsPerUnit') !== undefined) return;
		session.edit('R1.1.2', rootLayer, (layer) => layer.setField(Path.root, 'kilogramsPerUnit', double(1)));
	},
};

/** F5: every quantity in metres and kilograms. */
export const UNITS: Fixer = {
	family: 'F5',
	title: 'units baked into metres and kilograms',
	rules: ['R1.1.1', 'R1.1.2', 'R1.1.4'],
	safety: 'unsafe',
	apply(session) {
		const layers = session.layers();
		const declared = session.parameters.units === 'declared';
		const root = metricsOf(session.rootLayer, DEFAULTS);
		const units = new Map(layers.map((layer) => [layer, declared ? metricsOf(layer, root) : root]));
		const isBaked = [...units.values()].every(({ metres, kilograms }) => metres === 1 && kilograms === 1);
		if (!isBaked) {
			const owners = specOwners(session);
			const fallbacks = proposeFallbacks(session, (layer) => units.get(layer) ?? root);
			for (const [layer, metrics] of units) bakeLayer(session, layer, metrics, owners);
			fallbacks.commit();
		}
		for (const layer of layers) sayMetrics(session, layer);
	},
};

interface Metrics {
	readonly metres: number;
	readonly kilograms: number;
}

/** What USD takes units to be when nobody says. */
const DEFAULTS: Metrics = { metres: 0.01, kilograms: 1 };

function metricsOf(layer: Layer, fallback: Metrics): Metrics {
	return {
		metres: dataOf(layer.field(Path.root, 'metersPerUnit'), T.double) ?? fallback.metres,
		kilograms: dataOf(layer.field(Path.root, 'kilogramsPerUnit'), T.double) ?? fallback.kilograms,
	};
}

function sayMetrics(session: FixSession, layer: Layer): void {
	const isRoot = layer === session.rootLayer;
	for (const [field, rule] of [
		['metersPerUnit', 'R1.1.1'],
		['kilogramsPerUnit', 'R1.1.2'],
	] as const) {
		const present = dataOf(layer.field(Path.root, field), T.double);
		if (present === 1 || (present === undefined && !isRoot && field === 'kilogramsPerUnit')) continue;
		session.edit(isRoot ? rule : 'R1.1.4', layer, () => layer.setField(Path.root, field, double(1)));
	}
}

/** Lengths that schemas give when nobody authors them: they are in units of the stage too. */
const FALLBACK_LENGTHS: readonly string[] = [
	...SIZES,
	'focalLength',
	'horizontalAperture',
	'verticalAperture',
	'clippingRange',
	'inputs:radius',
	'inputs:width',
	'inputs:height',
	'inputs:length',
];

/** Proposes lengths that are not authored, at their size in metres. */
function proposeFallbacks(session: FixSession, metricsAt: (layer: Layer) => Metrics): Proposals {
	const proposals = new Proposals(session);
	session.forEachSelection((stage) => {
		const roots = [stage.pseudoRoot, ...stage.prototypes()];
		for (const prim of roots.flatMap((root) => [...traverse(root)])) {
			proposals.see(prim);
			for (const name of FALLBACK_LENGTHS) {
				const definition = prim.definition.property(name);
				if (definition?.kind !== 'attribute' || prim.attribute(name).isAuthored) continue;
				const value = prim.attribute(name).get();
				const site = definingSite(session, prim);
				if (value === undefined || site === undefined) continue;
				const { metres } = metricsAt(site.layer);
				const scaled = mapNumbers(value, (x) => x * metres);
				if (valuesEqual(value, scaled)) continue;
				const { typeName, variability } = definition;
				proposals.set(prim, name, { rule: 'R1.1.1', typeName, variability, value: scaled }, site);
			}
		}
	});
	return proposals;
}

function* traverse(root: Prim): Generator<Prim> {
	const stack = root.children().reverse();
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		yield prim;
		if (!prim.isInstance) stack.push(...prim.children().reverse());
	}
}

function bakeLayer(session: FixSession, layer: Layer, metrics: Metrics, owners: SpecOwners): void {
	if (metrics.metres === 1 && metrics.kilograms === 1) return;
	const unknown = new Set<string>();
	const factorOf = (spec: AttributeSpec): number => {
		const powers = unitPowers(spec);
		if (powers === undefined) {
			unknown.add(spec.name);
			return 1;
		}
		return metrics.metres ** powers.length * metrics.kilograms ** powers.mass;
	};
	mapValues(
		session,
		layer === session.rootLayer ? 'R1.1.1' : 'R1.1.4',
		layer,
		owners,
		(value, spec) => {
			if (/^xformOp:transform(?::|$)/.test(spec.name)) return scaleTranslation(value, metrics.metres);
			const factor = factorOf(spec);
			if (factor === 1) return value;
			// infinite limits and the largest float, which marks empty boxes, stay; so does a negative gravity, which stands for earth
			return mapNumbers(value, (x) =>
				Math.abs(x) >= 3.4e38 || (spec.name === 'physics:gravityMagnitude' && x < 0) ? x : x * factor,
			);
		},
		(spline, spec) => scaleSpline(spline, factorOf(spec)),
	);
	if (unknown.size > 0) {
		const names = [...unknown].sort().join(', ');
		session.note('R1.1.1', `units of these attributes are not known and they were left alone: ${names}`, { layer });
	}
}

/** A matrix, or matrices, with the translation multiplied. */
function scaleTranslation(value: Value, factor: number): Value {
	return mapNumbers(value, (x, i) => (i % 16 >= 12 && i % 16 <= 14 ? x * factor : x));
}

/** A spline with its values multiplied. */
export function scaleSpline(spline: Spline, factor: number): Spline {
	if (factor === 1) return spline;
	const tangent = <T extends { readonly slope: number }>(t: T): T => ({ ...t, slope: t.slope * factor });
	return {
		...spline,
		pre: spline.pre.slope === undefined ? spline.pre : { ...spline.pre, slope: spline.pre.slope * factor },
		post: spline.post.slope === undefined ? spline.post : { ...spline.post, slope: spline.post.slope * factor },
		...(spline.loop !== undefined && { loop: { ...spline.loop, valueOffset: spline.loop.valueOffset * factor } }),
		knots: spline.knots.map((knot) => ({
			...knot,
			value: knot.value * factor,
			...(knot.preValue !== undefined && { preValue: knot.preValue * factor }),
			pre: tangent(knot.pre),
			post: tangent(knot.post),
		})),
	};
}

function double(value: number): Value {
	return makeValue(T.double, value) as Value;
}
