import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Report } from '@manyworlds/core';
import { readUsda, writeUsdc } from '@manyworlds/usd';
import { listAssetPaths, openFile } from '@manyworlds/usd/internal';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../source-files.ts';
import { egret } from './egret.ts';
import { heron } from './heron.ts';
import { pincer } from './pincer.ts';
import { type Link, momentsOfInertia, type RobotDescription } from './robot-description.ts';
import { geometriesLayer, writeRobotLayers } from './robot-layers.ts';

const FOLDER = join(ROOT, 'examples/robots/heron');

function linksOf(link: Link): Link[] {
	return [link, ...(link.children ?? []).flatMap(linksOf)];
}

describe.each<[string, RobotDescription, string]>([
	['heron', heron, ''],
	['pincer', pincer, 'gripper'],
])('%s', (name, robot, folder) => {
	const layers = writeRobotLayers(robot);

	test.each([...layers.keys()])('%s is what the description gives', (file) => {
		expect(readFileSync(join(FOLDER, folder, 'layers', file), 'utf8')).toBe(layers.get(file));
	});

	test.each([`${name}.usda`, ...Array.from(layers.keys(), (file) => `layers/${file}`)])(
		'%s reads cleanly and names files that exist',
		(file) => {
			const path = join(FOLDER, folder, file);
			const report = new Report();
			const { layer } = openFile(readFileSync(path), { file: path, report });
			expect(report.toArray()).toEqual([]);
			for (const { assetPath } of listAssetPaths(layer!.data)) {
				expect(existsSync(join(dirname(path), assetPath)), assetPath).toBe(true);
			}
		},
	);

	test('every link has a possible inertia, a collider, a visual and a known surface', () => {
		for (const link of linksOf(robot.root)) {
			const moments = [...momentsOfInertia(link.inertia.solid, link.mass)].sort((a, b) => a - b);
			expect(moments[0], link.name).toBeGreaterThan(0);
			expect(moments[0]! + moments[1]!, link.name).toBeGreaterThan(moments[2]!);
			expect(link.colliders.length, link.name).toBeGreaterThan(0);
			expect(link.visuals.length, link.name).toBeGreaterThan(0);
			expect(robot.surfaces.map((surface) => surface.name)).toContain(link.surface);
			for (const visual of link.visuals) {
				expect(Object.keys(robot.meshes)).toContain(visual.mesh);
				expect(robot.looks.map((look) => look.name)).toContain(visual.material);
			}
		}
	});
});

test('the meshes of egret are what the description gives', () => {
	const text = new TextEncoder().encode(geometriesLayer(egret));
	const stored = readFileSync(join(ROOT, 'examples/robots/egret/layers/geometries.usdc'));
	expect(Buffer.compare(stored, writeUsdc(readUsda(text)))).toBe(0);
});

describe.each(Object.entries({ ...heron.meshes, ...pincer.meshes, ...egret.meshes }))('mesh %s', (name, mesh) => {
	test('has a unit normal for each corner, on the outer side of its face', () => {
		let corner = 0;
		for (const face of mesh.faces) {
			const [a, b, c] = face.slice(0, 3).map((index) => mesh.points[index]!);
			const [u, v] = [b!, c!].map((p) => [p[0] - a![0], p[1] - a![1], p[2] - a![2]] as const);
			const across = [
				u![1] * v![2] - u![2] * v![1],
				u![2] * v![0] - u![0] * v![2],
				u![0] * v![1] - u![1] * v![0],
			] as const;
			for (const _ of face) {
				const normal = mesh.normals[corner++]!;
				expect(Math.hypot(...normal)).toBeCloseTo(1, 6);
				expect(normal[0] * across[0] + normal[1] * across[1] + normal[2] * across[2]).toBeGreaterThan(0);
			}
		}
		expect(corner).toBe(mesh.normals.length);
	});

	test.skipIf(name === 'deck')('is closed: every edge is used once in each direction', () => {
		const edges = new Set<string>();
		for (const face of mesh.faces) {
			for (const [i, from] of face.entries()) {
				const edge = `${from} ${face[(i + 1) % face.length]}`;
				expect(edges.has(edge)).toBe(false);
				edges.add(edge);
			}
		}
		for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
	});
});
