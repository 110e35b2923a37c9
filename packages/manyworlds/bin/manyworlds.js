#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bundle = new URL('../bundle/bin.js', import.meta.url);
if (existsSync(bundle)) await import(bundle.href);
else runSource();

/** A clone that was not built runs from source. */
function runSource() {
	const source = fileURLToPath(new URL('../src/command/bin.ts', import.meta.url));
	const loader = ['--import', import.meta.resolve('tsx'), '--conditions=@manyworlds/source'];
	const child = spawn(process.execPath, [...loader, source, ...process.argv.slice(2)], { stdio: 'inherit' });
	child.on('exit', (code, signal) => {
		if (signal === null) process.exitCode = code ?? 3;
		else process.kill(process.pid, signal);
	});
}
