import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showRobot } from '@manyworlds/convert/internal';
import { TypeRegistry } from '@manyworlds/ros';
import { chooseQuantities, Recording, Sample } from '@manyworlds/worlds';
import { convert, openAsset, Simulation } from 'manyworlds';
import { main } from 'manyworlds/internal';
import { describe, expect, test } from 'vitest';
import { AssetFront } from '../src/asset/asset-front.ts';
import { AssetSession } from '../src/asset/asset-session.ts';
import { type OpenedAsset, STAGE_CHOICES_DEFAULTS } from '../src/asset/asset-types.ts';
import { robotSensorRows } from '../src/asset/robot-sensor-rows.ts';
import { RobotTopics } from '../src/recording/robot-topics.ts';
import { type Folder, ROBOTS, ROOT, readFolder } from './open-page.ts';

const EGRET = readFolder(join(ROBOTS, 'egret'), 'egret.usda');
const HERON = readFolder(join(ROBOTS, 'heron'), 'heron.usda');
const CRANE = readFolder(join(ROBOTS, 'crane'), 'crane.xml');
const PLOVER = readFolder(join(ROBOTS, 'plover'), 'urdf/plover.urdf');

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A stage with a payload below a reference, and geometry of every purpose. */
const STAGE: Folder = {
	entry: 'main.usda',
	files: new Map([
		[
			'main.usda',
			encode(`#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "World"
{
    def "Part" (
        references = @part.usda@
    )
    {
    }
    def Cube "Seen"
    {
        uniform token purpose = "render"
    }
    def Cube "Stand"
    {
        uniform token purpose = "proxy"
    }
    def Cube "Help"
    {
        uniform token purpose = "guide"
    }
}
`),
		],
		[
			'part.usda',
			encode(`#usda 1.0
(
    defaultPrim = "Part"
)
def Xform "Part" (
    payload = @heavy.usda@
)
{
}
`),
		],
		[
			'heavy.usda',
			encode(`#usda 1.0
(
    defaultPrim = "Heavy"
)
def Xform "Heavy"
{
    def Cube "Inside"
    {
    }
}
`),
		],
	]),
};

/** Four bars in the plane of x and z: crank of 0.5 and rocker of 1 stand up, 2 apart; a coupler joins their ends. */
const COUPLER = Math.hypot(2, 0.5);
const FOUR_BARS = `<mujoco>
  <worldbody>
    <body name="crank" euler="0 -90 0"><joint name="crank" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
      <body name="coupler" pos="0.5 0 0" euler="0 ${90 - (180 / Math.PI) * Math.atan2(0.5, 2)} 0"><joint name="coupler" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 ${COUPLER} 0 0" size="0.02"/></body>
    </body>
    <body name="rocker" pos="2 0 0" euler="0 -90 0"><joint name="rocker" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.02"/></body>
  </worldbody>
  <equality><connect body1="coupler" body2="rocker" anchor="${COUPLER} 0 0"/></equality>
</mujoco>`;

async function open(folder: Folder): Promise<{ session: AssetSession; asset: OpenedAsset }> {
	const session = new AssetSession(new Map(folder.files));
	return { session, asset: await session.open(folder.entry) };
}

/** Names of the nodes of what is drawn. */
function drawn({ glb }: OpenedAsset): string[] {
	const view = new DataView(glb!.buffer, glb!.byteOffset);
	const json = new TextDecoder().decode(glb!.subarray(20, 20 + view.getUint32(12, true)));
	const { nodes, meshes } = JSON.parse(json) as { nodes: { name: string; mesh?: number }[]; meshes?: unknown[] };
	expect(meshes?.length ?? 0).toBeGreaterThan(0);
	return nodes.filter(({ mesh }) => mesh !== undefined).map(({ name }) => name);
}

describe('an asset that is open', () => {
	test('leaves out payloads, also those that references bring, and takes them back', async () => {
		const { session, asset } = await open(STAGE);
		expect(asset.payloads).toEqual([{ prim: '/World/Part', isLoaded: true }]);
		expect(asset.prims.map(({ path }) => path)).toContain('/World/Part/Inside');
		const without = await session.reopen({ ...STAGE_CHOICES_DEFAULTS, unloaded: ['/World/Part'] });
		expect(without.payloads).toEqual([{ prim: '/World/Part', isLoaded: false }]);
		expect(without.prims.map(({ path }) => path)).not.toContain('/World/Part/Inside');
		expect(drawn(asset).some((name) => name.startsWith('Inside'))).toBe(true);
		expect(drawn(without).some((name) => name.startsWith('Inside'))).toBe(false);
		const again = await session.reopen();
		expect(again.prims).toEqual(asset.prims);
	});

	test('draws the purposes that are asked for', async () => {
		const { session, asset } = await open(STAGE);
		expect(asset.purposes).toEqual(['render', 'proxy', 'guide']);
		const names = (opened: OpenedAsset): string[] =>
			drawn(opened).flatMap((name) => ['Seen', 'Stand', 'Help'].filter((own) => name.startsWith(own)));
		expect(names(asset)).toEqual(['Seen']);
		const other = await session.reopen({ ...STAGE_CHOICES_DEFAULTS, purposes: ['proxy', 'guide'] });
		expect(names(other).sort()).toEqual(['Help', 'Stand']);
	});

	test('has no robot without the payload that holds it', async () => {
		const outer = '#usda 1.0\n(\n    defaultPrim = "R"\n)\ndef Xform "R" (\n    payload = @heron.usda@\n)\n{\n}\n';
		const files = new Map([...HERON.files, ['outer.usda', encode(outer)]]);
		const { session, asset } = await open({ files, entry: 'outer.usda' });
		expect(asset.robot!.links.length).toBeGreaterThan(3);
		const without = await session.reopen({ ...STAGE_CHOICES_DEFAULTS, unloaded: ['/R'] });
		expect(without.robot).toBeUndefined();
		expect(session.subject().unloaded).toEqual(['/R']);
	});

	test('lists files that are not there, with the line that names them and what is like them', async () => {
		const files = new Map(PLOVER.files);
		const mesh = [...files.keys()].find((path) => path.endsWith('.stl'))!;
		files.set(mesh.toUpperCase(), files.get(mesh)!);
		files.delete(mesh);
		const { asset } = await open({ files, entry: PLOVER.entry });
		expect(asset.missing.length).toBe(1);
		const found = asset.missing[0]!;
		const text = new TextDecoder().decode(files.get(PLOVER.entry)!).split('\n');
		expect(found.file).toBe(PLOVER.entry);
		expect(text[found.line! - 1]).toContain(found.assetPath);
		expect(found.similar).toBe(mesh.toUpperCase());
		expect((await open(PLOVER)).asset.missing).toEqual([]);
	});

	test('lists layers that are not there', async () => {
		const files = new Map(STAGE.files);
		files.delete('heavy.usda');
		const { asset } = await open({ files, entry: STAGE.entry });
		expect(asset.missing).toEqual([
			{
				identifier: 'heavy.usda',
				assetPath: 'heavy.usda',
				why: 'there is no such file',
				file: 'part.usda',
				line: 6,
			},
		]);
	});

	test('brings a point of a link to a place, followers and limits heeded', async () => {
		const { session, asset } = await open(CRANE);
		const { joints, links, coordinates } = asset.robot!;
		const link = links.length - 1;
		const bent = coordinates.slice();
		for (const { coordinate } of joints.flatMap(({ freedoms }) => freedoms)) bent[coordinate]! += 0.3;
		const wanted = [...session.pose(bent).poses.subarray(7 * link, 7 * link + 3)] as [number, number, number];
		const found = session.reach(coordinates, link, [0, 0, 0], wanted);
		const { poses } = session.pose(found);
		for (let k = 0; k < 3; k++) expect(Math.abs(poses[7 * link + k]! - wanted[k]!)).toBeLessThan(1e-3);
	});

	test('keeps joints within their limits when the place is out of reach', async () => {
		const { session, asset } = await open(PLOVER);
		const { joints, coordinates, links } = asset.robot!;
		const found = session.reach(coordinates, links.length - 1, [0, 0, 0], [5, 5, 5]);
		const settled = session.pose(found).coordinates;
		let moved = 0;
		for (const { lower, upper, coordinate, isFollower } of joints.flatMap(({ freedoms }) => freedoms)) {
			if (isFollower) continue;
			expect(found[coordinate]).toBeGreaterThanOrEqual(lower);
			expect(found[coordinate]).toBeLessThanOrEqual(upper);
			moved += Math.abs(settled[coordinate]! - coordinates[coordinate]!);
		}
		expect(moved).toBeGreaterThan(0.01);
	});

	test('knows the states of SRDF files', async () => {
		const { files } = PLOVER;
		const { asset: plain } = await open(PLOVER);
		const { name, freedoms } = plain.robot!.joints.find(
			({ freedoms: [freedom] }) => freedom !== undefined && !freedom.isFollower,
		)!;
		const srdf = `<robot name="plover"><group_state name="tucked" group="all"><joint name="${name}" value="0.0125"/></group_state></robot>`;
		const { session, asset } = await open({ ...PLOVER, files: new Map([...files, ['plover.srdf', encode(srdf)]]) });
		expect(asset.poses).toEqual(['tucked']);
		const pose = await session.namedPose('tucked');
		expect(pose?.[freedoms[0]!.coordinate]).toBe(0.0125);
		expect(await session.namedPose('none')).toBeUndefined();
	});

	test('writes a value to the layer that was chosen and leaves the rest of its text', async () => {
		const { session, asset } = await open(HERON);
		const prim = asset.robot!.links[0]!.label;
		const mass = session.properties(prim).find(({ name }) => name === 'physics:mass')!;
		const [target] = mass.targets!;
		expect(target!.isNew).toBe(false);
		const edit = { name: mass.name, typeName: mass.typeName, text: '7.25', target: target! };
		const [[file, bytes]] = [...session.editProperty(edit)] as [[string, Uint8Array]];
		const [before, after] = [HERON.files.get(file)!, bytes].map((own) => new TextDecoder().decode(own).split('\n'));
		const changed = after!.filter((line, i) => line !== before![i]);
		expect(changed).toEqual([expect.stringContaining('physics:mass = 7.25')]);
		session.write(new Map([[file, bytes]]));
		const again = await session.reopen();
		expect(again.robot!.links[0]!.mass).toBe(7.25);

		const root = mass.targets!.find(({ isNew, file: own }) => isNew && own === HERON.entry)!;
		session.write(session.editProperty({ ...edit, text: '9', target: root }));
		expect((await session.reopen()).robot!.links[0]!.mass).toBe(9);
		expect(session.properties(prim).find(({ name }) => name === 'physics:mass')!.opinions.length).toBe(
			mass.opinions.length + 1,
		);
	});

	test.each(['seven', '7 8', '1\n    double other = 2', ''])('refuses %j as a mass', async (text) => {
		const { session, asset } = await open(HERON);
		const prim = asset.robot!.links[0]!.label;
		const { name, typeName, targets } = session.properties(prim).find((row) => row.name === 'physics:mass')!;
		expect(() => session.editProperty({ name, typeName, text, target: targets![0]! })).toThrow(
			/is not a value of type/,
		);
	});

	test('goes to a keyframe', async () => {
		const text = new TextDecoder().decode(CRANE.files.get(CRANE.entry)!);
		const { coordinates, joints } = (await open(CRANE)).asset.robot!;
		const qpos = Array.from(coordinates, () => 0.2).join(' ');
		const withKey = text.includes('<keyframe>')
			? text
			: text.replace('</mujoco>', `<keyframe><key name="raised" qpos="${qpos}"/></keyframe></mujoco>`);
		const { session, asset } = await open({ ...CRANE, files: new Map([[CRANE.entry, encode(withKey)]]) });
		expect(asset.poses.length).toBeGreaterThan(0);
		const pose = (await session.namedPose(asset.poses[0]!))!;
		expect(pose.length).toBe(coordinates.length);
		expect(
			joints.some(({ freedoms }) => freedoms.some(({ coordinate }) => pose[coordinate] !== coordinates[coordinate])),
		).toBe(true);
	});

	test('opens what it exports', async () => {
		const { bytes, files } = await convert(await openAsset(CRANE), 'urdf');
		const { asset } = await open({ entry: 'crane.urdf', files: new Map([['crane.urdf', bytes], ...files]) });
		expect(asset.missing).toEqual([]);
		expect(asset.robot!.links.length).toBeGreaterThan(1);
	});

	test('reads the CSV of a run and has the poses that the run had', async () => {
		const { session } = await open(EGRET);
		const simulation = await Simulation.create(await openAsset(EGRET), { threads: 1 });
		const { model, state } = simulation;
		const recording = new Recording(chooseQuantities(model, 0, ['energy', 'position']));
		const poses: Float64Array[] = [];
		for (let i = 0; i < 4; i++) {
			recording.add(simulation.time, new Sample(model, state, 0));
			poses.push(simulation.bodyPoses.slice());
			await simulation.step(20);
		}
		await simulation.dispose();
		const frames = await session.readRecording(encode(recording.toCsv()), 'run.csv');
		expect(frames.map(({ time }) => time)).toEqual(recording.times);
		for (const [i, frame] of frames.entries()) {
			for (const [k, value] of frame.poses.entries()) expect(Math.abs(value - poses[i]![k]!)).toBeLessThan(1e-6);
		}
		await expect(session.readRecording(encode('time [s],other\n0,1\n'), 'x.csv')).rejects.toThrow(
			/no column with the name of a joint/,
		);
		await expect(session.readRecording(encode('a,b\n0,1\n'), 'x.csv')).rejects.toThrow("'x.csv' has no column 'time'");
		await expect(session.readRecording(encode('time,b\n0\n'), 'x.csv')).rejects.toThrow(
			"'x.csv' line 2 has 1 values, expected 2",
		);
	});

	test('reads the MCAP of the command: links, joints and what the lidar sees', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds-mcap-'));
		const file = join(folder, 'egret.mcap');
		const sink = { write: () => true };
		const io = { stdout: sink, stderr: sink, env: {}, cwd: ROOT, now: () => 0 };
		await main(['record', 'examples/robots/egret/egret.usda', '--duration', '0.3', '-o', file], io);
		const { session } = await open(EGRET);
		const frames = await session.readRecording(readFileSync(file), 'egret.mcap');
		rmSync(folder, { recursive: true, force: true });
		expect(frames.length).toBeGreaterThan(5);
		const simulation = await Simulation.create(await openAsset(EGRET), { threads: 1 });
		const last = frames.at(-1)!;
		await simulation.step(Math.round(last.time / simulation.dt));
		for (const [k, value] of last.poses.entries())
			expect(Math.abs(value - simulation.bodyPoses[k]!)).toBeLessThan(2e-3);
		await simulation.dispose();
		await expect(session.readRecording(encode('nothing'), 'x.mcap')).rejects.toThrow(/'x.mcap' is no MCAP file/);
	});

	test('knows sensors, with the link that carries them', async () => {
		const { asset } = await open(EGRET);
		const { sensors, links } = asset.robot!;
		const kinds = Object.fromEntries(sensors.map(({ kind, link }) => [kind, links[link]?.name]));
		expect(kinds).toMatchObject({ camera: 'head_link', lidar: 'base_link' });
		const camera = sensors.find(({ kind }) => kind === 'camera')!;
		expect(camera.halfWidth).toBeGreaterThan(0.1);
		expect((await open(CRANE)).asset.robot!.sensors).toEqual([]);
	});

	test('knows sensors of URDF, SDF and MJCF, also on links that are part of others', async () => {
		const urdf = `<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
			<link name="mast"/><joint name="j" type="fixed"><parent link="base"/><child link="mast"/><origin xyz="0 0 0.5"/></joint>
			<gazebo reference="mast"><sensor name="eyes" type="gpu_lidar"><pose>0.1 0 0 0 0 0</pose><lidar><scan><horizontal><samples>9</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>5</max></range></lidar></sensor></gazebo></robot>`;
		const sdf = `<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial><sensor name="cam" type="camera"><pose>0 0 1 0 0 0</pose><camera><horizontal_fov>1.2</horizontal_fov><image><width>640</width><height>480</height></image></camera></sensor></link></model></sdf>`;
		const mjcf = `<mujoco><worldbody><body name="base"><freejoint/><geom size="0.1"/><site name="s" pos="0 0 0.2"/><camera name="eye" pos="0.3 0 0" fovy="60"/></body></worldbody><sensor><gyro name="g" site="s"/></sensor></mujoco>`;
		const rows = async (entry: string, text: string): Promise<NonNullable<OpenedAsset['robot']>['sensors']> =>
			(await open({ entry, files: new Map([[entry, encode(text)]]) })).asset.robot!.sensors;
		const [lidar] = await rows('r.urdf', urdf);
		expect(lidar).toMatchObject({ name: 'eyes', kind: 'lidar', link: 1, pose: [0.1, 0, 0, 0, 0, 0, 1], fan: [-1, 1] });
		const { store, identifier } = await openAsset({ entry: 'r.urdf', files: new Map([['r.urdf', encode(urdf)]]) });
		// where the mast is no link of its own
		const [onBase] = robotSensorRows(showRobot(identifier, store)!.model, (body) => (body === 0 ? 7 : -1));
		expect(onBase).toMatchObject({ link: 7, pose: [0.1, 0, 0.5, 0, 0, 0, 1] });
		const [camera] = await rows('m.sdf', sdf);
		expect(camera).toMatchObject({ kind: 'camera', link: 0 });
		expect(camera!.halfWidth).toBeCloseTo(Math.tan(0.6), 9);
		const found = await rows('m.xml', mjcf);
		expect(found.map(({ name, kind, link }) => [name, kind, link])).toEqual([
			['g', 'other', 0],
			['eye', 'camera', 0],
		]);
		expect(found[1]!.halfHeight).toBeCloseTo(Math.tan(Math.PI / 6), 9);
	});

	test('gives boxes of inertia that have the tensor of their link, for random tensors', async () => {
		let seed = 5;
		const random = (): number => {
			seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
			return seed / 2 ** 32;
		};
		for (let round = 0; round < 20; round++) {
			const mass = 0.5 + random();
			// points of a body, so that the tensor is one that a body can have
			const points = Array.from({ length: 5 }, () => [random() - 0.5, random() - 0.5, random() - 0.5]);
			const tensor = [0, 1, 2].map((i) =>
				[0, 1, 2].map((j) =>
					points.reduce((sum, p) => {
						const square = p.reduce((all, value) => all + value * value, 0);
						return sum + (mass / 5) * ((i === j ? square : 0) - p[i]! * p[j]!);
					}, 0),
				),
			);
			const [xx, xy, xz, yy, yz, zz] = [
				tensor[0]![0],
				tensor[0]![1],
				tensor[0]![2],
				tensor[1]![1],
				tensor[1]![2],
				tensor[2]![2],
			];
			const urdf = `<robot name="r"><link name="a"><inertial><mass value="${mass}"/><inertia ixx="${xx}" ixy="${xy}" ixz="${xz}" iyy="${yy}" iyz="${yz}" izz="${zz}"/></inertial></link></robot>`;
			const { asset } = await open({ entry: 'r.urdf', files: new Map([['r.urdf', encode(urdf)]]) });
			const { half, rotation } = asset.robot!.links[0]!.inertiaBox!;
			const [x, y, z, w] = rotation as [number, number, number, number];
			const axes = [
				[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
				[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
				[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
			];
			const squares = half.map((value) => value * value);
			const moments = [0, 1, 2].map((k) => (mass / 3) * (squares[(k + 1) % 3]! + squares[(k + 2) % 3]!));
			for (let i = 0; i < 3; i++)
				for (let j = 0; j < 3; j++) {
					const made = axes.reduce((sum, axis, k) => sum + moments[k]! * axis[i]! * axis[j]!, 0);
					expect(Math.abs(made - tensor[i]![j]!)).toBeLessThan(1e-9);
				}
		}
	});

	test('closes loops when a joint is moved, and gives way where they cannot be', async () => {
		const { session, asset } = await open({ entry: 'bars.xml', files: new Map([['bars.xml', encode(FOUR_BARS)]]) });
		const { joints, coordinates, links } = asset.robot!;
		const at = (name: string): number => joints.find((joint) => joint.name === name)!.freedoms[0]!.coordinate;
		/** Distance of the end of the coupler from its place on the rocker. */
		const gap = (poses: Float32Array): number => {
			const tip = (name: string): [number, number] => {
				const [x, , z, , qy, , qw] = poses.subarray(
					7 * links.findIndex((link) => link.name === name),
				) as never as number[];
				const angle = 2 * Math.atan2(qy!, qw!);
				const reach = name === 'coupler' ? COUPLER : 1;
				return [x! + reach * Math.cos(angle), z! - reach * Math.sin(angle)];
			};
			const [a, b] = [tip('coupler'), tip('rocker')];
			return Math.hypot(a[0] - b[0], a[1] - b[1]);
		};
		const moved = coordinates.slice();
		moved[at('crank')]! += 0.3;
		const posed = session.pose(moved);
		expect(posed.coordinates[at('crank')]).toBe(moved[at('crank')]);
		expect(Math.abs(posed.coordinates[at('rocker')]! - coordinates[at('rocker')]!)).toBeGreaterThan(0.05);
		expect(gap(posed.poses)).toBeLessThan(1e-5);
		// the rocker cannot come to where the coupler would have to be longer
		const torn = posed.coordinates.slice();
		torn[at('rocker')]! += 1.5;
		const kept = session.pose(torn);
		expect(gap(kept.poses)).toBeLessThan(1e-5);
		expect(kept.coordinates[at('rocker')]).not.toBe(torn[at('rocker')]);
	});

	test('gives boxes about where parts are, for files and for stages', async () => {
		for (const folder of [PLOVER, EGRET, CRANE]) {
			const { asset } = await open(folder);
			const front = new AssetFront(new Map(folder.files));
			const { glb } = (await front.outline(folder.entry, STAGE_CHOICES_DEFAULTS))!;
			expect(drawn({ glb } as OpenedAsset).sort()).toEqual(drawn(asset).sort());
		}
	});
});

describe('what topics say', () => {
	test('is put together from frames that hold each other', () => {
		const topics = new RobotTopics();
		const codec = TypeRegistry.standard.codec('tf2_msgs/msg/TFMessage');
		const link = (parent: string, child: string, x: number) => ({
			header: { frame_id: parent },
			child_frame_id: child,
			transform: { translation: { x, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } },
		});
		topics.take('/tf', codec.type, codec.encode({ transforms: [link('base', 'arm', 2), link('map', 'base', 1)] }));
		const scan = TypeRegistry.standard.codec('sensor_msgs/msg/LaserScan');
		const ranges = [Number.POSITIVE_INFINITY, 3];
		const eyes = {
			header: { frame_id: 'base' },
			angle_min: 0,
			angle_increment: Math.PI / 2,
			range_min: 0.1,
			range_max: 10,
			ranges,
		};
		topics.take('/scan', scan.type, scan.encode(eyes));
		const { frames, points } = topics.moment();
		const arm = [...frames.get('arm')!].map((value) => Number(value.toFixed(9)));
		expect(arm).toEqual([1, 2, 0, 0, 0, 1, 0]);
		expect(Array.from(points, (value) => Number(value.toFixed(5)) + 0)).toEqual([-2, 0, 0]);
		expect(topics.take('/tf', codec.type, Uint8Array.of(0, 1))).toBe(false);
		topics.take('/tf', codec.type, codec.encode({ transforms: [link('loop', 'loop', 1)] }));
		expect(topics.moment().frames.has('arm')).toBe(true);
	});
});
