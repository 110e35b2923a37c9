import { join } from 'node:path';
import { FileStore } from '@manyworlds/node';
import { Attribute, flattenStage, type Layer, makeValue, Stage, T, type Value, writeUsda } from '@manyworlds/usd';
import { isAnyPrim } from '@manyworlds/usd/internal';
import { makeBenchFiles } from '../files/bench-files.ts';
import { FILE_SIZES } from '../files/generate.ts';
import { makeReferenceFiles, REFERENCES, ROBOT_PRIMS } from '../files/reference-files.ts';
import type { BenchContext, BenchSuite, BenchTask, Prepared, Rate } from '../harness/task.ts';
import { openUsd } from '../peers/open-usd.ts';

const PRIMS: Rate = { fact: 'prims', unit: 'prims/s' };
const READS: Rate = { fact: 'reads', unit: 'reads/s' };
const MEGABYTES: Rate = { fact: 'megabytes', unit: 'MB/s' };

/** Prims of a stage of references: the world and its robots. */
const ALL_PRIMS = 1 + REFERENCES * ROBOT_PRIMS;

/** Composed stages, with the tasks of `usd_bench.py` under their names there. */
export const suite: BenchSuite = {
	name: 'usd/stage',
	prepare: async (context) => {
		const line = makeBenchFiles(FILE_SIZES, context.openUsdPython);
		makeReferenceFiles(context.folder);
		return line;
	},
	tasks: [
		openTask('stageReferences', 'references.usda', ALL_PRIMS),
		openTask('stageInstances', 'instances.usda', 1 + REFERENCES),
		readTask('readReferences', 'references.usda'),
		flattenTask('flattenReferences', 'references.usda'),
		flattenTask('flattenInstances', 'instances.usda'),
		editTask('editReferences', 'references.usda'),
	],
};

function openStage(file: string): Stage {
	const store = new FileStore({ roots: ['/'] });
	return Stage.open(store.layer(file) as Layer, { store });
}

function countPrims(stage: Stage): number {
	let count = 0;
	for (const _ of stage.traverse({ predicate: isAnyPrim })) count++;
	return count;
}

function task(
	name: string,
	title: string,
	rates: readonly Rate[],
	prepare: (context: BenchContext) => Prepared,
): BenchTask {
	return {
		kind: 'task',
		name,
		title,
		rates,
		contenders: [{ name: 'manyworlds', prepare }],
		outside: [openUsd(name)],
	};
}

function openTask(name: string, file: string, prims: number): BenchTask {
	return task(name, `open the stage of ${file} and visit every prim`, [PRIMS], ({ folder }) => ({
		run: () => {
			const stage = openStage(join(folder, file));
			return { stage, count: countPrims(stage) };
		},
		check: (result) => {
			const { count } = result as { count: number };
			if (count !== prims) throw new Error(`${count} prims, expected ${prims}`);
			return { prims: count };
		},
	}));
}

function readTask(name: string, file: string): BenchTask {
	return task(name, `read every authored attribute of the open ${file}`, [READS], ({ folder }) => {
		const stage = openStage(join(folder, file));
		const attributes: Attribute[] = [];
		for (const prim of stage.traverse({ predicate: isAnyPrim })) {
			for (const property of prim.authoredProperties()) if (property instanceof Attribute) attributes.push(property);
		}
		return {
			run: () => {
				let found = 0;
				for (const attribute of attributes) if (attribute.get() !== undefined) found++;
				return found;
			},
			check: (found) => {
				if (found !== attributes.length) throw new Error(`${found} values, expected ${attributes.length}`);
				return { reads: attributes.length };
			},
		};
	});
}

function flattenTask(name: string, file: string): BenchTask {
	return task(name, `flatten the open ${file} to text`, [MEGABYTES], ({ folder }) => {
		const stage = openStage(join(folder, file));
		return {
			run: () => writeUsda(flattenStage(stage).data),
			check: (text) => ({ megabytes: (text as Uint8Array).byteLength / 1e6 }),
		};
	});
}

function editTask(name: string, file: string): BenchTask {
	return task(name, `set an attribute of the open ${file}, then read it and another one`, [], ({ folder }) => {
		const stage = openStage(join(folder, file));
		const own = stage.attribute('/World/R_7/Link_3.size')!;
		const other = stage.attribute('/World/R_8/Link_3.size')!;
		let value = 0;
		stage.editor.setValue(own.path, makeValue(T.double, value) as Value);
		const indexes = stage.counts.indexes;
		return {
			run: () => {
				value++;
				stage.editor.setValue(own.path, makeValue(T.double, value) as Value);
				return [own.get()?.data, other.get()?.data];
			},
			check: (result) => {
				const [first, second] = result as [number, number];
				if (first !== value || second !== 0.13)
					throw new Error(`read ${first} and ${second}, expected ${value} and 0.13`);
				if (stage.counts.indexes !== indexes) throw new Error('the edit of a property rebuilt an index');
				return {};
			},
		};
	});
}
