import type { MjcfDocument, MjcfElement } from '@manyworlds/formats';
import type { AttributeValue } from '@manyworlds/model/internal';
import type { Attributes } from './attributes.ts';
import { type MjcfContext, plainName } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';
import { keepWritten } from './written-attributes.ts';

/** Names of the geoms that explicit pairs refer to. */
export function pairedGeoms(document: MjcfDocument): Set<string> {
	const names = new Set<string>();
	for (const section of document.sections('contact')) {
		for (const pair of section.childrenNamed('pair')) {
			const values = document.attributesOf(pair);
			for (const key of ['geom1', 'geom2']) {
				const name = values.get(key)?.text;
				if (name) names.add(name);
			}
		}
	}
	return names;
}

const ENDS = new Set(['mujoco:pair_world', 'mujoco:pair_geom1', 'mujoco:pair_geom2']);
const FRICTION = 'mujoco:pair_solreffriction';
const DISTANCES = ['mujoco:pair_margin', 'mujoco:pair_gap'];

/** Imports the explicit pairs of all `contact` sections. */
export function addPairs(
	context: MjcfContext,
	sections: readonly MjcfElement[],
	findShape: (name: string) => number | undefined,
): void {
	const { builder, options } = context;
	const rows: PairRow[] = [];
	for (const pair of sections.flatMap((section) => section.childrenNamed('pair'))) {
		const attributes = context.attributes(pair);
		const shapes = ['geom1', 'geom2'].map((key) => {
			const name = attributes.text(key);
			const shape = name === undefined ? undefined : findShape(name);
			if (shape === undefined) attributes.fault('MJCF009', key, 'expected a geom of the model');
			return shape;
		});
		const [geom1, geom2] = shapes;
		if (geom1 === undefined || geom2 === undefined) continue;
		const values = readCustomAttributes(context, attributes, 'mujoco:pair', { except: ENDS });
		for (const key of DISTANCES) {
			const distance = values.get(key);
			if (typeof distance === 'number') values.set(key, distance * options.scale);
		}
		// without numbers of its own MuJoCo takes those of the normal; Newton writes its defaults
		if (!options.newtonCompat && !values.has(FRICTION)) values.set(FRICTION, [0, 0]);
		rows.push({ attributes, geom1, geom2, values });
	}
	if (!options.newtonCompat) sortByBodies(rows, builder.column('shapeBody'));
	for (const { attributes, geom1, geom2, values } of rows) {
		const row = builder.addRow('mujoco:pair', {
			...Object.fromEntries(values),
			'mujoco:pair_world': builder.currentWorld,
			'mujoco:pair_geom1': geom1,
			'mujoco:pair_geom2': geom2,
		});
		keepWritten(context, 'pair', row, attributes);
	}
}

interface PairRow {
	readonly attributes: Attributes;
	readonly geom1: number;
	readonly geom2: number;
	readonly values: ReadonlyMap<string, AttributeValue>;
}

/** MuJoCo's order: by the lower body of each pair, then by the other one. */
function sortByBodies(rows: PairRow[], bodies: ArrayLike<number>): void {
	const ends = ({ geom1, geom2 }: PairRow): [number, number] => {
		const [a, b] = [bodies[geom1]!, bodies[geom2]!];
		return a < b ? [a, b] : [b, a];
	};
	rows.sort((one, other) => {
		const [a, b] = [ends(one), ends(other)];
		return a[0] - b[0] || a[1] - b[1];
	});
}

/** Keeps the shapes of excluded bodies from colliding. */
export function addExcludes(context: MjcfContext, section: MjcfElement): void {
	const { builder } = context;
	for (const exclude of section.childrenNamed('exclude')) {
		const attributes = context.attributes(exclude);
		attributes.text('name');
		const bodies = ['body1', 'body2'].map((key) => {
			const name = attributes.text(key);
			const body = name === undefined ? undefined : name === 'world' ? -1 : context.bodies.get(plainName(name));
			if (body === undefined) attributes.fault('MJCF009', key, 'expected a body of the model');
			return body;
		});
		const [body1, body2] = bodies;
		if (body1 === undefined || body2 === undefined) continue;
		// shapes that were there before are none of this model's world
		const own = (body: number): number[] =>
			builder.edits.shapesOf(body).filter((shape) => body >= 0 || shape >= context.firstShape);
		for (const a of own(body1)) for (const b of own(body2)) if (a !== b) builder.addCollisionFilterPair(a, b);
	}
}

/** Finds shapes by the end of their labels, among those that were imported; the first one wins. */
export function shapeFinder(context: MjcfContext): (name: string) => number | undefined {
	const found = shapesByLabelEnd(context, context.firstShape, () => true);
	return (name) => found.get(name);
}

/** Shapes from one on that are wanted, by the ends of their labels; the first one wins. */
export function shapesByLabelEnd(
	{ builder }: MjcfContext,
	first: number,
	isWanted: (shape: number) => boolean,
): ReadonlyMap<string, number> {
	const labels = builder.labels('shape');
	const found = new Map<string, number>();
	for (let shape = labels.length - 1; shape >= first; shape--) {
		if (!isWanted(shape)) continue;
		for (const end of labelEnds(labels[shape]!)) found.set(end, shape);
	}
	return found;
}

/** A label and what stands behind each slash in it. */
export function labelEnds(label: string): string[] {
	const parts = label.split('/');
	return parts.map((_, at) => parts.slice(at).join('/'));
}
