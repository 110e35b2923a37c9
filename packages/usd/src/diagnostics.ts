import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { PCP_CODES } from './codes/pcp.ts';
import { PKG_CODES } from './codes/pkg.ts';
import { SCH_CODES } from './codes/sch.ts';
import { STG_CODES } from './codes/stg.ts';
import { USDA_CODES } from './codes/usda.ts';
import { USDC_CODES } from './codes/usdc.ts';
import { USDZ_CODES } from './codes/usdz.ts';
import { VIEW_CODES } from './codes/view.ts';

/** A code that this package can report. @public */
export type UsdCode =
	| keyof typeof PCP_CODES
	| keyof typeof PKG_CODES
	| keyof typeof SCH_CODES
	| keyof typeof STG_CODES
	| keyof typeof USDA_CODES
	| keyof typeof USDC_CODES
	| keyof typeof USDZ_CODES
	| keyof typeof VIEW_CODES;

/** The codes of this package with their usual severities. */
export const USD_CODES: Readonly<Record<UsdCode, Severity>> = {
	...PCP_CODES,
	...PKG_CODES,
	...SCH_CODES,
	...STG_CODES,
	...USDA_CODES,
	...USDC_CODES,
	...USDZ_CODES,
	...VIEW_CODES,
};

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<UsdCode> = /* @__PURE__ */ diagnosticMaker(USD_CODES);
