import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { MJCF_CODES } from './codes/mjcf.ts';
import { SDF_CODES } from './codes/sdf.ts';
import { URDF_CODES } from './codes/urdf.ts';

/** A code that this package can report. @public */
export type FormatsCode = keyof typeof MJCF_CODES | keyof typeof SDF_CODES | keyof typeof URDF_CODES;

/** The codes of this package with their usual severities. */
export const FORMATS_CODES: Readonly<Record<FormatsCode, Severity>> = {
	...MJCF_CODES,
	...SDF_CODES,
	...URDF_CODES,
};

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<FormatsCode> = /* @__PURE__ */ diagnosticMaker(FORMATS_CODES);
