/** Milliseconds before a part that did not come is asked for again, at first; each time twice as long, up to the longest. */
const FIRST = 300;
const LONGEST = 5000;

/** Loads a part that the window can't do without: one that could not be loaded is asked for again until it is there. */
export async function needed<T>(load: () => Promise<T>): Promise<T> {
  for (let wait = FIRST; ; wait = Math.min(2 * wait, LONGEST)) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
