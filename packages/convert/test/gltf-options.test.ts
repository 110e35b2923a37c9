import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { type Json, toGlb } from './gltf-scene.ts';

function stage(content: string, unit = 1): string {
	return `#usda 1.0\n(\n defaultPrim = "W"\n metersPerUnit = ${unit}\n upAxis = "Z"\n)\ndef Xform "W"\n{\n${content}\n}\n`;
}

describe('lights with a shape', () => {
	const source = stage(
		`def DiskLight "disk"\n{\nfloat inputs:intensity = 100\nfloat inputs:radius = 50\n}
def RectLight "panel"\n{\nfloat inputs:intensity = 100\nfloat inputs:width = 200\nfloat inputs:height = 50\n}
def CylinderLight "tube"\n{\nfloat inputs:intensity = 100\nfloat inputs:radius = 10\nfloat inputs:length = 100\n}
def RectLight "even"\n{\nfloat inputs:intensity = 100\nbool inputs:normalize = 1\n}`,
		0.01,
	);

	it('are lost unless asked for', () => {
		const { json, robot } = toGlb({ 'a.usda': source });
		expect(json.extensions?.KHR_lights_punctual).toBeUndefined();
		expect(robot.ledger.filter(({ outcome }) => outcome === 'dropped')).toHaveLength(4);
	});

	it('are lamps of the same flux when asked for', async () => {
		const { json, robot, bytes } = toGlb({ 'a.usda': source }, 'a.usda', { areaLights: true });
		const lights: Json[] = json.extensions.KHR_lights_punctual.lights;
		/** Lumens of a lamp: candela over the solid angle that it shines into. */
		const flux = ({ type, intensity }: Json): number => intensity * (type === 'point' ? 4 : 2) * Math.PI;
		const areas = [Math.PI * 0.25, 2 * 0.5, 2 * Math.PI * 0.1 * 1, 1];
		expect(lights.map(({ type }) => type)).toEqual(['spot', 'spot', 'point', 'spot']);
		for (const [i, light] of lights.entries()) expect(flux(light)).toBeCloseTo(Math.PI * 100 * areas[i]!, 6);
		expect(robot.ledger.filter(({ kind }) => kind === 'light').map(({ outcome }) => outcome)).toEqual(
			Array(4).fill('approximated'),
		);
		const { issues } = await validateBytes(bytes);
		expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
	});
});

describe('instancing', () => {
	const instances = stage(`def PointInstancer "many"
	{
		point3f[] positions = [(0, 0, 0), (1, 0, 0)]
		int[] protoIndices = [0, 0]
		rel prototypes = </W/many/box>
		def Cube "box"
		{
		}
	}`);

	it('is required when nothing may stand for it, and never where it is not used', () => {
		const required = (source: string, fallback: boolean): unknown =>
			toGlb({ 'a.usda': source }, 'a.usda', { fallback }).json.extensionsRequired;
		expect(required(instances, false)).toEqual(['EXT_mesh_gpu_instancing']);
		expect(required(instances, true)).toBeUndefined();
		expect(required(stage('def Cube "box"\n{\n}'), false)).toBeUndefined();
	});
});

describe('nodes that hold nothing', () => {
	const source = stage(`def Xform "still"
	{
		def Xform "moved"
		{
			double3 xformOp:translate = (0, 0, 1)
			uniform token[] xformOpOrder = ["xformOp:translate"]
			def Scope "group"
			{
				def Xform "frame" ( prepend apiSchemas = ["RosFrameAPI"] )
				{
				}
				def Cube "box"
				{
				}
			}
		}
	}
	def Xform "body" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
	{
		def Cube "shell" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )
		{
		}
	}`);
	const names = ({ json }: { json: Json }): string[] => json.nodes.map(({ name }: Json) => name);

	it('stay unless they are to be left out, and then everything stands where it stood', () => {
		const [all, pruned] = [toGlb({ 'a.usda': source }), toGlb({ 'a.usda': source }, 'a.usda', { prune: true })];
		expect(names(all)).toContain('still');
		expect(names(pruned)).not.toContain('still');
		// what stands elsewhere, links and frames are something
		expect(names(pruned)).toEqual(expect.arrayContaining(['moved', 'frame', 'body', 'box']));
		for (const name of ['moved', 'frame', 'body', 'box']) expect(pruned.world(name)).toEqual(all.world(name));
		expect(pruned.triangles()).toEqual(all.triangles());
	});
});

describe('geometry that is invisible', () => {
	const source = stage(`def Xform "box"
	{
		def Cube "seen"
		{
		}
		def Xform "spare"
		{
			token visibility = "invisible"
			def Cube "hidden"
			{
			}
			def Cube "guide"
			{
				uniform token purpose = "guide"
			}
		}
	}
	def Cube "link" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
	{
		token visibility = "invisible"
	}`);
	const nodeOf = ({ json }: { json: Json }, name: string): Json => json.nodes.find((node: Json) => node.name === name);

	it('is left out and told', () => {
		const written = toGlb({ 'a.usda': source });
		expect(nodeOf(written, 'hidden')).toBeUndefined();
		expect(written.json.extensionsUsed ?? []).not.toContain('KHR_node_visibility');
	});

	it('is kept as nodes that are invisible when asked; what is for other eyes, and links, are not', async () => {
		const written = toGlb({ 'a.usda': source }, 'a.usda', { keepHidden: true });
		expect(nodeOf(written, 'hidden')).toMatchObject({
			mesh: expect.any(Number),
			extensions: { KHR_node_visibility: { visible: false } },
		});
		expect(nodeOf(written, 'seen').extensions).toBeUndefined();
		expect(nodeOf(written, 'guide')).toBeUndefined();
		expect(nodeOf(written, 'link').mesh).toBeUndefined();
		expect(written.json.extensionsUsed).toContain('KHR_node_visibility');
		// viewers that do not know it may open the file
		expect(written.json.extensionsRequired ?? []).not.toContain('KHR_node_visibility');
		const { issues } = await validateBytes(written.bytes);
		// errors and warnings
		expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
		const dropped = written.robot.ledger.filter(({ losses }) => losses.some(({ code }) => code === 'purpose-proxy'));
		expect(dropped.map(({ name }) => name)).toEqual(['/W/box/spare/guide', '/W/link']);
	});
});
