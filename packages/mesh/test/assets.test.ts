import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Report } from '@manyworlds/core';
import { mergeMeshes, readMesh, solidMass } from '@manyworlds/mesh';
import { expect, test } from 'vitest';
import { checkTriangleMesh } from '../src/triangle-mesh.ts';

const ASSETS = join(import.meta.dirname, '../../../../shared/assets');
const hasAssets = existsSync(ASSETS);
if (!hasAssets) console.log(`mesh files of robots are not read: ${ASSETS} does not exist`);

test.skipIf(!hasAssets)('every mesh file of the robots is read without an error', () => {
	const files = (readdirSync(ASSETS, { recursive: true }) as string[]).filter((file) =>
		/\.(obj|stl|dae|glb|gltf)$/i.test(file),
	);
	expect(files.length).toBeGreaterThan(100);
	for (const file of files) {
		const report = new Report();
		const { meshes, format } = readMesh(readFileSync(join(ASSETS, file)), { file, report });
		expect(report.hasErrors, file).toBe(false);
		expect(file.toLowerCase().endsWith(`.${format}`), file).toBe(true);
		const all = mergeMeshes(meshes);
		checkTriangleMesh(all);
		expect(all.indices.length, file).toBeGreaterThan(0);
		expect(Number.isFinite(solidMass(all).mass), file).toBe(true);
	}
});
