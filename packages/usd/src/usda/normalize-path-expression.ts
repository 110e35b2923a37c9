import type { Path } from '../sdf/path.ts';
import { PathExpression } from '../sdf/path-expression.ts';

/**
 * A path expression as OpenUSD spells it: `/A{kind:model}+../B` becomes `/A{kind:"model"} + ../B`. With `anchor`, relative
 * paths become absolute. Undefined for text that is no path expression.
 */
export function normalizePathExpression(text: string, anchor?: Path): string | undefined {
	const expression = PathExpression.parse(text);
	if (!(expression instanceof PathExpression)) return undefined;
	return (anchor === undefined ? expression : expression.makeAbsolute(anchor)).toString();
}
