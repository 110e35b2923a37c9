import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { SWP_CODES } from './codes/swp.ts';

/** A code that this package can report. */
export type SweepCode = keyof typeof SWP_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<SweepCode> = /* @__PURE__ */ diagnosticMaker(SWP_CODES);
