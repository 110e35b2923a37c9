import { importMjcf } from '@manyworlds/import';
import { ArticulatedDynamics, type Model, ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { MODEL_ARRAYS } from '@manyworlds/model/internal';
import type { MjModel } from '@manyworlds/mujoco';
import { type SavedMjcf, saveToMjcf } from '@manyworlds/mujoco';
import {
	BOOLEAN_FIELD_NAMES,
	boolField,
	CompiledModel,
	convertModel,
	numberField,
	SolrefMode,
} from '@manyworlds/mujoco/internal';
import { DefaultStore } from '@manyworlds/usd';
import { MovingParts } from '@manyworlds/worlds/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mujoco, mujocoBuilder } from '../../../packages/mujoco/test/support.ts';

/** The model that a saved file imports to. */
function reimport(saved: SavedMjcf): Model {
	const source = {
		exists: (name: string): boolean => saved.files.has(name.slice(name.lastIndexOf('/') + 1)),
		readSync: (name: string): Uint8Array | undefined => saved.files.get(name.slice(name.lastIndexOf('/') + 1)),
	};
	const builder = new ModelBuilder({ rigidGap: 0 });
	registerMujocoAttributes(builder);
	const { report } = importMjcf(saved.text, builder, {
		file: '/saved/model.xml',
		store: new DefaultStore({ source, roots: ['/saved'] }),
		...(saved.text.includes('<key name="initial"') ? { keyframe: 'initial' } : {}),
	});
	expect(report.toArray().filter(({ severity }) => severity === 'error')).toEqual([]);
	return builder.finalize();
}

/** Arrays that a file does not hold as they are; each is said in docs/guide/mujoco.md. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
	// joint frames are written in the axes of the child; bodies and joint coordinates are where they were
	...['jointXP', 'jointXC', 'jointAxis'],
	// compared as forward kinematics gives them
	...['bodyQ', 'bodyQd'],
	// mimics are equalities in MJCF
	...['constraintMimicJoint0'],
	// pairs of shapes that do not collide anyway
	...['shapeCollisionFilterPairs'],
	// no part of MJCF
	...['jointVelocityLimit', 'shapeMaterialKf', 'shapeMaterialRestitution', 'jointLimitKe', 'jointLimitKd', 'shapeGap'],
]);

/** Attributes that a file does not hold: of limits that are off, masks (compared by the pairs that they allow), names of axes. */
const NOT_COMPARED_ATTRIBUTES =
	/^mujoco:(solreflimit|solreflimit_mode|solreflimit_gain_baseline|contype|conaffinity|collision_mask_domain|joint_dof_label|solref|solref_mode|site_size_is_display|actuator_.*|ctrl.*|autolimits)$/;

function expectSameAttributes(a: Model, b: Model): void {
	for (const key of a.attributes.keys()) {
		if (NOT_COMPARED_ATTRIBUTES.test(key)) continue;
		const [own, other] = [a.attributes.get(key), b.attributes.get(key)];
		expect([key, ...Array.from(other as ArrayLike<unknown>, Number)]).toEqual([
			key,
			...Array.from(own as ArrayLike<unknown>, Number),
		]);
	}
}

function expectSame(a: Model, b: Model, except: ReadonlySet<string> = NOT_COMPARED): void {
	for (const name of Object.keys(MODEL_ARRAYS) as (keyof typeof MODEL_ARRAYS)[]) {
		if (except.has(name)) continue;
		const [own, other] = [a[name], b[name]];
		expect([name, other.length]).toEqual([name, own.length]);
		for (let i = 0; i < own.length; i++) {
			const allowed = 1e-9 * Math.max(1, Math.abs(Number(own[i])));
			if (!(Math.abs(Number(own[i]) - Number(other[i])) <= allowed)) {
				expect(`${name}[${i}] is ${String(other[i])}`).toBe(`${name}[${i}] is ${String(own[i])}`);
			}
		}
	}
}

/** Pairs that MuJoCo lets touch: of bodies that neither fixed joints nor one other joint connect, the world aside. */
function freePairs(model: Model): string[] {
	const parts = new MovingParts(model);
	const joined = new Set<string>();
	for (let joint = 0; joint < model.jointCount; joint++) {
		const ends = [parts.rigidOf(model.jointParent[joint]!), parts.rigidOf(model.jointChild[joint]!)];
		if (!ends.includes(-1)) joined.add(ends.sort((a, b) => a - b).join(' '));
	}
	const pairs: string[] = [];
	for (let i = 0; i < model.shapeContactPairs.length; i += 2) {
		const shapes = [model.shapeContactPairs[i]!, model.shapeContactPairs[i + 1]!];
		const ends = shapes.map((shape) => parts.rigidOf(parts.bodyOf(shape))).sort((a, b) => a - b);
		if (ends[0] !== ends[1] && !joined.has(ends.join(' '))) pairs.push(shapes.join(' '));
	}
	return pairs;
}

const number = fc.double({ min: -1, max: 1, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);
const positive = fc.double({ min: 0.01, max: 2, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);
const turn = fc
	.tuple(number, number, number, number)
	.filter((q) => Math.hypot(...q) > 0.1)
	.map((q) => q.map((x) => x / Math.hypot(...q)));
const frame = fc.tuple(fc.tuple(number, number, number), turn).map(([p, q]) => [...p, ...q]);

/** Trees of links with joints, drives, limits, shapes and sites of every kind that MJCF has. */
const trees = fc
	.record({
		isFloating: fc.boolean(),
		links: fc.array(
			fc.record({
				parent: fc.nat(5),
				kind: fc.constantFrom('revolute', 'prismatic', 'ball', 'fixed', 'd6'),
				anchors: fc.tuple(frame, frame),
				mass: positive,
				com: fc.tuple(number, number, number),
				inertia: fc.tuple(positive, number, number),
				gains: fc.tuple(positive, positive, fc.constantFrom(0, 1, 2, 3)),
				limit: fc.option(fc.tuple(positive, positive)),
				passive: fc.tuple(positive, positive, positive),
				shapes: fc.array(
					fc.tuple(fc.constantFrom('sphere', 'box', 'capsule', 'cylinder', 'ellipsoid'), frame, positive, positive),
					{ maxLength: 3 },
				),
				site: fc.option(frame),
				q: number,
			}),
			{ minLength: 1, maxLength: 6 },
		),
		gravity: fc.tuple(number, number, number),
	})
	.map(({ isFloating, links, gravity }) => {
		const builder = mujocoBuilder({ gravity, rigidGap: 0 });
		const joints: number[] = [];
		for (const [i, own] of links.entries()) {
			const [a, b, c] = own.inertia;
			const body = builder.addLink({
				label: `link${i}`,
				mass: own.mass,
				com: own.com,
				inertia: [a + 1, 0.1 * b, 0.1 * c, 0.1 * b, a + 1.1, 0, 0.1 * c, 0, a + 1.2],
			});
			const parent = i === 0 ? -1 : own.parent % i;
			const [ke, kd, mode] = own.gains;
			const axis = {
				axis: 'y' as const,
				...(own.limit === null ? {} : { limitLower: -own.limit[0], limitUpper: own.limit[1] }),
				targetKe: mode === 1 || mode === 3 ? ke : 0,
				targetKd: mode === 0 ? 0 : kd,
				actuatorMode: mode as 0,
				damping: own.passive[0],
				armature: own.passive[1],
				friction: own.passive[2],
				effortLimit: 10 * ke,
			};
			const place = {
				parent,
				child: body,
				label: `joint${i}`,
				parentXform: own.anchors[0],
				childXform: own.anchors[1],
			};
			if (i === 0)
				joints.push(isFloating ? builder.addJointFree({ child: body, label: 'joint0' }) : builder.addJointFixed(place));
			else if (own.kind === 'revolute') joints.push(builder.addJointRevolute({ ...place, ...axis }));
			else if (own.kind === 'prismatic') joints.push(builder.addJointPrismatic({ ...place, ...axis }));
			else if (own.kind === 'ball') joints.push(builder.addJointBall({ ...place, damping: axis.damping }));
			else if (own.kind === 'd6') {
				joints.push(builder.addJointD6({ ...place, linearAxes: [axis], angularAxes: [{ ...axis, axis: 'z' }] }));
			} else joints.push(builder.addJointFixed(place));
			for (const [k, [kind, xform, first, second]] of own.shapes.entries()) {
				const options = {
					xform,
					label: `shape${i}_${k}`,
					config: { density: 0, mu: first, margin: 0.01 * second, kf: 1000 },
				};
				if (kind === 'sphere') builder.addShapeSphere(body, { ...options, radius: first });
				else if (kind === 'box') builder.addShapeBox(body, { ...options, halfExtents: [first, second, 0.3] });
				else if (kind === 'capsule') builder.addShapeCapsule(body, { ...options, radius: first, halfHeight: second });
				else if (kind === 'cylinder') builder.addShapeCylinder(body, { ...options, radius: first, halfHeight: second });
				else builder.addShapeEllipsoid(body, { ...options, radii: [first, second, 0.2] });
			}
			if (own.site !== null) builder.addSite(body, { xform: own.site, label: `site${i}` });
		}
		builder.addArticulation(joints);
		const model = builder.finalize();
		// gains in force space have no place in MJCF
		(model.attributes.get('mujoco:solreflimit_mode') as Int32Array).fill(SolrefMode.RAW);
		(model.attributes.get('mujoco:solreflimit') as Float64Array).fill(0.7);
		return model;
	});

describe('saveToMjcf', () => {
	test('a saved file has the same text each time and imports to the same model', () => {
		fc.assert(
			fc.property(trees, (model) => {
				const saved = saveToMjcf(model);
				expect(saveToMjcf(model).text).toBe(saved.text);
				const back = reimport(saved);
				// MJCF orders depth first; what the labels name is compared then
				if (saved.report.toArray().some(({ code }) => code === 'MJC011')) return;
				expectSame(model, back, new Set([...NOT_COMPARED, 'shapeContactPairs']));
				expect(freePairs(back)).toEqual(freePairs(model));
				expectSameAttributes(model, back);
				for (const own of [model, back]) new ArticulatedDynamics(own).forwardKinematics(own);
				for (let i = 0; i < model.bodyQ.length; i++) {
					const sign = i % 7 < 3 ? 1 : Math.sign(quaternionDot(model.bodyQ, back.bodyQ, 7 * Math.floor(i / 7) + 3));
					expect(back.bodyQ[i]).toBeCloseTo(sign * model.bodyQ[i]!, 9);
				}
			}),
			{ numRuns: 12, endOnFailure: true },
		);
	});

	test('MuJoCo compiles a saved file to what the solver has', () => {
		fc.assert(
			fc.property(trees, (model) => void expect(compiledDifferences(model)).toEqual([])),
			{
				numRuns: 12,
				endOnFailure: true,
			},
		);
	});
});

/** Something of everything that MJCF and a model both have. */
const FULL = `<mujoco model="full">
  <compiler angle="radian"/>
  <option cone="elliptic" impratio="2" iterations="30" gravity="0 0 -3"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1" maxhullvert="20"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 1 0.1" elevation="0 1 0 1 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.7"/>
    <geom name="land" type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="base" pos="0 0 1" gravcomp="0.5">
      <freejoint name="root"/>
      <inertial pos="0.1 0 0" mass="2" fullinertia="1 2 2.5 0.1 0.2 0.3"/>
      <geom name="shell" type="mesh" mesh="wedge" rgba="0.1 0.2 0.3 0.4"/>
      <geom name="shell2" type="mesh" mesh="wedge" pos="0.5 0 0" solref="0.03 0.8" solimp="0.8 0.9 0.01 0.4 3" condim="4" priority="2" margin="0.01"/>
      <geom name="look" type="sphere" size="0.1" contype="0" conaffinity="0" group="2"/>
      <site name="s1" pos="0 0 .1" size="0.02"/>
      <body name="upper" pos="0 0 .3">
        <joint name="hip" axis="0 1 0" range="-0.5 0.6" damping=".1" armature=".01" frictionloss="0.2" ref="0.1" springref="0.2" stiffness="3" solreflimit="0.04 0.9" actuatorfrcrange="-5 5"/>
        <geom name="thigh" type="capsule" size=".05 .1" mass="1"/>
        <site name="s2" pos="0 0 .2"/>
        <body name="lower" pos="0 0 .3">
          <joint name="knee" type="ball" damping="0.3"/>
          <geom name="shin" type="box" size=".1 .1 .1" mass="1"/>
        </body>
      </body>
      <body name="slider" pos=".3 0 .3">
        <joint name="push" type="slide" axis="0 0 1" range="-1 1"/>
        <geom name="drum" type="cylinder" size=".05 .1" mass="1"/>
        <site name="s3" pos="0 .2 .1"/>
      </body>
    </body>
  </worldbody>
  <contact>
    <pair geom1="floor" geom2="drum" condim="4" friction="0.1 0.2 0.3 0.4 0.5" margin="0.01"/>
    <exclude body1="base" body2="lower"/>
  </contact>
  <equality>
    <joint name="gear" joint1="hip" joint2="push" polycoef="0 .1 .2 0 0" solref="0.03 1"/>
    <connect name="pin" body1="upper" body2="slider" anchor="0 0 0.1" active="false"/>
    <weld name="glue" body1="lower" body2="slider" relpose="0.1 0.2 0.3 1 0 0 0" torquescale="0.5"/>
  </equality>
  <tendon>
    <fixed name="cord" stiffness="2"><joint joint="hip" coef="1"/><joint joint="push" coef="-1"/></fixed>
    <spatial name="cable" range="0 2" damping="0.1">
      <site site="s1"/><geom geom="drum" sidesite="s3"/><site site="s2"/><pulley divisor="2"/><site site="s2"/><site site="s3"/>
    </spatial>
  </tendon>
  <actuator>
    <motor name="m" joint="hip" gear="3" ctrlrange="-1 1"/>
    <position name="p" joint="push" kp="10" kv="2" ctrlrange="-0.5 0.5"/>
    <general name="g" tendon="cord" dyntype="filter" dynprm="0.1" gainprm="4"/>
    <position name="pt" tendon="cable" kp="3"/>
    <general name="gs" site="s1" gear="0 0 1 0 0 0"/>
    <general name="gb" body="slider"/>
  </actuator>
</mujoco>`;

describe('a saved file of something of everything', () => {
	const original = (): Model => {
		const builder = new ModelBuilder({ rigidGap: 0 });
		registerMujocoAttributes(builder);
		importMjcf(FULL, builder);
		return builder.finalize();
	};

	test('imports to the same model, labels, rows and attributes included', () => {
		const model = original();
		const back = reimport(saveToMjcf(model, { forwardGap: true }));
		// single precision of mesh vertices shows in bounds
		const bounds = ['shapeCollisionRadius', 'shapeCollisionAabbLower', 'shapeCollisionAabbUpper'];
		expectSame(model, back, new Set([...bounds, 'shapeCollisionFilterPairs', 'bodyQ']));
		for (const name of ['bodyLabels', 'jointLabels', 'shapeLabels', 'equalityConstraintLabels'] as const) {
			expect(back[name]).toEqual(model[name]);
		}
		for (const key of model.attributes.keys()) {
			const [own, other] = [model, back].map((one) =>
				Array.from(one.attributes.get(key) as ArrayLike<unknown>, String),
			);
			expect([key, other]).toEqual([key, own]);
		}
		for (const name of ['mujoco:pair', 'mujoco:tendon', 'mujoco:tendon_wrap', 'mujoco:actuator']) {
			expect(back.frequencyCount(name)).toBe(model.frequencyCount(name));
		}
	});

	test('is the same when what it imports to is saved again', () => {
		const saved = saveToMjcf(original(), { forwardGap: true });
		expect(saveToMjcf(reimport(saved), { forwardGap: true }).text).toBe(saved.text);
	});

	test('has one file for meshes that are the same, and no value that MuJoCo takes anyway', () => {
		const { text, files } = saveToMjcf(original());
		expect([...files.keys()].filter((name) => name.endsWith('.obj'))).toHaveLength(1);
		for (const needless of ['solmix="1"', 'priority="0"', 'quat="1 0 0 0"', 'armature="0"', 'limited="auto"']) {
			expect(text).not.toContain(needless);
		}
	});

	test('keeps the state that the model starts from in a keyframe', () => {
		const model = original();
		model.jointQ[7] = 0.3;
		model.jointQd[8] = 2;
		const saved = saveToMjcf(model);
		expect(saved.text).toContain('<key name="initial"');
		const back = reimport(saved);
		expect(back.jointQ[7]).toBeCloseTo(0.3, 12);
		expect(back.jointQd[8]).toBeCloseTo(2, 12);
	});
});

describe('losses of a saved file', () => {
	test('kinematic bodies, materials that MJCF has no term for, and other worlds are told', () => {
		const robot = mujocoBuilder();
		const root = robot.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], isKinematic: true, label: 'cart' });
		robot.addArticulation([robot.addJointPrismatic({ child: root, axis: 'x', velocityLimit: 2 })]);
		robot.addShapeSphere(root, { radius: 0.1, label: 'bouncy', config: { restitution: 0.5, kf: 7 } });
		const scene = new ModelBuilder();
		registerMujocoAttributes(scene);
		scene.replicate(robot, { count: 2 });
		const messages = saveToMjcf(scene.finalize())
			.report.toArray()
			.map(({ message }) => message)
			.join('\n');
		expect(messages).toMatch(/1 bodies are kinematic \('.*cart'\)/);
		expect(messages).toMatch(/restitution of 1 shapes/);
		expect(messages).toMatch(/friction gain of 1 shapes/);
		expect(messages).toMatch(/velocity limits of 1 joint/);
		expect(messages).toMatch(/only world 0 of 2 is written/);
	});
});

function quaternionDot(a: Float64Array, b: Float64Array, at: number): number {
	return a[at]! * b[at]! + a[at + 1]! * b[at + 1]! + a[at + 2]! * b[at + 2]! + a[at + 3]! * b[at + 3]!;
}

/** Fields of a compiled model that a file has otherwise, on purpose. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
	// the bytes of all fields
	'buffer',
	// fixed roots are bodies without joints instead of mocap bodies
	...['nmocap', 'body_mocapid', 'body_weldid', 'body_rootid', 'body_simple', 'body_sameframe', 'body_treeid'],
	// shorter names, a keyframe, colours
	...['nnames', 'names', 'names_map', 'nnames_map', 'nbuffer', 'nkey', 'npaths', 'geom_rgba', 'site_rgba'],
	// exclusions without effect
	...['nexclude', 'exclude_signature'],
]);

/** Names of the fields that differ between a saved file and the solver's compiled model. */
function compiledDifferences(model: Model): string[] {
	const saved = saveToMjcf(model);
	const compiled = new CompiledModel(mujoco, convertModel(model, { skipVisualOnlyGeoms: false }));
	const files = new mujoco.MjVFS();
	for (const [name, bytes] of saved.files) files.addBuffer(name, bytes);
	const mj = mujoco.MjModel.from_xml_string(saved.text, files);
	try {
		const differences: string[] = [];
		for (const name of fieldNames(mj)) {
			if (OTHER_FIELDS.has(name) || /^name_\w+adr$|^key_/.test(name)) continue;
			const [own, other] = [valuesOf(compiled.mj, name), valuesOf(mj, name)];
			if (own === undefined || other === undefined) continue;
			const isFree = freeEntries(compiled.mj, name);
			const at = own.findIndex(
				(value, i) =>
					!isFree(i) &&
					!(Object.is(value, other[i]) || Math.abs(value - other[i]!) <= 1e-12 * Math.max(1, Math.abs(value))),
			);
			if (at >= 0 || own.length !== other.length)
				differences.push(`${name}[${at}]: ${own[at]} ${other[at]} (${own.length} ${other.length})`);
		}
		return differences;
	} finally {
		mj.delete();
		files.delete();
		compiled.dispose();
	}
}

/** Sizes that a type of geom or site does not use, and limits of joints that have none, may be anything. */
function freeEntries(mj: MjModel, name: string): (index: number) => boolean {
	const kind = /^(geom|site)_size$/.exec(name)?.[1];
	if (kind !== undefined) {
		const types = numberField(mj, `${kind}_type`)!;
		return (i) => i % 3 >= (USED_SIZES[types[Math.floor(i / 3)]!] ?? 3);
	}
	if (name !== 'jnt_range' && name !== 'jnt_solref') return () => false;
	const limited = boolField(mj, 'jnt_limited');
	return (i) => limited[Math.floor(i / 2)] === 0;
}

/** Numbers of `size` by `mjtGeom`. */
const USED_SIZES: Readonly<Record<number, number>> = { 2: 1, 3: 2, 5: 2 };

function valuesOf(mj: MjModel, name: string): number[] | undefined {
	if (BOOLEAN_FIELD_NAMES.has(name)) return [...boolField(mj, name)];
	try {
		const view = numberField(mj, name);
		return view === undefined ? undefined : Array.from(view);
	} catch {
		return undefined;
	}
}

function fieldNames(mj: MjModel): string[] {
	return Object.getOwnPropertyNames(Object.getPrototypeOf(mj)).filter(
		(name) => /^[a-z]\w*$/.test(name) && name !== 'constructor',
	);
}
