import { Report } from '@manyworlds/core';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { convertRobot } from '../src/index.ts';
import { readRobot } from '../src/read-robot.ts';
import { convertText, expectClose, massMatrix, mjcfModel, poses, positionOf, text, urdfModel } from './robots.ts';

const inertial = (mass: number, pose = ''): string =>
	`<inertial>${pose}<mass>${mass}</mass><inertia><ixx>0.05</ixx><iyy>0.06</iyy><izz>0.07</izz><ixy>0.004</ixy></inertia></inertial>`;

/** An arm with every kind of frame: a placement frame, poses in joints and frames, axes in other frames, joints off their links. */
const ARM = `<sdf version="1.9"><model name="arm" canonical_link="base" placement_frame="mount">
	<pose>0.3 -0.2 0.5 0.1 0.2 0.3</pose>
	<frame name="mount" attached_to="base"><pose>0 0 -0.1 0 0 0.4</pose></frame>
	<link name="base"><pose>0.1 0 0.2 0 0 0.5</pose>${inertial(4, '<pose>0.01 0.02 0.03 0.3 -0.2 0.5</pose>')}</link>
	<link name="upper"><pose relative_to="shoulder">0 0.05 0 0.2 0 0</pose>${inertial(2, '<pose>0 0.1 0.2 0 0 0</pose>')}</link>
	<frame name="elbow_frame" attached_to="upper"><pose rotation_format="quat_xyzw">0 0 0.4 0.1 0.2 0.3 0.9273618495495703</pose></frame>
	<link name="lower"><pose relative_to="elbow_frame">0.05 0.02 0 0 0.3 0</pose>${inertial(1, '<pose>0.1 0 0 0 0 0</pose>')}</link>
	<link name="finger"><pose relative_to="lower">0.2 0 0 0 0 0</pose>${inertial(0.2)}</link>
	<joint name="anchor" type="fixed"><parent>world</parent><child>base</child></joint>
	<joint name="shoulder" type="revolute"><pose relative_to="base">0.1 -0.2 0.3 0.5 0.6 -0.7</pose><parent>base</parent><child>upper</child>
		<axis><xyz expressed_in="base">1 2 -2</xyz><limit><lower>-1.5</lower><upper>2</upper><effort>30</effort><velocity>4</velocity></limit><dynamics><damping>0.3</damping><friction>0.2</friction></dynamics></axis></joint>
	<joint name="elbow" type="revolute"><pose relative_to="elbow_frame"/><parent>elbow_frame</parent><child>lower</child>
		<axis><xyz expressed_in="__model__">0 1 0.3</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
	<joint name="slide" type="prismatic"><pose>0 0.01 0 0 0 0.2</pose><parent>lower</parent><child>finger</child>
		<axis><xyz>0 1 0</xyz><limit><lower>-0.1</lower><upper>0.4</upper><effort>10</effort></limit></axis></joint>
</model></sdf>`;

/** Where Drake 1.51 puts the links when all joints are at zero. */
const DRAKE = {
	base: [0.321835066, -0.203695701, 0.597517033],
	upper: [0.506570869, -0.404221522, 0.876479918],
	lower: [0.547648969, -0.71302533, 1.117939161],
	finger: [0.707169259, -0.662560938, 1.008364427],
};

describe('SDF as a source', () => {
	it('stands where Drake puts it, in every target', () => {
		const urdf = urdfModel(text(convertText('arm.sdf', ARM, 'urdf').files[0]!.content));
		const mjcf = mjcfModel(text(convertText('arm.sdf', ARM, 'mjcf').files[0]!.content));
		for (const [name, expected] of Object.entries(DRAKE)) {
			expectClose(positionOf(urdf, name, [0, 0, 0]), expected, 1e-8);
			expectClose(positionOf(mjcf, name, [0, 0, 0]), expected, 1e-8);
		}
	});

	it('keeps the mass matrix through SDF and back at random poses', () => {
		const direct = urdfModel(text(convertText('arm.sdf', ARM, 'urdf').files[0]!.content));
		const again = text(convertText('arm.sdf', ARM, 'sdf').files[0]!.content);
		const back = urdfModel(text(convertText('again.sdf', again, 'urdf').files[0]!.content));
		const mjcf = mjcfModel(text(convertText('again.sdf', again, 'mjcf').files[0]!.content));
		for (const values of poses(20, 3)) {
			const expected = massMatrix(direct, values);
			expectClose(massMatrix(back, values), expected, 1e-10);
			expectClose(massMatrix(mjcf, values), expected, 1e-10);
		}
	});

	it('writes what it reads the same way again', () => {
		const once = text(convertText('arm.sdf', ARM, 'sdf').files[0]!.content);
		const model = readRobot('a.sdf', new MemoryStore({ 'a.sdf': once }), new Report())!;
		expect(model.joints.find(({ name }) => name === 'shoulder')).toMatchObject({
			kind: 'revolute',
			freedoms: [{ lower: -1.5, upper: 2, effort: 30, velocity: 4, damping: 0.3, friction: 0.2 }],
		});
		expect(model.frames.map(({ name }) => name)).toEqual(['mount', 'elbow_frame']);
	});

	it('gives links of SDF without a word the mass that SDF gives them', () => {
		const { model, report } = convertText(
			'm.sdf',
			'<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>',
			'urdf',
		);
		expect(model.bodies[0]!.inertia).toEqual({ mass: 1, center: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] });
		expect(report.toArray().map(({ code }) => code)).toContain('SDF014');
	});

	it('computes masses from volumes where the file asks for it', () => {
		const shapes = `<collision name="a"><density>2000</density><geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision>
			<collision name="b"><pose>1 0 0 0 0 0</pose><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>`;
		const source = `<sdf version="1.11"><model name="m"><link name="a"><inertial auto="true"><density>500</density></inertial>${shapes}</link></model></sdf>`;
		const { mass, center } = convertText('m.sdf', source, 'urdf').model.bodies[0]!.inertia!;
		const ball = (500 * 4 * Math.PI * 0.001) / 3;
		expect(mass).toBeCloseTo(12 + ball, 9);
		expect(center[0]).toBeCloseTo(ball / (12 + ball), 9);
	});

	it('reads a universal joint as one with two ways to move, and holds other kinds as they are', () => {
		const joint = (type: string, more = ''): string =>
			`<sdf version="1.9"><model name="m"><link name="a">${inertial(1)}</link><link name="b">${inertial(1)}</link>
			<joint name="j" type="${type}"><parent>a</parent><child>b</child>${more}</joint></model></sdf>`;
		const axes = '<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>';
		const kindOf = (source: string) => {
			const { model } = convertText('m.sdf', source, 'mjcf');
			return [model.joints[0]!.kind, model.joints[0]!.freedoms.length, model.others.map(({ code }) => code)];
		};
		expect(kindOf(joint('universal', axes))).toEqual(['compound', 2, []]);
		expect(kindOf(joint('revolute2', axes))).toEqual(['compound', 2, []]);
		expect(kindOf(joint('ball'))).toEqual(['spherical', 0, []]);
		expect(kindOf(joint('continuous', axes))).toEqual(['revolute', 1, []]);
		expect(kindOf(joint('screw', `${axes}<thread_pitch>2</thread_pitch>`))).toEqual(['revolute', 1, ['joint-kind']]);
		expect(kindOf(joint('gearbox', `${axes}<gearbox_ratio>3</gearbox_ratio>`))).toEqual([
			'revolute',
			1,
			['joint-kind'],
		]);
	});

	it('reads a spring as a drive and writes it as a spring', () => {
		const source = ARM.replace(
			'<friction>0.2</friction>',
			'<friction>0.2</friction><spring_stiffness>7</spring_stiffness><spring_reference>0.4</spring_reference>',
		);
		const { files, ledger } = convertText('arm.sdf', source, 'sdf');
		expect(text(files[0]!.content)).toContain('<spring_stiffness>7</spring_stiffness>');
		expect(ledger.find(({ kind }) => kind === 'drive')).toMatchObject({ name: 'shoulder', outcome: 'exported' });
		expect(text(convertText('arm.sdf', source, 'mjcf').files[0]!.content)).toContain('<key name="start"');
	});
});

describe('nested models and worlds', () => {
	const GRIPPER = `<sdf version="1.9"><model name="gripper"><link name="palm">${inertial(1)}</link><link name="jaw">${inertial(0.1)}</link>
		<joint name="grip" type="prismatic"><parent>palm</parent><child>jaw</child><axis><xyz>0 1 0</xyz><limit><lower>0</lower><upper>0.1</upper></limit></axis></joint>
		<plugin name="p" filename="libp.so"/></model></sdf>`;
	const FILES = { 'models/gripper/model.sdf': GRIPPER };
	const include = (name: string): string =>
		`<include><uri>model://gripper</uri><name>${name}</name><pose relative_to="base">0 0 1 0 0 0</pose></include>`;
	const ROBOT = `<sdf version="1.9"><model name="robot"><link name="base">${inertial(2)}</link>${include('left')}${include('right')}
		<joint name="hold" type="fixed"><parent>base</parent><child>left::palm</child></joint>
		<joint name="turn" type="revolute"><parent>base</parent><child>right</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>`;

	it('have the names of their models before those of their parts', () => {
		const { model, files, ledger } = convertText('models/robot/model.sdf', ROBOT, 'urdf', {}, FILES);
		expect(model.bodies.map(({ name }) => name)).toEqual([
			'base',
			'left::palm',
			'left::jaw',
			'right::palm',
			'right::jaw',
		]);
		expect(text(files[0]!.content)).toContain('<link name="left_palm">');
		expect(ledger.find(({ name }) => name === 'left::palm')).toMatchObject({ renamed: 'left_palm' });
		// a nested model moves with its canonical link
		expect(model.joints.find(({ name }) => name === 'turn')!.child).toBe(3);
		expect(ledger.filter(({ kind, outcome }) => kind === 'plugin' && outcome === 'dropped')).toHaveLength(2);
	});

	it('stand side by side in a world, those that are static held by it', () => {
		const world = `<sdf version="1.9"><world name="cell"><light name="sun" type="directional"/>
			<model name="table"><static>true</static><pose>1 0 0 0 0 0</pose><link name="top"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
			<include><uri>model://gripper</uri><pose>0 0 2 0 0 0</pose></include></world></sdf>`;
		const { model, ledger } = convertText('models/cell/cell.world', world, 'urdf', {}, FILES);
		expect(model.name).toBe('cell');
		expect(model.bodies.map(({ name }) => name)).toEqual(['table::top', 'gripper::palm', 'gripper::jaw']);
		expect(model.bodies[0]).toMatchObject({ isStatic: true });
		expect(model.joints[0]).toMatchObject({ kind: 'fixed', parent: -1, child: 0 });
		expect(Array.from(model.bodies[1]!.pose).slice(0, 3)).toEqual([0, 0, 2]);
		expect(ledger.find(({ kind }) => kind === 'light')).toMatchObject({ name: 'sun', outcome: 'dropped' });
	});
});

describe('shapes of SDF', () => {
	const shape = (geometry: string, more = ''): string =>
		`<sdf version="1.9"><model name="m"><link name="a">${inertial(1)}<collision name="c">${more}<geometry>${geometry}</geometry></collision></link></model></sdf>`;
	const geometryOf = (geometry: string) => convertText('m.sdf', shape(geometry), 'sdf').model.shapes[0]?.geometry;

	it('of every kind are read', () => {
		expect(geometryOf('<capsule><radius>0.1</radius><length>0.5</length></capsule>')).toEqual({
			kind: 'capsule',
			radius: 0.1,
			length: 0.5,
		});
		expect(geometryOf('<ellipsoid><radii>1 2 3</radii></ellipsoid>')).toEqual({ kind: 'ellipsoid', radii: [1, 2, 3] });
		expect(geometryOf('<cone><radius>0.1</radius><length>0.5</length></cone>')).toEqual({
			kind: 'cone',
			radius: 0.1,
			length: 0.5,
		});
		expect(geometryOf('<plane><normal>0 0 1</normal><size>2 3</size></plane>')).toEqual({
			kind: 'plane',
			size: [2, 3],
		});
	});

	it('that are outlines become solids', () => {
		const outline = [
			[0, 0],
			[2, 0],
			[2, 1],
			[1, 1],
			[1, 2],
			[0, 2],
			[0, 0],
		]
			.map((p) => `<point>${p.join(' ')}</point>`)
			.join('');
		const { model } = convertText('m.sdf', shape(`<polyline>${outline}<height>0.5</height></polyline>`), 'sdf');
		const { vertices, indices } = model.meshes[0]!.mesh;
		let volume = 0;
		for (let t = 0; t < indices.length; t += 3) {
			const [a, b, c] = [0, 1, 2].map((k) =>
				Array.from(vertices.subarray(3 * indices[t + k]!, 3 * indices[t + k]! + 3)),
			) as [number[], number[], number[]];
			volume +=
				(a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
					a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!) +
					a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)) /
				6;
		}
		expect(volume).toBeCloseTo(1.5, 12);
	});

	it('take a part of a mesh file, moved to the origin', () => {
		const obj =
			'o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\no right\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n';
		const part = (name: string): string =>
			`<mesh><uri>p.obj</uri><submesh><name>${name}</name><center>true</center></submesh></mesh>`;
		const { model } = convertText('m.sdf', shape(part('right')), 'sdf', {}, { 'p.obj': obj });
		expect(Math.max(...model.meshes[0]!.mesh.vertices)).toBeCloseTo(0.5, 12);
		const { report } = convertText('m.sdf', shape(part('none')), 'sdf', {}, { 'p.obj': obj });
		expect(report.toArray().map(({ code }) => code)).toContain('CNV002');
	});

	it('placed in another frame are given in their link', () => {
		const source = shape('<box><size>1 1 1</size></box>', '<pose relative_to="f">1 0 0 0 0 0</pose>').replace(
			'</model>',
			'<frame name="f" attached_to="a"><pose>0 2 0 0 0 0</pose></frame></model>',
		);
		expect(Array.from(convertText('m.sdf', source, 'sdf').model.shapes[0]!.pose).slice(0, 3)).toEqual([1, 2, 0]);
	});
});

describe('hostile SDF', () => {
	it('gives located findings and a result for anything', () => {
		const sources = [
			'<sdf version="1.9"><model name="m"><link name="a"><pose>nan 0 0 0 0 0</pose></link></model></sdf>',
			'<sdf version="1.9"><model name="m"><link name="a"/><joint name="j" type="fixed"><parent>a</parent><child>a</child></joint></model></sdf>',
			'<sdf version="1.9"><model name="m"><link name="a"/><joint name="j" type="fixed"><parent>x</parent><child>world</child></joint></model></sdf>',
			'<sdf version="1.9"><model name="../../x"><link name="&lt;/link&gt;"><visual name="../../y"><geometry><mesh><uri>../../../etc/passwd</uri></mesh></geometry></visual></link></model></sdf>',
		];
		for (const source of sources) {
			for (const to of ['urdf', 'sdf', 'mjcf'] as const) {
				const { files, report } = convertText('m.sdf', source, to);
				for (const { path } of files) expect(path).not.toMatch(/\.\.|^\//);
				expect(report.toArray().every(({ file }) => file !== undefined)).toBe(true);
			}
		}
	});

	it('never throws, whatever is cut out of a file or put in another place', () => {
		let seed = 12345;
		const next = (below: number): number => {
			seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
			return seed % below;
		};
		for (let i = 0; i < 300; i++) {
			const [from, length, to] = [next(ARM.length), 1 + next(40), next(ARM.length)];
			const piece = ARM.slice(from, from + length);
			const rest = ARM.slice(0, from) + ARM.slice(from + length);
			const damaged = i % 2 === 0 ? rest : rest.slice(0, to) + piece + rest.slice(to);
			const store = new MemoryStore({ 'm.sdf': damaged });
			for (const to of ['urdf', 'sdf', 'mjcf'] as const) convertRobot('m.sdf', { store, to, report: new Report() });
		}
	});

	it('without a model is no robot', () => {
		const report = new Report();
		const store = new MemoryStore({ 'm.sdf': '<sdf version="1.9"><world name="w"/></sdf>' });
		expect(convertRobot('m.sdf', { store, to: 'urdf', report })).toBeUndefined();
		expect(report.toArray().map(({ code }) => code)).toContain('CNV003');
	});

	it('goes through 20,000 links', () => {
		const links = Array.from(
			{ length: 20_000 },
			(_, i) => `<link name="l${i}"><inertial><mass>1</mass></inertial></link>`,
		);
		const joints = Array.from(
			{ length: 19_999 },
			(_, i) => `<joint name="j${i}" type="fixed"><parent>l${i}</parent><child>l${i + 1}</child></joint>`,
		);
		const source = `<sdf version="1.9"><model name="m">${links.join('')}${joints.join('')}</model></sdf>`;
		expect(convertText('m.sdf', source, 'urdf').model.joints).toHaveLength(19_999);
	});
});
