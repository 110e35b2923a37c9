import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { readUsda, writeUsdc } from '@manyworlds/usd';
import { describe, expect, test } from 'vitest';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

const METRICS = '    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n';
const INFO =
	'    assetInfo = {\n        string identifier = "box"\n        dictionary ros = {\n            string package_uri = "package://box/box.urdf"\n        }\n        string version = "1.0"\n    }\n    kind = "component"\n';
const CLEAN = `#usda 1.0\n(\n    defaultPrim = "box"\n${METRICS})\n\ndef Xform "box" (\n${INFO})\n{\n}\n`;
/** Two errors (lines 1 and 8) and a warning (line 12). */
const FAULTY = `#usda 1.0
(
    defaultPrim = "box"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "box" (
    kind = "component"
)
{
    def PhysicsFixedJoint "joint"
    {
        double3 xformOp:translate = (0, 0, 1)
    }
}
`;

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
	const folder = temporaryFolder();
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(join(folder, name, '..'), { recursive: true });
		writeFileSync(join(folder, name), content);
	}
	return folder;
}

/** A crate of one prim. */
function crate(): Uint8Array {
	return writeUsdc(readUsda(new TextEncoder().encode(CLEAN)));
}

/** Bytes without meaning, the same every time. */
function noise(size: number): Uint8Array {
	let state = 1;
	return Uint8Array.from({ length: size }, () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state >>> 24;
	});
}

function nested(depth: number, open: string, close: string): string {
	return `#usda 1.0\n${open.repeat(depth)}${close.repeat(depth)}`;
}

function dictionary(depth: number): string {
	return `customLayerData = ${'{ dictionary a = '.repeat(depth)}{}${'}'.repeat(depth)}\n`;
}

/** A package with one compressed layer of blanks. */
function bomb(megabytes: number): Uint8Array {
	const content = Buffer.alloc(megabytes * 1024 * 1024, ' ');
	const packed = deflateRawSync(content);
	const name = Buffer.from('a.usda');
	const fields = (): Buffer => {
		const part = Buffer.alloc(26);
		part.writeUInt16LE(20, 0);
		part.writeUInt16LE(8, 4);
		part.writeUInt32LE(packed.length, 14);
		part.writeUInt32LE(content.length, 18);
		part.writeUInt16LE(name.length, 22);
		return part;
	};
	const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields(), name, packed]);
	const central = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), fields(), Buffer.alloc(14), name]);
	const end = Buffer.alloc(22);
	end.write('PK\u0005\u0006');
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(central.length, 12);
	end.writeUInt32LE(local.length, 16);
	return Buffer.concat([local, central, end]);
}

const ONLY = ['--select', 'R1.1.3,R1.1.16,R1.2.5.3'];

describe('exit status', () => {
	test('a clean asset gives 0 and one line', async () => {
		const folder = folderWith({ 'box.usda': CLEAN });
		const { code, stdout } = await runCli(['check', 'box.usda'], { cwd: folder });
		expect(stdout).toBe('checked 1 asset, 1 prim, 1 layer, 1 variant selection: no findings\n');
		expect(code).toBe(0);
	});

	test('findings give 1, and --fail-on moves the limit', async () => {
		const folder = folderWith({ 'box.usda': FAULTY });
		const run = async (...args: string[]): Promise<number> =>
			(await runCli(['check', 'box.usda', ...args], { cwd: folder })).code;
		expect(await run('--select', 'R1.1.16')).toBe(1);
		expect(await run('--select', 'R1.1.16', '--fail-on', 'error')).toBe(0);
		expect(await run('--fail-on', 'never')).toBe(0);
	});

	test.each<[string, Record<string, string | Uint8Array>, string, number]>([
		['a file that is missing', {}, 'CLI001', 2],
		['a file that is no layer', { 'bad.usda': 'nothing' }, 'USDA', 2],
		['a broken crate', { 'bad.usda': new TextEncoder().encode('PXR-USDC\0\0garbage') }, 'USDC', 2],
		['a broken package', { 'bad.usda': new TextEncoder().encode('PK\u0003\u0004garbage') }, 'CLI012', 2],
		['half a crate', { 'bad.usda': crate().subarray(0, crate().length / 2) }, 'USDC', 2],
		['binary noise', { 'bad.usda': noise(20_000) }, 'CLI', 2],
		['noise in a crate', { 'bad.usda': Buffer.concat([Buffer.from('PXR-USDC'), noise(20_000)]) }, 'USDC', 2],
		['an empty file', { 'bad.usda': '' }, 'CLI', 2],
		['dictionaries 20,000 deep', { 'bad.usda': `#usda 1.0\n(\n${dictionary(20_000)})\n` }, 'USDA', 2],
		['a package that would unpack to 300 MB', { 'bad.usda': bomb(300) }, 'CLI012', 2],
		['a layer with a mistake', { 'bad.usda': '#usda 1.0\ndef "a" {\n' }, 'USDA', 1],
		['prims 20,000 deep', { 'bad.usda': nested(20_000, 'def "a" {\n', '}\n') }, 'USDA', 1],
	])('%s gives a message, and other files are still checked', async (_, files, code, status) => {
		const folder = folderWith({ ...files, 'box.usda': FAULTY });
		const result = await runCli(['check', 'bad.usda', 'box.usda', '--format', 'json', ...ONLY], { cwd: folder });
		const { diagnostics } = JSON.parse(result.stdout) as { diagnostics: { code: string; file: string }[] };
		expect(diagnostics.some((at) => at.file === 'bad.usda' && at.code.startsWith(code))).toBe(true);
		expect(diagnostics.filter(({ file }) => file === 'box.usda')).toHaveLength(3);
		expect(result.code).toBe(status);
	});

	test('a folder with the name of a layer, and a file that may not be read, give 2', async () => {
		const folder = folderWith({ 'shut.usda': CLEAN, 'box.usda': CLEAN });
		mkdirSync(join(folder, 'folder.usda'));
		const run = (name: string): ReturnType<typeof runCli> => runCli(['check', name, 'box.usda'], { cwd: folder });
		const empty = await run('folder.usda');
		expect(empty.stdout).toContain('CLI009');
		expect(empty.code).toBe(2);
		chmodSync(join(folder, 'shut.usda'), 0);
		// nothing is shut to the superuser
		if (process.getuid?.() === 0) return;
		const shut = await run('shut.usda');
		expect(shut.stdout).toContain('CLI003');
		expect(shut.code).toBe(2);
	});

	test('arcs without end and stages beyond the limit end with a message', async () => {
		const cycle = '#usda 1.0\n(\n    defaultPrim = "a"\n)\ndef "a" (references = @./a.usda@)\n{\n}\n';
		const rows = Array.from({ length: 50 }, (_, i) => `def "p${i}"\n{\n}\n`).join('');
		const folder = folderWith({ 'a.usda': cycle, 'large.usda': `#usda 1.0\n${rows}` });
		const result = await runCli(['check', 'a.usda', 'large.usda', '--max-prims', '20'], { cwd: folder });
		expect(result.stdout).toContain('PCP001');
		expect(result.stdout).toContain('CHK006');
		expect(result.code).toBe(2);
	});

	test('wrong use is a diagnostic', async () => {
		const folder = folderWith({ 'box.usda': CLEAN });
		for (const args of [
			['--select', 'R9.9'],
			['--select', '2'],
			['--select', '§7'],
			['--jobs', '0'],
			['--format', 'xml'],
		]) {
			const { code, stderr } = await runCli(['check', 'box.usda', ...args], { cwd: folder });
			expect(stderr).toContain('CLI006');
			expect(code).toBe(2);
		}
	});
});

describe('choice of rules', () => {
	const codes = async (...args: string[]): Promise<string[]> => {
		const folder = folderWith({ 'box.usda': FAULTY });
		const { stdout } = await runCli(['check', 'box.usda', '--format', 'json', ...args], { cwd: folder });
		return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
	};

	test('an identifier is taken exactly, a section with all below it', async () => {
		expect(new Set(await codes('--select', 'R1.1.3'))).toEqual(new Set(['R1.1.3']));
		expect(new Set(await codes('--select', '§1.1'))).toEqual(new Set(['R1.1.3', 'R1.1.16']));
		expect(new Set(await codes('--select', '§1'))).toContain('R1.2.5.2');
		expect(await codes('--select', '§1.1', '--ignore', 'R1.1.3')).toEqual(['R1.1.16']);
	});
});

describe('formats', () => {
	const run = async (format: string): Promise<string> => {
		const folder = folderWith({ 'box.usda': FAULTY });
		return (await runCli(['check', 'box.usda', '--format', format, ...ONLY], { cwd: folder })).stdout;
	};

	test('text names rules, places, counts and the next command', async () => {
		const text = await run('text');
		expect(text).toContain('R1.1.16 Transform on a joint (§1.1, fixable)\nbox.usda:14:17: warning R1.1.16: ');
		expect(text).toMatch(/§1\.1 +Coordinate systems and units +1 +1 +0 +2/);
		expect(text).toContain('next: manyworlds fix --diff box.usda');
	});

	test('json has the shape of all reports, with counts of sections', async () => {
		const report = JSON.parse(await run('json')) as Record<string, unknown>;
		expect(report).toMatchObject({
			version: 1,
			diagnostics: [
				{ code: 'R1.1.3', severity: 'error', file: 'box.usda', line: 1 },
				{ code: 'R1.2.5.3', file: 'box.usda', line: 8, prim: '/box' },
				{ code: 'R1.1.16', severity: 'warning', file: 'box.usda', line: 14, column: 17 },
			],
			summary: { errors: 2, warnings: 1, total: 3, sections: { '1.1': { errors: 1, warnings: 1 } } },
		});
	});

	test('sarif has rules and results', async () => {
		const { runs } = JSON.parse(await run('sarif')) as {
			runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string }[] }[];
		};
		expect(runs[0]!.tool.driver.rules.map(({ id }) => id)).toEqual(['R1.1.16', 'R1.1.3', 'R1.2.5.3']);
		expect(runs[0]!.results).toHaveLength(3);
	});

	test('github has annotations', async () => {
		expect(await run('github')).toMatch(/^::error file=box\.usda,line=1,col=1,.*title=R1\.1\.3::/m);
	});

	test('junit has a test for each rule', async () => {
		const xml = await run('junit');
		expect(xml).toContain('<testsuite name="box.usda" tests="3" failures="3"');
		expect(xml).toContain('classname="REP 0158 §1.1"');
		expect(xml).toContain('<failure type="error" message="timeCodesPerSecond is not authored, expected 1">');
	});

	test('rep is the JSON of the public checker', async () => {
		expect(JSON.parse(await run('rep'))).toMatchObject({
			asset: 'box.usda',
			summary: { errors: 2, warnings: 1, infos: 0, total: 3 },
			violations: [
				{ check_id: '1.1.5', severity: 'error', section: '1.1', prim_path: '', validator: 'CoordinateSystem' },
				{ check_id: '1.2.3', section: '1.2.5', prim_path: '/box' },
				{ check_id: 'R1.1.16', severity: 'warning', prim_path: '/box/joint' },
			],
		});
	});
});

describe('configuration', () => {
	const config = (check: unknown): string => JSON.stringify({ check });

	test('the nearest file sets severities and ignores by path', async () => {
		const folder = folderWith({
			'manyworlds.json': config({
				select: ['§1.1'],
				severities: { 'R1.1.3': 'info' },
				paths: { 'old/**': { ignore: ['R1.1.16'] } },
			}),
			'old/box.usda': FAULTY,
			'new/box.usda': FAULTY,
		});
		const { stdout } = await runCli(['check', '.', '--format', 'json'], { cwd: folder });
		const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string; code: string; severity: string }[] };
		expect(diagnostics.map(({ file, code, severity }) => [file, code, severity])).toEqual([
			['new/box.usda', 'R1.1.3', 'info'],
			['new/box.usda', 'R1.1.16', 'warning'],
			['old/box.usda', 'R1.1.3', 'info'],
		]);
	});

	test('mistakes are told and nothing is checked', async () => {
		const folder = folderWith({ 'manyworlds.json': config({ severity: {}, ignore: ['R0'] }), 'box.usda': FAULTY });
		const { code, stderr, stdout } = await runCli(['check', 'box.usda'], { cwd: folder });
		expect(stderr).toContain("CHK003: check has the unknown entry 'severity'");
		expect(stderr).toContain("unknown rule 'R0'");
		expect(stdout).toBe('');
		expect(code).toBe(2);
		expect((await runCli(['check', 'box.usda', '--no-config'], { cwd: folder })).code).toBe(1);
	});
});

describe('baseline', () => {
	test('hides what it has, shows what is new, and tells what is gone', async () => {
		const folder = folderWith({ 'box.usda': FAULTY });
		const run = async (...args: string[]) => runCli(['check', 'box.usda', ...ONLY, ...args], { cwd: folder });
		expect((await run('--write-baseline', 'known.json')).code).toBe(0);
		expect(JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'))).toMatchObject({ version: 1 });
		expect((await run('--baseline', 'known.json')).code).toBe(0);

		writeFileSync(join(folder, 'box.usda'), FAULTY.replace('"joint"', '"other"'));
		const { code, stdout } = await run('--baseline', 'known.json', '--format', 'json');
		const codes = (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map((at) => at.code);
		expect(codes.sort()).toEqual(['CHK005', 'R1.1.16']);
		expect(code).toBe(1);
	});

	test('another file is no baseline', async () => {
		const folder = folderWith({ 'box.usda': FAULTY, 'known.json': '[]' });
		const { code, stderr } = await runCli(['check', 'box.usda', '--baseline', 'known.json'], { cwd: folder });
		expect(stderr).toContain('CHK004');
		expect(code).toBe(2);
	});
});

describe('inputs', () => {
	test('a folder stands for its assets, not for the layers they are made of', async () => {
		const entry = CLEAN.replace('    upAxis', '    subLayers = [@./parts/base.usda@]\n    upAxis');
		const folder = folderWith({ 'box.usda': entry, 'parts/base.usda': '#usda 1.0\nover "box"\n{\n}\n' });
		const { stdout } = await runCli(['check', '.', '--format', 'json'], { cwd: folder });
		expect(JSON.parse(stdout)).toMatchObject({ summary: { assets: [{ asset: 'box.usda', layers: 2 }] } });
	});

	test('long work is told on a terminal, and never in a log', async () => {
		const folder = folderWith({ 'a.usda': CLEAN, 'b.usda': CLEAN });
		const check = (isTTY: boolean) => runCli(['check', 'a.usda', 'b.usda'], { cwd: folder, tick: 2500, isTTY });
		expect((await check(true)).stderr).toContain('b.usda (1 of 2)');
		expect((await check(false)).stderr).toBe('');
	});
});

describe.each(['dist', 'bundle'])('the built command in %s', (folderName) => {
	const bin = join(ROOT, 'packages/manyworlds', folderName, 'bin.js');

	test.skipIf(!existsSync(bin))('finds the same in threads as in one process (needs npm run build)', () => {
		const files = Object.fromEntries(
			Array.from({ length: 6 }, (_, i) => [`box${i}.usda`, i % 2 === 0 ? FAULTY : CLEAN]),
		);
		const folder = folderWith(files);
		const run = (jobs: string) => {
			const args = [bin, 'check', '.', '--format', 'json', '--jobs', jobs];
			const env = { ...process.env, XDG_CACHE_HOME: join(folder, '.cache') };
			return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
		};
		const [one, three] = [run('1'), run('3')];
		expect(JSON.parse(one.stdout)).toMatchObject({ summary: { assets: { length: 6 } } });
		expect(three.stdout).toBe(one.stdout);
		expect([one.status, three.status]).toEqual([1, 1]);
	});
});
