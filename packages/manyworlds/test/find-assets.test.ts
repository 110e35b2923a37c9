import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
	const folder = temporaryFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(join(folder, name, '..'), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
	return folder;
}

/** The assets of a folder, as each command sees them. */
async function assets(cwd: string): Promise<{ check: string[]; fix: string[] }> {
	const checked = await runCli(['check', '.', '--format', 'json', '--select', 'R1.1.3'], { cwd });
	await runCli(['fix', '.', '--diff', '--only', 'F7', '--plan', 'plan.json'], { cwd });
	return {
		check: JSON.parse(checked.stdout).summary.assets.map(({ asset }: { readonly asset: string }) => asset),
		fix: [JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))].flat().map(({ asset }) => asset),
	};
}

const PART = '#usda 1.0\ndef Xform "Part" {}\n';

describe('the assets of a folder', () => {
	it('are the same to check and fix where only an unselected variant refers to a part', async () => {
		const robot = `#usda 1.0
def Xform "Robot" (
    variantSets = "tool"
    variants = { string tool = "none" }
)
{
    variantSet "tool" = {
        "gripper" { def "hand" (references = @./parts/hand.usda@</Part>) {} }
        "none" {}
    }
}
`;
		const found = await assets(folderWith({ 'robot.usda': robot, 'parts/hand.usda': PART }));
		expect(found).toEqual({ check: ['robot.usda'], fix: ['robot.usda'] });
	});

	it('leave out parts of a folder beside, which files reach by ..', async () => {
		const robot = '#usda 1.0\ndef Xform "Robot" (references = @../parts/hand.usda@</Part>) {}\n';
		const found = await assets(folderWith({ 'robots/robot.usda': robot, 'parts/hand.usda': PART }));
		expect(found).toEqual({ check: ['robots/robot.usda'], fix: ['robots/robot.usda'] });
	});
});
