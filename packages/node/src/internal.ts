export { toSlashes } from './slashes.ts';
