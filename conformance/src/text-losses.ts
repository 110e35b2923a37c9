import { isObject, type Json, type JsonObject } from './json.ts';
import type { LayerDump, SpecDump } from './layer-dump.ts';

/**
 * A dump without what the text format cannot hold. OpenUSD leaves the same out when it exports a crate as text (checked
 * with 26.11), so a crate that went through text may have lost it:
 * - an empty comment anywhere, empty documentation of a layer;
 * - an empty type name of a prim, and `__AnyType__`, which stands for none;
 * - orders of at most one name, selections of no variant set, list-ops without effect;
 * - the tangent of a spline knot on the side of a segment that is not a curve.
 */
export function withoutTextLosses(dump: LayerDump): LayerDump {
	return { specs: dump.specs.map(reduceSpec) };
}

function reduceSpec(spec: SpecDump): SpecDump {
	const fields: Record<string, Json> = {};
	for (const [name, value] of Object.entries(spec.fields ?? {})) {
		if (isLost(spec.spec, name, value)) continue;
		fields[name] = name === 'spline' && isObject(value) ? reduceSpline(value) : value;
	}
	const { fields: _, ...rest } = spec;
	return Object.keys(fields).length > 0 ? { ...rest, fields } : rest;
}

function isLost(kind: string, name: string, value: Json): boolean {
	switch (name) {
		case 'comment':
			return value === '';
		case 'documentation':
			return value === '' && kind === 'PseudoRoot';
		case 'typeName':
			return kind === 'Prim' && (value === '' || value === '__AnyType__');
		case 'primOrder':
		case 'propertyOrder':
			return Array.isArray(value) && value.length < 2;
		case 'variantSelection':
			return isObject(value) && Object.keys(value).length === 0;
		default:
			return isObject(value) && Object.keys(value).join() === 'list';
	}
}

function reduceSpline(spline: JsonObject): JsonObject {
	const knots = spline['knots'] as readonly JsonObject[];
	let isCurve = true;
	const reduced = knots.map((knot) => {
		const hasPre = isCurve;
		isCurve = knot['interp'] === 'Curve';
		const [pre, post] = (knot['algorithms'] ?? ['None', 'None']) as string[];
		const algorithms = [hasPre ? pre! : 'None', isCurve ? post! : 'None'];
		const { algorithms: _, ...rest } = knot;
		const out: Record<string, Json> = {
			...rest,
			pre: hasPre ? knot['pre']! : null,
			post: isCurve ? knot['post']! : null,
		};
		if (algorithms.join() !== 'None,None') out['algorithms'] = algorithms;
		return out;
	});
	return { ...spline, knots: reduced };
}
