import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../src/command/main.ts';

const TEXT = `#usda 1.0
(
    defaultPrim = "robot"
    metersPerUnit = 1
    kilogramsPerUnit = 1
    upAxis = "Z"
)

# the robot
def Xform "robot" (
    kind = "component"
)
{
    float3 xformOp:rotateXYZ = (90, 0, 0) # degrees
    uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
}
`;

describe('manyworlds fix', () => {
	let dir = '';
	beforeEach(() => {
		dir = mkdtempSync(join(tmpdir(), 'manyworlds-fix-'));
		writeFileSync(join(dir, 'robot.usda'), TEXT);
	});
	afterEach(() => rmSync(dir, { recursive: true, force: true }));

	async function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
		let [stdout, stderr] = ['', ''];
		const text = (data: string | Uint8Array): string =>
			typeof data === 'string' ? data : new TextDecoder().decode(data);
		const status = await main(['fix', ...args], {
			cwd: dir,
			env: {},
			now: () => 0,
			stdout: { write: (data: string | Uint8Array) => void (stdout += text(data)), isTTY: false },
			stderr: { write: (data: string | Uint8Array) => void (stderr += text(data)), isTTY: false },
		} as never);
		return { status, stdout, stderr };
	}

	it('shows diffs and writes nothing', async () => {
		const { status, stdout, stderr } = await run('robot.usda', '--diff', '--only', 'F3,F7');
		expect(status).toBe(0);
		expect(stdout).toContain('--- a/robot.usda\n+++ b/robot.usda\n');
		expect(stdout).toContain('+    timeCodesPerSecond = 1\n');
		expect(stdout).toContain('-    float3 xformOp:rotateXYZ = (90, 0, 0) # degrees\n');
		expect(stderr).toContain('robot.usda: 5 edits, 1 file would change');
		expect(readFileSync(join(dir, 'robot.usda'), 'utf8')).toBe(TEXT);
	});

	it('writes files, keeps a backup once, and has nothing to do the second time', async () => {
		expect((await run('robot.usda', '--backup', '--asset-version', '1.0')).status).toBe(0);
		const fixed = readFileSync(join(dir, 'robot.usda'), 'utf8');
		expect(fixed).toContain('# the robot');
		expect(fixed).toContain('string version = "1.0"');
		expect(readFileSync(join(dir, 'robot.usda.orig'), 'utf8')).toBe(TEXT);
		expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
		const { stderr } = await run('robot.usda', '--backup', '--asset-version', '1.0');
		expect(stderr).toContain('robot.usda: nothing to fix');
		expect(readFileSync(join(dir, 'robot.usda.orig'), 'utf8')).toBe(TEXT);
	});

	it('writes the asset elsewhere and leaves the original alone', async () => {
		await run('robot.usda', '-o', 'fixed', '--asset-version', '1.0');
		expect(readFileSync(join(dir, 'robot.usda'), 'utf8')).toBe(TEXT);
		expect(readFileSync(join(dir, 'fixed/robot.usda'), 'utf8')).toContain('timeCodesPerSecond = 1');
	});

	it('keeps several assets apart, with what other variants and tiles name', async () => {
		const text = (name: string): string => `#usda 1.0
(
    defaultPrim = "robot"
)

def Xform "robot" (
    prepend variantSets = "v"
    variants = {
        string v = "a"
    }
)
{
    asset picture = @./${name}.<UDIM>.png@
    variantSet "v" = {
        "a" {
        }
        "b" (
            references = @./part.usda@
        ) {
        }
    }
}
`;
		for (const name of ['one', 'two']) {
			mkdirSync(join(dir, name));
			writeFileSync(join(dir, name, 'robot.usda'), text(name));
			writeFileSync(
				join(dir, name, 'part.usda'),
				`#usda 1.0\n(\n    defaultPrim = "p"\n)\n\ndef "p"\n{\n    string of = "${name}"\n}\n`,
			);
			writeFileSync(join(dir, name, `${name}.1002.png`), name);
		}
		await run('one/robot.usda', 'two/robot.usda', '-o', 'fixed', '--only', 'F7');
		for (const name of ['one', 'two']) {
			expect(readFileSync(join(dir, 'fixed', name, 'robot.usda'), 'utf8')).toContain('timeCodesPerSecond = 1');
			expect(readFileSync(join(dir, 'fixed', name, 'part.usda'), 'utf8')).toContain(`"${name}"`);
			expect(readFileSync(join(dir, 'fixed', name, `${name}.1002.png`), 'utf8')).toBe(name);
		}
	});

	it('says what lies elsewhere and is not copied', async () => {
		mkdirSync(join(dir, 'inner'));
		writeFileSync(join(dir, 'inner/entry.usda'), '#usda 1.0\n(\n    subLayers = [@../robot.usda@]\n)\n');
		const { stderr } = await run('inner/entry.usda', '--root', '.', '-o', 'fixed', '--only', 'F7');
		expect(stderr).toContain("'robot.usda' lies outside of 'inner' and was not copied");
	});

	it('makes the example heron one without findings', async () => {
		const heron = join(import.meta.dirname, '../../../examples/robots/heron/heron.usda');
		const told = ['--identifier', 'heron', '--package-uri', 'package://heron_description/heron.usda'];
		expect((await run(heron, '--unsafe', ...told, '-o', 'heron')).status).toBe(0);
		let stdout = '';
		const status = await main(['check', 'heron/heron.usda', '--jobs', '1'], {
			cwd: dir,
			env: {},
			now: () => 0,
			stdout: { write: (data: string | Uint8Array) => void (stdout += String(data)), isTTY: false },
			stderr: { write: () => {}, isTTY: false },
		} as never);
		expect(stdout).toContain('no findings');
		expect(status).toBe(0);
	});

	it('puts right only what is selected, and prints the plan', async () => {
		const { stdout } = await run('robot.usda', '--select', 'R1.1.3', '--plan', '-');
		const plan = JSON.parse(stdout) as { items: { rule: string; op: string; layer: string }[] };
		expect(plan.items).toEqual([
			expect.objectContaining({ rule: 'R1.1.3', family: 'F7', op: 'add', path: '/', layer: 'robot.usda' }),
		]);
	});

	it('asks for what it cannot know, and says what it does not know', async () => {
		const { status, stderr } = await run('robot.usda', '--only', 'F9');
		expect(status).toBe(1);
		expect(stderr).toContain('--asset-version VERSION');
		expect((await run('robot.usda', '--only', 'F99')).status).toBe(2);
		expect((await run('robot.usda', '--select', 'R9.9')).status).toBe(2);
		expect((await run('robot.usda', '--limits', 'hinge')).status).toBe(2);
		expect((await run('missing.usda')).status).toBe(2);
		expect(existsSync(join(dir, 'missing.usda'))).toBe(false);
	});

	it('fixes entries of a folder, not the layers that they are made of', async () => {
		writeFileSync(join(dir, 'entry.usda'), '#usda 1.0\n(\n    subLayers = [@./robot.usda@]\n)\n');
		const { stderr } = await run('.', '--only', 'F7', '--diff');
		expect(stderr).toContain('entry.usda: 2 edits, 2 files would change');
		expect(stderr).not.toContain('\nrobot.usda:');
	});
});
