import { Report } from '@manyworlds/core';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type ConvertedRobot, convertRobot, TARGET_EXTENSIONS, type TargetFormat } from '../src/index.ts';

const TARGETS = Object.keys(TARGET_EXTENSIONS) as TargetFormat[];

function attempt(
	file: string,
	files: Readonly<Record<string, string | Uint8Array>>,
	to: TargetFormat,
): { robot: ConvertedRobot | undefined; report: Report } {
	const report = new Report();
	return { robot: convertRobot(file, { store: new MemoryStore(files), to, report }), report };
}

/** Names that would leave a folder, end an element, or mean something to a package or a shell. */
const EVIL = [
	'../../../etc/passwd',
	'/etc/passwd',
	'C:\\\\windows\\\\system32',
	'..',
	'.',
	'con',
	'a/../../b',
	'"><script>alert(1)</script>',
	'</link></robot>',
	'&amp;&lt;!ENTITY',
	']]>',
	'x[y.usda]',
	'PK\u0001',
	'%2e%2e%2f',
	'\u202e\u0000name',
	'__world__',
	'world',
];

const attribute = (value: string): string =>
	value
		.replaceAll('\u0000', '')
		.replaceAll('\u0001', '')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('"', '&quot;');

const INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';

describe('hostile robots', () => {
	for (const to of TARGETS) {
		it(`with names that are attacks stay inside of the folder as ${to}, and are read again`, () => {
			const links = EVIL.map(
				(
					name,
				) => `<link name="${attribute(name)}">${INERTIAL}<visual name="${attribute(name)}"><geometry><mesh filename="a.obj"/></geometry>
					<material name="${attribute(name)}"><color rgba="1 0 0 1"/><texture filename="${attribute(name)}"/></material></visual>
					<collision><geometry><mesh filename="a.obj"/></geometry></collision></link>`,
			).join('');
			const joints = EVIL.slice(1)
				.map(
					(name) =>
						`<joint name="${attribute(name)}" type="continuous"><parent link="${attribute(EVIL[0]!)}"/><child link="${attribute(name)}"/></joint>`,
				)
				.join('');
			const source = `<robot name="${attribute('../../evil</robot>')}">${links}${joints}</robot>`;
			const mesh = 'o ../../x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';
			const { robot } = attempt('r.urdf', { 'r.urdf': source, 'a.obj': mesh }, to);
			for (const { path } of robot!.files) {
				expect(path).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/);
				expect(path.split('/')).not.toContain('..');
			}
			const [main] = robot!.files;
			if (typeof main!.content !== 'string') return;
			if (to === 'glb' || to === 'gltf') return;
			expect(main!.content).not.toContain('<script>');
			// what was written is a robot with as many parts
			const files = Object.fromEntries(robot!.files.map(({ path, content }) => [path, content]));
			const again = attempt(main!.path, files, 'urdf');
			expect(again.robot!.model.bodies.length).toBeGreaterThanOrEqual(EVIL.length - 2);
		});
	}

	it('that include themselves, or each other in a circle, are told where they do', () => {
		const include = (file: string): string => `<sdf version="1.9"><include><uri>${file}</uri></include></sdf>`;
		for (const to of TARGETS) {
			const { robot, report } = attempt('a.sdf', { 'a.sdf': include('b.sdf'), 'b.sdf': include('a.sdf') }, to);
			expect(robot).toBeUndefined();
			expect(report.toArray().some(({ code, range }) => code.startsWith('SDF') && range !== undefined)).toBe(true);
		}
		const mjcf =
			'<mujoco><include file="b.xml"/><worldbody><body name="x"><geom size="1"/></body></worldbody></mujoco>';
		const found = attempt('a.xml', { 'a.xml': mjcf, 'b.xml': '<mujoco><include file="a.xml"/></mujoco>' }, 'urdf');
		expect(found.report.counts.error).toBeGreaterThan(0);
	});

	it('whose meshes and images are missing keep the rest, and say where each was named', () => {
		const source = `<robot name="r"><link name="a">${INERTIAL}
			<visual><geometry><mesh filename="lost.stl"/></geometry></visual>
			<visual><geometry><box size="1 1 1"/></geometry><material name="m"><texture filename="lost.png"/></material></visual></link></robot>`;
		for (const to of TARGETS) {
			const { robot, report } = attempt('r.urdf', { 'r.urdf': source }, to);
			expect(robot!.model.bodies).toHaveLength(1);
			const missing = report.toArray().filter(({ code }) => code === 'CNV001');
			expect(missing.map(({ range }) => range?.start.line)).toEqual([2, 3]);
		}
	});

	it('with places that are no numbers are written with places that are', () => {
		const urdf = `<robot name="r"><link name="a">${INERTIAL}</link><link name="b">${INERTIAL}<visual><origin xyz="inf 0 nan"/><geometry><sphere radius="nan"/></geometry></visual></link>
			<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="nan 0 1e999" rpy="nan 0 0"/><axis xyz="nan 0 0"/><limit lower="nan" upper="1" effort="1" velocity="1"/></joint></robot>`;
		const usd = `#usda 1.0
			(
				defaultPrim = "r"
				metersPerUnit = 1
				upAxis = "Z"
			)
			def Xform "r" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
			{
				double3 xformOp:translate = (nan, inf, 0)
				uniform token[] xformOpOrder = ["xformOp:translate"]
				def Cube "c" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )
				{
					float3 xformOp:scale = (nan, 1, 1)
					uniform token[] xformOpOrder = ["xformOp:scale"]
				}
			}`;
		for (const [file, source] of [
			['r.urdf', urdf],
			['r.usda', usd],
		] as const) {
			for (const to of TARGETS) {
				const { robot, report } = attempt(file, { [file]: source }, to);
				if (robot === undefined) {
					const isLocated = report
						.toArray()
						.some(({ severity, prim, range }) => severity === 'error' && (prim ?? range) !== undefined);
					expect(isLocated).toBe(true);
					continue;
				}
				for (const { path, content } of robot.files) {
					if (typeof content === 'string')
						expect(content, `${file} ${to} ${path}`).not.toMatch(/[\s"(,:](?:-?nan|null|NaN)\b/);
				}
			}
		}
	});
});
