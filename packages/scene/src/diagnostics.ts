import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { CTL_CODES } from './codes/ctl.ts';
import { SCN_CODES } from './codes/scn.ts';

/** A code that this package can report. @public */
export type SceneCode = keyof typeof CTL_CODES | keyof typeof SCN_CODES;

const SCENE_CODES: Readonly<Record<SceneCode, Severity>> = { ...CTL_CODES, ...SCN_CODES };

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<SceneCode> = /* @__PURE__ */ diagnosticMaker(SCENE_CODES);
