import { ModelBuilder, ShapeFlags } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type ImportUrdfOptions, importUrdf } from '../../src/index.ts';

/** A tetrahedron whose faces have two materials: neither half is closed. */
const OBJ = `mtllib t.mtl
v 0 0 0
v 1 0 0
v 0 2 0
v 0 0 3
usemtl red
f 1 3 2
f 1 2 4
usemtl blue
f 1 4 3
f 2 3 4
`;
const MTL = 'newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n';
const MESH = '<geometry><mesh filename="t.obj"/></geometry>';
const URDF = `<robot name="r"><link name="a"><visual>${MESH}</visual><collision>${MESH}</collision></link></robot>`;

function load(options: ImportUrdfOptions = {}): ModelBuilder {
	const builder = new ModelBuilder();
	importUrdf(URDF, builder, { store: new MemoryStore({ 't.obj': OBJ, 't.mtl': MTL }), file: 'r.urdf', ...options });
	return builder;
}

describe('meshes of URDF files', () => {
	it('are one collider, and a visual shape for each material', () => {
		const builder = load();
		const colliders = Array.from(builder.column('shapeFlags'), (flags) => (flags & ShapeFlags.COLLIDE_SHAPES) !== 0);
		expect(colliders).toEqual([false, false, true]);
		// a sixth of the product of the edges: halves that are not closed would give another mass
		expect(builder.column('bodyMass')[0]).toBeCloseTo(1000, 9);
	});

	it('are scaled by meshScale', () => {
		const { shapeCollisionAabbUpper } = load({ meshScale: [1, 2, 0.5] }).finalize();
		expect(Array.from(shapeCollisionAabbUpper).slice(-3)).toEqual([1, 4, 1.5]);
	});

	it('are left out where only visuals use them and parseVisuals is false', () => {
		expect(load({ parseVisuals: false }).shapeCount).toBe(1);
	});
});
