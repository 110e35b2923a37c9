import type { CommanderError } from 'commander';

/** What is wrong with the arguments of a command, in a sentence of ours: the library tells it in its own words. */
export function usageMessage({ message }: CommanderError): string {
	// a suggestion stands on a line of its own
	const told = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
	for (const [pattern, say] of SENTENCES) {
		const match = pattern.exec(told);
		if (match !== null) return say(...(match.slice(1) as [string, string, string]));
	}
	return told;
}

const SENTENCES: readonly (readonly [RegExp, (a: string, b: string, c: string) => string])[] = [
	[
		/^option '(.+?)' argument '(.*)' is invalid\. (.*?)\.?$/,
		(flags, value, why) => invalid(longName(flags), placeholder(flags), value, why),
	],
	[
		/^command-argument value '(.*)' is invalid for argument '(.+?)'\. (.*?)\.?$/,
		(value, name, why) => invalid(name, name, value, why),
	],
	[/^option '(.+?)' argument missing$/, (flags) => `${longName(flags)} has no value, expected <${placeholder(flags)}>`],
	[/^required option '(.+?)' not specified$/, (flags) => `${longName(flags)} is missing`],
	[/^missing required argument '(.+?)'$/, (name) => `missing argument '${name}'`],
	[
		/^too many arguments(?: for '.*?')?\. Expected (\d+) arguments? but got (\d+)\.$/,
		(expected, got) => `too many arguments: ${got}, expected ${expected}`,
	],
];

/** A value that an option or argument does not take; `noun` is what its values are. */
function invalid(name: string, noun: string, value: string, why: string): string {
	const choices = /^Allowed choices are (.*)$/.exec(why)?.[1]?.split(', ');
	if (choices === undefined) return `${name} is '${value}', ${lowerFirst(why)}`;
	const unknown = `unknown ${noun} '${value}', expected ${oneOf(choices)}`;
	return name.replace('--', '') === noun ? unknown : `${name}: ${unknown}`;
}

function longName(flags: string): string {
	return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

function placeholder(flags: string): string {
	return /[<[](.+?)[>\]]/.exec(flags)?.[1] ?? 'value';
}

function oneOf(choices: readonly string[]): string {
	return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

function lowerFirst(text: string): string {
	return text.slice(0, 1).toLowerCase() + text.slice(1);
}
