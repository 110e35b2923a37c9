import type { Diagnostic } from '@manyworlds/core';
import type { Message } from './import-case.ts';

/**
 * Warnings of the reference that nothing of ours speaks of. Texts are the reference's own: one of ours must name what the
 * warning quotes or a prim path in it; where it names nothing there must be some diagnostic.
 */
export function messageDifferences(
	diagnostics: readonly Diagnostic[],
	expected: readonly Message[],
): (string | undefined)[] {
	const texts = diagnostics.map((one) =>
		[one.message, one.prim, one.excerpt?.text, JSON.stringify(one.data ?? '')].join('\n'),
	);
	return expected.map(({ message }) => {
		const subjects = subjectsOf(message);
		const isSaid =
			subjects.length === 0 ? texts.length > 0 : texts.some((text) => subjects.some((one) => text.includes(one)));
		return isSaid ? undefined : `nothing is said about: ${message.slice(0, 160)}`;
	});
}

function subjectsOf(message: string): string[] {
	const quoted = [...message.matchAll(/'([^'\s]{2,})'|"([^"\s]{2,})"/g)].map((match) => match[1] ?? match[2]!);
	const paths = [...message.matchAll(/(?<![\w$'":.])(?:\/\w+)+/g)].map((match) => match[0]);
	// None stands for a name that is not there
	return [...quoted.filter((text) => text !== 'None'), ...paths]
		.flatMap((text) => [text, text.split('/').at(-1)!])
		.filter((text) => text !== '');
}
