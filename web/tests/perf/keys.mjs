// From key to painted frame, in whatever has the keyboard.

/** Milliseconds between two keys: a fast typist. */
const PAUSE_MS = 40;

/** Presses so many keys, the letters of `words` again and again. */
export async function pressKeys(page, words, keys) {
  for (let key = 0; key < keys; key++) {
    const letter = words[key % words.length];
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await page.waitForTimeout(PAUSE_MS);
  }
  await page.waitForTimeout(200);
}

/** Presses so many keys; returns milliseconds, a key each. */
export async function keysToFrames(page, words, keys) {
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    window.measured = [];
    window.onkeydown = (event) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.measured.push(performance.now() - event.timeStamp);
      // A message sent before painting arrives after it.
      requestAnimationFrame(() => port2.postMessage(null));
    };
  });
  await pressKeys(page, words, keys);
  const measured = await page.evaluate(() => {
    window.onkeydown = null;
    return window.measured;
  });
  if (measured.length < keys) throw new Error(`only ${measured.length} of ${keys} keys were seen`);
  return measured;
}
