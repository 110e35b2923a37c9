export type {
	Backend,
	Batch,
	CommitKind,
	Exchange,
	Lease,
	QueueStats,
	ResultStore,
	SweepHeader,
} from './backend/backend.ts';
export { batchesOf, batchOf, decodeBatch, encodeBatch, MOST_RUNS } from './backend/batches.ts';
export { MemoryBackend } from './backend/memory-backend.ts';
export { compareResults, encodeResults, nameOfResults, splitResults } from './backend/result-objects.ts';
export { createDiagnostic as createSweepDiagnostic } from './diagnostics.ts';
export { type Expression, parseExpression } from './expression/expression.ts';
export { reportHtml } from './report/report-html.ts';
export { type DatasetRun, writeDataset } from './result/dataset.ts';
export { queryRows } from './result/query-rows.ts';
export {
	agree,
	decodeResult,
	encodeResult,
	type RunOutcome,
	type RunResult,
	type RunStatus,
	type RunTiming,
} from './result/run-result.ts';
export { encodeTable, type TableEntry, tableColumns, writeTable, writeTiming } from './result/table.ts';
export { Expansion, type Run } from './runs/expansion.ts';
export { base32, canonicalJson, fileKey, hashOf, metricDefinition, RunKeys } from './runs/run-key.ts';
export { type AssetFiles, collectAssetFiles, recordingStore } from './simulate/asset-files.ts';
export { BatchRunner, type KeyedRun } from './simulate/batch-runner.ts';
export { checkPlan } from './simulate/check-plan.ts';
export { ModelMaker } from './simulate/model-maker.ts';
export { RefusedRun, type SweepAsset } from './simulate/sweep-asset.ts';
export { finishWorlds, structureOf, type WorldRecipe } from './simulate/world-recipe.ts';
