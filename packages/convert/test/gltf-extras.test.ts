import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { toGlb } from './gltf-scene.ts';
import { convertText } from './robots.ts';

const PAINTED = `#usda 1.0
(
	defaultPrim = "r"
	metersPerUnit = 1
	upAxis = "Z"
)
def Xform "r" (
	variants = { string look = "red" }
	prepend variantSets = ["look", "form"]
)
{
	def Cube "hull" ( prepend apiSchemas = ["MaterialBindingAPI"] )
	{
		rel material:binding = </r/paint>
	}
	def Cube "mast"
	{
		double3 xformOp:translate = (0, 0, 3)
		uniform token[] xformOpOrder = ["xformOp:translate"]
	}
	def Material "paint"
	{
		token outputs:surface.connect = </r/paint/surface.outputs:surface>
		def Shader "surface"
		{
			uniform token info:id = "UsdPreviewSurface"
			token outputs:surface
		}
	}
	variantSet "look" = {
		"blue" {
			over "paint"
			{
				over "surface"
				{
					color3f inputs:diffuseColor = (0, 0, 1)
					float inputs:roughness = 0.9
				}
			}
		}
		"red" {
			over "paint"
			{
				over "surface"
				{
					color3f inputs:diffuseColor = (1, 0, 0)
				}
			}
		}
	}
	variantSet "form" = {
		"long" {
			over "mast"
			{
				double size = 4
			}
		}
		"short" {
		}
	}
}`;

const choose = (set: string): object => ({ materialVariants: { prim: '/r', set } });

describe('variants of materials', () => {
	it('are chosen for the parts that wear others, with everything that a variant changes', async () => {
		const { json, bytes, robot } = toGlb({ 'r.usda': PAINTED }, 'r.usda', choose('look'));
		expect(json.extensions.KHR_materials_variants.variants).toEqual([{ name: 'blue' }, { name: 'red' }]);
		const [hull, mast] = ['hull', 'mast'].map((name) => {
			const node = json.nodes.find((one: { name: string }) => one.name === name);
			return json.meshes[node.mesh].primitives[0];
		});
		const { mappings } = hull.extensions.KHR_materials_variants;
		const looks = mappings.map(({ material }: { material: number }) => json.materials[material].pbrMetallicRoughness);
		expect(mappings.map(({ variants }: { variants: number[] }) => variants)).toEqual([[0], [1]]);
		expect(looks[0]).toMatchObject({ baseColorFactor: [0, 0, 1, 1], roughnessFactor: expect.closeTo(0.9, 6) });
		expect(looks[1].baseColorFactor).toEqual([1, 0, 0, 1]);
		expect(hull.material).toBe(mappings[1].material);
		expect(mast.extensions).toBeUndefined();
		expect((await validateBytes(bytes)).issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
		expect(robot.ledger.filter(({ kind }) => kind === 'variant').map(({ outcome }) => outcome)).toEqual([
			'exported',
			'exported',
		]);
	});

	it('give way to a local opinion of the same layer', () => {
		const shader = 'uniform token info:id = "UsdPreviewSurface"\n';
		const source = PAINTED.replace(shader, `${shader}color3f inputs:diffuseColor = (0, 1, 0)\n`);
		const { json } = toGlb({ 'r.usda': source }, 'r.usda', choose('look'));
		const hull = json.meshes[json.nodes.find((one: { name: string }) => one.name === 'hull').mesh].primitives[0];
		const { mappings } = hull.extensions.KHR_materials_variants;
		const looks = mappings.map(({ material }: { material: number }) => json.materials[material].pbrMetallicRoughness);
		// only what the prim itself leaves open differs
		for (const look of looks) expect(look.baseColorFactor).toEqual([0, 1, 0, 1]);
		expect(looks[0].roughnessFactor).toBeCloseTo(0.9, 6);
	});

	it('that change more than materials are told, and only the selected one is written', () => {
		const { json, robot } = toGlb({ 'r.usda': PAINTED }, 'r.usda', choose('form'));
		expect(json.extensionsUsed ?? []).not.toContain('KHR_materials_variants');
		const [item] = robot.ledger.filter(({ kind }) => kind === 'variant');
		expect(item!.losses[0]).toMatchObject({ code: 'variants-not-material' });
		expect(item!.losses[0]!.message).toContain('/r/mast has another size');
	});

	it('of a set that is not there are refused', () => {
		expect(() => toGlb({ 'r.usda': PAINTED }, 'r.usda', choose('shape'))).toThrow("no variant set 'shape'");
	});
});

const ROBOT = `<robot name="r">
	<link name="a"><collision><geometry><box size="1 2 3"/></geometry></collision><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
	<link name="b"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
	<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
		<limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
</robot>`;

describe('glTF of a robot', () => {
	it('has a second scene with what collides when asked', () => {
		const { json, robot } = toGlb({ 'r.urdf': ROBOT }, 'r.urdf', { includeColliders: true });
		expect(json.scenes).toHaveLength(2);
		expect(json.scenes[1].name).toBe('colliders');
		const [root] = json.scenes[1].nodes.map((index: number) => json.nodes[index]);
		const below = root.children.flatMap((index: number) => json.nodes[index].children ?? []);
		const box = json.nodes[below.find((index: number) => json.nodes[index].mesh !== undefined)];
		const { min, max } = json.accessors[json.meshes[box.mesh].primitives[0].attributes.POSITION];
		expect([...min, ...max]).toEqual([-0.5, -1, -1.5, 0.5, 1, 1.5]);
		expect(robot.ledger.find(({ kind }) => kind === 'collider')!.outcome).toBe('approximated');
		expect(toGlb({ 'r.urdf': ROBOT }, 'r.urdf').json.scenes).toHaveLength(1);
	});

	it('moves each joint over its way when asked', async () => {
		const { json, accessor, bytes } = toGlb({ 'r.urdf': ROBOT }, 'r.urdf', { animateJoints: true });
		const [animation] = json.animations;
		const channel = animation.channels.find((one: { target: { path: string } }) => one.target.path === 'rotation');
		expect(json.nodes[channel.target.node].name).toBe('b');
		const { input, output } = animation.samplers[channel.sampler];
		const [times, turns] = [accessor(input), accessor(output)];
		const angles = times.map((_, i) => 2 * Math.atan2(turns[4 * i + 2]!, turns[4 * i + 3]!));
		expect([times[0], times.at(-1)]).toEqual([0, 2]);
		expect(angles[0]).toBeCloseTo(0, 6);
		expect(Math.max(...angles)).toBeCloseTo(2, 6);
		expect(Math.min(...angles)).toBeCloseTo(-1, 6);
		expect(angles.at(-1)).toBeCloseTo(0, 6);
		expect((await validateBytes(bytes)).issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
	});

	it('keeps one entry for each collider, whichever scenes are asked for', () => {
		for (const options of [{}, { includeColliders: true }]) {
			const { ledger } = convertText('r.urdf', ROBOT, 'glb', options);
			expect(ledger.filter(({ kind }) => kind === 'collider')).toHaveLength(1);
		}
	});
});
