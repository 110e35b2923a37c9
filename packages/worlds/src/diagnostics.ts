import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { WLD_CODES } from './codes/wld.ts';

/** A code that this package can report. @public */
export type WorldsCode = keyof typeof WLD_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<WorldsCode> = /* @__PURE__ */ diagnosticMaker(WLD_CODES);
