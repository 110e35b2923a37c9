/** Which labels are meant: a glob, several globs, a regular expression that must match wholly, or indices. @public */
export type LabelPattern = string | readonly string[] | RegExp | readonly number[];

/**
 * Indices of the labels that a pattern means. Globs know `*`, `?` and `[…]`, also `[!…]`, and look at case; matches come
 * in the order of the labels, each once. Indices come back as given.
 */
export function matchLabels(pattern: LabelPattern, labels: readonly string[]): number[] {
	if (isIndexList(pattern)) return [...pattern];
	const tests = patternTests(pattern);
	const found: number[] = [];
	labels.forEach((label, index) => {
		if (tests.some((test) => test.test(label))) found.push(index);
	});
	return found;
}

/** Whether a pattern is a list of indices; an empty list is one. */
export function isIndexList(pattern: LabelPattern): pattern is readonly number[] {
	return Array.isArray(pattern) && pattern.every((item) => typeof item === 'number');
}

function patternTests(pattern: string | readonly string[] | RegExp): RegExp[] {
	if (pattern instanceof RegExp) {
		const flags = pattern.flags.replace(/[gy]/g, '');
		return [new RegExp(`^(?:${pattern.source})$`, flags)];
	}
	return (typeof pattern === 'string' ? [pattern] : pattern).map(globExpression);
}

/** The regular expression that a glob stands for. */
function globExpression(glob: string): RegExp {
	let source = '';
	for (let i = 0; i < glob.length; i++) {
		const character = glob[i]!;
		const close = character === '[' ? glob.indexOf(']', glob[i + 1] === '!' ? i + 3 : i + 2) : -1;
		if (character === '*') source += '[^]*';
		else if (character === '?') source += '[^]';
		else if (close > 0) {
			source += bracketExpression(glob.slice(i + 1, close));
			i = close;
		} else source += character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
	}
	return new RegExp(`^${source}$`, 'u');
}

/** A character class; ranges keep their hyphen, everything else is taken as it is. */
function bracketExpression(content: string): string {
	const isNegated = content.startsWith('!');
	const body = (isNegated ? content.slice(1) : content).replace(/[\\\]^[]/g, '\\$&');
	return `[${isNegated ? '^' : ''}${body}]`;
}
