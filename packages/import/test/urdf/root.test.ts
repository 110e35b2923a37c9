import { JointType, ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { type ImportUrdfOptions, importUrdf } from '../../src/index.ts';

const TEXT =
	'<robot name="bot"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><link name="b"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>';
const TURNED = [1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2];

function load(options: ImportUrdfOptions, builder: ModelBuilder = new ModelBuilder()) {
	const result = importUrdf(TEXT, builder, options);
	return { ...result, builder, model: builder.finalize() };
}

const rounded = (numbers: ArrayLike<number>): number[] => Array.from(numbers, (x) => Math.round(x * 1e6) / 1e6 + 0);

describe('root of a URDF', () => {
	it('floats at the given pose', () => {
		const { model } = load({ floating: true, xform: TURNED });
		expect(model.jointLabels[0]).toBe('bot/floating_base');
		expect(model.jointType[0]).toBe(JointType.FREE);
		expect(rounded(model.jointQ)).toEqual(rounded(TURNED));
	});

	it('is fixed at the given pose by default', () => {
		const { model } = load({ xform: TURNED });
		expect(model.jointLabels[0]).toBe('bot/fixed_base');
		expect(rounded(model.jointXP.subarray(0, 7))).toEqual(rounded(TURNED));
	});

	it('is held by a joint of the caller whose axes stay unturned', () => {
		const baseJoint = { type: 'revolute', angularAxes: [{ axis: [0, 0, 1] }] } as const;
		const { model } = load({ baseJoint, xform: TURNED });
		expect(model.jointLabels[0]).toBe('bot/base_joint');
		expect(rounded(model.jointXP.subarray(0, 7))).toEqual([1, 2, 3, 0, 0, 0, 1]);
		expect(rounded(model.jointXC.subarray(0, 7))).toEqual(rounded([0, 0, 0, 0, 0, -Math.SQRT1_2, Math.SQRT1_2]));
		const whole = load({ baseJoint, xform: TURNED, overrideRootXform: true }).model;
		expect(rounded(whole.jointXP.subarray(0, 7))).toEqual(rounded(TURNED));
		expect(rounded(whole.jointXC.subarray(0, 7))).toEqual([0, 0, 0, 0, 0, 0, 1]);
	});

	it('is turned from the up axis of the file to that of the builder', () => {
		const { model } = load({ upAxis: 'y' });
		expect(rounded(model.jointXP.subarray(3, 7))).toEqual(rounded([Math.SQRT1_2, 0, 0, Math.SQRT1_2]));
	});

	it('hangs on a body of the last articulation and joins it', () => {
		const builder = new ModelBuilder();
		importUrdf(TEXT, builder);
		const { model } = load({ parentBody: 1, xform: TURNED }, builder);
		expect(model.articulationCount).toBe(1);
		expect(model.jointParent[2]).toBe(1);
		expect([...model.jointArticulation]).toEqual([0, 0, 0, 0]);
	});

	it('refuses options that contradict each other, and leaves the builder as it is', () => {
		const builder = new ModelBuilder();
		importUrdf(TEXT, builder);
		importUrdf(TEXT, builder);
		const refuse = (options: ImportUrdfOptions) => () => importUrdf(TEXT, builder, options);
		const baseJoint = { type: 'fixed' } as const;
		expect(refuse({ floating: false, baseJoint })).toThrow('expected at most one of them');
		expect(refuse({ floating: true, parentBody: 2 })).toThrow('expected the world: -1');
		expect(refuse({ baseJoint: { ...baseJoint, child: 3 } as never })).toThrow("baseJoint has 'child'");
		expect(refuse({ parentBody: 9 })).toThrow('expected -1 to 3');
		expect(refuse({ parentBody: 0 })).toThrow('expected parentBody to be in the last one: 1');
		expect(refuse({ overrideRootXform: true })).toThrow('expected xform to be given');
		const loose = builder.addLink();
		expect(refuse({ parentBody: loose })).toThrow('is in no articulation');
		expect([builder.bodyCount, builder.jointCount]).toEqual([5, 4]);
	});

	it('merges fixed joints and tells what became of links and joints', () => {
		const { model, linkBodies, jointIndices, rootJoints } = load({ floating: true, collapseFixedJoints: true });
		expect([model.bodyCount, model.bodyMass[0]]).toEqual([1, 3]);
		expect([...linkBodies]).toEqual([
			['a', 0],
			['b', 0],
		]);
		expect([...jointIndices]).toEqual([]);
		expect(rootJoints).toEqual([0]);
	});

	it('merges only the massless chain below a free root', () => {
		const builder = new ModelBuilder();
		const chain = TEXT.replace(/<inertial>.*?<\/inertial>/, '').replace(
			'</robot>',
			'<link name="c"/><joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint></robot>',
		);
		importUrdf(chain, builder, { floating: true, collapseMasslessFixedRoot: true });
		expect(builder.labels('joint')).toEqual(['bot/floating_base', 'bot/k']);
	});
});

describe('a root of a URDF without mass', () => {
	const link = (name: string, mass: number): string =>
		`<link name="${name}">${mass === 0 ? '' : `<inertial><mass value="${mass}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>`}</link>`;
	const joint = (type: string, parent: string, child: string, xyz: string): string =>
		`<joint name="${parent}_${child}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="${xyz}"/><limit effort="1" velocity="1"/></joint>`;
	const load = (rootMass: number, options: ImportUrdfOptions): ModelBuilder => {
		const builder = new ModelBuilder();
		const links = link('root', rootMass) + link('mid', 0) + link('heavy', 3) + link('arm', 1) + link('tip', 1);
		const joints = [
			joint('fixed', 'root', 'mid', '1 0 0'),
			joint('fixed', 'mid', 'heavy', '0 2 0'),
			joint('continuous', 'heavy', 'arm', '0 0 1'),
			joint('fixed', 'arm', 'tip', '0 0 1'),
		];
		importUrdf(`<robot name="r">${links}${joints.join('')}</robot>`, builder, options);
		return builder;
	};
	const { FREE, FIXED, REVOLUTE } = JointType;
	const typesOf = (mass: number, options: ImportUrdfOptions): number[] => [...load(mass, options).column('jointType')];

	it('takes the links that are fixed to it, up to the first one with mass, where asked to', () => {
		const builder = load(0, { floating: true, collapseMasslessFixedRoot: true });
		expect([...builder.column('jointType')]).toEqual([FREE, REVOLUTE, FIXED]);
		expect(builder.column('bodyMass')[0]).toBe(3);
		expect([...builder.column('bodyCom').subarray(0, 3)]).toEqual([1, 2, 0]);
		expect(typesOf(0, { floating: true })).toEqual([FREE, FIXED, FIXED, REVOLUTE, FIXED]);
	});

	it('does not where it has mass, or does not float', () => {
		const collapseMasslessFixedRoot = true;
		expect(typesOf(1, { floating: true, collapseMasslessFixedRoot })).toEqual([FREE, FIXED, FIXED, REVOLUTE, FIXED]);
		expect(typesOf(0, { floating: false, collapseMasslessFixedRoot })).toEqual([FIXED, FIXED, FIXED, REVOLUTE, FIXED]);
		expect(typesOf(0, { floating: true, collapseMasslessFixedRoot, collapseFixedJoints: true })).toEqual([
			FREE,
			REVOLUTE,
		]);
	});
});
