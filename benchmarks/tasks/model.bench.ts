import { type Model, ModelBuilder, modelToBytes, readModelSnapshot } from '@manyworlds/model';
import { hashModel, MODEL_ARRAY_NAMES } from '@manyworlds/model/internal';
import type { BenchSuite, BenchTask, Rate } from '../harness/task.ts';
import { dynamicsTasks } from './dynamics-tasks.ts';

/** Worlds of the large scene, and hinges of its robot beside the six freedoms of the base. */
const WORLDS = 4096;
const HINGES = 24;

const PER_SECOND: readonly Rate[] = [
	{ fact: 'worlds', unit: 'worlds/s' },
	{ fact: 'bodies', unit: 'bodies/s' },
];

/** Building and finalizing many worlds. */
export const suite: BenchSuite = {
	name: 'model',
	prepare: async () => {
		const model = scene(WORLDS).finalize();
		const bytes = MODEL_ARRAY_NAMES.reduce((sum, name) => sum + model[name].byteLength, 0);
		const pairs = model.shapeContactPairs.byteLength;
		const kilobytes = (size: number): string => (size / WORLDS / 1024).toFixed(1);
		return `a robot with ${6 + HINGES} freedoms, ${model.bodyCount / WORLDS} bodies and ${(model.shapeCount - 1) / WORLDS} shapes; arrays of the model: ${kilobytes(bytes)} kB per world, ${kilobytes(pairs)} of them contact pairs`;
	},
	tasks: [
		task(
			'buildAndFinalize1024',
			`replicate a robot into ${WORLDS / 4} worlds and finalize`,
			() => scene(WORLDS / 4).finalize(),
			WORLDS / 4,
		),
		task(
			'buildAndFinalize4096',
			`replicate a robot into ${WORLDS} worlds and finalize`,
			() => scene(WORLDS).finalize(),
			WORLDS,
		),
		task('labelled4096', `the same with a label prefix for each world`, () => scene(WORLDS, true).finalize(), WORLDS),
		snapshotTask(),
		...dynamicsTasks(),
	],
};

function task(name: string, title: string, run: () => Model, worlds: number): BenchTask {
	return {
		kind: 'task',
		name,
		title,
		rates: PER_SECOND,
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => ({
					run,
					check: (result) => {
						const model = result as Model;
						check(model, worlds);
						return { worlds, bodies: model.bodyCount };
					},
				}),
			},
		],
		outside: [],
	};
}

function snapshotTask(): BenchTask {
	return {
		kind: 'task',
		name: 'snapshot1024',
		title: 'write a model of 1024 worlds as bytes and read it back, hash included',
		rates: [{ fact: 'megabytes', unit: 'MB/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => {
					const model = scene(WORLDS / 4).finalize();
					const hash = hashModel(model);
					const megabytes = modelToBytes(model).length / 1e6;
					return {
						run: () => readModelSnapshot(modelToBytes(model)).model,
						check: (result) => {
							if (hashModel(result as Model) !== hash) throw new Error('the model changed on its way');
							return { megabytes };
						},
					};
				},
			},
		],
		outside: [],
	};
}

function scene(worlds: number, isLabelled = false): ModelBuilder {
	const builder = new ModelBuilder();
	builder.addGroundPlane();
	builder.replicate(robot(), {
		count: worlds,
		spacing: [2, 2, 0],
		...(isLabelled ? { labelPrefix: (world: number) => `env_${world}` } : {}),
	});
	return builder;
}

/** A chain of hinges on a free base with a shape on every link. */
function robot(): ModelBuilder {
	const builder = new ModelBuilder();
	let parent = builder.addLink({ label: 'base' });
	const joints = [builder.addJointFree({ child: parent, label: 'root' })];
	builder.addShapeBox(parent, { halfExtents: [0.2, 0.1, 0.05] });
	for (let i = 0; i < HINGES; i++) {
		const child = builder.addLink({ label: `link_${i}`, xform: { p: [0.1 * (i + 1), 0, 0] } });
		joints.push(builder.addJointRevolute({ parent, child, axis: i % 2 ? 'y' : 'z', parentXform: { p: [0.1, 0, 0] } }));
		builder.addShapeCapsule(child, { radius: 0.03, halfHeight: 0.05 });
		parent = child;
	}
	builder.addArticulation(joints, { label: 'robot' });
	return builder;
}

function check(model: Model, worlds: number): void {
	const bodies = HINGES + 1;
	if (model.worldCount !== worlds || model.bodyCount !== worlds * bodies)
		throw new Error(`${model.bodyCount} bodies in ${model.worldCount} worlds`);
	// within a world all pairs but neighbours, and every shape with the ground
	const pairs = (bodies * (bodies - 1)) / 2 - (bodies - 1) + bodies;
	if (model.shapeContactPairCount !== worlds * pairs) throw new Error(`${model.shapeContactPairCount} contact pairs`);
	if (model.report.size > 0) throw new Error(model.report.toArray()[0]!.message);
}
