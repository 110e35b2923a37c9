import { CheckMemory, checkAsset } from '@manyworlds/rep158';
import { type Layer, MemoryStore } from '@manyworlds/usd';
import { expect, test } from 'vitest';

/** A collider of one triangle, or of the four of a tetrahedron. */
function asset(faces: string): string {
	const counts = Array.from({ length: faces.split(',').length / 3 }, () => 3).join(', ');
	return `#usda 1.0\n(\n    defaultPrim = "A"\n)\ndef Xform "A"\n{\n    def Mesh "m" (\n        prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]\n    )\n    {\n        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]\n        int[] faceVertexCounts = [${counts}]\n        int[] faceVertexIndices = [${faces}]\n    }\n}\n`;
}

function findings(store: MemoryStore, memory?: CheckMemory): string[] {
	const { report } = checkAsset(store.layer('a.usda') as Layer, store, memory === undefined ? {} : { memory });
	return report.toArray().map(({ code, message }) => `${code} ${message}`);
}

test('a check that remembers finds what one finds that does not, also after a layer has changed', () => {
	const memory = new CheckMemory();
	const open = new MemoryStore({ 'a.usda': asset('0, 2, 1') });
	const plain = findings(open);
	expect(plain.some((finding) => finding.includes('is open at 3 edges'))).toBe(true);
	expect(findings(open, memory)).toEqual(plain);
	expect(findings(open, memory)).toEqual(plain);
	const closed = new MemoryStore({ 'a.usda': asset('0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2') });
	const after = findings(closed, memory);
	expect(after).toEqual(findings(closed));
	expect(after.some((finding) => finding.includes('is open at'))).toBe(false);
});
