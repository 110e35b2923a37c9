import { UsageRangeError } from '@manyworlds/core';
import { createTriangleMesh, type TriangleMesh } from '../triangle-mesh.ts';
import { checkSizes } from './create-shapes.ts';

/** A grid of elevations over a rectangle around the origin. @public */
export interface Heightfield {
	/** Elevations row after row, rows along Y and columns along X, in metres. */
	readonly elevations: ArrayLike<number>;
	readonly rows: number;
	readonly columns: number;
	/** Half extents. */
	readonly halfX: number;
	readonly halfY: number;
	/** Height of the flat bottom that closes the mesh; without it the mesh is open and faces up. */
	readonly floor?: number;
}

/**
 * The surface of a height field, closed by walls and a bottom when it has a floor.
 * @example
 * ```ts
 * const ramp = createHeightfield({ rows: 2, columns: 2, elevations: [0, 0, 1, 1], halfX: 1, halfY: 1, floor: -0.1 });
 * ```
 * @public
 */
export function createHeightfield(field: Heightfield): TriangleMesh {
	const { elevations, rows, columns, halfX, halfY, floor } = field;
	checkSizes({ halfX, halfY });
	if (!(Number.isInteger(rows) && rows >= 2 && Number.isInteger(columns) && columns >= 2)) {
		throw new UsageRangeError(`the grid has ${rows} rows and ${columns} columns, expected 2 or more of both`);
	}
	if (elevations.length !== rows * columns) {
		throw new UsageRangeError(`elevations has ${elevations.length} numbers, expected ${rows * columns}`);
	}
	const vertices: number[] = [];
	for (let row = 0; row < rows; row++) {
		for (let column = 0; column < columns; column++) {
			const z = elevations[row * columns + column]!;
			if (floor !== undefined && !(z > floor)) {
				throw new UsageRangeError(
					`the elevation at row ${row}, column ${column} is ${z}, expected more than the floor, ${floor}`,
				);
			}
			vertices.push(-halfX + (2 * halfX * column) / (columns - 1), -halfY + (2 * halfY * row) / (rows - 1), z);
		}
	}
	const indices: number[] = [];
	for (let row = 0; row + 1 < rows; row++) {
		for (let column = 0; column + 1 < columns; column++) {
			const a = row * columns + column;
			indices.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
		}
	}
	if (floor !== undefined) closeBottom(vertices, indices, rows, columns, floor);
	return createTriangleMesh({ vertices, indices, name: 'heightfield' });
}

function closeBottom(vertices: number[], indices: number[], rows: number, columns: number, floor: number): void {
	// the rim, counterclockwise seen from above
	const rim: number[] = [];
	for (let column = 0; column + 1 < columns; column++) rim.push(column);
	for (let row = 0; row + 1 < rows; row++) rim.push(row * columns + columns - 1);
	for (let column = columns - 1; column > 0; column--) rim.push((rows - 1) * columns + column);
	for (let row = rows - 1; row > 0; row--) rim.push(row * columns);
	const first = vertices.length / 3;
	for (const corner of rim) vertices.push(vertices[corner * 3]!, vertices[corner * 3 + 1]!, floor);
	const centre = vertices.length / 3;
	vertices.push(0, 0, floor);
	for (let i = 0; i < rim.length; i++) {
		const next = (i + 1) % rim.length;
		const [a, b] = [first + i, first + next];
		indices.push(a, b, rim[next]!, a, rim[next]!, rim[i]!, centre, b, a);
	}
}
