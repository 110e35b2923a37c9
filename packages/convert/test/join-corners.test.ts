import { describe, expect, it } from 'vitest';
import { type CornerValues, JoinRoom, joinCorners, Triangles } from '../src/gltf/surface-mesh.ts';

/** Numbers that are the same in every run. */
function numbers(count: number, below: number): number[] {
	let seed = 12345;
	return Array.from({ length: count }, () => {
		seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
		return Math.floor((seed / 0x7fffffff) * below);
	});
}

/** What joined corners must be: the same as joining their texts. */
function joinedByText(points: Float32Array, corners: Int32Array, layers: readonly CornerValues[]): number[][] {
	const known = new Map<string, number>();
	const vertices: number[][] = [];
	const indices = Array.from(corners, (point, corner) => {
		const values = layers.flatMap(({ data, width, per, indices: of }) => {
			const owner = per === 'corner' ? corner : per === 'face' ? Math.floor(corner / 3) : per === 'point' ? point : 0;
			const item = of === undefined ? owner : of[owner]!;
			return Array.from(data.subarray(width * item, width * (item + 1)));
		});
		const key = `${point} ${values.join(' ')}`;
		if (!known.has(key)) {
			known.set(key, vertices.length);
			vertices.push([...points.subarray(3 * point, 3 * point + 3), ...values]);
		}
		return known.get(key)!;
	});
	return [indices, vertices.flat()];
}

function joined(
	points: Float32Array,
	corners: Int32Array,
	layers: readonly CornerValues[],
	room?: JoinRoom,
): number[][] {
	const { positions, indices, values } = joinCorners(
		points,
		corners,
		Triangles.plain(corners.length / 3),
		layers,
		room,
	);
	const count = positions.length / 3;
	const vertices = Array.from({ length: count }, (_, vertex) => [
		...positions.subarray(3 * vertex, 3 * vertex + 3),
		...values.flatMap((data) => {
			const width = data.length / count;
			return Array.from(data.subarray(width * vertex, width * (vertex + 1)));
		}),
	]);
	return [Array.from(indices), vertices.flat()];
}

describe('corners that are joined to vertices', () => {
	const faces = 200;
	const corners = Int32Array.from(numbers(3 * faces, 50));
	const points = Float32Array.from(numbers(150, 1000));
	const normals: CornerValues = { data: Float32Array.from(numbers(3 * faces, 2)), width: 3, per: 'face' };
	const table: CornerValues = {
		data: Float32Array.from(numbers(30, 3)),
		width: 3,
		per: 'face',
		indices: Int32Array.from(numbers(faces, 10)),
	};
	const uvs: CornerValues = { data: Float32Array.from(numbers(6 * faces, 2)), width: 2, per: 'corner' };
	const colors: CornerValues = { data: Float32Array.from(numbers(150, 2)), width: 3, per: 'point' };

	it.each([
		['values of faces', [normals]],
		['values by index, equal ones twice in their table', [table]],
		['values of faces, corners and points', [normals, uvs, colors]],
		['values by index and of corners', [table, uvs]],
	])('agree in %s to the last bit, and are numbered as they come', (_, layers) => {
		expect(joined(points, corners, layers)).toEqual(joinedByText(points, corners, layers));
	});

	it('are the same in a room that other meshes left something in', () => {
		const room = new JoinRoom();
		joined(points, corners, [uvs, table], room);
		const few = corners.subarray(0, 60);
		expect(joined(points, few, [table, uvs], room)).toEqual(joinedByText(points, few, [table, uvs]));
	});

	it('end soon where very many faces with their own values meet at one point', () => {
		const count = 200_000;
		const fan = new Int32Array(3 * count);
		for (let face = 0; face < count; face++) fan.set([0, 1 + face, 2 + face], 3 * face);
		const own: CornerValues = { data: Float32Array.from({ length: count }, (_, face) => face), width: 1, per: 'face' };
		const made = joinCorners(new Float32Array(3 * (count + 2)), fan, Triangles.plain(count), [own]);
		expect(made.positions.length / 3).toBe(3 * count);
	});
});
