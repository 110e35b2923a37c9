import { createBox } from '@manyworlds/mesh';
import { ModelBuilder } from '@manyworlds/model';
import { MemoryStore, PackageMap } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type ImportUrdfOptions, importUrdf } from '../../src/index.ts';

function load(text: string, options: ImportUrdfOptions = {}) {
	const builder = new ModelBuilder();
	const result = importUrdf(text, builder, { file: '/ws/pkg/urdf/r.urdf', ...options });
	return {
		...result,
		builder,
		found: result.report.toArray().map((d) => `${d.code} ${d.range?.start.line}: ${d.message}`),
	};
}

const joint = (name: string, parent: string, child: string): string =>
	`\n<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/></joint>`;

describe('wrong URDF', () => {
	it('keeps the first of two joints to one link', () => {
		const { builder, found, ledger } = load(
			`<robot name="r"><link name="a"/><link name="b"/><link name="c"/>${joint('j', 'a', 'c')}${joint('k', 'b', 'c')}</robot>`,
			{ newtonCompat: true },
		);
		expect(builder.labels('joint')).toEqual(['r/fixed_base', 'r/j']);
		expect(found[0]).toBe("URDF006 1: link 'b' is a second root beside 'a', expected one; its 1 links are left out");
		expect(found[1]).toBe("URDF006 3: joints 'j' and 'k' both move link 'c', expected one; the second is left out");
		expect(ledger.entries().find((e) => e.path === 'robot/joint[k]' && e.name === 'type')?.reason).toBe(
			'the joint is left out',
		);
	});

	it('cuts a circle and imports the links on it', () => {
		const text = `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>${joint('ab', 'a', 'b')}${joint('bc', 'b', 'c')}${joint('ca', 'c', 'a')}</robot>`;
		const { builder, found } = load(text);
		expect(builder.labels('joint')).toEqual(['r/fixed_base', 'r/ab', 'r/bc']);
		expect(found).toEqual([
			"URDF006 4: link 'a' hangs on itself through joint 'ca', expected a tree; the joint is left out",
		]);
	});

	it('imports every tree of a file with several roots', () => {
		const text = `<robot name="r"><link name="b"/><link name="a"/><link name="z"/>${joint('j', 'b', 'a')}</robot>`;
		const { builder, found } = load(text);
		expect(builder.labels('body')).toEqual(['r/b', 'r/a', 'r/z']);
		expect(builder.articulationCount).toBe(2);
		expect(found).toEqual([
			"URDF006 1: link 'z' is a second root beside 'b', expected one; its 1 links are imported as a robot of their own",
		]);
		expect(() => builder.finalize()).not.toThrow();
	});

	it('reports inertias that no body has, where they are written', () => {
		const text =
			'<robot name="r"><link name="a"><inertial><mass value="1"/>\n<inertia ixx="1" iyy="1" izz="5"/></inertial></link></robot>';
		const { found, builder } = load(text);
		expect(found).toEqual([
			"URDF011 2: link 'a' has the principal inertias 1, 1, 5 kg·m², expected each 0 or more and at most the sum of the others",
		]);
		expect(builder.finalize().bodyInertia[8]).toBeGreaterThan(0);
	});

	it('goes on after XML that is not well-formed', () => {
		const { builder, report } = load(
			`<robot name="r"><link name="a"/><link name="b"/>${joint('j', 'a', 'b')}<link name="c">`,
		);
		expect(report.hasErrors).toBe(true);
		expect(builder.bodyCount).toBe(3);
	});

	it('accounts for the attributes of files that are not imported', () => {
		const { ledger, builder } = load('<robot name="r"><link name="$(arg x)"/></robot>');
		expect([ledger.totals(), builder.bodyCount]).toEqual([{ used: 0, converted: 0, kept: 0, ignored: 2, total: 2 }, 0]);
	});
});

describe('meshes of URDF', () => {
	const stl = boxStl();
	const meshes = (...files: string[]): string =>
		`<robot name="r"><link name="a">${files.map((f) => `\n<visual><geometry><mesh filename="${f}"/></geometry></visual>`).join('')}</link></robot>`;
	const files = {
		'/ws/pkg/meshes/box.stl': stl,
		'/ws/pkg/urdf/box.stl': stl,
		'/ws/mypkg/meshes/box.stl': stl,
		'/other/meshes/box.stl': stl,
	};
	const store = new MemoryStore(files, {
		roots: ['/ws'],
		packages: new PackageMap({ packages: { other: '/other' } }),
	});

	it('are found beside the file, above it, by package map and by the folder of the package', () => {
		const { builder, found } = load(
			meshes(
				'box.stl',
				'../meshes/box.stl',
				'package://other/meshes/box.stl',
				'package://pkg/meshes/box.stl',
				'model://pkg/meshes/box.stl',
				'file:///ws/pkg/meshes/box.stl',
			),
			{ store },
		);
		expect(found).toEqual([]);
		expect(builder.shapeCount).toBe(6);
	});

	it('are found in a folder above that has another name than the package, by their whole path only', () => {
		const { builder, found } = load(meshes('package://pkg/meshes/box.stl', 'package://kg/box.stl'), {
			store,
			file: '/ws/mypkg/urdf/r.urdf',
		});
		expect(builder.shapeCount).toBe(1);
		expect(found.map((text) => text.slice(0, 45))).toEqual(["URDF009 3: 'package://kg/box.stl' cannot be u"]);
	});

	it('are reported when missing, outside of the roots or unreadable, and the rest is imported', () => {
		const { builder, found } = load(
			meshes('none.stl', '/etc/passwd', 'https://example.com/a.stl', 'r.urdf', 'box.stl'),
			{ store },
		);
		expect(builder.shapeCount).toBe(1);
		expect(found.map((text) => text.split(':')[0])).toEqual(['URDF009 2', 'URDF009 3', 'URDF009 4', 'URDF009 5']);
		expect(load(meshes('box.stl')).found[0]).toContain('no store of files is given');
		const inline = load(meshes('box.stl'), { store, file: undefined as never });
		expect(inline.found[0]).toContain('is relative, expected a file');
	});

	it('share one mesh when file, scale and colour agree', () => {
		const text = meshes('box.stl', 'box.stl').replace('</robot>', '<link name="b"/></robot>');
		const { builder } = load(text, { store });
		expect(builder.edits.shapeSource(0)).toBe(builder.edits.shapeSource(1));
	});

	it('have the scale in their vertices', () => {
		const text = meshes('box.stl').replace('"/></geometry>', '" scale="2 1 -1"/></geometry>');
		const { builder } = load(text, { store, scale: 0.5 });
		const mesh = builder.edits.shapeSource(0) as { vertices: Float64Array };
		expect([
			Math.max(...mesh.vertices.filter((_, i) => i % 3 === 0)),
			Math.max(...mesh.vertices.filter((_, i) => i % 3 === 1)),
		]).toEqual([1, 0.5]);
	});
});

/** A box of half extent 1 as text STL. */
function boxStl(): Uint8Array {
	const { vertices, indices } = createBox(1);
	const lines = ['solid box'];
	for (let t = 0; t < indices.length; t += 3) {
		const corners = [0, 1, 2].map(
			(k) => `vertex ${vertices.subarray(3 * indices[t + k]!, 3 * indices[t + k]! + 3).join(' ')}`,
		);
		lines.push('facet normal 0 0 0', 'outer loop', ...corners, 'endloop', 'endfacet');
	}
	return new TextEncoder().encode(`${lines.join('\n')}\nendsolid box\n`);
}
