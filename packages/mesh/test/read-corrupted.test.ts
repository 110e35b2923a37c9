import { Report } from '@manyworlds/core';
import type { MeshFormat } from '@manyworlds/mesh';
import { readMesh } from '@manyworlds/mesh';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkTriangleMesh } from '../src/triangle-mesh.ts';
import { bytesOf } from './shapes.ts';

const SAMPLES: Readonly<Record<string, string>> = {
	obj: 'mtllib a\no x\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nusemtl r\nf 1/1/1 2/1/1 3/1/1 -1/-1/-1\nl 1 2\n',
	stl: 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n',
	dae: '<COLLADA><library_geometries><geometry id="g"><mesh><source id="s"><float_array count="9">0 0 0 1 0 0 0 1 0</float_array></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="c"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#c"/></scene></COLLADA>',
	gltf: `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"file":"data:;base64,${'AAAA'.repeat(12)}"}]}`,
};

test.each(Object.keys(SAMPLES))(
	'a %s file with any bytes changed or cut off gives meshes and diagnostics, never an exception',
	(format) => {
		const bytes = bytesOf(SAMPLES[format]!);
		const change = fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255), length: fc.nat(40) });
		fc.assert(
			fc.property(
				fc.array(change, { minLength: 1, maxLength: 5 }),
				fc.nat(bytes.length),
				fc.boolean(),
				(changes, cut, isCut) => {
					const changed = bytes.slice();
					for (const { at, value, length } of changes)
						changed.fill(value, at, Math.min(at + (length % 4) + 1, bytes.length));
					const report = new Report();
					const input = isCut ? changed.subarray(0, cut) : changed;
					const { meshes } = readMesh(input, { file: `a.${format}`, format: format as MeshFormat, report });
					for (const mesh of meshes) checkTriangleMesh(mesh);
					if (meshes.length === 0) expect(report.size).toBeGreaterThan(0);
				},
			),
			{ seed: 31, numRuns: 400 },
		);
	},
);

test('bytes of no format are refused with a diagnostic', () => {
	const report = new Report();
	expect(readMesh(Uint8Array.of(1, 2, 3), { file: 'a.bin', report }).meshes).toEqual([]);
	expect(report.toArray().map((d) => d.code)).toEqual(['MESH002']);
});

test.each(Object.keys(SAMPLES))('%s is told by content, whatever the name', (format) => {
	expect(readMesh(bytesOf(SAMPLES[format]!), { file: 'thing.txt' }).format).toBe(format);
});
