import { type CodeInfo, describeCodes } from '@manyworlds/core/internal';
import { PCP_HELP } from './help/pcp.ts';
import { PKG_HELP } from './help/pkg.ts';
import { SCH_HELP } from './help/sch.ts';
import { STG_HELP } from './help/stg.ts';
import { USDA_HELP } from './help/usda.ts';
import { USDC_HELP } from './help/usdc.ts';
import { USDZ_HELP } from './help/usdz.ts';
import { VIEW_HELP } from './help/view.ts';
import { PCP_CODES } from './pcp.ts';
import { PKG_CODES } from './pkg.ts';
import { SCH_CODES } from './sch.ts';
import { STG_CODES } from './stg.ts';
import { USDA_CODES } from './usda.ts';
import { USDC_CODES } from './usdc.ts';
import { USDZ_CODES } from './usdz.ts';
import { VIEW_CODES } from './view.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(PCP_CODES, PCP_HELP),
	...describeCodes(PKG_CODES, PKG_HELP),
	...describeCodes(SCH_CODES, SCH_HELP),
	...describeCodes(STG_CODES, STG_HELP),
	...describeCodes(USDA_CODES, USDA_HELP),
	...describeCodes(USDC_CODES, USDC_HELP),
	...describeCodes(USDZ_CODES, USDZ_HELP),
	...describeCodes(VIEW_CODES, VIEW_HELP),
};
