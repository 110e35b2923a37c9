import { JointTargetMode, ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { type ImportUsdOptions, importUsd } from '../../src/index.ts';
import { openUsd } from './usd-scene.ts';

const cube = (name: string, x: number, more: string = ''): string =>
	`def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\ndouble3 xformOp:translate = (${x}, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n${more}\n}\n`;
const joint = (name: string, type: string, from: string, to: string, more: string = ''): string =>
	`def Physics${type}Joint "${name}" (prepend apiSchemas = ["PhysicsDriveAPI:linear", "PhysicsDriveAPI:angular"]) {\nrel physics:body0 = </r/${from}>\nrel physics:body1 = </r/${to}>\n${more}\n}\n`;
const row = (type: string, name: string, text: string): string => `def Mjc${type} "${name}" {\n${text}\n}\n`;
const actuator = (text: string, target: string = '/r/slide'): string =>
	row('Actuator', 'act', `rel mjc:target = <${target}>\n${text}`);

const site = (name: string): string => `def Sphere "${name}" (prepend apiSchemas = ["MjcSiteAPI"]) {}`;

/** A chain: a free base, a slider from -1 to 3, a hinge, then two joints between the same bodies, with sites at both ends. */
const robot = (slide: string = '', more: string = ''): string =>
	`def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${cube('a', 0, site('heel'))}${cube('b', 3)}${cube('c', 6)}${cube('d', 9, site('tip'))}` +
	`${joint('slide', 'Prismatic', 'a', 'b', `float physics:lowerLimit = -1\nfloat physics:upperLimit = 3\n${slide}`)}${joint('hinge', 'Revolute', 'b', 'c')}` +
	`${joint('first', 'Prismatic', 'c', 'd', 'uniform token physics:axis = "X"\nfloat physics:lowerLimit = 0\nfloat physics:upperLimit = 1')}${joint('second', 'Prismatic', 'c', 'd', 'uniform token physics:axis = "Y"\nfloat physics:lowerLimit = 4\nfloat physics:upperLimit = 8')}${more}}\n`;

function load(text: string, options: ImportUsdOptions = {}, isRegistered: boolean = true) {
	const builder = new ModelBuilder();
	if (isRegistered) registerMujocoAttributes(builder);
	const result = importUsd(openUsd(text), builder, options);
	const all = (name: string): unknown[] => Array.from(builder.attributeValues(`mujoco:${name}`) as Float64Array);
	return {
		builder,
		result,
		all,
		of: (name: string): unknown => all(name)[0],
		findings: result.report.toArray().map(({ code, prim }) => `${code} ${prim}`),
		said: result.report.toArray().map(({ message }) => message),
		fate: (name: string) => result.ledger.entries().find((entry) => entry.path === '/act' && entry.name === name),
	};
}

describe('tokens of MuJoCo', () => {
	it.each([
		['token mjc:forceLimited = "true"', 1],
		['token mjc:forceLimited = "FALSE"', 0],
		['token mjc:forceLimited = "auto"', 2],
		['bool mjc:forceLimited = true', 1],
		['bool mjc:forceLimited = false', 0],
		['int mjc:forceLimited = 1', 1],
		['int64 mjc:forceLimited = 0', 0],
	])('%s is %d', (text, expected) => {
		const { of, findings, fate } = load(robot() + actuator(text));
		expect(findings).toEqual([]);
		expect(of('actuator_forcelimited')).toBe(expected);
		expect(fate('mjc:forceLimited')).toMatchObject({
			class: 'converted',
			from: 'token',
			to: 'number',
			targets: ['mujoco:actuator_forcelimited'],
		});
	});

	it.each([
		['token mjc:forceLimited = "maybe"', "mjc:forceLimited is 'maybe', expected a token of tristate"],
		['int mjc:forceLimited = 7', 'mjc:forceLimited is 7, expected a token of tristate'],
		['int[] mjc:forceLimited = [1]', 'mjc:forceLimited is (1), expected a token of tristate'],
	])('%s is refused, and what limits decide it', (text, message) => {
		const { of, findings, said } = load(robot() + actuator(text));
		expect(findings).toEqual(['IMP071 /act.mjc:forceLimited']);
		expect(said).toEqual([message]);
		expect(of('actuator_forcelimited')).toBe(2);
	});
});

describe('ranges of actuators', () => {
	it.each([
		['nothing', '', [2, 0, 0, 0]],
		['both ends', 'double mjc:ctrlRange:min = -2\ndouble mjc:ctrlRange:max = 5', [2, 1, -2, 5]],
		['the lower end, the other is 0', 'double mjc:ctrlRange:min = -2', [2, 1, -2, 0]],
		['the upper end, the other is 0', 'double mjc:ctrlRange:max = 5', [2, 1, 0, 5]],
		['that it is limited', 'token mjc:ctrlLimited = "true"', [1, 0, 0, 0]],
		// the joint goes from -1 to 3
		['half of the range of the joint', 'double mjc:inheritRange = 0.5', [1, 1, 0, 2]],
		['twice the range of the joint', 'double mjc:inheritRange = 2', [1, 1, -3, 5]],
		[
			'its own range before that of the joint',
			'double mjc:inheritRange = 2\ndouble mjc:ctrlRange:max = 5',
			[1, 1, 0, 5],
		],
		[
			'that it is not limited, with the range of the joint',
			'double mjc:inheritRange = 1\ntoken mjc:ctrlLimited = "false"',
			[0, 1, -1, 3],
		],
		['no share of the range', 'double mjc:inheritRange = 0', [2, 0, 0, 0]],
		['a negative share', 'double mjc:inheritRange = -1', [2, 0, 0, 0]],
	])('that say %s', (_, text, [limited, hasRange, ...range]) => {
		const { of, all } = load(robot() + actuator(text));
		expect([of('actuator_ctrllimited'), of('actuator_has_ctrlrange'), ...all('actuator_ctrlrange')]).toEqual([
			limited,
			hasRange,
			...range,
		]);
	});

	it('say what became of them', () => {
		const { fate } = load(
			robot() + actuator('double mjc:inheritRange = 2\ndouble mjc:forceRange:min = -3\ndouble mjc:odd = 1'),
		);
		expect(fate('mjc:inheritRange')).toMatchObject({
			class: 'converted',
			from: 'share of the joint range',
			to: 'range',
		});
		expect(fate('mjc:inheritRange')!.targets).toContain('mujoco:actuator_ctrlrange');
		expect(fate('mjc:forceRange:min')).toMatchObject({ class: 'kept' });
		expect(fate('mjc:forceRange:min')!.targets).toContain('mujoco:actuator_forcerange');
		expect(fate('mjc:odd')).toMatchObject({ class: 'ignored' });
	});

	it('are those of one joint of several between the same bodies', () => {
		const inherit = 'double mjc:inheritRange = 1';
		expect(load(robot() + actuator(inherit, '/r/first')).all('actuator_ctrlrange')).toEqual([0, 1]);
		expect(load(robot() + actuator(inherit, '/r/second')).all('actuator_ctrlrange')).toEqual([4, 8]);
		// one that nothing limits has none
		const { all, of } = load(robot() + actuator(inherit, '/r/tip'));
		expect([...all('actuator_ctrlrange'), of('actuator_has_ctrlrange')]).toEqual([0, 0, 0]);
	});
});

describe('what an actuator acts on', () => {
	const tendon = row('Tendon', 'rope', 'token mjc:type = "fixed"\nrel mjc:path = [</r/slide>]');

	// the free joint has six freedoms
	it.each([
		['a slider', '/r/slide', 0, 6],
		['a hinge', '/r/hinge', 0, 7],
		['the first of two joints', '/r/first', 0, 8],
		['the second of two joints', '/r/second', 0, 9],
		['a tendon', '/rope', 2, 0],
		['a site', '/r/d/tip', 3, 1],
		['nothing known', '/r/nobody', 0, -1],
	])('may be %s', (_, target, kind, index) => {
		const { of, all } = load(robot() + tendon + actuator('', target));
		expect([of('actuator_label'), of('actuator_target_label')]).toEqual(['/act', target]);
		expect([of('actuator_trntype'), all('actuator_trnid')[0]]).toEqual([kind, index]);
	});

	it('is one prim', () => {
		for (const [target, count] of [
			['', 0],
			['rel mjc:target = [</r/slide>, </r/hinge>]', 2],
		] as const) {
			const { findings, said, builder } = load(robot() + row('Actuator', 'act', target));
			expect(findings).toEqual(['IMP083 /act.mjc:target']);
			expect(said).toEqual([`mjc:target names ${count} prims, expected one; the actuator is left out`]);
			expect(builder.rowCount('mujoco:actuator')).toBe(0);
		}
	});

	it('is not found for Newton, whose solver does that', () => {
		expect(load(robot() + actuator(''), { newtonCompat: true }).all('actuator_trnid')[0]).toBe(-1);
	});
});

describe('rows that there is no place for', () => {
	const text = `${robot()}${actuator('')}${row('Tendon', 'rope', 'token mjc:type = "fixed"')}`;

	it('are counted in one finding, where Newton is followed', () => {
		const { findings, said } = load(text, { newtonCompat: true }, false);
		expect(findings).toEqual(['IMP082 /act']);
		expect(said[0]).toMatch(/^2 actuators and tendons of MuJoCo are left out, as the builder has no rows for them/);
	});

	it('are made otherwise, and left out where that is asked for', () => {
		expect(load(text, {}, false).of('actuator_label')).toBe('/act');
		const { builder, findings } = load(text, { ignorePaths: [/\/(act|rope)/] });
		expect([builder.rowCount('mujoco:actuator'), builder.rowCount('mujoco:tendon')]).toEqual([0, 0]);
		expect(findings).toEqual([]);
	});
});

describe('an actuator that pushes its joint to a target', () => {
	const AFFINE = 'token mjc:biasType = "affine"\n';
	const gains = (kp: number, ...bias: readonly number[]): string =>
		`${AFFINE}double[] mjc:gainPrm = [${kp}]\ndouble[] mjc:biasPrm = [${bias.join(', ')}]\n`;
	const { NONE, POSITION, VELOCITY, POSITION_VELOCITY, EFFORT } = JointTargetMode;
	const drive = (stiffness: number, damping: number): string =>
		`float drive:linear:physics:stiffness = ${stiffness}\nfloat drive:linear:physics:damping = ${damping}\n`;
	const driven = (text: string, slide: string = drive(0, 0), options: ImportUsdOptions = {}) => {
		const { builder, of, all } = load(robot(slide) + actuator(text), options);
		const column = (name: 'jointTargetKe' | 'jointTargetKd' | 'jointTargetMode'): number => builder.column(name)[6]!;
		return {
			drive: [column('jointTargetMode'), column('jointTargetKe'), column('jointTargetKd')],
			control: [of('ctrl_source'), of('ctrl_type'), ...all('actuator_trnid').slice(0, 2)],
		};
	};

	it.each([
		['a position', gains(5, 0, -5), drive(0, 0), [POSITION, 5, 0], 0],
		['a position, damped', gains(5, 0, -5, -2), drive(0, 0), [POSITION, 5, 2], 0],
		['a velocity', gains(5, 0, 0, -5), drive(0, 0), [VELOCITY, 0, 5], 1],
		['a position of a drive of velocities', gains(5, 0, -5, -2), drive(0, 3), [POSITION_VELOCITY, 5, 3], 0],
		['a velocity of a drive of positions', gains(5, 0, 0, -5), drive(3, 0), [POSITION_VELOCITY, 3, 5], 1],
		['a position of a drive of positions', gains(5, 0, -5, -2), drive(3, 1), [POSITION, 5, 1], 0],
		['a velocity of a drive of velocities', gains(5, 0, 0, -5), drive(0, 3), [VELOCITY, 0, 5], 1],
	])('%s: is the drive of the joint', (_, text, slide, expected, type) => {
		const found = driven(text, slide);
		expect(found.drive).toEqual(expected);
		expect(found.control).toEqual([0, type, 6, 0]);
	});

	it.each([
		['a gain', AFFINE],
		['a bias', 'double[] mjc:gainPrm = [5]\ndouble[] mjc:biasPrm = [0, -5]'],
		['no offset', gains(5, 1, -5)],
		['no offset of a velocity', gains(5, 1, 0, -5)],
		['a bias of the same size', gains(5, 0, -4)],
		['a damping of the same size', gains(5, 0, 0, -4)],
		['a damping that slows', gains(5, 0, -5, 2)],
		['a positive gain', gains(-5, 0, 5)],
		['no dynamics', `${gains(5, 0, -5)}token mjc:dynType = "filter"`],
		['a fixed gain', `${gains(5, 0, -5)}token mjc:gainType = "affine"`],
		['a gear of 1', `${gains(5, 0, -5)}double[] mjc:gear = [2]`],
		...[1, 2, 3, 4, 5].map((i): [string, string] => [
			`no gear at place ${i}`,
			`${gains(5, 0, -5)}double[] mjc:gear = [${[1, 0, 0, 0, 0, 0].with(i, 0.5).join(', ')}]`,
		]),
	])('needs %s, else it is controlled by itself', (_, text) => {
		const found = driven(text);
		expect(found.drive.slice(1)).toEqual([0, 0]);
		expect(found.control).toEqual([1, 2, 6, -1]);
	});

	it('is equal to rounding in single precision', () => {
		expect(driven(gains(5, 0, -5.00004)).control[0]).toBe(0);
		expect(driven(gains(5, 0, -5.0001)).control[0]).toBe(1);
		expect(driven(gains(5, 0.5e-8, -5)).control[0]).toBe(0);
		expect(driven(gains(5, 2e-8, -5)).control[0]).toBe(1);
	});

	it('has a drive without gains beside it, which Newton takes for one of efforts', () => {
		const compat = { newtonCompat: true };
		expect(driven(gains(5, 0, -5, -2), drive(0, 0), compat).drive).toEqual([EFFORT, 5, 0]);
		expect(driven(gains(5, 0, 0, -5), drive(0, 0), compat).drive).toEqual([EFFORT, 0, 5]);
		expect(driven('', drive(0, 0)).drive[0]).not.toBe(NONE);
	});
});

describe('fixed tendons of MuJoCo', () => {
	const tendon = (text: string): string => row('Tendon', 'rope', text);
	const parts = (text: string) => {
		const found = load(robot() + tendon(text));
		return { ...found, joints: found.all('tendon_joint'), coefs: found.all('tendon_coef') };
	};
	const PATH = 'token mjc:type = "fixed"\nrel mjc:path = [</r/slide>, </r/hinge>]\n';

	it.each([
		['all of the path with factors of 1', PATH, [1, 2], [1, 1]],
		['factors', `${PATH}double[] mjc:path:coef = [0.5, -2]`, [1, 2], [0.5, -2]],
		['fewer factors, the rest is 1', `${PATH}double[] mjc:path:coef = [0.5]`, [1, 2], [0.5, 1]],
		['another order', `${PATH}int[] mjc:path:indices = [1, 0]\ndouble[] mjc:path:coef = [0.5, -2]`, [2, 1], [0.5, -2]],
		['a type in any case', PATH.replace('fixed', 'Fixed'), [1, 2], [1, 1]],
	])('have %s', (_, text, joints, coefs) => {
		const found = parts(text);
		expect(found.findings).toEqual([]);
		expect(found.joints).toEqual(joints);
		expect(found.coefs).toEqual(coefs);
		expect([found.of('tendon_joint_adr'), found.of('tendon_joint_num')]).toEqual([0, joints.length]);
	});

	it.each([
		[
			'another type',
			'token mjc:type = "spatial"',
			'mjc:type',
			"the tendon is of type 'spatial'; only those of type 'fixed' are imported",
		],
		[
			'a place beyond the path',
			`${PATH}int[] mjc:path:indices = [5]`,
			'mjc:path:indices',
			'mjc:path:indices has 5 for a path of 2 targets',
		],
		[
			'no joint',
			'token mjc:type = "fixed"\nrel mjc:path = [</r/a>]',
			'mjc:path',
			'mjc:path names </r/a>, which is no imported joint',
		],
	])('with %s are reported', (_, text, property, message) => {
		const found = parts(text);
		expect(new Set(found.findings)).toEqual(new Set([`IMP082 /rope.${property}`]));
		expect(new Set(found.said)).toEqual(new Set([message]));
		expect(found.joints).toEqual([]);
	});
});
