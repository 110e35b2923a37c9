export { aroundPackage } from './mesh/around-package.ts';
