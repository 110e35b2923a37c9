/** Codes of the language server itself, each with its usual severity. */
export const LSP_CODES = { LSP001: 'info', LSP002: 'info', LSP003: 'error' } as const;
