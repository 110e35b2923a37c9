import { EULER, TRANSFORMS } from './f02-transforms.ts';
import { ASSET_INFO } from './f09-asset-info.ts';
import { KIND } from './f10-kind.ts';
import { INERTIA } from './f17-inertia.ts';
import type { Fixer } from './fixer.ts';

/** Every family of fixes, in the order in which they are applied: what others rest on first. */
export const FIXERS: readonly Fixer[] = [INERTIA, EULER, TRANSFORMS, ASSET_INFO, KIND];
