import type { Report } from '@manyworlds/core';
import { readMjcf } from '@manyworlds/formats';
import { importMjcf } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import type { ConversionModel } from '../model/conversion-model.ts';
import { fromModel } from './from-model.ts';
import { shortNames } from './short-names.ts';

/** Reads an MJCF model with its meshes; undefined when there is none, which the report says. */
export function fromMjcf(
	source: Uint8Array,
	file: string,
	store: AssetStore,
	report: Report,
): ConversionModel | undefined {
	const builder = new ModelBuilder();
	importMjcf(source, builder, {
		file,
		store,
		report,
		meshColliders: 'triangles',
		filterJoinedParts: false,
		convertMjcEqualityConstraints: false,
	});
	if (builder.bodyCount === 0) return undefined;
	// what no solver could run can be converted, as it is
	const model = builder.finalize({ skipValidation: true, keepInertia: true });
	const document = readMjcf(source, { file });
	const bodies = shortNames(model.bodyLabels, '/');
	const joints = shortNames(model.jointLabels, '/');
	const shapes = model.shapeLabels.map((label) => label.split('/').at(-1) ?? '');
	const indexOf = new Map(bodies.map((name, i) => [name, i]));
	return fromModel(
		model,
		{
			body: (row) => bodies[row]!,
			joint: (row) => joints[row]!,
			shape: (row) => shapes[row]!,
			place: () => ({ file }),
			// MuJoCo collides every mesh as its hull
			approximation: () => 'convexHull',
		},
		{
			name: document.modelName || 'robot',
			format: 'mjcf',
			frames: [],
			filters: document.sections('contact').flatMap((section) =>
				section.childrenNamed('exclude').flatMap((exclude) => {
					const a = indexOf.get(exclude.get('body1') ?? '');
					const b = indexOf.get(exclude.get('body2') ?? '');
					return a === undefined || b === undefined ? [] : [[a, b] as const];
				}),
			),
		},
	);
}
