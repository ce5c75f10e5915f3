/** Waited for at most: a page that nobody sees paints nothing, and what was asked for is still to be sent. */
const AT_MOST_MS = 50;

/** Does something as soon as what has changed by now is on the screen. */
export async function afterPaint<T>(run: () => Promise<T>): Promise<T> {
  if (!document.hidden) await painted();
  return run();
}

function painted(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = () => {
      clearTimeout(late);
      port1.close();
      resolve();
    };
    const late = setTimeout(end, AT_MOST_MS);
    port1.onmessage = end;
    // A message sent before painting arrives after it.
    requestAnimationFrame(() => port2.postMessage(null));
  });
}
