import { check, convert, openAsset } from 'manyworlds';
import { expect, it } from 'vitest';

const ROBOTS: readonly (readonly [what: string, text: string])[] = [
	[
		'joints of one body about axes that are no frame',
		`<mujoco><worldbody><body name="base"><geom size="0.1"/>
			<body name="arm" pos="0 0 0.3">
				<joint name="a" axis="1 0 0"/><joint name="b" axis="1 1 0"/>
				<geom size="0.05"/><site name="tip" pos="0 0 0.1"/>
			</body></body></worldbody></mujoco>`,
	],
	[
		'bodies that only a loop holds together',
		`<mujoco><worldbody>
			<body name="one"><freejoint/><geom size="0.1"/><site name="here" pos="0 0 0.1"/></body>
			<body name="two" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="there" pos="0 0 0.1"/></body>
			</worldbody><equality><connect body1="one" body2="two" anchor="0 0 0.5"/></equality></mujoco>`,
	],
];

it.each(ROBOTS)('frames of %s are static where they stay on their link', async (_, text) => {
	const { bytes, files } = await convert(await openAsset({ files: { 'robot.xml': text }, entry: 'robot.xml' }), 'rep');
	const written = new Map([['robot.usda', bytes], ...files]);
	const { report } = await check(await openAsset({ files: written, entry: 'robot.usda' }));
	expect(report.toArray().filter(({ code }) => code === 'R2.7.7')).toEqual([]);
	const ros = new TextDecoder().decode(written.get('ros.usda'));
	expect(ros).toContain('RosFrameAPI');
});
