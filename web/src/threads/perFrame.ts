/** Runs something at most once per animation frame; a hidden window has no frames, and gets a timer. */
export function perFrame(run: () => void): () => void {
  let asked = false;
  const now = () => {
    if (!asked) return;
    asked = false;
    run();
  };
  return () => {
    if (asked) return;
    asked = true;
    if (document.hidden) setTimeout(now, 100);
    else requestAnimationFrame(now);
  };
}
