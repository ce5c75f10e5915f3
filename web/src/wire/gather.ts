/** How long news gather before they are acted on, in milliseconds. */
const GATHER = 50;

/** Runs once for all calls within a moment of the first: news come in rows, and what they tell of is read once for all. */
export function gathered(run: () => void): () => void {
  let gathering = false;
  return () => {
    if (gathering) return;
    gathering = true;
    setTimeout(() => {
      gathering = false;
      run();
    }, GATHER);
  };
}
