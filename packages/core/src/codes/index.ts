import { type CodeInfo, describeCodes } from '../code-help.ts';
import { API_CODES } from './api.ts';
import { API_HELP } from './help/api.ts';
import { XML_HELP } from './help/xml.ts';
import { XML_CODES } from './xml.ts';

/** Every code of this package with its title, severity and help. Only tools that explain codes load it. @public */
export const CODES: Readonly<Record<string, CodeInfo>> = {
	...describeCodes(API_CODES, API_HELP),
	...describeCodes(XML_CODES, XML_HELP),
};
