import { describe, expect, it } from 'vitest';
import { convertText, expectClose, massMatrix, poses, positionOf, text, turnOf, urdfModel } from './robots.ts';

/** An arm with a gripper and a camera that fixed joints hold, one below the other. */
const ARM = `<robot name="arm">
	<link name="base"><inertial><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
	<link name="hand"><inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>
	<link name="gripper"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.025" ixy="0" ixz="0" iyz="0"/></inertial>
		<collision name="jaw"><origin xyz="0 0 0.1"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link>
	<link name="camera"/>
	<link name="finger"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
	<joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
	<joint name="mount" type="fixed"><parent link="hand"/><child link="gripper"/><origin xyz="0.4 0 0" rpy="0 0 1.5707963267948966"/></joint>
	<joint name="eye" type="fixed"><parent link="gripper"/><child link="camera"/><origin xyz="0.05 0 0.2"/></joint>
	<joint name="slide" type="prismatic"><parent link="gripper"/><child link="finger"/><origin xyz="0 0.1 0" rpy="0.3 0 0"/><axis xyz="0 0 1"/><limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
</robot>`;

describe('links that fixed joints hold', () => {
	it('are one with the sum of masses and inertias about the new centre', () => {
		const { model } = convertText('arm.urdf', ARM, 'urdf', { mergeFixed: true });
		expect(model.bodies.map(({ name }) => name)).toEqual(['base', 'hand', 'finger']);
		const { mass, center, tensor } = model.bodies[1]!.inertia!;
		expect(mass).toBe(3);
		// (2 · 0.1 + 1 · 0.4) / 3
		expectClose([...center], [0.2, 0, 0], 1e-12);
		// a quarter turn swaps xx and yy of the gripper; both are moved along x
		const moved = 2 * 0.1 ** 2 + 0.2 ** 2;
		expectClose([...tensor], [0.02 + 0.02, 0.03 + 0.01 + moved, 0.04 + 0.025 + moved, 0, 0, 0], 1e-12);
	});

	it.each(['urdf', 'rep', 'sdf', 'mjcf'] as const)(
		'stay as frames with their shapes in %s, each entered once',
		(to) => {
			const { model, ledger } = convertText('arm.urdf', ARM, to, { mergeFixed: true });
			expect(model.frames.map(({ name, body }) => [name, body])).toEqual([
				['gripper', 1],
				['camera', 1],
			]);
			expectClose([...model.frames[1]!.pose.subarray(0, 3)], [0.4, 0.05, 0.2], 1e-12);
			expectClose([...model.shapes[0]!.pose.subarray(0, 3)], [0.4, 0, 0.1], 1e-12);
			const plain = convertText('arm.urdf', ARM, to).ledger;
			const keys = (items: typeof ledger): string[] => items.map(({ kind, name }) => `${kind} ${name}`).sort();
			expect(keys(ledger)).toEqual(keys(plain));
			const merged = ledger.filter(({ losses }) => losses.some(({ code }) => code === 'fixed-merged'));
			expect(merged.map(({ name }) => name)).toEqual(['gripper', 'camera', 'mount', 'eye']);
		},
	);

	it('move as before: mass matrix and places at random poses', () => {
		const source = urdfModel(ARM);
		const target = urdfModel(text(convertText('arm.urdf', ARM, 'urdf', { mergeFixed: true }).files[0]!.content));
		for (const values of poses(20, 2)) {
			expectClose(massMatrix(target, values), massMatrix(source, values), 1e-10);
			expectClose(positionOf(target, 'finger', values), positionOf(source, 'finger', values), 1e-10);
			expectClose(turnOf(target, 'finger', values), turnOf(source, 'finger', values), 1e-10);
		}
	});

	it('leave a joint that follows one of theirs where it is, and say so', () => {
		const following = ARM.replace(
			'<limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>',
			'<limit lower="0" upper="0.1" effort="1" velocity="1"/><mimic joint="mount"/></joint>',
		);
		const plain = convertText('arm.urdf', following, 'urdf');
		const { model, ledger } = convertText('arm.urdf', following, 'urdf', { mergeFixed: true });
		expect(model.joints.map(({ name }) => name)).toEqual(['wrist', 'slide']);
		expect(model.mimics).toEqual([]);
		const entered = (items: typeof ledger): number => items.filter(({ kind }) => kind === 'mimic').length;
		expect(entered(ledger)).toBe(entered(plain.ledger));
	});
});
