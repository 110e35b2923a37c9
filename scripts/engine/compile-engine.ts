import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import asc from 'assemblyscript/asc';
import binaryen from 'binaryen';

/** Nodes of functions that are always put in place. */
const INLINED_SIZE = 400;

const SOURCES = join(import.meta.dirname, '../../packages/sim/engine');

/** Operations on worlds side by side. */
const LANES = 'lanes.ts';

/** A set of kernels: where its sources begin, and the module of `packages/sim/src/wasm` that carries it. */
export interface Kernels {
	readonly entry: string;
	readonly module: string;
	readonly name: string;
	/** Source that stands in for `lanes.ts`: other numbers side by side. */
	readonly lanes?: string;
}

/** The whole step of worlds side by side, in 64 and in 32 bits, Newton's method for worlds of many bodies, and collision. */
export const KERNELS: readonly Kernels[] = [
	{ entry: 'index.ts', module: 'engine-binary.ts', name: 'ENGINE_BINARY' },
	{ entry: 'index.ts', module: 'engine-binary-32.ts', name: 'ENGINE_BINARY_32', lanes: 'lanes-32.ts' },
	{ entry: 'sparse/index.ts', module: 'sparse-binary.ts', name: 'SPARSE_BINARY' },
	{ entry: 'collide/index.ts', module: 'collide-binary.ts', name: 'COLLIDE_BINARY' },
];

/** Compiles kernels; the same sources give the same bytes. Throws what the compiler says. */
export async function compileEngine({ entry, lanes = LANES }: Kernels): Promise<Uint8Array> {
	const shared = namesExportedTwice(entry);
	if (shared.length > 0) throw new Error(`the engine exports ${shared.join(', ')} from two files, expected one`);
	let binary: Uint8Array | undefined;
	const { error, stderr } = await asc.main(
		[
			entry,
			'--outFile',
			'engine.wasm',
			'-O3',
			'--converge',
			'--runtime',
			'stub',
			'--noAssert',
			'--enable',
			'simd',
			'--use',
			'abort=',
			// vectors never leave the module: the host sets numbers only
			'--disableWarning',
			'112',
		],
		{
			readFile: (name) => readSource(name === LANES ? lanes : name),
			writeFile: (name, contents) => {
				if (name === 'engine.wasm') binary = contents as Uint8Array;
			},
			listFiles: () => [],
		},
	);
	if (error !== null || binary === undefined) throw new Error(`the engine does not compile:\n${stderr.toString()}`);
	return inline(binary);
}

/**
 * Names that more than one file gives to the host. It would set one of the variables, and the compiler does not say which: the other keeps the
 * address 0, and what the kernels write there ends in their own tables.
 */
function namesExportedTwice(entry: string): string[] {
	const folder = dirname(entry);
	const seen = new Set<string>();
	const twice: string[] = [];
	for (const [, file] of readSource(entry)?.matchAll(/^export \* from '(.+)';/gm) ?? []) {
		const source = readSource(join(folder, `${file}.ts`)) ?? '';
		for (const [, name] of source.matchAll(/^export (?:let|const|function) (\w+)/gm)) {
			if (seen.has(name!)) twice.push(name!);
			seen.add(name!);
		}
	}
	return twice;
}

/** Small functions cost more to call than what they do: puts them in place and optimises again. */
function inline(binary: Uint8Array): Uint8Array {
	const module = binaryen.readBinary(binary);
	const { SIMD128, MutableGlobals, BulkMemory, BulkMemoryOpt, SignExt, NontrappingFPToInt } = binaryen.Features;
	module.setFeatures(SIMD128 | MutableGlobals | BulkMemory | BulkMemoryOpt | SignExt | NontrappingFPToInt);
	binaryen.setOptimizeLevel(3);
	binaryen.setShrinkLevel(0);
	binaryen.setAlwaysInlineMaxSize(INLINED_SIZE);
	module.optimize();
	module.optimize();
	const optimised = module.emitBinary();
	module.dispose();
	return optimised;
}

function readSource(name: string): string | null {
	try {
		return readFileSync(join(SOURCES, name), 'utf8');
	} catch {
		return null;
	}
}

/** The module that carries kernels. */
export function engineBinarySource({ entry, name }: Kernels, binary: Uint8Array): string {
	const text = Buffer.from(binary).toString('base64');
	return `/** Kernels of the engine, compiled by \`npm run build:engine\` from \`packages/sim/engine/${entry}\`. */\nexport const ${name} =\n\t'${text}';\n`;
}
