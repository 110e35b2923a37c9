export type { BaseJoint, RootOptions } from './attach-root.ts';
export {
	Ledger,
	type LedgerClass,
	type LedgerConversion,
	type LedgerEntry,
	type LedgerOutcome,
	type LedgerSite,
	type LedgerTotals,
	type Provenance,
} from './ledger.ts';
export { type ImportMjcfResult, importMjcf } from './mjcf/import-mjcf.ts';
export type { MjcfKeyframe } from './mjcf/keyframes.ts';
export { IMPORT_MJCF_DEFAULTS, type ImportMjcfOptions } from './mjcf/options.ts';
export { type ImportUrdfResult, importUrdf } from './urdf/import-urdf.ts';
export { IMPORT_URDF_DEFAULTS, type ImportUrdfOptions } from './urdf/options.ts';
