import { type DiagnosticMaker, diagnosticMaker, type Severity } from '@manyworlds/core';
import { CLI_CODES } from './codes/cli.ts';
import { GIT_CODES } from './codes/git.ts';

/** A code that this package can report. @public */
export type CliCode = keyof typeof CLI_CODES | keyof typeof GIT_CODES;

const COMMAND_CODES: Readonly<Record<CliCode, Severity>> = { ...CLI_CODES, ...GIT_CODES };

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<CliCode> = /* @__PURE__ */ diagnosticMaker(COMMAND_CODES);
