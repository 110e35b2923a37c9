import { Report } from '@manyworlds/core';
import { importAsset } from '@manyworlds/import';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { translateSdf } from '../src/index.ts';
import { expectClose, massMatrix, poses, urdfModel } from './robots.ts';

const BOX = '<geometry><box><size>1 1 1</size></box></geometry>';
const inertial = (mass: number): string =>
	`<inertial><mass>${mass}</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>`;

const robot = (more = '', spring = ''): string => `<sdf version="1.9"><model name="r">${more}
	<link name="base">${inertial(3)}<collision name="c">${BOX}</collision></link>
	<link name="middle"><pose>0 0 2 0 0 0</pose>${inertial(2)}</link>
	<link name="tip"><pose>0 0 4 0 0 0</pose>${inertial(1)}<collision name="c">${BOX}</collision></link>
	<joint name="world_joint" type="fixed"><parent>world</parent><child>base</child></joint>
	<joint name="a" type="revolute"><parent>base</parent><child>middle</child><axis><xyz>0 1 0</xyz>${spring}</axis></joint>
	<joint name="b" type="revolute"><parent>middle</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint>
</model></sdf>`;

const urdfInertial = (mass: number): string =>
	`<inertial><mass value="${mass}"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>`;
const URDF = `<robot name="r">
	<link name="base">${urdfInertial(3)}</link><link name="middle">${urdfInertial(2)}</link><link name="tip">${urdfInertial(1)}</link>
	<joint name="a" type="continuous"><parent link="base"/><child link="middle"/><origin xyz="0 0 2"/><axis xyz="0 1 0"/></joint>
	<joint name="b" type="continuous"><parent link="middle"/><child link="tip"/><origin xyz="0 0 2"/><axis xyz="1 0 0"/></joint>
</robot>`;

function load(text: string, translate = true): { model: Model; report: Report; format: string | undefined } {
	const builder = new ModelBuilder();
	const report = new Report();
	const store = new MemoryStore({ 'r.sdf': text });
	const { format } = importAsset('r.sdf', builder, { store, report, ...(translate ? { translateSdf } : {}) });
	return { model: builder.finalize(), report, format };
}

describe('SDF for simulators', () => {
	it('moves and weighs as the same robot in URDF', () => {
		const { model, format } = load(robot());
		expect(format).toBe('sdf');
		const twin = urdfModel(URDF);
		for (const values of poses(20, 2)) expectClose(massMatrix(model, values), massMatrix(twin, values), 1e-9);
	});

	it('touches itself only where the file says so', () => {
		expect(load(robot()).model.shapeContactPairs).toHaveLength(0);
		expect(load(robot('<self_collide>true</self_collide>')).model.shapeContactPairs.length).toBeGreaterThan(0);
	});

	it('starts where the file says, and rests where its springs do', () => {
		const spring =
			'<initial_position>0.5</initial_position><dynamics><spring_stiffness>10</spring_stiffness></dynamics>';
		expect(load(robot('', spring)).model.jointQ[0]).toBeCloseTo(0.5, 9);
	});

	it('says where the file is wrong, in the file that was given', () => {
		const { report } = load(robot().replace('<parent>middle</parent>', '<parent>nobody</parent>'));
		const errors = report.toArray().filter(({ code }) => code.startsWith('SDF') || code.startsWith('CNV'));
		expect(errors.length).toBeGreaterThan(0);
		expect(report.toArray().every(({ file }) => file === 'r.sdf')).toBe(true);
	});

	it('is not read without somebody who translates it', () => {
		const { report, format } = load(robot(), false);
		expect(format).toBeUndefined();
		expect(report.toArray()[0]!.message).toContain('is SDF, convert it first');
	});

	it('without a robot in it is a finding', () => {
		const { report, format } = load('<sdf version="1.9"/>');
		expect(format).toBeUndefined();
		expect(report.toArray().map(({ code }) => code)).toContain('CNV003');
	});
});
