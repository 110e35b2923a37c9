import { importMjcf } from '@manyworlds/import';
import { Control, type Model, State } from '@manyworlds/model';
import { type MjModel, SolverMujoco, saveToMjcf } from '@manyworlds/mujoco';
import { doubleField, intField } from '@manyworlds/mujoco/internal';
import { SolverSap } from '@manyworlds/sim';
import { describe, expect, test } from 'vitest';
import { mujoco, mujocoBuilder } from '../../../packages/mujoco/test/support.ts';

const STEPS = 200;
const DT = 0.002;

function imported(text: string): Model {
	const builder = mujocoBuilder({ rigidGap: 0 });
	importMjcf(new TextEncoder().encode(text), builder, {
		ctrlDirect: true,
		convertMjcEqualityConstraints: false,
		meshMaxhullvert: -1,
	});
	return builder.finalize();
}

/** Coordinates after some steps, of MuJoCo's own load. */
function ownLoad(text: string): { qpos: number[]; contacts: number } {
	const mj = mujoco.MjModel.from_xml_string(text);
	const data = new mujoco.MjData(mj);
	mj.opt.timestep = DT;
	doubleField(data, 'ctrl').fill(0.3);
	let contacts = 0;
	for (let i = 0; i < STEPS; i++) {
		mujoco.mj_step(mj, data);
		contacts += data.ncon;
	}
	const qpos = Array.from(doubleField(data, 'qpos'));
	data.delete();
	mj.delete();
	return { qpos, contacts };
}

/** The same after the file became a model and that MuJoCo's. */
function converted(model: Model): { qpos: number[]; solver: SolverMujoco } {
	const solver = new SolverMujoco(mujoco, model, { forwardGap: true, enableMulticcd: true, integrator: 'euler' });
	const control = new Control(model);
	if (control.attributes.has('mujoco:ctrl')) (control.attributes.get('mujoco:ctrl') as Float64Array).fill(0.3);
	let [now, next] = [new State(model), new State(model)];
	for (let i = 0; i < STEPS; i++) {
		solver.step(now, next, control, undefined, DT);
		[now, next] = [next, now];
	}
	const qpos = new Float64Array(solver.compiled.mj.nq);
	solver.compiled.coordinates.push(0, now, qpos, new Float64Array(solver.compiled.mj.nv));
	return { qpos: Array.from(qpos), solver };
}

const GEOM = '<geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" contype="0" conaffinity="0"/>';
const arm = (joints: string, rest = '', option = ''): string =>
	`<mujoco><compiler angle="radian"/><option timestep="${DT}" integrator="Euler">${option}</option><worldbody>
	<body name="a"><joint name="base" axis="0 1 0" damping=".1"/>${GEOM}<site name="sa" pos=".1 0 .05"/>
	<body name="b" pos=".3 0 0" quat=".9 .1 .2 .3">${joints}${GEOM}<site name="sb" pos=".2 .03 0"/></body></body>
	<site name="sw" pos=".5 0 -.1"/></worldbody>${rest}</mujoco>`;

const CASES: Readonly<Record<string, string>> = {
	'two hinges at different points of one body': arm(
		'<joint name="j" axis="0 1 0" pos="-.1 0 0"/><joint name="k" axis="0 0 1" pos=".1 0 0"/>',
	),
	'a hinge before a slide': arm(
		'<joint name="j" axis="0 1 0"/><joint name="k" type="slide" axis="1 0 0" damping="5"/>',
	),
	'slides before a ball': arm(
		'<joint type="slide" axis="1 0 0" damping="9"/><joint type="slide" axis="0 1 0" damping="9"/><joint type="ball" damping=".1"/>',
	),
	'four hinges': arm(
		'<joint axis="1 0 0" armature=".1"/><joint axis="0 1 0" armature=".1"/><joint axis="0 0 1" armature=".1"/><joint axis="0 1 0" pos=".1 0 .1" armature=".1"/>',
	),
	'an equality of one of several joints': arm(
		'<joint name="j" axis="0 1 0"/><joint name="k" axis="0 0 1"/>',
		'<equality><joint joint1="k" joint2="base" polycoef=".1 .5 .2 0 0"/></equality>',
	),
	'a tendon along one of several joints': arm(
		'<joint name="j" axis="0 1 0"/><joint name="k" axis="0 0 1"/>',
		'<tendon><fixed name="t" stiffness="20" damping="1"><joint joint="k" coef="1"/><joint joint="base" coef="2"/></fixed></tendon>',
	),
	'sites that a connect brings together': arm(
		'<joint axis="0 1 0"/>',
		'<equality><connect site1="sb" site2="sw" solref=".1 1"/></equality>',
	),
	'sites that a weld brings together': arm(
		'<joint type="ball" damping=".01"/>',
		'<equality><weld site1="sa" site2="sb" torquescale=".5" solref=".1 1"/></equality>',
	),
	'an equality of tendons': arm(
		'<joint name="j" axis="0 1 0"/>',
		'<tendon><fixed name="s"><joint joint="j" coef="1"/></fixed><fixed name="t"><joint joint="base" coef="1"/></fixed></tendon><equality><tendon tendon1="s" tendon2="t" polycoef="0 -1 0 0 0"/></equality>',
	),
	'switches of the solver': arm(
		'<joint axis="0 1 0" damping="2"/>',
		'',
		'<flag eulerdamp="disable" gravity="disable"/>',
	),
	'the limit of a ball': arm('<joint type="ball" range="0 .3"/>'),
	'springs given by time and ratio': arm('<joint axis="0 1 0" springdamper=".1 .7"/>'),
	'a fluid and how shapes feel it': arm('<joint axis="0 1 0"/>')
		.replace('<option ', '<option density="100" viscosity=".1" ')
		.replaceAll('size=".02"', 'size=".02" fluidshape="ellipsoid"'),
	'a control with armature and a group': arm(
		'<joint name="j" axis="0 1 0"/>',
		'<actuator><position joint="j" kp="10" kv="1" armature=".05" group="2"/></actuator>',
	),
};

describe('a file that became a model moves as MuJoCo moves it', () => {
	test.each(Object.entries(CASES))('%s', (_, text) => {
		const own = ownLoad(text);
		const { qpos, solver } = converted(imported(text));
		solver.dispose();
		expect(qpos).toHaveLength(own.qpos.length);
		for (const [i, value] of own.qpos.entries()) expect(qpos[i]).toBeCloseTo(value, 9);
	});

	test.each(Object.entries(CASES))('%s, when the model is written as a file', (_, text) => {
		const own = ownLoad(text);
		const saved = saveToMjcf(imported(text)).text.replace('integrator="implicitfast"', 'integrator="Euler"');
		const again = ownLoad(
			saved
				.replace('<option ', '<option integrator="Euler" ')
				.replace(/(integrator="Euler".*?) integrator="Euler"/, '$1'),
		);
		for (const [i, value] of own.qpos.entries()) expect(again.qpos[i]).toBeCloseTo(value, 7);
	});
});

/** Two boxes and a post that overlap, on a base that does not move. */
const crowd = (
	contact = '',
	option = '',
): string => `<mujoco><option timestep="${DT}" integrator="Euler">${option}</option>
	<worldbody><geom name="floor" type="box" size="1 1 .1" pos="0 0 -.15"/>
	<body name="base"><geom type="box" size=".1 .1 .1"/>
	<body name="arm" pos="0 0 .15"><joint axis="0 1 0" damping="1"/><geom type="box" size=".1 .1 .1"/>
	<body name="bolt" pos=".05 0 .05"><geom type="box" size=".1 .1 .1"/>
	<body name="tip" pos=".05 0 .05"><joint axis="0 0 1" damping="1"/><geom type="box" size=".1 .1 .1"/></body></body></body></body>
	</worldbody>${contact}</mujoco>`;

/** Pairs of bodies that touch at the start, by their numbers. */
function touching(mj: MjModel): string[] {
	const data = new mujoco.MjData(mj);
	mujoco.mj_forward(mj, data);
	// a copy: reading contacts may let the memory of MuJoCo grow, which empties views of it
	const bodies = Array.from(intField(mj, 'geom_bodyid'));
	const pairs = new Set<string>();
	for (let i = 0; i < data.ncon; i++) {
		const contact = data.contact.get(i)!;
		const ends = [contact.geom1, contact.geom2].map((geom) => bodies[geom]!).sort((a, b) => a - b);
		pairs.add(ends.join(' '));
		contact.delete();
	}
	data.delete();
	return [...pairs].sort();
}

describe('bodies collide by the rules of MuJoCo', () => {
	test.each([
		['with what does not move, and not with what carries or welds them', crowd()],
		['with what carries them when the file says so', crowd('', '<flag filterparent="disable"/>')],
		['unless they are excluded', crowd('<contact><exclude body1="base" body2="arm"/></contact>')],
		['nor with the world when that is excluded', crowd('<contact><exclude body1="world" body2="tip"/></contact>')],
	])('%s', (_, text) => {
		const own = mujoco.MjModel.from_xml_string(text);
		const { solver } = converted(imported(text));
		const expected = touching(own);
		expect(expected.length).toBeGreaterThan(0);
		expect(touching(solver.compiled.mj)).toEqual(expected);
		const saved = mujoco.MjModel.from_xml_string(saveToMjcf(imported(text)).text);
		expect(touching(saved)).toEqual(expected);
		for (const mj of [own, saved]) mj.delete();
		solver.dispose();
	});

	test('pairs keep their numbers although MuJoCo sorts them', () => {
		const pairs = ['tip base', 'arm base', 'arm floor'].map((names, i) => {
			const [a, b] = names.split(' ');
			return `<pair geom1="g_${a}" geom2="g_${b}" margin="${0.01 * (i + 1)}"/>`;
		});
		let n = 0;
		const names = ['g_floor', 'g_base', 'g_arm', 'g_bolt', 'g_tip'];
		const text = crowd(`<contact>${pairs.join('')}</contact>`)
			.replace('name="floor" ', '')
			.replace(/<geom type="box"/g, () => `<geom name="${names[n++]}" type="box"`);
		const model = imported(text);
		const { solver } = converted(model);
		const mj = mujoco.MjModel.from_xml_string(text);
		const margins = Array.from(doubleField(mj, 'pair_margin'));
		expect(Array.from(doubleField(solver.compiled.mj, 'pair_margin'))).toEqual(margins);
		expect(Array.from(model.attributes.get('mujoco:pair_margin') as Float64Array)).toEqual(margins);
		mj.delete();
		solver.dispose();
	});
});

test('a body between the joints of another one is no body of MuJoCo', () => {
	const builder = mujocoBuilder();
	const { insertedBodies, bodies } = importMjcf(new TextEncoder().encode(CASES['four hinges']!), builder);
	expect([...insertedBodies.values()]).toEqual([bodies.get('b')]);
	const { solver } = converted(builder.finalize());
	expect(solver.compiled.mj.nbody).toBe(3);
	solver.dispose();
});

test('names with slashes stay as they are', () => {
	const text = CASES['a tendon along one of several joints']!.replaceAll('"b"', '"left/b"')
		.replaceAll('"k"', '"left/k"')
		.replace('name="t"', 'name="left/t"')
		.replace('name="sb"', 'name="left/sb"');
	const saved = saveToMjcf(imported(text)).text;
	for (const name of ['left/b', 'left/k', 'left/t', 'left/sb', 'base']) expect(saved).toContain(`name="${name}"`);
	expect(ownLoad(saved).qpos).toHaveLength(3);
});

describe('bodies that MuJoCo would refuse', () => {
	/** A link without mass that carries two others. */
	function fork(): Model {
		const builder = mujocoBuilder();
		const fork = builder.addLink({ label: 'fork' });
		const joints = [builder.addJointRevolute({ parent: -1, child: fork, axis: 'y' })];
		for (const x of [-0.5, 0.5]) {
			const child = builder.addLink({
				mass: 1,
				inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01],
				xform: [x, 0, 0, 0, 0, 0, 1],
			});
			joints.push(builder.addJointRevolute({ parent: fork, child, axis: 'x', parentXform: [x, 0, 0, 0, 0, 0, 1] }));
		}
		builder.addArticulation(joints);
		return builder.finalize();
	}

	test('a link without mass that carries several gets just enough', () => {
		const { qpos, solver } = converted(fork());
		const { report } = solver.compiled.conversion;
		expect(report.toArray().map(({ code }) => code)).toContain('MJC022');
		expect(qpos.every(Number.isFinite)).toBe(true);
		solver.dispose();
	});

	test('a link without mass inside a chain is none of MuJoCo, and moves as the chain does', () => {
		const builder = mujocoBuilder();
		const [empty, full] = [
			builder.addLink({ label: 'empty' }),
			builder.addLink({ mass: 1, inertia: [0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.03], com: [0.2, 0, 0] }),
		];
		const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		builder.addArticulation([
			builder.addJointRevolute({ parent: -1, child: empty, axis: 'y', childXform: [-0.3, 0, 0, ...turn] }),
			builder.addJointRevolute({ parent: empty, child: full, axis: 'x', parentXform: [0.1, 0.2, 0, ...turn] }),
		]);
		const model = builder.finalize();
		const { qpos, solver } = converted(model);
		expect(solver.compiled.mj.nbody).toBe(2);
		solver.dispose();
		const sap = new SolverSap(model);
		let [now, next] = [new State(model), new State(model)];
		for (let i = 0; i < 10 * STEPS; i++) {
			sap.step(now, next, undefined, undefined, DT / 10);
			[now, next] = [next, now];
		}
		for (const [i, value] of qpos.entries()) expect(Math.abs(now.jointQ[i]! - value)).toBeLessThan(0.02);
	});

	test('a plate misses the triangle inequality by rounding only', () => {
		const builder = mujocoBuilder();
		const q = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)];
		const plate = builder.addLink({ mass: 1, inertia: turned([0.1, 0.2, 0.3 * (1 + 1e-9)], q) });
		builder.addArticulation([builder.addJointFree({ child: plate })]);
		const { solver } = converted(builder.finalize());
		expect(solver.compiled.conversion.report.toArray().map(({ code }) => code)).toContain('MJC022');
		solver.dispose();
	});

	test('a kinematic body keeps the weight by which constraints are scaled', () => {
		const weights = [false, true].map((isKinematic) => {
			const builder = mujocoBuilder();
			const body = builder.addLink({ mass: 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], isKinematic });
			builder.addArticulation([builder.addJointRevolute({ parent: -1, child: body, axis: 'y' })]);
			const { solver } = converted(builder.finalize());
			const own = Array.from(doubleField(solver.compiled.mj, 'dof_invweight0'));
			solver.dispose();
			return own;
		});
		expect(weights[1]).toEqual(weights[0]);
	});
});

/** A diagonal tensor in other axes. */
function turned(diagonal: readonly number[], [x, y, z, w]: readonly number[]): number[] {
	const [a, b, c, d] = [x!, y!, z!, w!];
	const r = [
		[1 - 2 * (b * b + c * c), 2 * (a * b - d * c), 2 * (a * c + d * b)],
		[2 * (a * b + d * c), 1 - 2 * (a * a + c * c), 2 * (b * c - d * a)],
		[2 * (a * c - d * b), 2 * (b * c + d * a), 1 - 2 * (a * a + b * b)],
	];
	return [0, 1, 2].flatMap((i) =>
		[0, 1, 2].map((j) => diagonal.reduce((sum, moment, k) => sum + moment * r[i]![k]! * r[j]![k]!, 0)),
	);
}
