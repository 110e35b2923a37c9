export { isTargetFormat } from './convert-robot.ts';
export { quatOfRpy } from './model/pose.ts';
export { outlineRobot } from './outline-robot.ts';
export { type ShownRobot, showRobot } from './show-robot.ts';
