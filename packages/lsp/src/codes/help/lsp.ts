import type { CodeHelp } from '@manyworlds/core/internal';
import type { LSP_CODES } from '../lsp.ts';

export const LSP_HELP: Readonly<Record<keyof typeof LSP_CODES, CodeHelp>> = {
	LSP001: {
		title: 'Text that is too large to be checked while it is edited',
		help: 'The editor shows mistakes of syntax in such a text, and nothing that composition or the rules would find. Run `manyworlds check` on it; a layer of this size belongs into a crate (`manyworlds convert`).',
	},
	LSP002: {
		title: 'Templates that are not expanded',
		help: 'The file is a template of xacro. Its names and numbers exist only after xacro has expanded it, so the editor does not look for mistakes in it. Expand it and open the result.',
		language: 'xml',
	},
	LSP003: {
		title: 'Check that ended with an internal error',
		help: 'This is a fault in Manyworlds. The server goes on, and the asset is checked again after the next edit. Please report it with the message and, if you can share it, the file.',
	},
};
