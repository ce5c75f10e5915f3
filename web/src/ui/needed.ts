import { answers } from '../wire/answers';

/** Milliseconds before a part that did not come is asked for again, at first; each time twice as long, up to the longest. */
const FIRST = 300;
const LONGEST = 5000;
/** How long at least between two times that the window is loaded again. */
const SELDOM = 30_000;
const LOADED_AGAIN = 'aside.loadedAgain';

/**
 * Loads a part that the window can't do without: one that could not be loaded is asked for again until it is there. Some
 * browsers never fetch again what once did not come: where the server answers, the window is loaded again.
 */
export function needed<T>(load: () => Promise<T>): Promise<T> {
  return retried(load, async (wait) => {
    if (wait > FIRST && (await answers())) loadAgain();
  });
}

/** Loads a part that the window is better with, such as the colours of a language: asks for it until it is there. */
export function wanted<T>(load: () => Promise<T>): Promise<T> {
  return retried(load, async () => {});
}

async function retried<T>(load: () => Promise<T>, failed: (waited: number) => Promise<void>): Promise<T> {
  for (let wait = FIRST; ; wait = Math.min(2 * wait, LONGEST)) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, wait));
      await failed(wait);
    }
  }
}

function loadAgain(): void {
  const last = Number(sessionStorage.getItem(LOADED_AGAIN) ?? 0);
  if (Date.now() - last < SELDOM) return;
  sessionStorage.setItem(LOADED_AGAIN, String(Date.now()));
  location.reload();
}
