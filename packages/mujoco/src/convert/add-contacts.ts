import { createDiagnostic } from '../diagnostics.ts';
import type { Conversion } from './conversion.ts';
import { isInTemplate, type ShapePlan } from './shape-plan.ts';
import { about, rowSubject, standFor } from './subject.ts';
import { copiedAttributes } from './value-table.ts';

/** Adds excluded pairs of bodies, then explicit contact pairs. */
export function addContacts(conversion: Conversion, shapes: ShapePlan): void {
	const { attributes, options } = conversion;
	const section = conversion.sections.contact;
	for (const [a, b] of shapes.excludes) {
		const [body1, body2] = [conversion.bodyNames.get(a), conversion.bodyNames.get(b)];
		// bodies that are folded into others have no shapes
		if (body1 !== undefined && body2 !== undefined) section.add('exclude', { body1, body2 });
	}
	for (const row of pairRows(conversion)) {
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
				...attributes.written('pair', row),
			}),
			rowSubject('pair', row, undefined),
		);
	}
}

/** Rows of the compiled world in the order in which MuJoCo numbers pairs: by the lower of the two bodies, then by the other. */
function pairRows({ attributes, template, model, sections, bodyNames }: Conversion): number[] {
	const rows: number[] = [];
	for (let row = 0; row < attributes.count('pair'); row++) {
		if (isInTemplate(template, attributes.number('pair_world', row))) rows.push(row);
	}
	if (rows.length === 0) return rows;
	const ids = new Map<string, number>([['world', 0]]);
	const stack = sections.worldbody.childrenNamed('body').reverse();
	for (let body = stack.pop(); body !== undefined; body = stack.pop()) {
		ids.set(body.get('name')!, ids.size);
		stack.push(...body.childrenNamed('body').reverse());
	}
	const endsOf = (row: number): [number, number] => {
		const [a, b] = (['pair_geom1', 'pair_geom2'] as const).map((name) => {
			const body = model.shapeBody[attributes.number(name, row) ?? -1];
			return body === undefined ? -1 : (ids.get(bodyNames.get(body) ?? '') ?? -1);
		}) as [number, number];
		return a < b ? [a, b] : [b, a];
	};
	const ends = new Map(rows.map((row) => [row, endsOf(row)]));
	return rows.sort((one, other) => {
		const [a, b] = [ends.get(one)!, ends.get(other)!];
		return a[0] - b[0] || a[1] - b[1];
	});
}
