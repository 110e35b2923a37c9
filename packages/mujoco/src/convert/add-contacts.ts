import { createDiagnostic } from '../diagnostics.ts';
import type { Conversion } from './conversion.ts';
import { isInTemplate, type ShapePlan } from './shape-plan.ts';
import { about, rowSubject, standFor } from './subject.ts';
import { copiedAttributes } from './value-table.ts';

/** Adds excluded pairs of bodies, then explicit contact pairs. */
export function addContacts(conversion: Conversion, shapes: ShapePlan): void {
	const { attributes, template, options } = conversion;
	const section = conversion.sections.contact;
	for (const [a, b] of shapes.excludes) {
		section.add('exclude', { body1: conversion.bodyNames.get(a), body2: conversion.bodyNames.get(b) });
	}
	for (let row = 0; row < attributes.count('pair'); row++) {
		if (!isInTemplate(template, attributes.number('pair_world', row))) continue;
		const first = attributes.number('pair_geom1', row) ?? -1;
		const second = attributes.number('pair_geom2', row) ?? -1;
		const geom1 = conversion.geomNames.get(first);
		const geom2 = conversion.geomNames.get(second);
		if (geom1 === undefined || geom2 === undefined) {
			conversion.report.add(
				createDiagnostic(
					'MJC013',
					`contact pair ${row} is left out: shape ${geom1 === undefined ? first : second} was not converted`,
					about(rowSubject('pair', row, undefined)),
				),
			);
			continue;
		}
		const margin = attributes.number('pair_margin', row) ?? 0;
		if (shapes.zeroMargins && options.useMujocoContacts && margin > 0) {
			conversion.report.add(createDiagnostic('MJC017', `margin ${margin} m of contact pair ${row} is not forwarded`));
		}
		conversion.pairRows.push(row);
		standFor(
			conversion,
			section.add('pair', {
				geom1,
				geom2,
				margin: shapes.zeroMargins ? 0 : margin,
				...copiedAttributes(conversion, 'pair', row),
			}),
			rowSubject('pair', row, undefined),
		);
	}
}
