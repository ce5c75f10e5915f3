// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { EMPTY_THREAD, type ThreadView } from './events';
import { isOtherSubject } from './otherSubject';

const TIDES = 'Why does the mean height of the tides differ between both gauges in January?';
const OTHER = 'Write a letter to the landlord because our bathroom window is broken since Monday';

function view(...said: readonly [string, string][]): ThreadView {
  const turn = ([text, answer]: readonly [string, string]) => ({
    text,
    focus: { path: 'tides/model.py' },
    chips: [],
    steps: [{ text: { text: answer } }],
    end: { kind: 'done' },
  });
  return { ...EMPTY_THREAD, turns: said.map(turn) } as unknown as ThreadView;
}

const ABOUT_TIDES = view([TIDES, 'The gauges are read at other hours.']);

test('a message without shared words is off topic', () => {
  expect(isOtherSubject(ABOUT_TIDES, OTHER, 'letter.md')).toBe(true);
  expect(isOtherSubject(ABOUT_TIDES, OTHER, null)).toBe(true);
});

test('shared files, shared words and short messages continue', () => {
  expect(isOtherSubject(ABOUT_TIDES, OTHER, 'tides/model.py')).toBe(false);
  expect(isOtherSubject(ABOUT_TIDES, `${OTHER} as in model.py`, 'letter.md')).toBe(false);
  expect(isOtherSubject(ABOUT_TIDES, 'Plot the height of tides at both gauges for February instead', 'b.py')).toBe(
    false,
  );
  expect(isOtherSubject(ABOUT_TIDES, 'And now in French', null)).toBe(false);
  expect(isOtherSubject(EMPTY_THREAD, OTHER, null)).toBe(false);
});

test('only the last finished turns count', () => {
  const later = ['And the landlord of our broken bathroom window, what about a letter on Monday?', 'Dear landlord'];
  const now = view([TIDES, 'So.'], later as [string, string], ...Array(3).fill([TIDES, 'So.']));
  expect(isOtherSubject(now, OTHER, null)).toBe(true);
  const running = { ...ABOUT_TIDES, turns: ABOUT_TIDES.turns.map((turn) => ({ ...turn, end: null })) };
  expect(isOtherSubject(running, OTHER, null)).toBe(false);
});
