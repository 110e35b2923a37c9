import type { LanguageFeatures } from '../language-features.ts';
import { completion } from './completion.ts';
import { declaration, definition, typeDefinition } from './definition.ts';
import { codeActions, fixAll } from './fixes.ts';
import { format } from './formatting.ts';
import { hover } from './hover.ts';
import { codeLenses, colors, inlayHints, links } from './lenses.ts';
import { highlights, references } from './references.ts';
import { prepareRename, rename } from './rename.ts';
import { semanticTokens } from './semantic-tokens.ts';
import { folding, selection, symbols } from './symbols.ts';

/** What the server does with OpenUSD text layers. */
export const USDA_FEATURES: LanguageFeatures = {
	hover,
	definition,
	declaration,
	typeDefinition,
	references,
	highlights,
	symbols,
	completion,
	codeActions,
	fixAll,
	codeLenses,
	links,
	folding,
	selection,
	prepareRename,
	rename,
	format,
	tokens: semanticTokens,
	inlayHints,
	colors,
};
