import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { MESH_CODES } from './codes/mesh.ts';

/** A code that this package can report. @public */
export type MeshCode = keyof typeof MESH_CODES;

/** Makes a diagnostic with the usual severity of its code. */
export const createDiagnostic: DiagnosticMaker<MeshCode> = /* @__PURE__ */ diagnosticMaker(MESH_CODES);
