import { main } from 'manyworlds/internal';

/** A fenced block that shows a command and what it prints. */
const BLOCK = /^```console\n\$ manyworlds (.*)\n[\s\S]*?^```$/gm;

/**
 * Runs the commands that a page of the guide shows and gives the page with what they print now. Words of a command are
 * separated by single spaces; output of stderr follows that of stdout.
 */
export async function refreshGuide(text: string, cwd: string): Promise<string> {
	let result = '';
	let end = 0;
	for (const match of text.matchAll(BLOCK)) {
		const command = match[1]!;
		// quotes keep brackets from the shell
		const words = command.split(' ').map((word) => word.replace(/^'(.*)'$/, '$1'));
		const output = await runCommand(words, cwd);
		result += `${text.slice(end, match.index)}\`\`\`console\n$ manyworlds ${command}\n${output}\`\`\``;
		end = match.index + match[0].length;
	}
	return result + text.slice(end);
}

async function runCommand(args: readonly string[], cwd: string): Promise<string> {
	const texts = { stdout: '', stderr: '' };
	const stream = (name: keyof typeof texts) => ({
		write: (data: string | Uint8Array) => {
			texts[name] += typeof data === 'string' ? data : new TextDecoder().decode(data);
		},
	});
	// a clock that stands still keeps progress out of the pages
	await main(args, { stdout: stream('stdout'), stderr: stream('stderr'), env: {}, cwd, now: () => 0 });
	return texts.stdout + texts.stderr;
}
