import { type LayerData, Path, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { countSpecs } from '../peers/manyworlds.ts';
import { formatG } from './format-g.ts';
import { coordinate, MESH_POINTS, meshSeed, numbers } from './generate.ts';

const MESH_PROPERTIES = 6;
const LINK_PROPERTIES = 4;

/** Throws unless the layer is the array-heavy file: every mesh is there, and its arrays hold the generated numbers. */
export function checkArrays(layer: LayerData, where: string): void {
	const world = Path.root.appendChild('World');
	const meshes = dataOf(layer.field(world, 'primChildren'), T.tokenVector) ?? [];
	if (meshes.length === 0) throw new Error(`${where} has no meshes`);
	expectEqual('specs', countSpecs(layer), 2 + meshes.length * (1 + MESH_PROPERTIES));
	meshes.forEach((name, index) => {
		expectEqual('mesh name', name, `Mesh_${index}`);
		const mesh = world.appendChild(name);
		const points = dataOf(layer.field(mesh.appendProperty('points'), 'default'), T.float3.array);
		const indices = dataOf(layer.field(mesh.appendProperty('faceVertexIndices'), 'default'), T.int.array);
		const uvs = dataOf(layer.field(mesh.appendProperty('primvars:st'), 'default'), T.float2.array);
		expectEqual(`points of ${name}`, points?.length, MESH_POINTS * 3);
		expectEqual(`indices of ${name}`, indices?.length, MESH_POINTS * 6);
		expectEqual(`texture coordinates of ${name}`, uvs?.length, MESH_POINTS * 2);
		const seed = meshSeed(index);
		const coordinates = numbers(MESH_POINTS * 3, seed);
		for (let i = 0; i < coordinates.length; i += 997) {
			expectEqual(
				`points of ${name} at ${i}`,
				points?.[i],
				Math.fround(Number(formatG(coordinate(coordinates[i]!), 6))),
			);
		}
		const expected = numbers(MESH_POINTS * 6, seed + 2);
		for (let i = 0; i < expected.length; i++) {
			if (indices?.[i] !== expected[i]! % MESH_POINTS) throw new Error(`index ${i} of ${name} is ${indices?.[i]}`);
		}
	});
}

/** Throws unless the layer is the prim-heavy file with `count` links, each with its numbers. */
export function checkPrims(layer: LayerData, count: number): void {
	const groups = Math.ceil(count / 100);
	expectEqual('specs', countSpecs(layer), 2 + groups + count * (1 + LINK_PROPERTIES));
	const world = Path.root.appendChild('World');
	for (let index = 0; index < count; index += 37) {
		const group = world.appendChild(`Group_${Math.floor(index / 100)}`);
		const link = group.appendChild(`Link_${index % 100}`);
		const mass = dataOf(layer.field(link.appendProperty('physics:mass'), 'default'), T.float);
		expectEqual(`mass of link ${index}`, mass, Math.fround(1 + (index % 97) / 8));
		const translate = dataOf(layer.field(link.appendProperty('xformOp:translate'), 'default'), T.double3);
		expectEqual(`x of link ${index}`, translate?.[0], index % 13);
		expectEqual(`y of link ${index}`, translate?.[1], (index % 7) * 0.5);
		expectEqual(`z of link ${index}`, translate?.[2], Number(formatG(index * 0.001, 6)));
		const owner = dataOf(layer.field(link.appendProperty('physics:simulationOwner'), 'targetPaths'), T.pathListOp);
		expectEqual(`owner of link ${index}`, owner?.explicitItems[0], group);
		const schemas = dataOf(layer.field(link, 'apiSchemas'), T.tokenListOp);
		expectEqual(`schemas of link ${index}`, schemas?.prependedItems.join(), 'PhysicsRigidBodyAPI,PhysicsMassAPI');
	}
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
	if (found !== expected) throw new Error(`${what}: found ${String(found)}, expected ${String(expected)}`);
}
