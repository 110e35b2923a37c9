export { ExitCode } from './command/command-context.ts';
export { type CliIo, type OutputStream, processIo } from './command/io.ts';
export { main } from './command/main.ts';
export { NodeWorkerHost } from './threads/node-worker-host.ts';
export { WORLD_SOLVERS } from './threads/world-solvers.ts';
