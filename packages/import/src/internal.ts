export { aroundPackage } from './mesh/around-package.ts';
export { importReading } from './usd/import-usd.ts';
export { readStage, type StageReading } from './usd/read-stage.ts';
