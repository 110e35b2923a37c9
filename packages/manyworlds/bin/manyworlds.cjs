#!/usr/bin/env node
// CommonJS, because loading an ES module takes Node 10 ms more
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const bundle = join(__dirname, '../bundle/bin.cjs');
if (existsSync(bundle)) require(bundle);
else runSource();

/** A clone that was not built runs from source. */
function runSource() {
	const { spawn } = require('node:child_process');
	const { pathToFileURL } = require('node:url');
	const source = join(__dirname, '../src/command/bin.ts');
	const loader = ['--import', pathToFileURL(require.resolve('tsx')).href, '--conditions=@manyworlds/source'];
	const child = spawn(process.execPath, [...loader, source, ...process.argv.slice(2)], { stdio: 'inherit' });
	child.on('exit', (code, signal) => {
		if (signal === null) process.exitCode = code ?? 3;
		else process.kill(process.pid, signal);
	});
}
