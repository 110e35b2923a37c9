import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { MODEL_CODES } from './codes/model.ts';

/** A code that this package can report. @public */
export type ModelCode = keyof typeof MODEL_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<ModelCode> = /* @__PURE__ */ diagnosticMaker(MODEL_CODES);
