import { GeoType, JointTargetMode, JointType, ModelBuilder, ShapeFlags } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { importText, list } from './support.ts';

const ARM = `<mujoco model="arm">
	<compiler angle="degree"/>
	<option timestep="0.001" gravity="0 0 -3" impratio="5" cone="elliptic"/>
	<default><joint damping="0.5"/><default class="strong"><joint armature="2"/></default></default>
	<worldbody>
		<geom name="floor" type="plane" size="1 1 1"/>
		<body name="upper-arm" pos="0 0 1">
			<joint name="shoulder" axis="0 1 0" range="-90 45" class="strong" ref="30" frictionloss="0.1"/>
			<geom name="bone" type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
			<body name="hand" pos="0 0 -0.4" quat="0 1 0 0">
				<joint name="lift" type="slide" range="0 0.2"/>
				<joint name="turn" axis="1 0 0"/>
				<inertial pos="0 0 0.1" mass="2" fullinertia="3 4 5 0.1 0.2 0.3"/>
				<geom type="box" size="0.1 0.2 0.3" mass="7"/>
				<site name="tip" pos="0 0 0.3"/>
			</body>
		</body>
	</worldbody>
	<actuator><position name="p" joint="shoulder" kp="20" kv="3"/><motor joint="turn" gear="4"/></actuator>
	<keyframe><key name="home" qpos="1 0.1 0.2" qvel="0 0 2" ctrl="0.7 0.3"/></keyframe>
</mujoco>`;

describe('MJCF models', () => {
	test('bodies, joints and shapes have labels, poses and units of the model', () => {
		const { builder, codes } = importText(ARM);
		const model = builder.finalize();
		expect(codes).toEqual([]);
		expect(model.bodyLabels).toEqual(['arm/worldbody/upper_arm', 'arm/worldbody/upper_arm/hand']);
		expect(model.jointLabels).toEqual(['arm/worldbody/upper_arm/shoulder', 'arm/worldbody/upper_arm/hand/lift_turn']);
		expect(list(model.jointType)).toEqual([JointType.REVOLUTE, JointType.D6]);
		expect(model.jointLimitLower[0]).toBeCloseTo(-Math.PI / 2, 14);
		expect(model.jointLimitUpper[0]).toBeCloseTo(Math.PI / 4, 14);
		expect([model.jointArmature[0], model.jointDamping[0], model.jointFriction[0]]).toEqual([2, 0.5, 0.1]);
		expect(list(model.bodyQ.slice(7, 10))).toEqual([0, 0, 0.6]);
		expect(list(model.shapeType)).toEqual([GeoType.PLANE, GeoType.CAPSULE, GeoType.BOX, GeoType.SPHERE]);
		expect(model.articulationLabels).toEqual(['arm']);
	});

	test('masses come from the inertial element, else from the geoms', () => {
		const model = importText(ARM).model();
		const [r, h] = [0.05, 0.4];
		expect(model.bodyMass[0]).toBeCloseTo(1000 * Math.PI * r * r * (h + (4 / 3) * r), 10);
		expect(list(model.bodyCom.slice(0, 3)).map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([0, 0, -0.2]);
		expect(model.bodyMass[1]).toBe(2);
		expect(list(model.bodyInertia.slice(9, 18))).toEqual([3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5]);
	});

	test('position actuators on joints become targets, others keep their control', () => {
		const model = importText(ARM).model();
		expect([model.jointTargetKe[0], model.jointTargetKd[0]]).toEqual([20, 3]);
		expect(model.jointTargetMode[0]).toBe(JointTargetMode.POSITION);
		expect(list(model.attributes.get('mujoco:ctrl_source') as Int32Array)).toEqual([0, 1]);
		expect(list(model.attributes.get('mujoco:actuator_trnid') as Int32Array)).toEqual([0, 0, 2, 0]);
		expect(model.attributes.get('mujoco:actuator_label')).toEqual(['p', '']);
		const direct = importText(ARM, { ctrlDirect: true }).model();
		expect(direct.jointTargetKe[0]).toBe(0);
		expect(list(direct.attributes.get('mujoco:ctrl_source') as Int32Array)).toEqual([1, 1]);
	});

	test('a gear or a filter keeps a servo under direct control', () => {
		const servo = (attributes: string): number =>
			(
				importText(
					`<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator><position joint="j" ${attributes}/></actuator>`,
				)
					.model()
					.attributes.get('mujoco:ctrl_source') as Int32Array
			)[0]!;
		expect(servo('kp="3"')).toBe(0);
		expect(servo('gear="2"')).toBe(1);
		expect(servo('timeconst="0.1"')).toBe(1);
	});

	test('solver options, gravity and time step are taken over', () => {
		const { builder, timestep } = importText(ARM);
		expect(list(builder.gravity)).toEqual([0, 0, -3]);
		expect(timestep).toBe(0.001);
		const model = builder.finalize();
		expect(list(model.attributes.get('mujoco:impratio') as Float64Array)).toEqual([5]);
		expect(list(model.attributes.get('mujoco:cone') as Int32Array)).toEqual([1]);
	});

	test('a keyframe gives the initial state: coordinates less the reference, velocities, targets and controls', () => {
		const { builder, keyframes } = importText(ARM, { keyframe: 'home' });
		const model = builder.finalize();
		expect(keyframes.map(({ name }) => name)).toEqual(['home']);
		expect(model.jointQ[0]).toBeCloseTo(1 - Math.PI / 6, 14);
		expect(list(model.jointQ.slice(1))).toEqual([0.1, 0.2]);
		expect(list(model.jointQd)).toEqual([0, 0, 2]);
		expect(model.jointTargetQ[0]).toBe(0.7);
		expect(list(model.createControl().attributes.get('mujoco:ctrl') as Float64Array)).toEqual([0, 0.3]);
		expect(importText(ARM, { keyframe: 3 }).codes).toEqual(['MJCF009']);
	});

	test('every attribute of every file is accounted for', () => {
		const { ledger } = importText(ARM.replace('<actuator>', '<include file="more.xml"/><actuator>'), {
			files: { 'more.xml': '<mujoco model="part"><custom><numeric name="n" data="1"/></custom></mujoco>' },
		});
		const { used, converted, kept, ignored, total } = ledger.totals();
		expect(used + converted + kept + ignored).toBe(total);
		const text = ARM.replace('<actuator>', '<include file="more.xml"/><actuator>');
		expect(total).toBe([...text.matchAll(/\s\w+="/g)].length + 3);
		const range = ledger.entries().find(({ path, name }) => path.endsWith('joint[shoulder]') && name === 'range')!;
		expect(range).toMatchObject({
			class: 'converted',
			from: 'degree',
			to: 'radian',
			value: '-90 45',
			file: 'robot.xml',
		});
		const numeric = ledger.entries().find(({ name }) => name === 'data')!;
		expect(numeric).toMatchObject({ class: 'ignored', reason: 'custom data is not kept', file: 'more.xml' });
	});

	test('unsupported elements are reported by name and line', () => {
		const { report } = importText(
			'<mujoco>\n<worldbody>\n<camera name="eye"/>\n<light/>\n</worldbody>\n<sensor>\n<clock/>\n</sensor>\n<odd/></mujoco>',
		);
		expect(report.toArray().map(({ code, range }) => [code, range!.start.line])).toEqual([
			['MJCF008', 3],
			['MJCF008', 4],
			['MJCF008', 6],
			['MJCF007', 9],
		]);
		expect(report.toArray()[0]!.message).toContain("<camera> 'eye'");
	});

	test('frames and replications place what is in them', () => {
		const { builder, codes } = importText(
			`<compiler angle="radian"/><worldbody><frame pos="1 0 0" euler="0 0 1.5707963267948966"><body name="a" pos="1 0 0"><geom size="1"/></body></frame>
			<replicate count="3" offset="0 0 2" sep="-"><body name="b"><freejoint/><geom size="1"/></body></replicate></worldbody>`,
		);
		expect(codes).toEqual([]);
		expect(builder.labels('body')).toEqual(['worldbody/a', 'worldbody/b_0', 'worldbody/b_1', 'worldbody/b_2']);
		const q = builder.column('bodyQ');
		expect([q[0], q[1]].map((x) => Math.round(x! * 1e9) / 1e9)).toEqual([1, 1]);
		expect([q[9], q[16], q[23]]).toEqual([0, 2, 4]);
	});

	test('classes of geoms decide what is shown and what collides', () => {
		const text = `<default><default class="visual"><geom contype="0" conaffinity="0"/></default><default class="collision"/></default>
			<worldbody><body><geom class="visual" size="1"/><geom class="collision" size="2"/><geom size="3" contype="0" conaffinity="0"/></body></worldbody>`;
		const flags = (options = {}): number[] => list(importText(text, options).builder.column('shapeFlags'));
		const { VISIBLE, COLLIDE_SHAPES, COLLIDE_PARTICLES } = ShapeFlags;
		expect(flags()).toEqual([VISIBLE, VISIBLE, COLLIDE_SHAPES | COLLIDE_PARTICLES]);
		expect(flags({ parseVisuals: false })).toEqual([VISIBLE | COLLIDE_SHAPES | COLLIDE_PARTICLES]);
		expect(importText(text, { parseVisuals: false }).model().bodyMass[0]).toBe(importText(text).model().bodyMass[0]);
	});

	test('compiler settings about masses are followed', () => {
		const body =
			'<worldbody><body><joint/><geom size="0.1"/></body><body><joint/><geom size="0.2"/></body></worldbody>';
		const total = importText(`<compiler settotalmass="5"/>${body}`).model();
		expect(total.bodyMass[0]! + total.bodyMass[1]!).toBeCloseTo(5, 12);
		expect(total.bodyMass[1]! / total.bodyMass[0]!).toBeCloseTo(8, 9);
		expect(importText(`<compiler boundmass="100"/>${body}`).model().bodyMass[0]).toBe(100);
		const wild = '<worldbody><body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 4"/></body></worldbody>';
		expect(list(importText(`<compiler balanceinertia="true"/>${wild}`).builder.column('bodyInertia'))).toEqual([
			2, 0, 0, 0, 2, 0, 0, 0, 2,
		]);
		const fused = importText(
			'<compiler fusestatic="true"/><worldbody><body name="a"><joint/><geom size="1"/><body name="b"><geom size="1"/></body></body></worldbody>',
		);
		expect(fused.builder.bodyCount).toBe(1);
	});

	test('a model hangs on a body of another', () => {
		const builder = new ModelBuilder();
		importText(ARM, { builder });
		const gripper =
			'<mujoco model="gripper"><worldbody><body name="palm"><joint/><geom size="1"/></body></worldbody></mujoco>';
		importText(gripper, { builder, parentBody: 1, floating: false });
		const model = builder.finalize();
		expect(list(model.jointArticulation)).toEqual([0, 0, 0]);
		expect(model.jointParent[2]).toBe(1);
		expect(() => importText(ARM, { builder, parentBody: 1, floating: true })).toThrow(RangeError);
		expect(() => importText(ARM, { scale: -1 })).toThrow(RangeError);
		expect(() => importText(ARM, { overrideRootXform: true })).toThrow(RangeError);
	});

	test('up axes and placement turn the model', () => {
		const builder = new ModelBuilder({ upAxis: 'y' });
		importText('<worldbody><body pos="0 0 1"><geom size="1"/></body></worldbody>', {
			builder,
			xform: { p: [5, 0, 0] },
		});
		expect(list(builder.column('bodyQ').slice(0, 3)).map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([5, 1, 0]);
	});
});

describe('Newton 1.6.1 instead of MuJoCo', () => {
	const joint = (attributes: string): string =>
		`<worldbody><body><joint ${attributes}/><geom size="1"/></body></worldbody>`;

	test('limits that are switched off stay limits', () => {
		const text = joint('type="slide" range="-1 2" limited="false"');
		expect(importText(text).model().jointLimitLower[0]).toBe(-1e10);
		expect(importText(text, { newtonCompat: true }).model().jointLimitLower[0]).toBe(-1);
	});

	test('parameters of limits give no gains', () => {
		const text = joint('range="-1 2" solreflimit="0.02 1"');
		expect(importText(text).model().jointLimitKe[0]).toBeCloseTo(2500, 9);
		expect(importText(text, { newtonCompat: true }).model().jointLimitKe[0]).toBe(1e4);
	});

	test('gravity stays with the builder, kinematic bodies are fixed ones', () => {
		const text = '<option gravity="0 0 -1"/><worldbody><body mocap="true"><geom size="1"/></body></worldbody>';
		expect(list(importText(text).builder.gravity)).toEqual([0, 0, -1]);
		expect(importText(text).model().bodyFlags[0]).toBe(2);
		const compat = importText(text, { newtonCompat: true });
		expect(list(compat.builder.gravity)).toEqual([0, 0, -9.81]);
		expect(compat.model().bodyFlags[0]).toBe(1);
	});

	test('actuator defaults go by their own tag', () => {
		const text = `<default><motor ctrlrange="-2 2"/></default>${joint('name="j"')}<actuator><position joint="j"/></actuator>`;
		const limited = (newtonCompat: boolean): number =>
			(importText(text, { newtonCompat }).model().attributes.get('mujoco:actuator_has_ctrlrange') as Int32Array)[0]!;
		expect(limited(false)).toBe(1);
		expect(limited(true)).toBe(0);
	});
});
