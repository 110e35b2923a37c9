export { contactUse, contactUseText } from './contact-use.ts';
export { appliedWork } from './energy/applied-work.ts';
export { groundText } from './place-in-worlds.ts';
export { jointNumbersOf } from './record/joint-numbers.ts';
export { MovingParts } from './start/moving-parts.ts';
export { ownGround } from './start/own-ground.ts';
export { WorldNames } from './world-names.ts';
export { worldRows } from './world-rows.ts';
