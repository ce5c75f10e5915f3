import { expect, it } from 'vitest';
import { EMPTY_THREAD, type ThreadView } from './events';
import { goingOut } from './goingOut';

const words = (...of: Parameters<typeof goingOut>) => goingOut(...of).map(({ what, size }) => `${what}: ${size}`);

it('says the message, the place and how big each is', () => {
  const focus = { path: 'lib/a.py', selection: { start: 3, end: 9 }, viewport: { start: 1, end: 60 } };
  expect(words('fix it', focus, EMPTY_THREAD)).toEqual([
    'Your message: 6 characters',
    'a.py, lines 3–9 selected: 7 lines',
    'What the assistant reads to answer: as it asks, shown in the thread',
  ]);
});

it('says that what was said before goes along', () => {
  const turns = [{ text: 'hello', steps: [{ text: { text: 'hi there' } }] }];
  const view = { ...EMPTY_THREAD, turns } as unknown as ThreadView;
  expect(words('and?', null, view)).toContain('This conversation so far: 1 message with answers, 13 characters');
});
