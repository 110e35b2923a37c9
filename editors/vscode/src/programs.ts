import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import {
	commands,
	type Disposable,
	env,
	ShellExecution,
	Task,
	TaskScope,
	tasks,
	Uri,
	ViewColumn,
	window,
	workspace,
} from 'vscode';

/** Commands that start the `manyworlds` program; they need a workspace that is trusted. */
export function registerPrograms(): Disposable[] {
	return [
		commands.registerCommand('manyworlds.openViewer', (uri?: string | Uri) => openViewer(fileOf(uri))),
		commands.registerCommand('manyworlds.simulate', (uri?: string | Uri) => simulate(fileOf(uri))),
		tasks.registerTaskProvider('manyworlds', {
			provideTasks: () => [checkTask(['.'])],
			resolveTask: (task) => checkTask((task.definition as unknown as { readonly paths: string[] }).paths),
		}),
	];
}

function program(): string {
	return workspace.getConfiguration('manyworlds').get<string>('path', 'manyworlds');
}

function fileOf(uri: string | Uri | undefined): string | undefined {
	const given = typeof uri === 'string' ? Uri.parse(uri) : (uri ?? window.activeTextEditor?.document.uri);
	return given?.scheme === 'file' ? given.fsPath : undefined;
}

function checkTask(paths: readonly string[]): Task {
	const run = new ShellExecution(program(), ['check', ...paths]);
	return new Task({ type: 'manyworlds', paths }, TaskScope.Workspace, 'check', 'manyworlds', run, '$manyworlds-check');
}

function simulate(file: string | undefined): void {
	if (file === undefined || !workspace.isTrusted) return;
	const terminal = window.createTerminal({ name: 'manyworlds run', cwd: dirname(file) });
	terminal.show();
	terminal.sendText(`${program()} run ${JSON.stringify(file)}`);
}

/** Shows the viewer of a running `manyworlds view` in a panel. Pages of panels share no memory, so it runs without threads that do. */
async function openViewer(file: string | undefined): Promise<void> {
	if (file === undefined) return;
	if (!workspace.isTrusted) {
		void window.showWarningMessage('The viewer starts a program, which this workspace is not trusted to do.');
		return;
	}
	const child = spawn(program(), ['view', file, '--no-open', '--no-isolation', '--watch'], {
		cwd: dirname(file),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const address = await addressOf(child);
	if (address === undefined) {
		void window.showErrorMessage(
			`'${program()}' did not start the viewer. Install it with npm, or set manyworlds.path.`,
		);
		return;
	}
	const outside = await env.asExternalUri(Uri.parse(address));
	const panel = window.createWebviewPanel('manyworlds.viewer', 'Robot', ViewColumn.Beside, {
		enableScripts: true,
		retainContextWhenHidden: true,
	});
	panel.onDidDispose(() => child.kill());
	const nonce = randomBytes(16).toString('hex');
	const { authority, scheme } = outside;
	const policy = `default-src 'none'; frame-src ${scheme}://${authority}; style-src 'nonce-${nonce}'`;
	panel.webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">html,body,iframe{margin:0;padding:0;border:0;width:100%;height:100vh}</style>
<iframe src="${outside.toString(true)}" title="Robot"></iframe>`;
}

/** The address that the program prints; undefined when it ends without one. */
function addressOf(child: ChildProcess): Promise<string | undefined> {
	return new Promise((resolve) => {
		let output = '';
		const read = (data: Buffer): void => {
			output += data.toString();
			const address = /https?:\/\/\S+/.exec(output)?.[0];
			if (address !== undefined) resolve(address);
		};
		child.stdout?.on('data', read);
		child.stderr?.on('data', read);
		child.on('error', () => resolve(undefined));
		child.on('exit', () => resolve(undefined));
	});
}
