import { GeoType, ModelBuilder, ShapeFlags } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { filterJoinedParts } from '../src/filter-joined-parts.ts';
import { importAsset, type MeshColliders } from '../src/index.ts';

/** A tetrahedron as OBJ. */
const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

const URDF = `<robot name="r"><link name="base">
	<visual><geometry><mesh filename="t.obj"/></geometry></visual>
	<collision><geometry><mesh filename="t.obj"/></geometry></collision>
</link></robot>`;

const MJCF = `<mujoco><asset><mesh name="t" file="t.obj"/></asset><worldbody><body><freejoint/>
	<geom type="mesh" mesh="t" contype="0" conaffinity="0" group="2" class="visual"/>
	<geom type="mesh" mesh="t"/>
</body></worldbody><default><default class="visual"/></default></mujoco>`;

function shapesOf(text: string, options: { meshColliders?: MeshColliders; newtonCompat?: boolean } = {}): string[] {
	const store = new MemoryStore({ 'robot.xml': text, 't.obj': TETRAHEDRON });
	const builder = new ModelBuilder();
	importAsset('robot.xml', builder, { store, ...options });
	const model = builder.finalize();
	return Array.from(model.shapeType, (type, shape) => {
		const collides = (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
		const name = type === GeoType.MESH ? 'mesh' : type === GeoType.CONVEX_MESH ? 'hull' : String(type);
		return `${name}${collides ? ' that collides' : ''}`;
	}).sort();
}

describe('meshes that collide', () => {
	it.each([
		['URDF', URDF],
		['MJCF', MJCF],
	])('are hulls in %s, and what is only seen stays a mesh', (_, text) => {
		expect(shapesOf(text)).toEqual(['hull that collides', 'mesh']);
		expect(shapesOf(text, { meshColliders: 'triangles' })).toEqual(['mesh', 'mesh that collides']);
		expect(shapesOf(text, { newtonCompat: true })).toEqual(['mesh', 'mesh that collides']);
		expect(shapesOf(text, { newtonCompat: true, meshColliders: 'hull' })).toEqual(['hull that collides', 'mesh']);
	});
});

/** An arm of two links that are made of two bodies each, with a ball on every body. */
const ARM = `<robot name="arm">
	${['base', 'a', 'a_cover', 'b', 'b_cover', 'tip']
		.map((name) => `<link name="${name}"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>`)
		.join('')}
	<joint name="j1" type="continuous"><parent link="base"/><child link="a"/></joint>
	<joint name="f1" type="fixed"><parent link="a"/><child link="a_cover"/></joint>
	<joint name="j2" type="continuous"><parent link="a_cover"/><child link="b"/></joint>
	<joint name="f2" type="fixed"><parent link="b"/><child link="b_cover"/></joint>
	<joint name="j3" type="continuous"><parent link="b"/><child link="tip"/></joint>
</robot>`;

function pairsOf(options: { newtonCompat?: boolean; filterJoinedParts?: boolean; floating?: boolean } = {}): string[] {
	const store = new MemoryStore({ 'arm.urdf': ARM });
	const builder = new ModelBuilder();
	importAsset('arm.urdf', builder, { store, ...options });
	const model = builder.finalize();
	const nameOf = (shape: number): string => model.bodyLabels[model.shapeBody[shape]!]!.replace(/^.*\//, '');
	const pairs: string[] = [];
	for (let i = 0; i < model.shapeContactPairs.length; i += 2) {
		pairs.push(`${nameOf(model.shapeContactPairs[i]!)} ${nameOf(model.shapeContactPairs[i + 1]!)}`);
	}
	return pairs.sort();
}

describe('bodies that fixed joints hold together', () => {
	it('do not touch what a joint connects to one of them', () => {
		// a and a_cover are one part, b and b_cover another; the base and b, and a and the tip, are not neighbours
		expect(pairsOf()).toEqual(['a tip', 'a_cover tip', 'base b', 'base b_cover', 'base tip']);
	});

	it('do so in Newton, which knows the two bodies of a joint only', () => {
		expect(pairsOf({ newtonCompat: true })).toEqual([
			'a b',
			'a b_cover',
			'a tip',
			'a_cover b_cover',
			'a_cover tip',
			'b_cover tip',
			'base a_cover',
			'base b',
			'base b_cover',
			'base tip',
		]);
		expect(pairsOf({ filterJoinedParts: false })).toEqual(pairsOf({ newtonCompat: true }));
	});

	it('are found in trees of any shape, listed in any order', () => {
		let seed = 5;
		const draw = (below: number): number => {
			seed = (seed * 1664525 + 1013904223) % 2 ** 32;
			return Math.floor((seed / 2 ** 32) * below);
		};
		for (let round = 0; round < 30; round++) {
			const builder = new ModelBuilder();
			const count = 3 + draw(10);
			const bodies = Array.from({ length: count }, () => builder.addLink({ mass: 1 }));
			for (const body of bodies) builder.addShapeBox(body);
			// parents may stand after their children
			const order = [...bodies].sort((a, b) => ((a * 7 + round) % count) - ((b * 7 + round) % count) || a - b);
			const parentOf = new Map<number, { readonly parent: number; readonly isFixed: boolean }>();
			for (let i = 0; i < count; i++) {
				const parent = i === 0 ? -1 : order[draw(i)]!;
				const isFixed = draw(2) === 0;
				parentOf.set(order[i]!, { parent, isFixed });
				if (isFixed) builder.addJointFixed({ parent, child: order[i]! });
				else builder.addJointRevolute({ parent, child: order[i]! });
			}
			const found = new Set<string>();
			builder.addCollisionFilterPair = (a, b) => void found.add(`${a} ${b}`);
			filterJoinedParts(builder, { body: 0, joint: 0, shape: 0, includesFixed: true });
			const partOf = (body: number): number =>
				body >= 0 && parentOf.get(body)!.isFixed ? partOf(parentOf.get(body)!.parent) : body;
			const expected = new Set<string>();
			for (const [child, { parent, isFixed }] of parentOf) {
				if (isFixed || parent < 0) continue;
				for (const a of bodies.filter((one) => partOf(one) === partOf(parent)))
					for (const b of bodies.filter((one) => partOf(one) === partOf(child)))
						expected.add(`${Math.min(a, b)} ${Math.max(a, b)}`);
			}
			expect([...found].sort()).toEqual([...expected].sort());
		}
	});
});
