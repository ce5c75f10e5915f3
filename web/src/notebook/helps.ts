// What helps who types in a cell, which comes apart from the cells, so that they are there sooner; from then on it is at
// hand, so that no key has to wait for it.
import { whenIdle } from './idle';

type Helps = typeof import('./typing');

let loaded: Helps | null = null;
let loading: Promise<Helps> | null = null;

/** Loads it behind the cells, once there is one to type in. */
export function preloadHelps(): void {
  if (!loading) whenIdle(() => void loadHelps().catch(() => {}));
}

/** Loads it; once that has failed the next one tries again. */
function loadHelps(): Promise<Helps> {
  loading ??= import('./typing').then(
    (helps) => {
      loaded = helps;
      return helps;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Hands it on: at once if it is there. Without it a cell can be typed in all the same. */
export function withHelps(use: (helps: Helps) => void): void {
  if (loaded) use(loaded);
  else void loadHelps().then(use, () => {});
}
