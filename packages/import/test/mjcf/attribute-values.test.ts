import { JointTargetMode, JointType, ModelBuilder, WORLD } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { type Imported, importText, list } from './support.ts';

type Options = NonNullable<Parameters<typeof importText>[1]>;

const arm = (joint: string, rest = '', body = ''): string =>
	`<worldbody><body name="b" ${body}>${joint}<geom size="1"/>${rest}</body></worldbody>`;
const findings = ({ report }: Imported): string[] =>
	report.toArray().map(({ code, severity, range, message }) => `${severity} ${code} ${range?.start.line} ${message}`);
const values = (imported: Imported, name: string): number[] =>
	list(imported.builder.attributeValues(`mujoco:${name}`) as Float64Array);
const near = (found: ArrayLike<number>, expected: readonly number[], digits = 9): void => {
	expect(found.length).toBe(expected.length);
	for (const [i, value] of expected.entries()) expect(found[i], `number ${i}`).toBeCloseTo(value, digits);
};

describe('kinds of actuators', () => {
	/** Gain, bias and dynamics of an actuator as MuJoCo's manual derives them from its shortcuts. */
	const law = (actuator: string, defaults = '', options: Options = {}) => {
		const imported = importText(
			`${defaults}${arm('<joint name="j" range="-1 3"/>')}<actuator>${actuator.replace(' ', ' joint="j" ')}</actuator>`,
			{ ...options },
		);
		const cut = (name: string): number[] => {
			const numbers = values(imported, name);
			while (numbers.at(-1) === 0) numbers.pop();
			return numbers;
		};
		return {
			imported,
			gain: cut('actuator_gainprm'),
			bias: cut('actuator_biasprm'),
			dynamics: cut('actuator_dynprm'),
			types: ['gaintype', 'biastype', 'dyntype'].map((name) => values(imported, `actuator_${name}`)[0]),
			limited: values(imported, 'actuator_ctrllimited')[0],
		};
	};
	const muscle = [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2];

	test.each([
		// kind, gain, bias, dynamics, types of gain, bias and dynamics, whether the control is limited
		['<motor />', '', [1], [], [1], [0, 0, 0], 2],
		[
			'<motor />',
			'<default><general gainprm="5" biastype="affine" dyntype="filter"/></default>',
			[1],
			[],
			[1],
			[0, 0, 0],
			2,
		],
		['<position />', '', [1], [0, -1], [1], [0, 1, 0], 2],
		['<position kp="7" kv="0.5"/>', '', [7], [0, -7, -0.5], [1], [0, 1, 0], 2],
		['<position kp="7" dampratio="0.5"/>', '', [7], [0, -7, 0.5], [1], [0, 1, 0], 2],
		['<position timeconst="0.2"/>', '', [1], [0, -1], [0.2], [0, 1, 3], 2],
		['<position timeconst="0"/>', '', [1], [0, -1], [], [0, 1, 0], 2],
		['<position kv="2"/>', '<default><position kp="9"/></default>', [9], [0, -9, -2], [1], [0, 1, 0], 2],
		['<intvelocity kp="3"/>', '', [3], [0, -3], [1], [0, 1, 1], 2],
		['<velocity />', '', [1], [0, 0, -1], [1], [0, 1, 0], 2],
		['<velocity kv="4"/>', '<default><general biasprm="1 2 3"/></default>', [4], [0, 0, -4], [1], [0, 1, 0], 2],
		['<damper kv="4" ctrlrange="0 1"/>', '', [0, 0, -4], [], [1], [1, 0, 0], 1],
		['<damper ctrlrange="0 1"/>', '', [], [], [1], [1, 0, 0], 1],
		['<damper ctrlrange="0 1"/>', '<default><damper kv="6"/></default>', [0, 0, -6], [], [1], [1, 0, 0], 1],
		['<cylinder />', '', [1], [], [1], [0, 1, 2], 2],
		['<cylinder timeconst="3" area="2" bias="4 5 6"/>', '', [2], [4, 5, 6], [3], [0, 1, 2], 2],
		['<cylinder area="2" diameter="4"/>', '', [4 * Math.PI], [], [1], [0, 1, 2], 2],
		['<cylinder diameter="0"/>', '', [], [], [1], [0, 1, 2], 2],
		['<adhesion gain="3" ctrlrange="0 1"/>', '', [3], [], [1], [0, 0, 0], 1],
		['<adhesion ctrlrange="0 1"/>', '<default><adhesion gain="8"/></default>', [8], [], [1], [0, 0, 0], 1],
		['<muscle />', '', muscle, muscle, [0.01, 0.04], [2, 2, 4], 2],
		[
			'<muscle timeconst="0.2 0.3" tausmooth="0.4" range="0.8 1.1" force="2" scale="3" lmin="4" lmax="5" vmax="6" fpmax="7" fvmax="8"/>',
			'',
			[0.8, 1.1, 2, 3, 4, 5, 6, 7, 8],
			[0.8, 1.1, 2, 3, 4, 5, 6, 7, 8],
			[0.2, 0.3, 0.4],
			[2, 2, 4],
			2,
		],
		[
			'<muscle />',
			'<default><muscle timeconst="0.2 0.3" range="0.8 1.1" lmin="4"/></default>',
			[0.8, 1.1, -1, 200, 4, 1.6, 1.5, 1.3, 1.2],
			[0.8, 1.1, -1, 200, 4, 1.6, 1.5, 1.3, 1.2],
			[0.2, 0.3],
			[2, 2, 4],
			2,
		],
		// all kinds share one set of defaults: what an element does not say is what the one before left
		[
			'<muscle />',
			'<default><muscle timeconst="0.2 0.3" tausmooth="0.4" range="0.8 1.1" force="2" scale="3" lmin="4" lmax="5" vmax="6" fpmax="7" fvmax="8"/></default>',
			[0.8, 1.1, 2, 3, 4, 5, 6, 7, 8],
			[0.8, 1.1, 2, 3, 4, 5, 6, 7, 8],
			[0.2, 0.3, 0.4],
			[2, 2, 4],
			2,
		],
		[
			'<muscle force="20"/>',
			'<default><general gainprm="2 3 4 5 6 7 8 9 10 11" biasprm="1 1 1 1 1 1 1 1 1 12" dynprm="13 14 15 16 17"/></default>',
			[2, 3, 20, 5, 6, 7, 8, 9, 10, 11],
			[2, 3, 20, 5, 6, 7, 8, 9, 10, 12],
			[13, 14, 15, 16, 17],
			[2, 2, 4],
			2,
		],
		[
			'<cylinder />',
			'<default><cylinder timeconst="3" area="2" bias="4 5 6"/></default>',
			[2],
			[4, 5, 6],
			[3],
			[0, 1, 2],
			2,
		],
		[
			'<position />',
			'<default><position kp="9" kv="2" timeconst="0.3"/></default>',
			[9],
			[0, -9, -2],
			[0.3],
			[0, 1, 3],
			2,
		],
		['<position dampratio="3"/>', '<default><position kp="9" kv="2"/></default>', [9], [0, -9, 3], [1], [0, 1, 0], 2],
		['<intvelocity />', '<default><intvelocity kp="5"/></default>', [5], [0, -5], [1], [0, 1, 1], 2],
		['<velocity />', '<default><velocity kv="6"/></default>', [6], [0, 0, -6], [1], [0, 1, 0], 2],
		['<motor />', '<default><general biasprm="1 2 3" dynprm="4 5"/></default>', [1], [1, 2, 3], [4, 5], [0, 0, 0], 2],
		['<general />', '', [1], [], [1], [0, 0, 0], 2],
		[
			'<general gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5" dyntype="integrator" dynprm="6"/>',
			'<default><general gainprm="9 9 9 9" biasprm="9 9 9"/></default>',
			[1, 2, 3, 9],
			[4, 5, 9],
			[6],
			[1, 1, 1],
			2,
		],
		['<general dyntype="filterexact"/>', '', [1], [], [1], [0, 0, 3], 2],
		['<general gainprm="1 2 3 4 5 6 7 8 9 10 11"/>', '', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [], [1], [0, 0, 0], 2],
	] as const)('%s after %s', (actuator, defaults, gain, bias, dynamics, types, limited) => {
		const found = law(actuator, defaults);
		near(found.gain, gain);
		near(found.bias, bias);
		near(found.dynamics, dynamics);
		expect(found.types).toEqual(types);
		expect(found.limited).toBe(limited);
		expect(findings(found.imported)).toEqual([]);
	});

	test.each([
		['<position />', [1], [0, -1]],
		['<position kp="7" kv="0.5"/>', [7], [0, -7, -0.5]],
		['<position kp="7" dampratio="0.5"/>', [7], [0, -7, 0.5]],
		['<position kp="7" dampratio="-2"/>', [7], [0, -7]],
		['<velocity />', [1], [0, 0, -1]],
		['<velocity kv="4"/>', [4], [0, 0, -4]],
		['<motor />', [1], []],
		['<general />', [1], []],
		['<general gainprm="2 3" biasprm="4 5"/>', [2, 3], [4, 5]],
	])('%s as Newton reads it', (actuator, gain, bias) => {
		const found = law(actuator, '', { newtonCompat: true });
		expect([found.gain, found.bias]).toEqual([gain, bias]);
	});

	test('two ways to say the damping are one too many', () => {
		for (const newtonCompat of [false, true]) {
			const { imported, bias } = law('<position kp="7" kv="2" dampratio="0.5"/>', '', { newtonCompat });
			expect(bias).toEqual([0, -7, -2]);
			expect(findings(imported)).toEqual([
				"warning MJCF014 1 dampratio of <position> is '0.5', but kv is given, which counts",
			]);
		}
		expect(findings(law('<intvelocity kv="2"/>').imported)).toEqual([]);
	});

	test('a token that MuJoCo does not have is the first of its kind', () => {
		for (const [name, of] of [
			['gaintype', 0],
			['biastype', 1],
			['dyntype', 2],
		] as const) {
			for (const newtonCompat of [false, true]) {
				const { imported, types } = law(`<general ${name}="odd"/>`, '', { newtonCompat });
				expect(types[of]).toBe(0);
				expect(findings(imported)).toEqual([
					`warning MJCF016 1 ${name} of <general> is 'odd', which is not supported; the first of its kinds is taken instead`,
				]);
			}
		}
		const { imported, gain } = law('<general gainprm="x"/>');
		expect(gain).toEqual([1]);
		expect(findings(imported)).toEqual(["error MJCF006 1 gainprm of <general> is 'x', expected finite numbers"]);
	});

	test('a range of the joint is taken over, widened about its middle', () => {
		for (const [kind, what] of [
			['position', 'ctrl'],
			['intvelocity', 'act'],
		] as const) {
			const { imported } = law(`<${kind} inheritrange="1.5"/>`, '<compiler angle="radian"/>');
			near(values(imported, `actuator_${what}range`), [1 - 3, 1 + 3]);
			expect(values(imported, `actuator_has_${what}range`)).toEqual([1]);
			expect(values(imported, `actuator_${what}limited`)).toEqual([1]);
			const none = law(`<${kind} inheritrange="0"/>`, '<compiler angle="radian"/>').imported;
			expect(values(none, `actuator_has_${what}range`)).toEqual([0]);
		}
		for (const kind of ['motor', 'velocity', 'general', 'cylinder', 'muscle']) {
			const other = law(`<${kind} inheritrange="1.5"/>`, '<compiler angle="radian"/>').imported;
			for (const range of ['ctrlrange', 'actrange']) expect(values(other, `actuator_has_${range}`)).toEqual([0]);
		}
		const { imported } = law('<intvelocity inheritrange="1.5"/>', '', { newtonCompat: true });
		expect(findings(imported).join()).toContain('MJCF016');
	});

	test('servos on one joint share its gains', () => {
		const drive = (text: string, newtonCompat = false): number[] => {
			const { builder } = importText(`${arm('<joint name="j"/>')}<actuator>${text}</actuator>`, { newtonCompat });
			return [
				builder.column('jointTargetKe')[0]!,
				builder.column('jointTargetKd')[0]!,
				builder.column('jointTargetMode')[0]!,
			];
		};
		const position = '<position joint="j" kp="7" kv="0.5"/>';
		const velocity = '<velocity joint="j" kv="3"/>';
		for (const newtonCompat of [false, true]) {
			expect(drive(position, newtonCompat)).toEqual([7, 0.5, JointTargetMode.POSITION]);
			expect(drive(velocity, newtonCompat)).toEqual([0, 3, JointTargetMode.VELOCITY]);
			// the damping of the velocity actuator counts, whichever comes first
			expect(drive(position + velocity, newtonCompat)).toEqual([7, 3, JointTargetMode.POSITION_VELOCITY]);
			expect(drive(velocity + position, newtonCompat)).toEqual([7, 3, JointTargetMode.POSITION_VELOCITY]);
			expect(drive(position + position.replace('7', '9'), newtonCompat)).toEqual([9, 0.5, JointTargetMode.POSITION]);
		}
		// a gear changes length and force
		expect(drive('<position joint="j" kp="7" gear="1"/>')).toEqual([7, 0, JointTargetMode.POSITION]);
		expect(drive('<position joint="j" kp="7" gear="1 0 0 0 0 0"/>')).toEqual([7, 0, JointTargetMode.POSITION]);
		expect(drive('<position joint="j" kp="7" gear="1 1"/>')[2]).toBe(JointTargetMode.NONE);
		expect(drive('<position joint="j" kp="7" dampratio="1"/>')).toEqual([7, 0, JointTargetMode.POSITION]);
	});
});

describe('what actuators act on', () => {
	const model = `<worldbody><site name="s"/><site name="r"/><body name="b"><freejoint name="f"/><geom size="1"/></body>
		<body name="c-d"><joint name="j-k"/><joint name="ball" type="ball"/><geom size="1"/></body></worldbody>
		<tendon><fixed name="t"><joint joint="j-k" coef="1"/></fixed></tendon>`;
	const act = (attributes: string, options: Options = {}): Imported =>
		importText(`${model}\n<actuator>\n<motor name="m" ${attributes}/></actuator>`, options);

	test.each([
		['joint="j-k"', 0, [6, 0]],
		['joint="f"', 0, [0, 0]],
		['jointinparent="ball"', 1, [7, 0]],
		['tendon="t"', 2, [0, 0]],
		['site="s"', 3, [0, -1]],
		['site="s" refsite="r"', 3, [0, 1]],
		['body="c-d"', 4, [2, 0]],
		['cranksite="r" slidersite="s" cranklength="0.5"', 5, [1, 0]],
	])('%s', (attributes, type, target) => {
		const imported = act(attributes);
		expect(findings(imported)).toEqual([]);
		expect(values(imported, 'actuator_trntype')).toEqual([type]);
		expect(values(imported, 'actuator_trnid')).toEqual(target);
	});

	test('cranks are scaled with the model', () => {
		const imported = act('cranksite="r" slidersite="s" cranklength="0.5"', { scale: 3 });
		expect(values(imported, 'actuator_cranklength')).toEqual([1.5]);
	});

	test.each([
		[
			'joint="no"',
			"warning MJCF009 5 joint of motor 'm' is 'no', which the model does not have; the actuator is left out",
		],
		[
			'jointinparent="no"',
			"warning MJCF009 5 jointinparent of motor 'm' is 'no', which the model does not have; the actuator is left out",
		],
		[
			'tendon="no"',
			"warning MJCF009 5 tendon of motor 'm' is 'no', which the model does not have; the actuator is left out",
		],
		[
			'site="no"',
			"warning MJCF009 5 site of motor 'm' is 'no', which the model does not have; the actuator is left out",
		],
		[
			'site="s" refsite="no"',
			"warning MJCF009 5 refsite of motor 'm' is 'no', which the model does not have; the actuator is left out",
		],
		[
			'body="no"',
			"warning MJCF009 5 body of motor 'm' is 'no', which the model does not have; the actuator is left out",
		],
		['', "warning MJCF009 5 motor 'm' acts on nothing, expected a joint, tendon, site or body"],
		['joint=""', "warning MJCF009 5 motor 'm' acts on nothing, expected a joint, tendon, site or body"],
		[
			'cranksite="no" slidersite="s"',
			"warning MJCF009 5 cranksite of motor 'm' is 'no', expected a site of the model; the actuator is left out",
		],
		[
			'cranksite="r" slidersite="no"',
			"warning MJCF009 5 slidersite of motor 'm' is 'no', expected a site of the model; the actuator is left out",
		],
		[
			'slidersite="s"',
			"warning MJCF009 5 cranksite of motor 'm': expected a site of the model; the actuator is left out",
		],
		['cranksite="r" slidersite="s"', "warning MJCF022 5 cranklength of motor 'm': expected a positive length"],
		[
			'cranksite="r" slidersite="s" cranklength="0"',
			"warning MJCF022 5 cranklength of motor 'm' is '0', expected a positive length",
		],
	])('%s is left out', (attributes, finding) => {
		const imported = act(attributes);
		expect(findings(imported).map((text) => text.replace(/^\w+/, ''))).toEqual([finding.replace(/^\w+/, '')]);
		expect(imported.builder.rowCount('mujoco:actuator')).toBe(0);
	});
});

describe('joints', () => {
	const RADIAN = '<compiler angle="radian"/>';

	test('limits hold where they are switched on, in radians', () => {
		const limits = (joint: string, compiler = RADIAN, options: Options = {}): number[] => {
			const { builder } = importText(compiler + arm(joint), options);
			return [builder.column('jointLimitLower')[0]!, builder.column('jointLimitUpper')[0]!];
		};
		const free = limits('<joint/>');
		expect(free[0]).toBeLessThan(-1e9);
		expect(limits('<joint range="-1 2"/>')).toEqual([-1, 2]);
		expect(limits('<joint range="-1 2" limited="false"/>')).toEqual(free);
		expect(limits('<joint range="-1 2" limited="true"/>')).toEqual([-1, 2]);
		expect(limits('<joint range="-1 2" limited="auto"/>')).toEqual([-1, 2]);
		expect(limits('<joint limited="auto"/>')).toEqual(free);
		expect(findings(importText(arm('<joint range="-1 2" limited="auto"/>')))).toEqual([]);
		// something else is as if it were not there
		expect(limits('<joint range="-1 2" limited="yes"/>')).toEqual([-1, 2]);
		expect(findings(importText(arm('\n<joint range="-1 2" limited="yes"/>')))).toEqual([
			"error MJCF006 2 limited of <joint> is 'yes', expected true, false or auto",
		]);
		expect(limits('<joint range="-1 2"/>', '<compiler angle="radian" autolimits="false"/>')).toEqual(free);
		expect(limits('<joint range="-1 2" limited="true"/>', '<compiler angle="radian" autolimits="false"/>')).toEqual([
			-1, 2,
		]);
		// Newton takes every range as a limit
		expect(limits('<joint range="-1 2" limited="false"/>', RADIAN, { newtonCompat: true })).toEqual([-1, 2]);
		near(limits('<joint range="-90 180"/>', ''), [-Math.PI / 2, Math.PI]);
		expect(limits('<joint type="slide" range="-90 180"/>', '')).toEqual([-90, 180]);
		expect(findings(importText(arm('\n<joint limited="true"/>')))).toEqual([
			"warning MJCF006 2 limited of <joint> is 'true', but there is no range",
		]);
	});

	test('bounds of the force are the larger one of their sizes', () => {
		const limit = (joint: string, compiler = '', options: Options = {}): number =>
			importText(compiler + arm(joint), options).builder.column('jointEffortLimit')[0]!;
		const none = limit('<joint/>');
		expect(none).toBeGreaterThan(1e5);
		expect(limit('<joint actuatorfrcrange="-7 3"/>')).toBe(7);
		expect(limit('<joint actuatorfrcrange="-3 7"/>')).toBe(7);
		expect(limit('<joint actuatorfrcrange="-3 7" actuatorfrclimited="false"/>')).toBe(none);
		for (const newtonCompat of [false, true]) {
			const off = '<compiler autolimits="false"/>';
			expect(limit('<joint actuatorfrcrange="-3 7"/>', '', { newtonCompat })).toBe(7);
			expect(limit('<joint actuatorfrcrange="-3 7"/>', off, { newtonCompat })).toBe(none);
			expect(limit('<joint actuatorfrcrange="-3 7" actuatorfrclimited="true"/>', off, { newtonCompat })).toBe(7);
		}
		const { ledger } = importText(arm('<joint name="j" actuatorfrcrange="-3 7" actuatorfrclimited="false"/>'));
		expect(ledger.entries().find(({ name }) => name === 'actuatorfrcrange')).toMatchObject({
			class: 'ignored',
			reason: 'the limit is switched off',
		});
	});

	test('gains of limits are those of a spring with a time constant and a damping ratio', () => {
		const gains = (solreflimit: string, options: Options = {}): number[] => {
			const { builder } = importText(arm(`<joint solreflimit="${solreflimit}"/>`), options);
			return [builder.column('jointLimitKe')[0]!, builder.column('jointLimitKd')[0]!];
		};
		near(gains('0.1 0.5'), [1 / (0.01 * 0.25), 2 / 0.1]);
		near(gains('0.1'), [100, 20]);
		expect(gains('-300 -4')).toEqual([300, 4]);
		const usual = gains('0.1 0.5', { newtonCompat: true });
		expect(gains('0 0')).toEqual(usual);
		expect(gains('0 -1')).toEqual(usual);
		expect(gains('-1 0')).toEqual(usual);
		expect(gains('1 -1')).toEqual(usual);
		const told = (text: string): string[] => findings(importText(arm(`\n<joint solreflimit="${text}"/>`)));
		expect(told('0.1 0.5 3')).toHaveLength(1);
		expect(findings(importText(arm('<joint/><geom size="1" solref="0.1 0.5 3"/>')))).toHaveLength(1);
		for (const fine of ['0 0', '0.1', '-300 -4', '0.1 0.5']) expect(told(fine)).toEqual([]);
		for (const odd of ['0 1', '1 0', '-1', '1 -1', '0'])
			expect(told(odd)).toEqual([
				`warning MJCF021 2 solreflimit of <joint> is '${odd}', expected two numbers of one sign, or 0 0`,
			]);
		const mode = (joint: string, builder = new ModelBuilder()): number[] =>
			values(importText(arm(joint), { builder }), 'solreflimit_mode');
		expect(mode('<joint solreflimit="0.1 1"/>')).toEqual([1]);
		expect(mode('<joint/>')).toEqual([2]);
		expect(mode('<joint/>', new ModelBuilder({ defaultJointConfig: { limitKe: 5 } }))).toEqual([0]);
		expect(mode('<joint/>', new ModelBuilder({ defaultJointConfig: { limitKd: 5 } }))).toEqual([0]);
		expect(values(importText(arm('<joint solreflimit="-300 -4"/>')), 'solreflimit_gain_baseline')).toEqual([300, 4]);
	});

	test('a direction without length is z, a word that is no joint a hinge', () => {
		const odd = importText(arm('\n<joint axis="0 0 0"/>'));
		expect(list(odd.builder.column('jointAxis'))).toEqual([0, 0, 1]);
		expect(findings(odd)).toEqual(["error MJCF006 2 axis of <joint> is '0 0 0', expected a direction; z is taken"]);
		for (const [newtonCompat, type, taken] of [
			[false, JointType.REVOLUTE, 'hinge'],
			[true, JointType.PRISMATIC, 'slide'],
		] as const) {
			const word = importText(arm('\n<joint type="screw"/>'), { newtonCompat });
			expect(list(word.builder.column('jointType'))).toEqual([type]);
			expect(findings(word)).toEqual([
				`warning MJCF006 2 type of <joint> is 'screw', expected free, ball, slide or hinge; ${taken} is taken`,
			]);
		}
		expect(list(importText(arm('<joint type="fixed"/>')).builder.column('jointType'))).toEqual([JointType.FIXED]);
		expect(list(importText(arm('<joint type=" HINGE "/>')).builder.column('jointType'))).toEqual([JointType.REVOLUTE]);
	});

	test('free and ball joints have passive forces on each degree of freedom', () => {
		const free = importText(arm('<joint type="free" damping="0.3" armature="0.4" frictionloss="0.5"/>'), {
			armatureScale: 2,
		}).builder;
		expect(list(free.column('jointDamping'))).toEqual(Array(6).fill(0.3));
		expect(list(free.column('jointArmature'))).toEqual(Array(6).fill(0.8));
		expect(list(free.column('jointFriction'))).toEqual(Array(6).fill(0.5));
		const plain = importText(arm('<joint type="free" damping="0.3" armature="0.4" frictionloss="0.5"/>'), {
			newtonCompat: true,
		}).builder;
		expect(list(plain.column('jointFriction'))).toEqual(Array(6).fill(0));
		const ball = importText(arm('<joint type="ball" damping="0.3" armature="0.4" frictionloss="0.5"/>'), {
			armatureScale: 2,
		}).builder;
		expect(list(ball.column('jointDamping'))).toEqual(Array(3).fill(0.3));
		expect(list(ball.column('jointArmature'))).toEqual(Array(3).fill(0.8));
		expect(list(ball.column('jointFriction'))).toEqual(Array(3).fill(0.5));
	});

	test('three hinges become a ball joint that keeps their numbers', () => {
		const hinge = (axis: string, more = ''): string => `<joint axis="${axis}" ${more}/>`;
		const text = arm(
			hinge('2 0 0', 'range="-1 2" damping="3" armature="4" frictionloss="5"') +
				hinge('0 3 0', 'actuatorfrcrange="-6 6" solreflimit="-7 -8"') +
				hinge('0 0 -4', 'damping="9"'),
		);
		const { builder } = importText(RADIAN + text, { convert3dHingeToBallJoints: true });
		expect(list(builder.column('jointType'))).toEqual([JointType.BALL]);
		expect(list(builder.column('jointAxis')).map((x) => x + 0)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, -1]);
		const plain = importText(RADIAN + text).builder;
		expect(list(plain.column('jointType'))).toEqual([JointType.D6]);
		for (const name of [
			'jointLimitLower',
			'jointLimitUpper',
			'jointLimitKe',
			'jointLimitKd',
			'jointTargetKe',
			'jointTargetKd',
			'jointDamping',
			'jointArmature',
			'jointFriction',
			'jointEffortLimit',
			'jointVelocityLimit',
		] as const) {
			expect(list(builder.column(name)), name).toEqual(list(plain.column(name)));
		}
		expect(builder.column('jointLimitLower')[0]).toBe(-1);
		expect(builder.column('jointEffortLimit')[1]).toBe(6);
		expect([builder.column('jointLimitKe')[1], builder.column('jointLimitKd')[1]]).toEqual([7, 8]);
		expect(list(builder.column('jointDamping'))).toEqual([3, 0, 9]);
		const two = importText(arm(hinge('1 0 0') + hinge('0 1 0')), { convert3dHingeToBallJoints: true }).builder;
		expect(list(two.column('jointType'))).toEqual([JointType.D6]);
	});

	test('joints stand alone where one joint of the builder cannot hold them', () => {
		const types = (joints: string, rest = ''): number[] =>
			list(importText(arm(joints) + rest).builder.column('jointType'));
		const { D6, REVOLUTE, PRISMATIC, BALL, FREE } = JointType;
		const [hinge, slide] = ['<joint/>', '<joint type="slide"/>'];
		expect(types(slide + hinge)).toEqual([D6]);
		expect(types(hinge + slide)).toEqual([REVOLUTE, PRISMATIC]);
		expect(types(slide + slide + slide + hinge + hinge + hinge)).toEqual([D6]);
		expect(types(slide.repeat(4))).toEqual([D6, PRISMATIC]);
		expect(types(hinge.repeat(4))).toEqual([D6, REVOLUTE]);
		expect(types(`${hinge}<joint type="ball"/>${hinge}`)).toEqual([REVOLUTE, BALL, REVOLUTE]);
		expect(types(`${hinge}<joint pos="0 0 1e-13"/>`)).toEqual([D6]);
		expect(types(`${hinge}<joint pos="0 0 1e-11"/>`)).toEqual([REVOLUTE, REVOLUTE]);
		expect(types(`<joint pos="0 0 1"/>${hinge}`)).toEqual([REVOLUTE, REVOLUTE]);
		// what a constraint or tendon names stands alone
		const [a, b] = ['<joint name="a"/>', '<joint name="b"/>'];
		for (const rest of [
			'<equality><joint joint1="a"/></equality>',
			'<equality><joint joint1="x" joint2="b"/></equality>',
			'<tendon><fixed><joint joint="a"/></fixed></tendon>',
		]) {
			expect(types(a + b, rest)).toEqual([REVOLUTE, REVOLUTE]);
		}
		// a free joint is alone, wherever it stands
		expect(types(`${hinge}<joint type="free"/>`)).toEqual([FREE]);
	});

	test('joints beside a free one are told of', () => {
		const free = importText(arm('<joint type="free"/>\n<joint name="late"/>\n<joint/>'));
		expect(findings(free)).toEqual([
			"warning MJCF018 2 the joint 'late' stands beside a free joint, which is taken alone",
			'warning MJCF018 3 the joint <joint> stands beside a free joint, which is taken alone',
		]);
		const compat = importText(arm('<joint type="ball"/>\n<joint name="late"/>'), { newtonCompat: true });
		expect(findings(compat)).toEqual([
			"warning MJCF018 2 the joint 'late' stands beside a ball joint, which is taken alone",
		]);
		const apart = importText(
			arm('<joint name="a" pos="1 0 0"/>\n<joint name="c" pos="1 0 1e-13"/>\n<joint name="b"/>'),
			{
				newtonCompat: true,
			},
		);
		expect(findings(apart)).toEqual([
			"warning MJCF018 3 joint 'b' is at 0 0 0, the first joint of the body at 1 0 0: they become one joint there",
		]);
	});

	test('the order of joints that one joint cannot have is told of with Newton', () => {
		const told = (joints: string): string[] => findings(importText(arm(joints), { newtonCompat: true }));
		const [hinge, slide] = ['\n<joint name="h"/>', '\n<joint name="s" type="slide"/>'];
		expect(told(slide + hinge)).toEqual([]);
		expect(told(hinge + slide)).toEqual([
			"warning MJCF018 3 the slide joint 's' comes after a hinge; the joint of the body slides first",
		]);
		const beyond = 'warning MJCF018 2 the body has 4 joints, of which a six-axis joint takes three of each kind';
		expect(told(hinge.repeat(4))).toEqual([beyond]);
		expect(told(slide.repeat(3) + hinge.repeat(3))).toEqual([]);
		expect(told(slide.repeat(3) + hinge.repeat(4))).toEqual([beyond.replace('4', '7')]);
		expect(told(slide.repeat(4) + hinge.repeat(3))).toEqual([beyond.replace('4', '7')]);
	});

	test('the limit of a ball joint is kept for MuJoCo', () => {
		const written = (joint: string, compiler = RADIAN, options: Options = {}) => {
			const imported = importText(compiler + arm(joint), options);
			const { class: fate, targets } = imported.ledger.entries().find(({ name }) => name === 'range')!;
			return [fate, ...targets].join(' ');
		};
		expect(written('<joint type="ball" range="0 1"/>')).toBe('used mujoco:joint_mjcf');
		expect(written('<joint type="ball" range="0 1" limited="false"/>')).toBe('used');
		expect(written('<joint type="ball" range="0 1"/>', '<compiler autolimits="false"/>')).toBe('used');
		expect(written('<joint type="ball" range="0 1" limited="true"/>', '<compiler autolimits="false"/>')).toBe(
			'used mujoco:joint_mjcf',
		);
		expect(written('<joint type="ball" range="0 1"/>', RADIAN, { newtonCompat: true })).toBe('ignored');
	});
});

describe('bodies', () => {
	test('two of a name: references mean the first, with Newton the last', () => {
		const text =
			'<worldbody>\n<body name="a"><geom size="1"/></body>\n<body name="a"><geom size="1"/></body></worldbody>';
		for (const [newtonCompat, index] of [
			[false, 0],
			[true, 1],
		] as const) {
			const imported = importText(text, { newtonCompat });
			expect(imported.bodies.get('a')).toBe(index);
			expect(findings(imported)).toEqual(["warning MJCF017 3 there are two bodies 'a'; references mean the first"]);
		}
	});

	test('that move need an inertial element where masses are not inferred', () => {
		const told = (joint: string, rest = '', options: Options = {}): string[] =>
			findings(
				importText(
					`<compiler inertiafromgeom="false"/><worldbody>\n<body name="b">${joint}<geom size="1"/>${rest}</body></worldbody>`,
					options,
				),
			);
		const fault = 'error MJCF020 2 body \'b\' has no inertial element, expected one with inertiafromgeom="false"';
		const inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>';
		expect(told('<joint/>').map((text) => text.replace(/^\w+/, 'error'))).toEqual([fault]);
		expect(told('<freejoint/>').map((text) => text.replace(/^\w+/, 'error'))).toEqual([fault]);
		expect(told('')).toEqual([]);
		expect(told('<joint/>', inertial)).toEqual([]);
		expect(told('<joint/>', '', { ignoreInertialDefinitions: true })).toEqual([]);
		const mass = (mode: string, options: Options = {}): number =>
			importText(`<compiler inertiafromgeom="${mode}"/>${arm('<joint/>', inertial)}`, options).builder.column(
				'bodyMass',
			)[0]!;
		const ball = (4 / 3) * Math.PI * 1000;
		expect(mass('auto')).toBe(1);
		expect(mass('false')).toBe(1);
		expect(mass('true')).toBeCloseTo(ball, 6);
		expect(mass('auto', { ignoreInertialDefinitions: true })).toBeCloseTo(ball, 6);
	});

	test('keep their inertial element when no geom weighs', () => {
		const text =
			'<compiler inertiafromgeom="true"/><worldbody><body><inertial pos="1 2 3" mass="4" diaginertia="5 6 7"/><geom size="1" mass="0"/></body></worldbody>';
		const { builder } = importText(text);
		expect(builder.column('bodyMass')[0]).toBe(4);
		expect(list(builder.column('bodyCom'))).toEqual([1, 2, 3]);
		expect(list(builder.column('bodyInertia'))).toEqual([5, 0, 0, 0, 6, 0, 0, 0, 7]);
		for (const options of [{ newtonCompat: true }, { ignoreInertialDefinitions: true }]) {
			expect(importText(text, options).builder.column('bodyMass')[0]).toBe(0);
		}
	});

	test('that are moved by hand hang on a body like any other: they threw an error', () => {
		const builder = new ModelBuilder();
		const base = builder.addLink({ label: 'base' });
		builder.addArticulation([builder.addJointFree({ child: base })]);
		const { codes } = importText(
			'<worldbody><body name="m" mocap="true" pos="1 0 0"><geom size="1"/></body></worldbody>',
			{
				builder,
				parentBody: base,
			},
		);
		expect(codes).toEqual([]);
		expect(list(builder.column('jointParent'))).toEqual([WORLD, base]);
		expect(builder.column('bodyFlags')[1]).toBe(builder.column('bodyFlags')[0]);
	});

	test('classes that options leave out are gone with everything in them', () => {
		const text = `<default><default class="ghost"/><default class="other"/></default><worldbody>
			<body name="a" childclass="ghost"><geom size="1"/></body><body name="b"><geom size="1" class="ghost"/><geom size="2" class="other"/><site class="ghost"/><site name="x_s"/><site name="s"/></body></worldbody>`;
		const { builder, ledger } = importText(text, { ignoreClasses: [/gho/], ignoreNames: ['x_'] });
		expect(builder.labels('body')).toEqual(['worldbody/b']);
		expect(builder.labels('shape')).toEqual(['worldbody/b/b_geom_0', 'worldbody/b/s']);
		const reasons = ledger
			.entries()
			.filter((entry) => entry.class === 'ignored')
			.map(({ path, name, reason }) => `${path} ${name}: ${reason}`);
		expect(reasons).toEqual([
			'worldbody/body[a] name: the option ignoreClasses leaves it out, with everything in it',
			expect.stringContaining('worldbody/body[a]/geom size: '),
			'worldbody/body[b]/geom[ghost] size: the option ignoreClasses leaves it out',
		]);
	});

	test('inertial elements that give no inertia are told of', () => {
		const read = (attributes: string, options: Options = {}) => {
			const imported = importText(
				`<worldbody><body name="b">\n<inertial ${attributes}/><geom size="1"/></body></worldbody>`,
				options,
			);
			return {
				found: findings(imported).map((text) => text.replace(/^.*? 2 /, '')),
				inertia: list(imported.builder.column('bodyInertia')),
				mass: imported.builder.column('bodyMass')[0],
			};
		};
		expect(read('mass="2" pos="0 0 0" diaginertia="1 2"').found).toEqual([
			"inertial of body 'worldbody/b' has 2 numbers in diaginertia, expected 3",
		]);
		expect(read('mass="2" pos="0 0 0" fullinertia="1 2"').found).toEqual([
			"inertial of body 'worldbody/b' has 2 numbers in fullinertia, expected 6",
		]);
		expect(read('mass="2" pos="0 0 0"').found).toEqual([
			"inertial of body 'worldbody/b' has neither diaginertia nor fullinertia, expected one of them",
		]);
		expect(read('mass="-2" pos="0 0 0" diaginertia="1 1 1"')).toMatchObject({
			found: ["inertial of body 'worldbody/b' has the mass -2 kg, expected a positive one"],
			mass: 0,
		});
		expect(read('pos="0 0 0" diaginertia="1 1 1"')).toMatchObject({
			found: ["inertial of body 'worldbody/b' has the mass 0 kg, expected a positive one"],
			mass: 0,
			inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1],
		});
		expect(read('mass="0" pos="0 0 0" diaginertia="1 1 1"').found).toEqual([]);
		expect(read('mass="2" pos="0 0 0" diaginertia="x"').found).toHaveLength(1);
		expect(read('mass="2" pos="0 0 0" fullinertia="x"').found).toHaveLength(1);
		expect(read('mass="2" pos="0 0 0" diaginertia="3"', { newtonCompat: true }).inertia).toEqual([
			3, 0, 0, 0, 3, 0, 0, 0, 3,
		]);
		expect(read('mass="2" pos="0 0 0" diaginertia="1 2 2"', { scale: 3 }).inertia).toEqual([
			9, 0, 0, 0, 18, 0, 0, 0, 18,
		]);
		expect(read('mass="2" pos="0 0 0" diaginertia="1 2 3" fullinertia="9 9 9 0 0 0"').inertia).toEqual([
			1, 0, 0, 0, 2, 0, 0, 0, 3,
		]);
	});
});

describe('an orientation', () => {
	test('of the element replaces that of its class, without a finding', () => {
		const imported = importText(
			`<compiler angle="degree"/><default><geom euler="0 0 90"/></default>${arm('', '<geom type="box" size="1 2 3" quat="0 1 0 0"/>')}`,
		);
		near(imported.builder.column('shapeTransform').subarray(7 + 3, 7 + 7), [1, 0, 0, 0]);
		near(imported.builder.column('shapeTransform').subarray(3, 7), [0, 0, Math.SQRT1_2, Math.SQRT1_2]);
		expect(imported.codes).toEqual([]);
	});
});

describe('balanceinertia', () => {
	test('changes the body that breaks the triangle inequality and not the next one', () => {
		const body = (name: string, moments: string): string =>
			`<body name="${name}"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="${moments}"/></body>`;
		const imported = importText(
			`<compiler balanceinertia="true"/><worldbody>${body('a', '1 1 4')}${body('b', '1 2 2.5')}</worldbody>`,
		);
		const inertia = imported.builder.column('bodyInertia');
		near(inertia.subarray(0, 9), [2, 0, 0, 0, 2, 0, 0, 0, 2]);
		near(inertia.subarray(9, 18), [1, 0, 0, 0, 2, 0, 0, 0, 2.5]);
	});
});
