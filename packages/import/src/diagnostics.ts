import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import type { FormatsCode } from '@manyworlds/formats';
import { FORMATS_CODES } from '@manyworlds/formats/internal';
import { IMP_CODES } from './codes/imp.ts';

/** A code that this package can report: its own, and those of the documents that it reads. @public */
export type ImportCode = keyof typeof IMP_CODES | FormatsCode;

const IMPORT_CODES: Readonly<Record<ImportCode, Severity>> = { ...FORMATS_CODES, ...IMP_CODES };

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<ImportCode> = /* @__PURE__ */ diagnosticMaker(IMPORT_CODES);
