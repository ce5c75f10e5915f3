import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { part } from './part';

it('is shown at once when it was loaded before', async () => {
  let asked = 0;
  const Word = part(async () => {
    asked++;
    return { default: ({ text }: { text: string }) => <b>{text}</b> };
  });
  Word.preload();
  await new Promise((done) => setTimeout(done));
  expect(renderToString(<Word text="there" />)).toBe('<b>there</b>');
  Word.preload();
  expect(asked).toBe(1);
});

it('that can’t be loaded before is asked for again, and nobody is told twice', async () => {
  let asked = 0;
  const Word = part(async () => {
    asked++;
    throw new Error('offline');
  });
  Word.preload();
  await new Promise((done) => setTimeout(done, 400));
  Word.preload();
  expect(asked).toBe(2);
});
