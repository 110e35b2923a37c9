#!/usr/bin/env node
import * as module from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * Work of a function, in bytes of bytecode, between questions whether to optimize it: fifteen times that of V8. Checking one
 * robot is over before optimized code has paid for itself; where a check takes seconds, the delay does not show.
 */
const INTERRUPT_BUDGET = 1_000_000;

const command = process.argv[2];
const isCheck = command === 'check';
const isAlone = isCheck || command === 'lsp';
// Node 22 and later keep compiled code between runs when asked to; that of commands that are bundled alone is kept by `loadCompiled`
if (!isAlone) (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
// the flag is that of the V8 of Node 20; a V8 that does not know a flag complains
else if (isCheck && process.versions.node.startsWith('20.'))
	setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);

// a reader that stops early, such as head, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EPIPE') throw error;
});
void run();

async function run(): Promise<void> {
	const { main } = await mainOf();
	process.exitCode = await main(process.argv.slice(2));
	// what was asked of V8 meanwhile, such as a collection of all garbage, is not waited for; what was written is
	if (isCheck) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}

function mainOf(): Promise<{ readonly main: (args: readonly string[]) => Promise<number> }> {
	if (isCheck) return import('./check-main.ts');
	return isAlone ? import('./lsp-main.ts') : import('./main.ts');
}
