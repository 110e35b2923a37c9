/** `main` for `manyworlds lsp`. It is bundled by itself: an editor waits for it. */
export { main } from './main.ts';
