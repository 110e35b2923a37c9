/** Says where two texts differ first, or undefined when they are the same bytes. */
export function textDifference(actual: Uint8Array, expected: Uint8Array, firstLine = 1): string | undefined {
	if (Buffer.compare(actual, expected) === 0) return undefined;
	const ours = Buffer.from(actual).toString('latin1').split('\n');
	const theirs = Buffer.from(expected).toString('latin1').split('\n');
	let line = 0;
	while (ours[line] === theirs[line]) line++;
	return `line ${line + firstLine}: ${quoteLine(ours[line])}, expected ${quoteLine(theirs[line])}`;
}

function quoteLine(line: string | undefined): string {
	if (line === undefined) return 'the end';
	const text = Buffer.from(line, 'latin1').toString('utf8');
	return JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}…` : text);
}
