export { appliedWork } from './energy/applied-work.ts';
export { worldRows } from './world-rows.ts';
