import { describe, expect, it } from 'vitest';
import { GeoType, ModelBuilder, ModelError } from '../src/index.ts';

const triangle = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2) };

describe('changes to shapes', () => {
	it('replaces the geometry and leaves the mass of the body', () => {
		const builder = new ModelBuilder();
		const body = builder.addBody();
		const shape = builder.addShapeMesh(body, { mesh: triangle, config: { density: 0 } });
		builder.edits.replaceShape(shape, {
			type: GeoType.SPHERE,
			source: null,
			scale: [2, 0, 0],
			xform: { p: [1, 2, 3] },
		});
		expect(builder.column('shapeType')[shape]).toBe(GeoType.SPHERE);
		expect([...builder.column('shapeScale')]).toEqual([2, 0, 0]);
		expect([...builder.column('shapeTransform')]).toEqual([1, 2, 3, 0, 0, 0, 1]);
		expect(builder.edits.shapeSource(shape)).toBeNull();
		expect(builder.column('bodyMass')[body]).toBe(0);
	});

	it('knows the shapes of a body and their meshes', () => {
		const builder = new ModelBuilder();
		const body = builder.addBody();
		const first = builder.addShapeMesh(body, { mesh: triangle, config: { density: 0 } });
		const second = builder.addShapeSphere(body);
		expect(builder.edits.shapesOf(body)).toEqual([first, second]);
		expect(builder.edits.shapeSource(first)).toBe(triangle);
		expect(builder.edits.shapeSource(second)).toBeNull();
	});

	it('refuses a shape that does not exist', () => {
		expect(() => new ModelBuilder().edits.replaceShape(0, {})).toThrow(ModelError);
	});
});

describe('changes to articulations', () => {
	const chain = (): { builder: ModelBuilder; base: number } => {
		const builder = new ModelBuilder();
		const base = builder.addLink();
		builder.addArticulation([builder.addJointFree({ child: base })], { label: 'arm' });
		return { builder, base };
	};

	it('adds joints to the one that was made last', () => {
		const { builder, base } = chain();
		const hand = builder.addLink();
		const joint = builder.addJointRevolute({ parent: base, child: hand });
		builder.edits.extendArticulation(0, [joint]);
		expect(builder.edits.articulationOf(hand)).toBe(0);
		expect(builder.finalize().articulationCount).toBe(1);
	});

	it('refuses another one, and joints in between', () => {
		const { builder, base } = chain();
		builder.addBody();
		const hand = builder.addLink();
		const joint = builder.addJointRevolute({ parent: base, child: hand });
		expect(() => builder.edits.extendArticulation(0, [joint])).toThrow(/made last/);
		expect(() => builder.edits.extendArticulation(1, [joint + 1])).toThrow(ModelError);
	});

	it('has none for a body that nothing moves', () => {
		const { builder } = chain();
		expect(builder.edits.articulationOf(builder.addLink())).toBe(-1);
	});
});

describe('changes to worlds and attributes', () => {
	it('sets the gravity of a world', () => {
		const builder = new ModelBuilder();
		builder.withWorld({}, () => builder.addBody());
		builder.edits.setWorldGravity(0, [0, 0, -1]);
		expect([...builder.finalize().gravity.subarray(0, 3)]).toEqual([0, 0, -1]);
		expect(() => builder.edits.setWorldGravity(1, [0, 0, -1])).toThrow(ModelError);
	});

	it('gives one value of an attribute, the default where none was given', () => {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'x', type: 'f64', frequency: 'body', default: 7 });
		builder.addBody();
		builder.addBody({ attributes: { x: 3 } });
		expect([builder.edits.attributeAt('x', 0), builder.edits.attributeAt('x', 1)]).toEqual([7, 3]);
		expect(() => builder.edits.attributeAt('y', 0)).toThrow(ModelError);
	});
});
