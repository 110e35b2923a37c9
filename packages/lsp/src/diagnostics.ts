import type { DiagnosticMaker } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { LSP_CODES } from './codes/lsp.ts';

export type LspCode = keyof typeof LSP_CODES;

export const createDiagnostic: DiagnosticMaker<LspCode> = /* @__PURE__ */ diagnosticMaker(LSP_CODES);
