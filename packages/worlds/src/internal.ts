export { worldRows } from './world-rows.ts';
