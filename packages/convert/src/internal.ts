export { quatOfRpy, rpyOf } from './model/pose.ts';
