import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importAsset } from '@manyworlds/import';
import { createSphere, type TriangleMesh } from '@manyworlds/mesh';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { FileStore } from '@manyworlds/node';
import { PackageMap } from '@manyworlds/usd';
import type { BenchContext, BenchSuite, BenchTask } from '../harness/task.ts';
import { newton } from '../peers/newton.ts';

const ASSETS = fileURLToPath(new URL('../../../shared/assets', import.meta.url));

/** Mesh colliders of the body that has many, and vertices around each. */
const COLLIDERS = 200;
const SEGMENTS = 24;

/** ROS packages that the assets name. */
const PACKAGES: Readonly<Record<string, string>> = { anymal_c_simple_description: join(ASSETS, 'anymal_c') };

/** From a file to a finalized model. */
export const suite: BenchSuite = {
	name: 'import',
	prepare: async ({ folder }) => {
		collidersFile(folder);
		return `robots of ../shared/assets with all their meshes, and a body with ${COLLIDERS} mesh colliders`;
	},
	tasks: [
		robotTask('g1Urdf', 'G1 from URDF', 'unitree_g1/g1_29dof_with_hand_rev_1_0.urdf', { bodies: 53, joints: 53 }),
		robotTask('g1Mjcf', 'G1 from MJCF', 'unitree_g1/g1_29dof_with_hand_rev_1_0.xml', { bodies: 44, joints: 44 }),
		robotTask('g1Usd', 'G1 from USD', 'usd-converted/unitree_g1/g1_29dof_with_hand_rev_1_0.usda', { bodies: 44 }),
		robotTask('h1Mjcf', 'H1 from MJCF', 'menagerie/unitree_h1/h1.xml', { bodies: 20, joints: 20 }),
		robotTask('anymalUrdf', 'ANYmal C from URDF with COLLADA meshes', 'anymal_c/urdf/anymal.urdf', { bodies: 78 }),
		collidersTask(),
	],
};

type Expected = Readonly<Partial<Record<'bodies' | 'joints' | 'shapes', number>>>;

function robotTask(name: string, title: string, asset: string, expected: Expected): BenchTask {
	const file = join(ASSETS, asset);
	const find = (): string | undefined => (existsSync(file) ? file : undefined);
	return task(
		name,
		`${title}: import the file with its meshes and finalize`,
		() => file,
		expected,
		() => newton(find, PACKAGES),
	);
}

function collidersTask(): BenchTask {
	let made: string | undefined;
	const title = `a URDF whose only body has ${COLLIDERS} mesh colliders: import and finalize`;
	return task(
		'colliders200',
		title,
		(context) => (made = collidersFile(context.folder)),
		{ bodies: 1, shapes: COLLIDERS },
		() => newton(() => made),
	);
}

function task(
	name: string,
	title: string,
	fileOf: (context: BenchContext) => string,
	expected: Expected,
	peer: () => ReturnType<typeof newton>,
): BenchTask {
	const outside = peer();
	return {
		kind: 'task',
		name,
		title,
		rates: [{ fact: 'shapes', unit: 'shapes/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: (context) => {
					const file = fileOf(context);
					return { run: () => load(file), check: (result) => check(result as Loaded, expected) };
				},
			},
		],
		outside: [
			{
				...outside,
				unavailable: (context) => {
					fileOf(context);
					return outside.unavailable(context);
				},
			},
		],
	};
}

interface Loaded {
	readonly model: Model;
	readonly errors: number;
}

function load(file: string): Loaded {
	const store = new FileStore({ roots: ['/'], packages: new PackageMap({ packages: PACKAGES }) });
	const builder = new ModelBuilder();
	const { report } = importAsset(file, builder, { store });
	return { model: builder.finalize(), errors: report.counts.error };
}

function check({ model, errors }: Loaded, expected: Expected): Record<string, number> {
	if (errors > 0) throw new Error(`the import reported ${errors} errors`);
	const found = { bodies: model.bodyCount, joints: model.jointCount, shapes: model.shapeCount };
	for (const [name, count] of Object.entries(expected)) {
		const actual = found[name as keyof typeof found];
		if (actual !== count) throw new Error(`there are ${actual} ${name}, expected ${count}`);
	}
	if (!model.bodyMass.some((mass) => mass > 0)) throw new Error('the model weighs nothing');
	return found;
}

/** A URDF with many meshes on one link, each a file of its own. */
function collidersFile(folder: string): string {
	const place = join(folder, 'import-colliders');
	const file = join(place, 'colliders.urdf');
	if (existsSync(file)) return file;
	mkdirSync(place, { recursive: true });
	const collisions: string[] = [];
	for (let i = 0; i < COLLIDERS; i++) {
		const mesh = createSphere(0.05 + 0.0001 * i, { segments: SEGMENTS });
		writeFileSync(join(place, `part${i}.stl`), binaryStl(mesh));
		collisions.push(
			`<collision><origin xyz="${i % 20} ${Math.floor(i / 20)} 0"/><geometry><mesh filename="part${i}.stl"/></geometry></collision>`,
		);
	}
	writeFileSync(file, `<robot name="many"><link name="body">\n${collisions.join('\n')}\n</link></robot>\n`);
	return file;
}

function binaryStl({ vertices, indices }: TriangleMesh): Uint8Array {
	const count = indices.length / 3;
	const bytes = new Uint8Array(84 + 50 * count);
	const view = new DataView(bytes.buffer);
	view.setUint32(80, count, true);
	for (let i = 0; i < indices.length; i++) {
		const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
		for (let k = 0; k < 3; k++) view.setFloat32(at + 4 * k, vertices[3 * indices[i]! + k]!, true);
	}
	return bytes;
}
