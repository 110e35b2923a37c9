import { type Diagnostic, Report } from '@manyworlds/core';
import type { MeshFile, ReadMeshOptions } from '@manyworlds/mesh';
import { axisAlignedBox, solidMass, surfaceArea } from '@manyworlds/mesh';
import { expect, test } from 'vitest';
import { readDae } from '../src/read/dae.ts';
import { bytesOf } from './shapes.ts';

const SOURCE = `<source id="pos"><float_array id="pos-a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#pos-a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="nor"><float_array id="nor-a" count="3">0 0 1</float_array>
<technique_common><accessor source="#nor-a" count="1" stride="3"><param type="float"/><param type="float"/><param type="float"/></accessor></technique_common></source>
<vertices id="ver"><input semantic="POSITION" source="#pos"/></vertices>`;
const INPUTS = '<input semantic="VERTEX" source="#ver" offset="0"/><input semantic="NORMAL" source="#nor" offset="1"/>';
const TRIANGLES = `<triangles material="red" count="2">${INPUTS}<p>0 0 1 0 2 0 0 0 2 0 3 0</p></triangles>`;

function dae(primitives: string, nodes = '<node name="n"><instance_geometry url="#geo"/></node>', more = ''): string {
	return `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="inch" meter="0.0254"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="geo" name="square"><mesh>${SOURCE}${primitives}</mesh></geometry></library_geometries>
${more}
<library_visual_scenes><visual_scene id="scene">${nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>`;
}

function read(text: string, options: ReadMeshOptions = {}): { file: MeshFile; found: Diagnostic[] } {
	const report = new Report();
	const file = readDae(bytesOf(text), { file: 'a.dae', report, ...options });
	// the unit of the test file is stated each time
	return { file, found: report.toArray().filter((d) => d.code !== 'MESH015') };
}

test('reads triangles with inputs at offsets, normals and bound materials', () => {
	const node =
		'<node name="n"><instance_geometry url="#geo"><bind_material><technique_common><instance_material symbol="red" target="#mat"/></technique_common></bind_material></instance_geometry></node>';
	const { file, found } = read(dae(TRIANGLES, node));
	expect(found).toEqual([]);
	expect(file).toMatchObject({ metersPerUnit: 0.0254, upAxis: 'Z' });
	const [mesh] = file.meshes;
	expect(mesh).toMatchObject({ name: 'n', groups: [{ start: 0, count: 2, material: 'mat' }] });
	expect([...mesh!.indices]).toEqual([0, 1, 2, 0, 2, 3]);
	expect([...mesh!.normals!.subarray(0, 3)]).toEqual([0, 0, 1]);
});

test.each([
	['polylist', `<polylist count="1">${INPUTS}<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>`],
	['polygons', `<polygons count="1">${INPUTS}<p>0 0 1 0 2 0 3 0</p></polygons>`],
	['trifans', `<trifans count="1">${INPUTS}<p>0 0 1 0 2 0 3 0</p></trifans>`],
	['tristrips', `<tristrips count="1">${INPUTS}<p>0 0 1 0 3 0 2 0</p></tristrips>`],
])('reads %s', (_, primitives) => {
	const { file, found } = read(dae(primitives));
	expect(found).toEqual([]);
	expect(file.meshes[0]!.indices).toHaveLength(6);
	expect(surfaceArea(file.meshes[0]!)).toBeCloseTo(1, 14);
});

test('reads polygons with holes', () => {
	const text = dae('').replace(
		'</library_geometries>',
		`<geometry id="hole"><mesh><source id="p"><float_array count="24">0 0 0 4 0 0 4 4 0 0 4 0 1 1 0 2 1 0 2 2 0 1 2 0</float_array><technique_common><accessor count="8" stride="3"><param/><param/><param/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><ph><p>0 1 2 3</p><h>4 5 6 7</h></ph></polygons></mesh></geometry></library_geometries>`,
	);
	const { file, found } = read(text.replace('url="#geo"', 'url="#hole"'));
	expect(found).toEqual([]);
	expect(surfaceArea(file.meshes[0]!)).toBeCloseTo(15, 12);
});

test('applies node transforms from the outside in', () => {
	const nodes = `<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 3 1</scale>
		<node><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#geo"/></node></node>`;
	const { file } = read(dae(TRIANGLES, nodes));
	// the corner (1, 1): moved to (6, 1), scaled to (12, 3), turned to (-3, 12), moved to (7, 12)
	const corner = [...file.meshes[0]!.vertices.subarray(6, 9)];
	expect(corner.map((value) => Number(value.toFixed(12)))).toEqual([7, 12, 0]);
});

test('instances nodes of a library, twice', () => {
	const library = '<library_nodes><node id="lib"><instance_geometry url="#geo"/></node></library_nodes>';
	const nodes =
		'<node><instance_node url="#lib"/><translate>0 0 1</translate></node><node><instance_node url="#lib"/></node>';
	const { file, found } = read(dae(TRIANGLES, nodes, library));
	expect(found).toEqual([]);
	expect(file.meshes.map((mesh) => mesh.vertices[2])).toEqual([1, 0]);
});

test('applies the unit and the up axis when asked', () => {
	const text = dae(TRIANGLES).replace('Z_UP', 'Y_UP');
	const { file } = read(text, { applyUnit: true, applyUpAxis: true });
	const { least, most } = axisAlignedBox(file.meshes[0]!.vertices);
	expect([...most]).toEqual([0.0254, 0, 0.0254]);
	expect([...least].map((value) => value + 0)).toEqual([0, 0, 0]);
	const report = new Report();
	readDae(bytesOf(text), { report });
	expect(report.toArray().map((d) => d.code)).toEqual(['MESH015', 'MESH015']);
});

test('a mirroring node keeps the outside of a solid outside', () => {
	const faces = '0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7';
	const cube = `<geometry id="cube"><mesh><source id="c"><float_array count="24">0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1</float_array><technique_common><accessor count="8" stride="3"><param/><param/><param/></accessor></technique_common></source><vertices id="cv"><input semantic="POSITION" source="#c"/></vertices><triangles count="12"><input semantic="VERTEX" source="#cv" offset="0"/><p>${faces}</p></triangles></mesh></geometry>`;
	const text = dae('', '<node><scale>-1 1 1</scale><instance_geometry url="#cube"/></node>').replace(
		'</library_geometries>',
		`${cube}</library_geometries>`,
	);
	const { file } = read(text);
	expect(solidMass(file.meshes[0]!)).toMatchObject({ isInsideOut: false, volume: 1 });
});

test.each([
	['an index out of range', dae(TRIANGLES.replace('3 0</p>', '9 0</p>')), 'MESH004'],
	['an index that is not whole', dae(TRIANGLES.replace('3 0</p>', 'x 0</p>')), 'MESH003'],
	['a wrong count', dae(TRIANGLES.replace('count="2"', 'count="5"')), 'MESH010'],
	['an array that is too short', dae(TRIANGLES).replace('count="12"', 'count="15"'), 'MESH010'],
	['lines', dae(`${TRIANGLES}<lines count="1">${INPUTS}<p>0 0 1 0</p></lines>`), 'MESH005'],
	['a geometry that is absent', dae(TRIANGLES, '<node><instance_geometry url="#no"/></node>'), 'MESH014'],
	['a source that is absent', dae(TRIANGLES.replace('#ver', '#no')), 'MESH014'],
	['a controller', dae(TRIANGLES, '<node><instance_controller url="#skin"/></node>'), 'MESH006'],
	['animations', dae(TRIANGLES, undefined, '<library_animations><animation/></library_animations>'), 'MESH006'],
	[
		'a transform with a number missing',
		dae(TRIANGLES, '<node><translate>1 2</translate><instance_geometry url="#geo"/></node>'),
		'MESH003',
	],
	[
		'a node that instances itself',
		dae(TRIANGLES, '<node id="a"><instance_node url="#a"/><instance_geometry url="#geo"/></node>'),
		'MESH014',
	],
	['XML that ends early', dae(TRIANGLES).slice(0, -30), 'XML001'],
	['another root', '<svg/>', 'MESH002'],
	['no scene', dae(TRIANGLES).replace(/<scene>.*<\/scene>/, ''), 'MESH014'],
])('reports %s at its place', (_, text, code) => {
	const { found } = read(text);
	expect(found.map((d) => d.code)).toContain(code);
	for (const d of found) expect(d.range).toBeDefined();
});

test.each([
	['triangles', `<triangles count="3">${INPUTS}<p>0 0 1 0 2 0 1 0 1 0 2 0 0 0 9 0 1 0</p></triangles>`],
	[
		'polylist',
		`<polylist count="3">${INPUTS}<vcount>3 3 3</vcount><p>0 0 1 0 2 0 1 0 1 0 2 0 0 0 9 0 1 0</p></polylist>`,
	],
])('keeps a flat triangle and leaves out one without its vertices: %s', (_, primitives) => {
	const { file, found } = read(dae(primitives));
	expect([...file.meshes[0]!.indices]).toEqual([0, 1, 2, 1, 1, 2]);
	expect(found.map((d) => d.code).sort()).toEqual(['MESH004', 'MESH008']);
});

test('points at the element', () => {
	const { found } = read(dae(TRIANGLES, '<node>\n  <instance_geometry url="#no"/></node>'));
	const lines = dae(TRIANGLES, '<node>\n  <instance_geometry url="#no"/></node>').split('\n');
	const { line, column } = found[0]!.range!.start;
	expect(lines[line - 1]!.slice(column - 1)).toMatch(/^<instance_geometry/);
});

test('nests nodes a hundred thousand deep', () => {
	const depth = 100_000;
	const nodes = `${'<node>'.repeat(depth)}<instance_geometry url="#geo"/>${'</node>'.repeat(depth)}`;
	expect(read(dae(TRIANGLES, nodes)).file.meshes).toHaveLength(1);
});

test('takes whole numbers in any spelling for indices', () => {
	const { file, found } = read(dae(TRIANGLES.replace('0 0 1 0 2 0', '0.0 -0 1e0 +0 0000000002 0')));
	expect(found).toEqual([]);
	expect([...file.meshes[0]!.indices]).toEqual([0, 1, 2, 0, 2, 3]);
});

test.each(['4294967296', '4294967297', '1e300', '-4294967295', '-1', '2147483648'])(
	'leaves out triangles with the index %s',
	(index) => {
		const { file, found } = read(dae(TRIANGLES.replace('0 0 1 0 2 0', `0 0 1 0 ${index} 0`)));
		expect(found.map(({ code, message }) => [code, message])).toEqual([
			['MESH004', '1 polygons refer to entries that do not exist; they are left out'],
		]);
		expect(file.meshes[0]!.indices).toHaveLength(3);
	},
);

test.each([
	['x', 0],
	['1.5', 3],
	['nan', 5],
	['inf', 11],
	['2-', 7],
])('tells that %s at place %d is not a whole number', (word, place) => {
	const entries = '0 0 1 0 2 0 0 0 2 0 3 0'.split(' ');
	entries[place] = word;
	const { file, found } = read(dae(`<triangles count="2">${INPUTS}<p>${entries.join(' ')}</p></triangles>`));
	expect(file.meshes).toEqual([]);
	expect(found.map(({ code, message }) => [code, message])).toContainEqual([
		'MESH003',
		`entry ${place} of p is not a whole number; the element is left out`,
	]);
});

test.each([
	['4294967300', 'MESH010', 'p ends within polygon 0 of 1; the rest is left out'],
	['-4294967292', 'MESH010', 'p ends within polygon 0 of 1; the rest is left out'],
])('does not take a polygon of %s corners for one of 4', (size, code, message) => {
	const { found } = read(dae(`<polylist count="1">${INPUTS}<vcount>${size}</vcount><p>0 0 1 0 2 0 3 0</p></polylist>`));
	expect(found.map((one) => [one.code, one.message])).toContainEqual([code, message]);
});
