import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { LSP_HELP } from './help/lsp.ts';
import { LSP_CODES } from './lsp.ts';

/** Codes of the language server, with what is written about them. */
export const CODES: Readonly<Record<string, CodeInfo>> = describeCodes(LSP_CODES, LSP_HELP);
