export { FileBytes } from './file-bytes.ts';
export { runGit } from './run-git.ts';
export { toSlashes } from './slashes.ts';
