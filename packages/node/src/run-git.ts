import { devNull } from 'node:os';

/** What git printed, or why it failed. */
export type GitResult = { readonly output: string } | { readonly failure: string; readonly isMissing: boolean };

/** Longest time that one command may take [ms]. */
const TIMEOUT = 15 * 60_000;

/** Settings that keep a repository from running anything and from waiting for anybody. */
const SETTINGS = [
	`core.hooksPath=${devNull}`,
	'core.fsmonitor=false',
	'core.protectHFS=true',
	'core.protectNTFS=true',
	'submodule.recurse=false',
	'fetch.recurseSubmodules=false',
	'protocol.allow=never',
	...['https', 'ssh', 'git', 'file'].map((protocol) => `protocol.${protocol}.allow=always`),
	'http.lowSpeedLimit=1',
	'http.lowSpeedTime=60',
	'advice.detachedHead=false',
	'gc.auto=0',
	'maintenance.auto=false',
];

/** Runs git without a shell in a folder, with the text of `input` on its standard input. */
export function runGit(
	folder: string,
	args: readonly string[],
	options: { readonly env: Readonly<Record<string, string | undefined>>; readonly input?: string },
): GitResult {
	try {
		// loaded when it is needed, which for most commands is never
		const { execFileSync } = process.getBuiltinModule('node:child_process');
		const output = execFileSync('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
			cwd: folder,
			env: gitEnvironment(options.env),
			encoding: 'utf8',
			input: options.input ?? '',
			stdio: 'pipe',
			timeout: TIMEOUT,
			maxBuffer: 1 << 26,
			windowsHide: true,
		});
		return { output: output.trim() };
	} catch (error) {
		const { code, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
		if (code === 'ENOENT') return { failure: 'the program git is not installed', isMissing: true };
		if (code === 'ETIMEDOUT') return { failure: `git took longer than ${TIMEOUT / 60_000} minutes`, isMissing: false };
		return { failure: firstComplaint(stderr ?? message), isMissing: false };
	}
}

/** The environment without what would lead git elsewhere (GIT_DIR, GIT_CONFIG_…, GIT_EXEC_PATH), and without questions. */
function gitEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
	const kept = Object.entries(env).filter(([name]) => !/^GIT_/i.test(name) && !/^(?:SSH|GIT)_ASKPASS$/i.test(name));
	return {
		...Object.fromEntries(kept),
		// messages are compared and shown in one language
		LC_ALL: 'C',
		GIT_TERMINAL_PROMPT: '0',
		GIT_ALLOW_PROTOCOL: 'https:ssh:git:file',
		GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
		GIT_OPTIONAL_LOCKS: '0',
	};
}

function firstComplaint(stderr: string): string {
	const lines = stderr.split('\n').map((line) => line.trim());
	return lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.find((line) => line !== '') ?? 'git failed';
}
