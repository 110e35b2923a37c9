export { FileBytes } from './file-bytes.ts';
export { toSlashes } from './slashes.ts';
