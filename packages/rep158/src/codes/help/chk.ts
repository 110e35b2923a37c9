import type { CodeHelp } from '@manyworlds/core/internal';
import type { CHK_CODES } from '../chk.ts';

/** What to do about the codes of the compliance checker itself. */
export const CHK_HELP: Readonly<Record<keyof typeof CHK_CODES, CodeHelp>> = {
	CHK001: {
		title: 'Variant selections were left out',
		help: 'The asset has more combinations of variants than are checked. Single changes of the authored selections come first, then pairs, and so on; `--max-variants` raises the number.',
	},
	CHK002: {
		title: 'Rule failed',
		help: 'A rule of the checker ended with an internal error on this asset; all other rules were checked. This is a fault in Manyworlds: please report it with the asset.',
	},
	CHK003: {
		title: 'Configuration cannot be used',
		help: 'The configuration file is no JSON, or has an entry that is not known or has the wrong type; the message says which. `docs/guide/check.md` lists what is accepted.',
	},
	CHK004: {
		title: 'Baseline cannot be used',
		help: 'The baseline file is no baseline that `manyworlds check --write-baseline` has written. Write it again.',
	},
	CHK005: {
		title: 'Baseline has findings that are gone',
		help: 'Some findings of the baseline were not found any more. Write the baseline again so that they cannot come back unnoticed.',
	},
	CHK006: {
		title: 'Asset is too large to be checked',
		help: 'The stage has more prims than the limit allows, so only composition was checked. `--max-prims` raises the limit.',
	},
};
