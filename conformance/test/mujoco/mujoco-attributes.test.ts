import { importMjcf } from '@manyworlds/import';
import { type Model, ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { MUJOCO_ATTRIBUTES } from '@manyworlds/model/internal';
import { saveToMjcf } from '@manyworlds/mujoco';
import { describe, expect, test } from 'vitest';
import { compile, hinged, mujocoBuilder } from '../../../packages/mujoco/test/support.ts';

function imported(
	text: string,
	options: Parameters<typeof importMjcf>[2] = {},
): { model: Model; codes: string[]; messages: string[]; lines: number[] } {
	const builder = new ModelBuilder({ rigidGap: 0 });
	registerMujocoAttributes(builder);
	const report = importMjcf(text, builder, options).report.toArray();
	return {
		model: builder.finalize({ skipValidation: true }),
		codes: report.map(({ code }) => code),
		messages: report.map(({ message }) => message),
		lines: report.map(({ range }) => range?.start.line ?? 0),
	};
}

const body = (inside: string): string =>
	`<mujoco><compiler angle="radian"/><worldbody><body name="b">${inside}<geom name="g" size="0.1"/></body></worldbody></mujoco>`;

describe('the mujoco namespace', () => {
	test('registering it declares every attribute once; doing so again changes nothing', () => {
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		const declared = builder.attributeDeclarations().length;
		registerMujocoAttributes(builder);
		expect(builder.attributeDeclarations()).toHaveLength(declared);
		expect(MUJOCO_ATTRIBUTES).toHaveLength(130);
		const stored = MUJOCO_ATTRIBUTES.filter(({ storedIn }) => storedIn !== undefined).length;
		expect(declared).toBe(130 - stored);
	});

	test('a model without the namespace converts with defaults', () => {
		const builder = new ModelBuilder();
		hinged(builder, { limitLower: -1, limitUpper: 1 });
		compile(builder.finalize(), ({ rows, codes }) => {
			expect(rows('jnt_solimp', 5)[0]).toEqual([0.9, 0.95, 0.001, 0.5, 2]);
			expect(codes).toEqual([]);
		});
	});

	test.each([
		['margin="0.1"', 'jnt_margin', [0.1]],
		['stiffness="4"', 'jnt_stiffness', [4]],
		['solreffriction="0.04 0.9"', 'dof_solref', [0.04, 0.9]],
		['solimpfriction="0.8 0.85 0.01 0.4 3"', 'dof_solimp', [0.8, 0.85, 0.01, 0.4, 3]],
		['solimplimit="0.8 0.85 0.01 0.4 3" range="-1 1"', 'jnt_solimp', [0.8, 0.85, 0.01, 0.4, 3]],
		['ref="0.2"', 'qpos0', [0.2]],
		['springref="0.3"', 'qpos_spring', [0.3]],
		['damping="0.7"', 'dof_damping', [0.7]],
		['armature="0.6"', 'dof_armature', [0.6]],
		['frictionloss="0.5"', 'dof_frictionloss', [0.5]],
		['actuatorfrcrange="-3 3"', 'jnt_actfrcrange', [-3, 3]],
	])('%s of MJCF reaches the compiled %s', (attribute, field, expected) => {
		const { model } = imported(body(`<joint name="j" axis="0 1 0" ${attribute}/>`));
		compile(model, ({ double }) => expect(double(field)).toEqual(expected));
	});

	test('damping of a joint is part of the model itself, not of the namespace', () => {
		const { model } = imported(body('<joint name="j" axis="0 1 0" damping="0.7"/>'));
		expect(model.jointDamping[0]).toBe(0.7);
		expect(model.attributes.has('mujoco:dof_passive_damping')).toBe(false);
	});

	test("solreflimit of MJCF is kept raw, one that is not authored is MuJoCo's default", () => {
		const raw = imported(body('<joint name="j" axis="0 1 0" range="-1 1" solreflimit="0.05 0.7"/>')).model;
		compile(raw, ({ double }) => expect(double('jnt_solref')).toEqual([0.05, 0.7]));
		const plain = imported(body('<joint name="j" axis="0 1 0" range="-1 1"/>')).model;
		compile(plain, ({ double }) => expect(double('jnt_solref')).toEqual([0.02, 1]));
	});

	test('a damping ratio of a position actuator is resolved by MuJoCo; Newton drops it', () => {
		const text = body('<joint name="j" axis="0 1 0"/>').replace(
			'</mujoco>',
			'<actuator><position name="a" joint="j" kp="50" dampratio="1"/></actuator></mujoco>',
		);
		const { model } = imported(text);
		compile(model, ({ rows, double }) => {
			// critical: 2 sqrt(kp M)
			expect(rows('actuator_biasprm', 10)[0]![2]).toBeCloseTo(-2 * Math.sqrt(50 * double('dof_M0')[0]!), 9);
		});
		compile(model, ({ rows }) => expect(rows('actuator_biasprm', 10)[0]![2]).toBeCloseTo(0, 15), {
			newtonCompat: true,
		});
		expect(saveToMjcf(model).text).toContain('<position name="a" joint="j" kp="50" dampratio="1"/>');
	});

	test('options of MJCF are attributes of the model', () => {
		const text = body('<joint name="j" axis="0 1 0"/>').replace(
			'<worldbody>',
			'<option integrator="RK4" cone="elliptic" impratio="3" iterations="7" wind="1 2 3"/><worldbody>',
		);
		const { model } = imported(text);
		expect(saveToMjcf(model).text).toMatch(
			/<option integrator="RK4" cone="elliptic" iterations="7" impratio="3" wind="1 2 3">/,
		);
	});
});

describe('features of MuJoCo that are not imported are told by element and line', () => {
	test.each([
		['sensor', '<sensor><jointpos joint="j"/></sensor>'],
		['custom', '<custom><numeric name="n" data="1"/><text name="t" data="x"/></custom>'],
		['extension', '<extension><plugin plugin="p"/></extension>'],
		['deformable', '<deformable><skin name="s"/></deformable>'],
		['visual', '<visual><global azimuth="3"/></visual>'],
		['statistic', '<statistic extent="2"/>'],
	])('%s', (name, section) => {
		const text = body('<joint name="j" axis="0 1 0"/>').replace('</mujoco>', `\n${section}</mujoco>`);
		const { codes, messages, lines } = imported(text);
		const at = messages.findIndex((message) => message.startsWith(`<${name}>`));
		expect(codes[at]).toBe('MJCF008');
		expect(messages[at]).toContain('is not imported');
		expect(lines[at]).toBe(2);
	});

	test.each([
		['camera', '<camera name="c"/>'],
		['light', '<light name="l"/>'],
		['composite', '<composite type="cable" count="3 1 1"/>'],
		['flexcomp', '<flexcomp name="f" type="grid" count="3 3 1"/>'],
		['plugin', '<plugin plugin="p"/>'],
		['attach', '<attach model="m" body="b" prefix="p"/>'],
	])('%s in a body', (name, element) => {
		const { codes, messages } = imported(body(`<joint name="j" axis="0 1 0"/>${element}`));
		const at = messages.findIndex((message) => message.startsWith(`<${name}>`));
		expect(codes[at]).toBe('MJCF008');
	});

	test('keyframes are imported here, and chosen by name', () => {
		const text = body('<joint name="j" axis="0 1 0"/>').replace(
			'</mujoco>',
			'<keyframe><key name="home" qpos="0.4"/></keyframe></mujoco>',
		);
		expect(imported(text).model.jointQ[0]).toBe(0);
		expect(imported(text, { keyframe: 'home' }).model.jointQ[0]).toBeCloseTo(0.4, 12);
	});

	test('none of them is in what is converted', () => {
		const builder = mujocoBuilder();
		hinged(builder);
		const { text } = saveToMjcf(builder.finalize());
		expect(text).not.toMatch(/<(sensor|camera|light|composite|flex|skin|plugin|custom)/);
	});
});
