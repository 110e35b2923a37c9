import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { SIM_CODES } from './codes/sim.ts';

/** A code that this package can report. @public */
export type SimCode = keyof typeof SIM_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<SimCode> = /* @__PURE__ */ diagnosticMaker(SIM_CODES);
