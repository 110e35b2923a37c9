import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { CHK_CODES } from './codes/chk.ts';
import { FIX_CODES } from './codes/fix.ts';
import { REP_1_1_CODES } from './codes/rep-1-1.ts';
import { REP_1_3_CODES } from './codes/rep-1-3.ts';
import { REP_2_CODES } from './codes/rep-2.ts';
import { REP_3_CODES } from './codes/rep-3.ts';
import { REP_4_CODES } from './codes/rep-4.ts';

/** The statements of REP 0158 with their usual severities, in the order of the document. @public */
export const REP_CODES: Readonly<Record<RepCode, Severity>> = {
	...REP_1_1_CODES,
	...REP_1_3_CODES,
	...REP_2_CODES,
	...REP_3_CODES,
	...REP_4_CODES,
};

/** Identifier of a statement of REP 0158: `R`, the section, a number. @public */
export type RepCode =
	| keyof typeof REP_1_1_CODES
	| keyof typeof REP_1_3_CODES
	| keyof typeof REP_2_CODES
	| keyof typeof REP_3_CODES
	| keyof typeof REP_4_CODES;

/** A code that this package can report. @public */
export type Rep158Code = keyof typeof CHK_CODES | keyof typeof FIX_CODES | RepCode;

/** The codes of this package with their usual severities. */
export const REP158_CODES: Readonly<Record<Rep158Code, Severity>> = { ...CHK_CODES, ...FIX_CODES, ...REP_CODES };

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<Rep158Code> = /* @__PURE__ */ diagnosticMaker(REP158_CODES);
