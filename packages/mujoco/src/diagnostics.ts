import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { MJC_CODES } from './codes/mjc.ts';

/** A code that this package can report. @public */
export type MujocoCode = keyof typeof MJC_CODES;

/** The codes of this package with their usual severities. */
export const MUJOCO_CODES: Readonly<Record<MujocoCode, Severity>> = { ...MJC_CODES };

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<MujocoCode> = /* @__PURE__ */ diagnosticMaker(MUJOCO_CODES);
