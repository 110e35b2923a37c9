import { SCHEMAS } from './f01-schemas.ts';
import { EULER, TRANSFORMS } from './f02-transforms.ts';
import { VENDORS_APART } from './f04-vendors.ts';
import { MASS_UNIT, UNITS } from './f05-units.ts';
import { AXES } from './f06-axes.ts';
import { TIME } from './f07-time.ts';
import { ASSET_INFO } from './f09-asset-info.ts';
import { KIND } from './f10-kind.ts';
import { INERTIA } from './f17-inertia.ts';
import type { Fixer } from './fixer.ts';

/** Every family of fixes, in the order in which they are applied: what others rest on first. */
export const FIXERS: readonly Fixer[] = [
	TIME,
	INERTIA,
	EULER,
	TRANSFORMS,
	MASS_UNIT,
	UNITS,
	AXES,
	ASSET_INFO,
	KIND,
	SCHEMAS,
	VENDORS_APART,
];
