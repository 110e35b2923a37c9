export { quatOfRpy, rpyOf } from './model/pose.ts';
export { type ShownRobot, showRobot } from './show-robot.ts';
