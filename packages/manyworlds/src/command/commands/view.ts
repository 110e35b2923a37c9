import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningSite } from '@manyworlds/node';
import { serveSite } from '@manyworlds/node/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { offerAsset } from '../offer-asset.ts';

/** Options of `manyworlds view`. */
export interface ViewCommandOptions {
	readonly port?: number;
	readonly open?: boolean;
	readonly isolation?: boolean;
	/** Whether the page follows changes of the files. */
	readonly watch?: boolean;
	/** Folder with the pages; that of the installation unless given. */
	readonly site?: string;
}

/** `manyworlds view FILE`: serves the viewer with the folder of an asset to this machine; undefined, with a diagnostic, when it cannot. */
export async function view(
	context: CommandContext,
	file: string | undefined,
	options: ViewCommandOptions = {},
): Promise<RunningSite | undefined> {
	const path = file === undefined ? undefined : context.absolute(file);
	if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
		context.report.add(
			createDiagnostic('CLI001', `there is no file '${context.display(file!)}'`, { file: context.display(file!) }),
		);
		return undefined;
	}
	const site = options.site ?? findSite(context);
	if (site === undefined) return undefined;
	const asset = path === undefined ? undefined : offerAsset(path, options.watch);
	if (asset?.isCut === true) {
		const message = `the folder '${context.display(asset.root)}' has more files of assets than the viewer reads; the page gets some of them`;
		context.report.add(createDiagnostic('CLI031', message));
	}
	try {
		const running = await serveSite({
			site,
			...(options.port !== undefined && { port: options.port }),
			isolated: options.isolation !== false,
			...(asset !== undefined && { find: asset.find }),
		});
		const address = `${running.url}${path === undefined ? '' : `?folder=${asset!.list}${options.watch === true ? '&watch' : ''}`}`;
		context.print(`${address}\n`);
		context.note('the viewer runs until Ctrl-C');
		if (options.open !== false && context.io.stdout.isTTY === true) openBrowser(address);
		return running;
	} catch (error) {
		const why =
			error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
				? `port ${options.port} is taken`
				: String(error);
		context.report.add(createDiagnostic('CLI030', `the viewer cannot be served: ${why}`));
		return undefined;
	}
}

/** The pages of the viewer: beside the command, or built now in a clone. */
function findSite(context: CommandContext): string | undefined {
	// the command runs from `bundle`, or from `src` or `dist` with its folders
	const here = dirname(fileURLToPath(import.meta.url));
	const packageFolder = [resolve(here, '..'), resolve(here, '../../..')].find((folder) =>
		existsSync(join(folder, 'package.json')),
	);
	const site = packageFolder === undefined ? undefined : join(packageFolder, 'site');
	if (site !== undefined && existsSync(join(site, 'index.html'))) return site;
	const root = packageFolder === undefined ? undefined : resolve(packageFolder, '../..');
	if (site !== undefined && root !== undefined && existsSync(join(root, 'scripts/viewer/build.ts'))) {
		context.note('building the viewer, once …');
		const loader = ['--import=tsx', 'scripts/viewer/build.ts'];
		const { status } = spawnSync(process.execPath, loader, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
		if (status === 0) return site;
	}
	context.report.add(createDiagnostic('CLI030', 'the viewer cannot be served: its pages are not in this installation'));
	return undefined;
}

/** Asks the system to show an address; what it makes of that is its own matter. */
function openBrowser(address: string): void {
	const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? [
		'xdg-open',
	];
	spawn(command!, [...args, address], { stdio: 'ignore', detached: true })
		.on('error', () => {})
		.unref();
}
