import { MemoryStore } from '@manyworlds/usd';
import { validateBytes } from 'gltf-validator';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader, type ThreeNode } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { convertRobot, loadMeshCodec } from '../src/index.ts';
import { toGlb } from './gltf-scene.ts';

const ROBOT = `<robot name="r">
	<link name="a"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
	<link name="b"><visual><geometry><cylinder radius="0.1" length="1"/></geometry></visual></link>
	<joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/></joint>
</robot>`;

/** Corners of all triangles that three.js sees, each triangle from its least corner on. */
async function seen(bytes: Uint8Array): Promise<string[]> {
	const loader = new GLTFLoader();
	loader.setMeshoptDecoder(MeshoptDecoder);
	const { scene } = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
	const triangles: string[] = [];
	scene.traverse((node: ThreeNode) => {
		if (node.geometry === undefined) return;
		const { position, normal } = node.geometry.attributes;
		const index = node.geometry.index!;
		for (let t = 0; t < index.count; t += 3) {
			const corners = [0, 1, 2].map((k) => {
				const at = index.getX(t + k);
				return [position, normal!].flatMap((of) => [0, 1, 2].map((c) => of.getComponent(at, c))).join(' ');
			});
			// a codec may begin a triangle at another corner
			const least = corners.indexOf([...corners].sort()[0]!);
			triangles.push([0, 1, 2].map((k) => corners[(least + k) % 3]!).join(', '));
		}
	});
	return triangles;
}

describe('packed meshes', () => {
	it('are smaller, and three.js sees the same triangles to the last bit', async () => {
		const meshCodec = await loadMeshCodec();
		const [plain, packed] = [toGlb({ 'r.urdf': ROBOT }), toGlb({ 'r.urdf': ROBOT }, 'r.urdf', { meshCodec })];
		expect(packed.bytes.length).toBeLessThan(0.6 * plain.bytes.length);
		expect(packed.json.extensionsRequired).toEqual(['EXT_meshopt_compression']);
		expect(packed.json.extensionsUsed).toContain('EXT_meshopt_compression');
		const triangles = await seen(packed.bytes);
		expect(triangles.length).toBeGreaterThan(4000);
		expect(triangles).toEqual(await seen(plain.bytes));
		expect(toGlb({ 'r.urdf': ROBOT }, 'r.urdf', { meshCodec }).bytes).toEqual(packed.bytes);
	});

	it('have nothing wrong for the validator beyond the extension that it does not know', async () => {
		const { bytes } = toGlb({ 'r.urdf': ROBOT }, 'r.urdf', { meshCodec: await loadMeshCodec() });
		const { issues } = await validateBytes(bytes);
		expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
	});

	it('of a text stand in the file beside it', async () => {
		const store = new MemoryStore({ 'r.urdf': ROBOT });
		const meshCodec = await loadMeshCodec();
		const { files } = convertRobot('r.urdf', { store, to: 'gltf', meshCodec })!;
		const json = JSON.parse(files[0]!.content as string);
		expect(json.buffers[0]).toEqual({ uri: 'r.bin', byteLength: files[1]!.content.length });
		expect(json.buffers[1].extensions.EXT_meshopt_compression).toEqual({ fallback: true });
		for (const { extensions } of json.bufferViews) {
			const { byteOffset, byteLength } = extensions.EXT_meshopt_compression;
			expect(byteOffset + byteLength).toBeLessThanOrEqual(files[1]!.content.length);
		}
	});
});
