import { quote } from '@manyworlds/core';
import { Path, type Prim, type Value } from '@manyworlds/usd';
import { valuesEqual } from '@manyworlds/usd/internal';
import { numberOf } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import { shown } from '../context/shown.ts';
import type { Reporter } from '../reporter.ts';
import { scaleOfOps } from './transform-stacks.ts';

const METRICS = ['metersPerUnit', 'kilogramsPerUnit', 'timeCodesPerSecond', 'upAxis'] as const;

/** REP 1.1.4: nothing converts units while the stage is composed. */
export function checkUnits(context: CheckContext, report: Reporter): void {
	checkLayerMetrics(context, report);
	for (const prim of context.lists.all) {
		const order = context.xformOrder(prim);
		if (order.length === 0) continue;
		const resolving = order.find((name) => name.endsWith(':unitsResolve'));
		if (resolving !== undefined) {
			const name = resolving.replace(/^!invert!/, '');
			const message = `${quote(name)} converts units when the stage is composed, expected units baked into the data`;
			report.add(context.at(prim.attribute(name)), message);
			continue;
		}
		checkArcScale(context, report, prim);
	}
}

/** USD converts nothing between layers, so layers that declare other metrics mean one thing and compose to another (C18). */
function checkLayerMetrics(context: CheckContext, report: Reporter): void {
	const { rootLayer } = context;
	for (const metric of METRICS) {
		const expected = rootLayer.data.field(Path.root, metric);
		if (expected === undefined) continue;
		for (const layer of context.newLayers) {
			const found = layer.data.field(Path.root, metric);
			if (found === undefined || isSame(found, expected)) continue;
			const message =
				`the layer declares ${metric} ${text(found)}, the root layer ${text(expected)}: ` +
				`the stage reads its data as ${text(expected)}, its author may have meant ${text(found)}`;
			report.add(context.atSpec(layer, Path.root, metric), message);
		}
	}
}

function checkArcScale(context: CheckContext, report: Reporter, prim: Prim): void {
	const scale = scaleOfOps(context, prim);
	if (scale === undefined || !isUniform(scale.factors)) return;
	const unit = unitOf(Math.abs(scale.factors[0]!));
	// shapes without points take their size from their scale
	if (unit === undefined || !holdsArc(prim) || (prim.isA('Gprim') && !prim.isA('PointBased'))) return;
	const message = `the prim scales what its arc brings by ${shown(scale.factors[0]!)} (${unit}), expected data in metres`;
	report.add(context.at(prim.attribute(scale.name)), message, { severity: 'warning' });
}

/** Whether a prim has a reference or payload of its own. */
export function holdsArc(prim: Prim): boolean {
	return prim
		.specs()
		.some(({ layer, path }) => layer.data.field(path, 'references') ?? layer.data.field(path, 'payload'));
}

export function isUniform([x, y, z]: Float64Array): boolean {
	return Math.abs(x! - y!) <= 1e-9 * Math.abs(x!) && Math.abs(x! - z!) <= 1e-9 * Math.abs(x!);
}

/** What unit a factor converts from or to metres. */
export function unitOf(factor: number): string | undefined {
	for (const [unit, metres] of LENGTHS) {
		if (isNear(factor, metres) || isNear(factor, 1 / metres)) return unit;
	}
	return undefined;
}

const LENGTHS: readonly (readonly [string, number])[] = [
	['millimetres', 0.001],
	['centimetres', 0.01],
	['decimetres', 0.1],
	['micrometres', 1e-6],
	['inches', 0.0254],
	['feet', 0.3048],
];

function isNear(a: number, b: number): boolean {
	return Math.abs(a - b) <= 1e-5 * b;
}

function isSame(a: Value, b: Value): boolean {
	const x = numberOf(a);
	const y = numberOf(b);
	return x !== undefined && y !== undefined ? x === y : valuesEqual(a, b);
}

function text(value: Value): string {
	return typeof value.data === 'string' ? quote(value.data) : String(value.data);
}
