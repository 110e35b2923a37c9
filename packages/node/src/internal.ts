export { runGit } from './run-git.ts';
export { toSlashes } from './slashes.ts';
