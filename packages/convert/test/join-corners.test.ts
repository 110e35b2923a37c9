import { describe, expect, it } from 'vitest';
import { JoinRoom, joinCorners } from '../src/gltf/join-corners.ts';
import { type CornerValues, Triangles } from '../src/gltf/surface-mesh.ts';

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
	corners[1] = corners[0]!;
	const points = Float32Array.from(numbers(150, 1000));
	const normals: CornerValues = { data: Float32Array.from(numbers(3 * faces, 2)), width: 3, per: 'face' };
	const table: CornerValues = {
		data: Float32Array.from(numbers(30, 3)),
		width: 3,
		per: 'face',
		indices: Int32Array.from(numbers(faces, 10)),
	};
	/** Few corners name a value of their own, so that most stand alone; the first triangle has one point twice. */
	const rare: CornerValues = {
		data: Float32Array.from(numbers(3 * 150, 1000)),
		width: 3,
		per: 'face',
		indices: Int32Array.from({ length: faces }, (_, face) => (face < 140 ? face : face % 3)),
	};
	const seams: CornerValues = {
		data: Float32Array.from(numbers(2 * 250, 1000)),
		width: 2,
		per: 'corner',
		indices: Int32Array.from({ length: 3 * faces }, (_, corner) => (corner < 240 ? corner : corner % 7)),
	};
	const uvs: CornerValues = { data: Float32Array.from(numbers(6 * faces, 2)), width: 2, per: 'corner' };
	const colors: CornerValues = { data: Float32Array.from(numbers(150, 2)), width: 3, per: 'point' };

	it.each([
		['values of faces', [normals]],
		['values by index, equal ones twice in their table', [table]],
		['values of faces, corners and points', [normals, uvs, colors]],
		['values by index and of corners', [table, uvs]],
		['values by index that few faces share', [rare]],
		['values by index that few corners share', [seams]],
		['values by index of faces, then of corners', [rare, seams, colors]],
	])('agree in %s to the last bit, and are numbered as they come', (_, layers) => {
		expect(joined(points, corners, layers)).toEqual(joinedByText(points, corners, layers));
	});

	it('are the same in a room that other meshes left something in', () => {
		const room = new JoinRoom();
		joined(points, corners, [uvs, table], room);
		const few = corners.subarray(0, 60);
		expect(joined(points, few, [table, uvs], room)).toEqual(joinedByText(points, few, [table, uvs]));
	});

	it('are the corners of the triangles where faces were cut, each with the value of its face', () => {
		const quads = Int32Array.from(numbers(4 * faces, 50));
		const cut = Uint32Array.from(
			{ length: 6 * faces },
			(_, at) => 4 * Math.floor(at / 6) + [0, 1, 2, 0, 2, 3][at % 6]!,
		);
		const triangles = Triangles.of(
			cut,
			Uint32Array.from({ length: 2 * faces }, (_, t) => Math.floor(t / 2)),
		);
		const { positions, indices, values } = joinCorners(points, quads, triangles, [rare]);
		const seen = Array.from(indices, (vertex) => [
			...positions.subarray(3 * vertex, 3 * vertex + 3),
			...values[0]!.subarray(3 * vertex, 3 * vertex + 3),
		]);
		const expected = Array.from(cut, (corner) => {
			const point = quads[corner]!;
			const item = rare.indices![Math.floor(corner / 4)]!;
			return [...points.subarray(3 * point, 3 * point + 3), ...rare.data.subarray(3 * item, 3 * item + 3)];
		});
		expect(seen).toEqual(expected);
		expect(new Set(expected.map(String)).size).toBe(positions.length / 3);
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
