import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listAssetFiles, type RunningSite, robotFolders, serveSite } from '@manyworlds/node';
import { toSlashes } from '@manyworlds/node/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import { isSceneFile } from '../../front/is-scene-file.ts';
import type { CommandContext } from '../command-context.ts';

/** Options of `manyworlds view`. */
export interface ViewCommandOptions {
	readonly port?: number;
	readonly open?: boolean;
	readonly isolation?: boolean;
	/** Folder with the pages; that of the installation unless given. */
	readonly site?: string;
}

/** Where the page asks for the files of the asset. */
const ASSET = 'asset/';

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
	const asset = path === undefined ? undefined : offer(context, path);
	try {
		const running = await serveSite({
			site,
			...(options.port !== undefined && { port: options.port }),
			isolated: options.isolation !== false,
			...(asset !== undefined && { find: asset.find }),
		});
		const address = `${running.url}${path === undefined ? '' : `?folder=${ASSET}list.json`}`;
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

/** The folder of an asset, as the page asks for it. */
function offer(
	context: CommandContext,
	path: string,
): { readonly find: NonNullable<Parameters<typeof serveSite>[0]['find']> } {
	const folders = isSceneFile(path) ? [dirname(path)] : [dirname(path), ...robotFolders(path)];
	const root = folders.map((folder) => resolve(folder)).reduce((a, b) => (b.length < a.length ? b : a));
	const { files, isCut } = listAssetFiles(root);
	const entry = toSlashes(relative(root, path));
	if (isCut) {
		context.report.add(
			createDiagnostic(
				'CLI031',
				`the folder '${context.display(root)}' has more than ${files.length} files of assets; the page gets the first of them`,
			),
		);
	}
	const offered = new Set([...files, entry]);
	const list = JSON.stringify({ entry, files: [...offered].sort() });
	return {
		find: (asked) => {
			if (!asked.startsWith(ASSET)) return undefined;
			const name = asked.slice(ASSET.length);
			if (name === 'list.json') return { text: list, type: 'application/json' };
			return offered.has(name) ? { file: join(root, name) } : undefined;
		},
	};
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
