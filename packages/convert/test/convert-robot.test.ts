import { Report } from '@manyworlds/core';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { convertRobot } from '../src/index.ts';
import {
	convertText,
	expectClose,
	massMatrix,
	mjcfModel,
	poses,
	positionOf,
	text,
	turnOf,
	urdfModel,
} from './robots.ts';

/** An arm whose frames are nowhere simple: turned origins, an axis off the coordinate axes, a link without mass at its end. */
const ARM = `<robot name="arm">
	<material name="red"><color rgba="0.8 0.2 0.1 1"/></material>
	<link name="world"/>
	<link name="base">
		<inertial><origin xyz="0.01 0.02 0.03" rpy="0.3 -0.2 0.5"/><mass value="4"/>
			<inertia ixx="0.05" iyy="0.06" izz="0.07" ixy="0.004" ixz="-0.003" iyz="0.002"/></inertial>
		<visual><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><geometry><box size="0.2 0.3 0.4"/></geometry><material name="red"/></visual>
		<collision name="trunk"><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision>
	</link>
	<link name="upper">
		<inertial><origin xyz="0 0.1 0.2"/><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0" ixz="0" iyz="0.001"/></inertial>
	</link>
	<link name="lower">
		<inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
	</link>
	<link name="tool"/>
	<joint name="anchor" type="fixed"><parent link="world"/><child link="base"/><origin xyz="1 2 3" rpy="0.4 1.5707963267948966 0.2"/></joint>
	<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
		<origin xyz="0.1 -0.2 0.3" rpy="0.5 0.6 -0.7"/><axis xyz="1 2 -2"/>
		<limit lower="-1.5" upper="2" effort="30" velocity="4"/><dynamics damping="0.3" friction="0.2"/></joint>
	<joint name="slide" type="prismatic"><parent link="upper"/><child link="lower"/>
		<origin xyz="0 0 0.4" rpy="0 1 0"/><axis xyz="0 1 0"/><limit lower="-0.1" upper="0.4" effort="10" velocity="1"/>
		<mimic joint="shoulder" multiplier="0.1" offset="0.02"/></joint>
	<joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0.2 0 0" rpy="0 0 1"/></joint>
</robot>`;

describe('URDF to URDF, SDF and MJCF', () => {
	it('keeps the mass matrix at random poses through URDF and MJCF', () => {
		const source = urdfModel(ARM);
		const urdf = urdfModel(text(convertText('arm.urdf', ARM, 'urdf').files[0]!.content));
		const mjcf = mjcfModel(text(convertText('arm.urdf', ARM, 'mjcf').files[0]!.content));
		for (const values of poses(20, 2)) {
			const expected = massMatrix(source, values);
			expectClose(massMatrix(urdf, values), expected, 1e-10);
			expectClose(massMatrix(mjcf, values), expected, 1e-10);
		}
	});

	it('keeps limits, dynamics and the joint that follows', () => {
		const model = urdfModel(text(convertText('arm.urdf', ARM, 'urdf').files[0]!.content));
		expect(Array.from(model.jointLimitLower)).toEqual([-1.5, -0.1]);
		expect(Array.from(model.jointLimitUpper)).toEqual([2, 0.4]);
		expect(Array.from(model.jointEffortLimit)).toEqual([30, 10]);
		expect(Array.from(model.jointFriction)).toEqual([0.2, 0]);
		expect(Array.from(model.constraintMimicCoef1)).toEqual([0.1]);
		const mjcf = text(convertText('arm.urdf', ARM, 'mjcf').files[0]!.content);
		expect(mjcf).toContain('polycoef="0.02 0.1 0 0 0"');
		expect(mjcf).toContain('range="-1.5 2" actuatorfrcrange="-30 30" damping="0.3" frictionloss="0.2"');
	});

	it('writes the world as SDF and MJCF have it', () => {
		const sdf = text(convertText('arm.urdf', ARM, 'sdf').files[0]!.content);
		expect(sdf).toMatch(/<joint name="anchor" type="fixed">[\s\S]*?<parent>world<\/parent>/);
		expect(sdf).not.toContain('<link name="world"');
		const mjcf = text(convertText('arm.urdf', ARM, 'mjcf').files[0]!.content);
		expect(mjcf).not.toContain('freejoint');
	});

	it('gives a link without mass no mass in SDF', () => {
		const sdf = text(convertText('arm.urdf', ARM, 'sdf').files[0]!.content);
		expect(sdf).toContain('<frame name="tool" attached_to="lower">');
		expect(sdf).not.toContain('<link name="tool"');
	});

	it('writes colours as screens show them', () => {
		expect(text(convertText('arm.urdf', ARM, 'urdf').files[0]!.content)).toContain('rgba="0.8 0.2 0.1 1"');
	});

	it('enters every item once, whatever becomes of it', () => {
		for (const to of ['urdf', 'sdf', 'mjcf'] as const) {
			const { ledger, model } = convertText('arm.urdf', ARM, to);
			const count = (kind: string): number => ledger.filter((item) => item.kind === kind).length;
			expect(count('body')).toBe(model.bodies.length);
			expect(count('joint')).toBe(model.joints.length);
			expect(count('visual') + count('collider')).toBe(model.shapes.length);
			expect(count('mimic')).toBe(1);
		}
	});
});

const LINK = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';

describe('what a target cannot hold', () => {
	it('lifts an inertia that no solid has just enough for MuJoCo, and says so', () => {
		const plate = LINK.replace('izz="1"', 'izz="2.5"');
		const { files, ledger } = convertText('r.urdf', `<robot name="r"><link name="a">${plate}</link></robot>`, 'mjcf');
		// 1 + 1 < 2.5: every moment is lifted by a half, and each two are then at least the third
		expect(text(files[0]!.content)).toMatch(/fullinertia="1\.5\d* 1\.5\d* 3\.0\d* 0 0 0"/);
		expect(ledger[0]).toMatchObject({ outcome: 'approximated', losses: [{ code: 'inertia-unphysical' }] });
	});

	it('lifts such an inertia in SDF too, whose readers refuse the file for it, and keeps it in URDF', () => {
		const robot = `<robot name="r"><link name="a">${LINK.replace('izz="1"', 'izz="2.5"')}</link></robot>`;
		const { files, ledger } = convertText('r.urdf', robot, 'sdf');
		const value = (name: string): number => Number(new RegExp(`<${name}>([^<]*)<`).exec(text(files[0]!.content))![1]);
		for (const [name, expected] of Object.entries({ ixx: 1.5, iyy: 1.5, izz: 3, ixy: 0, ixz: 0, iyz: 0, mass: 1 })) {
			expect(value(name), name).toBeCloseTo(expected, 7);
		}
		expect(ledger[0]).toMatchObject({ outcome: 'approximated', losses: [{ code: 'inertia-unphysical' }] });
		const same = convertText('r.urdf', robot, 'urdf');
		expect(text(same.files[0]!.content)).toContain('izz="2.5"');
		expect(same.ledger[0]!.losses).toEqual([]);
	});

	it('holds a joint without way fast in MJCF, where equal limits mean none', () => {
		const robot = `<robot name="r"><link name="a">${LINK}</link><link name="b">${LINK}</link>
			<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit effort="1" velocity="1"/></joint></robot>`;
		const { files, ledger } = convertText('r.urdf', robot, 'mjcf');
		expect(text(files[0]!.content)).not.toContain('hinge');
		expect(ledger.find(({ name }) => name === 'j')!.losses.map(({ code }) => code)).toContain('joint-locked');
	});

	it('renames a joint of SDF that is called as a link is', () => {
		const robot = `<robot name="r"><link name="a">${LINK}</link><link name="b">${LINK}</link>
			<joint name="b" type="continuous"><parent link="a"/><child link="b"/></joint></robot>`;
		const { files, ledger } = convertText('r.urdf', robot, 'sdf');
		expect(text(files[0]!.content)).toContain('<joint name="b_joint" type="continuous">');
		expect(ledger.find(({ kind }) => kind === 'joint')).toMatchObject({ name: 'b', renamed: 'b_joint' });
	});

	it('inserts a link where an axis does not go through the origin of its child, and moves as before', () => {
		const source = `<mujoco><worldbody><body name="a"><geom size="0.1" mass="1"/><body name="b" pos="0.3 0 0" euler="10 20 30">
			<joint name="j" axis="0 1 1" pos="0.1 0.2 -0.1" range="-60 60"/><inertial pos="0 0 0.1" mass="2" diaginertia="0.1 0.2 0.15"/>
		</body></body></worldbody></mujoco>`;
		const { files, ledger } = convertText('r.xml', source, 'urdf');
		const written = text(files[0]!.content);
		expect(written).toContain('<link name="j_frame"/>');
		expect(ledger.find(({ name }) => name === 'j')!.losses.map(({ code }) => code)).toContain('frame-inserted');
		const [before, after] = [mjcfModel(source), urdfModel(written)];
		for (const values of poses(10, 1)) {
			expectClose(positionOf(after, 'b', values), positionOf(before, 'b', values), 1e-9);
			expectClose(massMatrix(after, values), massMatrix(before, values), 1e-9);
		}
	});

	it('counts joints of MJCF with a reference from zero', () => {
		const source = `<mujoco><compiler angle="radian"/><worldbody><body name="a"><geom size="0.1" mass="1"/><body name="b" pos="0.3 0 0">
			<joint name="j" axis="0 0 1" ref="0.5" range="-1 1"/><geom size="0.1" pos="0.2 0 0" mass="1"/></body></body></worldbody></mujoco>`;
		const after = urdfModel(text(convertText('r.xml', source, 'urdf').files[0]!.content));
		// at 0.5 of MJCF the body stands as the file has it
		expectClose(turnOf(after, 'b', [0.5]), [0, 0, 0, 1], 1e-12);
		expect(Array.from(after.jointLimitLower)).toEqual([-1]);
	});
});

describe('loops and joints that lead towards the root', () => {
	/** Four bars in a circle: the first stands, and the two that hang on it are nearer than the one across. */
	const LOOP = `<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1" mass="1"/>
		<body name="b" pos="1 0 0"><joint name="ab" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
		<body name="d" pos="0 1 0"><joint name="ad" axis="0 0 1"/><geom size="0.1" mass="1"/></body></body></worldbody>
		<equality><connect name="bd" body1="b" body2="d" anchor="-0.5 0.5 0"/></equality></mujoco>`;

	it('are lost in URDF, and kept in SDF and MJCF', () => {
		const lost = convertText('r.xml', LOOP, 'urdf').ledger.find(({ kind }) => kind === 'loop')!;
		expect(lost).toMatchObject({ outcome: 'dropped', losses: [{ code: 'loop' }] });
		expect(text(convertText('r.xml', LOOP, 'mjcf').files[0]!.content)).toContain(
			'<connect name="bd" body1="b" body2="d" anchor="-0.5 0.5 0"/>',
		);
		expect(text(convertText('r.xml', LOOP, 'sdf').files[0]!.content)).toContain('<joint name="bd" type="ball">');
	});

	it('break where the tree stays shortest', () => {
		const link = (name: string): string => `<link name="${name}">${LINK}</link>`;
		const joint = (name: string, parent: string, child: string): string =>
			`<joint name="${name}" type="continuous"><parent link="${parent}"/><child link="${child}"/><axis xyz="0 0 1"/></joint>`;
		const robot = `<robot name="r">${['a', 'b', 'c', 'd'].map(link).join('')}
			${joint('ab', 'a', 'b')}${joint('bc', 'b', 'c')}${joint('cd', 'c', 'd')}${joint('ad', 'a', 'd')}</robot>`;
		const { model } = convertText('r.urdf', robot, 'sdf');
		expect(model.joints.map(({ name }) => name)).toEqual(['ab', 'bc', 'ad']);
		expect(model.loops.map(({ name }) => name)).toEqual(['cd']);
	});
});

describe('hostile input', () => {
	it('escapes names that are markup and keeps files in the folder', () => {
		const name = '&lt;/link&gt;&lt;evil a=&quot;1&quot;/&gt;';
		const robot = `<robot name="../../evil"><link name="${name}">${LINK}
			<collision name="../../../etc/passwd"><geometry><capsule radius="0.1" length="1"/></geometry></collision></link></robot>`;
		for (const to of ['urdf', 'sdf', 'mjcf'] as const) {
			const { files } = convertText('r.urdf', robot, to);
			expect(text(files[0]!.content)).not.toContain('<evil');
			for (const { path } of files) expect(path).not.toMatch(/\.\.|^\//);
		}
	});

	const chain = (count: number): string => {
		const links = Array.from({ length: count }, (_, i) => `<link name="l${i}">${LINK}</link>`).join('');
		const joints = Array.from(
			{ length: count - 1 },
			(_, i) => `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/></joint>`,
		).join('');
		return `<robot name="r">${links}${joints}</robot>`;
	};

	it('goes through a chain of 20,000 links', () => {
		const { files, model } = convertText('r.urdf', chain(20_000), 'urdf');
		expect(model.joints).toHaveLength(19_999);
		expect(text(files[0]!.content)).toContain('<link name="l19999">');
	});

	it.each(['sdf', 'mjcf', 'glb', 'rep'] as const)(
		'goes through a chain of 5,000 links to %s, with as many bytes for each as for a short one',
		(to) => {
			const { files, model, report } = convertText('r.urdf', chain(5_000), to);
			expect(model.joints).toHaveLength(4_999);
			const size = files.reduce((sum, { content }) => sum + content.length, 0);
			expect(size).toBeLessThan(5_000 * 10_000);
			const tooDeep = report.toArray().filter(({ code }) => code === 'CNV011');
			expect(tooDeep.map(({ range }) => range?.start.line)).toEqual(to === 'mjcf' ? [1] : []);
		},
	);

	it('says from where on MuJoCo would not read a chain', () => {
		const codes = (count: number): string[] =>
			convertText('r.urdf', chain(count), 'mjcf')
				.report.toArray()
				.map(({ code }) => code);
		expect(codes(496)).not.toContain('CNV011');
		expect(codes(497)).toContain('CNV011');
	});

	it('says that a mesh is missing and converts the rest', () => {
		const robot = `<robot name="r"><link name="a">${LINK}<visual><geometry><mesh filename="no.stl"/></geometry></visual></link></robot>`;
		const { report, model } = convertText('r.urdf', robot, 'sdf');
		expect(report.toArray().map(({ code }) => code)).toContain('CNV001');
		expect(model.bodies).toHaveLength(1);
	});

	it('writes nothing without a robot', () => {
		const store = new MemoryStore({ 'r.urdf': '<robot name="r"/>' });
		const report = new Report();
		expect(convertRobot('r.urdf', { store, to: 'sdf', report })).toBeUndefined();
		expect(report.toArray().map(({ code }) => code)).toContain('CNV003');
	});
});
