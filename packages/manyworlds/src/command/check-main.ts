/** `main` for `manyworlds check`. It is bundled by itself, so that checking, which editors and hooks start often, loads nothing of other commands. */
export { main } from './main.ts';
