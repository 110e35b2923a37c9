import { Report } from '@manyworlds/core';
import { ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import {
	detectAssetFormat,
	explainModelValue,
	formatModel,
	formatModelExplanation,
	importAsset,
	importUrdf,
	inspectModel,
} from '../src/index.ts';

const ARM = `<robot name="arm">
<link name="base"/><link name="upper"><inertial><mass value="2"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1" rpy="0 0 1"/>
<limit lower="-1" upper="1" effort="5"/><dynamics damping="0.5"/></joint>
<gazebo><sensor type="imu"/></gazebo>
</robot>`;

function load(options = {}) {
	const builder = new ModelBuilder();
	const { ledger } = importUrdf(ARM, builder, { file: 'arm.urdf', ...options });
	return { ledger, model: builder.finalize() };
}

describe('explainModelValue', () => {
	it('names the attribute, its line and why it decided', () => {
		const { model, ledger } = load();
		const found = explainModelValue(model, ledger, 'joint_effort_limit[elbow]');
		expect(found).toMatchObject({ index: 0, label: 'arm/elbow', value: [5] });
		expect(formatModelExplanation(found as never)).toBe(
			"joint_effort_limit[0] of arm/elbow = 5\n  robot/joint[elbow]/limit@effort = 5  arm.urdf:4:29\n    joint 'elbow' gives it\n",
		);
	});

	it('tells defaults from authored values', () => {
		const { model, ledger } = load();
		expect(explainModelValue(model, ledger, 'joint_velocity_limit[0]')).toMatchObject({
			value: [1e6],
			sources: [{ source: 'builder default' }],
		});
		expect(explainModelValue(model, ledger, 'joint_armature[0]')).toMatchObject({
			sources: [{ why: 'URDF has no attribute for it' }],
		});
		expect(explainModelValue(model, ledger, 'joint_q[0]')).toMatchObject({
			sources: [],
			note: expect.stringContaining('no attribute'),
		});
	});

	it('lists all attributes of a frame, and follows indices through a collapse', () => {
		const { model, ledger } = load();
		const frame = explainModelValue(model, ledger, 'joint_X_p[arm/elbow]');
		expect('sources' in frame && frame.sources.map((s) => s.name)).toEqual(['xyz', 'rpy']);
		const collapsed = load({ collapseFixedJoints: true });
		expect(explainModelValue(collapsed.model, collapsed.ledger, 'joint_limit_lower[0]')).toMatchObject({
			label: 'arm/elbow',
			sources: [{ name: 'lower', value: '-1' }],
		});
	});

	it.each([
		['joint_target[0]', "a model has no array 'joint_target'"],
		['body_mass[7]', 'body_mass has 2 rows, expected an index from 0 to 1 or a label'],
		['body_mass[wrist]', "no row of body_mass is called 'wrist'"],
		['body_mass', "'body_mass' is not of the form array[index]"],
	])('says what is wrong with %s', (query, expected) => {
		const { model, ledger } = load();
		const found = explainModelValue(model, ledger, query);
		expect('problem' in found && found.problem).toContain(expected);
	});
});

describe('inspectModel', () => {
	it('shows bodies, joints, limits, drives and what was ignored', () => {
		const { model, ledger } = load();
		const inspection = inspectModel(model, ledger, { file: 'arm.urdf', format: 'urdf' });
		expect(inspection.bodies[1]).toMatchObject({ label: 'arm/upper', mass: 2 });
		expect(inspection.joints[1]).toMatchObject({
			type: 'REVOLUTE',
			parent: 'arm/base',
			axes: [{ lower: -1, upper: 1, effort: 5, velocity: null, targetKd: 0.5, mode: 'POSITION' }],
		});
		const text = formatModel(inspection);
		expect(text).toContain('-1 to 1 rad  POSITION ke 0 kd 0.5  5 N·m');
		expect(text).toContain('ignored, it holds settings of another simulator: robot/gazebo/sensor@type (line 5)');
		expect(JSON.parse(JSON.stringify(inspection)).ledger.totals.total).toBe(ledger.totals().total);
	});
});

describe('importAsset', () => {
	const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
	const USD =
		'#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Z"\n)\ndef Cube "Box" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]\n)\n{\n    double size = 1\n}\n';
	const MJCF = '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>';
	const store = new MemoryStore({
		'arm.urdf': ARM,
		'arm.txt': `<?xml version="1.0"?>\n<!-- <mujoco/> -->\n${ARM}`,
		'scene.xml': MJCF,
		'box.usda': USD,
		'broken.xml': '<html/>',
	});

	it.each([
		['arm.urdf', 'urdf', 2],
		['arm.txt', 'urdf', 2],
		['scene.xml', 'mjcf', 1],
		['box.usda', 'usd', 1],
	])('imports %s by its content', (file, format, bodies) => {
		const builder = new ModelBuilder();
		const imported = importAsset(file, builder, { store, report: new Report() });
		expect([imported.format, builder.bodyCount]).toEqual([format, bodies]);
		expect(imported.ledger.totals().total).toBeGreaterThan(0);
		expect(() => builder.finalize()).not.toThrow();
	});

	it.each([
		['none.urdf', "'none.urdf' does not exist"],
		['broken.xml', "'broken.xml' is neither USD nor URDF nor MJCF"],
		['../up.urdf', "'../up.urdf' cannot be read"],
	])('reports %s', (file, message) => {
		const { report, format } = importAsset(file, new ModelBuilder(), { store, report: new Report() });
		expect(format).toBeUndefined();
		expect(report.toArray()[0]?.message).toContain(message);
	});

	it('goes by the extension where the content says nothing', () => {
		expect(detectAssetFormat(new Uint8Array(), 'a.usd')).toBe('usd');
		expect(detectAssetFormat(encode('hello'), 'a.txt')).toBeUndefined();
	});
});
