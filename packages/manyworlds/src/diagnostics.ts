import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { CLI_CODES } from './codes/cli.ts';

/** A code that this package can report. @public */
export type CliCode = keyof typeof CLI_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<CliCode> = /* @__PURE__ */ diagnosticMaker(CLI_CODES);
