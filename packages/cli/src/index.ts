export { ExitCode } from './command-context.ts';
export { type CliIo, type OutputStream, processIo } from './io.ts';
export { main } from './main.ts';
