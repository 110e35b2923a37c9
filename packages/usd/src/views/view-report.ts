import type { Report } from '@manyworlds/core';
import { createDiagnostic, type UsdCode } from '../diagnostics.ts';
import type { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';

/** What every view takes. */
export interface ViewOptions {
	/** The time of the stage at which values are asked for; the default time without one. */
	readonly time?: number | undefined;
	/** Told about what is wrong with the scene; the stage's report without one. */
	readonly report?: Report | undefined;
}

/** Reports something wrong with a prim or one of its properties. */
export function reportFinding(
	code: UsdCode,
	prim: Prim,
	message: string,
	options: ViewOptions = {},
	at: Path = prim.path,
): void {
	const report = options.report ?? prim.stage.report;
	const file = prim.specs()[0]?.layer.identifier;
	report.add(createDiagnostic(code, message, { prim: at.toString(), ...(file === undefined ? {} : { file }) }));
}
