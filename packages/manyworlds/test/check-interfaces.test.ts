import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

const ASSET = `#usda 1.0
(
	defaultPrim = "robot"
)

def Xform "robot" (
	prepend apiSchemas = ["RosContextAPI"]
)
{
	def Xform "bump" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
		uniform string ros:topic:name = "bump"
		uniform string ros:topic:override_frame_id = "map"
		uniform double ros:topic:publish_rate = 10
		uniform token ros:topic:role = "publisher"
		uniform string ros:topic:type = "acme_msgs/msg/Bump"
	}
}
`;

describe('manyworlds check --interfaces', () => {
	it('knows the types of the packages in a folder', async () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'robot.usda'), ASSET);
		const rules = ['check', 'robot.usda', '--select', 'R2.3.1,R2.4.6'];
		const without = await runCli(rules, { cwd: folder });
		expect(without.stdout + without.stderr).toContain('acme_msgs/msg/Bump');
		expect(without.code).toBe(1);

		mkdirSync(join(folder, 'ws/src/acme_msgs/msg'), { recursive: true });
		writeFileSync(join(folder, 'ws/src/acme_msgs/msg/Bump.msg'), 'std_msgs/Header header\nbool hit\n');
		const known = await runCli([...rules, '--interfaces', 'ws'], { cwd: folder });
		expect(known.code).toBe(0);

		// the file says whether there is a header
		writeFileSync(join(folder, 'ws/src/acme_msgs/msg/Bump.msg'), 'bool hit\n');
		const bare = await runCli([...rules, '--interfaces', 'ws'], { cwd: folder });
		expect(bare.stdout + bare.stderr).toContain('R2.4.6');
	});

	it('says which folder cannot be read', async () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'robot.usda'), ASSET);
		const { code, stderr } = await runCli(['check', 'robot.usda', '--interfaces', 'nowhere'], { cwd: folder });
		expect(code).toBe(2);
		expect(stderr).toContain("--interfaces 'nowhere' cannot be read");
	});
});
