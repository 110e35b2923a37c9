import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXml } from '@manyworlds/core/internal';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importUrdf } from '../../src/index.ts';

const FOLDER = join(import.meta.dirname, '../../../../examples/robots/plover');
const TEXT = readFileSync(join(FOLDER, 'urdf/plover.urdf'), 'utf8');
const FILES = { '/plover/meshes/finger.stl': readFileSync(join(FOLDER, 'meshes/finger.stl')) };
const store = new MemoryStore(FILES, { roots: ['/plover'] });

function load(text: string): Model {
	const builder = new ModelBuilder();
	const { report } = importUrdf(text, builder, { store, file: '/plover/urdf/plover.urdf' });
	expect(report.hasErrors).toBe(false);
	return builder.finalize();
}

/** What a model is made of, by labels: order and names play no part. */
function physics(model: Model, rename: (label: string) => string = (label) => label): unknown {
	const rows = (array: Float64Array | Int32Array, width: number, i: number): number[] => [
		...array.subarray(width * i, width * (i + 1)),
	];
	const bodies = model.bodyLabels.map((label, i) => [
		rename(label),
		rows(model.bodyMass, 1, i),
		rows(model.bodyCom, 3, i),
		rows(model.bodyInertia, 9, i),
		model.shapesOf(i).length,
	]);
	const joints = model.jointLabels.map((label, i) => {
		const [start, end] = [model.jointQdStart[i]!, model.jointQdStart[i + 1]!];
		const span = (array: Float64Array, width = 1): number[] => [...array.subarray(width * start, width * end)];
		return [
			rename(label),
			model.jointType[i],
			rename(model.bodyLabels[model.jointParent[i]!] ?? 'world'),
			rename(model.bodyLabels[model.jointChild[i]!]!),
			rows(model.jointXP, 7, i),
			span(model.jointAxis, 3),
			span(model.jointLimitLower),
			span(model.jointLimitUpper),
			span(model.jointEffortLimit),
			span(model.jointVelocityLimit),
		];
	});
	const sorted = (list: unknown[][]): unknown[][] => list.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
	return { bodies: sorted(bodies), joints: sorted(joints), mimics: model.constraintMimicCount };
}

/** The pieces of the robot: links, joints and the rest, as they are written. */
function pieces(): string[] {
	const root = readXml(TEXT).root!;
	return root.children.map(({ range }) => TEXT.slice(range.start.offset, range.end.offset));
}

describe('the same robot written otherwise', () => {
	const expected = physics(load(TEXT));

	it('has the same physics whatever the order of its elements', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(pieces(), { minLength: pieces().length }), (order) => {
				expect(physics(load(`<robot name="plover">${order.join('\n')}</robot>`))).toEqual(expected);
			}),
			{ seed: 3, numRuns: 20 },
		);
	});

	it('has the same physics under other names', () => {
		const names = ['wrist', 'palm', 'left_finger', 'right_finger', 'roll', 'left_slide', 'right_slide'];
		let text = TEXT;
		for (const [i, name] of names.entries()) text = text.replaceAll(`"${name}"`, `"zz ${names.length - i}"`);
		const back = (label: string): string =>
			label.replace(/zz (\d)/, (_, digit: string) => names[names.length - Number(digit)]!);
		expect(physics(load(text), back)).toEqual(expected);
	});

	it('has the same physics with other white space, quotes, comments and attribute order', () => {
		const text = TEXT.replace(/(\s)([\w]+)="([^"]*)"/g, "\n\t$2 = '$3'")
			.replaceAll('><', '>\r\n<!-- -->\t<')
			.replace(/<origin\s+xyz = ('[^']*')\/>/g, "<origin rpy='0 0  0' xyz = $1 />");
		expect(physics(load(text))).toEqual(expected);
	});

	it('has the same physics with another link between that moves nothing', () => {
		const extra =
			'<link name="mount"/><joint name="mounting" type="fixed"><parent link="mount"/><child link="wrist"/></joint>';
		const builder = new ModelBuilder();
		importUrdf(TEXT.replace('</robot>', `${extra}</robot>`), builder, {
			store,
			file: '/plover/urdf/plover.urdf',
		});
		builder.collapseFixedJoints();
		const reference = new ModelBuilder();
		importUrdf(TEXT, reference, { store, file: '/plover/urdf/plover.urdf' });
		reference.collapseFixedJoints();
		expect(physics(builder.finalize())).toEqual(physics(reference.finalize()));
	});
});
