import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { view } from '../src/command/commands/view.ts';
import { offerAsset } from '../src/command/index.ts';

const ROBOTS = join(import.meta.dirname, '../../../examples/robots');
const site = mkdtempSync(join(tmpdir(), 'manyworlds-view-'));
writeFileSync(join(site, 'index.html'), 'the viewer');
afterAll(() => rmSync(site, { recursive: true, force: true }));

function contextOf(): { readonly context: CommandContext; readonly out: string[] } {
	const out: string[] = [];
	const stream = { write: (data: string | Uint8Array) => out.push(String(data)) };
	const io = { stdout: stream, stderr: stream, env: {}, cwd: ROBOTS, now: () => 0 };
	return { context: new CommandContext(io), out };
}

it('serves the viewer with the folder of a robot', async () => {
	const { context, out } = contextOf();
	const running = await view(context, 'plover/urdf/plover.urdf', { site });
	const [address] = out;
	expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?folder=asset\/list\.json\n$/);
	const base = running!.url;
	expect(await (await fetch(base)).text()).toBe('the viewer');
	const { entry, files } = (await (await fetch(`${base}asset/list.json`)).json()) as { entry: string; files: string[] };
	expect(entry).toBe('urdf/plover.urdf');
	expect(files).toContain('package.xml');
	const mesh = files.find((file) => file.startsWith('meshes/'))!;
	expect((await fetch(`${base}asset/${mesh}`)).status).toBe(200);
	expect((await fetch(`${base}asset/../README.md`)).status).toBe(404);
	await running!.close();
});

it('says that a file is not there, and that a port is taken', async () => {
	const missing = contextOf();
	expect(await view(missing.context, 'no.usda', { site })).toBeUndefined();
	expect(missing.context.report.toArray()[0]).toMatchObject({ code: 'CLI001', message: "there is no file 'no.usda'" });
	const first = contextOf();
	const running = await view(first.context, undefined, { site });
	const port = Number(new URL(running!.url).port);
	const second = contextOf();
	expect(await view(second.context, undefined, { site, port })).toBeUndefined();
	expect(second.context.report.toArray()[0]).toMatchObject({
		code: 'CLI030',
		message: `the viewer cannot be served: port ${port} is taken`,
	});
	await running!.close();
});

it('offers files of the folder and nothing else', () => {
	const { find, root, isCut } = offerAsset(join(ROBOTS, 'crane/crane.xml'));
	expect(root).toBe(join(ROBOTS, 'crane'));
	expect(isCut).toBe(false);
	expect(find('asset/crane.xml')).toEqual({ file: join(ROBOTS, 'crane/crane.xml') });
	expect(find('asset/../heron/heron.usda')).toBeUndefined();
	expect(find('crane.xml')).toBeUndefined();
});

it('lists a folder that is watched anew, with stamps that change with its files', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-watch-'));
	writeFileSync(join(folder, 'robot.urdf'), '<robot name="a"/>');
	const { context, out } = contextOf();
	const running = await view(context, join(folder, 'robot.urdf'), { site, watch: true });
	expect(out[0]).toMatch(/\?folder=asset\/list\.json&watch\n$/);
	const list = async (): Promise<{ files: string[]; stamps: string[] }> =>
		(await (await fetch(`${running!.url}asset/list.json`)).json()) as { files: string[]; stamps: string[] };
	const before = await list();
	expect(await list()).toEqual(before);
	writeFileSync(join(folder, 'robot.urdf'), '<robot name="another"/>');
	writeFileSync(join(folder, 'mesh.stl'), 'solid');
	const after = await list();
	expect(after.files).toEqual(['mesh.stl', 'robot.urdf']);
	expect(after.stamps[1]).not.toBe(before.stamps[0]);
	expect((await fetch(`${running!.url}asset/mesh.stl`)).status).toBe(200);
	await running!.close();
	rmSync(folder, { recursive: true, force: true });
});
