import type { DiagnosticMaker, Severity } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { RUNTIME_CODES } from './codes/ros.ts';

/** A code that this package can report. @public */
export type RosCode = keyof typeof RUNTIME_CODES;

/** The codes of this package with their usual severities. */
export const ROS_CODES: Readonly<Record<RosCode, Severity>> = RUNTIME_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<RosCode> = /* @__PURE__ */ diagnosticMaker(ROS_CODES);
