export { appliedWork } from './energy/applied-work.ts';
export { MovingParts } from './start/moving-parts.ts';
export { worldRows } from './world-rows.ts';
