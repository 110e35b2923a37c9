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
