import { describe, expect, it } from 'vitest';
import { convertText, expectClose, massMatrix, mjcfModel, poses, text, turnOf, urdfModel } from './robots.ts';

const INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';

function stage(content: string): string {
	return `#usda 1.0\n(\n defaultPrim = "W"\n metersPerUnit = 1\n upAxis = "Z"\n)\ndef Xform "W"\n{\n${content}\n}\n`;
}

const body = (
	name: string,
	content = '',
): string => `def Xform "${name}" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )
	{
		float physics:mass = 1
		float3 physics:diagonalInertia = (1, 1, 1)
		point3f physics:centerOfMass = (0, 0, 0)
		${content}
	}
	`;

const main = (source: string, file: string, to: 'urdf' | 'sdf' | 'mjcf', options = {}, files = {}): string =>
	text(convertText(file, source, to, options, files).files[0]!.content);

describe('links and joints in URDF, SDF and MJCF', () => {
	it('of several trees are all there', () => {
		const source = stage(`${body('a')}${body('b')}`);
		expect(main(source, 'r.usda', 'sdf').match(/<link /g)).toHaveLength(2);
		expect(main(source, 'r.usda', 'mjcf').match(/<freejoint/g)).toHaveLength(2);
		expect(main(source, 'r.usda', 'urdf').match(/<link /g)!.length).toBeGreaterThanOrEqual(2);
	});

	it('that stand upright keep where they look', () => {
		for (const pitch of [Math.PI / 2, -Math.PI / 2, Math.PI / 2 - 1e-9]) {
			const source = `<robot name="r"><link name="a">${INERTIAL}</link><link name="b">${INERTIAL}</link>
				<joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin rpy="0.3 ${pitch} 0.7"/><axis xyz="0 0 1"/></joint></robot>`;
			const [before, after] = [urdfModel(source), urdfModel(main(source, 'r.urdf', 'urdf'))];
			for (const [value] of poses(5, 1) as [number][]) {
				const [one, two] = [turnOf(before, 'b', [value]), turnOf(after, 'b', [value])];
				// a quaternion and its negative are one turn
				const sign = one.reduce((sum, part, k) => sum + part * two[k]!, 0) < 0 ? -1 : 1;
				expectClose(
					two.map((part) => sign * part),
					one,
					1e-9,
				);
			}
		}
	});

	it('with a ball between them become three joints when asked, with the same mass matrix', () => {
		const source =
			'<mujoco><worldbody><body name="a"><geom size="0.1"/><body name="b"><joint name="h" axis="0 1 0"/><geom size="0.1" pos="1 0 0"/><body name="c" pos="1 0 0"><joint name="k" type="ball"/><geom size="0.1" pos="0 0 1"/></body></body></body></worldbody></mujoco>';
		const split = main(source, 'r.xml', 'urdf', { splitJoints: true });
		expect(split.match(/type="(?:revolute|continuous)"/g)).toHaveLength(4);
		const model = urdfModel(split);
		const plain = massMatrix(mjcfModel(source.replace('<joint name="k" type="ball"/>', '')), [0.3]);
		// locked in place, the ball leaves what the hinge feels
		expectClose([massMatrix(model, [0.3, 0, 0, 0])[0]!], [plain[0]!], 1e-4);
	});

	it('that are welded in a loop keep where they stand to each other', () => {
		const source =
			'<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/></body><body name="b" pos="1 2 3"><freejoint/><geom size="0.1"/></body></worldbody><equality><weld body1="a" body2="b"/></equality></mujoco>';
		expect(main(source, 'r.xml', 'mjcf')).toMatch(/<weld [^>]*relpose="1 2 3 1 0 0 0"/);
	});
});

describe('shapes in URDF, SDF and MJCF', () => {
	it('lie along the axis that their prims name', () => {
		const source = stage(
			body(
				'a',
				'def Cylinder "c" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )\n{\nuniform token axis = "X"\ndouble radius = 0.1\ndouble height = 2\n}',
			),
		);
		const urdf = urdfModel(main(source, 'r.usda', 'urdf'));
		const row = urdf.shapeBody.findIndex((_, shape) => urdf.shapeScale[3 * shape + 1] === 1);
		const [x, y, z, w] = urdf.shapeTransform.subarray(7 * row + 3, 7 * row + 7) as unknown as [
			number,
			number,
			number,
			number,
		];
		// where z of the cylinder points
		expectClose([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)].map(Math.abs), [1, 0, 0], 1e-6);
		expect(main(source, 'r.usda', 'mjcf')).toMatch(
			/<geom [^>]*type="cylinder"[^>]*size="0.1[^"]* 1"|<geom [^>]*size="0.1[^"]* 1"[^>]*type="cylinder"/,
		);
	});

	it('that collide as hulls are written as hulls, others as they are', () => {
		// an L, whose hull has two corners less
		const points = [0, 1].map(
			(z) => `(0, 0, ${z}), (2, 0, ${z}), (2, 1, ${z}), (1, 1, ${z}), (1, 2, ${z}), (0, 2, ${z})`,
		);
		const faces =
			'5, 4, 3, 2, 1, 0, 6, 7, 8, 9, 10, 11, 0, 1, 7, 6, 1, 2, 8, 7, 2, 3, 9, 8, 3, 4, 10, 9, 4, 5, 11, 10, 5, 0, 6, 11';
		const collider = (approximation: string): string =>
			stage(
				body(
					'a',
					`def Mesh "m" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"] )
			{
				uniform token purpose = "guide"
				uniform token physics:approximation = "${approximation}"
				point3f[] points = [${points.join(', ')}]
				int[] faceVertexCounts = [6, 6, 4, 4, 4, 4, 4, 4]
				int[] faceVertexIndices = [${faces}]
			}`,
				),
			);
		/** Triangles of the only STL. */
		const triangles = (approximation: string): number => {
			const { files } = convertText('r.usda', collider(approximation), 'urdf');
			const stl = files.find(({ path }) => path.endsWith('.stl'))!.content as Uint8Array;
			return new DataView(stl.buffer, stl.byteOffset).getUint32(80, true);
		};
		expect(triangles('none')).toBe(20);
		expect(triangles('convexHull')).toBe(16);
	});

	it('have files of a package where that is asked for', () => {
		const source = `<robot name="r"><link name="a">${INERTIAL}<visual><geometry><mesh filename="t.obj"/></geometry></visual></link></robot>`;
		const files = { 't.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' };
		expect(main(source, 'r.urdf', 'urdf', { package: 'my_robot' }, files)).toContain(
			'filename="package://my_robot/meshes/',
		);
		expect(main(source, 'r.urdf', 'urdf', {}, files)).toMatch(/filename="meshes\//);
	});
});
