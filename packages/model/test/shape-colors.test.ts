import { createBox } from '@manyworlds/mesh';
import { describe, expect, it } from 'vitest';
import { ModelBuilder } from '../src/index.ts';

describe('colour of a shape', () => {
	const mesh = { ...createBox(1), color: [0.25, 0.5, 0.75] as const };

	it('is that of its mesh unless one is given', () => {
		const builder = new ModelBuilder();
		builder.addShapeMesh(-1, { mesh });
		builder.addShapeMesh(-1, { mesh, color: [1, 0, 0] });
		builder.addShapeSphere(-1, { radius: 1 });
		const { shapeColor } = builder.finalize();
		expect([...shapeColor.subarray(0, 6)]).toEqual([0.25, 0.5, 0.75, 1, 0, 0]);
		expect(shapeColor[6]).toBeCloseTo(34 / 255);
	});
});
