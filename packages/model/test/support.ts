import { type Model, ModelBuilder, ModelError } from '@manyworlds/model';
import { COLUMN_NAMES, type ColumnName, MODEL_ARRAY_NAMES } from '@manyworlds/model/internal';

/** The code of the refusal, or what else happened. */
export function codeOf(run: () => unknown): string {
	try {
		run();
	} catch (error) {
		return error instanceof ModelError ? error.code : `another error: ${String(error)}`;
	}
	return 'no error';
}

/** Every array and label of a builder, for comparisons. */
export function contentOf(builder: ModelBuilder): Record<string, unknown> {
	const content: Record<string, unknown> = { worlds: builder.worldCount, current: builder.currentWorld };
	for (const name of COLUMN_NAMES) content[name] = Array.from(builder.column(name as ColumnName));
	for (const entity of ['body', 'shape', 'joint', 'articulation', 'equalityConstraint', 'constraintMimic'] as const) {
		content[`${entity} labels`] = [...builder.labels(entity)];
	}
	return content;
}

/** Every array of a model. */
export function arraysOf(model: Model): Record<string, unknown> {
	return Object.fromEntries(MODEL_ARRAY_NAMES.map((name) => [name, Array.from(model[name])]));
}

/** A robot with `dofs` hinges on a free base, a shape on every link. */
export function robot(dofs: number): ModelBuilder {
	const builder = new ModelBuilder();
	let parent = builder.addLink({ label: 'base' });
	const joints = [builder.addJointFree({ child: parent, label: 'root' })];
	builder.addShapeBox(parent, { halfExtents: [0.2, 0.1, 0.05] });
	for (let i = 0; i < dofs; i++) {
		const child = builder.addLink({ label: `link_${i}`, xform: { p: [0.1 * (i + 1), 0, 0] } });
		joints.push(
			builder.addJointRevolute({
				parent,
				child,
				axis: i % 2 ? 'y' : 'z',
				parentXform: { p: [0.1, 0, 0] },
				limitLower: -1,
				limitUpper: 1,
			}),
		);
		builder.addShapeCapsule(child, { radius: 0.03, halfHeight: 0.05 });
		parent = child;
	}
	builder.addArticulation(joints, { label: 'robot' });
	return builder;
}
