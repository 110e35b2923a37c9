import { expect, test } from 'vitest';
import { importText, list } from './support.ts';

const CUBE = `v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
`;
const FACES = (first: number): string =>
	[
		[1, 4, 3, 2],
		[5, 6, 7, 8],
		[1, 2, 6, 5],
		[2, 3, 7, 6],
		[3, 4, 8, 7],
		[4, 1, 5, 8],
	]
		.map((face) => `f ${face.map((corner) => corner + first).join(' ')}`)
		.join('\n');

const model =
	'<asset><mesh file="m.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>';

test('of an OBJ file with several objects the first one gives the mass, as MuJoCo has it', () => {
	const far = CUBE.replace(/v (\d)/g, (_, x: string) => `v ${Number(x) + 5}`);
	const text = `o first\n${CUBE}${FACES(0)}\no second\n${far}${FACES(8)}\n`;
	const own = importText(model, { files: { 'm.obj': text } }).model();
	expect(own.bodyMass[0]).toBeCloseTo(1000, 6);
	expect(list(own.bodyCom)).toEqual([0.5, 0.5, 0.5].map((part) => expect.closeTo(part, 9)));
	const newton = importText(model, { files: { 'm.obj': text }, newtonCompat: true }).model();
	expect(newton.bodyMass[0]).toBeCloseTo(2000, 3);
});

test('a mesh of vertices alone is their hull, with its texture coordinates', () => {
	const points = CUBE.replaceAll(/[v\n]/g, ' ');
	const inside = '.5 .5 .5';
	const uvs = Array.from({ length: 9 }, (_, i) => `${i} ${-i}`).join(' ');
	const { builder, codes } = importText(
		`<asset><mesh name="m" vertex="${points} ${inside}" texcoord="${uvs}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>`,
	);
	expect(codes).toEqual([]);
	const [source] = builder.finalize().shapeSources as {
		vertices: Float64Array;
		indices: Uint32Array;
		uvs?: Float64Array;
	}[];
	expect(source!.indices).toHaveLength(36);
	expect(source!.vertices).toHaveLength(24);
	expect(source!.uvs).toHaveLength(16);
	expect(builder.column('bodyMass')[0]).toBeCloseTo(1000, 6);
});

test('the mass that a small mesh is given keeps the shape of its inertia', () => {
	const { builder } = importText(
		`<asset><mesh name="m" file="m.obj" scale=".002 .001 .001"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m" mass="3.6e-6"/></body></worldbody>`,
		{ files: { 'm.obj': `${CUBE}${FACES(0)}` } },
	);
	const inertia = builder.finalize().bodyInertia;
	const moment = (a: number, b: number): number => (3.6e-6 / 12) * (a * a + b * b);
	for (const [at, expected] of [
		[0, moment(0.001, 0.001)],
		[4, moment(0.002, 0.001)],
		[8, moment(0.002, 0.001)],
	] as const) {
		expect(Math.abs(inertia[at]! / expected - 1)).toBeLessThan(1e-5);
	}
});

test('the image of a material goes to meshes with coordinates, whatever else the mesh has been used for', () => {
	const points = CUBE.replaceAll(/[v\n]/g, ' ');
	const uvs = Array.from({ length: 8 }, (_, i) => `${i} ${-i}`).join(' ');
	const { builder } = importText(
		`<asset>
<texture name="wood" type="2d" file="wood.png"/><texture name="steel" type="2d" file="steel.png"/>
<material name="w" texture="wood" rgba="1 0 0 1"/><material name="s" texture="steel"/><material name="none"/>
<mesh name="m" vertex="${points}" texcoord="${uvs}"/><mesh name="bare" vertex="${points}"/>
</asset><worldbody><body><freejoint/>
<geom type="mesh" mesh="m"/><geom type="mesh" mesh="m" material="w"/><geom type="mesh" mesh="m" material="s"/>
<geom type="mesh" mesh="m" material="none"/><geom type="mesh" mesh="bare" material="w"/>
</body></worldbody>`,
		{ files: { 'wood.png': '', 'steel.png': '' } },
	);
	const sources = builder.finalize().shapeSources as readonly { readonly texture?: { readonly file: string } }[];
	expect(sources.map(({ texture }) => texture?.file)).toEqual([
		undefined,
		'wood.png',
		'steel.png',
		undefined,
		undefined,
	]);
});

test('geoms with the same mesh share its vertices', () => {
	const points = CUBE.replaceAll(/[v\n]/g, ' ');
	const { builder } = importText(
		`<asset><mesh name="m" vertex="${points}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/><geom type="mesh" mesh="m"/></body></worldbody>`,
	);
	const [first, second] = builder.finalize().shapeSources as readonly { readonly vertices: Float64Array }[];
	expect(first!.vertices).toHaveLength(24);
	expect(second!.vertices).toBe(first!.vertices);
});
