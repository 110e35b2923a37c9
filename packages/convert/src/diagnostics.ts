import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { CNV_CODES } from './codes/cnv.ts';

/** A code that this package can report. */
export type ConvertCode = keyof typeof CNV_CODES;

/** The codes of this package with their usual severities. */
const CONVERT_CODES: Readonly<Record<ConvertCode, Severity>> = CNV_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<ConvertCode> = /* @__PURE__ */ diagnosticMaker(CONVERT_CODES);
