import { axisAlignedBox, createSphere, readMesh } from '@manyworlds/mesh';
import { estimateMeshBounds } from '@manyworlds/mesh/internal';
import { describe, expect, it } from 'vitest';

const { vertices, indices } = createSphere(2, { segments: 96, rings: 48 });
/** A ball of 2 about (1, 2, 3), as corners of triangles. */
const corners = Array.from(indices, (vertex) => [
	vertices[3 * vertex]! + 1,
	vertices[3 * vertex + 1]! + 2,
	vertices[3 * vertex + 2]! + 3,
]);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function binaryStl(): Uint8Array {
	const bytes = new Uint8Array(84 + (50 * corners.length) / 3);
	const view = new DataView(bytes.buffer);
	view.setUint32(80, corners.length / 3, true);
	for (const [i, corner] of corners.entries())
		for (const [k, value] of corner.entries())
			view.setFloat32(84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3) + 4 * k, value, true);
	return bytes;
}

function textStl(): Uint8Array {
	const facets = Array.from({ length: corners.length / 3 }, (_, i) => {
		const rows = corners.slice(3 * i, 3 * i + 3).map((corner) => `      vertex ${corner.join(' ')}\n`);
		return `  facet normal 0 0 0\n    outer loop\n${rows.join('')}    endloop\n  endfacet\n`;
	});
	return encode(`solid ball\n${facets.join('')}endsolid ball\n`);
}

function obj(): Uint8Array {
	const points = corners.map((corner) => `v ${corner.join(' ')}\n`).join('');
	const faces = Array.from({ length: corners.length / 3 }, (_, i) => `f ${3 * i + 1} ${3 * i + 2} ${3 * i + 3}\n`);
	return encode(`# a ball\n${points}${faces.join('')}`);
}

/** In centimetres. */
function dae(): Uint8Array {
	const numbers = corners.flat().map((value) => 100 * value);
	return encode(`<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="n"><float_array id="na" count="3">9000 9000 9000</float_array></source>
<source id="p"><float_array id="pa" count="${numbers.length}">${numbers.join(' ')}</float_array>
<technique_common><accessor source="#pa" count="${corners.length}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="${corners.length / 3}"><input semantic="VERTEX" source="#v" offset="0"/><p>${corners.map((_, i) => i).join(' ')}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`);
}

/** Put there by a node that holds another one. */
function gltf(): Uint8Array {
	const positions = Float32Array.from(vertices);
	const buffer = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(Uint32Array.from(indices).buffer)]);
	return encode(
		JSON.stringify({
			asset: { version: '2.0' },
			scenes: [{ nodes: [0] }],
			nodes: [
				{ translation: [1, 2, 0], children: [1] },
				{ translation: [0, 0, 3], mesh: 0 },
			],
			meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
			accessors: [
				{
					bufferView: 0,
					componentType: 5126,
					type: 'VEC3',
					count: positions.length / 3,
					min: [-2, -2, -2],
					max: [2, 2, 2],
				},
				{ bufferView: 1, componentType: 5125, type: 'SCALAR', count: indices.length },
			],
			bufferViews: [
				{ buffer: 0, byteOffset: 0, byteLength: positions.byteLength },
				{ buffer: 0, byteOffset: positions.byteLength, byteLength: 4 * indices.length },
			],
			buffers: [
				{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString('base64')}` },
			],
		}),
	);
}

describe('the bounds of a mesh file that is not read', () => {
	it.each([
		['ball.stl', binaryStl()],
		['text.stl', textStl()],
		['ball.obj', obj()],
		['ball.dae', dae()],
		['ball.gltf', gltf()],
	])('%s: they are about those of what is read', (file, bytes) => {
		const { meshes } = readMesh(bytes, { file, applyUnit: true });
		const read = axisAlignedBox(meshes.flatMap((mesh) => [...mesh.vertices]));
		const { least, most } = estimateMeshBounds(bytes, file)!;
		for (let k = 0; k < 3; k++) {
			expect(least[k]).toBeGreaterThan(read.least[k]! - 1e-5);
			expect(most[k]).toBeLessThan(read.most[k]! + 1e-5);
			expect(most[k]! - least[k]!).toBeGreaterThan(0.97 * (read.most[k]! - read.least[k]!));
		}
	});

	it('are unknown for what is no mesh, and for meshes without a point', () => {
		expect(estimateMeshBounds(encode('hello'), 'x.txt')).toBeUndefined();
		expect(estimateMeshBounds(encode('# nothing\n'), 'x.obj')).toBeUndefined();
		expect(estimateMeshBounds(encode('{"asset":{"version":"2.0"}'), 'x.gltf')).toBeUndefined();
		expect(estimateMeshBounds(new Uint8Array(0), 'x.stl')).toBeUndefined();
	});
});
