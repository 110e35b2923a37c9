#!/usr/bin/env node
import { main } from './main.ts';

// a reader that stops early, such as head, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main(process.argv.slice(2));
