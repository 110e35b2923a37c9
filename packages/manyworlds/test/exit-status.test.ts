import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from 'manyworlds/internal';
import { beforeEach, describe, expect, it } from 'vitest';
import { HERON, ROOT, runCli, temporaryFolder } from './run-cli.ts';

/** A box that falls; the second has a mistake in its layer, the third leads to a file that is not there. */
const BOX = `#usda 1.0
(
    defaultPrim = "Box"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    upAxis = "Z"
)

def Cube "Box" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]
)
{
    float physics:mass = 2
    double size = 0.5
}
`;
const BROKEN = BOX.replace('float physics:mass = 2', 'float physics:mass =');
const DANGLING = BOX.replace('def Cube "Box" (', 'def Cube "Box" (\n    prepend references = @missing.usda@');

/** An asset that no rule finds fault with. */
const CLEAN = `#usda 1.0
(
    defaultPrim = "box"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    timeCodesPerSecond = 1
    upAxis = "Z"
)

def Xform "box" (
    assetInfo = {
        string identifier = "box"
        dictionary ros = {
            string package_uri = "package://box/box.urdf"
        }
        string version = "1"
    }
    kind = "component"
)
{
}
`;

/** A robot whose collider is a mesh that is not there. */
const NO_MESH = `<robot name="r">
  <link name="base">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
    <collision><geometry><mesh filename="none.stl"/></geometry></collision>
  </link>
</robot>`;

/** A plan of two runs; three points of Sobol' are fewer than they should be, and one prim is not there. */
const PLAN = `version: 1
name: study
asset: box.usda
runs: {sampler: {kind: lhs, count: 2}}
parameters: {m: {path: "prim:/Box.physics:mass", range: [1, 2]}}
simulate: {duration: 0.01}
outputs: {metrics: {e: {last: energy}}}
`;

interface Row {
	readonly clean: readonly string[];
	readonly findings: readonly string[];
	readonly unusable: readonly string[];
}

/** One call of each command for each status. */
const COMMANDS: Readonly<Record<string, Row>> = {
	check: { clean: ['check', 'clean.usda'], findings: ['check', 'box.usda'], unusable: ['check', 'none.usda'] },
	fix: {
		clean: ['fix', join(ROOT, HERON), '--diff'],
		findings: ['fix', 'broken.usda', '--diff'],
		unusable: ['fix', 'none.usda'],
	},
	convert: {
		clean: ['convert', 'box.usda', 'out.usdc'],
		findings: ['convert', 'broken.usda', 'out.usdc'],
		unusable: ['convert', 'image.usda', 'out.usdc'],
	},
	inspect: {
		clean: ['inspect', 'box.usda'],
		findings: ['inspect', 'broken.usda'],
		unusable: ['inspect', 'image.usda'],
	},
	flatten: {
		clean: ['flatten', 'box.usda', '-o', 'out.usda'],
		findings: ['flatten', 'dangling.usda', '-o', 'out.usda'],
		unusable: ['flatten', 'image.usda', '-o', 'out.usda'],
	},
	explain: {
		clean: ['explain', 'box.usda', '/Box.size'],
		findings: ['explain', 'broken.usda', '/Box.size'],
		unusable: ['explain', 'box.usda', '/Nothing'],
	},
	format: {
		clean: ['format', 'box.usda'],
		findings: ['format', 'squeezed.usda', '--check'],
		unusable: ['format', 'image.usda', '--check'],
	},
	run: {
		clean: ['run', 'box.usda', '--frames', '2'],
		findings: ['run', 'mesh.urdf', '--floating', '--frames', '2'],
		unusable: ['run', 'empty.usda', '--frames', '2'],
	},
	bench: {
		clean: ['bench', 'box.usda', '--frames', '2', '--warmup', '0'],
		findings: ['bench', 'broken.usda', '--frames', '2', '--warmup', '0'],
		unusable: ['bench', 'empty.usda', '--frames', '2', '--warmup', '0'],
	},
	serve: {
		clean: ['serve', 'box.usda', '--no-rtps', '--rate', 'max', '--exit-after', '0.01'],
		findings: ['serve', 'mesh.urdf', '--floating', '--no-rtps', '--rate', 'max', '--exit-after', '0.01'],
		unusable: ['serve', 'empty.usda', '--no-rtps', '--rate', 'max', '--exit-after', '0.01'],
	},
	record: {
		clean: ['record', 'box.usda', '-o', 'box.mcap', '--duration', '0.01'],
		findings: ['record', 'mesh.urdf', '--floating', '-o', 'mesh.mcap', '--duration', '0.01'],
		unusable: ['record', 'empty.usda', '-o', 'empty.mcap', '--duration', '0.01'],
	},
	sweep: {
		clean: ['sweep', 'plan.yaml', '--dry-run'],
		findings: ['sweep', 'odd.yaml', '--dry-run'],
		unusable: ['sweep', 'wrong.yaml', '--dry-run'],
	},
};

let cwd = '';
beforeEach(() => {
	cwd = temporaryFolder();
	const files = {
		'clean.usda': CLEAN,
		'box.usda': BOX,
		'broken.usda': BROKEN,
		'dangling.usda': DANGLING,
		'squeezed.usda': BOX.replace('    double size = 0.5', 'double    size=0.5'),
		'empty.usda': '#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n\ndef Xform "a"\n{\n}\n',
		'image.usda': '\u0089PNG\r\n\u001a\n',
		'mesh.urdf': NO_MESH,
		'plan.yaml': PLAN,
		'odd.yaml': PLAN.replace('lhs, count: 2', 'sobol, count: 3'),
		'wrong.yaml': PLAN.replace('/Box', '/None'),
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text, 'latin1');
});

describe.each(Object.entries(COMMANDS))('manyworlds %s', (_, { clean, findings, unusable }) => {
	it('exits 0 when all is well', async () => {
		const { code, stderr } = await runCli(clean, { cwd });
		expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|warning/)]);
	});

	it('exits 1 when the input could be worked with and something is wrong with it', async () => {
		const { code, stdout, stderr } = await runCli(findings, { cwd });
		expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/error|warning/)]);
	});

	it('exits 2 when the input cannot be used, and when the command is used wrongly', async () => {
		for (const args of [unusable, [...clean, '--no-such-option']]) {
			const { code, stdout, stderr } = await runCli(args, { cwd });
			expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('error')]);
		}
	});

	it('exits 3 when Manyworlds itself fails', async () => {
		const texts: string[] = [];
		const stream = { write: (text: string | Uint8Array) => texts.push(String(text)) };
		const io = {
			stdout: stream,
			stderr: stream,
			env: {},
			now: () => 0,
			get cwd(): string {
				throw new Error('the working directory is gone');
			},
		};
		expect(await main(clean, io)).toBe(3);
		expect(texts.join('')).toContain('This is a fault in Manyworlds');
	});
});

/** Commands that run until they are stopped, with something that they cannot do. */
const UNTIL_STOPPED: Readonly<Record<string, readonly string[]>> = {
	view: ['view', 'absent.usda', '--no-open'],
	lsp: ['lsp', '--port', '7'],
	worker: ['worker', '--queue', 'gopher://x'],
};

it.each(Object.entries(UNTIL_STOPPED))('%s of what it cannot do: nothing runs', async (_, args) => {
	expect((await runCli(args, { cwd })).code).toBe(2);
});

it('the guide has every command in its table', () => {
	const guide = readFileSync(join(ROOT, 'docs/guide/exit-status.md'), 'utf8');
	for (const name of [...Object.keys(COMMANDS), ...Object.keys(UNTIL_STOPPED)])
		expect(guide).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
});

it('the table tests every command that there is', async () => {
	const { stdout } = await runCli(['--help']);
	const names = [...stdout.matchAll(/^ {2}(\w+) .*\[options\]/gm)].map(([, name]) => name);
	expect(names.sort()).toEqual([...Object.keys(COMMANDS), ...Object.keys(UNTIL_STOPPED)].sort());
});

describe('what an exit status went with before', () => {
	it('a missing mesh: the run got to the end and said that nothing ran', async () => {
		const { code, stdout, stderr } = await runCli(['run', 'mesh.urdf', '--floating', '--frames', '2'], { cwd });
		expect(stdout).toContain('2 steps of 0.002 s');
		expect(stderr).toContain('none.stl');
		expect(code).toBe(1);
	});

	it('a stage with errors: flatten wrote what convert refuses to', async () => {
		for (const args of [
			['flatten', 'dangling.usda', '-o', 'out.usda'],
			['convert', 'broken.usda', 'out.usda'],
		]) {
			const { stderr } = await runCli(args, { cwd });
			expect(stderr).toContain("error CLI011: 'out.usda' was not written, because the input has errors");
			expect(existsSync(join(cwd, 'out.usda'))).toBe(false);
		}
		const { stdout, stderr } = await runCli(['flatten', 'dangling.usda'], { cwd });
		expect([stdout, stderr]).toEqual(['', expect.stringContaining('nothing was written')]);
	});

	it('a scene without bodies: it ran, and energy was 0 → 0 J', async () => {
		writeFileSync(join(cwd, 'empty.yaml'), 'bodies: []\n');
		for (const file of ['empty.usda', 'empty.yaml']) {
			const { code, stdout, stderr } = await runCli(['run', file], { cwd });
			expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('CLI024: nothing was run')]);
		}
	});

	it('a package that is cut off: its members were no such file', async () => {
		await runCli(['convert', join(ROOT, HERON), 'robot.usdz'], { cwd });
		const bytes = readFileSync(join(cwd, 'robot.usdz'));
		writeFileSync(join(cwd, 'cut.usdz'), bytes.subarray(0, 20_000));
		const { code, stdout } = await runCli(['check', 'cut.usdz'], { cwd });
		expect(code).toBe(1);
		expect(stdout).toContain(
			'cut.usdz: error USDZ001: there is no zip directory at the end of the file: it is cut off',
		);
		expect(stdout).toContain('the package is cut off before it');
		expect(stdout).not.toContain('no such file');
	});

	it.each(['check', 'fix', 'format', 'inspect', 'run'])(
		'a path that cannot be followed: %s failed within',
		async (name) => {
			symlinkSync('loop', join(cwd, 'loop'));
			const { code, stdout, stderr } = await runCli([name, 'loop'], { cwd });
			expect([code, stdout + stderr]).toEqual([2, expect.stringContaining("'loop' cannot be read: ")]);
		},
	);

	it.skipIf(process.getuid?.() === 0)('a folder without permission: check failed within', async () => {
		mkdirSync(join(cwd, 'closed'));
		chmodSync(join(cwd, 'closed'), 0);
		const { code, stderr } = await runCli(['check', 'closed'], { cwd });
		chmodSync(join(cwd, 'closed'), 0o700);
		expect([code, stderr]).toEqual([2, expect.stringContaining("the folder 'closed' cannot be read")]);
	});

	it('a typing mistake: the suggestion stood behind a sign for a line end', async () => {
		const { stderr } = await runCli(['rn', 'box.usda'], { cwd });
		expect(stderr).toContain("unknown command 'rn' (Did you mean run?) (see manyworlds help)");
	});

	it('inspect of a robot that is no USD: it is listed as it is imported', async () => {
		const { code, stdout } = await runCli(['inspect', 'mesh.urdf'], { cwd });
		expect([code, stdout]).toEqual([1, expect.stringContaining('mesh.urdf  URDF, z up')]);
	});
});
