import type { LoadDump } from './dump-loaded.ts';

/** For each shape of the reference, the shapes of ours that it stands for. */
export type ShapeGroups = readonly (readonly number[])[];

interface MeshFacts {
	readonly index_count: number;
	readonly vertex_count: number;
	readonly aabb_lower: readonly number[];
	readonly aabb_upper: readonly number[];
}

/**
 * The reference keeps the materials of a mesh file together in one shape, ours shows each in a shape of its own. Visual shapes
 * of one body, one after the other, whose triangles together are those of one mesh of the reference, are taken as that one.
 */
export function groupShapes(golden: readonly (MeshFacts | null)[], ours: LoadDump): ShapeGroups {
	const meshes = ours['meshes'] as readonly (MeshFacts | null)[];
	const { shape_body: bodies, shape_flags: flags } = ours['model'] as Record<string, readonly number[]>;
	const groups: number[][] = [];
	let next = 0;
	for (const wanted of golden) {
		const group = [next];
		let count = meshes[next]?.index_count ?? 0;
		const isPart = (shape: number): boolean =>
			meshes[shape] != null && bodies![shape] === bodies![next] && (flags![shape]! & 2) === 0;
		while (wanted !== null && count < wanted.index_count && isPart(next) && isPart(next + group.length)) {
			count += meshes[next + group.length]!.index_count;
			group.push(next + group.length);
		}
		groups.push(count === wanted?.index_count ? group : [next]);
		next += groups.at(-1)!.length;
	}
	for (; next < meshes.length; next++) groups.push([next]);
	return groups;
}

/** A dump with the shapes of each group as one. */
export function mergeShapes(dump: LoadDump, groups: ShapeGroups): LoadDump {
	const total = groups.reduce((sum, group) => sum + group.length, 0);
	if (groups.length === total) return dump;
	const place = new Map(groups.flatMap((group, i) => group.map((shape) => [shape, i] as const)));
	const pairs = (list: readonly (readonly [number, number])[]): number[][] => {
		const seen = new Map<string, number[]>();
		for (const pair of list) {
			const [a, b] = pair.map((shape) => place.get(shape)!) as [number, number];
			if (a !== b) seen.set(`${a} ${b}`, [a, b]);
		}
		return [...seen.values()];
	};
	const rows = (name: string, values: readonly unknown[]): unknown[] =>
		groups.map((group, i) =>
			mergeRows(
				name,
				group.map((shape) => values[shape]),
				group[0]!,
				i,
			),
		);
	const merge = (fields: LoadDump): LoadDump =>
		Object.fromEntries(
			Object.entries(fields).map(([name, values]) => {
				if (name === 'shape_contact_pairs') return [name, pairs(values as never)];
				const isShape = name.startsWith('shape') && Array.isArray(values) && values.length === total;
				return [name, isShape ? rows(name, values) : values];
			}),
		);
	return {
		...dump,
		collision: merge(dump['collision'] as LoadDump),
		model: merge(dump['model'] as LoadDump),
		labels: merge(dump['labels'] as LoadDump),
		counts: { ...(dump['counts'] as LoadDump), shape_count: groups.length },
		meshes: rows('meshes', dump['meshes'] as readonly unknown[]),
		shape_colors: rows('shape_colors', dump['shape_colors'] as readonly unknown[]),
		filter_pairs: pairs(dump['filter_pairs'] as never),
	};
}

function mergeRows(name: string, rows: readonly unknown[], shape: number, place: number): unknown {
	const [first] = rows;
	// labels that count shapes count the merged ones
	if (name === 'shape' && first === `shape_${shape}`) return `shape_${place}`;
	if (rows.length === 1) return first;
	const vectors = (key: 'aabb_lower' | 'aabb_upper'): readonly (readonly number[])[] =>
		rows.map((row) => (row as MeshFacts)[key]);
	const extreme = (pick: (...values: number[]) => number, of: readonly (readonly number[])[]): number[] =>
		[0, 1, 2].map((i) => pick(...of.map((vector) => vector[i]!)));
	if (name === 'meshes') {
		const sum = (key: 'index_count' | 'vertex_count'): number =>
			rows.reduce<number>((total, row) => total + (row as MeshFacts)[key], 0);
		return {
			aabb_lower: extreme(Math.min, vectors('aabb_lower')),
			aabb_upper: extreme(Math.max, vectors('aabb_upper')),
			index_count: sum('index_count'),
			vertex_count: sum('vertex_count'),
		};
	}
	if (name === 'shape_collision_aabb_lower') return extreme(Math.min, rows as never);
	if (name === 'shape_collision_aabb_upper') return extreme(Math.max, rows as never);
	return name === 'shape_collision_radius' ? Math.max(...(rows as number[])) : first;
}
