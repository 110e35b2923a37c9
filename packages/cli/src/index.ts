export { ExitCode } from './command-context.ts';
export { type CliIo, type OutputStream, processIo } from './io.ts';
export { main } from './main.ts';
export { NodeWorkerHost } from './run/node-worker-host.ts';
export { WORLD_SOLVERS } from './run/world-solvers.ts';
