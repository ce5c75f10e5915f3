import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Vite's own helper for parts that are loaded when they are used, by the name it has in every version since 2. */
const HELPER = '\0vite/preload-helper.js';
const OURS = fileURLToPath(new URL('../src/app/arrival.ts', import.meta.url));

/** Puts `src/app/arrival.ts` in the place of Vite's helper: a part that did not arrive can be asked for again. */
export function arrival(): Plugin {
  return {
    name: 'arrival',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return id === HELPER ? `export { bring as __vitePreload } from ${JSON.stringify(OURS)}` : null;
    },
  };
}
