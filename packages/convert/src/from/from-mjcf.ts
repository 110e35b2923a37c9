import { type DiagnosticDetails, Report } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
import { type ImportMjcfResult, importMjcf } from '@manyworlds/import';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { MUJOCO_MASK_UNSET } from '@manyworlds/model/internal';
import type { AssetStore } from '@manyworlds/usd';
import type { ConversionModel } from '../model/conversion-model.ts';
import { fromModel, type RowKind, type ShapeTouch } from './from-model.ts';
import { mjcfExtras } from './mjcf-extras.ts';
import { shortNames } from './short-names.ts';

/** Reads an MJCF model with its meshes; undefined when there is none, which the report says. */
export function fromMjcf(
	source: Uint8Array,
	file: string,
	store: AssetStore,
	report: Report,
): ConversionModel | undefined {
	const builder = new ModelBuilder();
	const found = new Report();
	const imported = importMjcf(source, builder, {
		file,
		store,
		report: found,
		meshColliders: 'triangles',
		filterJoinedParts: false,
		convertMjcEqualityConstraints: false,
	});
	// what a simulation does not import is an entry here, of which the ledger tells
	for (const one of found.toArray()) if (one.code !== 'MJCF008') report.add(one);
	if (builder.bodyCount === 0) return undefined;
	const { document, elements } = imported;
	// what no solver could run can be converted, as it is
	const model = builder.finalize({ skipValidation: true, keepInertia: true });
	const bodies = ownNames(shortNames(model.bodyLabels, '/'), elements.bodies);
	const joints = ownNames(shortNames(model.jointLabels, '/'), elements.joints);
	const shapes = model.shapeLabels.map((label) => label.split('/').at(-1) ?? '');
	const indexOf = new Map(bodies.map((name, i) => [name, i]));
	const tables = {
		body: elements.bodies,
		joint: elements.joints,
		shape: elements.shapes,
		equality: elements.equalities,
		mimic: elements.equalities,
	};
	return fromModel(
		model,
		{
			body: (row) => bodies[row]!,
			isInserted: (row) => imported.insertedBodies.has(row),
			joint: (row) => joints[row]!,
			freedoms: (row) => stackedNames(elements.joints.get(row)),
			shape: (row) => shapes[row]!,
			place: (kind: RowKind, row: number): DiagnosticDetails => tables[kind].get(row)?.location ?? { file },
			// MuJoCo collides every mesh as its hull
			approximation: () => 'convexHull',
			touch: touches(model, builder),
			isSeen: (row) => isShown(imported, row),
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
			interfaces: [],
			selfCollides: true,
			...mjcfExtras(imported, model),
		},
	);
}

/** Names of the joints of a body, when all have one and slides come before hinges, as in a model. */
function stackedNames(first: MjcfElement | undefined): readonly string[] | undefined {
	const stacked = first?.name === 'joint' ? first.parent?.childrenNamed('joint') : undefined;
	const names = stacked?.flatMap((element) => element.get('name') ?? []);
	if (stacked === undefined || names?.length !== stacked.length) return undefined;
	const firstHinge = stacked.findIndex((element) => element.get('type') !== 'slide');
	const isMixed = firstHinge >= 0 && stacked.slice(firstHinge).some((element) => element.get('type') === 'slide');
	return isMixed ? undefined : names;
}

/** Names as the file has them, where labels of a model have other letters for some of theirs. */
function ownNames(labels: readonly string[], elements: ReadonlyMap<number, MjcfElement>): string[] {
	const letters = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '_');
	return labels.map((label, row) => {
		const name = elements.get(row)?.get('name');
		return name !== undefined && letters(name) === letters(label) ? name : label;
	});
}

/** Groups of geoms that viewers of MuJoCo show. */
const SHOWN_GROUPS = 3;

/** Whether a geom is in a group that is shown, whatever it touches. */
function isShown({ document, elements }: ImportMjcfResult, row: number): boolean {
	const element = elements.shapes.get(row);
	if (element?.name !== 'geom') return false;
	const container = element.parent && elements.containers.get(element.parent);
	const group = document.attributesOf(element, container?.ambient).get('group')?.text;
	return Number(group ?? 0) < SHOWN_GROUPS;
}

/** Bits of geoms where they are not the usual ones, and friction that their contacts have beyond sliding. */
function touches(model: Model, builder: ModelBuilder): (row: number) => ShapeTouch {
	const valuesOf = (name: string): ArrayLike<number> => builder.attributeValues(name) as ArrayLike<number>;
	const [types, affinities] = [valuesOf('mujoco:contype'), valuesOf('mujoco:conaffinity')];
	const dimensions = valuesOf('mujoco:condim');
	const bits = (values: ArrayLike<number>, row: number): number => {
		const value = values[row];
		return value === undefined || value === MUJOCO_MASK_UNSET ? 1 : value;
	};
	return (row) => {
		const [type, affinity] = [bits(types, row), bits(affinities, row)];
		const dimension = dimensions[row] ?? 3;
		return {
			...(type === 1 && affinity === 1 ? {} : { masks: [type, affinity] }),
			...(dimension >= 4 ? { torsionalFriction: model.shapeMaterialMuTorsional[row]! } : {}),
			...(dimension >= 6 ? { rollingFriction: model.shapeMaterialMuRolling[row]! } : {}),
		};
	};
}
