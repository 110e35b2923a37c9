import { API_CODES } from './codes/api.ts';
import { ASSET_CODES } from './codes/asset.ts';
import { CHK_CODES } from './codes/chk.ts';
import { CLI_CODES } from './codes/cli.ts';
import type { CodeInfo } from './codes/code-info.ts';
import { CTL_CODES } from './codes/ctl.ts';
import { FIX_CODES } from './codes/fix.ts';
import { GIT_CODES } from './codes/git.ts';
import { IMP_CODES } from './codes/imp.ts';
import { MESH_CODES } from './codes/mesh.ts';
import { MJC_CODES } from './codes/mjc.ts';
import { MJCF_CODES } from './codes/mjcf.ts';
import { MODEL_CODES } from './codes/model.ts';
import { PCP_CODES } from './codes/pcp.ts';
import { PKG_CODES } from './codes/pkg.ts';
import { REP_CODES, type RepCode } from './codes/rep.ts';
import { SCH_CODES } from './codes/sch.ts';
import { SCN_CODES } from './codes/scn.ts';
import { SIM_CODES } from './codes/sim.ts';
import { STG_CODES } from './codes/stg.ts';
import { URDF_CODES } from './codes/urdf.ts';
import { USDA_CODES } from './codes/usda.ts';
import { USDC_CODES } from './codes/usdc.ts';
import { USDZ_CODES } from './codes/usdz.ts';
import { VIEW_CODES } from './codes/view.ts';
import { XML_CODES } from './codes/xml.ts';

/** Every code that a diagnostic or a thrown error can carry. @public */
export type DiagnosticCode =
	| keyof typeof API_CODES
	| keyof typeof ASSET_CODES
	| keyof typeof CHK_CODES
	| keyof typeof CLI_CODES
	| keyof typeof CTL_CODES
	| keyof typeof FIX_CODES
	| keyof typeof GIT_CODES
	| keyof typeof IMP_CODES
	| keyof typeof MESH_CODES
	| keyof typeof MJC_CODES
	| keyof typeof MJCF_CODES
	| keyof typeof MODEL_CODES
	| keyof typeof PCP_CODES
	| keyof typeof PKG_CODES
	| RepCode
	| keyof typeof SCH_CODES
	| keyof typeof SCN_CODES
	| keyof typeof SIM_CODES
	| keyof typeof STG_CODES
	| keyof typeof URDF_CODES
	| keyof typeof USDA_CODES
	| keyof typeof USDC_CODES
	| keyof typeof USDZ_CODES
	| keyof typeof VIEW_CODES
	| keyof typeof XML_CODES;

/** The registry: every code with its title, default severity and help. @public */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, CodeInfo>> = {
	...API_CODES,
	...ASSET_CODES,
	...CHK_CODES,
	...CLI_CODES,
	...CTL_CODES,
	...FIX_CODES,
	...GIT_CODES,
	...IMP_CODES,
	...MESH_CODES,
	...MJC_CODES,
	...MJCF_CODES,
	...MODEL_CODES,
	...PCP_CODES,
	...PKG_CODES,
	...REP_CODES,
	...SCH_CODES,
	...SCN_CODES,
	...SIM_CODES,
	...STG_CODES,
	...URDF_CODES,
	...USDA_CODES,
	...USDC_CODES,
	...USDZ_CODES,
	...VIEW_CODES,
	...XML_CODES,
};

/** Tells whether a string is a registered code. @public */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
	return Object.hasOwn(DIAGNOSTIC_CODES, text);
}
