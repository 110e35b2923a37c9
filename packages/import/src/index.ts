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
export { type ImportUrdfResult, importUrdf } from './urdf/import-urdf.ts';
export { IMPORT_URDF_DEFAULTS, type ImportUrdfOptions } from './urdf/options.ts';
