import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { readSdf, type SdfFileContent, SdfFrames } from '../src/index.ts';

function read(text: string, files: Readonly<Record<string, string>> = {}) {
	const report = new Report();
	const load = (address: string): SdfFileContent => {
		const content = files[address];
		return content === undefined ? { file: address, failure: '' } : { file: address, content };
	};
	const document = readSdf(text, { file: 'main.sdf', report, load });
	const codes = (): string[] => report.toArray().map((d) => `${d.code} ${d.file}:${d.range?.start.line}`);
	return { document, report, codes };
}

const MASS = '<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>';
const model = (content: string, attributes = ''): string =>
	`<sdf version="1.9"><model name="m"${attributes}>${content}</model></sdf>`;
const link = (name: string, content = ''): string => `<link name="${name}">${content}${MASS}</link>`;

/** Position of a frame of the only model. */
function place(text: string, frame: string, files: Readonly<Record<string, string>> = {}): number[] {
	const { document, report } = read(text, files);
	const own = document.models[0]!;
	return Array.from(new SdfFrames(own, report).pose(frame, own.element), (x) => Number(x.toFixed(6)));
}

describe('readSdf', () => {
	it('reads masses, joints and shapes with their numbers', () => {
		const { document, codes } = read(
			model(`<static>false</static><self_collide>1</self_collide>
			<link name="a"><inertial><pose>1 2 3 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>0.1</ixy></inertia></inertial>
				<collision name="c"><geometry><cylinder><radius>0.1</radius><length>2</length></cylinder></geometry>
					<surface><friction><ode><mu>0.5</mu></ode><torsional><coefficient>0.2</coefficient></torsional></friction>
					<bounce><restitution_coefficient>0.3</restitution_coefficient></bounce><contact><collide_bitmask>6</collide_bitmask></contact></surface></collision>
				<visual name="v"><transparency>0.25</transparency><geometry><mesh><uri>a.stl</uri><scale>1 2 3</scale><submesh><name>s</name><center>true</center></submesh></mesh></geometry>
					<material><diffuse>1 0 0 0.5</diffuse><pbr><metal><metalness>0.4</metalness><albedo_map>a.png</albedo_map></metal></pbr></material></visual></link>
			${link('b')}
			<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 2</xyz>
				<limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort><velocity>3</velocity></limit>
				<dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>5</spring_stiffness><spring_reference>0.5</spring_reference></dynamics>
				<mimic joint="k"><multiplier>2</multiplier><offset>0.1</offset><reference>0.3</reference></mimic></axis></joint>`),
		);
		expect(codes()).toEqual([]);
		const [own] = document.models;
		expect(own).toMatchObject({ name: 'm', isStatic: false, selfCollide: true });
		const [a] = own!.links;
		expect(a!.inertial).toMatchObject({ mass: 2, inertia: [1, 2, 2.5, 0.1, 0, 0] });
		expect(a!.collisions[0]).toMatchObject({
			geometry: { type: 'cylinder', radius: 0.1, length: 2 },
			surface: { mu: 0.5, torsional: 0.2, restitution: 0.3, collideBitmask: 6 },
		});
		expect(a!.visuals[0]).toMatchObject({
			transparency: 0.25,
			geometry: { type: 'mesh', uri: 'a.stl', scale: [1, 2, 3], submesh: { name: 's', isCentred: true } },
			material: { diffuse: [1, 0, 0, 0.5], metalness: 0.4, albedoMap: 'a.png' },
		});
		expect(own!.joints[0]!.axes).toMatchObject([
			{
				...{ xyz: [0, 0, 1], lower: -1, upper: Infinity, effort: undefined, velocity: 3, damping: 0.1, friction: 0.2 },
				springStiffness: 5,
				mimic: { joint: 'k', multiplier: 2, offset: 0.1, reference: 0.3 },
			},
		]);
	});

	it('reads sensors and lights', () => {
		const { document } = read(
			model(
				link(
					'a',
					`<sensor name="c" type="camera"><update_rate>30</update_rate><camera><horizontal_fov>1</horizontal_fov><image><width>640</width><height>480</height></image><clip><near>0.2</near><far>9</far></clip><optical_frame_id>o</optical_frame_id></camera></sensor>
					<sensor name="l" type="gpu_lidar"><lidar><scan><horizontal><samples>10</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>inf</max></range></lidar></sensor>
					<sensor name="t" type="contact"><contact><collision>c</collision></contact></sensor>
					<light name="s" type="spot"><spot><inner_angle>0.2</inner_angle><outer_angle>0.4</outer_angle></spot></light>`,
				),
			),
		);
		const [a] = document.models[0]!.links;
		expect(a!.sensors[0]!.camera).toMatchObject({ horizontalFov: 1, width: 640, near: 0.2, opticalFrameId: 'o' });
		expect(a!.sensors[1]!.lidar).toMatchObject({
			horizontal: { samples: 10, minAngle: -1, maxAngle: 1 },
			far: Infinity,
		});
		expect(a!.sensors[2]!.collisions).toEqual(['c']);
		expect(a!.lights[0]).toMatchObject({ type: 'spot', innerAngle: 0.2, outerAngle: 0.4, direction: [0, 0, -1] });
	});

	it('says of a link without inertial that it weighs 1 kg, except in a model that stands fast', () => {
		expect(read(model('<link name="a"/>')).codes()).toEqual(['SDF014 main.sdf:1']);
		expect(read(model('<static>true</static><link name="a"/>')).codes()).toEqual([]);
	});

	it('gives axes of versions before 1.5 in the frame of the model', () => {
		const joint =
			'<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>';
		const text = model(`${link('a')}${link('b')}${joint}`);
		expect(read(text).document.models[0]!.joints[0]!.axes[0]!.expressedIn).toBe('');
		const old = read(text.replace('1.9', '1.4')).document;
		expect(old.models[0]!.joints[0]!.axes[0]!.expressedIn).toBe('__model__');
	});
});

describe('frames of SDF', () => {
	it('follow relative_to through links, joints and frames, with joints in their child', () => {
		const text = model(`${link('a', '<pose>1 0 0 0 0 1.5707963267948966</pose>')}
			${link('b', '<pose relative_to="j">0 0 1 0 0 0</pose>')}
			<frame name="f" attached_to="a"><pose>1 0 0 0 0 0</pose></frame>
			<frame name="g" attached_to="f"><pose relative_to="__model__">0 5 0 0 0 0</pose></frame>
			<joint name="j" type="fixed"><pose relative_to="f">0 2 0 0 0 0</pose><parent>a</parent><child>b</child></joint>
			<joint name="k" type="fixed"><pose>0 0 3 0 0 0</pose><parent>a</parent><child>b</child></joint>`);
		expect(place(text, 'f').slice(0, 3)).toEqual([1, 1, 0]);
		expect(place(text, 'g').slice(0, 3)).toEqual([0, 5, 0]);
		expect(place(text, 'j').slice(0, 3)).toEqual([-1, 1, 0]);
		expect(place(text, 'b').slice(0, 3)).toEqual([-1, 1, 1]);
		expect(place(text, 'k').slice(0, 3)).toEqual([-1, 1, 4]);
	});

	it('read degrees and quaternions', () => {
		const turn = [0, 0, Number(Math.SQRT1_2.toFixed(6)), Number(Math.SQRT1_2.toFixed(6))];
		expect(place(model(link('a', '<pose degrees="true">0 0 0 0 0 90</pose>')), 'a').slice(3)).toEqual(turn);
		const quat = '<pose rotation_format="quat_xyzw">0 0 0 0 0 2 2</pose>';
		expect(place(model(link('a', quat)), 'a').slice(3)).toEqual(turn);
	});

	const GRIPPER = `<sdf version="1.9"><model name="g"><frame name="flange" attached_to="palm"><pose>0 0 -1 0 0 0</pose></frame>
		${link('palm', '<pose>0 0 5 0 0 0</pose>')}</model></sdf>`;
	const FILES = { 'g/model.sdf': GRIPPER, 'h.sdf': GRIPPER };

	it('reach into included models, which their placement frame places', () => {
		const include =
			'<include><uri>g</uri><name>left</name><placement_frame>flange</placement_frame><pose relative_to="a">0 0 10 0 0 0</pose></include>';
		const text = model(`${link('a', '<pose>1 0 0 0 0 0</pose>')}${include}`);
		expect(place(text, 'left::flange', FILES).slice(0, 3)).toEqual([1, 0, 10]);
		expect(place(text, 'left::palm', FILES).slice(0, 3)).toEqual([1, 0, 11]);
		const { document, report } = read(text, FILES);
		const frames = new SdfFrames(document.models[0]!, report);
		expect(frames.link('left::flange', document.xml.root!)).toBe('left::palm');
	});

	it('of merged models stand for what was their model frame', () => {
		const include =
			'<include merge="true"><uri>h.sdf</uri><placement_frame>flange</placement_frame><pose>0 0 10 0 0 0</pose></include>';
		const text = model(`${link('a')}${include}`);
		expect(place(text, 'flange', FILES).slice(0, 3)).toEqual([0, 0, 10]);
		expect(place(text, 'palm', FILES).slice(0, 3)).toEqual([0, 0, 11]);
	});

	it('read the newest version that model.config names', () => {
		const files = {
			'r/model.config': '<model><sdf version="1.4">old.sdf</sdf><sdf version="1.9">new.sdf</sdf></model>',
			'r/new.sdf': GRIPPER,
		};
		const { document, codes } = read(model('<include><uri>r</uri></include>'), files);
		expect(codes()).toEqual([]);
		expect(document.models[0]!.models[0]!.name).toBe('g');
	});
});

describe('bad SDF', () => {
	it('finds circles of poses and of attachments, and goes on', () => {
		const text =
			model(`${link('a')}<frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/></frame>
			<frame name="h" attached_to="i"/><frame name="i" attached_to="h"/>`);
		const { document, report, codes } = read(text);
		const frames = new SdfFrames(document.models[0]!, report);
		frames.pose('f', document.xml.root!);
		expect(frames.link('h', document.xml.root!)).toBeUndefined();
		expect(codes().map((code) => code.slice(0, 6))).toEqual(['SDF006', 'SDF006']);
	});

	it('finds frames that are not there', () => {
		const { document, report, codes } = read(model(link('a', '<pose relative_to="nobody">0 0 1 0 0 0</pose>')));
		const own = document.models[0]!;
		expect(Array.from(new SdfFrames(own, report).pose('a', own.element)).slice(0, 3)).toEqual([0, 0, 1]);
		expect(codes()).toEqual(['SDF005 main.sdf:1']);
	});

	it('finds includes that go round in a circle or lead nowhere', () => {
		const files = {
			'a.sdf': model('<include><uri>b.sdf</uri></include>'),
			'b.sdf': model('<include><uri>a.sdf</uri></include>'),
			'u.urdf': '<robot name="r"/>',
		};
		const text = model(
			'<include><uri>a.sdf</uri></include><include><uri>u.urdf</uri></include><include><uri>no</uri></include>',
		);
		expect(read(text, files).codes()).toEqual(['SDF010 b.sdf:1', 'SDF009 main.sdf:1', 'SDF009 main.sdf:1']);
	});

	it('ends where includes would grow without end', () => {
		const twice = (file: string): string =>
			model(`<include><uri>${file}</uri><name>x</name></include><include><uri>${file}</uri><name>y</name></include>`);
		const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.sdf`, twice(`f${i + 1}.sdf`)]));
		const report = new Report();
		const load = (file: string): SdfFileContent => ({ file, content: files[file] ?? '<sdf version="1.9"/>' });
		readSdf(twice('f0.sdf'), { file: 'main.sdf', report, load, maxModels: 1000 });
		expect(report.toArray().map(({ code }) => code)).toContain('SDF010');
	});

	it('reports numbers, names and kinds that are wrong where they stand', () => {
		const { codes } = read(`<sdf version="1.9"><model name="m">
<link name="a"><pose>0 0 nan 0 0 0</pose>${MASS}<collision name="c"><geometry><box><size>1 -1 1</size></box></geometry></collision></link>
<link name="a">${MASS}</link>
<link name="__b__">${MASS}<visual name="v"><geometry><heightmap/></geometry></visual></link>
<joint name="j" type="hinge"><parent>a</parent><child>__b__</child></joint>
<joint name="k" type="fixed"><parent>a</parent></joint>
</model></sdf>`);
		expect(codes().sort()).toEqual([
			'SDF002 main.sdf:6',
			'SDF003 main.sdf:2',
			'SDF004 main.sdf:3',
			'SDF007 main.sdf:4',
			'SDF011 main.sdf:2',
			'SDF012 main.sdf:5',
			'SDF013 main.sdf:4',
		]);
	});

	it('is no SDF', () => {
		expect(read('<robot name="r"/>').codes()).toEqual(['SDF001 main.sdf:1']);
		expect(read('').document.models).toEqual([]);
	});

	it('goes through a chain of 20,000 poses', () => {
		const links = Array.from({ length: 20_000 }, (_, i) =>
			link(`l${i}`, i === 0 ? '' : `<pose relative_to="l${i - 1}">0 0 1 0 0 0</pose>`),
		);
		expect(place(model(links.join('')), 'l19999')[2]).toBe(19_999);
	});

	it('ends at models that are nested too deeply', () => {
		const deep = `${'<model name="n">'.repeat(200)}${'</model>'.repeat(200)}`;
		expect(
			read(`<sdf version="1.9">${deep}</sdf>`)
				.codes()
				.map((code) => code.slice(0, 6)),
		).toEqual(['SDF010']);
	});
});
