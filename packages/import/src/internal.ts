export { createDiagnostic as createImportDiagnostic } from './diagnostics.ts';
export { locateEntity } from './locate-entity.ts';
export { aroundPackage } from './mesh/around-package.ts';
export { runSettingsOf } from './run-settings.ts';
export { instanceLayer, layUnder } from './usd/expand-instancers.ts';
export { ImportedParts } from './usd/import-usd.ts';
export type { Decide } from './usd/mass-recorder.ts';
export { readStage } from './usd/read-stage.ts';
