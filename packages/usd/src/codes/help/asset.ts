import type { CodeHelp } from '@manyworlds/core';
import type { ASSET_CODES } from '../asset.ts';

/** What to do about the codes of finding assets. */
export const ASSET_HELP: Readonly<Record<keyof typeof ASSET_CODES, CodeHelp>> = {
	ASSET001: {
		title: 'Layer cannot be opened',
		help: 'There is no such file, it may not be read, or what it holds is no layer; the message says which. Only files below the allowed roots are read: the folder of the root layer unless other roots are given. Addresses such as `https:` are read only when that is asked for, and `package:` paths need the folder of the package in the package map, AMENT_PREFIX_PATH or ROS_PACKAGE_PATH.',
	},
};
