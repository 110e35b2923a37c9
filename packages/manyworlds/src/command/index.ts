export { modelOf } from '../front/model-of.ts';
export { NodeWorkerHost } from '../threads/node-worker-host.ts';
export { WORLD_SOLVERS } from '../threads/world-solvers.ts';
export { ExitCode } from './command-context.ts';
export { type CliIo, type OutputStream, processIo } from './io.ts';
export { main } from './main.ts';
export { type OfferedAsset, offerAsset } from './offer-asset.ts';
export { ComputePool } from './sweep/compute-pool.ts';
