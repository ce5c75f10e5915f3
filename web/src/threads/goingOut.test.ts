import { expect, it } from 'vitest';
import { EMPTY_THREAD, type ThreadView } from './events';
import { goingOut } from './goingOut';

const words = (...of: Parameters<typeof goingOut>) => goingOut(...of).map(({ what, size }) => `${what}: ${size}`);

it('lists message and place with their sizes', () => {
  const focus = { path: 'lib/a.py', selection: { start: 3, end: 9 }, viewport: { start: 1, end: 60 } };
  expect(words('fix it', { focus, size: { lines: 900, bytes: 9000 } }, EMPTY_THREAD)).toEqual([
    'Your message: 6 characters',
    'a.py, lines 3–9 selected: 19 lines',
    'Content that the assistant reads: shown in the thread',
  ]);
});

it('says that what was said before goes along', () => {
  const turns = [{ text: 'hello', steps: [{ text: { text: 'hi there' } }] }];
  const view = { ...EMPTY_THREAD, turns } as unknown as ThreadView;
  expect(words('and?', { focus: null, size: null }, view)).toContain(
    'This conversation so far: 1 message with answers, 13 characters',
  );
});

it('a small file is sent whole by default', () => {
  const focus = { path: 'a.py', cursor: 12, viewport: { start: 1, end: 40 } };
  const size = { lines: 300, bytes: 9000 };
  expect(words('why?', { focus, size }, EMPTY_THREAD)).toContain('a.py, line 12: 300 lines');
  const chosen = { ...focus, scope: 'viewport' } as const;
  expect(words('why?', { focus: chosen, size }, EMPTY_THREAD)).toContain('a.py, lines 1–40: 40 lines');
});
